//! Machines at some cycles of a run, each kept as what differs from an earlier one.
//!
//! Checkpoint `n` (from 1) is written against the one whose number lacks the lowest bit of `n`: 6 (110)
//! against 4 (100), 4 against the start. So a machine is had again in as many steps as its number has
//! bits, and wherever every other checkpoint is dropped, nobody misses the one that it needs.

use std::sync::OnceLock;

use super::TraceOptions;
use super::bytes::{read_varint, write_varint};
use super::wire::{Opened, Parts};
use crate::ids::Cycle;
use crate::sim::codec::Writer;
use crate::sim::machine::{Image, Machine};

/// Bytes that are the same on both sides and end a stretch that is not.
const SAME: usize = 8;

/// The side that simulates: takes images, and keeps those that the next ones are written against.
#[derive(Debug)]
pub(super) struct CheckpointMaker {
    start: Machine,
    /// Numbers and images; each is the one against which the next in the list was written.
    path: Vec<(u32, Image)>,
    /// Numbers of the checkpoints that stay, and their bytes.
    kept: Vec<(u32, usize)>,
    /// Only numbers that end in so many zeros stay.
    level: u32,
    since: u64,
    limits: TraceOptions,
    bytes: usize,
    /// Not yet handed on.
    fresh: Vec<Checkpoint>,
}

/// A machine before a cycle, as the difference to another.
#[derive(Clone, Debug)]
struct Checkpoint {
    number: u32,
    cycle: Cycle,
    delta: Vec<u8>,
}

impl CheckpointMaker {
    /// Begins with the machine before its first cycle. All checkpoints stay within the limits as long as
    /// two do.
    pub(super) fn new(start: &Machine, limits: &TraceOptions) -> Self {
        Self {
            start: start.clone(),
            path: Vec::new(),
            kept: Vec::new(),
            level: 0,
            since: 0,
            limits: *limits,
            bytes: 0,
            fresh: Vec::new(),
        }
    }

    /// The machine before its first cycle.
    pub(super) const fn start(&self) -> &Machine {
        &self.start
    }

    /// Tells what the last stretch cost (cycles and issues) and keeps the machine if it is time.
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
        let delta = difference(&image, other);
        self.bytes += delta.len();
        self.kept.push((number, delta.len()));
        self.path.push((number, image));
        self.fresh.push(Checkpoint {
            number,
            cycle: machine.cycle(),
            delta,
        });
        while self.bytes > self.limits.checkpoint_bytes && self.kept.len() > 2 {
            self.level += 1;
            let level = self.level;
            self.kept.retain(|(number, _)| stays(*number, level));
            self.fresh.retain(|checkpoint| stays(checkpoint.number, level));
            self.bytes = self.kept.iter().map(|(_, bytes)| bytes).sum();
        }
    }

    /// Hands on the checkpoints that are new.
    pub(super) fn hand_on(&mut self, to: &mut Parts) {
        to.head.put(&self.level);
        to.head.put(&(self.fresh.len() as u32));
        for checkpoint in self.fresh.drain(..) {
            to.head.put(&checkpoint.number);
            to.head.put(&checkpoint.cycle);
            to.head.put(&(checkpoint.delta.len() as u32));
            to.machines.raw(&checkpoint.delta);
        }
    }
}

/// Number of the checkpoint against which another is written.
const fn base(number: u32) -> u32 {
    number & (number - 1)
}

const fn stays(number: u32, level: u32) -> bool {
    number.trailing_zeros() >= level
}

/// The side that is asked.
#[derive(Debug)]
pub(super) struct Checkpoints {
    start: Machine,
    start_image: OnceLock<Image>,
    /// In order of number and of time.
    list: Vec<Checkpoint>,
}

impl Checkpoints {
    /// Of a run that begins with a machine.
    pub(super) fn new(start: &Machine) -> Self {
        Self {
            start: start.clone(),
            start_image: OnceLock::new(),
            list: Vec::new(),
        }
    }

    /// Appends what [`CheckpointMaker::hand_on`] gave.
    pub(super) fn append(&mut self, from: &mut Opened) {
        let level: u32 = from.head.get();
        self.list.retain(|checkpoint| stays(checkpoint.number, level));
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

    /// Memory that they take, in bytes.
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

    /// How many there are.
    #[cfg(test)]
    pub(super) const fn num(&self) -> usize {
        self.list.len()
    }

    /// The cycle of a checkpoint, from 0 for the start.
    pub(super) fn cycle(&self, place: usize) -> Cycle {
        place
            .checked_sub(1)
            .map_or(Cycle(0), |place| self.list[place].cycle)
    }

    /// The last one whose next cycle is `cycle` or earlier.
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

/// Sections by name: where they begin and end.
fn sections(image: &Image) -> Vec<(u64, usize, usize)> {
    let mut start = 0;
    let mut sections: Vec<_> = image
        .sections
        .iter()
        .map(|(name, end)| {
            let begin = std::mem::replace(&mut start, *end as usize);
            (*name, begin, *end as usize)
        })
        .collect();
    sections.sort_unstable();
    sections
}

fn section<'a>(image: &'a Image, sections: &[(u64, usize, usize)], name: u64) -> &'a [u8] {
    match sections.binary_search_by_key(&name, |(name, ..)| *name) {
        Ok(place) => &image.bytes[sections[place].1..sections[place].2],
        Err(_) => &[],
    }
}

/// What makes `image` of `other`: for each section its name and length, then in turn how many bytes
/// stay and which ones come instead. Beyond the end of the other's section are zeros.
fn difference(image: &Image, other: &Image) -> Vec<u8> {
    let places = sections(other);
    let mut delta = Vec::new();
    let mut padded = Vec::new();
    write_varint(&mut delta, image.sections.len() as u64);
    let (mut start, mut last) = (0, 0);
    for (name, end) in &image.sections {
        let new = &image.bytes[start..*end as usize];
        start = *end as usize;
        let mut old = section(other, &places, *name);
        if old.len() < new.len() {
            padded.clear();
            padded.extend_from_slice(old);
            padded.resize(new.len(), 0);
            old = &padded;
        }
        write_varint(&mut delta, name.wrapping_sub(last));
        last = *name;
        write_varint(&mut delta, new.len() as u64);
        let same = |at: usize| new[at..].starts_with(&old[at..(at + SAME).min(new.len())]);
        let mut at = 0;
        while at < new.len() {
            let from = at;
            while at < new.len() && same(at) {
                at = (at + SAME).min(new.len());
            }
            while at < new.len() && new[at] == old[at] {
                at += 1;
            }
            write_varint(&mut delta, (at - from) as u64);
            if at == new.len() {
                break;
            }
            let from = at;
            while at < new.len() && !same(at) {
                at = (at + 4).min(new.len());
            }
            write_varint(&mut delta, (at - from) as u64);
            delta.extend_from_slice(&new[from..at]);
        }
    }
    delta
}

/// The image that [`difference`] was asked about.
fn changed(other: &Image, delta: &[u8]) -> Option<Image> {
    let places = sections(other);
    let mut at = 0;
    let number = |at: &mut usize| (*at < delta.len()).then(|| read_varint(delta, at));
    let num = number(&mut at)?;
    let mut image = Image {
        bytes: Vec::with_capacity(other.bytes.len() + delta.len()),
        sections: Vec::new(),
    };
    let mut name = 0_u64;
    for _ in 0..num {
        name = name.wrapping_add(number(&mut at)?);
        let len = number(&mut at)? as usize;
        let old = section(other, &places, name);
        let start = image.bytes.len();
        // Nothing grows by more than what it says.
        if len > old.len() + (1 << 26) {
            return None;
        }
        image.bytes.extend_from_slice(&old[..old.len().min(len)]);
        image.bytes.resize(start + len, 0);
        let mut done = 0;
        while done < len {
            done += number(&mut at)? as usize;
            if done >= len {
                break;
            }
            let num = number(&mut at)? as usize;
            let new = delta.get(at..at.checked_add(num)?)?;
            image
                .bytes
                .get_mut(start + done..start + done + num)?
                .copy_from_slice(new);
            if num == 0 || done + num > len {
                return None;
            }
            at += num;
            done += num;
        }
        image.sections.push((name, image.bytes.len() as u32));
    }
    (at == delta.len()).then_some(image)
}

/// A checksum of a machine's whole state.
pub(super) fn digest(machine: &Machine, start: &Machine) -> u64 {
    let image = machine.image(start);
    let mut all = Writer::default();
    all.raw(&image.bytes);
    all.digest()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn image(parts: Vec<(u64, Vec<u8>)>) -> Image {
        let mut to = Writer::default();
        let mut names = Vec::new();
        for (name, bytes) in parts {
            if !names.contains(&name) {
                to.section(name, |to| to.raw(&bytes));
                names.push(name);
            }
        }
        Image {
            bytes: to.bytes,
            sections: to.sections,
        }
    }

    fn parts() -> impl Strategy<Value = Vec<(u64, Vec<u8>)>> {
        let byte = prop_oneof![4 => Just(0_u8), 1 => any::<u8>()];
        prop::collection::vec((0_u64..6, prop::collection::vec(byte, 0..60)), 0..6)
    }

    proptest! {
        #[test]
        fn differences_make_the_image_again(a in parts(), b in parts()) {
            let (a, b) = (image(a), image(b));
            let delta = difference(&a, &b);
            prop_assert_eq!(changed(&b, &delta), Some(a.clone()));
            for len in 0..delta.len() {
                prop_assert_ne!(changed(&b, &delta[..len]), Some(a.clone()));
            }
        }
    }

    #[test]
    fn whoever_stays_finds_what_it_is_written_against() {
        for number in 1..1000_u32 {
            for level in 0..10 {
                if stays(number, level) {
                    assert!(base(number) == 0 || stays(base(number), level));
                }
            }
        }
    }
}
