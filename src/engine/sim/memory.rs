//! Device memory: allocations separated by guard gaps, in pages that copies share.

mod addresses;
mod pages;

use std::sync::Arc;

use thiserror::Error;

use self::pages::Pages;
use super::FaultKind;
use crate::ids::LaneMask;
use crate::isa::{ElemType, Param, ParamType, Program, SymbolSpace, bank0};
use crate::launch::texture::Texture;
use crate::launch::{Argument, CHUNK_BYTES, Fill, Launch, MAX_ADDRESSED_BYTES, MAX_LAUNCH_BYTES, Role};

/// Bytes of a page.
pub(crate) const PAGE_BYTES: usize = CHUNK_BYTES;
/// Bytes of one word for each lane.
const ROW_BYTES: usize = 128;
pub(crate) type Page = Arc<[u8; PAGE_BYTES]>;

/// The first address with 32-bit pointers.
pub const BASE_32: u64 = 0x0010_0000;
/// The first address with 64-bit pointers: above 4 GB, so that errors in the high words show.
pub const BASE_64: u64 = 0x0007_1000_0000;
/// Unused bytes between two allocations: they catch indices that are slightly out of bounds.
pub const GUARD_BYTES: u64 = 4096;
/// The alignment of every allocation, as `cudaMalloc` guarantees.
pub const ALIGNMENT: u64 = 256;

/// One allocation.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Address of its first byte.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// The parameter or variable that owns the allocation.
    pub name: String,
    /// The texture or surface that the allocation holds, if any.
    pub texture: Option<Arc<Texture>>,
    pages: Pages,
}

impl Allocation {
    fn read(&self, offset: u64, out: &mut [u8]) {
        let (page, within) = in_page(offset);
        // Accesses are aligned to their size, so they never cross a page.
        out.copy_from_slice(&self.pages.at(page)[within..within + out.len()]);
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) {
        let (page, within) = in_page(offset);
        self.pages.write_at(page)[within..within + bytes.len()].copy_from_slice(bytes);
    }
}

/// The page of an offset, and the offset in the page. An allocation can be larger than `usize`.
#[inline(always)]
const fn in_page(offset: u64) -> (usize, usize) {
    (
        (offset / PAGE_BYTES as u64) as usize,
        (offset % PAGE_BYTES as u64) as usize,
    )
}

/// An invalid access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadAccess {
    /// The kind: out of bounds or misaligned.
    pub kind: FaultKind,
    /// The faulting lanes.
    pub lanes: LaneMask,
    /// The address of the first faulting lane.
    pub address: u64,
}

/// Global memory. A clone shares all pages until one side writes.
#[derive(Clone, Debug, Default)]
pub struct DeviceMemory {
    allocations: Vec<Allocation>,
}

impl DeviceMemory {
    /// The allocations, by address.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// Allocates memory for `contents` and returns its address.
    pub fn allocate(&mut self, name: &str, contents: &[u8], pointer_bits: u32) -> u64 {
        let mut pages = Pages::default();
        for chunk in contents.chunks(PAGE_BYTES) {
            pages.push(chunk);
        }
        self.add(name, contents.len() as u64, pages, pointer_bits)
    }

    /// Allocates memory for a buffer and returns its address. Its contents are generated page by page.
    pub fn allocate_filled(
        &mut self,
        name: &str,
        fill: &Fill,
        elem: ElemType,
        len: u32,
        pointer_bits: u32,
    ) -> u64 {
        let size = u64::from(elem.bytes()) * u64::from(len);
        let page_len = PAGE_BYTES as u32 / elem.bytes();
        let mut pages = if fill.is_uniform() {
            let page = pages::page_of(&fill.bytes(elem, page_len));
            Pages::repeated(&page, size / PAGE_BYTES as u64)
        } else {
            Pages::default()
        };
        if fill.is_uniform() {
            let rest = fill.bytes(elem, len % page_len);
            if !rest.is_empty() {
                pages.push(&rest);
            }
        } else {
            fill.write(elem, len, &mut |chunk| pages.push(chunk));
        }
        self.add(name, size, pages, pointer_bits)
    }

    fn add(&mut self, name: &str, size: u64, pages: Pages, pointer_bits: u32) -> u64 {
        let base = match self.allocations.last() {
            Some(last) => (last.base + last.size + GUARD_BYTES).next_multiple_of(ALIGNMENT),
            None if pointer_bits == 32 => BASE_32,
            None => BASE_64,
        };
        self.allocations.push(Allocation {
            base,
            size,
            name: name.to_owned(),
            texture: None,
            pages,
        });
        base
    }

    /// Allocates memory for a texture or surface and returns its handle, which is its address.
    pub fn allocate_texture(&mut self, name: &str, texture: &Texture, pointer_bits: u32) -> u64 {
        let handle = self.allocate(name, &texture.stored(), pointer_bits);
        if let Some(allocation) = self.allocations.last_mut() {
            allocation.texture = Some(Arc::new(texture.clone()));
        }
        handle
    }

    /// The texture or surface of a handle.
    pub fn texture(&self, handle: u64) -> Option<&Arc<Texture>> {
        let idx = self
            .allocations
            .binary_search_by_key(&handle, |allocation| allocation.base)
            .ok()?;
        self.allocations[idx].texture.as_ref()
    }

    /// Index of the allocation that holds `size` bytes at `address`.
    #[inline]
    pub fn allocation_of(&self, address: u64, size: u32) -> Option<usize> {
        let after = self
            .allocations
            .partition_point(|allocation| allocation.base <= address);
        let idx = after.checked_sub(1)?;
        let allocation = &self.allocations[idx];
        let offset = address - allocation.base;
        (offset.checked_add(u64::from(size))? <= allocation.size).then_some(idx)
    }

    /// The first byte of the allocation that holds an address; 0 outside every allocation.
    pub(super) fn base_of(&self, address: u64) -> u64 {
        self.allocation_of(address, 1)
            .map_or(0, |idx| self.allocations[idx].base)
    }

    /// An address in words: its allocation and the offset in it, `in+0x40`.
    pub fn place_text(&self, address: u64) -> String {
        match self.allocation_of(address, 1) {
            Some(idx) => {
                let allocation = &self.allocations[idx];
                format!("{}+0x{:x}", allocation.name, address - allocation.base)
            }
            None => format!("0x{address:x}"),
        }
    }

    /// The allocation nearest to an address.
    pub fn nearest(&self, address: u64) -> Option<&Allocation> {
        self.allocations.iter().min_by_key(|allocation| {
            let last = (allocation.base + allocation.size).saturating_sub(1);
            allocation
                .base
                .saturating_sub(address)
                .max(address.saturating_sub(last))
        })
    }

    /// The bytes at an address, or `None` if they are not in one allocation.
    pub fn bytes(&self, address: u64, size: u32) -> Option<Vec<u8>> {
        let allocation = &self.allocations[self.allocation_of(address, size)?];
        let start = address - allocation.base;
        let mut out = Vec::with_capacity(size as usize);
        for offset in start..start + u64::from(size) {
            let (page, within) = in_page(offset);
            out.push(allocation.pages.at(page)[within]);
        }
        Some(out)
    }

    /// All bytes of an allocation; a texture's bytes row by row.
    pub fn allocation_bytes(&self, idx: usize) -> Vec<u8> {
        let allocation = &self.allocations[idx];
        let mut out = Vec::with_capacity(allocation.size as usize);
        for page in allocation.pages.iter() {
            let rest = allocation.size as usize - out.len();
            out.extend_from_slice(&page[..rest.min(PAGE_BYTES)]);
        }
        match &allocation.texture {
            Some(texture) => texture.unstored(&out),
            None => out,
        }
    }

    /// Pages that were written since this memory was `start`, even with unchanged values: index of the
    /// allocation, index of the page in it, and the page.
    pub(crate) fn pages_written<'a>(
        &'a self,
        start: &'a Self,
    ) -> impl Iterator<Item = (u32, u32, &'a Page)> + 'a {
        let allocations = self.allocations.iter().zip(&start.allocations).enumerate();
        allocations.flat_map(|(idx, (now, then))| {
            now.pages
                .replaced(&then.pages)
                .map(move |(page, now)| (idx as u32, page as u32, now))
        })
    }

    /// Pages whose contents differ from `start`.
    pub(crate) fn pages_since<'a>(
        &'a self,
        start: &'a Self,
    ) -> impl Iterator<Item = (u32, u32, &'a [u8; PAGE_BYTES])> + 'a {
        self.pages_written(start)
            .filter(|(allocation, page, now)| start.page(*allocation, *page) != Some(now))
            .map(|(allocation, page, now)| (allocation, page, &**now))
    }

    /// A page.
    pub(crate) fn page(&self, allocation: u32, page: u32) -> Option<&Page> {
        self.allocations
            .get(allocation as usize)?
            .pages
            .get(page as usize)
    }

    /// Replaces a page. Returns false if the page does not exist.
    pub(crate) fn set_page(&mut self, allocation: u32, page: u32, bytes: Page) -> bool {
        let allocation = self.allocations.get_mut(allocation as usize);
        match allocation.filter(|allocation| allocation.pages.has(page as usize)) {
            Some(allocation) => {
                *allocation.pages.at_mut(page as usize) = bytes;
                true
            }
            None => false,
        }
    }

    /// Checks the lanes of an access of `size` bytes per lane.
    ///
    /// # Errors
    /// Returns the lanes whose address is not a multiple of `size` or is outside every allocation.
    pub fn check(&self, addresses: &[u64; 32], mask: u32, size: u32) -> Result<(), BadAccess> {
        if mask == u32::MAX && self.all_in_one(addresses, size) {
            return Ok(());
        }
        let mut misaligned = 0;
        let mut outside = 0;
        let (mut first, mut end) = (1, 0);
        #[expect(
            clippy::needless_range_loop,
            reason = "the index is also the number of the lane"
        )]
        for lane in 0..32 {
            if mask >> lane & 1 == 0 {
                continue;
            }
            let address = addresses[lane];
            if address & u64::from(size - 1) != 0 {
                misaligned |= 1 << lane;
            } else if !(first <= address && address < end) {
                // Neighboring lanes nearly always access the same allocation.
                match self.allocation_of(address, size) {
                    Some(idx) => {
                        let allocation = &self.allocations[idx];
                        first = allocation.base;
                        end = (allocation.base + allocation.size).saturating_sub(u64::from(size) - 1);
                    }
                    None => outside |= 1 << lane,
                }
            }
        }
        bad_lanes(addresses, misaligned, outside)
    }

    /// A fast check: whether all lanes are aligned and in the first lane's allocation. False if unsure.
    #[inline(always)]
    fn all_in_one(&self, addresses: &[u64; 32], size: u32) -> bool {
        let Some(idx) = self.allocation_of(addresses[0], size) else {
            return false;
        };
        let allocation = &self.allocations[idx];
        let end = allocation.size - u64::from(size);
        let (mut bits, mut within) = (0, true);
        for address in addresses {
            bits |= address;
            within &= address.wrapping_sub(allocation.base) <= end;
        }
        within && bits & u64::from(size - 1) == 0
    }

    /// Reads up to 16 bytes at a checked address; zero outside every allocation.
    #[inline]
    pub fn read(&self, address: u64, out: &mut [u8]) {
        if let Some(idx) = self.allocation_of(address, out.len() as u32) {
            let allocation = &self.allocations[idx];
            allocation.read(address - allocation.base, out);
        }
    }

    /// Writes up to 16 bytes at a checked address; ignored outside every allocation.
    #[inline]
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        if let Some(idx) = self.allocation_of(address, bytes.len() as u32) {
            let allocation = &mut self.allocations[idx];
            let offset = address - allocation.base;
            allocation.write(offset, bytes);
        }
    }

    /// The location of the lanes' words if they are consecutive within a page: the allocation, its page, and
    /// the first byte in the page.
    #[inline(always)]
    fn row_at(&self, addresses: &[u64; 32]) -> Option<(usize, usize, usize)> {
        let first = addresses[0];
        let mut differs = 0;
        #[expect(
            clippy::needless_range_loop,
            reason = "this loop is hot, and another form could change its vector instructions"
        )]
        for lane in 0..32 {
            differs |= addresses[lane] ^ first.wrapping_add(4 * lane as u64);
        }
        if differs != 0 {
            return None;
        }
        let idx = self.allocation_of(first, ROW_BYTES as u32)?;
        let (page, within) = in_page(first - self.allocations[idx].base);
        (within + ROW_BYTES <= PAGE_BYTES).then_some((idx, page, within))
    }

    /// Reads one 32-bit word per lane of a checked access. Inactive lanes keep their value in `out`.
    #[inline]
    pub fn read_words(&self, addresses: &[u64; 32], mask: u32, out: &mut [u32; 32]) {
        if mask == u32::MAX
            && let Some((idx, page, within)) = self.row_at(addresses)
        {
            let words = self.allocations[idx].pages.at(page)[within..within + ROW_BYTES]
                .as_chunks()
                .0;
            for (to, word) in out.iter_mut().zip(words) {
                *to = u32::from_le_bytes(*word);
            }
            return;
        }
        let mut page_first = u64::MAX;
        let mut page: Option<&Page> = None;
        for lane in 0..32 {
            if mask >> lane & 1 == 0 {
                continue;
            }
            let address = addresses[lane];
            let within = address.wrapping_sub(page_first);
            if page.is_none() || within >= PAGE_BYTES as u64 {
                let Some(idx) = self.allocation_of(address, 4) else {
                    continue;
                };
                let allocation = &self.allocations[idx];
                let (page_idx, within) = in_page(address - allocation.base);
                page_first = address - within as u64;
                page = Some(allocation.pages.at(page_idx));
            }
            if let Some(page) = page {
                let at = (address - page_first) as usize;
                out[lane] = u32::from_le_bytes([page[at], page[at + 1], page[at + 2], page[at + 3]]);
            }
        }
    }

    /// Writes one 32-bit word per lane of a checked access, lowest lane first.
    #[inline]
    pub fn write_words(&mut self, addresses: &[u64; 32], mask: u32, words: &[u32; 32]) {
        if mask == u32::MAX
            && let Some((idx, page, within)) = self.row_at(addresses)
        {
            let page = self.allocations[idx].pages.write_at(page);
            let places = page[within..within + ROW_BYTES].as_chunks_mut().0;
            for (place, word) in places.iter_mut().zip(words) {
                *place = word.to_le_bytes();
            }
            return;
        }
        let mut rest = mask;
        while rest != 0 {
            let address = addresses[rest.trailing_zeros() as usize];
            let Some(idx) = self.allocation_of(address, 4) else {
                return;
            };
            let allocation = &mut self.allocations[idx];
            let (page_idx, within) = in_page(address - allocation.base);
            let page_first = address - within as u64;
            let page = allocation.pages.write_at(page_idx);
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                let at = addresses[lane].wrapping_sub(page_first);
                if at >= PAGE_BYTES as u64 {
                    break;
                }
                page[at as usize..at as usize + 4].copy_from_slice(&words[lane].to_le_bytes());
                rest &= rest - 1;
            }
        }
    }
}

/// The error of an access with faulting lanes, if any; misaligned lanes have priority.
///
/// # Errors
/// Returns an error if one of the masks is not empty.
pub fn bad_lanes(addresses: &[u64; 32], misaligned: u32, outside: u32) -> Result<(), BadAccess> {
    let (kind, lanes) = match (misaligned, outside) {
        (0, 0) => return Ok(()),
        (0, outside) => (FaultKind::OutOfBounds, outside),
        (misaligned, _) => (FaultKind::Misaligned, misaligned),
    };
    Err(BadAccess {
        kind,
        lanes: LaneMask(lanes),
        address: addresses[lanes.trailing_zeros() as usize],
    })
}

/// A reason why a launch cannot be set up.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SetupError {
    /// The number of arguments is wrong.
    #[error("The kernel {kernel} takes {expected} arguments, but the launch passes {given}.")]
    NumArguments {
        /// The kernel.
        kernel: String,
        /// Number of parameters.
        expected: usize,
        /// Number of arguments passed.
        given: usize,
    },
    /// A number is passed for a pointer, or a pointer for a number.
    #[error("Argument {position} ({name}) must be {expected}.")]
    ArgumentKind {
        /// The position, from 1.
        position: usize,
        /// The parameter's name.
        name: String,
        /// The expected kind.
        expected: String,
    },
    /// The buffers take more memory than the limit in total.
    #[error(
        "The buffers of the launch take {} MB in total: {buffers}. A launch has at most {} MB; make the buffers shorter.",
        bytes.div_ceil(1 << 20), MAX_LAUNCH_BYTES >> 20
    )]
    TooMuchMemory {
        /// Bytes of all buffers.
        bytes: u64,
        /// The largest buffers with their sizes, as text.
        buffers: String,
    },
    /// The buffers take more addresses than the limit in total.
    #[error(
        "The buffers of the launch take {} GB in total, and a launch has at most {} GB; make the buffers shorter.",
        bytes.div_ceil(1 << 30), MAX_ADDRESSED_BYTES >> 30
    )]
    TooFarApart {
        /// Bytes of all buffers.
        bytes: u64,
    },
    /// The program has no such variable.
    #[error("The program has no __constant__ or __device__ variable named {0}.")]
    UnknownSymbol(String),
    /// An address leads to memory that the launch does not have.
    #[error("{name} points to memory that the launch does not have.")]
    Target {
        /// The argument, buffer, or variable with the address.
        name: String,
    },
    /// The contents are larger than the variable.
    #[error("The contents of {name} take {given} bytes, but the variable has {size}.")]
    SymbolTooLong {
        /// The variable.
        name: String,
        /// Bytes of the contents.
        given: u64,
        /// Bytes of the variable.
        size: u32,
    },
}

/// Names and sizes of the largest buffers of a launch: `in 256 MB, out 128 MB, and 3 more`.
fn largest_buffers(program: &Program, launch: &Launch) -> String {
    /// Limit of buffers that are named. Assumption: these take most of the memory.
    const NAMED: usize = 4;
    let mut all: Vec<(u64, String)> = launch
        .args
        .iter()
        .map(Argument::stored_bytes)
        .zip((0..).map(|idx| argument_name(program, launch, idx)))
        .collect();
    all.retain(|(bytes, _)| *bytes > 0);
    all.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
    let named: Vec<String> = (all.iter().take(NAMED))
        .map(|(bytes, name)| format!("{name} {} MB", bytes.div_ceil(1 << 20)))
        .collect();
    match all.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{}, and {more} more", named.join(", ")),
    }
}

/// The name of an argument: its parameter's, or that of the address which leads to its memory.
pub fn argument_name(program: &Program, launch: &Launch, idx: usize) -> String {
    let names = |idx: usize| program.params.get(idx).map(|param| param.name.as_str());
    names(idx).map_or_else(|| launch.name_beyond(names, idx), str::to_owned)
}

/// The location of an argument's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferPlace {
    /// Index of the argument.
    pub argument: usize,
    /// Index of the allocation.
    pub allocation: usize,
    /// The role of the argument.
    pub role: Role,
    /// Bytes from the start of the allocation to where the argument points, at most `end`.
    pub start: u64,
    /// Bytes from the start of the allocation to the end of the argument's memory.
    pub end: u64,
}

impl BufferPlace {
    /// The bytes that the argument shows, at most this many.
    pub fn first_bytes(&self, memory: &DeviceMemory, most: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.each_chunk(memory, &mut |chunk| {
            let room = most.saturating_sub(bytes.len() as u64).min(chunk.len() as u64);
            bytes.extend_from_slice(&chunk[..room as usize]);
            room == chunk.len() as u64
        });
        bytes
    }

    /// Visits the bytes that the argument shows in chunks, in order, until the visitor returns false.
    pub fn each_chunk(&self, memory: &DeviceMemory, visit: &mut dyn FnMut(&[u8]) -> bool) {
        let allocation = &memory.allocations[self.allocation];
        if allocation.texture.is_some() {
            visit(&memory.allocation_bytes(self.allocation));
            return;
        }
        let end = self.end.min(allocation.size);
        let mut at = self.start;
        while at < end {
            let (page, within) = in_page(at);
            let len = ((PAGE_BYTES - within) as u64).min(end - at);
            if !visit(&allocation.pages.at(page)[within..within + len as usize]) {
                return;
            }
            at += len;
        }
    }
}

/// The first address of the buffer of each of these arguments, and the address after its last; empty without a buffer.
pub(super) fn buffer_ranges(
    memory: &DeviceMemory,
    buffers: &[BufferPlace],
    arguments: &[usize],
) -> Vec<(u64, u64)> {
    let range = |argument: &usize| {
        let place = buffers.iter().find(|place| place.argument == *argument)?;
        let allocation = memory.allocations().get(place.allocation)?;
        Some((allocation.base, allocation.base + allocation.size))
    };
    arguments
        .iter()
        .map(|argument| range(argument).unwrap_or_default())
        .collect()
}

/// The contents of memory after a run.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// Global memory.
    pub device: DeviceMemory,
    /// Buffers, in argument order.
    pub buffers: Vec<BufferPlace>,
}

impl Outputs {
    /// The bytes of an argument's buffer.
    pub fn argument(&self, argument: usize) -> Option<Vec<u8>> {
        let place = self.buffers.iter().find(|place| place.argument == argument)?;
        Some(place.first_bytes(&self.device, u64::MAX))
    }

    /// The first bytes of an argument's buffer, at most this many.
    pub fn first_of(&self, argument: usize, most: u64) -> Option<Vec<u8>> {
        let place = self.buffers.iter().find(|place| place.argument == argument)?;
        Some(place.first_bytes(&self.device, most))
    }

    /// The places of the buffers that are compared with expected contents, in argument order.
    pub fn compared_places(&self) -> impl Iterator<Item = &BufferPlace> {
        self.buffers
            .iter()
            .filter(|place| matches!(place.role, Role::Out | Role::InOut))
    }

    /// Buffers that are compared with expected contents, in argument order.
    pub fn compared(&self) -> impl Iterator<Item = (usize, Vec<u8>)> {
        self.compared_places()
            .map(|place| (place.argument, place.first_bytes(&self.device, u64::MAX)))
    }
}

/// The contents of memory at kernel start.
#[derive(Clone, Debug)]
pub struct InitialMemory {
    /// Global memory with all buffers and the program's variables.
    pub device: DeviceMemory,
    /// Constant bank 0.
    pub bank0: Vec<u8>,
    /// Constant bank 3.
    pub bank3: Vec<u8>,
    /// Buffers, in argument order.
    pub buffers: Vec<BufferPlace>,
}

impl InitialMemory {
    /// Places the arguments and variables of a launch in memory.
    ///
    /// # Errors
    /// Returns an error if the arguments do not match the kernel's parameters.
    pub fn new(program: &Program, launch: &Launch) -> Result<Self, SetupError> {
        if !launch.serves(program.params.len()) {
            return Err(SetupError::NumArguments {
                kernel: program.name.clone(),
                expected: program.params.len(),
                given: launch.args.len(),
            });
        }
        if launch.stored_bytes() > MAX_LAUNCH_BYTES {
            return Err(SetupError::TooMuchMemory {
                bytes: launch.stored_bytes(),
                buffers: largest_buffers(program, launch),
            });
        }
        if launch.memory_bytes() > MAX_ADDRESSED_BYTES {
            return Err(SetupError::TooFarApart {
                bytes: launch.memory_bytes(),
            });
        }
        let params_end = program
            .params
            .iter()
            .map(|param| param.offset + param.size)
            .max()
            .unwrap_or(0);
        let bank0_bytes = u32::from(bank0::PARAMS) + program.param_bytes.max(params_end);
        let mut memory = Self {
            device: DeviceMemory::default(),
            bank0: vec![0; bank0_bytes.next_multiple_of(8) as usize],
            bank3: program.constant_image.clone(),
            buffers: Vec::new(),
        };
        let mut globals = program.global_image.clone();
        memory.fill_symbols(program, launch, &mut globals)?;
        for (idx, (param, argument)) in program.params.iter().zip(&launch.args).enumerate() {
            memory.place_argument(program, idx, param, argument)?;
        }
        for idx in program.params.len()..launch.args.len() {
            memory.place_beyond(program, launch, idx);
        }
        let segment = if globals.is_empty() {
            0
        } else {
            memory
                .device
                .allocate("__device__", &globals, program.pointer_bits)
        };
        memory.place_addresses(program, launch)?;
        let bank = &mut memory.bank0;
        let words = launch.block.into_iter().chain(launch.grid);
        for (word, at) in words.zip((usize::from(bank0::BLOCK_DIM)..).step_by(4)) {
            put(bank, at, &word.to_le_bytes());
        }
        put(bank, usize::from(bank0::GLOBAL_SEGMENT), &segment.to_le_bytes());
        put(
            bank,
            usize::from(bank0::DYNAMIC_SHARED),
            &launch.dynamic_shared.to_le_bytes(),
        );
        Ok(memory)
    }

    fn fill_symbols(
        &mut self,
        program: &Program,
        launch: &Launch,
        globals: &mut Vec<u8>,
    ) -> Result<(), SetupError> {
        for symbol in &program.symbols {
            let image = match symbol.space {
                SymbolSpace::Constant => &mut self.bank3,
                SymbolSpace::Global => &mut *globals,
                SymbolSpace::Shared => continue,
            };
            let end = (symbol.offset + symbol.size) as usize;
            if image.len() < end {
                image.resize(end, 0);
            }
        }
        for fill in &launch.symbols {
            let symbol = program
                .symbols
                .iter()
                .find(|symbol| symbol.name == fill.symbol && symbol.space != SymbolSpace::Shared)
                .ok_or_else(|| SetupError::UnknownSymbol(fill.symbol.clone()))?;
            let given = u64::from(fill.elem.bytes()) * u64::from(fill.len);
            if given > u64::from(symbol.size) {
                return Err(SetupError::SymbolTooLong {
                    name: symbol.name.clone(),
                    given,
                    size: symbol.size,
                });
            }
            let bytes = fill.fill.bytes(fill.elem, fill.len);
            let image = match symbol.space {
                SymbolSpace::Constant => &mut self.bank3,
                _ => &mut *globals,
            };
            put(image, symbol.offset as usize, &bytes);
        }
        Ok(())
    }

    fn place_argument(
        &mut self,
        program: &Program,
        idx: usize,
        param: &Param,
        argument: &Argument,
    ) -> Result<(), SetupError> {
        let wrong = |expected: &str| SetupError::ArgumentKind {
            position: idx + 1,
            name: param.name.clone(),
            expected: expected.to_owned(),
        };
        let at = usize::from(bank0::PARAMS) + param.offset as usize;
        let size = param.size as usize;
        match (&param.ty, argument) {
            (
                ParamType::Pointer { .. } | ParamType::Texture { .. } | ParamType::Scalar(ElemType::U64),
                Argument::Texture(texture),
            ) => {
                let handle = self.place_texture(program, idx, &param.name, texture);
                put(&mut self.bank0, at, &handle.to_le_bytes()[..size.min(8)]);
            }
            (
                ParamType::Pointer { .. } | ParamType::Texture { .. } | ParamType::Scalar(ElemType::U64),
                Argument::Buffer {
                    elem,
                    len,
                    fill,
                    role,
                    start,
                },
            ) => {
                let allocation = self.device.allocations.len();
                let base = self
                    .device
                    .allocate_filled(&param.name, fill, *elem, *len, program.pointer_bits);
                let end = u64::from(elem.bytes()) * u64::from(*len);
                self.buffers.push(BufferPlace {
                    argument: idx,
                    allocation,
                    role: *role,
                    start: u64::try_from(*start).unwrap_or(0).min(end),
                    end,
                });
                let address = base.wrapping_add_signed(*start);
                put(&mut self.bank0, at, &address.to_le_bytes()[..size.min(8)]);
            }
            // A null pointer, or an arbitrary address.
            (
                ParamType::Pointer { .. } | ParamType::Scalar(_) | ParamType::Texture { .. },
                Argument::Scalar { bits, .. },
            ) => {
                put(&mut self.bank0, at, &bits.to_le_bytes()[..size.min(8)]);
            }
            (_, Argument::Bytes(bytes)) if bytes.len() == size => put(&mut self.bank0, at, bytes),
            // Addresses are known when all memory is placed.
            (
                ParamType::Pointer { .. } | ParamType::Texture { .. } | ParamType::Scalar(ElemType::U64),
                Argument::Pointer { .. },
            ) => {}
            (_, Argument::Words(words)) if words.len() * 8 == size => {}
            (ParamType::Pointer { .. }, _) => return Err(wrong("a buffer")),
            (ParamType::Scalar(_), _) => return Err(wrong("a number")),
            (ParamType::Texture { .. }, _) => return Err(wrong("a texture")),
            (ParamType::Bytes, _) => return Err(wrong(&format!("a value of {size} bytes"))),
        }
        Ok(())
    }
}

fn put(image: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = image.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// A word of a constant bank; zero past its end.
#[inline]
pub fn constant_word(bank: &[u8], offset: usize) -> u32 {
    match bank.get(offset..offset + 4) {
        Some(word) => u32::from_le_bytes([word[0], word[1], word[2], word[3]]),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_the_original_overwrites() {
        let mut memory = DeviceMemory::default();
        let base = memory.allocate("a", &[7; 10_000], 64);
        let copy = memory.clone();
        memory.write(base + 8192, &[1, 2, 3, 4]);
        assert_eq!(memory.bytes(base + 8192, 4), Some(vec![1, 2, 3, 4]));
        assert_eq!(copy.bytes(base + 8192, 4), Some(vec![7; 4]));
        assert_eq!(copy.allocation_bytes(0), vec![7; 10_000]);
    }

    #[test]
    fn equal_pages_are_shared_until_they_are_written() {
        let mut memory = DeviceMemory::default();
        let zeros = Fill::of(crate::launch::Pattern::Zero);
        let base = memory.allocate_filled("zeros", &zeros, ElemType::F32, 16 << 20, 64);
        let distinct = |memory: &DeviceMemory| {
            let pages: Vec<&Page> = memory.allocations[0].pages.iter().collect();
            1 + pages
                .windows(2)
                .filter(|pair| !Arc::ptr_eq(pair[0], pair[1]))
                .count()
        };
        assert_eq!((memory.allocations[0].size, distinct(&memory)), (64 << 20, 1));
        let start = memory.clone();
        memory.write(base + 5 * 4096, &[1, 2, 3, 4]);
        assert_eq!(distinct(&memory), 3);
        let written: Vec<(u32, u32)> = memory.pages_since(&start).map(|(a, page, _)| (a, page)).collect();
        assert_eq!(written, [(0, 5)]);
        assert_eq!(memory.bytes(base + 6 * 4096, 4), Some(vec![0; 4]));
    }

    #[test]
    fn generated_pages_equal_the_bytes_of_the_fill() {
        use crate::launch::Pattern;
        for pattern in [
            Pattern::Iota,
            Pattern::Lcg(3),
            Pattern::Perm(4),
            Pattern::Const(2.5),
            Pattern::Unset,
        ] {
            let fill = Fill::of(pattern);
            for (elem, len) in [
                (ElemType::U8, 10_001),
                (ElemType::F16, 2048),
                (ElemType::F64, 1),
                (ElemType::I32, 0),
            ] {
                let mut memory = DeviceMemory::default();
                memory.allocate_filled("a", &fill, elem, len, 64);
                assert_eq!(memory.allocation_bytes(0), fill.bytes(elem, len));
            }
        }
    }

    #[test]
    fn guard_gaps_and_misaligned_addresses_fault() {
        let mut memory = DeviceMemory::default();
        let base = memory.allocate("a", &[0; 100], 32);
        let mut addresses = [base; 32];
        assert_eq!(memory.check(&addresses, u32::MAX, 4), Ok(()));
        addresses[5] = base + 100;
        addresses[6] = base + 96;
        let error = memory.check(&addresses, u32::MAX, 4).unwrap_err();
        assert_eq!(
            (error.kind, error.lanes, error.address),
            (FaultKind::OutOfBounds, LaneMask(32), base + 100)
        );
        addresses[9] = base + 2;
        assert_eq!(
            memory.check(&addresses, u32::MAX, 4).unwrap_err().kind,
            FaultKind::Misaligned
        );
        assert_eq!(memory.check(&addresses, 1, 4), Ok(()));
    }
}
