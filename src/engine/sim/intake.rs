//! What one SM of a device receives from beyond it: when L2 and device memory answer its requests, the data of global
//! memory that it reads, and the blocks that it gets. With this record, a machine of the SM alone repeats its run.

use std::sync::{Arc, PoisonError, RwLock};

use super::MemoryLevel;
use super::codec::{Reader, Writer};
use super::dram::Answer;
use super::exec::Row;
use crate::ids::BlockId;

/// Levels by their numbers in the record.
const LEVELS: [MemoryLevel; 6] = [
    MemoryLevel::Shared,
    MemoryLevel::Constant,
    MemoryLevel::Texture,
    MemoryLevel::L1,
    MemoryLevel::L2,
    MemoryLevel::Dram,
];

/// The record of an SM so far. Its machines share it while it grows.
#[derive(Debug, Default)]
pub(crate) struct Intake(RwLock<Received>);

/// What an SM received, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Received {
    /// Answers and data, in words.
    pub(crate) words: Vec<u32>,
    /// The cycle in which each block started, and its number.
    pub(crate) blocks: Vec<(u64, u32)>,
}

/// What an SM that repeats a run starts in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    /// No block.
    Nothing,
    /// This block.
    Block(BlockId),
}

impl Received {
    /// Writes the record, with the numbers of words and blocks.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.put(&self.words);
        to.put(&self.blocks);
    }

    /// Reads what [`Received::write`] wrote.
    pub(crate) fn read(from: &mut Reader) -> Self {
        Self {
            words: from.get(),
            blocks: from.get(),
        }
    }
}

impl Intake {
    /// Appends what the SM received next.
    pub(crate) fn append(&self, received: Received) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.words.extend(received.words);
        all.blocks.extend(received.blocks);
    }

    /// Size of the record in bytes.
    pub(crate) fn num_bytes(&self) -> usize {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.words.len() * size_of::<u32>() + all.blocks.len() * size_of::<(u64, u32)>()
    }
}

/// The number of words and of blocks that were received before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) words: u64,
    pub(super) blocks: u64,
}

/// Where an SM gets what is beyond it.
#[derive(Clone, Debug, Default)]
pub(super) enum Feed {
    /// From L2, device memory, and the grid's queue.
    #[default]
    Live,
    /// The same, with a record: what was received since the last flush, and the position of that flush.
    Recorded(Received, Position),
    /// From the record, at a position.
    Replayed(Arc<Intake>, Position),
}

impl Feed {
    /// Whether the SM repeats a recorded run.
    pub(super) const fn is_replayed(&self) -> bool {
        matches!(self, Self::Replayed(..))
    }

    /// The position in the record.
    pub(super) fn position(&self) -> Position {
        match self {
            Self::Live => Position::default(),
            Self::Recorded(new, flushed) => Position {
                words: flushed.words + new.words.len() as u64,
                blocks: flushed.blocks + new.blocks.len() as u64,
            },
            Self::Replayed(_, position) => *position,
        }
    }

    /// Takes out what was recorded since the last call.
    pub(super) fn flush(&mut self) -> Received {
        let position = self.position();
        match self {
            Self::Recorded(new, flushed) => {
                *flushed = position;
                std::mem::take(new)
            }
            Self::Live | Self::Replayed(..) => Received::default(),
        }
    }

    /// Moves to a position of the record.
    pub(super) fn seek(&mut self, to: Position) {
        if let Self::Replayed(_, position) = self {
            *position = to;
        }
    }

    /// The next `N` words of the record, if the SM repeats a run.
    fn next_words<const N: usize>(&mut self) -> Option<[u32; N]> {
        let Self::Replayed(intake, position) = self else {
            return None;
        };
        let all = intake.0.read().unwrap_or_else(PoisonError::into_inner);
        let from = position.words as usize;
        position.words += N as u64;
        // The record covers all cycles that are repeated.
        let words = all.words.get(from..from + N).and_then(<[u32]>::first_chunk);
        Some(words.copied().unwrap_or([0; N]))
    }

    /// The recorded answer to a request that leaves at `at`, if the SM repeats a run.
    pub(super) fn answer(&mut self, at: u64) -> Option<Answer> {
        if !self.is_replayed() {
            return None;
        }
        let [wait, level] = self.next_words()?;
        Some(Answer {
            at: at + u64::from(wait),
            level: LEVELS.get(level as usize).copied().unwrap_or(MemoryLevel::Dram),
        })
    }

    /// Records the answer to a request that leaves at `at`.
    pub(super) fn note_answer(&mut self, at: u64, answer: Answer) {
        if let Self::Recorded(new, _) = self {
            // A wait is shorter than a run, whose cycles fit 32 bits.
            new.words.extend([(answer.at - at) as u32, answer.level as u32]);
        }
    }

    /// Passes on the words of the lanes in `mask`: records them, or replaces them by recorded ones.
    #[inline(always)]
    pub(super) fn pass_row(&mut self, mask: u32, row: &mut Row) {
        if !matches!(self, Self::Live) {
            for (lane, word) in row.iter_mut().enumerate() {
                if mask >> lane & 1 == 1 {
                    self.pass_word(word);
                }
            }
        }
    }

    /// Passes on up to eight bytes.
    #[inline(always)]
    pub(super) fn pass_bytes(&mut self, bytes: &mut [u8]) {
        if !matches!(self, Self::Live) {
            for part in bytes.chunks_mut(4) {
                let mut word = [0; 4];
                word[..part.len()].copy_from_slice(part);
                let mut word = u32::from_le_bytes(word);
                self.pass_word(&mut word);
                part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
            }
        }
    }

    #[cold]
    fn pass_word(&mut self, word: &mut u32) {
        match self {
            Self::Live => {}
            Self::Recorded(new, _) => new.words.push(*word),
            Self::Replayed(..) => {
                if let Some([next]) = self.next_words() {
                    *word = next;
                }
            }
        }
    }

    /// What the repeated run started in cycle `now`, if the SM repeats one.
    pub(super) fn block(&mut self, now: u64) -> Option<Repeated> {
        let Self::Replayed(intake, position) = self else {
            return None;
        };
        let all = intake.0.read().unwrap_or_else(PoisonError::into_inner);
        let next = all.blocks.get(position.blocks as usize);
        let block = next.filter(|(cycle, _)| *cycle == now);
        position.blocks += u64::from(block.is_some());
        Some(block.map_or(Repeated::Nothing, |(_, block)| Repeated::Block(BlockId(*block))))
    }

    /// Records the start of a block.
    pub(super) fn note_block(&mut self, now: u64, block: BlockId) {
        if let Self::Recorded(new, _) = self {
            new.blocks.push((now, block.0));
        }
    }
}
