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
    "ours",
    "ratio",
    "occupancy",
    "ours",
    "limit",
    "waits for",
    "ours",
    "cycles",
    "ours",
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
            "{run} of {num} launches of the corpus (tests/corpus) run on the simulated GH100; beside each stands what the \
             profiler counted on an H200. Nothing here is tuned, and only the occupancy is to be equal."
        ),
        format!(
            "Instructions (smsp__inst_executed): ours over the hardware's are {:.2} in the geometric mean, from {:.2} to \
             {:.2}. NVIDIA's compiler makes other machine code than ours of the same source: it unrolls loops, keeps \
             addresses in uniform registers and predicates more. The ratio tells how far the programs differ, not how \
             well the machine is modelled. Launches whose count depends on which warp comes first (locks, exchanges) have none.",
            all.ratio.0, all.ratio.1, all.ratio.2
        ),
        format!(
            "Theoretical occupancy and what limits it follow from the launch's threads, registers and shared memory: by \
             our rules, with the hardware's registers, they are the hardware's in {} of {run}, and so are the blocks that \
             warps, block slots and registers allow. With the registers that our compiler takes the occupancy is the \
             same in {}.",
            all.same_limits, all.same_occupancy
        ),
        format!(
            "Stall reasons: the first three of the hardware (warps waiting for each issue) beside ours. The first is the \
             same in {} of {run}; {:.0} % of the hardware's three are among ours; Spearman's coefficient of the whole \
             rankings is {:.2} (median). The hardware's figures are of all SMs and of a second launch with warm caches; \
             ours are of one SM with its share of the blocks and start with cold ones. Fetching of instructions (No \
             Instruction) and of constant operands (IMC Miss) is not modelled, and small launches wait for these most.",
            all.same_first,
            100.0 * all.overlap,
            all.spearman
        ),
        "Cycles are for information only: the hardware's are those of its busiest SM, warm, the median of seven launches; \
         ours are of the same share of the blocks on one SM that has L2 and its part of the bandwidth for itself."
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
