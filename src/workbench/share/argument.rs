//! Arguments as text: `in:f32*4096:lcg1,out:f32*4096:zero,i32:64`.
//!
//! A scalar is `type:value`, with a value in decimal, or in hexadecimal after an `x` for other bits. A struct by value
//! is `bytes:` and hexadecimal digits. A buffer is `role:type*length:pattern`, optionally followed by `:modM`,
//! `:scaleS`, and `:offsetO`. A pattern is `zero`, `iota`, `lcgSEED`, `permSEED`, `constV`, `listV/V/…`, or
//! `unset`. A buffer can end with `:atN`, and the pointer points to its element N, or with `:byteN`. N can be negative.
//!
//! Pointers into memory that is passed already are `role:type@K`, where K is the number of an argument, from 0, or the name of
//! a `__device__` variable; `:atN` and `:byteN` can follow. A struct that holds pointers is `words:W/W/…`: a word of 8 bytes is a
//! number in decimal or in hexadecimal after an `x`, or an address: `@K`, `@K.BYTES`. A buffer that holds pointers has elements of
//! 8 bytes and the pattern `words` with such words: `in:u64*2:words@2/@3`. Arguments beyond the kernel's parameters are memory
//! that only these addresses lead to.
//!
//! A texture or surface is `tex:` or `surf:`, its elements and extent, a pattern like a buffer's, and its access
//! options: `tex:u8x4*64x32:iota:linear:wrap:norm:fraction`. `x4` is the number of channels (1, 2, or 4), and the
//! extent is `W`, `WxH`, or `WxHxD`. Optional words:
//!
//! | word | means |
//! | --- | --- |
//! | `layered` | the last extent counts layers |
//! | `cube` | a cubemap: `NxN`, or `NxNxL` with L layers |
//! | `linear` | linear filtering; point filtering without it |
//! | `clamp`, `wrap`, `mirror`, `border` | the address mode, or one for each axis, such as `wrap/clamp` |
//! | `norm` | coordinates from 0 to 1 |
//! | `fraction` | integers are read as fractions of their largest value |
//! | `pitch` | rows are consecutive in linear memory, not in a CUDA array |

use std::fmt::Write;

use super::addresses::{
    check_targets, pointer_text, read_pointer, read_words, split_start, start_text, words_text,
};
use engine::isa::{ElemType, ImageShape};
use engine::launch::texture::{AddressMode, Filter, Layout, Sampler, Texture};
use engine::launch::{Argument, Fill, MAX_LAUNCH_BYTES, Pattern, Role, SymbolFill, f16_bits};

/// Limit of arguments and of named variables of a launch: a kernel's parameters have at most 4,096 bytes (Programming
/// Guide, section "Function Parameters"), so 1,024 words.
const MAX_ARGS: usize = 1_024;
/// Size limit of a buffer, in bytes.
const MAX_BUFFER_BYTES: u64 = MAX_LAUNCH_BYTES;

pub(super) const TYPES: [(ElemType, &str); 11] = [
    (ElemType::I8, "i8"),
    (ElemType::U8, "u8"),
    (ElemType::I16, "i16"),
    (ElemType::U16, "u16"),
    (ElemType::I32, "i32"),
    (ElemType::U32, "u32"),
    (ElemType::I64, "i64"),
    (ElemType::U64, "u64"),
    (ElemType::F16, "f16"),
    (ElemType::F32, "f32"),
    (ElemType::F64, "f64"),
];

const ROLES: [(Role, &str); 4] = [
    (Role::In, "in"),
    (Role::Out, "out"),
    (Role::InOut, "inout"),
    (Role::Scratch, "scratch"),
];

pub(super) fn name<T: PartialEq + Copy>(table: &[(T, &'static str)], item: T) -> &'static str {
    table
        .iter()
        .find(|(t, _)| *t == item)
        .map_or("", |(_, name)| *name)
}

pub(super) fn named<T: Copy>(table: &[(T, &'static str)], text: &str) -> Option<T> {
    table.iter().find(|(_, name)| *name == text).map(|(t, _)| *t)
}

/// Arguments in order, separated by commas.
pub(super) fn write_all(args: &[Argument]) -> String {
    args.iter().map(write).collect::<Vec<_>>().join(",")
}

/// Parses arguments, or returns a sentence about the first invalid one.
pub(super) fn read_all(text: &str) -> Result<Vec<Argument>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    check_number(text, "arguments")?;
    let args: Vec<Argument> = text.split(',').map(read).collect::<Result<_, _>>()?;
    check_targets(&args)?;
    Ok(args)
}

fn check_number(text: &str, of: &str) -> Result<(), String> {
    if text.split(',').count() > MAX_ARGS {
        return Err(format!("a launch has at most {MAX_ARGS} {of}"));
    }
    Ok(())
}

/// Named variables in order, separated by commas: `name:type*length:pattern`.
pub(super) fn write_symbols(symbols: &[SymbolFill]) -> String {
    let write = |symbol: &SymbolFill| {
        format!(
            "{}:{}",
            symbol.symbol,
            buffer(symbol.elem, symbol.len, &symbol.fill)
        )
    };
    symbols.iter().map(write).collect::<Vec<_>>().join(",")
}

/// Parses variables, or returns a sentence about the first invalid one.
pub(super) fn read_symbols(text: &str) -> Result<Vec<SymbolFill>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    check_number(text, "variables")?;
    let read = |part: &str| {
        let wrong = || format!("`{part}` is not `name:type*length:pattern`");
        let (symbol, contents) = part.split_once(':').ok_or_else(wrong)?;
        let (elem, len, fill) = read_buffer(contents)?;
        Ok(SymbolFill {
            symbol: symbol.to_owned(),
            elem,
            len,
            fill,
        })
    };
    text.split(',').map(read).collect()
}

/// An argument as text.
pub fn write(arg: &Argument) -> String {
    match arg {
        Argument::Scalar { ty, bits } => format!("{}:{}", name(&TYPES, *ty), scalar(*ty, *bits)),
        Argument::Bytes(bytes) => bytes.iter().fold("bytes:".to_owned(), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        }),
        Argument::Buffer {
            elem,
            len,
            fill,
            role,
            start,
        } => {
            let start = start_text(*elem, *start);
            format!("{}:{}{start}", name(&ROLES, *role), buffer(*elem, *len, fill))
        }
        Argument::Pointer { elem, role, to } => {
            format!("{}:{}", name(&ROLES, *role), pointer_text(*elem, to))
        }
        Argument::Words(words) => format!("words:{}", words_text(words)),
        Argument::Texture(texture) => texture_text(texture),
    }
}

fn buffer(elem: ElemType, len: u32, fill: &Fill) -> String {
    format!("{}*{len}:{}", name(&TYPES, elem), fill_text(fill))
}

fn fill_text(fill: &Fill) -> String {
    let mut text = String::new();
    match &fill.pattern {
        Pattern::Zero => text.push_str("zero"),
        Pattern::Iota => text.push_str("iota"),
        Pattern::Unset => text.push_str("unset"),
        Pattern::Words(words) => text += &format!("words{}", words_text(words)),
        Pattern::Lcg(seed) => text += &format!("lcg{seed}"),
        Pattern::Perm(seed) => text += &format!("perm{seed}"),
        Pattern::Const(value) => text += &format!("const{}", shortest(*value)),
        Pattern::List(values) => {
            let values: Vec<String> = values.iter().map(|value| shortest(*value)).collect();
            text += &format!("list{}", values.join("/"));
        }
    }
    if let Some(modulo) = fill.modulo {
        text += &format!(":mod{modulo}");
    }
    if let Some(scale) = fill.scale {
        text += &format!(":scale{}", shortest(scale));
    }
    if let Some(offset) = fill.offset {
        text += &format!(":offset{}", shortest(offset));
    }
    text
}

/// The shorter notation that parses back to the same number.
fn shortest(value: f64) -> String {
    let (plain, scientific) = (format!("{value}"), format!("{value:e}"));
    if scientific.len() < plain.len() {
        scientific
    } else {
        plain
    }
}

fn scalar(ty: ElemType, bits: u64) -> String {
    let text = match ty {
        ElemType::I8 => (bits as i8).to_string(),
        ElemType::I16 => (bits as i16).to_string(),
        ElemType::I32 => (bits as i32).to_string(),
        ElemType::I64 => bits.cast_signed().to_string(),
        ElemType::U8 | ElemType::U16 | ElemType::U32 | ElemType::U64 => bits.to_string(),
        ElemType::F16 => format!("x{bits:x}"),
        ElemType::F32 => {
            let (plain, scientific) = {
                let value = f32::from_bits(bits as u32);
                (format!("{value}"), format!("{value:e}"))
            };
            if scientific.len() < plain.len() {
                scientific
            } else {
                plain
            }
        }
        ElemType::F64 => shortest(f64::from_bits(bits)),
    };
    // NaNs have many bit patterns, and decimal notation would lose unused high bits.
    if scalar_bits(ty, &text) == Some(bits) {
        text
    } else {
        format!("x{bits:x}")
    }
}

fn scalar_bits(ty: ElemType, text: &str) -> Option<u64> {
    if let Some(hex) = text.strip_prefix('x') {
        let bits = u64::from_str_radix(hex, 16).ok()?;
        let width = ty.bytes() * 8;
        return (width == 64 || bits >> width == 0).then_some(bits);
    }
    match ty {
        ElemType::I8 => text.parse::<i8>().ok().map(|v| u64::from(v.cast_unsigned())),
        ElemType::I16 => text.parse::<i16>().ok().map(|v| u64::from(v.cast_unsigned())),
        ElemType::I32 => text.parse::<i32>().ok().map(|v| u64::from(v.cast_unsigned())),
        ElemType::I64 => text.parse::<i64>().ok().map(i64::cast_unsigned),
        ElemType::U8 => text.parse::<u8>().ok().map(u64::from),
        ElemType::U16 => text.parse::<u16>().ok().map(u64::from),
        ElemType::U32 => text.parse::<u32>().ok().map(u64::from),
        ElemType::U64 => text.parse().ok(),
        ElemType::F16 => text.parse().ok().map(|v| u64::from(f16_bits(v))),
        ElemType::F32 => text.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
        ElemType::F64 => text.parse::<f64>().ok().map(f64::to_bits),
    }
}

/// Parses an argument, or returns a sentence about what is wrong.
pub(crate) fn read(part: &str) -> Result<Argument, String> {
    let (kind, value) = part
        .split_once(':')
        .ok_or_else(|| format!("`{part}` is not `type:value` or `role:type*length:pattern`"))?;
    if kind == "bytes" {
        return bytes(value)
            .map(Argument::Bytes)
            .ok_or_else(|| format!("`{value}` is not a row of hexadecimal bytes"));
    }
    if kind == "words" {
        return read_words(value).map(Argument::Words);
    }
    if let Some(role) = named(&TEXTURES, kind) {
        return read_texture(value, role).map(|texture| Argument::Texture(Box::new(texture)));
    }
    if let Some(role) = named(&ROLES, kind) {
        if let Some(pointer) = read_pointer(value, role) {
            return pointer;
        }
        let (value, start) = split_start(value)?;
        let (elem, len, fill) = read_buffer(value)?;
        return Ok(Argument::Buffer {
            elem,
            len,
            fill,
            role,
            start,
        });
    }
    let ty = named(&TYPES, kind).ok_or_else(|| format!("`{kind}` is neither a type nor a role"))?;
    let bits = scalar_bits(ty, value).ok_or_else(|| format!("`{value}` is not a value of {kind}"))?;
    Ok(Argument::Scalar { ty, bits })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok())
        .collect()
}

fn read_buffer(text: &str) -> Result<(ElemType, u32, Fill), String> {
    let wrong = || format!("`{text}` is not `type*length:pattern`");
    let mut parts = text.split(':');
    let (ty, len) = parts
        .next()
        .and_then(|part| part.split_once('*'))
        .ok_or_else(wrong)?;
    let elem = named(&TYPES, ty).ok_or_else(|| format!("`{ty}` is not a type"))?;
    let len: u32 = len.parse().map_err(|_| format!("`{len}` is not a length"))?;
    let fill = read_fill(&mut parts).ok_or_else(wrong)??;
    let bytes = u64::from(len) * u64::from(elem.bytes());
    if bytes > MAX_BUFFER_BYTES && !fill.is_uniform() {
        return Err(format!(
            "a buffer of {len} x {ty} exceeds the limit of {} MB for contents of several values",
            MAX_BUFFER_BYTES >> 20
        ));
    }
    if matches!(fill.pattern, Pattern::Words(_)) && elem.bytes() != 8 {
        return Err(format!(
            "`words` requires elements of 8 bytes, such as u64, not {ty}"
        ));
    }
    Ok((elem, len, fill))
}

/// Parses a pattern and its suffixes; `None` if the pattern is invalid.
fn read_fill<'t>(parts: &mut impl Iterator<Item = &'t str>) -> Option<Result<Fill, String>> {
    let first = parts.next()?;
    let mut fill = match first.strip_prefix("words").map(read_words) {
        Some(Ok(words)) => Fill::of(Pattern::Words(words)),
        Some(Err(why)) => return Some(Err(why)),
        None => Fill::of(pattern(first)?),
    };
    for part in parts {
        let value = |prefix: &str| part.strip_prefix(prefix);
        if let Some(modulo) = value("mod").and_then(|v| v.parse().ok()) {
            fill.modulo = Some(modulo);
        } else if let Some(scale) = value("scale").and_then(|v| v.parse().ok()) {
            fill.scale = Some(scale);
        } else if let Some(offset) = value("offset").and_then(|v| v.parse().ok()) {
            fill.offset = Some(offset);
        } else {
            return Some(Err(format!("`{part}` is not `modM`, `scaleS`, or `offsetO`")));
        }
    }
    Some(Ok(fill))
}

const ADDRESS_MODES: [(AddressMode, &str); 4] = [
    (AddressMode::Clamp, "clamp"),
    (AddressMode::Wrap, "wrap"),
    (AddressMode::Mirror, "mirror"),
    (AddressMode::Border, "border"),
];

const TEXTURES: [(Role, &str); 2] = [(Role::In, "tex"), (Role::InOut, "surf")];

/// The limit of texels along an axis: the width of a two-dimensional texture up to compute capability 5.x
/// (Programming Guide, Technical Specifications per Compute Capability).
const MAX_EXTENT: u32 = 65_536;

fn texture_text(texture: &Texture) -> String {
    let [width, height, depth] = texture.extent;
    let (extent, shape) = match texture.shape {
        ImageShape::D1 => (format!("{width}"), ""),
        ImageShape::D2 => (format!("{width}x{height}"), ""),
        ImageShape::D3 => (format!("{width}x{height}x{depth}"), ""),
        ImageShape::Layered1 => (format!("{width}x{depth}"), ":layered"),
        ImageShape::Layered2 => (format!("{width}x{height}x{depth}"), ":layered"),
        ImageShape::Cube => (format!("{width}x{height}"), ":cube"),
        ImageShape::LayeredCube => (format!("{width}x{height}x{}", depth / 6), ":cube"),
    };
    let channels = match texture.channels {
        1 => String::new(),
        several => format!("x{several}"),
    };
    let Sampler {
        filter,
        address,
        normalized,
        reads_fractions,
    } = texture.sampler;
    let mut text = format!(
        "{}:{}{channels}*{extent}:{}{shape}",
        name(&TEXTURES, texture.role),
        name(&TYPES, texture.elem),
        fill_text(&texture.fill)
    );
    if filter == Filter::Linear {
        text += ":linear";
    }
    if address != [AddressMode::Clamp; 3] {
        let modes = address.map(|mode| name(&ADDRESS_MODES, mode));
        text += ":";
        text += &if address == [address[0]; 3] {
            modes[0].to_owned()
        } else {
            modes.join("/")
        };
    }
    for (holds, word) in [
        (normalized, ":norm"),
        (reads_fractions, ":fraction"),
        (texture.layout == Layout::Linear, ":pitch"),
    ] {
        if holds {
            text += word;
        }
    }
    text
}

/// Parses a texture after its role, or returns a sentence about what is wrong.
fn read_texture(text: &str, role: Role) -> Result<Texture, String> {
    let wrong = || format!("`{text}` is not `type*WIDTHxHEIGHT:pattern`, such as `f32*64x64:iota`");
    let (head, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (format, extent) = head.split_once('*').ok_or_else(wrong)?;
    let (ty, channels) = match format.split_once('x') {
        Some((ty, channels)) => (ty, channels.parse().map_err(|_| wrong())?),
        None => (format, 1_u8),
    };
    let elem = named(&TYPES, ty).ok_or_else(|| format!("`{ty}` is not a type"))?;
    if !matches!(channels, 1 | 2 | 4) || elem.bytes() * u32::from(channels) > 16 {
        return Err(format!(
            "a texel of {channels} x {ty} must have 1, 2, or 4 channels and at most 16 bytes"
        ));
    }
    let extents = read_extents(extent)?;
    let words = TextureWords::read(rest)?;
    let fill = read_fill(&mut words.of_fill.iter().copied()).ok_or_else(wrong)??;
    let (shape, extent) = words.shape(&extents).ok_or_else(|| {
        format!(
            "`{extent}` is not `W`, `WxH`, or `WxHxD`; with `layered` it ends with the number of layers, with `cube` it is `NxN` or `NxNxL`"
        )
    })?;
    check_sampler(words.sampler, elem, ty)?;
    if matches!(fill.pattern, Pattern::Words(_)) {
        return Err("a texture cannot hold `words`".to_owned());
    }
    if role == Role::In && matches!(elem, ElemType::I64 | ElemType::U64 | ElemType::F64) {
        return Err(format!("a texture cannot hold {ty}"));
    }
    let texture = Texture {
        elem,
        channels,
        shape,
        extent,
        layout: words.layout,
        sampler: words.sampler,
        fill,
        role,
    };
    // Blocks of an array pad narrow textures.
    if texture.memory_bytes() > MAX_BUFFER_BYTES {
        return Err(format!(
            "a texture of {head} exceeds the limit of {} MB",
            MAX_BUFFER_BYTES >> 20
        ));
    }
    Ok(texture)
}

/// Parses extents: `64`, `64x32`.
fn read_extents(text: &str) -> Result<Vec<u32>, String> {
    text.split('x')
        .map(|extent| {
            extent
                .parse()
                .ok()
                .filter(|extent| (1..=MAX_EXTENT).contains(extent))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| {
            format!("`{text}` is not a list of one to three extents from 1 to {MAX_EXTENT}, such as `64x32`")
        })
}

/// The optional words of a texture.
struct TextureWords<'t> {
    sampler: Sampler,
    layout: Layout,
    layered: bool,
    cube: bool,
    /// The other words: the pattern and its suffixes.
    of_fill: Vec<&'t str>,
}

impl<'t> TextureWords<'t> {
    /// Parses words separated by colons.
    fn read(text: &'t str) -> Result<Self, String> {
        let mut words = Self {
            sampler: Sampler::default(),
            layout: Layout::Array,
            layered: false,
            cube: false,
            of_fill: Vec::new(),
        };
        let sampler = &mut words.sampler;
        for part in text.split(':') {
            match part {
                "point" => sampler.filter = Filter::Point,
                "linear" => sampler.filter = Filter::Linear,
                "norm" => sampler.normalized = true,
                "fraction" => sampler.reads_fractions = true,
                "pitch" => words.layout = Layout::Linear,
                "layered" => words.layered = true,
                "cube" => words.cube = true,
                other => {
                    let modes: Option<Vec<_>> =
                        other.split('/').map(|mode| named(&ADDRESS_MODES, mode)).collect();
                    match modes.as_deref() {
                        Some(&[all]) => sampler.address = [all; 3],
                        Some(&[x, y]) => sampler.address = [x, y, AddressMode::Clamp],
                        Some(&[x, y, z]) => sampler.address = [x, y, z],
                        Some(_) => return Err(format!("`{other}` has more than three address modes")),
                        None => words.of_fill.push(other),
                    }
                }
            }
        }
        Ok(words)
    }

    /// The shape and the extent in x, y, and z; `None` if the words do not match the number of extents.
    fn shape(&self, extents: &[u32]) -> Option<(ImageShape, [u32; 3])> {
        Some(match (extents, self.layered, self.cube) {
            (&[w], false, false) => (ImageShape::D1, [w, 1, 1]),
            (&[w, h], false, false) => (ImageShape::D2, [w, h, 1]),
            (&[w, h, d], false, false) => (ImageShape::D3, [w, h, d]),
            (&[w, layers], true, false) => (ImageShape::Layered1, [w, 1, layers]),
            (&[w, h, layers], true, false) => (ImageShape::Layered2, [w, h, layers]),
            (&[w, h], _, true) if w == h => (ImageShape::Cube, [w, h, 6]),
            (&[w, h, layers], _, true) if w == h => (ImageShape::LayeredCube, [w, h, layers * 6]),
            _ => return None,
        })
    }
}

/// Checks the sampler against the type of a texel.
fn check_sampler(sampler: Sampler, elem: ElemType, ty: &str) -> Result<(), String> {
    let is_small = matches!(elem, ElemType::I8 | ElemType::U8 | ElemType::I16 | ElemType::U16);
    if sampler.reads_fractions && !is_small {
        return Err(format!("`fraction` requires integers of 8 or 16 bits, not {ty}"));
    }
    if sampler.filter == Filter::Linear
        && !sampler.reads_fractions
        && !matches!(elem, ElemType::F32 | ElemType::F16)
    {
        return Err(format!(
            "linear filtering requires floats: add `fraction`, or use `f32` instead of {ty}"
        ));
    }
    let repeats = |mode: &AddressMode| matches!(mode, AddressMode::Wrap | AddressMode::Mirror);
    if !sampler.normalized && sampler.address.iter().any(repeats) {
        return Err("`wrap` and `mirror` require normalized coordinates: add `norm`".to_owned());
    }
    Ok(())
}

fn pattern(text: &str) -> Option<Pattern> {
    match text {
        "zero" => return Some(Pattern::Zero),
        "iota" => return Some(Pattern::Iota),
        "unset" => return Some(Pattern::Unset),
        "list" => return Some(Pattern::List(Vec::new())),
        _ => {}
    }
    let value = |prefix: &str| text.strip_prefix(prefix);
    if let Some(seed) = value("lcg") {
        return seed.parse().ok().map(Pattern::Lcg);
    }
    if let Some(seed) = value("perm") {
        return seed.parse().ok().map(Pattern::Perm);
    }
    if let Some(constant) = value("const") {
        return constant.parse().ok().map(Pattern::Const);
    }
    let values = value("list")?.split('/').map(|v| v.parse().ok());
    values.collect::<Option<_>>().map(Pattern::List)
}
