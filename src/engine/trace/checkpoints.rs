//! Machines at certain cycles of a run, each stored as the difference to an earlier one.
//!
//! Checkpoint `n` (from 1) is the difference to the checkpoint whose number is `n` without its lowest set
//! bit: 6 (110) is based on 4 (100), and 4 on the start. A machine is therefore restored in as many steps as
//! its number has set bits. When every other checkpoint is dropped, all remaining checkpoints keep their
//! bases.

use std::borrow::Cow;
#[cfg(test)]
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::TraceOptions;
use super::bytes::{read_varint, write_varint};
use super::wire::{Opened, Parts};
use crate::ids::Cycle;
use crate::sim::codec::Writer;
use crate::sim::image::{Image, Part};
use crate::sim::machine::Machine;

/// The granularity of the comparison in bytes: this many equal bytes end a differing stretch.
const SAME_BYTES: usize = 8;

/// The simulating side: takes images, and keeps those on which later checkpoints are based.
#[derive(Debug)]
pub(super) struct CheckpointMaker {
    start: Machine,
    /// Numbers and images; each image is the base of the next one in the list.
    path: Vec<(u32, Image)>,
    /// Numbers of the kept checkpoints, and their sizes in bytes.
    kept: Vec<(u32, usize)>,
    /// Only numbers that end in at least this many zero bits are kept.
    level: u32,
    since: u64,
    limits: TraceOptions,
    bytes: usize,
    /// Checkpoints since the last flush.
    unflushed: Vec<Checkpoint>,
    /// A buffer for deltas.
    buffer: Vec<u8>,
}

/// A machine before a cycle, as the difference to another machine.
#[derive(Clone, Debug)]
struct Checkpoint {
    number: u32,
    cycle: Cycle,
    delta: Vec<u8>,
}

impl CheckpointMaker {
    /// Starts with the machine before its first cycle. Checkpoints stay within the limits if at least two of
    /// them fit.
    pub(super) fn new(start: &Machine, limits: &TraceOptions) -> Self {
        Self {
            start: start.clone(),
            path: Vec::new(),
            kept: Vec::new(),
            level: 0,
            since: 0,
            limits: *limits,
            bytes: 0,
            unflushed: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// The machine before its first cycle.
    pub(super) const fn start(&self) -> &Machine {
        &self.start
    }

    /// Adds the cost of the last cycles (cycles, issues, and transactions), and takes a checkpoint if one is
    /// due.
    pub(super) fn offer(&mut self, cost: u64, machine: &Machine) {
        self.since += cost;
        if self.since < self.limits.checkpoint_cost << self.level {
            return;
        }
        self.since = 0;
        if self.path.is_empty() {
            self.path.push((0, self.start.image(&self.start)));
        }
        let last = self.path.last().map_or(0, |(number, _)| *number);
        let number = ((last >> self.level) + 1) << self.level;
        while self.path.last().is_some_and(|(other, _)| *other != base(number)) {
            self.path.pop();
        }
        let Some((_, other)) = self.path.last() else {
            return;
        };
        let image = machine.image(&self.start);
        difference(&image, other, &mut self.buffer);
        let delta = self.buffer.clone();
        self.bytes += delta.len();
        self.kept.push((number, delta.len()));
        self.path.push((number, image));
        self.unflushed.push(Checkpoint {
            number,
            cycle: machine.cycle(),
            delta,
        });
        while self.bytes > self.limits.checkpoint_bytes && self.kept.len() > 2 {
            self.level += 1;
            let level = self.level;
            self.kept.retain(|(number, _)| is_kept(*number, level));
            self.unflushed
                .retain(|checkpoint| is_kept(checkpoint.number, level));
            self.bytes = self.kept.iter().map(|(_, bytes)| bytes).sum();
        }
    }

    /// Flushes the new checkpoints.
    pub(super) fn flush(&mut self, to: &mut Parts) {
        to.head.put(&self.level);
        to.head.put(&(self.unflushed.len() as u32));
        for checkpoint in self.unflushed.drain(..) {
            to.head.put(&checkpoint.number);
            to.head.put(&checkpoint.cycle);
            to.head.put(&(checkpoint.delta.len() as u32));
            to.machines.raw(&checkpoint.delta);
        }
    }
}

/// The number of the checkpoint on which another one is based.
const fn base(number: u32) -> u32 {
    number & (number - 1)
}

const fn is_kept(number: u32, level: u32) -> bool {
    number.trailing_zeros() >= level
}

/// The querying side.
#[derive(Debug)]
pub(super) struct Checkpoints {
    start: Machine,
    start_image: OnceLock<Image>,
    /// Checkpoints in order of number and time.
    list: Vec<Checkpoint>,
}

impl Checkpoints {
    /// Creates the list for a run that starts with a machine.
    pub(super) fn new(start: &Machine) -> Self {
        Self {
            start: start.clone(),
            start_image: OnceLock::new(),
            list: Vec::new(),
        }
    }

    /// Appends what [`CheckpointMaker::flush`] wrote.
    pub(super) fn append(&mut self, from: &mut Opened) {
        let level: u32 = from.head.get();
        self.list.retain(|checkpoint| is_kept(checkpoint.number, level));
        for _ in 0..from.head.num(16) {
            let (number, cycle) = from.head.get();
            let len: u32 = from.head.get();
            let delta = from.machines.take(len as usize).to_vec();
            if number == 0 || self.list.last().is_some_and(|last| last.number >= number) {
                from.head.damage();
                return;
            }
            self.list.push(Checkpoint { number, cycle, delta });
        }
    }

    /// Size of the checkpoints in bytes.
    pub(super) fn num_bytes(&self) -> usize {
        self.list
            .iter()
            .map(|checkpoint| checkpoint.delta.len() + size_of::<Checkpoint>())
            .sum()
    }

    /// The machine before its first cycle.
    pub(super) const fn start(&self) -> &Machine {
        &self.start
    }

    /// The number of checkpoints.
    pub(super) const fn num(&self) -> usize {
        self.list.len()
    }

    /// The cycle of a checkpoint; place 0 is the start.
    pub(super) fn cycle(&self, place: usize) -> Cycle {
        place
            .checked_sub(1)
            .map_or(Cycle(0), |place| self.list[place].cycle)
    }

    /// The last checkpoint whose next cycle is `cycle` or earlier.
    pub(super) fn before(&self, cycle: Cycle) -> usize {
        self.list.partition_point(|checkpoint| checkpoint.cycle <= cycle)
    }

    /// The machine of a checkpoint; `None` if its bytes are damaged.
    pub(super) fn machine(&self, place: usize) -> Option<Machine> {
        let Some(place) = place.checked_sub(1) else {
            return Some(self.start.clone());
        };
        let mut path = vec![place];
        let mut number = base(self.list[place].number);
        while number != 0 {
            let place = self
                .list
                .binary_search_by_key(&number, |checkpoint| checkpoint.number)
                .ok()?;
            path.push(place);
            number = base(number);
        }
        let mut image: Option<Image> = None;
        for place in path.into_iter().rev() {
            let other = match &image {
                Some(image) => image,
                None => self.start_image.get_or_init(|| self.start.image(&self.start)),
            };
            image = Some(changed(other, &self.list[place].delta)?);
        }
        self.start.restored(&image?)
    }
}

/// Bytes of a delta's header: the number of sections.
const HEAD: usize = 4;

/// Writes the difference that turns `other` into `image`. For each differing section: its name (relative to
/// the previous name), its length, and then alternately the number of unchanged bytes and the new bytes. The
/// other's section is padded with zeros; an empty section is removed.
fn difference(image: &Image, other: &Image, delta: &mut Vec<u8>) {
    delta.clear();
    delta.resize(HEAD, 0);
    let (mut num, mut last) = (0_u32, 0);
    let mut add = |name: u64, new: &[u8], old: &[u8]| {
        if new != old {
            write_varint(delta, name - last);
            write_varint(delta, new.len() as u64);
            stretches(delta, new, old);
            last = name;
            num += 1;
        }
    };
    let mut others = other.sections.iter().peekable();
    for (name, part) in &image.sections {
        while let Some((gone, old)) = others.next_if(|(other, _)| other < name) {
            add(*gone, &[], &old.bytes());
        }
        match others.next_if(|(other, _)| other == name) {
            Some((_, old)) if part.is_shared_with(old) => {}
            Some((_, old)) => add(*name, &part.bytes(), &old.bytes()),
            None => add(*name, &part.bytes(), &[]),
        }
    }
    for (gone, old) in others {
        add(*gone, &[], &old.bytes());
    }
    delta[..HEAD].copy_from_slice(&num.to_le_bytes());
}

/// Writes alternately the number of unchanged bytes and the new bytes.
fn stretches(delta: &mut Vec<u8>, new: &[u8], old: &[u8]) {
    let padded: Vec<u8>;
    let old = if old.len() < new.len() {
        padded = old
            .iter()
            .copied()
            .chain(std::iter::repeat(0))
            .take(new.len())
            .collect();
        &padded
    } else {
        &old[..new.len()]
    };
    // Compares words of eight bytes; the boundaries of differing stretches are at multiples of four bytes.
    let ((new_words, new_rest), (old_words, old_rest)) =
        (new.as_chunks::<SAME_BYTES>(), old.as_chunks::<SAME_BYTES>());
    let halves_differ = |word: usize| {
        let (new, old) = (new_words[word], old_words[word]);
        [new[..4] != old[..4], new[4..] != old[4..]]
    };
    let run = |from: usize, same: bool| {
        let mut words = new_words[from..].iter().zip(&old_words[from..]);
        words
            .position(|(new, old)| (new == old) != same)
            .map_or(new_words.len(), |num| from + num)
    };
    let (mut at, mut word) = (0, 0);
    while at < new.len() {
        let from = at;
        word = run(word, true);
        at = if word < new_words.len() {
            word * SAME_BYTES + if halves_differ(word)[0] { 0 } else { SAME_BYTES / 2 }
        } else if new_rest != old_rest {
            word * SAME_BYTES
        } else {
            new.len()
        };
        write_varint(delta, (at - from) as u64);
        if at == new.len() {
            break;
        }
        let from = at;
        word = run(word, false);
        at = if word == new_words.len() && new_rest != old_rest {
            new.len()
        } else {
            word * SAME_BYTES
                - if halves_differ(word - 1)[1] {
                    0
                } else {
                    SAME_BYTES / 2
                }
        };
        write_varint(delta, (at - from) as u64);
        delta.extend_from_slice(&new[from..at]);
    }
}

/// The image that [`difference`] encoded.
fn changed(other: &Image, delta: &[u8]) -> Option<Image> {
    let (num, delta) = delta.split_first_chunk::<HEAD>()?;
    let mut at = 0;
    let number = |at: &mut usize| (*at < delta.len()).then(|| read_varint(delta, at));
    let mut image = Image::default();
    let mut others = other.sections.iter().cloned().peekable();
    let mut name = 0_u64;
    for _ in 0..u32::from_le_bytes(*num) {
        name = name.checked_add(number(&mut at)?)?;
        let len = number(&mut at)? as usize;
        while let Some(same) = others.next_if(|(other, _)| *other < name) {
            image.sections.push(same);
        }
        let old = others.next_if(|(other, _)| *other == name);
        let old = old
            .as_ref()
            .map_or(Cow::Borrowed(&[][..]), |(_, part)| part.bytes());
        // Rejects damaged lengths: no section grows by more than this.
        if len > old.len() + (1 << 26) {
            return None;
        }
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&old[..old.len().min(len)]);
        bytes.resize(len, 0);
        let mut done = 0;
        while done < len {
            done += number(&mut at)? as usize;
            if done >= len {
                break;
            }
            let num = number(&mut at)? as usize;
            let new = delta.get(at..at.checked_add(num)?)?;
            bytes.get_mut(done..done.checked_add(num)?)?.copy_from_slice(new);
            if num == 0 {
                return None;
            }
            at += num;
            done += num;
        }
        if len > 0 {
            image.sections.push((name, Part::Bytes(bytes.into())));
        }
    }
    image.sections.extend(others);
    (at == delta.len()).then_some(image)
}

/// A checksum of a machine's whole state.
pub(super) fn digest(machine: &Machine, start: &Machine) -> u64 {
    let mut all = Writer::default();
    for (name, part) in machine.exact_image(start).sections {
        all.put(&name);
        all.raw(&part.bytes());
    }
    all.digest()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn image(parts: BTreeMap<u64, Vec<u8>>) -> Image {
        Image {
            sections: parts
                .into_iter()
                .filter(|(_, bytes)| !bytes.is_empty())
                .map(|(name, bytes)| {
                    let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
                    let part = if bytes.len().is_multiple_of(4) && name % 2 == 0 {
                        Part::Words(words.collect())
                    } else {
                        Part::Bytes(bytes.into())
                    };
                    (name, part)
                })
                .collect(),
        }
    }

    fn parts() -> impl Strategy<Value = BTreeMap<u64, Vec<u8>>> {
        let byte = prop_oneof![4 => Just(0_u8), 1 => any::<u8>()];
        prop::collection::btree_map(0_u64..6, prop::collection::vec(byte, 0..60), 0..6)
    }

    proptest! {
        #[test]
        fn differences_restore_the_image(a in parts(), b in parts()) {
            let (a, b) = (image(a), image(b));
            let mut delta = vec![7];
            difference(&a, &b, &mut delta);
            prop_assert_eq!(changed(&b, &delta), Some(a.clone()));
            for len in 0..delta.len() {
                prop_assert_ne!(changed(&b, &delta[..len]), Some(a.clone()));
            }
        }
    }

    #[test]
    fn shared_sections_take_no_bytes() {
        let one = image(BTreeMap::from([(2, vec![1; 64]), (3, vec![2; 9])]));
        let mut delta = Vec::new();
        difference(&one, &one.clone(), &mut delta);
        assert_eq!(delta, [0; HEAD]);
    }

    #[test]
    fn kept_checkpoints_keep_their_bases() {
        for number in 1..1000_u32 {
            for level in 0..10 {
                if is_kept(number, level) {
                    assert!(base(number) == 0 || is_kept(base(number), level));
                }
            }
        }
    }
}
