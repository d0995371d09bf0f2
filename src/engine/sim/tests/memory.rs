//! Properties of the memory system on random sequences of accesses. Bytes are conserved from lane to device
//! memory and back. Every request is served exactly once. No cache returns stale data. The counts of each
//! level match those of the next level.
//!
//! The caches hold no data, so values alone prove nothing. [`Shadow`] tracks data along the movements that
//! the machine reports. The reference interpreter, which has no caches, defines the final contents of memory.

mod shadow;

use std::fmt;

use proptest::prelude::*;

use self::shadow::{Counts, Shadow};
use super::builder::{ALWAYS, Asm, imm, launch, param, r, unless, when, words};
use crate::arch::{ArchId, Architecture, L1Capacity, WritePolicy, architecture};
use crate::ids::{BlockId, Cycle, SlotIdx};
use crate::isa::{
    AtomOp, BoolOp, CacheOp, Cmp, Instruction, NumType, Op, Operand, Program, RZ, Space, Special, Width,
};
use crate::sim::traffic::Move;
use crate::sim::{Access, Issue, LoadCaching, Machine, MachineOptions, Outcome, Sink, reference};
use crate::trace::{Counter, Simulation, TraceOptions};

/// Bytes that all warps read and none writes.
const INPUT: u32 = 4096;
/// Bytes that all warps update with commutative atomic operations.
const COMMON: u32 = 256;
/// Bytes that belong to one warp in global and shared memory, and to one thread in local memory.
const OWN: u32 = 2048;
const OWN_SHARED: u32 = 1024;
const OWN_LOCAL: u32 = 128;
const CONSTANTS: u32 = 4096;

/// The target of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// Read-only input.
    Input,
    /// The warp's own bytes.
    Own,
    Shared,
    Local,
    Constants,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Load(CacheOp),
    Store,
    Atomic(AtomOp, bool),
    /// An atomic operation without a result; on the input, an operation on the words shared by all warps.
    Reduce(AtomOp),
}

/// The offset of lane x: x << left ^ x << more ^ flip, reduced to the available bytes.
#[derive(Clone, Copy, Debug)]
struct Offsets {
    left: u32,
    more: u32,
    flip: u32,
}

/// An access by every warp.
#[derive(Clone, Copy)]
struct Step {
    place: Target,
    what: Operation,
    width: Width,
    offsets: Offsets,
    /// All lanes, or those for which a predicate of the lane's bits is true or false.
    guard: Option<(u8, bool)>,
}

/// The configuration of an architecture's caches.
#[derive(Clone, Copy, Debug)]
struct Caches {
    /// Small sizes, so that lines are evicted.
    l1_kib: Option<u16>,
    l2_kib: Option<u32>,
    miss_entries: Option<u16>,
    /// L1's policy for stores to global and local memory.
    writes: Option<(WritePolicy, WritePolicy)>,
    loads: LoadCaching,
    /// The index of the architecture's carveout; the driver's choice if there are fewer.
    carveout_idx: usize,
}

/// Warps per block and blocks, as powers of two, and the interleaving of the warps' own bytes: 16 bytes put
/// two warps into each sector.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "each is a logarithm")]
struct Shape {
    warps_log: u32,
    blocks_log: u32,
    grain_log: u32,
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Offsets { left, more, flip } = self.offsets;
        match self.guard {
            None => {}
            Some((pred, true)) => write!(f, "@P{pred} ")?,
            Some((pred, false)) => write!(f, "@!P{pred} ")?,
        }
        write!(
            f,
            "{:?} {:?} {:?} at x << {left} ^ x << {more} ^ {flip:#x}",
            self.what, self.width, self.place
        )
    }
}

fn offsets() -> impl Strategy<Value = Offsets> {
    let shift = || prop_oneof![Just(31_u32), 0_u32..9];
    (shift(), shift(), prop_oneof![Just(0), 0_u32..4096]).prop_map(|(left, more, flip)| Offsets {
        left,
        more,
        flip,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let cache = prop::sample::select(vec![
        CacheOp::Default,
        CacheOp::Default,
        CacheOp::Ca,
        CacheOp::Cg,
        CacheOp::Cs,
        CacheOp::Cv,
        CacheOp::Ci,
    ]);
    let atomic = prop::sample::select(vec![
        AtomOp::Add,
        AtomOp::Max,
        AtomOp::Xor,
        AtomOp::Exch,
        AtomOp::Inc,
        AtomOp::Cas,
    ]);
    let what = prop_oneof![
        5 => cache.prop_map(Operation::Load),
        4 => Just(Operation::Store),
        1 => (atomic, any::<bool>()).prop_map(|(op, wide)| Operation::Atomic(op, wide)),
        1 => prop::sample::select(vec![AtomOp::Add, AtomOp::Min, AtomOp::Or]).prop_map(Operation::Reduce),
    ];
    let place = prop_oneof![
        2 => Just(Target::Input),
        4 => Just(Target::Own),
        1 => Just(Target::Shared),
        3 => Just(Target::Local),
        1 => Just(Target::Constants),
    ];
    let width = prop::sample::select(vec![
        Width::B32,
        Width::B32,
        Width::U8,
        Width::S8,
        Width::U16,
        Width::S16,
        Width::B64,
        Width::B128,
    ]);
    let guard = prop::option::of((0_u8..4, any::<bool>()));
    (place, what, width, offsets(), guard).prop_map(|(place, what, width, offsets, guard)| Step {
        place,
        what,
        width,
        offsets,
        guard,
    })
}

fn caches() -> impl Strategy<Value = Caches> {
    let through = prop::sample::select(vec![
        WritePolicy::WriteEvict,
        WritePolicy::WriteThrough,
        WritePolicy::WriteThroughAllocate,
    ]);
    let local = prop_oneof![Just(WritePolicy::WriteBack), through.clone()];
    (
        prop_oneof![Just(None), Just(Some(4)), Just(Some(16))],
        prop_oneof![Just(None), Just(Some(4)), Just(Some(32))],
        prop_oneof![Just(None), Just(Some(1)), Just(Some(3))],
        prop::option::of((through, local)),
        prop::sample::select(vec![LoadCaching::Default, LoadCaching::Ca, LoadCaching::Cg]),
        0_usize..7,
    )
        .prop_map(
            |(l1_kib, l2_kib, miss_entries, writes, loads, carveout_idx)| Caches {
                l1_kib,
                l2_kib,
                miss_entries,
                writes,
                loads,
                carveout_idx,
            },
        )
}

fn shape() -> impl Strategy<Value = Shape> {
    (0_u32..3, 0_u32..3, prop::sample::select(vec![4, 5, 7, 11])).prop_map(
        |(warps_log, blocks_log, grain_log)| Shape {
            warps_log,
            blocks_log,
            grain_log,
        },
    )
}

impl Caches {
    /// The architecture with this configuration.
    fn of(&self, id: ArchId) -> &'static Architecture {
        let mut arch = architecture(id).clone();
        if let Some(l1) = &mut arch.memory.l1 {
            if let Some(kib) = self.l1_kib {
                l1.capacity.value = L1Capacity::Fixed(kib);
            }
            if let Some(entries) = self.miss_entries {
                l1.miss_entries.value = entries;
            }
            if let Some((global, local)) = self.writes {
                l1.global_write.value = global;
                l1.local_write.value = local;
            }
        }
        if let (Some(l2), Some(kib)) = (&mut arch.memory.l2, self.l2_kib) {
            l2.capacity_kib.value = kib;
        }
        Box::leak(Box::new(arch))
    }

    fn options(&self, arch: &Architecture) -> MachineOptions {
        let sizes = arch.occupancy.carveouts_kib.value;
        // Another test covers the capacity of shared memory.
        let size = sizes.get(self.carveout_idx).filter(|kib| **kib >= 32);
        MachineOptions {
            carveout_kib: size.map(|kib| u32::from(*kib)),
            load_caching: self.loads,
            max_cycles: 3_000_000,
            ..MachineOptions::default()
        }
    }
}

impl Step {
    /// The bytes that a lane accesses.
    fn bytes(&self) -> u32 {
        match self.what {
            Operation::Atomic(_, true) => 8,
            Operation::Atomic(..) | Operation::Reduce(_) => 4,
            _ => self.width.bytes(),
        }
    }

    /// The instruction, with the address in R2, data from R8 on, and results from R4 on.
    fn op(&self) -> Option<Op> {
        let space = match self.place {
            Target::Shared => Space::Shared,
            Target::Local => Space::Local,
            Target::Input | Target::Own => Space::Global,
            Target::Constants => {
                let is_load = matches!(self.what, Operation::Load(_));
                return is_load.then_some(Op::Ldc {
                    bank: 3,
                    width: self.width,
                });
            }
        };
        let ty = if self.bytes() == 8 {
            NumType::U64
        } else {
            NumType::U32
        };
        let (width, wide) = (self.width, false);
        match self.what {
            // The read-only path is for read-only data.
            Operation::Load(CacheOp::Ci) if self.place != Target::Input => None,
            Operation::Load(cache) => Some(Op::Ld {
                space,
                width,
                cache,
                wide,
            }),
            Operation::Store if self.place == Target::Input => None,
            Operation::Store => Some(Op::St {
                space,
                width,
                cache: CacheOp::Default,
                wide,
            }),
            Operation::Atomic(..) | Operation::Reduce(_) if self.place == Target::Local => None,
            Operation::Atomic(..) if self.place == Target::Input => None,
            // The atomic operations of shared memory with a result.
            Operation::Atomic(op, true) if op != AtomOp::Add && op != AtomOp::Exch && op != AtomOp::Cas => {
                None
            }
            Operation::Atomic(op, _) => Some(Op::Atom { space, op, ty, wide }),
            // Only sums on the words that all warps update.
            Operation::Reduce(op) if self.place == Target::Input && op != AtomOp::Add => None,
            Operation::Reduce(op) => Some(Op::Red { space, op, ty, wide }),
        }
    }

    fn capacity(&self) -> u32 {
        match (self.place, self.what) {
            (Target::Input, Operation::Reduce(_)) => COMMON,
            (Target::Input, _) => INPUT,
            (Target::Own, _) => OWN,
            (Target::Shared, _) => OWN_SHARED,
            (Target::Local, _) => OWN_LOCAL,
            (Target::Constants, _) => CONSTANTS,
        }
    }
}

/// R0: thread. R1: its warp. R3: its lane. R2: addresses. R4 to R7: loaded values. R8 to R11: stored values.
/// R12: sum of all loaded values. R13 to R15: scratch. R16: warp in the block. R17: address for R12.
fn program(id: ArchId, shape: Shape, steps: &[Step]) -> Program {
    let threads_log = 5 + shape.warps_log;
    let mut asm = Asm::new(id);
    asm.special(3, Special::TidX);
    asm.special(0, Special::CtaidX);
    asm.op(Op::Shl, 0, &[r(0), imm(threads_log)]);
    asm.op(Op::Shr { signed: false }, 16, &[r(3), imm(5)]);
    asm.add(0, r(0), r(3));
    asm.op(Op::Shr { signed: false }, 1, &[r(0), imm(5)]);
    asm.logic(3, BoolOp::And, r(3), imm(31));
    for word in 0..4 {
        asm.add(8 + word, r(0), imm(0x1234_5670 + u32::from(word) * 0x0101_0101));
    }
    asm.mov(12, r(0));
    for pred in 0..4 {
        asm.logic(13, BoolOp::And, r(3), imm(1 << pred));
        asm.compare(pred, r(13), Cmp::Ne, imm(0));
    }
    for step in steps {
        emit(&mut asm, shape, step);
    }
    asm.op(Op::Shl, 17, &[r(0), imm(2)]);
    asm.add(17, r(17), param(0));
    asm.store(Space::Global, r(17), (INPUT + COMMON) as i32, 12);
    asm.exit();
    let mut program = asm.program();
    program.local_bytes_per_thread = OWN_LOCAL;
    program.constant_image = (0..CONSTANTS).map(|at| ((at * 37) >> 2) as u8).collect();
    program
}

fn emit(asm: &mut Asm, shape: Shape, step: &Step) {
    let Some(op) = step.op() else { return };
    // An architecture without a cost for an operation does not support it.
    if architecture(asm.arch).cost(op.class()).is_none() {
        return;
    }
    let Offsets { left, more, flip } = step.offsets;
    // Threads differ in the addresses of shared data, lanes in those of the warp's own data.
    let of = if step.place == Target::Input { 0 } else { 3 };
    asm.op(Op::Shl, 2, &[r(of), imm(left)]);
    asm.op(Op::Shl, 13, &[r(of), imm(more)]);
    asm.logic(2, BoolOp::Xor, r(2), r(13));
    asm.logic(2, BoolOp::Xor, r(2), imm(flip));
    asm.logic(
        2,
        BoolOp::And,
        r(2),
        imm((step.capacity() - 1) & !(step.bytes() - 1)),
    );
    match (step.place, step.what) {
        (Target::Input, Operation::Reduce(_)) => {
            asm.add(2, r(2), imm(INPUT));
            asm.add(2, r(2), param(0));
        }
        (Target::Input, _) => asm.add(2, r(2), param(0)),
        (Target::Own, _) => {
            // The warp's number goes between the offset's high and low bits.
            let (num_log, grain) = (shape.warps_log + shape.blocks_log, shape.grain_log);
            asm.logic(13, BoolOp::And, r(2), imm((1 << grain) - 1));
            asm.logic(2, BoolOp::Xor, r(2), r(13));
            asm.op(Op::Shl, 2, &[r(2), imm(num_log)]);
            asm.add(2, r(2), r(13));
            asm.op(Op::Shl, 13, &[r(1), imm(grain)]);
            asm.add(2, r(2), r(13));
            let threads = 32_u32 << num_log;
            asm.add(2, r(2), imm(INPUT + COMMON + (threads * 4).next_multiple_of(256)));
            asm.add(2, r(2), param(0));
        }
        (Target::Shared, _) => {
            asm.op(Op::Shl, 13, &[r(16), imm(OWN_SHARED.trailing_zeros())]);
            asm.add(2, r(2), r(13));
        }
        (Target::Local | Target::Constants, _) => {}
    }
    let mut i = Instruction::new(op);
    i.srcs[0] = r(2);
    if !matches!(op, Op::Ld { .. } | Op::Ldc { .. }) {
        i.srcs[1] = r(8);
    }
    if let Op::Atom { op: AtomOp::Cas, .. } = op {
        i.srcs[2] = r(10);
    }
    let num = op.destination_width();
    i.dst = if num == 0 { RZ } else { crate::isa::Reg(4) };
    i.guard = match step.guard {
        None => ALWAYS,
        Some((pred, true)) => when(pred),
        Some((pred, false)) => unless(pred),
    };
    asm.push(i);
    for word in 0..num {
        asm.add(12, r(12), r(12));
        asm.logic(12, BoolOp::Xor, r(12), r(4 + word));
    }
    // The next stored value depends on this one.
    asm.add(8, r(12), imm(u32::from(num)));
}

/// Observes a run: each issued access is served exactly once, no result is used before it is ready, and no
/// block ends before its accesses.
#[derive(Default)]
struct Follower {
    code: Vec<Instruction>,
    /// Issued accesses that no unit has accepted.
    issued: Option<(SlotIdx, Cycle)>,
    accesses: Vec<Access>,
    /// The ready cycle of each loaded register, by slot.
    ready: Vec<[u64; 256]>,
    /// The completion of each slot's last access.
    last_done: Vec<u64>,
    blocks: Vec<(BlockId, Vec<SlotIdx>)>,
}

impl Follower {
    fn slot(&mut self, slot: SlotIdx) -> usize {
        let slot = usize::from(slot.0);
        if self.ready.len() <= slot {
            self.ready.resize(slot + 1, [0; 256]);
            self.last_done.resize(slot + 1, 0);
        }
        slot
    }
}

impl Sink for Follower {
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        let i = self.code[issue.pc.0 as usize];
        assert_eq!(self.issued, None, "the access before {i:?} was not served");
        let slot = self.slot(issue.slot);
        let widths = i.op.source_widths();
        for (src, width) in i.srcs.iter().zip(widths) {
            let Operand::Reg(reg) = src.operand else { continue };
            let first = usize::from(reg.0);
            for reg in (first..first + usize::from(width)).filter(|_| reg != RZ) {
                let ready = self.ready[slot][reg];
                assert!(
                    cycle.0 >= ready,
                    "{i:?} uses R{reg} at {cycle:?}, which is ready at {ready}"
                );
            }
        }
        let accesses = matches!(
            i.op,
            Op::Ld { .. } | Op::St { .. } | Op::Atom { .. } | Op::Red { .. } | Op::Ldc { .. }
        );
        if accesses && issue.executed.0 != 0 {
            self.issued = Some((issue.slot, cycle));
        }
    }

    fn access(&mut self, cycle: Cycle, access: &Access) {
        assert_eq!(
            self.issued.take(),
            Some((access.slot, cycle)),
            "served twice, or not issued: {access:?}"
        );
        assert!(
            access.started.0 >= access.issued.0 && access.done.0 > access.issued.0,
            "{access:?}"
        );
        let slot = self.slot(access.slot);
        let i = self.code[access.pc.0 as usize];
        if i.dst != RZ {
            for word in 0..usize::from(i.op.destination_width()) {
                self.ready[slot][usize::from(i.dst.0) + word] = access.done.0;
            }
        }
        // Stores and reductions wait for no answer: the warp can end once they have left.
        let leaves = matches!(i.op, Op::St { space, .. } | Op::Red { space, .. } if space != Space::Shared);
        let last = if leaves { access.started } else { access.done };
        self.last_done[slot] = self.last_done[slot].max(last.0);
        self.accesses.push(access.clone());
    }

    fn block_started(&mut self, _: Cycle, block: BlockId, slots: &[SlotIdx]) {
        for slot in slots {
            let slot = self.slot(*slot);
            self.ready[slot] = [0; 256];
            self.last_done[slot] = 0;
        }
        self.blocks.push((block, slots.to_vec()));
    }

    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        let at = self.blocks.iter().position(|(other, _)| *other == block);
        let (_, slots) = self.blocks.remove(at.expect("the block has started"));
        for slot in slots {
            let done = self.last_done[usize::from(slot.0)];
            assert!(
                cycle.0 >= done,
                "{block:?} ends at {cycle:?}, its last access at {done}"
            );
        }
    }
}

/// Runs the steps and checks every property. Returns the counts of the movements.
fn check(id: ArchId, caches: &Caches, shape: Shape, steps: &[Step]) -> Counts {
    let program = program(id, shape, steps);
    let (warps, blocks) = (1 << shape.warps_log, 1 << shape.blocks_log);
    let threads = 32 * warps * blocks;
    let bytes = INPUT + COMMON + (threads * 4_u32).next_multiple_of(256) + OWN * warps * blocks;
    let launch = launch(blocks, 32 * warps, bytes / 4);
    let arch = caches.of(id);
    let options = caches.options(arch);
    let mut machine = Machine::new(arch, &program, &launch, options).expect("the launch is valid");
    let mut follower = Follower {
        code: program.code.clone(),
        ..Follower::default()
    };
    assert_eq!(*machine.run(&mut follower), Outcome::Finished);
    assert_eq!(follower.issued, None, "the last access was not served");
    assert!(follower.blocks.is_empty(), "blocks have not ended");

    let expected = words(&reference::run(&program, &launch).expect("the reference finishes"));
    let got = words(&machine.outputs());
    if let Some(at) = (0..got.len()).find(|at| got[*at] != expected[*at]) {
        panic!("word {at}: machine {:#x}, reference {:#x}", got[at], expected[at]);
    }

    let mut shadow = Shadow::new(arch, OWN_LOCAL);
    let moves = &machine.sm.lsu.far.traffic.moves;
    let mut stretches = moves.split(|moved| *moved == Move::Accepted);
    for (idx, access) in follower.accesses.iter().enumerate() {
        let moves = stretches.next().expect("each access has its movements");
        shadow.access(idx as u32 + 1, access, moves);
    }
    assert_eq!(stretches.next(), Some(&[][..]), "movements without an access");
    assert_eq!(stretches.next(), None, "movements without an access");

    let mut simulation = Simulation::new(arch, program.into(), &launch, options, TraceOptions::default())
        .expect("the launch is valid");
    while !simulation.advance(5000).finished {}
    counters_add_up(&simulation.finish().counters(), &follower.accesses, &shadow, arch);
    shadow.end()
}

/// The run's counters equal the sums over its accesses, and those equal the movements.
fn counters_add_up(counters: &[Counter], accesses: &[Access], shadow: &Shadow, arch: &Architecture) {
    use crate::sim::RequestKind::*;
    let counter = |name: &str| {
        let found = counters.iter().find(|counter| counter.name == name);
        found.unwrap_or_else(|| panic!("no counter {name}")).value as u64
    };
    let sum = |kind, of: fn(&Access) -> u16| -> u64 {
        let accesses = accesses.iter().filter(|access| access.kind == kind);
        accesses.map(|access| u64::from(of(access))).sum()
    };
    let (mut load_sectors, mut load_hits, mut store_sectors) = (0, 0, 0);
    for (name, kind) in [
        ("global_op_ld", GlobalLoad),
        ("global_op_st", GlobalStore),
        ("global_op_atom", GlobalAtomic),
        ("global_op_red", GlobalReduction),
        ("local_op_ld", LocalLoad),
        ("local_op_st", LocalStore),
    ] {
        let sectors = counter(&format!("l1tex__t_sectors_pipe_lsu_mem_{name}.sum"));
        let hits = counter(&format!("l1tex__t_sectors_pipe_lsu_mem_{name}_lookup_hit.sum"));
        let misses = counter(&format!("l1tex__t_sectors_pipe_lsu_mem_{name}_lookup_miss.sum"));
        let requests = counter(&format!("l1tex__t_requests_pipe_lsu_mem_{name}.sum"));
        assert_eq!(requests, sum(kind, |access| access.requests), "{name}");
        assert_eq!(sectors, sum(kind, |access| access.sectors), "{name}");
        assert_eq!(
            hits + misses,
            sectors,
            "{name}: hits and misses add up to all sectors"
        );
        match kind {
            GlobalLoad | LocalLoad => (load_sectors, load_hits) = (load_sectors + sectors, load_hits + hits),
            GlobalStore | LocalStore => store_sectors += sectors,
            _ => {}
        }
    }
    for (name, kind) in [("ld", SharedLoad), ("st", SharedStore), ("atom", SharedAtomic)] {
        let wavefronts = counter(&format!(
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{name}.sum"
        ));
        let conflicts = counter(&format!(
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{name}.sum"
        ));
        assert_eq!(wavefronts, sum(kind, |access| access.wavefronts), "{name}");
        let ideal = sum(kind, |access| access.ideal_wavefronts.min(access.wavefronts));
        assert_eq!(conflicts, wavefronts - ideal, "{name}");
    }
    assert_eq!(
        counter("idc__requests.sum"),
        sum(ConstantLoad, |access| access.requests)
    );
    if arch.memory.l2.is_none() {
        return;
    }
    let total = shadow.total;
    let l1_sectors = arch
        .memory
        .l1
        .as_ref()
        .map_or(1, |l1| u64::from(l1.sector_bytes.value / 32));
    assert_eq!(load_hits, total.l1_hits * l1_sectors, "hits in L1");
    let texture = ["requests", "sectors"].map(|part| counter(&format!("l1tex__t_{part}_pipe_tex.sum")));
    let fetched = sum(TextureLoad, |access| access.sectors);
    assert_eq!(texture, [sum(TextureLoad, |access| access.requests), fetched]);
    let lacking = fetched - sum(TextureLoad, |access| access.l1_hits);
    assert_eq!(
        load_sectors - load_hits + lacking,
        total.l2_hits + total.l2_misses,
        "L2 reads are the misses of L1 and the texture cache"
    );
    assert!(total.l2_writes <= store_sectors);
    assert_eq!(
        total.memory_reads,
        total.l2_misses + total.l2_change_misses,
        "device memory reads are the misses of L2"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_conserved_and_counters_add_up(
        id in prop::sample::select(ArchId::ALL.to_vec()),
        caches in caches(),
        shape in shape(),
        steps in prop::collection::vec(step(), 1..24),
    ) {
        check(id, &caches, shape, &steps);
    }
}

/// Random accesses exercise every path that the properties cover.
#[test]
fn random_accesses_reach_every_level_on_every_architecture() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    for id in ArchId::ALL {
        let mut total = Counts::default();
        for _ in 0..5 {
            let steps = prop::collection::vec(step(), 24)
                .new_tree(&mut runner)
                .unwrap()
                .current();
            let caches = Caches {
                l1_kib: Some(4),
                l2_kib: Some(4),
                ..caches().new_tree(&mut runner).unwrap().current()
            };
            let shape = Shape {
                warps_log: 1,
                blocks_log: 2,
                grain_log: 4,
            };
            total.add(check(id, &caches, shape, &steps));
        }
        let arch = architecture(id);
        assert!(
            total.memory_reads > 0 && total.memory_writes > 0,
            "{id}: {total:?}"
        );
        if arch.memory.l2.is_some() {
            let Counts {
                l2_hits,
                l2_misses,
                l2_writes,
                l2_changes,
                l2_change_misses,
                ..
            } = total;
            for num in [l2_hits, l2_misses, l2_writes, l2_changes, l2_change_misses] {
                assert!(num > 0, "{id}: {total:?}");
            }
        }
        if arch.memory.l1.is_some() {
            assert!(total.l1_hits > 0 && total.l1_misses > 0, "{id}: {total:?}");
        }
    }
}
