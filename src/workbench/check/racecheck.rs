//! Racecheck: unordered accesses to the same byte by different threads, at least one of them a write and not
//! both atomic.
//!
//! Two writes of one value do not race with each other: compute-sanitizer 2025.3 on GH100 reports neither such writes of
//! one instruction, nor of two instructions, nor of volatile memory. With a read, a write races whatever it writes: there,
//! it reports a write of the value that has been read, in a loop over inputs of all ones as in one over different inputs.
//! A plain read followed by an atomic operation of the same thread starts a loop around `atomicCAS`: it does not race with
//! the atomic operations of other threads. In global memory, an atomic operation never races with a plain access.
//! (In shared memory, compute-sanitizer on GH100 reports no pair of an atomic operation and a plain access; such pairs
//! are races all the same.)

use std::collections::{BTreeMap, BTreeSet};

use super::copies::Copies;
use super::finding::{Finding, FindingKind, Memory, Place, Role, Severity, Site, coordinates};
use super::names::{Names, memory_of};
use super::order::{Knowledge, Mark, Order};
use super::updates::Updates;
use engine::ids::{BlockId, Pc, SlotIdx};
use engine::isa::Instruction;
use engine::sim::observer::{AccessKind, Executor, ObservedAccess};

/// Size of a shadow page in bytes.
const PAGE_BYTES: u64 = 512;

/// The last accesses to a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    write: Mark,
    /// The last two reads, by different threads, after which no later read is ordered.
    reads: [Mark; 2],
    /// The written value, unless an atomic operation wrote it.
    value: u8,
    is_atomic: bool,
    /// Whether the write is a copy from global memory, which lands later.
    is_copy: bool,
    /// Whether the write is a flag: volatile or atomic, after a fence of the writer.
    is_flag: bool,
}

type Page = Box<[Cell; PAGE_BYTES as usize]>;

/// The shadow of a memory: the accessed bytes, by page.
#[derive(Clone, Debug, Default)]
struct Shadow(BTreeMap<u64, Page>);

impl Shadow {
    fn page(&mut self, idx: u64) -> &mut Page {
        self.0
            .entry(idx)
            .or_insert_with(|| Box::new([Cell::default(); PAGE_BYTES as usize]))
    }
}

/// A pair of racing accesses.
#[derive(Clone, Debug)]
struct Race {
    kind: FindingKind,
    later: Site,
    earlier: Site,
    count: u64,
    /// Whether both threads are in one warp and execute different instructions.
    is_between_lanes: bool,
    is_same_instruction: bool,
    /// Whether the earlier access is a copy that its warp has not waited for.
    is_in_flight: bool,
    /// The plain read that races with an atomic operation.
    read_beside_atomic: Option<Pc>,
}

/// Source ranges of two accesses, and whether both are in one warp.
type Pair = ([u32; 2], [u32; 2], bool);

/// The racecheck tool.
#[derive(Clone, Debug)]
pub(super) struct Racecheck {
    order: Order,
    /// Whether the blocks of one SM are observed. What orders them with each other can be in other blocks.
    is_of_one_sm: bool,
    global: Shadow,
    shared: BTreeMap<BlockId, Shadow>,
    /// The last event that a reader of a flag knows, by the flag's block (shared memory only) and word.
    flags: BTreeMap<(Option<BlockId>, u64), u32>,
    races: BTreeMap<Pair, Race>,
    /// Word and instruction of each lane's last plain read of shared memory, by slot.
    last_reads: BTreeMap<SlotIdx, [Option<(u64, Pc)>; 32]>,
    /// Plain reads that were followed by an atomic operation of the same thread on the same word.
    loop_reads: BTreeSet<Pc>,
    updates: Updates,
    copies: Copies,
}

impl Racecheck {
    pub(super) fn new(
        is_independent: bool,
        is_of_one_sm: bool,
        warps_per_block: u32,
        code: &[Instruction],
    ) -> Self {
        Self {
            is_of_one_sm,
            order: Order::new(is_independent, warps_per_block),
            global: Shadow::default(),
            shared: BTreeMap::new(),
            flags: BTreeMap::new(),
            races: BTreeMap::new(),
            last_reads: BTreeMap::new(),
            loop_reads: BTreeSet::new(),
            updates: Updates::new(code),
            copies: Copies::default(),
        }
    }

    pub(super) fn start_block(&mut self, block: BlockId) {
        self.order.start_block(block);
        self.shared.insert(block, Shadow::default());
    }

    pub(super) fn finish_block(&mut self, block: BlockId) {
        self.order.finish_block(block);
        self.shared.remove(&block);
        self.flags.retain(|(of, _), _| *of != Some(block));
    }

    pub(super) fn pass_barrier(&mut self, block: BlockId) {
        self.order.pass_barrier(block);
    }

    pub(super) fn synchronize_lanes(&mut self, by: &Executor, members: &[u32; 32]) {
        self.order.synchronize_lanes(by, members);
    }

    pub(super) fn fence(&mut self, by: &Executor) {
        self.order.fence(by);
    }

    pub(super) fn commit_copies(&mut self, by: &Executor) {
        self.copies.commit(by.warp);
    }

    pub(super) fn wait_for_copies(&mut self, by: &Executor, left: u8) {
        let event = self.order.record(by);
        self.copies.wait(by.warp, left, event);
    }

    pub(super) fn access(&mut self, access: &ObservedAccess<'_>, names: &Names) {
        let memory = memory_of(access);
        if memory == Memory::Local {
            return;
        }
        let now = self.order.record(&access.by);
        if access.is_copy {
            self.copies.start(access.by.warp, now);
        }
        let shared_of = (memory == Memory::Shared).then_some(access.by.block);
        if access.kind != AccessKind::Write {
            self.acquire(access, shared_of);
        }
        let shadow = match shared_of {
            Some(block) => self.shared.entry(block).or_default(),
            None => &mut self.global,
        };
        if memory == Memory::Shared {
            let reads = self.last_reads.entry(access.by.slot).or_default();
            for lane in access.by.lanes.lanes() {
                let (lane, word) = (lane as usize, access.addresses[lane as usize] / 4);
                match access.kind {
                    AccessKind::Read => reads[lane] = Some((word, access.by.pc)),
                    AccessKind::Write => {}
                    AccessKind::Atomic => {
                        let read = reads[lane].filter(|(read, _)| *read == word);
                        self.loop_reads.extend(read.map(|(_, pc)| pc));
                    }
                }
            }
        }
        self.updates.access(access, memory, names);
        let mut found: Vec<(FindingKind, Mark, u32)> = Vec::new();
        let Some(knowledge) = self.order.knowledge(&access.by) else {
            return;
        };
        // Most lanes access the same page, so the page is looked up once.
        let mut page: Option<(u64, &mut Page)> = None;
        for lane in access.by.lanes.lanes() {
            let here = Here {
                access,
                copies: &self.copies,
                knowledge,
                lane,
                mark: Mark {
                    event: now,
                    lane: lane as u8,
                },
                is_flag: (access.kind == AccessKind::Atomic || access.is_volatile)
                    && knowledge.fenced(lane) > 0,
                checks_atomics: memory == Memory::Shared,
            };
            let first = access.addresses[lane as usize];
            let mut race = None;
            let page_idx = first / PAGE_BYTES;
            if page.as_ref().is_none_or(|(idx, _)| *idx != page_idx) {
                page = Some((page_idx, shadow.page(page_idx)));
            }
            let Some((_, page)) = &mut page else { continue };
            // Accesses are aligned to their size, so they never cross a page.
            let within = (first % PAGE_BYTES) as usize;
            // The bytes of a word usually have the same history.
            let mut same: Option<(Cell, Cell)> = None;
            for (byte, cell) in page[within..].iter_mut().take(access.bytes as usize).enumerate() {
                let before = Cell { value: 0, ..*cell };
                if access.kind == AccessKind::Read
                    && let Some((known, after)) = &same
                    && *known == before
                {
                    cell.reads = after.reads;
                    continue;
                }
                let one = match access.kind {
                    AccessKind::Read => here.read(cell),
                    AccessKind::Write => here.write(cell, byte),
                    AccessKind::Atomic => here.change(cell),
                };
                race = race.or(one);
                same = Some((before, *cell));
            }
            found.extend(race.map(|(kind, mark)| (kind, mark, lane)));
        }
        for (kind, mark, lane) in found {
            self.report(kind, mark, access, lane, now, names);
        }
        if access.kind != AccessKind::Read {
            self.release(access, shared_of);
        }
    }

    /// Lets readers of flags know the events before the flag.
    fn acquire(&mut self, access: &ObservedAccess<'_>, shared_of: Option<BlockId>) {
        if self.flags.is_empty() {
            return;
        }
        for lane in access.by.lanes.lanes() {
            let word = access.addresses[lane as usize] / 4;
            if let Some(fenced) = self.flags.get(&(shared_of, word)) {
                self.order.acquire(&access.by, lane, *fenced);
            }
        }
    }

    /// Publishes the events before the fences of flag writers.
    fn release(&mut self, access: &ObservedAccess<'_>, shared_of: Option<BlockId>) {
        if access.kind != AccessKind::Atomic && !access.is_volatile {
            return;
        }
        for lane in access.by.lanes.lanes() {
            let fenced = self.order.fenced(&access.by, lane);
            if fenced > 0 {
                let word = access.addresses[lane as usize] / 4;
                let flag = self.flags.entry((shared_of, word)).or_default();
                *flag = (*flag).max(fenced);
            }
        }
    }

    fn report(
        &mut self,
        kind: FindingKind,
        mark: Mark,
        access: &ObservedAccess<'_>,
        lane: u32,
        now: u32,
        names: &Names,
    ) {
        let event = self.order.event(mark);
        if self.is_of_one_sm && event.warp.0 / names.warps_per_block != access.by.block.0 {
            return;
        }
        let is_same_warp = event.warp == access.by.warp;
        let ends = |pc| {
            let span = names.span(pc);
            [span.start, span.end]
        };
        let (a, b) = (ends(event.pc), ends(access.by.pc));
        let pair = (a.min(b), a.max(b), is_same_warp);
        if let Some(race) = self.races.get_mut(&pair) {
            race.count += 1;
            return;
        }
        let by = names.executor(event.warp, event.slot, event.pc, event.cycle);
        let read_beside_atomic = match (kind, access.kind) {
            (FindingKind::ReadAfterWrite, _) if names.role(event.pc) == Role::Atomic => Some(access.by.pc),
            (FindingKind::WriteAfterRead, AccessKind::Atomic) => Some(event.pc),
            _ => None,
        };
        let later = names.access_site(access, lane);
        let earlier = Site {
            place: later.place.clone(),
            ..names.site(&by, u32::from(mark.lane), names.role(event.pc))
        };
        let race = Race {
            kind,
            later,
            earlier,
            count: 1,
            is_between_lanes: is_same_warp,
            is_same_instruction: mark.event == now,
            is_in_flight: self.copies.is_in_flight(mark.event) && kind != FindingKind::WriteAfterRead,
            read_beside_atomic,
        };
        self.races.insert(pair, race);
    }

    /// Returns the findings.
    pub(super) fn findings(self, names: &Names) -> impl Iterator<Item = Finding> {
        let Self {
            races,
            loop_reads,
            updates,
            ..
        } = self;
        let updates = updates.instructions();
        let real = races.into_values().filter(move |race| {
            let read = race.read_beside_atomic.as_ref();
            read.is_none_or(|read| !loop_reads.contains(read))
        });
        real.map(move |race| {
            let function = race.function(&updates);
            race.finding(names, function)
        })
    }
}

/// The current access of a lane.
struct Here<'a> {
    access: &'a ObservedAccess<'a>,
    copies: &'a Copies,
    knowledge: Knowledge<'a>,
    lane: u32,
    mark: Mark,
    is_flag: bool,
    /// Whether atomic operations race with plain accesses.
    checks_atomics: bool,
}

type Found = Option<(FindingKind, Mark)>;

impl Here<'_> {
    fn is_after(&self, mark: Mark) -> bool {
        self.knowledge.is_before(mark, self.lane)
    }

    fn after_write(&self, cell: &Cell, kind: FindingKind) -> Found {
        let races =
            (self.checks_atomics || !cell.is_atomic) && !cell.is_flag && !self.is_after_write_of(cell);
        races.then_some((kind, cell.write))
    }

    /// Whether the write of a byte is ordered before this access.
    fn is_after_write_of(&self, cell: &Cell) -> bool {
        if !cell.is_copy {
            return self.is_after(cell.write);
        }
        let landing = self.copies.landing(cell.write.event);
        landing.is_some_and(|event| self.is_after(Mark { event, ..cell.write }))
    }

    fn after_reads(&self, cell: &Cell) -> Found {
        let read = cell.reads.into_iter().find(|read| !self.is_after(*read))?;
        Some((FindingKind::WriteAfterRead, read))
    }

    fn read(&self, cell: &mut Cell) -> Found {
        let race = self.after_write(cell, FindingKind::ReadAfterWrite);
        let [first, second] = cell.reads;
        // A read that is ordered before this one adds no information.
        cell.reads = if self.is_after(first) {
            [self.mark, second]
        } else {
            [first, self.mark]
        };
        race
    }

    fn write(&self, cell: &mut Cell, byte: usize) -> Found {
        let value = self
            .access
            .words
            .get(byte / 4)
            .map_or(0, |row| row[self.lane as usize].to_le_bytes()[byte % 4]);
        let is_same = !cell.write.is_none() && !cell.is_atomic && !cell.is_copy && cell.value == value;
        let race = if self.is_flag {
            None
        } else {
            let after_write = self.after_write(cell, FindingKind::WriteAfterWrite);
            after_write
                .filter(|_| !is_same)
                .or_else(|| self.after_reads(cell))
        };
        *cell = Cell {
            write: self.mark,
            // A read that is not ordered with a later write is not ordered by the writes between them.
            reads: if self.is_flag {
                Default::default()
            } else {
                cell.reads
            },
            value,
            is_atomic: false,
            is_copy: self.access.is_copy,
            is_flag: self.is_flag,
        };
        race
    }

    fn change(&self, cell: &mut Cell) -> Found {
        let race = if cell.is_atomic || !self.checks_atomics {
            None
        } else {
            self.after_write(cell, FindingKind::WriteAfterWrite)
        };
        let race = race.or_else(|| self.after_reads(cell).filter(|_| self.checks_atomics));
        *cell = Cell {
            write: self.mark,
            reads: Default::default(),
            value: 0,
            is_atomic: true,
            is_copy: false,
            is_flag: self.is_flag,
        };
        race
    }
}

impl Race {
    /// The atomic function to use, if both threads update the word.
    fn function(&self, updates: &BTreeMap<Pc, &'static str>) -> Option<&'static str> {
        let of = |site: &Site| updates.get(&site.pc).copied();
        match (of(&self.later), of(&self.earlier)) {
            (Some(later), Some(_)) if self.later.role == Role::Write => Some(later),
            (Some(_), Some(earlier)) => Some(earlier),
            (Some(one), None) if self.earlier.role == Role::Atomic => Some(one),
            (None, Some(one)) if self.later.role == Role::Atomic => Some(one),
            _ => None,
        }
    }

    fn finding(self, names: &Names, function: Option<&'static str>) -> Finding {
        let (later, earlier) = (&self.later, &self.earlier);
        let place = later.place.as_ref();
        let name = place.map_or_else(String::new, Place::name);
        let memory = place.map_or(Memory::Global, |place| place.memory);
        let is_one_thread = later.block == earlier.block && later.thread == earlier.thread;
        let threads = if is_one_thread {
            format!(
                "thread {} of block {}",
                coordinates(later.thread),
                coordinates(later.block)
            )
        } else if later.block == earlier.block {
            format!(
                "threads {} and {} of block {}",
                coordinates(earlier.thread),
                coordinates(later.thread),
                coordinates(later.block)
            )
        } else {
            format!("{} and {}", earlier.thread_name(), later.thread_name())
        };
        let message = format!(
            "Race reported between {} access at {} and {} access at {}: {threads} {} {name} in {} \
             memory [{} {}]",
            earlier.role.name(),
            names.line_text(earlier.span.line),
            later.role.name(),
            names.line_text(later.span.line),
            if is_one_thread { "accesses" } else { "access" },
            memory.name(),
            self.count,
            if self.count == 1 { "hazard" } else { "hazards" },
        );
        let (severity, advice) = if self.is_in_flight {
            (
                Severity::Error,
                "The earlier access is an asynchronous copy, and its warp has not waited for it. Commit the copy and wait for its \
                 group before the access (cp.async.wait_group, __pipeline_wait_prior); where another thread accesses the data, \
                 add __syncthreads() after the wait.",
            )
        } else if self.is_same_instruction {
            (
                Severity::Error,
                "The lanes of one instruction store different values to the same address. Which value \
                 remains is undefined: let only one lane store, or use an atomic operation.",
            )
        } else if self.is_between_lanes {
            (
                Severity::Warning,
                "Lanes of a warp run independently from compute capability 7.0 on. Add __syncwarp() between \
                 the two accesses.",
            )
        } else if later.block == earlier.block {
            (
                Severity::Error,
                "No barrier is between the two accesses. Add __syncthreads() between them.",
            )
        } else {
            (
                Severity::Error,
                "Blocks run in any order. Use an atomic operation, a fence with an atomic flag, or a second \
                 kernel.",
            )
        };
        let advice = match function {
            Some(function) => format!(
                "Threads read {name}, change it, and write it back, so changes of other threads are lost. Use one atomic \
                 operation instead, such as {function}. A barrier does not help."
            ),
            None => advice.to_owned(),
        };
        Finding {
            tool: self.kind.tool(),
            kind: self.kind,
            severity,
            message,
            advice,
            count: self.count,
            sites: vec![self.later, self.earlier],
        }
    }
}
