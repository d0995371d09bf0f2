//! Conversion of a launch in host code to a simulator launch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::memory::{REASONS, State, UNTOUCHED};
use super::{Contents, HostArg, HostLaunch, HostPointer, HostTexture, HostValue, Number};
use engine::isa::{ElemType, ImageShape, Param, ParamType, Symbol, SymbolSpace};
use engine::launch::addresses::{Owner, Target, Word};
use engine::launch::texture::Texture;
use engine::launch::{Argument, Fill, Launch, Pattern, Repair, Role, SymbolFill, UNWRITTEN_BYTE, f16_bits};

/// Maximum size of a launch buffer in bytes.
const MAX_BUFFER_BYTES: u64 = 64 << 20;

const NARROW: &str = "it holds addresses, which have 4 bytes on this architecture and 8 in host code";

/// What a guess is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GuessOf {
    /// Whether and how the program comes to the launch, such as that an unknown function has no side effects.
    #[default]
    Launch,
    /// The grid.
    Grid,
    /// The block.
    Block,
    /// Dynamic shared memory.
    Shared,
    /// An argument, by its index.
    Argument(u16),
    /// A variable.
    Symbol,
}

/// A part of a launch that is unknown, so that the conversion guesses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guess {
    /// What it is of.
    #[serde(default)]
    pub of: GuessOf,
    /// The guessed part: "the grid", "`n`", "contents of `d_in`".
    pub what: String,
    /// The reason why the part is unknown.
    pub why: String,
}

impl Guess {
    /// Lets a guess of memory follow it. False if no address leads to the memory any more; where an argument that led there
    /// was replaced, the guess is of that argument.
    fn follows(&mut self, repair: &Repair) -> bool {
        let GuessOf::Argument(idx) = &mut self.of else {
            return true;
        };
        let place = repair.places.get(usize::from(*idx)).copied();
        match place.unwrap_or(Some(*idx)).or(repair.replaced.first().copied()) {
            Some(place) => {
                *idx = place;
                true
            }
            None => false,
        }
    }
}

/// A converted launch, and the parts that are unknown.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The launch.
    pub launch: Launch,
    /// The guesses; if there are none, the launch is the same as in the program.
    pub guesses: Vec<Guess>,
    /// Number of arguments that are completely known.
    pub num_read: u32,
    /// The arguments whose memory the host reads after a launch.
    pub read_back: Vec<u16>,
    /// The allocation of each argument that has memory, by the argument's index.
    pub(super) allocations: BTreeMap<usize, u32>,
}

impl HostLaunch {
    /// The launch for a kernel with these parameters and variables. `made_up` supplies the argument for a parameter
    /// without any information.
    pub fn convert(
        &self,
        params: &[Param],
        symbols: &[Symbol],
        made_up: impl Fn(&Param, &Launch) -> Argument,
    ) -> Converted {
        let mut guesses = Vec::new();
        let mut guess = |of: GuessOf, what: &str, why: &str| {
            guesses.push(Guess {
                of,
                what: what.to_owned(),
                why: why.to_owned(),
            });
        };
        // Sizes that CUDA refuses, such as 0 blocks, are the program's own: the launch fails, and nothing is guessed.
        let grid = self.grid.clone().unwrap_or_else(|why| {
            guess(GuessOf::Grid, "the grid", &why);
            [1, 1, 1]
        });
        let block = self.block.clone().unwrap_or_else(|why| {
            guess(GuessOf::Block, "the block", &why);
            [256, 1, 1]
        });
        let dynamic_shared = self.shared.clone().unwrap_or_else(|why| {
            guess(GuessOf::Shared, "dynamic shared memory", &why);
            0
        });
        let mut launch = Launch {
            grid,
            block,
            dynamic_shared,
            args: Vec::new(),
            symbols: Vec::new(),
        };
        let owners = self.owners(params);
        let is_narrow = params
            .iter()
            .any(|param| matches!(param.ty, ParamType::Pointer { .. }) && param.size < 8);
        let (mut num_read, mut read_back) = (0, Vec::new());
        for (idx, param) in params.iter().enumerate() {
            let Some(arg) = self.args.get(idx) else {
                let what = format!("`{}`", param.name);
                guess(
                    GuessOf::Argument(idx as u16),
                    &what,
                    "the launch does not pass it",
                );
                launch.args.push(made_up(param, &launch));
                continue;
            };
            let fallback = || made_up(param, &launch);
            let (argument, why) = match &arg.value {
                HostValue::Buffer(contents) if is_narrow && contents.has_pointers() => {
                    let what = contents.what(&arg.parameter);
                    (fallback(), Some((what, NARROW.to_owned())))
                }
                _ => converted(param, arg, idx, &owners, fallback),
            };
            match why {
                Some((what, why)) => guess(GuessOf::Argument(idx as u16), &what, &why),
                None => num_read += 1,
            }
            if let HostValue::Buffer(contents) = &arg.value
                && contents.is_read_back
            {
                read_back.push(idx as u16);
            }
            launch.args.push(argument);
        }
        for contents in &self.memory {
            let Some(Owner::Argument(at)) = owners.get(&contents.allocation) else {
                continue;
            };
            if usize::from(*at) >= params.len() {
                let elem = contents.elem;
                let (argument, why) = whole(elem, true, "the memory", contents, 0, &owners);
                if let Some((what, why)) = why {
                    guess(GuessOf::Argument(*at), &what, &why);
                }
                launch.args.push(argument);
            }
        }
        for fill in &self.symbols {
            let symbol = symbols.iter().find(|symbol| {
                symbol.space != SymbolSpace::Shared && symbol.name.rsplit("::").next() == Some(&*fill.name)
            });
            let Some(symbol) = symbol.filter(|symbol| symbol.size > 0) else {
                continue;
            };
            let elem = symbol.elem.unwrap_or(if symbol.size.is_multiple_of(4) {
                ElemType::U32
            } else {
                ElemType::U8
            });
            let (data, mut unknown) = fill.contents.bytes();
            unknown = unknown.or_else(|| fill.contents.lost.clone());
            if is_narrow && fill.contents.has_pointers() {
                unknown = Some(NARROW.to_owned());
            }
            if unknown.is_none() && fill.contents.has_pointers() && symbol.size.is_multiple_of(8) {
                let words = fill.contents.words(&data, &owners);
                launch.symbols.push(SymbolFill {
                    symbol: symbol.name.clone(),
                    elem: ElemType::U64,
                    len: words.len() as u32,
                    fill: Fill::of(Pattern::Words(words)),
                });
            } else if unknown.is_none() && data.len() as u64 <= u64::from(symbol.size) {
                let (elem, len, fill) = fill_of(elem, &data);
                launch.symbols.push(SymbolFill {
                    symbol: symbol.name.clone(),
                    elem,
                    len,
                    fill,
                });
            } else {
                guess(
                    GuessOf::Symbol,
                    &format!("`{}`", fill.name),
                    &unknown.unwrap_or_else(|| "its size does not match the variable".to_owned()),
                );
            }
        }
        let written: Vec<String> = launch.symbols.iter().map(|fill| fill.symbol.clone()).collect();
        let repair = launch.repair(params.len(), |idx, before| made_up(&params[idx], before));
        num_read -= (repair.replaced.len() as u32).min(num_read);
        for name in written {
            if launch.symbols.iter().all(|fill| fill.symbol != name) {
                let why = "it holds addresses of memory that is not known";
                guess(GuessOf::Symbol, &format!("`{name}`"), why);
            }
        }
        if let Some(line) = self.condition {
            guess(
                GuessOf::Launch,
                "whether the launch executes",
                &format!("the condition at line {line} is unknown"),
            );
        }
        guesses.retain_mut(|guess| guess.follows(&repair));
        guesses.extend(self.assumed.iter().cloned());
        Converted {
            launch,
            guesses,
            num_read,
            read_back,
            allocations: owners
                .iter()
                .filter_map(|(allocation, owner)| match owner {
                    Owner::Argument(idx) => {
                        let place = (*repair.places.get(usize::from(*idx))?)?;
                        Some((usize::from(place), *allocation))
                    }
                    Owner::Symbol(_) => None,
                })
                .collect(),
        }
    }

    /// What has each allocation in the launch: the first parameter that points into it, a variable, or an argument beyond the
    /// parameters.
    fn owners(&self, params: &[Param]) -> Owners {
        let mut owners = Owners::new();
        for contents in &self.memory {
            if let Some(name) = &contents.symbol {
                owners.insert(contents.allocation, Owner::Symbol(name.clone()));
            }
        }
        for (idx, (param, arg)) in (0..).zip(params.iter().zip(&self.args)) {
            if let (
                ParamType::Pointer { .. } | ParamType::Scalar(ElemType::U64),
                HostValue::Buffer(contents),
            ) = (&param.ty, &arg.value)
            {
                owners.entry(contents.allocation).or_insert(Owner::Argument(idx));
            }
        }
        let mut beyond = params.len() as u16;
        for contents in &self.memory {
            owners.entry(contents.allocation).or_insert_with(|| {
                beyond += 1;
                Owner::Argument(beyond - 1)
            });
        }
        owners
    }
}

/// What has each allocation, by the allocation's index.
type Owners = BTreeMap<u32, Owner>;

/// The place of a pointer in a launch; `None` if the launch does not have its memory.
fn target(pointer: HostPointer, owners: &Owners) -> Option<Target> {
    Some(Target {
        of: owners.get(&pointer.allocation)?.clone(),
        offset: pointer.offset,
    })
}

/// The words of bytes with these pointers.
fn words(data: &[u8], pointers: &[(u64, HostPointer)], owners: &Owners) -> Vec<Word> {
    let mut words: Vec<Word> = data
        .chunks_exact(8)
        .map(|chunk| Word::Bits(bits(chunk)))
        .collect();
    for (at, pointer) in pointers {
        if let Some(word) = words.get_mut((at / 8) as usize) {
            *word = target(*pointer, owners).map_or(Word::Bits(0), Word::Address);
        }
    }
    words
}

impl Contents {
    /// Whether a pointer in it points to memory.
    fn has_pointers(&self) -> bool {
        self.pointers.iter().any(|(_, pointer)| pointer.is_some())
    }

    /// Its bytes as words with its pointers.
    fn words(&self, data: &[u8], owners: &Owners) -> Vec<Word> {
        let pointers: Vec<(u64, HostPointer)> = (self.pointers.iter())
            .filter_map(|(at, pointer)| Some((*at, (*pointer)?)))
            .collect();
        words(data, &pointers, owners)
    }

    /// The bytes of the allocation, and the reason if some are unknown.
    fn bytes(&self) -> (Vec<u8>, Option<String>) {
        let size = self.snapshot.size as usize;
        let why = |state: State| self.reasons.get(&state).cloned();
        if self.snapshot.data.is_empty() {
            let (word, state) = self.snapshot.all;
            let word = if state == UNTOUCHED {
                [UNWRITTEN_BYTE; 8]
            } else {
                word
            };
            let mut bytes = word.repeat(size.div_ceil(8));
            bytes.truncate(size);
            return (bytes, why(state));
        }
        let mut data = self.snapshot.data.clone();
        let mut unknown = None;
        for (byte, state) in data.iter_mut().zip(&self.snapshot.state) {
            if *state == UNTOUCHED {
                *byte = UNWRITTEN_BYTE;
            } else if *state >= REASONS {
                *byte = 0;
                unknown = unknown.or_else(|| why(*state));
            }
        }
        (data, unknown)
    }

    /// The size of the allocation in bytes.
    pub fn size(&self) -> u64 {
        self.snapshot.size
    }

    fn states(&self) -> &[State] {
        if self.snapshot.state.is_empty() {
            std::slice::from_ref(&self.snapshot.all.1)
        } else {
            &self.snapshot.state
        }
    }

    /// The fill of contents in which all elements have one value; `None` for others, and for those that are not known.
    fn one_value(&self, elem: ElemType) -> Option<Fill> {
        let (word, state) = self.snapshot.all;
        if !self.snapshot.data.is_empty() || state >= REASONS {
            return None;
        }
        let element = &word[..elem.bytes() as usize];
        let fill = match word {
            [0, 0, 0, 0, 0, 0, 0, 0] => Fill::of(Pattern::Zero),
            _ => Fill::of(Pattern::Const(value_of(elem, element))),
        };
        let per_word = 8 / elem.bytes();
        (fill.bytes(elem, per_word) == word).then_some(fill)
    }

    /// The reason of the first byte that is not known.
    fn unknown(&self) -> Option<String> {
        let state = self.states().iter().find(|state| **state >= REASONS)?;
        self.reasons.get(state).cloned()
    }

    /// The contents in words, by the name of the allocation or of a parameter.
    fn what(&self, parameter: &str) -> String {
        let name = if self.name.is_empty() {
            parameter
        } else {
            &self.name
        };
        format!("contents of `{name}`")
    }

    /// Whether no store has written the allocation.
    pub fn is_untouched(&self) -> bool {
        self.states().iter().all(|state| *state == UNTOUCHED)
    }

    /// Whether no byte is known.
    fn is_unknown(&self) -> bool {
        self.states().iter().all(|state| *state >= REASONS)
    }
}

/// A converted argument. If a part is unknown, the part and the reason.
fn converted(
    param: &Param,
    arg: &HostArg,
    idx: usize,
    owners: &Owners,
    fallback: impl Fn() -> Argument,
) -> (Argument, Option<(String, String)>) {
    let name = format!("`{}`", param.name);
    let unknown = |why: &str| (fallback(), Some((name.clone(), why.to_owned())));
    match (&param.ty, &arg.value) {
        (_, HostValue::Unknown(why)) => unknown(why),
        (ParamType::Scalar(ty), HostValue::Number(number)) => {
            let bits = bits_of(*ty, *number);
            (Argument::Scalar { ty: *ty, bits }, None)
        }
        (ParamType::Bytes, HostValue::Bytes(bytes)) if bytes.len() == param.size as usize => {
            (Argument::Bytes(bytes.clone()), None)
        }
        (ParamType::Pointer { .. }, HostValue::Null) => {
            let null = Argument::Scalar {
                ty: ElemType::U64,
                bits: 0,
            };
            (null, None)
        }
        (ParamType::Bytes, HostValue::Struct(bytes, pointers))
            if bytes.len() == param.size as usize && bytes.len().is_multiple_of(8) =>
        {
            (Argument::Words(words(bytes, pointers, owners)), None)
        }
        (ParamType::Bytes, HostValue::Struct(..)) => {
            unknown("its layout on this architecture differs from the host's")
        }
        (ParamType::Pointer { .. } | ParamType::Scalar(ElemType::U64), HostValue::Invalid(bits)) => {
            let address = Argument::Scalar {
                ty: ElemType::U64,
                bits: *bits,
            };
            (address, None)
        }
        (ParamType::Pointer { elem, .. }, HostValue::Buffer(contents)) => {
            buffer(*elem, arg, idx, contents, owners, fallback)
        }
        (ParamType::Scalar(ElemType::U64), HostValue::Buffer(contents)) => {
            buffer(None, arg, idx, contents, owners, fallback)
        }
        (
            ParamType::Texture {
                shape, is_surface, ..
            },
            HostValue::Texture(texture),
        ) => image(*shape, *is_surface, texture, &name, fallback),
        // Only passed on, or fetched by index.
        (ParamType::Pointer { .. } | ParamType::Scalar(ElemType::U64), HostValue::Texture(texture)) => {
            image(texture.shape, false, texture, &name, fallback)
        }
        (ParamType::Scalar(_), HostValue::Buffer(_)) => unknown("it is an address"),
        _ => unknown("its type is not supported"),
    }
}

/// A pointer into an allocation: the argument that has the memory, or one that points into another's.
fn buffer(
    elem: Option<ElemType>,
    arg: &HostArg,
    idx: usize,
    contents: &Contents,
    owners: &Owners,
    fallback: impl Fn() -> Argument,
) -> (Argument, Option<(String, String)>) {
    let owner = owners.get(&contents.allocation);
    if let Some(of) = owner.filter(|owner| **owner != Owner::Argument(idx as u16)) {
        let pointer = Argument::Pointer {
            elem: elem.unwrap_or(ElemType::U8),
            role: if arg.is_written { Role::InOut } else { Role::In },
            to: Target {
                of: of.clone(),
                offset: contents.offset,
            },
        };
        return (pointer, None);
    }
    if let Some(why) = &contents.lost {
        return (fallback(), Some((contents.what(&arg.parameter), why.clone())));
    }
    whole(
        elem,
        arg.is_written,
        &arg.parameter,
        contents,
        contents.offset,
        owners,
    )
}

/// The buffer of an allocation, with a pointer `start` bytes from its first byte. If contents are unknown, also what and why.
fn whole(
    elem: Option<ElemType>,
    is_written: bool,
    name: &str,
    contents: &Contents,
    start: i64,
    owners: &Owners,
) -> (Argument, Option<(String, String)>) {
    let size = contents.size();
    let what = contents.what(name);
    let has_words = contents.has_pointers() && contents.lost.is_none() && size.is_multiple_of(8);
    let elem = elem
        .filter(|elem| size.is_multiple_of(u64::from(elem.bytes())) && !has_words)
        .unwrap_or(match size {
            _ if has_words => ElemType::U64,
            size if size.is_multiple_of(4) => ElemType::U32,
            _ => ElemType::U8,
        });
    let Ok(len) = u32::try_from(size / u64::from(elem.bytes())) else {
        let why = format!(
            "it has {} GB, and a buffer can have at most 2^32 elements",
            size >> 30
        );
        let zeros = Argument::Buffer {
            elem,
            len: u32::MAX,
            fill: Fill::of(Pattern::Zero),
            role: if is_written { Role::InOut } else { Role::In },
            start,
        };
        return (zeros, Some((what, why)));
    };
    let is_untouched = contents.is_untouched();
    let role = match (is_written, is_untouched) {
        (false, _) => Role::In,
        (true, true) => Role::Out,
        (true, false) => Role::InOut,
    };
    let buffer = |elem: ElemType, len: u32, fill: Fill| Argument::Buffer {
        elem,
        len,
        fill,
        role,
        start,
    };
    if is_untouched {
        return (buffer(elem, len, Fill::of(Pattern::Unset)), None);
    }
    if let Some(fill) = contents.one_value(elem) {
        return (buffer(elem, len, fill), None);
    }
    if size > MAX_BUFFER_BYTES {
        let why = match contents.unknown() {
            Some(why) => why,
            None => format!(
                "it has {} MB, and a buffer with several values can have at most {} MB",
                size >> 20,
                MAX_BUFFER_BYTES >> 20
            ),
        };
        return (buffer(elem, len, Fill::of(Pattern::Zero)), Some((what, why)));
    }
    let (data, unknown) = contents.bytes();
    if has_words && unknown.is_none() {
        let fill = Fill::of(Pattern::Words(contents.words(&data, owners)));
        return (buffer(elem, len, fill), None);
    }
    if let (Some(why), true) = (&unknown, contents.is_unknown()) {
        let fill = Fill {
            modulo: Some(1_024),
            ..Fill::of(Pattern::Iota)
        };
        return (buffer(elem, len, fill), Some((what, why.clone())));
    }
    let (elem, len, fill) = fill_of(elem, &data);
    let why = unknown.map(|why| (format!("a part of the {what}"), why));
    (buffer(elem, len, fill), why)
}

/// A texture or surface of a launch, if its shape is the one that the kernel accesses and its texels are known.
fn image(
    shape: ImageShape,
    is_surface: bool,
    texture: &HostTexture,
    name: &str,
    fallback: impl Fn() -> Argument,
) -> (Argument, Option<(String, String)>) {
    let unknown = |why: String| (fallback(), Some((name.to_owned(), why)));
    if shape != texture.shape {
        return unknown(format!(
            "it is {}, and the kernel accesses {}",
            shape_text(texture.shape),
            shape_text(shape)
        ));
    }
    let (data, why) = texture.contents.bytes();
    if let Some(why) = why {
        return unknown(why);
    }
    let row_bytes =
        u64::from(texture.extent[0]) * u64::from(texture.elem.bytes()) * u64::from(texture.channels);
    let num_rows = u64::from(texture.extent[1]) * u64::from(texture.extent[2]);
    let mut texels = Vec::new();
    for row in 0..num_rows {
        let at = (texture.start + row * texture.pitch) as usize;
        let Some(bytes) = data.get(at..at + row_bytes as usize) else {
            return unknown("it is larger than its memory".to_owned());
        };
        texels.extend_from_slice(bytes);
    }
    let (elem, _, fill) = fill_of(texture.elem, &texels);
    if elem != texture.elem {
        return unknown("its texels are no numbers".to_owned());
    }
    let image = Argument::Texture(Box::new(Texture {
        elem,
        channels: texture.channels,
        shape,
        extent: texture.extent,
        layout: texture.layout,
        sampler: texture.sampler,
        fill,
        role: if is_surface { Role::InOut } else { Role::In },
    }));
    (image, None)
}

/// A shape in words.
const fn shape_text(shape: ImageShape) -> &'static str {
    match shape {
        ImageShape::D1 => "one-dimensional",
        ImageShape::D2 => "two-dimensional",
        ImageShape::D3 => "three-dimensional",
        ImageShape::Layered1 => "one-dimensional with layers",
        ImageShape::Layered2 => "two-dimensional with layers",
        ImageShape::Cube => "a cubemap",
        ImageShape::LayeredCube => "a cubemap with layers",
    }
}

/// The bits of a number in a type, as C converts it.
fn bits_of(ty: ElemType, number: Number) -> u64 {
    let (int, float) = match number {
        Number::Int(value) => (value, value as f64),
        Number::Float(value) => (value as i128, value),
    };
    match ty {
        ElemType::F16 => f16_bits(float).into(),
        ElemType::F32 => match number {
            Number::Int(value) => (value as f32).to_bits().into(),
            Number::Float(value) => (value as f32).to_bits().into(),
        },
        ElemType::F64 => float.to_bits(),
        ElemType::I8 | ElemType::U8 => (int as u8).into(),
        ElemType::I16 | ElemType::U16 => (int as u16).into(),
        ElemType::I32 | ElemType::U32 => (int as u32).into(),
        ElemType::I64 | ElemType::U64 => int as u64,
    }
}

/// The shortest fill rule for these bytes, with the type and number of its elements.
fn fill_of(elem: ElemType, data: &[u8]) -> (ElemType, u32, Fill) {
    let width = elem.bytes() as usize;
    let len = (data.len() / width) as u32;
    let data = &data[..len as usize * width];
    if data.iter().all(|byte| *byte == 0) {
        return (elem, len, Fill::of(Pattern::Zero));
    }
    if data.iter().all(|byte| *byte == UNWRITTEN_BYTE) {
        return (elem, len, Fill::of(Pattern::Unset));
    }
    let values: Vec<f64> = data
        .chunks_exact(width)
        .map(|chunk| value_of(elem, chunk))
        .collect();
    let gives = |fill: &Fill| fill.bytes(elem, len) == data;
    let constant = Fill::of(Pattern::Const(values[0]));
    if values.iter().all(|value| *value == values[0]) && gives(&constant) {
        return (elem, len, constant);
    }
    if let Some(iota) = iota(&values).filter(gives) {
        return (elem, len, iota);
    }
    let mut listed = values;
    while listed.last().is_some_and(|value| value.to_bits() == 0) {
        listed.pop();
    }
    let list = Fill::of(Pattern::List(listed));
    if gives(&list) {
        return (elem, len, list);
    }
    // Numbers that a `double` cannot represent, such as NaNs with a payload, are stored as words.
    let (elem, width) = if data.len().is_multiple_of(4) {
        (ElemType::U32, 4)
    } else {
        (ElemType::U8, 1)
    };
    let values: Vec<f64> = data
        .chunks_exact(width)
        .map(|chunk| value_of(elem, chunk))
        .collect();
    (elem, (data.len() / width) as u32, Fill::of(Pattern::List(values)))
}

/// An increasing sequence, optionally repeated.
fn iota(values: &[f64]) -> Option<Fill> {
    let [first, second, ..] = *values else {
        return None;
    };
    let scale = second - first;
    if scale == 0.0 || !scale.is_finite() {
        return None;
    }
    let breaks = values
        .iter()
        .enumerate()
        .find(|(idx, value)| **value != first + scale * *idx as f64);
    let modulo = match breaks {
        None => None,
        Some((idx, value)) if *value == first => Some(idx as u64),
        Some(_) => return None,
    };
    Some(Fill {
        pattern: Pattern::Iota,
        modulo,
        scale: (scale != 1.0).then_some(scale),
        offset: (first != 0.0).then_some(first),
    })
}

/// Little-endian bytes as a number.
fn bits(chunk: &[u8]) -> u64 {
    chunk
        .iter()
        .rev()
        .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

fn value_of(elem: ElemType, chunk: &[u8]) -> f64 {
    let bits = bits(chunk);
    match elem {
        ElemType::I8 => f64::from(bits as i8),
        ElemType::I16 => f64::from(bits as i16),
        ElemType::I32 => f64::from(bits as i32),
        ElemType::I64 => bits.cast_signed() as f64,
        ElemType::U8 | ElemType::U16 | ElemType::U32 | ElemType::U64 => bits as f64,
        ElemType::F16 => super::numbers::half_value(bits as u16),
        ElemType::F32 => f64::from(f32::from_bits(bits as u32)),
        ElemType::F64 => f64::from_bits(bits),
    }
}
