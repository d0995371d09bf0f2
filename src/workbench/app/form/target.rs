//! Where a pointer parameter points, as text: `in`, `in+3`, `a-1`, `table+2b` with a distance in bytes.

use super::number;
use crate::app::arguments::argument;
use engine::isa::{ElemType, Param, ParamType, Program, Symbol, SymbolSpace};
use engine::launch::addresses::{Owner, Target};
use engine::launch::{Argument, Launch, Role};

/// Limit of the distance between a pointer and its memory, in elements. Assumption: as in links, 2^40 bytes are more than any
/// GPU has.
const MAX_DISTANCE: i64 = 1 << 37;

/// Where an argument points; `None` if it does not point into memory.
pub(super) fn text(program: &Program, launch: &Launch, idx: usize) -> Option<String> {
    let name = |idx: usize| program.params.get(idx).map(|param| param.name.as_str());
    let (elem, owner, offset) = match launch.args.get(idx)? {
        Argument::Buffer { elem, start, .. } => (*elem, name(idx)?.to_owned(), *start),
        Argument::Pointer { elem, to, .. } => match &to.of {
            Owner::Symbol(name) => (*elem, name.clone(), to.offset),
            Owner::Argument(of) => {
                let of = usize::from(*of);
                let start = match launch.args.get(of)? {
                    Argument::Buffer { start, .. } => *start,
                    _ => 0,
                };
                let owner = engine::sim::memory::argument_name(program, launch, of);
                (*elem, owner, to.offset.wrapping_sub(start))
            }
        },
        _ => return None,
    };
    let size = i64::from(elem.bytes());
    Some(match (offset % size, offset / size) {
        (0, 0) => owner,
        (0, elements) => format!("{owner}{elements:+}"),
        _ => format!("{owner}{offset:+}b"),
    })
}

/// The name of a variable without its namespace.
fn plain(symbol: &Symbol) -> &str {
    symbol.name.rsplit("::").next().unwrap_or_default()
}

/// Splits `in+3` into the name, the distance, and whether it counts bytes.
fn split(text: &str) -> Option<(&str, i64, bool)> {
    let Some(at) = text.rfind(['+', '-']) else {
        return Some((text, 0, false));
    };
    let (name, distance) = text.split_at(at);
    let distance: String = distance.chars().filter(|c| !c.is_whitespace()).collect();
    let (number, in_bytes) = match distance.strip_suffix('b') {
        Some(number) => (number, true),
        None => (distance.as_str(), false),
    };
    let number: i64 = number.parse().ok()?;
    (number.abs() <= MAX_DISTANCE).then_some((name.trim(), number, in_bytes))
}

/// Lets a pointer parameter point to where a text says.
///
/// # Errors
/// Returns an error if the text does not name a pointer parameter or a `__device__` variable.
pub(super) fn set(program: &Program, launch: &mut Launch, idx: usize, text: &str) -> Result<(), String> {
    let wrong = || {
        format!(
            "“{}” is not a pointer parameter or a __device__ variable, with a distance in elements: in, in+3, out-1.",
            number::shortened(text)
        )
    };
    let (name, distance, in_bytes) = split(text.trim()).ok_or_else(wrong)?;
    let param = program
        .params
        .get(idx)
        .ok_or("The kernel no longer has this parameter.")?;
    let ParamType::Pointer { elem, read_only, .. } = param.ty else {
        return Err("Only pointers point into memory.".to_owned());
    };
    let given = match &launch.args[idx] {
        Argument::Buffer { elem, .. } | Argument::Pointer { elem, .. } => *elem,
        _ => ElemType::F32,
    };
    let elem = elem.unwrap_or(given);
    let unit = if in_bytes { 1 } else { i64::from(elem.bytes()) };
    let bytes = distance * unit;
    let own = |param: &Param| param.name == name;
    match program.params.iter().position(own) {
        Some(at) if at == idx => {
            if !matches!(launch.args[idx], Argument::Buffer { .. }) {
                launch.args[idx] = argument(param, launch).0;
            }
            if let Argument::Buffer { start, .. } = &mut launch.args[idx] {
                *start = bytes;
            }
            Ok(())
        }
        Some(at) => {
            let Some(Argument::Buffer { start, .. }) = launch.args.get(at) else {
                return Err(format!(
                    "{name} has no memory of its own. Name the parameter that has it."
                ));
            };
            let offset = start + bytes;
            let leads_here = |target: &Target| target.of == Owner::Argument(idx as u16);
            if launch.targets().any(leads_here) {
                return Err(format!(
                    "Another argument points into the memory of {}. Change that one first.",
                    param.name
                ));
            }
            launch.args[idx] = Argument::Pointer {
                elem,
                role: if read_only { Role::In } else { Role::InOut },
                to: Target {
                    of: Owner::Argument(at as u16),
                    offset,
                },
            };
            Ok(())
        }
        None => {
            let is_it = |symbol: &&Symbol| symbol.space == SymbolSpace::Global && plain(symbol) == name;
            let symbol = program.symbols.iter().find(is_it).ok_or_else(wrong)?;
            launch.args[idx] = Argument::Pointer {
                elem,
                role: if read_only { Role::In } else { Role::InOut },
                to: Target {
                    of: Owner::Symbol(plain(symbol).to_owned()),
                    offset: bytes,
                },
            };
            Ok(())
        }
    }
}
