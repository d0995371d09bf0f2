//! Pictures of products of real runs. Kernels fill the matrices with known numbers, so that an element's value shows its
//! row and column.

use super::super::{Mark, Role, Size, Target, ViewState};
use super::shown::{Progress, Shown};
use super::*;
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::ids::Cycle;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role as BufferRole};
use engine::sim::MachineOptions;
use engine::trace::{Trace, simulate};

const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

/// Element i of the left matrix is i, and element i of the right one is i / 256: all different, and exact in half precision.
fn traced(arch: ArchId) -> Trace {
    let source = "#include <mma.h>
        using namespace nvcuda::wmma;
        __global__ void f(const half *a, const half *b, float *d) {
            fragment<matrix_a, 16, 16, 16, half, row_major> left;
            fragment<matrix_b, 16, 16, 16, half, row_major> right;
            fragment<accumulator, 16, 16, 16, float> sum;
            fill_fragment(sum, 0.5f);
            load_matrix_sync(left, a, 16);
            load_matrix_sync(right, b, 16);
            mma_sync(sum, left, right, sum);
            store_matrix_sync(d, sum, 16, mem_row_major);
        }";
    let program = compile(source, None, arch, &CompileOptions::default())
        .unwrap()
        .program;
    let buffer = |elem, scale, role| Argument::Buffer {
        elem,
        len: 256,
        fill: Fill {
            scale: Some(scale),
            ..Fill::of(Pattern::Iota)
        },
        role,
        start: 0,
    };
    let launch = Launch {
        grid: [1, 1, 1],
        block: [32, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(ElemType::F16, 1.0, BufferRole::In),
            buffer(ElemType::F16, 1.0 / 256.0, BufferRole::In),
            buffer(ElemType::F32, 0.0, BufferRole::Out),
        ],
        symbols: Vec::new(),
    };
    simulate(
        architecture(arch),
        std::sync::Arc::new(program),
        &launch,
        MachineOptions::default(),
    )
    .unwrap()
}

/// Cycles in which the warp issues instructions on tensor cores.
fn issues(trace: &Trace) -> Vec<u64> {
    let frame = trace.frame(Cycle(0));
    let mut cycles = Vec::new();
    let mut at = 0;
    while let Some(next) = beside_product(&trace.frame(Cycle(at)), &ViewState::default(), Direction::Forward)
    {
        cycles.push(next);
        at = next;
    }
    assert!(!frame.arch().name.is_empty());
    cycles
}

/// The elements of the matrices in memory: the oracle is the kernel's own loads through `mma.h`.
#[test]
fn values_and_holders_are_those_of_the_loaded_matrices() {
    for arch in [ArchId::Gv100, ArchId::Tu102, ArchId::Ga100, ArchId::Gh100] {
        let trace = traced(arch);
        let cycles = issues(&trace);
        let mut seen_left = std::collections::BTreeSet::new();
        let mut seen_right = std::collections::BTreeSet::new();
        for cycle in &cycles {
            let frame = trace.frame(Cycle(*cycle));
            let shown = Shown::of(&frame, &ViewState::default()).unwrap();
            assert_eq!(shown.issued, *cycle);
            let kind = shown.kind();
            for product in 0..kind.num_products() {
                // Neighbors along the depth are neighbors of a row of A, and of a column of B.
                for line in 0..kind.rows() {
                    let first = shown.factor(false, product, line, 0).value;
                    for k in 0..kind.depth() {
                        assert_eq!(shown.factor(false, product, line, k).value, first + k as f64);
                        seen_left.insert((first + k as f64) as u32);
                    }
                }
                for line in 0..kind.columns() {
                    let first = shown.factor(true, product, line, 0).value;
                    for k in 0..kind.depth() {
                        let want = first + k as f64 / 16.0;
                        assert_eq!(shown.factor(true, product, line, k).value, want);
                        seen_right.insert((want * 256.0) as u32);
                    }
                }
            }
        }
        // The instructions multiply all elements of both matrices.
        assert_eq!((seen_left.len(), seen_right.len()), (256, 256), "{arch}");
    }
}

/// After the last instruction, the shown sums are those of the product, computed here from the numbers of the launch.
#[test]
fn sums_are_those_of_the_product() {
    for arch in [ArchId::Gv100, ArchId::Tu102, ArchId::Ga100, ArchId::Gh100] {
        let trace = traced(arch);
        let cycles = issues(&trace);
        let want: std::collections::BTreeSet<i64> = (0..256)
            .map(|i| {
                let (row, column) = (i / 16, i % 16);
                let terms = (0..16).map(|k| f64::from(row * 16 + k) * f64::from(k * 16 + column) / 256.0);
                // The sums are multiples of 1/256, plus one half: times 512, they are whole.
                ((terms.sum::<f64>() + 0.5) * 512.0).round() as i64
            })
            .collect();
        let mut compared = 0;
        for cycle in &cycles[cycles.len() - 2..] {
            let ready = cycle + 200;
            let frame = trace.frame(Cycle((*cycle).min(ready)));
            let mut shown = Shown::of(&frame, &ViewState::default()).unwrap();
            shown.progress = Progress::Ready(ready);
            let kind = shown.kind();
            for (row, column) in (0..kind.rows()).flat_map(|row| (0..8).map(move |column| (row, column))) {
                if arch == ArchId::Gv100 && !kind.computes(row, column) {
                    continue;
                }
                let sum = shown.sum(0, row, column).unwrap().value;
                let steps = shown.steps_of(0, row, column).unwrap();
                assert_eq!(steps.after.last(), Some(&sum));
                if want.contains(&((sum * 512.0).round() as i64)) {
                    compared += 1;
                }
            }
        }
        let all = if arch == ArchId::Gv100 { 32 } else { 128 };
        assert!(compared >= all, "{arch}: {compared}");
    }
}

#[test]
fn the_picture_follows_the_cycle_and_says_who_holds_the_elements() {
    let trace = traced(ArchId::Tu102);
    let cycles = issues(&trace);
    let at = |cycle| trace.frame(Cycle(cycle));
    let mut view = ViewState::default();
    let first = tensor(&at(cycles[0] - 1), &view, SIZE);
    assert!(
        first.headline.contains("issues its first HMMA.1688.F32"),
        "{}",
        first.headline
    );
    let step = tensor(&at(cycles[0]), &view, SIZE);
    assert!(step.headline.ends_with("step 1 of 2."), "{}", step.headline);
    let second = tensor(&at(cycles[0] + 4), &view, SIZE);
    assert!(second.headline.ends_with("step 2 of 2."), "{}", second.headline);
    assert_ne!(step.items, second.items);
    assert_eq!(step.table.rows.len(), 32);
    // PTX ISA, mma.m16n8k8: lane 5 is in group 1, and holds columns 2 and 3 of rows 1 and 9 of A.
    view.lane = Some(5);
    let inspection = inspect_tensor(&at(cycles[0]), &view);
    let held = inspection
        .facts
        .iter()
        .find(|facts| facts.title == "Lane 5 holds")
        .unwrap();
    let names: Vec<&str> = held.rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "A[1][2]", "A[1][3]", "A[9][2]", "A[9][3]", "B[2][1]", "B[3][1]", "D[1][2]", "D[1][3]",
            "D[9][2]", "D[9][3]"
        ]
    );
    let target = Target::TensorFactor {
        right: false,
        line: 9,
        k: 3,
    };
    assert_eq!(tensor_holder(&at(cycles[0]), &view, target), Some(5));
    let (name, text) = tensor_tooltip(&at(cycles[0]), &view, target).unwrap();
    assert_eq!(name, "A[9][3]");
    assert!(text.starts_with("147. Lane 5 holds it in R"), "{text}");
}

#[test]
fn a_selected_sum_has_its_products_in_order() {
    let trace = traced(ArchId::Tu102);
    let cycle = issues(&trace)[0];
    let mut view = ViewState::default();
    view.settings.sum = Some((1, 0));
    let scene = tensor(&trace.frame(Cycle(cycle)), &view, SIZE);
    let (title, table) = scene
        .also
        .iter()
        .find(|(title, _)| title.starts_with("Sum of"))
        .unwrap();
    assert_eq!(title, "Sum of row 1, column 0");
    assert_eq!(table.rows.len(), 8);
    // 16 * 0 + 17 * 16 / 256 + 18 * 32 / 256 + 19 * 48 / 256 + 0.5
    assert_eq!(table.rows[3][4], "7.375");
    assert!(scene.items.iter().any(|item| item.role == Role::Selection));
    let states = scene
        .items
        .iter()
        .filter(|item| matches!(item.role, Role::State(Mark::Issue)));
    assert_eq!(states.count(), 0);
}

/// HMMA.884 of V100 (PTX ISA, mma.m8n8k4 with single-precision sums): lane 18 of octet 0 holds row 6 of A.
#[test]
fn octets_hold_their_own_product() {
    let trace = traced(ArchId::Gv100);
    let cycle = issues(&trace)[1];
    let frame = trace.frame(Cycle(cycle));
    let view = ViewState {
        lane: Some(18),
        ..ViewState::default()
    };
    let scene = tensor(&frame, &view, SIZE);
    assert!(scene.headline.contains("STEP1"), "{}", scene.headline);
    assert!(
        scene
            .headline
            .ends_with("each octet multiplies 4 x 4 by 4 x 4 elements."),
        "{}",
        scene.headline
    );
    let inspection = inspect_tensor(&frame, &view);
    let held = inspection
        .facts
        .iter()
        .find(|facts| facts.title == "Lane 18 holds")
        .unwrap();
    let left: Vec<&str> = held
        .rows
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| name.starts_with('A'))
        .collect();
    assert_eq!(left, ["A[6][0]", "A[6][1]", "A[6][2]", "A[6][3]"]);
    // STEP1 multiplies rows 2, 3, 6, 7 of A by columns 0 to 3 of B.
    let shown = Shown::of(&frame, &view).unwrap();
    let rows: Vec<usize> = (0..8).filter(|row| shown.is_multiplied(false, *row, 0)).collect();
    let columns: Vec<usize> = (0..8)
        .filter(|column| shown.is_multiplied(true, *column, 0))
        .collect();
    assert_eq!((rows, columns), (vec![2, 3, 6, 7], vec![0, 1, 2, 3]));
}

/// The rates of the white papers, in multiply-adds per cycle of an SM: V100 512, TU102 512 and 1,024 for bytes, A100 1,024
/// for halves, 512 for tf32, 64 for doubles, and 2,048 for bytes.
#[test]
fn rates_are_those_of_the_white_papers() {
    let rate = |arch, name: &str| {
        let all = rates::rates(architecture(arch));
        all.iter()
            .find(|rate| rate.name == name)
            .map(|rate| rate.per_cycle)
    };
    assert_eq!(rate(ArchId::Gv100, "halves"), Some(512.0));
    assert_eq!(rate(ArchId::Gv100, "bytes"), None);
    assert_eq!(rate(ArchId::Tu102, "halves"), Some(512.0));
    assert_eq!(rate(ArchId::Tu102, "bytes"), Some(1024.0));
    assert_eq!(rate(ArchId::Tu102, "4-bit integers"), Some(2048.0));
    assert_eq!(rate(ArchId::Ga100, "halves"), Some(1024.0));
    assert_eq!(rate(ArchId::Ga100, "tf32"), Some(512.0));
    assert_eq!(rate(ArchId::Ga100, "doubles"), Some(64.0));
    assert_eq!(rate(ArchId::Ga100, "bytes"), Some(2048.0));
    assert_eq!(rate(ArchId::Gp104, "halves"), None);
}
