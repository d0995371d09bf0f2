//! Where loops have a YIELD, beside the code of nvcc (`tests/golden/yields.csv`, from `tests/microbenchmarks/yields.py`).
#![cfg(not(target_arch = "wasm32"))]

use cuda::compile;
use engine::arch::ArchId;
use engine::isa::{CompileOptions, Instruction, Op, Program};
use engine::sim::yields_of;

/// Kernels where the rule differs from nvcc 13.0 for 9.0, with what it says here.
const DIFFERENCES: [(&str, &str, &str); 8] = [
    // nvcc lets one lane add for all.
    ("flag_atomic_add", "1,-ATOM", "has no YIELD"),
    // nvcc tests at the start of an iteration, the compiler here at its end.
    ("cas_float_max", "1,-ATOM", "tests before it"),
    ("d_lookback", "2,-LD LD-BRA", "tests before it"),
    ("d_cas_for_break", "1,-ATOM", "tests before it"),
    ("d_cas_for_break_fixed", "1,-ATOM", "tests before it"),
    (
        "d_cas_while_limit_work",
        "1,LD-ST",
        "has no YIELD: the thread exits in the middle",
    ),
    // The reverse.
    ("d_cas_while_limit", "1,-BRA", "tests after it"),
    ("d_exch_limit", "1,-BRA", "tests after it"),
];

/// The kind of an instruction as in `yields.py`.
fn kind(instruction: &Instruction) -> Option<&'static str> {
    match instruction.op {
        Op::Atom { .. } | Op::Red { .. } => Some("ATOM"),
        Op::Ld { .. } => Some("LD"),
        Op::St { .. } => Some("ST"),
        Op::Bra { .. } | Op::Exit => Some("BRA"),
        _ => None,
    }
}

/// The number of YIELDs, and for each the load before it in its block, if any, and the kind of the next instruction.
fn places(program: &Program) -> String {
    let code = &program.code;
    let is_target = |pc: usize| {
        let targets = code.iter().filter_map(|instruction| instruction.op.target());
        targets.into_iter().any(|target| target.0 as usize == pc)
    };
    let yields = yields_of(program);
    let found = yields.iter().map(|pc| {
        let pc = pc.0 as usize;
        let mut start = pc;
        while start > 0 && !is_target(start) && kind(&code[start - 1]) != Some("BRA") {
            start -= 1;
        }
        let before = code[start..pc].iter().rev().find_map(kind).unwrap_or_default();
        let after = code[pc..].iter().find_map(kind).unwrap_or_default();
        format!("{before}-{after}")
    });
    let found: Vec<String> = found.collect();
    format!("{},{}", found.len(), found.join(" "))
}

/// Each kernel of `yields.cu` has as many YIELDs as in nvcc's code, at the same places.
#[test]
fn loops_have_yields_where_nvcc_puts_them() {
    let source = include_str!("microbenchmarks/yields.cu");
    let mut num_kernels = 0;
    let mut differences = Vec::new();
    for row in include_str!("golden/yields.csv").lines().skip(1) {
        let cells: Vec<&str> = row.splitn(3, ',').collect();
        let [kernel, "sm_90", expected] = cells[..] else {
            continue;
        };
        let program = compile(source, Some(kernel), ArchId::Gh100, &CompileOptions::default());
        let found = places(&program.expect("a correct kernel").program);
        num_kernels += 1;
        let known = DIFFERENCES.iter().find(|(name, ..)| *name == kernel);
        if known.map_or(expected, |(_, here, _)| *here) != found {
            differences.push(format!("{kernel}: {found}, nvcc {expected}"));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    assert_eq!(num_kernels, 147);
}
