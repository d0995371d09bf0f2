//! The differences between the setups of two sides, as text.

use crate::scene::thousands;
use crate::share::Setup;

/// The differences of a side from the first side, except the architecture, in a few words each.
pub(super) fn differences(side: &Setup, first: &Setup) -> String {
    let mut words: Vec<String> = Vec::new();
    if side.machine.carveout_kib != first.machine.carveout_kib {
        match side.machine.carveout_kib {
            Some(kib) => words.push(format!("{kib} KB shared")),
            // A different chip with a fixed split is not a changed setting.
            None if side.arch == first.arch => words.push("the driver's carveout".to_owned()),
            None => {}
        }
    }
    if side.kernel != first.kernel {
        words.push(side.kernel.clone());
    }
    if side.source != first.source {
        words.push("modified source".to_owned());
    }
    if side.entry != first.entry
        && let Some(entry) = &side.entry
    {
        words.push(entry.clone());
    }
    let dims = |[x, y, z]: [u32; 3]| match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x} × {y}"),
        _ => format!("{x} × {y} × {z}"),
    };
    if let Some(grid) = side.grid.filter(|grid| Some(*grid) != first.grid) {
        words.push(format!("grid {}", dims(grid)));
    }
    if let Some(block) = side.block.filter(|block| Some(*block) != first.block) {
        words.push(format!("block {}", dims(block)));
    }
    if side.grid.is_none() && first.grid.is_some() || side.block.is_none() && first.block.is_some() {
        words.push("the library's launch".to_owned());
    }
    if side.dynamic_shared != first.dynamic_shared {
        let bytes = side.dynamic_shared.unwrap_or(0);
        words.push(format!("{} B dynamic shared", thousands(bytes.into())));
    }
    if side.args != first.args || side.symbols != first.symbols {
        words.push("other arguments".to_owned());
    }
    let options = side.options();
    // The carveout is above.
    let changes = options
        .changes(first.options(), side.arch)
        .filter(|option| option.key != "carveout");
    words.extend(changes.map(|option| option.words(&options)));
    words.join(", ")
}

/// Characters of a changed line in the name of a side. Assumption: with the gain, the headline then has its 90 characters.
const MAX_OF_LINE: usize = 40;

/// What a side has that another side of the same architecture has not: as [`differences`], and for an edited source the first
/// line that differs.
pub(super) fn own_words(side: &Setup, other: &Setup) -> String {
    let words = differences(side, other);
    match changed_line(side.source(), other.source()).filter(|_| side.kernel == other.kernel) {
        Some(line) => words.replace("modified source", &line),
        None => words,
    }
}

/// The first line that another text does not have at this place: `line 13: float tile[32][33];`.
fn changed_line(text: &str, other: &str) -> Option<String> {
    let mut others = other.lines();
    let (idx, line) = text
        .lines()
        .enumerate()
        .find(|(_, line)| others.next().is_none_or(|other| other.trim() != line.trim()))?;
    let code = line.trim();
    let mut text: String = code.chars().take(MAX_OF_LINE).collect();
    if text.len() < code.len() {
        text.push('…');
    }
    Some(format!("line {}: {text}", idx + 1))
}
