//! The playground's access as pairs of a link:
//! `play=shared;expr=tile[threadIdx.x][threadIdx.y];tile=32x32;pad=1;playblock=32x8`.

use std::collections::BTreeMap;

use crate::playground::{MAX_CHARS, MAX_PAD, Playground, Space, Swizzle, WIDTHS};
use engine::access::AccessOp;

use super::link::{escape, extent};

const SPACES: [(Space, &str); 2] = [(Space::Shared, "shared"), (Space::Global, "global")];
const OPS: [(AccessOp, &str); 3] = [
    (AccessOp::Load, "load"),
    (AccessOp::Store, "store"),
    (AccessOp::Atomic, "atomic"),
];
const SWIZZLES: [(Swizzle, &str); 2] = [(Swizzle::None, "none"), (Swizzle::Xor, "xor")];

/// Limit of typed values: more than the names that an expression may have, because a value outlives its name.
const MAX_VARIABLES: usize = 64;

/// Writes the pairs of the playground; `play` marks the presence of a playground.
pub(super) fn write(playground: &Playground, put: &mut impl FnMut(&str, String)) {
    let defaults = Playground::default();
    put("play", name(&SPACES, playground.space).to_owned());
    if playground.expr != defaults.expr {
        put("expr", escape(&playground.expr));
    }
    if playground.when != defaults.when {
        put("when", escape(&playground.when));
    }
    if playground.op != defaults.op {
        put("playop", name(&OPS, playground.op).to_owned());
    }
    if playground.elem != defaults.elem {
        put("elem", playground.elem.to_string());
    }
    if playground.dims != defaults.dims {
        let dims: Vec<String> = playground.dims.iter().map(u32::to_string).collect();
        put("tile", dims.join("x"));
    }
    if playground.pad != defaults.pad {
        put("pad", playground.pad.to_string());
    }
    if playground.swizzle != defaults.swizzle {
        put("swizzle", name(&SWIZZLES, playground.swizzle).to_owned());
    }
    if playground.start != defaults.start {
        put("start", playground.start.to_string());
    }
    if playground.block != defaults.block {
        put("playblock", extent(playground.block));
    }
    if playground.warp != defaults.warp {
        put("playwarp", playground.warp.to_string());
    }
    if playground.vars != defaults.vars {
        let vars: Vec<String> = playground
            .vars
            .iter()
            .map(|(name, value)| format!("{}:{value}", escape(name)))
            .collect();
        put("vars", vars.join("/"));
    }
}

/// Reads a pair. `None`: the key does not belong to the playground.
///
/// # Errors
/// The valid values.
pub(super) fn read(
    playground: &mut Option<Playground>,
    key: &str,
    value: &str,
) -> Option<Result<(), String>> {
    let mut read = playground.clone().unwrap_or_default();
    let done = match key {
        "play" => choice(&SPACES, value).map(|space| read.space = space),
        "expr" => expression(value).map(|text| read.expr = text),
        "when" => expression(value).map(|text| read.when = text),
        "playop" => choice(&OPS, value).map(|op| read.op = op),
        "elem" => match value.parse() {
            Ok(bytes) if WIDTHS.contains(&bytes) => {
                read.elem = bytes;
                Ok(())
            }
            _ => Err("it must be 1, 2, 4, 8, or 16".to_owned()),
        },
        "tile" => extents(value).map(|dims| read.dims = dims),
        "pad" => number(value, 0, MAX_PAD).map(|pad| read.pad = pad),
        "swizzle" => choice(&SWIZZLES, value).map(|swizzle| read.swizzle = swizzle),
        "start" => number(value, 0, u32::MAX).map(|start| read.start = start),
        "playblock" => extents(value).map(|extents| {
            read.block = [1; 3];
            for (slot, extent) in read.block.iter_mut().zip(extents) {
                *slot = extent;
            }
        }),
        "playwarp" => number(value, 0, u32::MAX).map(|warp| read.warp = warp),
        "vars" => variables(value).map(|vars| read.vars = vars),
        _ => return None,
    };
    Some(done.map(|()| *playground = Some(read)))
}

fn name<T: PartialEq + Copy>(table: &[(T, &'static str)], item: T) -> &'static str {
    table
        .iter()
        .find(|(other, _)| *other == item)
        .map_or("", |(_, name)| *name)
}

fn choice<T: Copy>(table: &[(T, &str)], value: &str) -> Result<T, String> {
    table
        .iter()
        .find(|(_, name)| *name == value)
        .map(|(item, _)| *item)
        .ok_or_else(|| {
            let names: Vec<&str> = table.iter().map(|(_, name)| *name).collect();
            format!("it must be one of {}", names.join(", "))
        })
}

fn number(value: &str, least: u32, most: u32) -> Result<u32, String> {
    value
        .parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
}

/// `32x33`: one to three extents.
fn extents(value: &str) -> Result<Vec<u32>, String> {
    let extents: Result<Vec<u32>, String> = value.split('x').map(|part| number(part, 1, u32::MAX)).collect();
    extents.and_then(|extents| match extents.len() {
        1..=3 => Ok(extents),
        _ => Err("it must have at most three numbers, for example 4x32x32".to_owned()),
    })
}

/// An expression, or the condition.
///
/// # Errors
/// The limit of its length.
fn expression(value: &str) -> Result<String, String> {
    if value.chars().count() > MAX_CHARS {
        return Err(format!("an expression has at most {MAX_CHARS} characters"));
    }
    Ok(value.to_owned())
}

/// `stride:2/n:5`.
fn variables(value: &str) -> Result<BTreeMap<String, i64>, String> {
    if value.split('/').count() > MAX_VARIABLES {
        return Err(format!("it has at most {MAX_VARIABLES} names"));
    }
    value
        .split('/')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, number) = pair.rsplit_once(':').unwrap_or((pair, ""));
            match number.parse() {
                Ok(number) if !name.is_empty() => Ok((name.to_owned(), number)),
                _ => Err("it must have a number for each name, for example stride:2/n:5".to_owned()),
            }
        })
        .collect()
}
