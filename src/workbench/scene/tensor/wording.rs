//! Sentences and tables of the Tensor view.

use engine::arch::Architecture;
use engine::isa::MmaKind;
use engine::sim::exec::tensor::products_at_once;
use engine::trace::Frame;

use super::super::{Table, ViewState};
use super::rates::{by_lanes, rates};
use super::shown::{Element, Progress, Shown, mma_pcs};
use crate::words::{counted, thousands};

/// Why bits have no comparison.
pub(super) const NO_LANES: &str =
    "Products of bits have no multiply-add of lanes: they take LOP3, POPC, and IADD3.";

/// A number as a cell shows it: whole numbers as they are, others with up to three decimals.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !value.is_finite() {
        return if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    if !(1e-3..1e7).contains(&size) {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The value of an element; bits as a word.
pub(super) fn cell_value(kind: MmaKind, element: &Element) -> String {
    if matches!(kind, MmaKind::Bits { .. })
        && element.bits == (0, 32)
        && element.value >= 0.0
        && element.word > 0xffff
    {
        return format!("{:08x}", element.word);
    }
    number(element.value)
}

/// Instructions and cycles: `32 instructions, 64 cycles`.
pub(super) fn duration(instructions: u64, cycles: f64) -> String {
    let cycles = if cycles == 1.0 {
        "1 cycle".to_owned()
    } else {
        format!("{} cycles", number(cycles))
    };
    format!("{}, {cycles}", counted(instructions, "instruction"))
}

/// The headline of a product.
pub(super) fn headline(frame: &Frame, shown: &Shown) -> String {
    let warp = frame.warp_name(shown.slot);
    let name = frame.mnemonic(shown.pc);
    let kind = shown.kind();
    match shown.progress {
        Progress::Issues(cycle) => format!("{warp} issues its first {name} in cycle {}.", thousands(cycle)),
        Progress::Step(_) if shown.own_step().is_some() => {
            let (rows, columns) = if kind.sum_bits() == 16 { (8, 4) } else { (4, 4) };
            format!("{name} of {warp}: each octet multiplies {rows} x 4 by 4 x {columns} elements.")
        }
        Progress::Step(step) if shown.num_steps() > 1 => format!(
            "{name} of {warp} adds {} to each sum: step {} of {}.",
            counted(products_at_once(shown.mma) as u64, "product"),
            step + 1,
            shown.num_steps()
        ),
        Progress::Step(_) => {
            format!("{name} of {warp} adds {} products to each sum.", kind.depth())
        }
        Progress::Pending(ready) => {
            format!(
                "{name} of {warp} has added all products; its result is ready in cycle {}.",
                thousands(ready)
            )
        }
        Progress::Ready(ready) => {
            format!(
                "The result of the last {name} of {warp} is ready since cycle {}.",
                thousands(ready)
            )
        }
    }
}

/// Where the steps are from.
pub(super) fn note(shown: &Shown) -> String {
    if matches!(shown.progress, Progress::Issues(_)) {
        return "The values are those of the registers at this cycle: loads can still change the operands."
            .to_owned();
    }
    let steps = shown.num_steps();
    if shown.own_step().is_some() || steps < 2 {
        return String::new();
    }
    format!(
        "The model adds {} at a time. No source says in which cycles: the picture divides the {} cycles of the \
         instruction evenly (assumed).",
        counted(products_at_once(shown.mma) as u64, "product"),
        shown.cycles.0
    )
}

/// The headline without a product.
pub(super) fn nothing(frame: &Frame, view: &ViewState) -> String {
    let arch = frame.arch();
    if !super::has_tensor_cores(arch) {
        return format!("{} has no tensor cores.", arch.name);
    }
    if mma_pcs(frame.trace().program()).is_empty() {
        return "This kernel has no instruction on tensor cores.".to_owned();
    }
    match view.slot {
        Some(slot) => format!("{} issues no instruction on tensor cores.", frame.warp_name(slot)),
        None => "No warp has issued an instruction on tensor cores so far.".to_owned(),
    }
}

/// What to do without a product.
pub(super) fn what_to_do(frame: &Frame, view: &ViewState) -> String {
    if !super::has_tensor_cores(frame.arch()) {
        return "Tensor cores exist from compute capability 7.0 on. Choose GV100 or a later architecture."
            .to_owned();
    }
    if mma_pcs(frame.trace().program()).is_empty() {
        return "Open a kernel of the library that multiplies on tensor cores: the buttons are above."
            .to_owned();
    }
    if view.slot.is_some() {
        return "Select another warp.".to_owned();
    }
    "Step to a later cycle.".to_owned()
}

/// The selected sum: product, row, and column.
pub(super) fn selected(shown: &Shown, view: &ViewState) -> Option<(usize, usize, usize)> {
    let (row, column) = view.settings.sum?;
    let (row, column) = (usize::from(row), usize::from(column));
    let kind = shown.kind();
    let product = row / kind.rows();
    (product < kind.num_products() && column < kind.columns()).then_some((product, row % kind.rows(), column))
}

/// The name of a sum: `row 3, column 5`, with the octet.
pub(super) fn sum_name(shown: &Shown, (product, row, column): (usize, usize, usize)) -> String {
    if shown.kind().num_products() > 1 {
        format!("octet {product}, row {row}, column {column}")
    } else {
        format!("row {row}, column {column}")
    }
}

/// The selected sum, step by step.
pub(super) fn sum_sentences(shown: &Shown, view: &ViewState) -> Vec<String> {
    let Some(place) = selected(shown, view) else {
        return Vec::new();
    };
    let name = sum_name(shown, place);
    let Some(sum) = shown.steps_of(place.0, place.1, place.2) else {
        return vec![format!(
            "The sum of {name} is complete: an earlier step computed it."
        )];
    };
    let at_once = products_at_once(shown.mma);
    if !shown.kind().computes(place.1, place.2) {
        let step = shown.kind().step_of(place.1, place.2);
        return vec![format!("STEP{step} computes the sum of {name}.")];
    }
    let mut lines = vec![format!("The sum of {name} starts at {}.", number(sum.first))];
    for (idx, (products, after)) in sum.products.chunks(at_once).zip(&sum.after).enumerate() {
        let kept: Vec<String> = if at_once > 32 {
            let ones = products.iter().filter(|(a, b)| a != b).count();
            vec![format!("{ones} of {} bits differ", products.len())]
        } else {
            products
                .iter()
                .map(|(a, b)| format!("{} x {}", number(*a), number(*b)))
                .collect()
        };
        lines.push(format!(
            "Step {}: + {} = {}",
            idx + 1,
            kept.join(" + "),
            number(*after)
        ));
    }
    lines
}

/// The elements that each lane holds.
pub(super) fn lane_table(shown: &Shown) -> Table {
    let kind = shown.kind();
    let mut rows: Vec<Vec<String>> = (0..32)
        .map(|lane| {
            vec![
                lane.to_string(),
                (lane / 4).to_string(),
                String::new(),
                String::new(),
                String::new(),
            ]
        })
        .collect();
    let mut put = |lane: u8, column: usize, text: String| {
        let cell = &mut rows[usize::from(lane)][column];
        if !cell.is_empty() {
            cell.push_str(", ");
        }
        cell.push_str(&text);
    };
    for product in 0..kind.num_products() {
        for (right, lines) in [(false, kind.rows()), (true, kind.columns())] {
            for line in 0..lines {
                for k in 0..shown.shown_depth() {
                    let element = shown.factor(right, product, line, k);
                    let (row, column) = if right { (k, line) } else { (line, k) };
                    put(
                        element.lane,
                        2 + usize::from(right),
                        place_text(kind, (row, column), &element),
                    );
                }
            }
        }
        for row in 0..kind.rows() {
            for column in 0..kind.columns() {
                if let Some(element) = shown.sum(product, row, column) {
                    put(element.lane, 4, place_text(kind, (row, column), &element));
                }
            }
        }
    }
    Table {
        columns: ["Lane", "Group", "Elements of A", "Elements of B", "Elements of D"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    }
}

fn place_text(kind: MmaKind, (row, column): (usize, usize), element: &Element) -> String {
    format!("[{row}][{column}] = {}", cell_value(kind, element))
}

/// The matrices with their values.
pub(super) fn matrix_tables(shown: &Shown) -> Vec<(String, Table)> {
    let kind = shown.kind();
    let grid = |name: String, rows: usize, columns: usize, cell: &dyn Fn(usize, usize) -> String| {
        let mut heads = vec!["Row".to_owned()];
        heads.extend((0..columns).map(|column| format!("Column {column}")));
        let rows = (0..rows).map(|row| {
            let mut cells = vec![row.to_string()];
            cells.extend((0..columns).map(|column| cell(row, column)));
            cells
        });
        (
            name,
            Table {
                columns: heads,
                rows: rows.collect(),
            },
        )
    };
    let mut tables = Vec::new();
    for product in 0..kind.num_products() {
        let of = if kind.num_products() > 1 {
            format!(" of octet {product}")
        } else {
            String::new()
        };
        let depth = shown.shown_depth();
        let value = |element: Element| cell_value(kind, &element);
        tables.push(grid(format!("A{of}"), kind.rows(), depth, &|row, k| {
            value(shown.factor(false, product, row, k))
        }));
        tables.push(grid(format!("B{of}"), depth, kind.columns(), &|k, column| {
            value(shown.factor(true, product, column, k))
        }));
        tables.push(grid(
            format!("D{of}"),
            kind.rows(),
            kind.columns(),
            &|row, column| shown.sum(product, row, column).map_or_else(String::new, value),
        ));
    }
    tables
}

/// The products of the selected sum.
pub(super) fn sum_table(shown: &Shown, view: &ViewState) -> Option<(String, Table)> {
    let place = selected(shown, view)?;
    let sum = shown.steps_of(place.0, place.1, place.2)?;
    let at_once = products_at_once(shown.mma);
    let rows = sum.products.iter().enumerate().map(|(k, (a, b))| {
        let is_last = (k + 1) % at_once == 0;
        let after = sum.after.get(k / at_once).filter(|_| is_last);
        vec![
            k.to_string(),
            (k / at_once + 1).to_string(),
            number(*a),
            number(*b),
            after.map_or_else(String::new, |sum| number(*sum)),
        ]
    });
    let table = Table {
        columns: ["k", "Step", "A", "B", "Sum after the step"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    };
    Some((format!("Sum of {}", sum_name(shown, place)), table))
}

/// Rates of an SM by type.
pub(super) fn rate_table(arch: &'static Architecture) -> (String, Table) {
    let rows = rates(arch).into_iter().map(|rate| {
        let lanes = by_lanes(arch, rate.mma.kind);
        vec![
            rate.name.to_owned(),
            rate.mma.name(),
            thousands(rate.per_cycle as u64),
            lanes.map_or_else(String::new, |lanes| {
                let cycles = f64::from(rate.cost.occupancy_cycles.value);
                format!("{} x {}", number(lanes.cycles / cycles), lanes.name)
            }),
        ]
    });
    let table = Table {
        columns: [
            "Type",
            "Instruction",
            "Multiply-adds per cycle of an SM",
            "Rate over lanes",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
    };
    (format!("Tensor cores of {}", arch.name), table)
}
