//! Writes the comparison as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Comparison;
use super::cycles::{self, CycleSummary, OneBlock, Overhead};
use super::grids;
use super::row::{self, Measure, Row};
use engine::arch::{ArchId, architecture};

/// The number of rows in a list of largest differences.
const NUM_WORST: usize = 10;

/// Returns the document.
pub(super) fn document(comparison: &Comparison) -> String {
    let mut out = "# Code compared with nvcc, cycles compared with an H200\n\n".to_owned();
    out += "`warpscope quality --markdown docs/code-quality.md` measures and writes this file. A ratio is Warpscope's number divided\n\
            by the reference: 1 is equal, 2 is twice as many.\n\n";
    medians(&mut out, comparison);
    if let Some(blocks) = &comparison.cycles {
        cycle_medians(&mut out, blocks, comparison.overhead);
    }
    if let (Some(grids), Some(blocks)) = (&comparison.grids, &comparison.cycles) {
        grids::section(&mut out, grids, blocks, comparison.overhead);
    }
    for arch in comparison.archs() {
        let architecture = architecture(arch);
        let _ = writeln!(out, "## {}, {}\n", architecture.name, sm(arch));
        for measure in Measure::OF_CODE {
            let rows = comparison.of(arch, measure);
            if !rows.is_empty() {
                worst(&mut out, measure, &rows);
            }
        }
    }
    if let Some(blocks) = &comparison.cycles {
        worst_cycles(&mut out, blocks, comparison.overhead);
    }
    excluded(&mut out, comparison);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn sm(arch: ArchId) -> String {
    let capability = architecture(arch).compute_capability;
    format!("sm_{}{}", capability.major, capability.minor)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn medians(out: &mut String, comparison: &Comparison) {
    out.push_str(
        "## Medians of code\n\n\
         - *registers*: per thread, as `nvcc -Xptxas -v` prints them. From Volta on, both counts include the two registers for the\n  \
         program counter.\n\
         - *instructions*: in the code of the kernel and of the functions that it calls, without NOPs. nvcc's final branch to\n  \
         itself, which no warp executes, is not counted. The slow path of a division or square root is one instruction in\n  \
         Warpscope's code and a called subroutine in nvcc's.\n\
         - *executed instructions*: warp instructions of a whole launch, one row per case, compared with the counter\n  \
         `smsp__inst_executed.sum` of the H200.\n\n\
         | architecture | measure | rows | median ratio | geometric mean | within 0.7 to 1.4 |\n\
         | --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    for arch in comparison.archs() {
        for measure in Measure::OF_CODE {
            if let Some(summary) = row::summary(&comparison.of(arch, measure)) {
                let _ = writeln!(
                    out,
                    "| {} | {} | {} | {:.2} | {:.2} | {} |",
                    sm(arch),
                    measure.name(),
                    summary.num,
                    summary.median,
                    summary.mean,
                    percent(summary.alike)
                );
            }
        }
    }
    out.push('\n');
}

fn worst(out: &mut String, measure: Measure, rows: &[&Row]) {
    let [high, low] = row::worst(rows, NUM_WORST);
    for (rows, which) in [(high, "largest ratios"), (low, "smallest ratios")] {
        if rows.is_empty() {
            continue;
        }
        let what = if measure == Measure::Executed {
            "case"
        } else {
            "kernel"
        };
        let theirs = if measure == Measure::Executed {
            "H200"
        } else {
            "nvcc"
        };
        let _ = writeln!(
            out,
            "### {}: {which}\n\n| {what} | file | Warpscope | {theirs} | ratio |\n| --- | --- | ---: | ---: | ---: |",
            capitalized(measure.name())
        );
        for row in rows {
            if let (Ok(ours), Some(ratio)) = (&row.ours, row.ratio()) {
                let Row {
                    name,
                    file,
                    reference,
                    ..
                } = row;
                let _ = writeln!(out, "| `{name}` | {file} | {ours} | {reference} | {ratio:.2} |");
            }
        }
        out.push('\n');
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn cycle_medians(out: &mut String, blocks: &[OneBlock], overhead: Overhead) {
    let _ = write!(
        out,
        "## Medians of cycles of one block\n\n\
         The block runs alone on one SM, as a grid of one block. Simulated: cycles of GH100 from the first to the last cycle, with\n\
         empty caches. H200: `sm__cycles_active.max`, the median of five launches after cache flushes (*first*) and of seven\n\
         launches without a flush (*repeated*). The error of a case is the simulated number divided by the nearer of the two\n\
         medians, minus 1. \"Same instructions\": cases that execute as many instructions as on the H200, within 10 %.\n\n\
         The H200's count includes overhead that the simulator does not model: the launch of the block, instruction fetch, and the\n\
         end of the block. A kernel that stores one word per thread takes 384 cycles with one warp and 537 with 32 warps in a first\n\
         launch on the H200, and 226 and 279 in a repeated launch (Nsight Compute, medians of five). On average, that is {:.0} and {:.0}\n\
         cycles more than simulated. *With overhead*: this difference is added to the simulated cycles, separately for first\n\
         and repeated launches, before the comparison.\n\n\
         | cases | number | median error | mean error | errors up to 25 % | simulated minus first, median | \
         simulated minus repeated, median |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        overhead.cold, overhead.warm
    );
    let line = |out: &mut String, name: &str, summary: Option<CycleSummary>| {
        if let Some(summary) = summary {
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {:+.0} | {:+.0} |",
                summary.num,
                percent(summary.median),
                percent(summary.mean),
                percent(summary.within_quarter),
                summary.less_cold,
                summary.less_warm
            );
        }
    };
    let same = || blocks.iter().filter(|block| block.has_same_code());
    let none = Overhead::default();
    line(out, "all", cycles::summary(blocks.iter(), none));
    line(
        out,
        "all, with overhead",
        cycles::summary(blocks.iter(), overhead),
    );
    line(out, "same instructions", cycles::summary(same(), none));
    line(
        out,
        "same instructions, with overhead",
        cycles::summary(same(), overhead),
    );
    out.push('\n');
}

const SLOW_FIRST_LAUNCH: &str = "first launches on the H200 vary by half and take some hundred cycles more than first launches of similar kernels; repeated launches hit in L2, while the simulator starts with empty caches";
const FEWER_LOADS_IN_FLIGHT: &str =
    "80 values are loaded and divided by a runtime value; nvcc's instruction order has more loads in flight";
const ONE_WORD: &str = "all lanes change one word: the simulator takes two cycles per lane, as measured for successive atomics; the H200 is faster for an unknown reason";
/// The reasons for large differences in cycles, found in traces and in the code of both compilers.
const REASONS: [(&str, &str); 16] = [
    (
        "bounds_256_4",
        "80 values are loaded and most are spilled immediately, so the warp stalls on each load; nvcc's code has several loads in flight",
    ),
    (
        "box_blur",
        "nine loads of a byte are each behind a branch and run one after the other; nvcc predicates the loads, so all are in flight at once",
    ),
    ("bounds_none", FEWER_LOADS_IN_FLIGHT),
    ("bounds_256", FEWER_LOADS_IN_FLIGHT),
    ("histogram_global_one_bin", ONE_WORD),
    ("histogram_shared_one_bin", ONE_WORD),
    (
        "waves",
        "`sinf` and `cosf` each inline the reduction of large arguments; nvcc calls one subroutine: 1.7 times as many instructions",
    ),
    (
        "collatz",
        "one warp runs a loop that lanes leave one by one: the H200 takes 1.5 times as many cycles for the same instructions; the cause is unknown",
    ),
    (
        "votes_iota",
        "between the H200's first and repeated launch: the simulator loads from device memory, repeated launches load from L2",
    ),
    (
        "gather_random",
        "between the H200's first and repeated launch: the simulator loads from device memory, repeated launches load from L2",
    ),
    ("strided_read_1", SLOW_FIRST_LAUNCH),
    ("strided_read_2", SLOW_FIRST_LAUNCH),
    ("strided_read_8", SLOW_FIRST_LAUNCH),
    ("strided_write_1", SLOW_FIRST_LAUNCH),
    ("strided_write_2", SLOW_FIRST_LAUNCH),
    ("copy_float4_1000", SLOW_FIRST_LAUNCH),
];

fn worst_cycles(out: &mut String, blocks: &[OneBlock], overhead: Overhead) {
    out.push_str(
        "## Cycles of one block: largest errors\n\nThe error includes the overhead around a kernel (see above).\n\n\
         | case | file | simulated | first | repeated | error | instructions, simulated over H200 | reason |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n",
    );
    for block in cycles::worst(blocks, overhead, NUM_WORST) {
        if let (Ok(ours), Some(error), Some(ratio)) =
            (&block.ours, block.error(overhead), block.instruction_ratio())
        {
            let reason = REASONS.iter().find(|(case, _)| *case == block.case);
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {} | {:+.0} % | {ratio:.2} | {} |",
                block.case,
                block.file,
                ours.cycles,
                block.hardware.cold,
                block.hardware.warm,
                100.0 * error,
                reason.map_or("", |(_, reason)| reason)
            );
        }
    }
    out.push('\n');
}

fn excluded(out: &mut String, comparison: &Comparison) {
    let mut reasons: BTreeMap<(String, &str), Vec<&str>> = BTreeMap::new();
    for row in &comparison.rows {
        if let Err(reason) = &row.ours {
            // A kernel that does not compile lacks both measures of code.
            let what = match row.measure {
                Measure::Executed => "executed instructions",
                _ => "code",
            };
            let names = reasons
                .entry((format!("{}, {what}", sm(row.arch)), reason))
                .or_default();
            if !names.contains(&row.name.as_str()) {
                names.push(&row.name);
            }
        }
    }
    for block in comparison.cycles.iter().flatten() {
        if let Err(reason) = &block.ours {
            let what = "cycles of one block".to_owned();
            reasons.entry((what, reason)).or_default().push(&block.case);
        }
    }
    if reasons.is_empty() {
        return;
    }
    out.push_str("## Excluded\n\n| measure | reason | kernels or cases |\n| --- | --- | --- |\n");
    for ((what, reason), names) in reasons {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let reason = reason.replace('|', "\\|");
        let _ = writeln!(out, "| {what} | {reason} | {} |", names.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_listed_with_both_numbers_and_the_ratio() {
        let row = |name: &str, ours| Row {
            file: "a.cu".to_owned(),
            name: name.to_owned(),
            arch: ArchId::Tu102,
            measure: Measure::Registers,
            reference: 10,
            ours,
        };
        let comparison = Comparison {
            rows: vec![row("twice", Ok(20)), row("none", Err("line 3: no".to_owned()))],
            grids: None,
            cycles: None,
            overhead: Overhead::default(),
        };
        let text = document(&comparison);
        assert!(
            text.contains("| sm_75 | registers | 1 | 2.00 | 2.00 | 0 % |"),
            "{text}"
        );
        assert!(text.contains("| `twice` | a.cu | 20 | 10 | 2.00 |"), "{text}");
        assert!(text.contains("| sm_75, code | line 3: no | `none` |"), "{text}");
    }
}
