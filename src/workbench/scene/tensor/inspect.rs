//! The inspector and the tooltips of the Tensor view.

use engine::arch::ArchId;
use engine::isa::MmaKind;
use engine::sim::exec::tensor::products_at_once;
use engine::trace::Frame;

use super::super::inspector::{Action, Code, Facts, Inspection, Source, cited, phrases};
use super::super::{Target, ViewState};
use super::draw::lanes_of;
use super::rates::{by_lanes, issues, pipe_use, rates};
use super::shown::{Element, Shown};
use super::wording::{self, cell_value, number, selected, sum_name, sum_sentences};
use crate::words::{percent, thousands};

/// The layout of elements in lanes.
const LAYOUT: &str = "PTX ISA, Matrix Fragments for mma; Jia et al. 2018 and 2019; Raihan et al. 2019";
/// The rounding of sums.
const ROUNDING: &str = "Fasi et al. 2021";
/// The rounding of sums of 8-bit floats.
const ROUNDING_FP8: &str = "Xie et al. 2025, arXiv:2511.10909";
/// The guide's warning.
const OPAQUE: &str =
    "The Volta and Turing Tuning Guides leave the layout of wmma fragments opaque: code must not rely on it.";

/// The tooltip of an element.
pub fn tensor_tooltip(frame: &Frame, view: &ViewState, target: Target) -> Option<(String, String)> {
    let shown = Shown::of(frame, view)?;
    let kind = shown.kind();
    let holds = |element: &Element| {
        format!(
            "{}. Lane {} holds it in {}.",
            cell_value(kind, element),
            element.lane,
            element.place()
        )
    };
    match target {
        Target::TensorFactor { right, line, k } => {
            let lines = if right { kind.columns() } else { kind.rows() };
            let (product, line, k) = (
                usize::from(line) / lines,
                usize::from(line) % lines,
                usize::from(k),
            );
            if product >= kind.num_products() || k >= shown.shown_depth() {
                return None;
            }
            let element = shown.factor(right, product, line, k);
            let name = if right {
                format!("B[{k}][{line}]")
            } else {
                format!("A[{line}][{k}]")
            };
            Some((name, holds(&element)))
        }
        Target::TensorSum { row, column } => {
            let (product, row) = (usize::from(row) / kind.rows(), usize::from(row) % kind.rows());
            if product >= kind.num_products() || usize::from(column) >= kind.columns() {
                return None;
            }
            let element = shown.sum(product, row, column.into())?;
            Some((format!("D[{row}][{column}]"), holds(&element)))
        }
        Target::Lane(lane) => {
            let octet = if kind.num_products() > 1 {
                format!(", octet {}", lane / 4 % 4)
            } else {
                String::new()
            };
            Some((format!("Lane {lane}"), format!("Group {}{octet}.", lane / 4)))
        }
        _ => None,
    }
}

/// The lane that holds an element of a factor.
pub fn tensor_holder(frame: &Frame, view: &ViewState, target: Target) -> Option<u8> {
    let shown = Shown::of(frame, view)?;
    let Target::TensorFactor { right, line, k } = target else {
        return None;
    };
    let kind = shown.kind();
    let lines = if right { kind.columns() } else { kind.rows() };
    let (product, line, k) = (
        usize::from(line) / lines,
        usize::from(line) % lines,
        usize::from(k),
    );
    let is_there = product < kind.num_products() && k < shown.shown_depth();
    is_there.then(|| shown.factor(right, product, line, k).lane)
}

/// Explains the shown product, or the tensor cores of the architecture.
pub fn inspect_tensor(frame: &Frame, view: &ViewState) -> Inspection {
    match Shown::of(frame, view) {
        Some(shown) => inspect_product(frame, view, &shown),
        None => inspect_nothing(frame, view),
    }
}

fn inspect_nothing(frame: &Frame, view: &ViewState) -> Inspection {
    let arch = frame.arch();
    let actions = if super::has_tensor_cores(arch) {
        Vec::new()
    } else {
        [
            ("tensor-volta", ArchId::Gv100, "GV100"),
            ("tensor-turing", ArchId::Tu102, "TU102"),
        ]
        .map(|(id, arch, name)| Action {
            id,
            name: format!("Run on {name}"),
            target: Target::Arch(arch),
        })
        .to_vec()
    };
    Inspection {
        title: "Tensor cores".to_owned(),
        place: arch.name.to_owned(),
        why: phrases(&format!(
            "{} {}",
            wording::nothing(frame, view),
            wording::what_to_do(frame, view)
        )),
        actions,
        facts: rate_facts(frame).into_iter().collect(),
        sources: rate_sources(frame),
        ..Inspection::default()
    }
}

fn rate_facts(frame: &Frame) -> Option<Facts> {
    let rates = rates(frame.arch());
    (!rates.is_empty()).then(|| Facts {
        title: "Multiply-adds per cycle of an SM".to_owned(),
        rows: rates
            .iter()
            .map(|rate| (rate.name.to_owned(), thousands(rate.per_cycle as u64)))
            .collect(),
    })
}

fn rate_sources(frame: &Frame) -> Vec<Source> {
    rates(frame.arch())
        .iter()
        .map(|rate| {
            cited(
                &format!("{} occupies a tensor core", rate.mma.name()),
                &rate.cost.occupancy_cycles,
                "cycles",
            )
        })
        .collect()
}

fn inspect_product(frame: &Frame, view: &ViewState, shown: &Shown) -> Inspection {
    let kind = shown.kind();
    let name = frame.mnemonic(shown.pc);
    let mut facts = vec![product_facts(shown)];
    facts.extend(lane_facts(shown, view));
    facts.extend(sum_facts(shown, view));
    facts.extend(compared_facts(frame, shown));
    facts.push(run_facts(frame));
    facts.extend(rate_facts(frame));
    let mut sources = vec![
        Source {
            name: "Lanes that hold the elements".to_owned(),
            value: String::new(),
            source: LAYOUT.to_owned(),
            assumed: false,
        },
        Source {
            name: "Products added at a time".to_owned(),
            value: products_at_once(shown.mma).to_string(),
            source: match kind {
                MmaKind::Quads { .. } | MmaKind::Halves { .. } | MmaKind::Tf32 => ROUNDING,
                MmaKind::Fp8 { .. } => ROUNDING_FP8,
                _ => "exact integers, or one fused multiply-add at a time (H200, tensor.cu)",
            }
            .to_owned(),
            assumed: false,
        },
    ];
    if let Some(cost) = frame.arch().cost(shown.instruction.class()) {
        sources.push(cited(
            &format!("{name} occupies a tensor core"),
            &cost.occupancy_cycles,
            "cycles",
        ));
        sources.push(cited("Result ready after", &cost.latency_cycles, "cycles"));
        if matches!(kind, MmaKind::Fp8 { .. }) {
            sources.push(Source {
                name: "Times of QMMA".to_owned(),
                value: String::new(),
                source: "assumed to be those of HMMA.16816, because QMMA was not measured".to_owned(),
                assumed: true,
            });
        }
    }
    if let Some(lanes) = by_lanes(frame.arch(), kind) {
        sources.push(cited(
            &format!("{} occupies its pipe", lanes.name),
            &lanes.cost.occupancy_cycles,
            "cycles",
        ));
    }
    let octet = view.lane.map_or(0, |lane| usize::from(lane / 4 % 4));
    let mask = lanes_of(octet, kind.num_products());
    let lanes = (kind.num_products() > 1 && view.lane.is_some()).then(|| (mask, format!("octet {octet}")));
    Inspection {
        title: name,
        place: format!(
            "{}, scheduler {}, slot {}",
            frame.warp_name(shown.slot),
            frame.scheduler(shown.slot),
            shown.slot.0
        ),
        why: phrases(&format!("{} {OPAQUE}", why(shown))),
        code: Some(Code {
            label: format!("Instruction, line {}", shown.instruction.span.line),
            text: shown.instruction.text(frame.arch().id),
            pc: shown.pc.0,
            line: shown.instruction.span.line,
        }),
        lanes,
        facts,
        sources,
        ..Inspection::default()
    }
}

/// What the instruction computes.
fn why(shown: &Shown) -> String {
    let kind = shown.kind();
    let adds = thousands(kind.multiply_adds() as u64);
    if let Some(step) = shown.own_step() {
        let steps = if kind.sum_bits() == 16 { 2 } else { 4 };
        return format!(
            "Each of *4 octets* multiplies 8 x 4 by 4 x 8 elements in {steps} steps. STEP{step} computes *{adds} \
             multiply-adds*."
        );
    }
    format!(
        "The warp multiplies a matrix of *{}* by one of *{}* and adds a third: *{adds} multiply-adds*.",
        format_args!("{} x {}", kind.rows(), kind.depth()),
        format_args!("{} x {}", kind.depth(), kind.columns())
    )
}

fn product_facts(shown: &Shown) -> Facts {
    Facts {
        title: "This instruction".to_owned(),
        rows: vec![
            ("issued in cycle".to_owned(), thousands(shown.issued)),
            ("cycles of a tensor core".to_owned(), shown.cycles.0.to_string()),
            (
                "result ready in cycle".to_owned(),
                thousands(shown.issued + shown.cycles.1),
            ),
            (
                "multiply-adds".to_owned(),
                thousands(shown.kind().multiply_adds() as u64),
            ),
        ],
    }
}

/// The elements of the selected lane.
fn lane_facts(shown: &Shown, view: &ViewState) -> Option<Facts> {
    let lane = view.lane?;
    let kind = shown.kind();
    let mut rows = Vec::new();
    let mut put = |name: String, element: &Element| {
        if element.lane == lane {
            rows.push((
                name,
                format!("{} = {}", element.place(), cell_value(kind, element)),
            ));
        }
    };
    for product in 0..kind.num_products() {
        for (right, lines) in [(false, kind.rows()), (true, kind.columns())] {
            for (line, k) in (0..lines).flat_map(|line| (0..shown.shown_depth()).map(move |k| (line, k))) {
                let element = shown.factor(right, product, line, k);
                let name = if right {
                    format!("B[{k}][{line}]")
                } else {
                    format!("A[{line}][{k}]")
                };
                put(name, &element);
            }
        }
        for (row, column) in
            (0..kind.rows()).flat_map(|row| (0..kind.columns()).map(move |column| (row, column)))
        {
            if let Some(element) = shown.sum(product, row, column) {
                put(format!("D[{row}][{column}]"), &element);
            }
        }
    }
    Some(Facts {
        title: format!("Lane {lane} holds"),
        rows,
    })
}

/// The selected sum, step by step.
fn sum_facts(shown: &Shown, view: &ViewState) -> Option<Facts> {
    let place = selected(shown, view)?;
    let sentences = sum_sentences(shown, view);
    let rows = sentences
        .into_iter()
        .map(|sentence| match sentence.split_once(": ") {
            Some((step, text)) => (step.to_owned(), text.to_owned()),
            None => (String::new(), sentence),
        });
    Some(Facts {
        title: format!("Sum of {}", sum_name(shown, place)),
        rows: rows.collect(),
    })
}

/// The same product with instructions of lanes.
fn compared_facts(frame: &Frame, shown: &Shown) -> Option<Facts> {
    let lanes = by_lanes(frame.arch(), shown.kind())?;
    let own = shown.cycles.0 as f64;
    Some(Facts {
        title: format!("The same product with {}", lanes.name),
        rows: vec![
            ("instructions".to_owned(), thousands(lanes.instructions)),
            ("cycles at the peak rate".to_owned(), number(lanes.cycles)),
            (
                "tensor core is faster by".to_owned(),
                format!("{} x", number(lanes.cycles / own.max(1.0))),
            ),
        ],
    })
}

/// Use of the tensor cores in the run.
fn run_facts(frame: &Frame) -> Facts {
    let (issued, adds) = issues(frame);
    let (used, all) = pipe_use(frame);
    Facts {
        title: "This run".to_owned(),
        rows: vec![
            ("instructions on tensor cores".to_owned(), thousands(issued)),
            ("multiply-adds".to_owned(), thousands(adds)),
            ("share of the peak".to_owned(), percent(used, all.max(1))),
        ],
    }
}
