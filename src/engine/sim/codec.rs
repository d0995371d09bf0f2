//! A binary format for values that cross threads: little-endian numbers of fixed width without separators.
//! Reads never fail: missing bytes read as zero, and the reader reports the error at the end.

use std::collections::VecDeque;

use super::view::{InFlight, QueueEntry, RequestView, StackEntry, StackEntryKind};
use super::{MemoryLevel, RequestKind, WarpState};
use crate::arch::PipeKind;
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::Token;

/// A growing byte buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    /// Appends a value.
    pub(crate) fn put<T: Coded>(&mut self, value: &T) {
        value.encode(self);
    }

    /// Appends raw bytes.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The FNV-1a hash of all bytes, in words of eight bytes.
    pub(crate) fn digest(&self) -> u64 {
        let mut sum = 0xcbf2_9ce4_8422_2325_u64 ^ self.bytes.len() as u64;
        for word in self.bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            sum = (sum ^ u64::from_le_bytes(padded)).wrapping_mul(0x0100_0000_01b3);
            sum ^= sum >> 29;
        }
        sum
    }

    /// Appends a list: the number of values, then the values.
    pub(crate) fn list<'a, T: Coded + 'a>(&mut self, values: impl ExactSizeIterator<Item = &'a T>) {
        self.put(&(values.len() as u32));
        for value in values {
            value.encode(self);
        }
    }

    /// Appends numbers of `N` bytes each.
    fn numbers<const N: usize>(&mut self, bytes: impl ExactSizeIterator<Item = [u8; N]>) {
        let start = self.bytes.len();
        self.bytes.resize(start + bytes.len() * N, 0);
        for (place, bytes) in self.bytes[start..].chunks_exact_mut(N).zip(bytes) {
            place.copy_from_slice(&bytes);
        }
    }
}

/// Bytes that are read from the front.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    damaged: bool,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            damaged: false,
        }
    }

    /// The next value.
    pub(crate) fn get<T: Coded>(&mut self) -> T {
        T::decode(self)
    }

    /// The next `num` bytes; empty if fewer are left.
    pub(crate) fn take(&mut self, num: usize) -> &'a [u8] {
        if let Some((taken, rest)) = self.bytes.split_at_checked(num) {
            self.bytes = rest;
            taken
        } else {
            self.damage();
            &[]
        }
    }

    /// The length of the next list, whose values have at least `least_bytes` bytes each; 0 if too few bytes
    /// are left.
    pub(crate) fn num(&mut self, least_bytes: usize) -> usize {
        let num = self.get::<u32>() as usize;
        if num.saturating_mul(least_bytes.max(1)) > self.bytes.len() {
            self.damage();
            return 0;
        }
        num
    }

    /// Records that the bytes are invalid.
    pub(crate) const fn damage(&mut self) {
        self.damaged = true;
        self.bytes = &[];
    }

    /// Whether all bytes were present and read completely.
    pub(crate) const fn is_good(&self) -> bool {
        !self.damaged && self.bytes.is_empty()
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        if let Some((taken, rest)) = self.bytes.split_first_chunk() {
            self.bytes = rest;
            *taken
        } else {
            self.damage();
            [0; N]
        }
    }
}

/// A value that is encoded as bytes and decoded. Equal values have equal encodings.
pub(crate) trait Coded: Sized {
    fn encode(&self, to: &mut Writer);
    fn decode(from: &mut Reader) -> Self;
    /// Encodes several values.
    #[inline]
    fn encode_all(values: &[Self], to: &mut Writer) {
        for value in values {
            value.encode(to);
        }
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Coded for $number {
            #[inline]
            fn encode(&self, to: &mut Writer) {
                to.bytes.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn decode(from: &mut Reader) -> Self {
                Self::from_le_bytes(from.array())
            }
            #[inline]
            fn encode_all(values: &[Self], to: &mut Writer) {
                to.numbers(values.iter().map(|value| value.to_le_bytes()));
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64);

macro_rules! wrapped {
    ($($name:ident)*) => {$(
        impl Coded for $name {
            #[inline]
            fn encode(&self, to: &mut Writer) {
                self.0.encode(to);
            }
            #[inline]
            fn decode(from: &mut Reader) -> Self {
                Self(from.get())
            }
        }
    )*};
}
wrapped!(Cycle SlotIdx WarpId BlockId Pc LaneMask);

impl Coded for bool {
    fn encode(&self, to: &mut Writer) {
        to.put(&u8::from(*self));
    }
    fn decode(from: &mut Reader) -> Self {
        from.get::<u8>() != 0
    }
}

impl Coded for usize {
    fn encode(&self, to: &mut Writer) {
        to.put(&(*self as u64));
    }
    fn decode(from: &mut Reader) -> Self {
        from.get::<u64>() as Self
    }
}

impl<T: Coded, const N: usize> Coded for [T; N] {
    fn encode(&self, to: &mut Writer) {
        T::encode_all(self, to);
    }
    fn decode(from: &mut Reader) -> Self {
        std::array::from_fn(|_| T::decode(from))
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn encode(&self, to: &mut Writer) {
        to.put(&(self.len() as u32));
        T::encode_all(self, to);
    }
    fn decode(from: &mut Reader) -> Self {
        let num = from.num(1);
        (0..num).map(|_| T::decode(from)).collect()
    }
}

impl<T: Coded> Coded for VecDeque<T> {
    fn encode(&self, to: &mut Writer) {
        to.list(self.iter());
    }
    fn decode(from: &mut Reader) -> Self {
        Vec::decode(from).into()
    }
}

impl<T: Coded> Coded for Box<T> {
    fn encode(&self, to: &mut Writer) {
        T::encode(self, to);
    }
    fn decode(from: &mut Reader) -> Self {
        Self::new(from.get())
    }
}

impl<T: Coded> Coded for Option<T> {
    fn encode(&self, to: &mut Writer) {
        to.put(&self.is_some());
        if let Some(value) = self {
            value.encode(to);
        }
    }
    fn decode(from: &mut Reader) -> Self {
        from.get::<bool>().then(|| T::decode(from))
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn encode(&self, to: &mut Writer) {
        self.0.encode(to);
        self.1.encode(to);
    }
    fn decode(from: &mut Reader) -> Self {
        let first = from.get();
        (first, from.get())
    }
}

/// Implements [`Coded`] for a struct, field by field: `coded!(Name { all, its, fields })`. A missing field is
/// a compile error.
macro_rules! coded {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::sim::codec::Coded for $name {
            fn encode(&self, to: &mut $crate::sim::codec::Writer) {
                let Self { $($field),* } = self;
                $(to.put($field);)*
            }
            fn decode(from: &mut $crate::sim::codec::Reader) -> Self {
                $(let $field = from.get();)*
                Self { $($field),* }
            }
        }
    };
}

/// Implements [`Coded`] for an enum without fields, as its number: `coded_enum!(Name: First, Second)`.
macro_rules! coded_enum {
    ($name:ident: $first:ident $(, $variant:ident)* $(,)?) => {
        impl $crate::sim::codec::Coded for $name {
            fn encode(&self, to: &mut $crate::sim::codec::Writer) {
                to.put(&(*self as u8));
            }
            fn decode(from: &mut $crate::sim::codec::Reader) -> Self {
                const ALL: &[$name] = &[$name::$first $(, $name::$variant)*];
                let number = from.get::<u8>();
                match ALL.iter().find(|variant| **variant as u8 == number) {
                    Some(variant) => *variant,
                    None => {
                        from.damage();
                        $name::$first
                    }
                }
            }
        }
    };
}

pub(crate) use coded;

coded_enum!(
    WarpState: Empty, Selected, NotSelected, Wait, MathPipeThrottle, ShortScoreboard, LongScoreboard,
    MioThrottle, LgThrottle, TexThrottle, Barrier, Membar, BranchResolving, NoInstruction, ImcMiss,
    DispatchStall, Sleeping, Drain, Misc
);
coded_enum!(MemoryLevel: Shared, Constant, Texture, L1, L2, Dram);
coded_enum!(
    RequestKind: SharedLoad, SharedStore, SharedAtomic, GlobalLoad, GlobalStore, GlobalAtomic,
    GlobalReduction, LocalLoad, LocalStore, ConstantLoad, TextureLoad, UniformLoad,
    CopyLoad, CopyStore
);

coded_enum!(PipeKind: Fp32, Int32, Fp64, Xu, Lsu, Adu, Branch, Tensor, Fp16);
coded_enum!(Token: Ssy, Brk, Cont, Ret);
coded!(InFlight {
    slot,
    warp,
    pc,
    started,
    accepted,
    done
});
coded!(QueueEntry {
    slot,
    warp,
    pc,
    pipe,
    entered,
    leaves
});
coded!(RequestView {
    slot,
    warp,
    pc,
    kind,
    level,
    issued,
    started,
    served,
    done,
    passes
});
coded!(StackEntry { kind, target, lanes });

impl Coded for StackEntryKind {
    fn encode(&self, to: &mut Writer) {
        match self {
            Self::Diverged => to.put(&0_u8),
            Self::Call => to.put(&1_u8),
            Self::Token(token) => {
                to.put(&2_u8);
                to.put(token);
            }
        }
    }
    fn decode(from: &mut Reader) -> Self {
        match from.get::<u8>() {
            0 => Self::Diverged,
            1 => Self::Call,
            _ => Self::Token(from.get()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_encoding() {
        let mut to = Writer::default();
        let value = (
            vec![Some(3_u16), None],
            VecDeque::from([(WarpState::Drain, true)]),
        );
        to.put(&value);
        to.put(&[1_u64 << 40, 7]);
        let mut from = Reader::new(&to.bytes);
        assert_eq!(
            from.get::<(Vec<Option<u16>>, VecDeque<(WarpState, bool)>)>(),
            value
        );
        assert_eq!(from.get::<[u64; 2]>(), [1 << 40, 7]);
        assert!(from.is_good());
    }

    #[test]
    fn truncated_bytes_are_detected() {
        let mut to = Writer::default();
        to.put(&vec![1_u32; 9]);
        for len in 0..to.bytes.len() {
            let mut from = Reader::new(&to.bytes[..len]);
            from.get::<Vec<u32>>();
            assert!(!from.is_good(), "{len}");
        }
        let mut from = Reader::new(&[200]);
        assert_eq!(from.get::<WarpState>(), WarpState::Empty);
        assert!(!from.is_good());
    }
}
