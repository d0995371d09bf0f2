//! The data of the Banks view for one request: lanes, passes, and the memory cells that they access.

use super::wording::{QUARTER_WARP, group_name};
use engine::access::{self, AccessOp, SharedAccess};
use engine::arch::{BankRule, Banks};
use engine::ids::LaneMask;
use engine::sim::{Access, RequestKind};

/// Number of columns: two half-warps of 16 banks side by side, or 32 banks.
pub(super) const COLUMNS: u32 = 32;
const WORD_BYTES: u32 = 4;

/// The progress of a part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Served,
    Now,
    Pending,
}

/// An active lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LanePlace {
    pub(super) lane: u32,
    /// Byte offset in shared memory.
    pub(super) address: u32,
    /// Number of words that the lane accesses, from the word that holds the address on.
    pub(super) num_words: u32,
    /// The passes that serve it.
    pub(super) passes: Vec<u16>,
}

/// A pass through the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) lanes: LaneMask,
    /// Index of the pass within its request, from 1; it sets the color.
    pub(super) step: u16,
}

/// Lanes that access the banks together, and their number of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) lanes: LaneMask,
    pub(super) passes: u16,
}

/// A word of memory that the request accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) row: u32,
    pub(super) column: u32,
    /// Index of the word among those that its bank holds side by side.
    pub(super) part: u32,
    pub(super) passes: Vec<u16>,
    pub(super) lanes: LaneMask,
}

impl Cell {
    /// The number of the first lane that accesses the word: the cell's label.
    pub(super) fn first_lane(&self) -> String {
        let first = self.lanes.lanes().next();
        first.map_or_else(String::new, |lane| lane.to_string())
    }
}

/// A request as passes, lanes, and cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) rule: BankRule,
    pub(super) banks: u32,
    /// Number of words that a bank holds side by side: each column has this many parts.
    pub(super) parts: u32,
    pub(super) lanes: Vec<LanePlace>,
    pub(super) passes: Vec<Pass>,
    /// Groups of lanes that access the banks together.
    pub(super) groups: Vec<Group>,
    cells: Vec<Cell>,
}

/// The progress of a lane or a word that these passes serve.
pub(super) fn progress(passes: &[u16], current: u16) -> Progress {
    if passes.contains(&current) {
        Progress::Now
    } else if passes.iter().all(|pass| *pass < current) {
        Progress::Served
    } else {
        Progress::Pending
    }
}

/// The operation of a request kind, for the access analysis.
pub(super) const fn op(kind: RequestKind) -> AccessOp {
    match kind {
        RequestKind::SharedStore | RequestKind::CopyStore => AccessOp::Store,
        RequestKind::SharedAtomic => AccessOp::Atomic,
        _ => AccessOp::Load,
    }
}

/// The passes of a request.
pub(in crate::scene) fn analysis(banks: Banks, request: &Access) -> SharedAccess {
    let offsets = request.addresses.map(|address| address as u32);
    access::shared(
        banks,
        op(request.kind),
        request.width_bits.into(),
        &offsets,
        request.mask,
    )
}

impl Plan {
    pub(super) fn of(banks: Banks, request: &Access) -> Self {
        let width_bits = u32::from(request.width_bits);
        Self::new(
            banks,
            op(request.kind),
            width_bits,
            request.mask,
            &request.addresses,
        )
    }

    /// The passes of an access of these lanes.
    pub(super) fn new(
        banks: Banks,
        op: AccessOp,
        width_bits: u32,
        mask: LaneMask,
        addresses: &[u64; 32],
    ) -> Self {
        let offsets = addresses.map(|address| address as u32);
        let served = access::shared(banks, op, width_bits, &offsets, mask);
        let mut plan = Self {
            rule: banks.rule,
            banks: banks.num.clamp(1, COLUMNS),
            parts: banks.words(),
            lanes: Vec::new(),
            passes: Vec::new(),
            groups: Vec::new(),
            cells: Vec::new(),
        };
        for of in &served.requests {
            match plan.groups.iter_mut().find(|group| group.lanes == of.lanes) {
                Some(group) => group.passes += of.passes.len() as u16,
                None => plan.groups.push(Group {
                    lanes: of.lanes,
                    passes: of.passes.len() as u16,
                }),
            }
            for (depth, pass) in of.passes.iter().enumerate() {
                let idx = plan.passes.len() as u16;
                plan.passes.push(Pass {
                    lanes: pass.lanes(),
                    step: depth as u16 + 1,
                });
                for word in &pass.words {
                    let panel = plan.panel(word.lanes);
                    let place = (word.row, u32::from(word.bank) + panel, word.word % plan.parts);
                    plan.touch(place, idx, word.lanes);
                }
            }
        }
        let num_words = width_bits.div_ceil(8 * WORD_BYTES).max(1);
        plan.lanes = mask
            .lanes()
            .map(|lane| LanePlace {
                lane,
                address: addresses[lane as usize] as u32,
                num_words,
                passes: (0..plan.passes.len() as u16)
                    .filter(|pass| plan.passes[usize::from(*pass)].lanes.contains(lane))
                    .collect(),
            })
            .collect();
        plan
    }

    fn touch(&mut self, (row, column, part): (u32, u32, u32), pass: u16, lanes: LaneMask) {
        match self
            .cells
            .iter_mut()
            .find(|cell| (cell.row, cell.column, cell.part) == (row, column, part))
        {
            Some(cell) => {
                cell.lanes = LaneMask(cell.lanes.0 | lanes.0);
                cell.passes.push(pass);
            }
            None => self.cells.push(Cell {
                row,
                column,
                part,
                passes: vec![pass],
                lanes,
            }),
        }
    }

    /// The first column of the panel for these lanes' words. With 16 banks, each half-warp has its own panel.
    fn panel(&self, lanes: LaneMask) -> u32 {
        let upper = lanes.lanes().next().is_some_and(|lane| lane >= 16);
        if self.banks < COLUMNS && upper {
            self.banks
        } else {
            0
        }
    }

    /// Bytes of a row.
    pub(super) const fn row_bytes(&self) -> u32 {
        self.banks * self.parts * WORD_BYTES
    }

    /// The bank of a byte offset.
    pub(super) const fn bank(&self, address: u32) -> u32 {
        address / WORD_BYTES / self.parts % self.banks
    }

    /// Byte offset of a word at a row and column.
    pub(super) const fn word_at(&self, row: u32, column: u32, part: u32) -> u32 {
        ((row * self.banks + column % self.banks) * self.parts + part) * WORD_BYTES
    }

    pub(super) fn lane(&self, lane: u32) -> Option<&LanePlace> {
        self.lanes.iter().find(|place| place.lane == lane)
    }

    /// The color step of a part that several passes serve: the step of the last pass.
    pub(super) fn step(&self, passes: &[u16]) -> u16 {
        passes
            .iter()
            .filter_map(|pass| self.passes.get(usize::from(*pass)))
            .map(|pass| pass.step)
            .max()
            .unwrap_or(1)
    }

    /// Middle of the columns that a lane accesses, in columns.
    pub(super) fn column_middle(&self, place: &LanePlace) -> f32 {
        let first = self.bank(place.address) + self.panel(LaneMask(1 << place.lane));
        let part = place.address / WORD_BYTES % self.parts;
        let words = place.num_words.min(self.banks * self.parts);
        first as f32 + (part as f32 + words as f32 / 2.0) / self.parts as f32
    }

    /// Byte offsets of the accessed words, ascending, without duplicates.
    pub(super) fn words(&self) -> Vec<u32> {
        let mut words: Vec<u32> = self
            .cells
            .iter()
            .map(|cell| self.word_at(cell.row, cell.column, cell.part))
            .collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    pub(super) fn cell(&self, row: u32, column: u32, part: u32) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| (cell.row, cell.column, cell.part) == (row, column, part))
    }

    /// The accessed words that a bank holds side by side in a row.
    pub(super) fn cells(&self, row: u32, column: u32) -> impl Iterator<Item = &Cell> {
        let here = move |cell: &&Cell| (cell.row, cell.column) == (row, column);
        self.cells.iter().filter(here)
    }

    /// Whether the words that a bank holds side by side are for the same lanes in the same passes, so that
    /// they are drawn as one cell.
    pub(super) fn is_whole(&self, row: u32, column: u32) -> bool {
        let same = |part| {
            self.cell(row, column, part)
                .map(|cell| (&cell.passes, cell.lanes))
        };
        (1..self.parts).all(|part| same(part) == same(0))
    }

    /// The last column with an accessed word.
    pub(super) fn last_column(&self) -> Option<u32> {
        self.cells.iter().map(|cell| cell.column).max()
    }

    /// Columns of the banks that are busy in a pass.
    pub(super) fn columns_of_pass(&self, pass: u16) -> Vec<u32> {
        let mut columns: Vec<u32> = self
            .cells
            .iter()
            .filter(|cell| cell.passes.contains(&pass))
            .map(|cell| cell.column)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Whether a bank serves different words in one pass, as on 3.x.
    pub(super) fn gives_pairs(&self) -> bool {
        self.cells.iter().any(|cell| {
            self.cells.iter().any(|other| {
                let apart = (other.row, other.part) != (cell.row, cell.part);
                let together = other.passes.iter().any(|pass| cell.passes.contains(pass));
                other.column == cell.column && apart && other.lanes != cell.lanes && together
            })
        })
    }

    /// Rows to draw: all from the first to the last accessed row, or only the accessed rows if those are far
    /// apart.
    pub(super) fn rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.cells.iter().map(|cell| cell.row).collect();
        rows.sort_unstable();
        rows.dedup();
        match (rows.first(), rows.last()) {
            (Some(first), Some(last)) if last - first < 32 => {
                let last = (*last).max(first + 7);
                (*first..=last).collect()
            }
            _ => rows,
        }
    }

    /// Whether the request takes one wavefront more than its worst quarter-warp: a 128-bit access on 2.x.
    pub(super) fn adds_one(&self) -> bool {
        let is_wide = self.lanes.first().is_some_and(|lane| lane.num_words == 4);
        self.rule == BankRule::WarpMulticast && is_wide
    }

    /// The name of the lane groups within which bank conflicts occur; `None` if that is the whole warp.
    pub(super) fn groups_that_share(&self) -> Option<&'static str> {
        if self.adds_one() {
            return Some(QUARTER_WARP);
        }
        (self.groups.len() > 1).then(|| group_name(self.groups.iter().map(|group| group.lanes)))
    }

    /// For each lane group and bank: the bank, and its number of different words. Words that a bank holds side
    /// by side count as one.
    fn bank_loads(&self) -> Vec<(u32, u32)> {
        let sharing: Vec<u32> = if self.adds_one() {
            (0..4).map(|quarter| 0xff << (8 * quarter)).collect()
        } else {
            self.groups.iter().map(|group| group.lanes.0).collect()
        };
        let mut loads = Vec::new();
        for lanes in sharing {
            for column in 0..COLUMNS {
                let of = |cell: &&Cell| cell.column == column && cell.lanes.0 & lanes != 0;
                let mut rows: Vec<u32> = self.cells.iter().filter(of).map(|cell| cell.row).collect();
                rows.sort_unstable();
                rows.dedup();
                if !rows.is_empty() {
                    loads.push((column % self.banks, rows.len() as u32));
                }
            }
        }
        loads
    }

    /// The bank with the most different words accessed by one lane group, this number, and the number of banks
    /// that reach it.
    pub(super) fn worst_bank(&self) -> (u32, u32, usize) {
        let loads = self.bank_loads();
        let (bank, worst) = loads
            .iter()
            .fold((0, 0), |best, load| if load.1 > best.1 { *load } else { best });
        let mut crowded: Vec<u32> = loads
            .iter()
            .filter(|load| load.1 == worst)
            .map(|load| load.0)
            .collect();
        crowded.sort_unstable();
        crowded.dedup();
        (bank, worst, crowded.len())
    }

    /// The largest number of passes in which one bank serves its lanes.
    pub(super) fn most_serialized(&self) -> u64 {
        (0..COLUMNS)
            .map(|column| {
                let of_column = self.cells.iter().filter(|cell| cell.column == column);
                let mut passes: Vec<u16> = of_column.flat_map(|cell| cell.passes.clone()).collect();
                passes.sort_unstable();
                passes.dedup();
                passes.len() as u64
            })
            .max()
            .unwrap_or(0)
    }
}
