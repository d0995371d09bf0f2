//! Variable-length numbers in byte streams: seven bits per byte, low bits first.

use crate::sim::codec::Writer;

/// Packed bytes between two flushes. They grow in chunks of a fixed size, so that no byte is moved; the
/// chunks are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream<const CHUNK: usize> {
    /// The current chunk at its full size, and the write position.
    last: Vec<u8>,
    at: usize,
    /// The full chunks, without their unused ends.
    full: Vec<Vec<u8>>,
    num_full: usize,
    spare: Vec<Vec<u8>>,
}

impl<const CHUNK: usize> Stream<CHUNK> {
    /// Appends the first `len` bytes of an array. The whole array is written, because a copy of fixed length
    /// compiles to no function call.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        let room = self.last.get_mut(self.at..);
        match room.and_then(|room| room.first_chunk_mut()) {
            Some(place) => *place = bytes,
            None => self.start_chunk(&bytes),
        }
        self.at += len;
    }

    /// Appends bytes.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(CHUNK) {
            match self.last.get_mut(self.at..self.at + bytes.len()) {
                Some(place) => place.copy_from_slice(bytes),
                None => self.start_chunk(bytes),
            }
            self.at += bytes.len();
        }
    }

    /// Starts the next chunk.
    #[cold]
    fn start_chunk(&mut self, bytes: &[u8]) {
        let mut chunk = self.spare.pop().unwrap_or_else(|| vec![0; CHUNK]);
        chunk.resize(CHUNK, 0);
        chunk[..bytes.len()].copy_from_slice(bytes);
        let mut full = std::mem::replace(&mut self.last, chunk);
        full.truncate(self.at);
        self.num_full += self.at;
        self.at = 0;
        if !full.is_empty() {
            self.full.push(full);
        }
    }

    /// The number of bytes.
    pub(super) const fn len(&self) -> usize {
        self.num_full + self.at
    }

    /// Flushes the bytes.
    pub(super) fn flush(&mut self, to: &mut Writer) {
        for chunk in &self.full {
            to.raw(chunk);
        }
        to.raw(&self.last[..self.at]);
        self.spare.append(&mut self.full);
        self.num_full = 0;
        self.at = 0;
    }
}

/// A few bytes that are assembled before they are appended to a stream.
pub(super) struct Bytes {
    bytes: [u8; 32],
    len: usize,
}

impl Bytes {
    #[inline(always)]
    pub(super) const fn of(first: u8) -> Self {
        let mut bytes = [0; 32];
        bytes[0] = first;
        Self { bytes, len: 1 }
    }

    #[inline(always)]
    pub(super) const fn push(&mut self, byte: u8) {
        self.bytes[self.len & 31] = byte;
        self.len += 1;
    }

    #[inline(always)]
    pub(super) const fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.push(value as u8);
    }

    /// The bytes padded with zeros, and their number.
    #[inline(always)]
    pub(super) const fn padded(&self) -> ([u8; 32], usize) {
        (self.bytes, self.len)
    }

    /// Appends the bytes. The whole array is appended and then truncated, because a copy of fixed length
    /// compiles to no function call.
    #[inline(always)]
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        let len = bytes.len() + self.len;
        bytes.extend_from_slice(&self.bytes);
        bytes.truncate(len);
    }
}

pub(super) fn write_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

pub(super) fn read_varint(bytes: &[u8], offset: &mut usize) -> u64 {
    let mut value = 0;
    let mut shift = 0;
    while let Some(byte) = bytes.get(*offset) {
        *offset += 1;
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 || shift > 63 {
            break;
        }
    }
    value
}

pub(super) const fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

pub(super) const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}
