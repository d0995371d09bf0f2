//! Addresses in arguments as text: `@1`, `@1.64`, `@table`, and where a pointer points: `:at3`.

use super::argument::{TYPES, name, named};
use engine::isa::ElemType;
use engine::launch::addresses::{Owner, Target, Word};
use engine::launch::{Argument, Role};

/// Limit of the distance between a pointer and its memory, in bytes. Assumption: no program points farther than the memory
/// of its GPU, and no GPU has 2^40 bytes.
const MAX_DISTANCE: u64 = 1 << 40;

/// Where a pointer points within its memory: `:at3`, `:byte2`, or nothing for the start.
pub(super) fn start_text(elem: ElemType, start: i64) -> String {
    let size = i64::from(elem.bytes());
    match start {
        0 => String::new(),
        start if start % size == 0 => format!(":at{}", start / size),
        start => format!(":byte{start}"),
    }
}

/// Splits `:at3` or `:byte2` off the end of a buffer's or pointer's text, and returns it in bytes.
pub(super) fn split_start(text: &str) -> Result<(&str, i64), String> {
    let Some((rest, last)) = text.rsplit_once(':') else {
        return Ok((text, 0));
    };
    let (number, unit) = if let Some(number) = last.strip_prefix("at") {
        let ty = rest.split(['*', '@', ':']).next().unwrap_or_default();
        (
            number,
            named(&TYPES, ty).map_or(1, |elem| i64::from(elem.bytes())),
        )
    } else if let Some(number) = last.strip_prefix("byte") {
        (number, 1)
    } else {
        return Ok((text, 0));
    };
    let number: i64 = number
        .parse()
        .map_err(|_| format!("`{last}` is not `atN` or `byteN`"))?;
    number
        .checked_mul(unit)
        .filter(|start| start.unsigned_abs() <= MAX_DISTANCE)
        .map(|start| (rest, start))
        .ok_or_else(|| format!("`{last}` is farther than 2^40 bytes"))
}

fn owner_text(of: &Owner) -> String {
    match of {
        Owner::Argument(idx) => format!("@{idx}"),
        Owner::Symbol(name) => format!("@{name}"),
    }
}

/// What follows an `@`: the number of an argument, or the name of a variable.
fn owner(text: &str) -> Result<Owner, String> {
    let is_name = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match text.parse() {
        Ok(idx) => Ok(Owner::Argument(idx)),
        Err(_) if is_name(text) && !text.as_bytes()[0].is_ascii_digit() => Ok(Owner::Symbol(text.to_owned())),
        Err(_) => Err(format!(
            "`@{text}` is neither the number of an argument nor the name of a variable"
        )),
    }
}

/// A pointer into the memory of another argument or of a variable.
pub(super) fn pointer_text(elem: ElemType, to: &Target) -> String {
    format!(
        "{}{}{}",
        name(&TYPES, elem),
        owner_text(&to.of),
        start_text(elem, to.offset)
    )
}

/// Parses a pointer after its role, if it is one: `i32@0:at3`.
pub(super) fn read_pointer(text: &str, role: Role) -> Option<Result<Argument, String>> {
    let (ty, _) = text.split_once('@').filter(|(ty, _)| !ty.contains([':', '*']))?;
    let read = || {
        let elem = named(&TYPES, ty).ok_or_else(|| format!("`{ty}` is not a type"))?;
        let (text, offset) = split_start(text)?;
        let of = owner(&text[ty.len() + 1..])?;
        Ok(Argument::Pointer {
            elem,
            role,
            to: Target { of, offset },
        })
    };
    Some(read())
}

/// Words in order, separated by slashes: numbers, and addresses such as `@1` and `@1.64`.
pub(super) fn words_text(words: &[Word]) -> String {
    let word = |word: &Word| match word {
        Word::Bits(bits) => bits.to_string(),
        Word::Address(Target { of, offset: 0 }) => owner_text(of),
        Word::Address(Target { of, offset }) => format!("{}.{offset}", owner_text(of)),
    };
    words.iter().map(word).collect::<Vec<_>>().join("/")
}

/// Parses words, or returns a sentence about the first invalid one.
pub(super) fn read_words(text: &str) -> Result<Vec<Word>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let word = |text: &str| {
        let Some(place) = text.strip_prefix('@') else {
            let bits = match text.strip_prefix('x') {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            };
            return bits
                .map(Word::Bits)
                .ok_or_else(|| format!("`{text}` is not a number or an address such as `@1`"));
        };
        let (of, offset) = place.split_once('.').unwrap_or((place, "0"));
        let offset: i64 = offset
            .parse()
            .ok()
            .filter(|offset: &i64| offset.unsigned_abs() <= MAX_DISTANCE)
            .ok_or_else(|| format!("`{offset}` is not a distance in bytes"))?;
        Ok(Word::Address(Target {
            of: owner(of)?,
            offset,
        }))
    };
    text.split('/').map(word).collect()
}

/// Checks that each address of an argument leads to an argument with memory.
pub(crate) fn check_targets(args: &[Argument]) -> Result<(), String> {
    for (arg, part) in args.iter().zip(0..) {
        for target in arg.targets() {
            let Owner::Argument(idx) = target.of else {
                continue;
            };
            let memory = args.get(usize::from(idx)).and_then(Argument::elements);
            if memory.is_none() {
                return Err(format!(
                    "argument {part} points to argument {idx}, which has no buffer"
                ));
            }
        }
    }
    Ok(())
}
