//! The known name that a wrong one probably meant.

/// Maximum number of known names that are compared with an unknown one. Assumption: programs have fewer.
const MAX_CANDIDATES: usize = 4096;

/// The known name that is most similar to a word, if one is similar enough.
pub fn nearest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = word.chars().count();
    // Allow edits of a quarter of the letters, but no change of a digit, which would denote another name: `atan2`,
    // `uint4`.
    let limit = match length {
        0..=2 => return None,
        3..=7 => 1,
        8..=11 => 2,
        _ => 3,
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let word_digits = digits(word);
    let mut best = None;
    for candidate in known.into_iter().take(MAX_CANDIDATES) {
        // Each edit changes the length by at most one.
        if candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(word) {
            0
        } else if length <= 4 && candidate.chars().count() == length && !is_swap(word, candidate) {
            // A different letter makes a short word another word: `sort`, `sqrt`.
            continue;
        } else {
            distance(word, candidate)
        };
        if digits(candidate) != word_digits {
            continue;
        }
        let better = best.is_none_or(|(least, _)| distance < least);
        if distance <= limit && better && candidate != word {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Whether two words of equal length have the same letters.
fn is_swap(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}

/// Edit distance between words (insert, delete, replace, and swap of neighbors; a change of case also counts).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 3 || a.len() > 64 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(previous[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
}
