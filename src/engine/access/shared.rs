//! Shared memory: banks, passes, and who waits for whom.
//!
//! A pass ("wavefront" in Nsight Compute) is one turn of all banks. An access of a warp is one or
//! more requests (half-warps on 1.x, phases of wide accesses later), and each request takes as many
//! passes as its busiest bank has to deliver. [`BankRule`] names the rules.

use serde::Serialize;

use super::{AccessOp, lanes_from, lanes_of};
use crate::arch::{BankRule, Banks};
use crate::ids::LaneMask;

/// A word that a bank delivers (or takes) in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DeliveredWord {
    /// The bank.
    pub bank: u8,
    /// The row of what all banks hold side by side.
    pub row: u32,
    /// The word's number: its byte offset over four.
    pub word: u32,
    /// The lanes that it is for.
    pub lanes: LaneMask,
    /// Whether it is the broadcast word of the pass (1.x).
    pub broadcast: bool,
}

/// One pass through the banks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedPass {
    /// What the banks deliver, by bank.
    pub words: Vec<DeliveredWord>,
}

impl SharedPass {
    /// The lanes that get something in this pass.
    pub fn lanes(&self) -> LaneMask {
        LaneMask(self.words.iter().fold(0, |lanes, word| lanes | word.lanes.0))
    }
}

/// Lanes that share the banks with each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedRequest {
    /// The lanes.
    pub lanes: LaneMask,
    /// Where in each lane's data the part of this request starts, in bytes (1.x splits wide
    /// accesses).
    pub piece: u8,
    /// Its passes in order.
    pub passes: Vec<SharedPass>,
    /// Passes that it would take without a conflict.
    pub ideal_passes: u32,
}

/// How a warp's access goes through shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedAccess {
    /// Requests in order.
    pub requests: Vec<SharedRequest>,
    /// The banks.
    pub banks: Banks,
}

impl SharedAccess {
    /// Passes in all.
    pub fn wavefronts(&self) -> u32 {
        self.requests
            .iter()
            .map(|request| request.passes.len() as u32)
            .sum()
    }

    /// Passes without conflicts.
    pub fn ideal_wavefronts(&self) -> u32 {
        self.requests.iter().map(|request| request.ideal_passes).sum()
    }

    /// Passes that conflicts add.
    pub fn conflicts(&self) -> u32 {
        self.wavefronts() - self.ideal_wavefronts()
    }

    /// The most passes of one request: an n-way conflict.
    pub fn ways(&self) -> u32 {
        self.requests
            .iter()
            .map(|request| request.passes.len() as u32)
            .max()
            .unwrap_or(0)
    }

    /// All passes in order, with the index of their request.
    pub fn passes(&self) -> impl Iterator<Item = (usize, &SharedPass)> {
        self.requests
            .iter()
            .enumerate()
            .flat_map(|(idx, request)| request.passes.iter().map(move |pass| (idx, pass)))
    }
}

/// Passes of an access, without their lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedCounts {
    /// Passes in all.
    pub wavefronts: u16,
    /// Passes without conflicts; the difference is what conflicts add.
    pub ideal_wavefronts: u16,
}

/// How a warp's access goes through shared memory: every pass, with the words and their lanes.
///
/// `width_bits` is that of one lane, 8 to 128; `offsets` are the lanes' byte offsets. Where a bank
/// serves several words of a request, the k-th pass serves its k-th word in the order of lanes. An
/// atomic serves one lane of a bank in a pass, since each lane's change must be seen by the next. A bank
/// of 3.x that serves two words of 32 bits in a pass delivers both as words of their own.
///
/// 2.x documents 128-bit accesses as one pass more than the worst quarter-warp, without saying what
/// goes in which; drawn here are the lower lanes first and the upper ones a pass later.
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
                let wanted = |lane: usize| offsets[lane] / 4 + piece;
                requests.push(SharedRequest {
                    lanes: LaneMask(lanes),
                    piece: (piece * 4) as u8,
                    passes: broadcast_passes(op, banks.num, lanes, wanted),
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

/// Lanes that go through the banks together, on 32 banks.
fn phase_lanes(rule: BankRule, op: AccessOp, num_words: u32, offsets: &[u32; 32], mask: u32) -> u32 {
    if num_words == 1 {
        return 32;
    }
    if matches!(rule, BankRule::WarpMulticastRows | BankRule::WarpMulticastWide) {
        return if num_words == 2 { 32 } else { 16 };
    }
    let merges = rule == BankRule::WarpMulticastPairs
        && op == AccessOp::Load
        && (neighbours_agree(offsets, mask, 1) || neighbours_agree(offsets, mask, 2));
    32 / num_words.next_power_of_two() * if merges { 2 } else { 1 }
}

/// Whether lanes l and l ^ distance read one address wherever both are active.
fn neighbours_agree(offsets: &[u32; 32], mask: u32, distance: usize) -> bool {
    // Of each pair, the lower lane.
    let lower = if distance == 1 { 0x5555_5555 } else { 0x3333_3333 };
    lanes_of(mask & mask >> distance & lower).all(|lane| offsets[lane] == offsets[lane + distance])
}

/// What a bank serves in one pass: a word, or of 3.x the two words of a bank in 64 aligned ones, or a word
/// of 64 bits. Numbers of one bank differ by a multiple of 32.
#[inline(always)]
const fn served_together(rule: BankRule, word: u32) -> u32 {
    match rule {
        BankRule::WarpMulticastRows => word / 64 * 32 + word % 32,
        BankRule::WarpMulticastWide => word / 2,
        _ => word,
    }
}

/// Passes of a request in which a bank serves one word to any number of lanes.
fn multicast_passes(
    banks: Banks,
    op: AccessOp,
    num_words: u32,
    offsets: &[u32; 32],
    lanes: u32,
) -> Vec<SharedPass> {
    let mut passes: Vec<SharedPass> = Vec::new();
    // What each bank serves in the order of its passes; of an atomic, to which lane.
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
                    let together = (served_together(banks.rule, word), of);
                    let pass = own.iter().position(|known| *known == together);
                    let pass = pass.unwrap_or_else(|| {
                        own.push(together);
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

/// Passes of a 128-bit access on 2.x: one more than the worst quarter-warp takes.
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

/// Passes of a half-warp on 1.x: in each, the most wanted word goes to all its lanes, and every
/// other bank serves one lane.
fn broadcast_passes(
    op: AccessOp,
    num_banks: u32,
    lanes: u32,
    wanted: impl Fn(usize) -> u32,
) -> Vec<SharedPass> {
    let mut left = lanes;
    let mut passes = Vec::new();
    while left != 0 {
        let broadcast = most_wanted(left, &wanted);
        let broadcast_bank = broadcast % num_banks;
        let mut words: Vec<DeliveredWord> = Vec::new();
        for lane in lanes_of(left) {
            let word = wanted(lane);
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

/// The word that most lanes want; of equals the lowest.
fn most_wanted(lanes: u32, wanted: impl Fn(usize) -> u32) -> u32 {
    let mut best = (0, u32::MAX);
    for lane in lanes_of(lanes) {
        let word = wanted(lane);
        let count = lanes_of(lanes).filter(|other| wanted(*other) == word).count();
        if count > best.0 || count == best.0 && word < best.1 {
            best = (count, word);
        }
    }
    best.1
}

/// The passes of a warp's access, counted without building them. Equal to [`shared`]'s counts.
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

/// Whether no bank is asked for two words (of 64 bits in the 8-byte mode of 3.x): the common case, told
/// without building lists.
fn is_free_of_conflicts(rule: BankRule, num_words: u32, offsets: &[u32; 32], lanes: u32) -> bool {
    if are_in_one_row(num_words, offsets, lanes) {
        return true;
    }
    let shift = u32::from(rule == BankRule::WarpMulticastWide);
    let mut asked = [0_u32; 32];
    let mut busy = 0_u32;
    // Neighbours often ask for the same.
    let mut before = u32::MAX;
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

/// Whether all words that the lanes ask for lie within as many as there are banks.
#[inline(always)]
fn are_in_one_row(num_words: u32, offsets: &[u32; 32], lanes: u32) -> bool {
    // Offsets are far below the sign bit; signed ones are what vector instructions compare.
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    let mut add = |offset: u32| {
        low = low.min((offset / 4) as i32);
        high = high.max((offset / 4) as i32);
    };
    if lanes == u32::MAX {
        offsets.iter().for_each(|offset| add(*offset));
    } else {
        lanes_of(lanes).for_each(|lane| add(offsets[lane]));
    }
    high.wrapping_sub(low) as u32 + num_words <= 32
}

/// Words of the busiest of 32 banks.
fn busiest_bank(rule: BankRule, op: AccessOp, num_words: u32, offsets: &[u32; 32], lanes: u32) -> u16 {
    const NONE: u8 = u8::MAX;
    if op != AccessOp::Atomic && is_free_of_conflicts(rule, num_words, offsets, lanes) {
        return u16::from(lanes != 0);
    }
    // Words by bank as linked lists, so that a word is compared with those of its bank only.
    let mut heads = [NONE; 32];
    let mut counts = [0_u16; 32];
    let mut words = [(0_u32, NONE); 128];
    let mut num = 0;
    let mut most = 0;
    for lane in lanes_of(lanes) {
        let first = offsets[lane] / 4;
        for word in first..first + num_words {
            // The halves of a lane's 64-bit word are one, of an atomic, too.
            if rule == BankRule::WarpMulticastWide && word > first && word % 2 == 1 {
                continue;
            }
            let word = served_together(rule, word);
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

/// Steps of a half-warp on the 16 banks of 1.x.
fn broadcast_steps(op: AccessOp, lanes: u32, wanted: impl Fn(usize) -> u32) -> u16 {
    let mut left = lanes;
    let mut steps = 0;
    while left != 0 {
        let broadcast = most_wanted(left, &wanted);
        let shares = op != AccessOp::Atomic;
        let mut used: u32 = if shares { 1 << (broadcast % 16) } else { 0 };
        for lane in lanes_of(left) {
            let word = wanted(lane);
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
