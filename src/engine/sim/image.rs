//! The image of a machine's state, in sections. An image shares with the machine, and with other images, the
//! parts that copies of a machine share. Unchanged shared parts are neither written nor compared.

use std::borrow::Cow;
use std::sync::Arc;

use super::codec::{Coded, Reader, Writer};
use super::memory::PAGE_BYTES;

/// An image of the state. Everything else follows from the program, the launch, and the options.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Sections by name; none is empty.
    pub sections: Vec<(u64, Part)>,
}

/// The contents of a section. Equality compares the bytes, not their representation.
#[derive(Clone, Debug)]
pub enum Part {
    /// Encoded values.
    Bytes(Arc<[u8]>),
    /// Little-endian words.
    Words(Arc<[u32]>),
    /// A page of memory.
    Page(Arc<[u8; PAGE_BYTES]>),
}

impl Part {
    /// The bytes; copied only if they are stored as words.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Bytes(bytes) => Cow::Borrowed(bytes),
            Self::Page(bytes) => Cow::Borrowed(&bytes[..]),
            Self::Words(words) => {
                let mut bytes = vec![0; words.len() * 4];
                for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(&**words) {
                    *place = word.to_le_bytes();
                }
                Cow::Owned(bytes)
            }
        }
    }

    /// The contents as words, shared if stored as words; `None` if the length is not a multiple of four.
    pub(crate) fn words(&self) -> Option<Arc<[u32]>> {
        if let Self::Words(words) = self {
            return Some(Arc::clone(words));
        }
        let bytes = self.bytes();
        let (words, rest) = bytes.as_chunks();
        rest.is_empty()
            .then(|| words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// The contents as a page, shared if stored as a page; `None` if the length is wrong.
    pub(crate) fn page(&self) -> Option<Arc<[u8; PAGE_BYTES]>> {
        match self {
            Self::Page(page) => Some(Arc::clone(page)),
            Self::Bytes(bytes) => bytes[..].try_into().ok().map(Arc::new),
            Self::Words(_) => None,
        }
    }

    /// Whether both share the same storage and are therefore equal.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bytes(one), Self::Bytes(two)) => Arc::ptr_eq(one, two),
            (Self::Words(one), Self::Words(two)) => Arc::ptr_eq(one, two),
            (Self::Page(one), Self::Page(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.is_shared_with(other) || self.bytes() == other.bytes()
    }
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        self.sections == other.sections
    }
}

/// Kinds of sections, in the order in which an image stores them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Section {
    Whole,
    Sm,
    Warp,
    Lanes,
    Grid,
    Block,
    Pipes,
    Scheduler,
    Requests,
    Queue,
    Misses,
    Far,
    L1,
    L2,
    Constants,
    NextConstants,
    LastConstants,
    TextureUnits,
    Textures,
    NextTextures,
    Page,
}

/// The name of a section: its kind, and its index within the kind.
const fn name(kind: Section, idx: u64) -> u64 {
    (kind as u64) << 48 | idx
}

/// The kind's number and the index of a section.
const fn parts(name: u64) -> (u64, u64) {
    (name >> 48, name & ((1 << 48) - 1))
}

/// Builds an image.
#[derive(Debug, Default)]
pub(crate) struct ImageWriter {
    image: Image,
    buffer: Writer,
}

impl ImageWriter {
    /// Writes a section. State of varying size has sections of its own, so that the other sections keep their
    /// layout.
    pub(crate) fn section(&mut self, kind: Section, idx: u64, write: impl FnOnce(&mut Writer)) {
        self.buffer.bytes.clear();
        write(&mut self.buffer);
        self.part(kind, idx, Part::Bytes(self.buffer.bytes.as_slice().into()));
    }

    /// Writes a section that holds one value.
    pub(crate) fn put<T: Coded>(&mut self, kind: Section, idx: u64, value: &T) {
        self.section(kind, idx, |to| to.put(value));
    }

    /// Adds a shared section.
    pub(crate) fn part(&mut self, kind: Section, idx: u64, part: Part) {
        self.image.sections.push((name(kind, idx), part));
    }

    /// The image, with its sections in order.
    pub(crate) fn finish(mut self) -> Image {
        self.image.sections.sort_by_key(|(name, _)| *name);
        self.image
    }
}

/// Reads an image section by section.
#[derive(Debug)]
pub(crate) struct ImageReader<'a> {
    image: &'a Image,
    num_read: usize,
    damaged: bool,
}

impl<'a> ImageReader<'a> {
    pub(crate) const fn new(image: &'a Image) -> Self {
        Self {
            image,
            num_read: 0,
            damaged: false,
        }
    }

    /// Reads a section that [`ImageWriter::section`] wrote.
    pub(crate) fn section(&mut self, kind: Section, idx: u64, read: impl FnOnce(&mut Reader)) {
        let sections = &self.image.sections;
        let found = sections.binary_search_by_key(&name(kind, idx), |(name, _)| *name);
        let bytes = found.map_or(Cow::Borrowed(&[][..]), |place| sections[place].1.bytes());
        let mut reader = Reader::new(&bytes);
        read(&mut reader);
        self.num_read += 1;
        self.damaged |= !reader.is_good();
    }

    /// Reads a value that [`ImageWriter::put`] wrote.
    pub(crate) fn get<T: Coded>(&mut self, kind: Section, idx: u64, to: &mut T) {
        self.section(kind, idx, |from| *to = from.get());
    }

    /// All sections of a kind.
    pub(crate) fn all(&mut self, kind: Section) -> impl Iterator<Item = (u64, &'a Part)> + use<'a> {
        let sections = &self.image.sections;
        let start = sections.partition_point(|(name, _)| parts(*name).0 < kind as u64);
        let end = sections.partition_point(|(name, _)| parts(*name).0 <= kind as u64);
        self.num_read += end - start;
        sections[start..end]
            .iter()
            .map(|(name, part)| (parts(*name).1, part))
    }

    /// Records that a section is invalid.
    pub(crate) const fn damage(&mut self) {
        self.damaged = true;
    }

    /// Whether all sections were present and read completely.
    pub(crate) const fn is_good(&self) -> bool {
        !self.damaged && self.num_read == self.image.sections.len()
    }
}
