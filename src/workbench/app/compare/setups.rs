//! The differences between the setups of two sides, as text.

use crate::scene::{counted, thousands};
use crate::share::Setup;
use engine::arch::architecture;
use engine::sim::{LoadCaching, SchedulerPolicy};

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
    options(side, first, &mut words);
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

fn options(side: &Setup, first: &Setup, words: &mut Vec<String>) {
    let (own, reference) = (&side.compile, &first.compile);
    for (option, is_on, reference_value) in [
        ("-use_fast_math", own.fast_math, reference.fast_math),
        ("-fmad", own.fmad, reference.fmad),
        ("-ftz", own.ftz, reference.ftz),
        ("-prec-div", own.prec_div, reference.prec_div),
        ("-prec-sqrt", own.prec_sqrt, reference.prec_sqrt),
        ("-m32", own.pointers_32_bit, reference.pointers_32_bit),
        (
            "-arch=sm_70",
            own.capability.is_some(),
            reference.capability.is_some(),
        ),
        ("adversarial", side.machine.adversarial, first.machine.adversarial),
    ] {
        if is_on != reference_value {
            words.push(format!("{option} {}", if is_on { "on" } else { "off" }));
        }
    }
    if own.max_registers != reference.max_registers {
        words.push(match own.max_registers {
            Some(registers) => format!("-maxrregcount={registers}"),
            None => "no -maxrregcount".to_owned(),
        });
    }
    if side.machine.load_caching != first.machine.load_caching {
        words.push(match side.machine.load_caching {
            LoadCaching::Cg => "-dlcm=cg".to_owned(),
            LoadCaching::Ca => "-dlcm=ca".to_owned(),
            LoadCaching::Default => "the chip's own -dlcm".to_owned(),
        });
    }
    let has_choice = architecture(side.arch).memory.eight_byte_banks.is_some();
    if side.machine.bank_size != first.machine.bank_size && has_choice {
        words.push(side.machine.bank_size.cuda_name().to_owned());
    }
    if side.machine.policy != first.machine.policy {
        words.push(match side.machine.policy {
            SchedulerPolicy::Chip => "the chip's own scheduler".to_owned(),
            SchedulerPolicy::Lrr => "round-robin".to_owned(),
            SchedulerPolicy::Gto => "greedy-then-oldest".to_owned(),
            SchedulerPolicy::TwoLevel => "two-level".to_owned(),
        });
    }
    if side.machine.without != first.machine.without {
        words.push(if side.machine.without.is_empty() {
            "a real machine".to_owned()
        } else {
            format!("hypothetical, {}", side.machine.without.text())
        });
    }
    if side.machine.sm != first.machine.sm {
        words.push(match side.machine.sm {
            Some(sm) => format!("SM {sm} of the device"),
            None => "one SM alone".to_owned(),
        });
    }
    if side.machine.first_blocks != first.machine.first_blocks {
        words.push(match side.machine.first_blocks {
            Some(num) => format!("the first {}", counted(num.into(), "block")),
            None => "all blocks".to_owned(),
        });
    }
    if side.machine.max_cycles != first.machine.max_cycles {
        words.push(format!("cycle limit {}", thousands(side.machine.max_cycles)));
    }
}
