//! Shared memory: banks, passes, and bank conflicts.
//!
//! In a pass ("wavefront" in Nsight Compute), each bank delivers once. A warp's access consists of one or more
//! requests: half-warps on 1.x, phases of wide accesses on later chips. The busiest bank of a request determines its
//! number of passes. [`BankRule`] lists the rules.

use serde::Serialize;

use super::{AccessOp, lanes_from, lanes_of};
use crate::arch::{BankRule, Banks};
use crate::ids::LaneMask;

/// A word that a bank delivers or stores in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DeliveredWord {
    /// The bank.
    pub bank: u8,
    /// The row across all banks that contains the word.
    pub row: u32,
    /// The word index: byte offset divided by four.
    pub word: u32,
    /// The lanes that access the word.
    pub lanes: LaneMask,
    /// Whether the word is the broadcast word of the pass (1.x).
    pub broadcast: bool,
}

/// One pass through the banks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedPass {
    /// The delivered words, by bank.
    pub words: Vec<DeliveredWord>,
}

impl SharedPass {
    /// Returns the lanes that this pass serves.
    pub fn lanes(&self) -> LaneMask {
        LaneMask(self.words.iter().fold(0, |lanes, word| lanes | word.lanes.0))
    }
}

/// Lanes whose accesses go through the banks together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedRequest {
    /// The lanes.
    pub lanes: LaneMask,
    /// Byte offset of this request's part in each lane's data (1.x splits wide accesses).
    pub piece: u8,
    /// The passes in order.
    pub passes: Vec<SharedPass>,
    /// The number of passes without conflicts.
    pub ideal_passes: u32,
}

/// The requests and passes of a warp's shared-memory access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedAccess {
    /// The requests in order.
    pub requests: Vec<SharedRequest>,
    /// The bank configuration.
    pub banks: Banks,
}

impl SharedAccess {
    /// Returns the total number of passes.
    pub fn wavefronts(&self) -> u32 {
        self.requests
            .iter()
            .map(|request| request.passes.len() as u32)
            .sum()
    }

    /// Returns the number of passes without conflicts.
    pub fn ideal_wavefronts(&self) -> u32 {
        self.requests.iter().map(|request| request.ideal_passes).sum()
    }

    /// Returns the number of passes that conflicts add.
    pub fn conflicts(&self) -> u32 {
        self.wavefronts() - self.ideal_wavefronts()
    }

    /// Returns the conflict degree: the maximum number of passes of a request.
    pub fn ways(&self) -> u32 {
        self.requests
            .iter()
            .map(|request| request.passes.len() as u32)
            .max()
            .unwrap_or(0)
    }

    /// Returns all passes in order, each with the index of its request.
    pub fn passes(&self) -> impl Iterator<Item = (usize, &SharedPass)> {
        self.requests
            .iter()
            .enumerate()
            .flat_map(|(idx, request)| request.passes.iter().map(move |pass| (idx, pass)))
    }
}

/// The number of passes of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedCounts {
    /// Total passes.
    pub wavefronts: u16,
    /// Passes without conflicts.
    pub ideal_wavefronts: u16,
}

/// Returns every pass of a warp's shared-memory access, with its words and their lanes.
///
/// `width_bits` is the width per lane, 8 to 128; `offsets` are the lanes' byte offsets. If a bank serves several
/// words of a request, the k-th pass serves the k-th word in lane order. An atomic serves one lane per bank in a
/// pass, because the next lane must see the lane's result. A bank of 3.x that serves two 32-bit words in a pass
/// delivers two words.
///
/// The guide documents 128-bit accesses on 2.x as one pass more than the worst quarter-warp, without the assignment of
/// lanes to passes. Assumed: the lower lanes go first and the upper lanes one pass later.
pub fn shared(
    banks: Banks,
    op: AccessOp,
    width_bits: u32,
    offsets: &[u32; 32],
    mask: LaneMask,
) -> SharedAccess {
    let rule = banks.rule;
    let num_words = width_bits.div_ceil(32).max(1);
    let mut requests = Vec::new();
    if rule == BankRule::HalfWarpBroadcastWord {
        for piece in 0..num_words {
            for half in [lanes_from(0, 16), lanes_from(16, 16)] {
                let lanes = mask.0 & half;
                if lanes == 0 {
                    continue;
                }
                let word_of = |lane: usize| offsets[lane] / 4 + piece;
                requests.push(SharedRequest {
                    lanes: LaneMask(lanes),
                    piece: (piece * 4) as u8,
                    passes: broadcast_passes(op, banks.num, lanes, word_of),
                    ideal_passes: 1,
                });
            }
        }
        return SharedAccess { requests, banks };
    }
    if rule == BankRule::WarpMulticast && num_words == 4 {
        if !mask.is_empty() {
            requests.push(SharedRequest {
                lanes: mask,
                piece: 0,
                passes: quarter_warp_passes(banks, op, offsets, mask.0),
                ideal_passes: 2,
            });
        }
        return SharedAccess { requests, banks };
    }
    let lanes_of_phase = phase_lanes(rule, op, num_words, offsets, mask.0);
    for phase in 0..32 / lanes_of_phase {
        let lanes = mask.0 & lanes_from(phase * lanes_of_phase, lanes_of_phase);
        if lanes == 0 {
            continue;
        }
        let passes = multicast_passes(banks, op, num_words, offsets, lanes);
        requests.push(SharedRequest {
            lanes: LaneMask(lanes),
            piece: 0,
            passes,
            ideal_passes: 1,
        });
    }
    SharedAccess { requests, banks }
}

/// Returns the number of lanes that go through 32 banks together.
fn phase_lanes(rule: BankRule, op: AccessOp, num_words: u32, offsets: &[u32; 32], mask: u32) -> u32 {
    if num_words == 1 {
        return 32;
    }
    if matches!(rule, BankRule::WarpMulticastRows | BankRule::WarpMulticastWide) {
        return if num_words == 2 { 32 } else { 16 };
    }
    let merges = rule == BankRule::WarpMulticastPairs
        && op == AccessOp::Load
        && (neighbor_addresses_match(offsets, mask, 1) || neighbor_addresses_match(offsets, mask, 2));
    32 / num_words.next_power_of_two() * if merges { 2 } else { 1 }
}

/// Whether lanes l and l ^ distance read the same address whenever both are active.
fn neighbor_addresses_match(offsets: &[u32; 32], mask: u32, distance: usize) -> bool {
    // Checks each pair once, from its lower lane.
    let lower = if distance == 1 { 0x5555_5555 } else { 0x3333_3333 };
    lanes_of(mask & mask >> distance & lower).all(|lane| offsets[lane] == offsets[lane + distance])
}

/// Returns the unit that a bank serves in one pass, as a number that differs between units.
///
/// The unit is a word; on 3.x, two words of a bank in an aligned segment of 64 words, or a 64-bit word. The numbers of
/// one bank's units differ by a multiple of 32.
#[inline(always)]
const fn bank_unit(rule: BankRule, word: u32) -> u32 {
    match rule {
        BankRule::WarpMulticastRows => word / 64 * 32 + word % 32,
        BankRule::WarpMulticastWide => word / 2,
        _ => word,
    }
}

/// Returns the passes of a request if a bank serves one word to any number of lanes.
fn multicast_passes(
    banks: Banks,
    op: AccessOp,
    num_words: u32,
    offsets: &[u32; 32],
    lanes: u32,
) -> Vec<SharedPass> {
    let mut passes: Vec<SharedPass> = Vec::new();
    // The units that each bank serves, in pass order; for an atomic, each with its lane.
    let mut served: [Vec<(u32, Option<u32>)>; 32] = Default::default();
    for lane in lanes_of(lanes) {
        for word in offsets[lane] / 4..offsets[lane] / 4 + num_words {
            let known = passes
                .iter_mut()
                .flat_map(|pass| pass.words.iter_mut())
                .find(|known| known.word == word);
            match known {
                Some(known) if op != AccessOp::Atomic => known.lanes.0 |= 1 << lane,
                _ => {
                    let bank = banks.bank(word * 4) as u8;
                    let own = &mut served[usize::from(bank)];
                    let of = (op == AccessOp::Atomic).then_some(lane as u32);
                    let unit = (bank_unit(banks.rule, word), of);
                    let pass = own.iter().position(|known| *known == unit);
                    let pass = pass.unwrap_or_else(|| {
                        own.push(unit);
                        own.len() - 1
                    });
                    if passes.len() <= pass {
                        passes.resize_with(pass + 1, SharedPass::default);
                    }
                    passes[pass].words.push(DeliveredWord {
                        bank,
                        row: word * 4 / banks.row_bytes(),
                        word,
                        lanes: LaneMask(1 << lane),
                        broadcast: false,
                    });
                }
            }
        }
    }
    for pass in &mut passes {
        pass.words.sort_by_key(|word| (word.bank, word.word));
    }
    passes
}

/// Returns the passes of a 128-bit access on 2.x: one more than the worst quarter-warp takes.
fn quarter_warp_passes(banks: Banks, op: AccessOp, offsets: &[u32; 32], mask: u32) -> Vec<SharedPass> {
    let mut passes = Vec::new();
    let mut worst = 0;
    for quarter in 0..4 {
        let lanes = mask & lanes_from(quarter * 8, 8);
        let own = multicast_passes(banks, op, 4, offsets, lanes);
        worst = worst.max(own.len());
        let late = (quarter / 2) as usize;
        for (idx, mut pass) in own.into_iter().enumerate() {
            if passes.len() <= idx + late {
                passes.resize_with(idx + late + 1, SharedPass::default);
            }
            passes[idx + late].words.append(&mut pass.words);
        }
    }
    passes.resize_with(worst + 1, SharedPass::default);
    for pass in &mut passes {
        pass.words.sort_by_key(|word| (word.bank, word.word));
    }
    passes
}

/// Returns the passes of a half-warp on 1.x.
///
/// A pass broadcasts the word that most lanes access, and every other bank serves one lane.
fn broadcast_passes(
    op: AccessOp,
    num_banks: u32,
    lanes: u32,
    word_of: impl Fn(usize) -> u32,
) -> Vec<SharedPass> {
    let mut left = lanes;
    let mut passes = Vec::new();
    while left != 0 {
        let broadcast = most_accessed(left, &word_of);
        let broadcast_bank = broadcast % num_banks;
        let mut words: Vec<DeliveredWord> = Vec::new();
        for lane in lanes_of(left) {
            let word = word_of(lane);
            let bank = word % num_banks;
            let of_bank = words.iter_mut().find(|served| u32::from(served.bank) == bank);
            let is_broadcast = word == broadcast && op != AccessOp::Atomic;
            match of_bank {
                Some(served) if is_broadcast => served.lanes.0 |= 1 << lane,
                None if is_broadcast || bank != broadcast_bank || op == AccessOp::Atomic => {
                    words.push(DeliveredWord {
                        bank: bank as u8,
                        row: word / num_banks,
                        word,
                        lanes: LaneMask(1 << lane),
                        broadcast: is_broadcast,
                    });
                }
                _ => continue,
            }
            left &= !(1 << lane);
        }
        for word in &mut words {
            word.broadcast &= word.lanes.count() > 1;
        }
        words.sort_by_key(|word| word.bank);
        passes.push(SharedPass { words });
    }
    passes
}

/// Returns the word that most lanes access; the lowest word breaks a tie.
fn most_accessed(lanes: u32, word_of: impl Fn(usize) -> u32) -> u32 {
    let mut best = (0, u32::MAX);
    for lane in lanes_of(lanes) {
        let word = word_of(lane);
        let count = lanes_of(lanes).filter(|other| word_of(*other) == word).count();
        if count > best.0 || count == best.0 && word < best.1 {
            best = (count, word);
        }
    }
    best.1
}

/// Counts the passes of a warp's access without building them. The counts equal those of [`shared`].
pub fn shared_wavefronts(
    banks: Banks,
    op: AccessOp,
    width_bits: u32,
    offsets: &[u32; 32],
    mask: LaneMask,
) -> SharedCounts {
    let rule = banks.rule;
    let num_words = width_bits.div_ceil(32).max(1);
    let mut counts = SharedCounts::default();
    if mask.is_empty() {
        return counts;
    }
    if rule == BankRule::HalfWarpBroadcastWord {
        for piece in 0..num_words {
            for half in [lanes_from(0, 16), lanes_from(16, 16)] {
                if mask.0 & half != 0 {
                    counts.wavefronts += broadcast_steps(op, mask.0 & half, |lane| offsets[lane] / 4 + piece);
                    counts.ideal_wavefronts += 1;
                }
            }
        }
    } else if rule == BankRule::WarpMulticast && num_words == 4 {
        let quarters = (0..4)
            .map(|quarter| busiest_bank(rule, op, num_words, offsets, mask.0 & lanes_from(quarter * 8, 8)));
        counts.wavefronts = 1 + quarters.max().unwrap_or(0);
        counts.ideal_wavefronts = 2;
    } else {
        let lanes_of_phase = phase_lanes(rule, op, num_words, offsets, mask.0);
        for phase in 0..32 / lanes_of_phase {
            let lanes = mask.0 & lanes_from(phase * lanes_of_phase, lanes_of_phase);
            if lanes != 0 {
                counts.wavefronts += busiest_bank(rule, op, num_words, offsets, lanes);
                counts.ideal_wavefronts += 1;
            }
        }
    }
    counts
}

/// Whether the lanes access at most one word per bank (a 64-bit word in the 8-byte mode of 3.x).
///
/// A fast path for the common case, without lists.
fn is_free_of_conflicts(rule: BankRule, num_words: u32, offsets: &[u32; 32], lanes: u32) -> bool {
    if fit_in_one_row(num_words, offsets, lanes) {
        return true;
    }
    let shift = u32::from(rule == BankRule::WarpMulticastWide);
    let mut asked = [0_u32; 32];
    let mut busy = 0_u32;
    // Neighboring lanes often access the same word.
    let mut before = u32::MAX;
    #[expect(
        clippy::needless_range_loop,
        reason = "the index is also the bit of the lane in the mask"
    )]
    for lane in 0..32 {
        let first = offsets[lane] / 4;
        if lanes >> lane & 1 == 0 || first == before {
            continue;
        }
        before = first;
        let end = ((first + num_words - 1) >> shift) + 1;
        for word in first >> shift..end {
            let bank = (word % 32) as usize;
            let is_first = busy >> bank & 1 == 0;
            busy |= 1 << bank;
            let known = std::mem::replace(&mut asked[bank], word);
            if !is_first && known != word {
                return false;
            }
        }
    }
    true
}

/// Whether all accessed words are within a window of as many words as banks.
#[inline(always)]
fn fit_in_one_row(num_words: u32, offsets: &[u32; 32], lanes: u32) -> bool {
    // Offsets are far below the sign bit, and vector instructions compare signed integers.
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    let mut add = |offset: u32| {
        low = low.min((offset / 4) as i32);
        high = high.max((offset / 4) as i32);
    };
    if lanes == u32::MAX {
        #[expect(
            clippy::needless_for_each,
            reason = "this loop is hot, and both branches have the same form"
        )]
        offsets.iter().for_each(|offset| add(*offset));
    } else {
        lanes_of(lanes).for_each(|lane| add(offsets[lane]));
    }
    high.wrapping_sub(low) as u32 + num_words <= 32
}

/// Returns the number of words of the busiest of 32 banks.
fn busiest_bank(rule: BankRule, op: AccessOp, num_words: u32, offsets: &[u32; 32], lanes: u32) -> u16 {
    const NONE: u8 = u8::MAX;
    if op != AccessOp::Atomic && is_free_of_conflicts(rule, num_words, offsets, lanes) {
        return u16::from(lanes != 0);
    }
    // Words form one linked list per bank, so each word is compared only with the words of its bank.
    let mut heads = [NONE; 32];
    let mut counts = [0_u16; 32];
    let mut words = [(0_u32, NONE); 128];
    let mut num = 0;
    let mut most = 0;
    for lane in lanes_of(lanes) {
        let first = offsets[lane] / 4;
        for word in first..first + num_words {
            // Both halves of a lane's 64-bit word count once, for atomics too.
            if rule == BankRule::WarpMulticastWide && word > first && word % 2 == 1 {
                continue;
            }
            let word = bank_unit(rule, word);
            let bank = (word % 32) as usize;
            let mut at = heads[bank];
            if op != AccessOp::Atomic {
                while at != NONE && words[at as usize].0 != word {
                    at = words[at as usize].1;
                }
                if at != NONE {
                    continue;
                }
            }
            words[num] = (word, heads[bank]);
            heads[bank] = num as u8;
            num += 1;
            counts[bank] += 1;
            most = most.max(counts[bank]);
        }
    }
    most
}

/// Returns the number of steps of a half-warp on the 16 banks of 1.x.
fn broadcast_steps(op: AccessOp, lanes: u32, word_of: impl Fn(usize) -> u32) -> u16 {
    let mut left = lanes;
    let mut steps = 0;
    while left != 0 {
        let broadcast = most_accessed(left, &word_of);
        let shares = op != AccessOp::Atomic;
        let mut used: u32 = if shares { 1 << (broadcast % 16) } else { 0 };
        for lane in lanes_of(left) {
            let word = word_of(lane);
            let bank = 1 << (word % 16);
            if shares && word == broadcast {
                left &= !(1 << lane);
            } else if used & bank == 0 {
                used |= bank;
                left &= !(1 << lane);
            }
        }
        steps += 1;
    }
    steps
}
