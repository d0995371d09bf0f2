//! The section on the corpus: the same words and cells for both documents.

use std::fmt::Write;

use super::html::escaped;
use super::words::short;
use crate::validation::corpus::{ARCH, CorpusRow, spearman, summary, top};
use engine::arch::architecture;
use engine::sim::WarpState;

const COLUMNS: [&str; 11] = [
    "case",
    "instructions",
    "simulated",
    "ratio",
    "occupancy",
    "simulated",
    "limit",
    "stalls on",
    "simulated",
    "cycles",
    "simulated",
];
/// Columns of words.
const WORDS: [usize; 4] = [0, 6, 7, 8];

fn title() -> String {
    let name = architecture(ARCH).name;
    format!("Corpus on {name}")
}

/// What stands above the table.
fn paragraphs(rows: &[CorpusRow]) -> Vec<String> {
    let all = summary(rows);
    let (num, run) = all.cases;
    vec![
        format!(
            "{run} of {num} launches of the corpus (tests/corpus) run on the simulated GH100. The table compares each \
             with the counters of the profiler on an H200. Nothing here is tuned, and only the occupancy must be equal."
        ),
        format!(
            "Instructions (smsp__inst_executed): the geometric mean of the ratio, simulated divided by hardware, is {:.2}, \
             with a range from {:.2} to {:.2}. From the same source, NVIDIA's compiler makes other machine code: it unrolls \
             more loops, keeps addresses in uniform registers, and predicates more. The ratio shows how much the programs \
             differ, not how well the machine is modeled. Launches whose count depends on the order of warps (locks, \
             exchanges) have no ratio.",
            all.ratio.0, all.ratio.1, all.ratio.2
        ),
        format!(
            "The threads, registers, and shared memory of a launch determine the theoretical occupancy and its limits. \
             With the hardware's registers, Warpscope's rules give the hardware's occupancy in {} of {run} launches, and \
             the same number of blocks that warps, block slots, and registers allow. With the registers of Warpscope's \
             compiler, the occupancy is equal in {}.",
            all.same_limits, all.same_occupancy
        ),
        format!(
            "Stall reasons: the first three of the hardware (warps waiting per issue) and of the simulator. The first is \
             equal in {} of {run} launches; {:.0} % of the hardware's three are among the simulator's; the median of \
             Spearman's coefficient of the whole rankings is {:.2}. The hardware's figures are of all SMs, from a second \
             launch with warm caches. The simulator's are of one SM with its share of the blocks, and start with cold \
             caches. Instruction fetches (No Instruction) and fetches of constant operands (IMC Miss) are not modeled; they \
             dominate small launches.",
            all.same_first,
            100.0 * all.overlap,
            all.spearman
        ),
        "Cycles are for information only. The hardware's are those of its busiest SM, warm, the median of seven launches. \
         The simulator's are of the same share of the blocks on one SM, which has L2 and its part of the bandwidth for \
         itself."
            .to_owned(),
    ]
}

fn reasons(stalls: &[(WarpState, f64)]) -> String {
    let names: Vec<&str> = top(stalls).into_iter().map(WarpState::name).collect();
    names.join(", ")
}

/// The cells of a case.
fn cells(row: &CorpusRow) -> [String; COLUMNS.len()] {
    let dash = || "-".to_owned();
    let percent = |value: f64| {
        if value.is_nan() {
            dash()
        } else {
            format!("{} %", short(value))
        }
    };
    let limiter = row.limiter(0).map_or("", |limiter| limiter.text());
    let of = |get: fn(&crate::validation::corpus::Ours) -> u64| {
        (row.ours.as_ref()).map_or_else(|_| dash(), |ours| get(ours).to_string())
    };
    [
        row.case.clone(),
        row.instructions.map_or_else(dash, |num| num.to_string()),
        of(|ours| ours.instructions),
        row.ratio().map_or_else(dash, |ratio| format!("{ratio:.2}")),
        percent(row.occupancy[0]),
        percent(row.occupancy[1]),
        limiter.to_owned(),
        reasons(&row.stalls),
        match &row.ours {
            Ok(ours) => {
                let ranks = spearman(&row.stalls, &ours.stalls).unwrap_or(0.0);
                format!("{} ({ranks:.2})", reasons(&ours.stalls))
            }
            Err(why) => format!("not run: {why}"),
        },
        row.cycles.to_string(),
        of(|ours| ours.cycles),
    ]
}

pub(super) fn write_markdown(rows: &[CorpusRow], out: &mut String) {
    let _ = writeln!(out, "\n## {}\n", title());
    for paragraph in paragraphs(rows) {
        let _ = writeln!(out, "{paragraph}\n");
    }
    let _ = writeln!(out, "| {} |", COLUMNS.join(" | "));
    out.push('|');
    for column in 0..COLUMNS.len() {
        *out += if WORDS.contains(&column) {
            " --- |"
        } else {
            " ---: |"
        };
    }
    out.push('\n');
    for row in rows {
        let _ = writeln!(out, "| {} |", cells(row).join(" | "));
    }
}

pub(super) fn write_html(rows: &[CorpusRow], out: &mut String) {
    let _ = writeln!(out, "<section id=\"corpus\">\n<h2>{}</h2>", title());
    for paragraph in paragraphs(rows) {
        let _ = writeln!(out, "<p>{}</p>", escaped(&paragraph));
    }
    *out += "<div class=\"scroll\" tabindex=\"0\"><table class=\"corpus\">\n<thead><tr>";
    let class = |column: usize| {
        if WORDS.contains(&column) {
            " class=\"words\""
        } else {
            ""
        }
    };
    for (idx, column) in COLUMNS.iter().enumerate() {
        let _ = write!(out, "<th{}>{column}</th>", class(idx));
    }
    *out += "</tr></thead>\n<tbody>\n";
    for row in rows {
        *out += "<tr>";
        for (idx, cell) in cells(row).iter().enumerate() {
            let tag = if idx == 0 { "th" } else { "td" };
            let _ = write!(out, "<{tag}{}>{}</{tag}>", class(idx), escaped(cell));
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div>\n</section>\n";
}
