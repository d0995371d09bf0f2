//! Pads the rows of a shared array in the kernel's source.

use crate::names::find_word;

/// The source with the last extent of the `__shared__` array `name` padded by `words` more, on top of its existing
/// padding, or `None` if the source declares no such array with at least two dimensions.
pub(crate) fn with_padding(text: &str, name: &str, words: u32) -> Option<String> {
    let declared = text.match_indices("__shared__").find_map(|(at, _)| {
        let end = at + text[at..].find(';')?;
        let start = at + find_word(&text[at..end], name)? + name.len();
        Some((start, end))
    })?;
    let (open, close) = last_extent(&text[declared.0..declared.1])?;
    let (open, close) = (declared.0 + open, declared.0 + close);
    let extent = text[open..close].trim();
    let padded = extent
        .rsplit_once('+')
        .and_then(|(plain, padding)| Some((plain.trim(), padding.trim().parse::<u32>().ok()?)));
    let (plain, before) = padded.unwrap_or((extent, 0));
    let extent = match before.saturating_add(words) {
        0 => plain.to_owned(),
        all => format!("{plain} + {all}"),
    };
    Some(format!("{}{extent}{}", &text[..open], &text[close..]))
}

/// The contents of the last of at least two consecutive brackets at the start of a text.
fn last_extent(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut extents = Vec::new();
    while let Some(open) = text[at..]
        .find(|letter: char| !letter.is_whitespace())
        .map(|skip| at + skip)
    {
        if !text[open..].starts_with('[') {
            break;
        }
        let close = open + text[open..].find(']')?;
        extents.push((open + 1, close));
        at = close + 1;
    }
    if extents.len() < 2 {
        None
    } else {
        extents.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::with_padding;

    #[test]
    fn the_last_extent_grows() {
        let text = "__shared__ float a[T], tile[TILE][TILE];\ntile[x][y] = 1;";
        assert_eq!(
            with_padding(text, "tile", 1).as_deref(),
            Some("__shared__ float a[T], tile[TILE][TILE + 1];\ntile[x][y] = 1;")
        );
    }

    #[test]
    fn padding_adds_to_padding() {
        let text = "__shared__ float tile[32][32 + 1];";
        let padded = with_padding(text, "tile", 2);
        assert_eq!(padded.as_deref(), Some("__shared__ float tile[32][32 + 3];"));
        assert_eq!(with_padding(text, "tile", 0).as_deref(), Some(text));
    }

    #[test]
    fn an_array_without_rows_has_none_to_pad() {
        assert_eq!(with_padding("__shared__ float a[32];", "a", 1), None);
        assert_eq!(with_padding("__shared__ float ab[32][32];", "a", 1), None);
    }
}
