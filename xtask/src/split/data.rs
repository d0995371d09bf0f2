//! Which data go to which part.
//!
//! The linker's relocations say exactly which datum each function and each datum refers to. What no
//! function of the first part can reach in any number of steps goes to the second part: code of the
//! first part can come by its address only through code of the second.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{
    BinaryReader, KnownCustom, Linking, LinkingSectionReader, Parser, Payload, RelocSectionReader,
    RelocationType, SymbolInfo,
};

use super::module::{Module, Segment};

/// Data of the two parts.
pub(crate) struct Shares<'a> {
    pub(crate) first: Vec<Segment<'a>>,
    pub(crate) second: Vec<Segment<'a>>,
}

impl<'a> Shares<'a> {
    /// All data in the first part.
    pub(crate) fn all_first(module: &Module<'a>) -> Self {
        Self {
            first: module.data.clone(),
            second: Vec::new(),
        }
    }

    /// Deals the data out. `reached` are addresses of data that the first part may use.
    pub(crate) fn deal(module: &Module<'a>, reached: &Addresses) -> Self {
        let mut shares = Self {
            first: Vec::new(),
            second: Vec::new(),
        };
        for segment in &module.data {
            let mut at = segment.at;
            let end = segment.at + segment.bytes.len() as u32;
            while at < end {
                let (is_first, until) = reached.run(at, end);
                let part = Segment {
                    at,
                    bytes: &segment.bytes[(at - segment.at) as usize..(until - segment.at) as usize],
                };
                if is_first {
                    shares.first.push(part);
                } else {
                    shares.second.push(part);
                }
                at = until;
            }
        }
        shares
    }
}

/// A gap shorter than this is filled: a segment of its own would weigh as much.
const GAP: u32 = 16;

/// Ranges of addresses, without overlaps and short gaps.
pub(crate) struct Addresses(Vec<Range<u32>>);

impl Addresses {
    fn of(mut ranges: Vec<Range<u32>>) -> Self {
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<u32>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end + GAP => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        Self(merged)
    }

    /// Whether an address is in, and up to where the same holds.
    fn run(&self, at: u32, end: u32) -> (bool, u32) {
        let next = self.0.partition_point(|range| range.end <= at);
        match self.0.get(next) {
            Some(range) if range.start <= at => (true, range.end.min(end)),
            Some(range) => (false, range.start.min(end)),
            None => (false, end),
        }
    }
}

/// What a linked module says of its data.
#[derive(Default)]
pub(crate) struct References {
    /// The addresses of each data symbol.
    symbols: BTreeMap<u32, Range<u32>>,
    /// The numbers in each function's code that are addresses, and the data symbols they belong to, by
    /// the function's name as the linker has it.
    by_function: Vec<(String, BTreeSet<(u32, u32)>)>,
    /// The data symbols whose addresses are in a data symbol.
    by_symbol: BTreeMap<u32, BTreeSet<u32>>,
    /// Addresses that belong to no symbol.
    loose: Vec<Range<u32>>,
}

impl References {
    /// Reads them from a module that was linked with `--emit-relocs`.
    pub(crate) fn read(linked: &[u8]) -> Result<Self, String> {
        let module = Module::read(linked)?;
        let sections = Sections::read(linked)?;
        let linking = sections.linking.as_ref().ok_or("the linker left no symbols")?;
        let mut references = Self::default();
        // Where relocations aim: the address of each data symbol.
        let mut spans = Vec::new();
        for subsection in linking.subsections() {
            let Linking::SymbolTable(symbols) = subsection.map_err(told)? else {
                continue;
            };
            for (number, symbol) in (0..).zip(symbols) {
                let SymbolInfo::Data {
                    symbol: Some(place), ..
                } = symbol.map_err(told)?
                else {
                    continue;
                };
                let Some(segment) = module.data.get(place.index as usize) else {
                    continue;
                };
                let at = segment.at + place.offset;
                let range = at..at + place.size;
                references.symbols.insert(number, range.clone());
                spans.push((range, number));
            }
        }
        spans.sort_by_key(|(range, number)| (range.start, range.end, *number));
        references.by_code(linked, &module, &sections)?;
        references.by_data(linked, &module, &sections, &spans)?;
        let mut at = None::<u32>;
        for segment in &module.data {
            let end = segment.at + segment.bytes.len() as u32;
            let mut from = at.unwrap_or(0).max(segment.at);
            for (range, _) in spans
                .iter()
                .filter(|(range, _)| range.start < end && range.end > segment.at)
            {
                if range.start > from {
                    references.loose.push(from..range.start);
                }
                from = from.max(range.end);
            }
            if from < end {
                references.loose.push(from..end);
            }
            at = Some(end);
        }
        Ok(references)
    }

    /// Addresses that a relocation asks for, held against what the linker wrote.
    fn check(&self, found: u32, symbol: u32, addend: i64) -> Result<(), String> {
        let wanted = self
            .symbols
            .get(&symbol)
            .map(|range| i64::from(range.start) + addend);
        if wanted.is_none_or(|wanted| wanted as u32 == found) {
            return Ok(());
        }
        Err(format!(
            "a relocation aims at {wanted:?}, but the linker wrote {found}"
        ))
    }

    fn by_code(&mut self, linked: &[u8], module: &Module<'_>, sections: &Sections<'_>) -> Result<(), String> {
        let Some(relocs) = &sections.code else {
            return Err("the linker left no relocations of the code".to_owned());
        };
        let bodies: Vec<Range<usize>> = module
            .bodies
            .iter()
            .map(wasmparser::FunctionBody::range)
            .collect();
        let mut named = vec![BTreeSet::new(); bodies.len()];
        for entry in relocs.entries() {
            let entry = entry.map_err(told)?;
            let at = sections.code_start + entry.offset as usize;
            let found = match entry.ty {
                RelocationType::MemoryAddrLeb => leb(&linked[at..], false)?,
                RelocationType::MemoryAddrSleb => leb(&linked[at..], true)?,
                RelocationType::TypeIndexLeb
                | RelocationType::FunctionIndexLeb
                | RelocationType::TableIndexSleb
                | RelocationType::GlobalIndexLeb
                | RelocationType::TableNumberLeb => continue,
                other => return Err(format!("a relocation of a kind that is not known: {other:?}")),
            };
            self.check(found, entry.index, entry.addend)?;
            let function = bodies.partition_point(|body| body.end <= at);
            if let Some(named) = named.get_mut(function) {
                named.insert((found, entry.index));
            }
        }
        let num_imports = module.imports.len();
        for (number, named) in named.into_iter().enumerate() {
            if !named.is_empty() {
                let name = module.names[num_imports + number].clone();
                self.by_function.push((name, named));
            }
        }
        Ok(())
    }

    fn by_data(
        &mut self,
        linked: &[u8],
        module: &Module<'_>,
        sections: &Sections<'_>,
        spans: &[(Range<u32>, u32)],
    ) -> Result<(), String> {
        let Some(relocs) = &sections.data else {
            return Ok(());
        };
        let start = linked.as_ptr() as usize;
        for entry in relocs.entries() {
            let entry = entry.map_err(told)?;
            let at = sections.data_start + entry.offset as usize;
            match entry.ty {
                RelocationType::MemoryAddrI32 => {}
                RelocationType::TableIndexI32 => continue,
                other => return Err(format!("a relocation of a kind that is not known: {other:?}")),
            }
            let word = linked.get(at..at + 4).and_then(|word| word.try_into().ok());
            let found = u32::from_le_bytes(word.ok_or("a relocation beyond the data")?);
            self.check(found, entry.index, entry.addend)?;
            let address = (module.data.iter())
                .find_map(|segment| {
                    let from = segment.bytes.as_ptr() as usize - start;
                    let inside = at.checked_sub(from)?;
                    (inside < segment.bytes.len()).then(|| segment.at + inside as u32)
                })
                .ok_or("a relocation outside of the data")?;
            let before = spans.partition_point(|(range, _)| range.start <= address);
            let mut holders = 0;
            // Symbols may lie in one another; few do.
            for (range, number) in spans[..before].iter().rev().take(64) {
                if range.contains(&address) {
                    self.by_symbol.entry(*number).or_default().insert(entry.index);
                    holders += 1;
                }
            }
            if holders == 0 {
                return Err(format!("an address at {address}, which no symbol holds"));
            }
        }
        Ok(())
    }

    /// The addresses that functions may come to use: `is_used` says of a function and a number in its
    /// code whether the number is still in code that counts.
    pub(crate) fn reached(&self, is_used: impl Fn(&str, u32) -> bool) -> Addresses {
        let mut open: Vec<u32> = (self.by_function.iter())
            .flat_map(|(name, named)| named.iter().map(move |(number, symbol)| (name, number, symbol)))
            .filter(|(name, number, _)| is_used(name, **number))
            .map(|(_, _, symbol)| *symbol)
            .collect();
        let mut seen = BTreeSet::new();
        let mut ranges = self.loose.clone();
        while let Some(symbol) = open.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            ranges.extend(self.symbols.get(&symbol).cloned());
            open.extend(self.by_symbol.get(&symbol).into_iter().flatten());
        }
        Addresses::of(ranges)
    }
}

fn told(error: wasmparser::BinaryReaderError) -> String {
    format!("the linked module cannot be read: {error}")
}

/// The number of an immediate.
fn leb(bytes: &[u8], signed: bool) -> Result<u32, String> {
    let mut reader = BinaryReader::new(bytes, 0);
    if signed {
        reader.read_var_i32().map(|value| value as u32).map_err(told)
    } else {
        reader.read_var_u32().map_err(told)
    }
}

/// The sections of a linked module that speak of data.
#[derive(Default)]
struct Sections<'a> {
    code_start: usize,
    data_start: usize,
    linking: Option<LinkingSectionReader<'a>>,
    code: Option<RelocSectionReader<'a>>,
    data: Option<RelocSectionReader<'a>>,
}

impl<'a> Sections<'a> {
    fn read(linked: &'a [u8]) -> Result<Self, String> {
        let mut sections = Self::default();
        for payload in Parser::new(0).parse_all(linked) {
            match payload.map_err(told)? {
                Payload::CodeSectionStart { range, .. } => sections.code_start = range.start,
                Payload::DataSection(section) => sections.data_start = section.range().start,
                Payload::CustomSection(section) => match section.as_known() {
                    KnownCustom::Linking(linking) => sections.linking = Some(linking),
                    KnownCustom::Reloc(relocs) if section.name() == "reloc.CODE" => {
                        sections.code = Some(relocs);
                    }
                    KnownCustom::Reloc(relocs) if section.name() == "reloc.DATA" => {
                        sections.data = Some(relocs);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(sections)
    }
}
