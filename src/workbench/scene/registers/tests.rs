//! The view's values equal the machine's, and those of the reference interpreter.

use std::sync::Arc;

use super::contents::Contents;
use super::registers;
use crate::library;
use crate::scene::{Scene, Settings, Size, Storage, ViewState};
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::ids::{Cycle, SlotIdx};
use engine::isa::{CompileOptions, Op, Operand, Reg, Space};
use engine::sim::MachineOptions;
use engine::sim::reference;
use engine::sim::view::ScoreboardTarget;
use engine::trace::testing::run;
use engine::trace::{Frame, Trace, TraceOptions, simulate};

const ARCHES: [ArchId; 6] = [
    ArchId::G80,
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gp104,
    ArchId::Gv100,
    ArchId::Tu102,
];
const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

fn kernel(id: &str, arch: ArchId) -> Trace {
    let kernel = library::kernel(id).unwrap();
    let options = CompileOptions::default();
    let compiled = compile(kernel.source, Some(kernel.entry), arch, &options).unwrap();
    let program = Arc::new(compiled.program);
    simulate(
        architecture(arch),
        program,
        &kernel.launch(),
        MachineOptions::default(),
    )
    .unwrap()
}

fn draw(frame: &Frame, slot: u16, storage: Storage) -> Scene {
    let view = ViewState {
        slot: Some(SlotIdx(slot)),
        settings: Settings {
            storage,
            ..Settings::default()
        },
        ..ViewState::default()
    };
    registers(frame, &view, SIZE)
}

/// Cycles spread over the whole run.
fn some_cycles(trace: &Trace, num: u64) -> impl Iterator<Item = Cycle> {
    let cycles = trace.num_cycles();
    (0..num)
        .map(move |idx| Cycle(idx * cycles / num + idx % 7))
        .filter(move |cycle| cycle.0 < cycles)
}

#[test]
fn values_equal_the_machines() {
    for arch in ARCHES {
        let trace = kernel("divergence", arch);
        for cycle in some_cycles(&trace, 12) {
            for slot in [0, 1, 5] {
                let frame = trace.frame(cycle);
                let twin = draw(&frame, slot, Storage::Registers).table;
                let (held, view) = trace.with_machine(cycle, |machine| {
                    let held = |reg: u8| machine.register(SlotIdx(slot), Reg(reg));
                    (
                        (0..255).map(held).collect::<Vec<_>>(),
                        machine.warp(SlotIdx(slot)),
                    )
                });
                let Some(view) = view else {
                    assert_eq!(twin.rows.len(), 0, "{arch} {cycle:?}");
                    continue;
                };
                for row in &twin.rows {
                    let reg: usize = row[0][1..].parse().unwrap();
                    for lane in 0..32 {
                        let text = if view.exited.contains(lane) {
                            "–".to_owned()
                        } else {
                            format!("{:08x}", held[reg].unwrap()[lane as usize])
                        };
                        assert_eq!(row[3 + lane as usize], text, "{arch} {cycle:?} R{reg}");
                    }
                    let target = ScoreboardTarget::Register(reg as u8);
                    let pending = view.scoreboard.iter().find(|entry| entry.target == target);
                    assert_eq!(row[1].contains("pending"), pending.is_some(), "{arch} {cycle:?}");
                }
                let twin = draw(&frame, slot, Storage::Predicates).table;
                for row in &twin.rows {
                    let holds = view.predicates[row[0][1..].parse::<usize>().unwrap()];
                    for lane in (0..32).filter(|lane| !view.exited.contains(*lane)) {
                        let text = u32::from(holds.contains(lane)).to_string();
                        assert_eq!(row[3 + lane as usize], text, "{arch} {cycle:?}");
                    }
                }
            }
        }
    }
}

/// The view shows the stored values in the cycle of the store: the untimed interpreter writes the same words to
/// memory.
#[test]
fn stored_values_equal_the_reference_interpreters() {
    for arch in [ArchId::Gt200, ArchId::Gf100, ArchId::Tu102] {
        let trace = kernel("vector-add", arch);
        let launch = library::kernel("vector-add").unwrap().launch();
        let output = reference::run(trace.program(), &launch)
            .unwrap()
            .argument(2)
            .unwrap();
        let mut stores = 0;
        for row in trace.issues_from(Cycle(0)) {
            let instruction = &trace.program().code[row.pc.0 as usize];
            let is_store = matches!(instruction.op, Op::St { space, .. } if space != Space::Shared);
            let Operand::Reg(value) = instruction.srcs[1].operand else {
                continue;
            };
            if !is_store || row.executed.is_empty() {
                continue;
            }
            stores += 1;
            let frame = trace.frame(row.cycle);
            let twin = draw(&frame, row.slot.0, Storage::Registers).table;
            let name = format!("R{}", value.0);
            let twin = twin.rows.iter().find(|twin| twin[0] == name).unwrap();
            assert!(twin[1].contains("read in"), "{arch}: {twin:?}");
            let thread = trace.warp_at(row.slot, row.cycle).unwrap().0 * 32;
            for lane in row.executed.lanes() {
                let at = (thread + lane) as usize * 4;
                let word = u32::from_le_bytes(output[at..at + 4].try_into().unwrap());
                assert_eq!(
                    twin[3 + lane as usize],
                    format!("{word:08x}"),
                    "{arch} lane {lane}"
                );
            }
        }
        assert!(stores > 8, "{arch}: {stores}");
    }
}

#[test]
fn only_written_values_change() {
    for arch in ARCHES {
        let trace = kernel("divergence", arch);
        let (mut changes, mut arrivals) = (0, 0);
        for cycle in (1..trace.num_cycles().min(400)).map(Cycle) {
            let frame = trace.frame(cycle);
            let Some(contents) = Contents::of(&frame, SlotIdx(1), false) else {
                continue;
            };
            for row in contents.registers.iter().chain(&contents.predicates) {
                assert_eq!(row.changed.0 & !row.written.0, 0, "{arch} {cycle:?} {}", row.name);
                changes += row.changed.count();
                for lane in row.written.lanes() {
                    let write = row.writes[lane as usize].unwrap();
                    assert_eq!(write.cycle, cycle.0, "{arch} {}", row.name);
                }
                if let Some(entry) = row.arrives {
                    assert_eq!(entry.ready, cycle, "{arch} {}", row.name);
                    arrivals += 1;
                }
            }
        }
        assert!(changes > 100 && arrivals > 5, "{arch}: {changes} {arrivals}");
    }
}

#[test]
fn shared_words_equal_the_machines() {
    for arch in ARCHES {
        let trace = run(arch, 4, 6, TraceOptions::default());
        let stored = (0..trace.num_accesses() as u32)
            .filter_map(|idx| trace.access(idx))
            .filter(|row| row.kind.is_shared())
            .map(|row| row.issued);
        let cycles = some_cycles(&trace, 6)
            .chain(stored.take(5))
            .chain([trace.last_cycle()]);
        for cycle in cycles {
            let frame = trace.frame(cycle);
            let twin = draw(&frame, 0, Storage::Shared).table;
            let held = frame.block(SlotIdx(0)).and_then(|block| {
                trace.with_machine(cycle, |machine| machine.shared_memory(block).map(<[u8]>::to_vec))
            });
            let Some(held) = held else {
                assert_eq!(twin.rows.len(), 0, "{arch}");
                continue;
            };
            let words = twin
                .rows
                .iter()
                .flat_map(|row| &row[3..])
                .filter(|word| *word != "–");
            let bytes: Vec<u8> = words
                .flat_map(|word| u32::from_str_radix(word, 16).unwrap().to_le_bytes())
                .collect();
            assert!(
                !bytes.is_empty() && bytes == held[..bytes.len()],
                "{arch} {cycle:?}"
            );
            assert_eq!(bytes.len(), held.len().min(16 << 10), "{arch}");
        }
    }
}

#[test]
fn parameters_equal_the_launch() {
    let trace = kernel("saxpy", ArchId::Tu102);
    let twin = draw(&trace.frame(Cycle(0)), 0, Storage::Parameters).table;
    let value = |name: &str| {
        let row = twin.rows.iter().find(|row| row[0] == name).unwrap();
        row[3].clone()
    };
    assert_eq!(value("blockDim.x"), trace.launch().block[0].to_string());
    assert_eq!(value("gridDim.x"), trace.launch().grid[0].to_string());
    assert_eq!(twin.rows.len(), 6 + trace.program().params.len());
}
