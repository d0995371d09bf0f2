//! The numbers of a chosen launch.

use super::shapes::Shape;
use crate::app::number::{bits_of, is_float};
use crate::scene::thousands;
use cuda::uses::ParamUse;
use engine::isa::{ElemType, Param};

/// Contents that are counted, as the bins of a histogram: the values of a byte.
pub(super) const BINS: u64 = 256;
/// A size that bounds a loop and multiplies an index, such as the inner size of a product.
const INNER: u64 = 64;
/// Passes of other loops.
const PASSES: u64 = 16;
/// Columns where a number divides positions into rows: those of a warp.
const COLUMNS: u64 = 32;

/// Words of names: numbers of elements, and lengths of rows.
const COUNTS: &[&str] = &["n", "num", "count", "len", "length", "size", "total"];
const WIDTHS: &[&str] = &["width", "w", "cols", "ncols", "nx", "columns"];

/// A chosen number.
pub(super) struct Chosen {
    /// Its bits.
    pub(super) bits: u64,
    /// The number as text.
    pub(super) text: String,
    /// Why, as a clause.
    pub(super) why: String,
}

/// Whether a name is one of the words, or has one as a part of `snake_case` or `camelCase`.
pub(super) fn has_part(name: &str, words: &[&str]) -> bool {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphabetic() || (letter.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if letter.is_ascii_alphabetic()
            && let Some(part) = parts.last_mut()
        {
            part.push(letter.to_ascii_lowercase());
        }
    }
    let whole = name.to_ascii_lowercase();
    words
        .iter()
        .any(|word| whole == *word || parts.iter().any(|part| part == word))
}

/// Chooses the number of a parameter; `bounded` is a parameter whose contents are compared with it.
pub(super) fn number(
    param: &Param,
    ty: ElemType,
    used: &ParamUse,
    bounded: Option<&str>,
    shape: &Shape,
) -> Chosen {
    if is_float(ty) {
        let (value, why) = float(&param.name);
        return Chosen {
            bits: bits_of(ty, value),
            text: value.to_string(),
            why: why.to_owned(),
        };
    }
    let (value, why) = match ty {
        ElemType::I8 | ElemType::U8 => (1, "for a flag or a byte".to_owned()),
        _ => integer(&param.name, used, bounded, shape),
    };
    let most = match ty {
        ElemType::I8 => 127,
        ElemType::U8 => 255,
        ElemType::I16 => 32_767,
        ElemType::U16 => 65_535,
        _ => u64::from(i32::MAX.cast_unsigned()),
    };
    let value = value.min(most);
    Chosen {
        bits: value,
        text: thousands(value),
        why,
    }
}

fn float(name: &str) -> (f64, &'static str) {
    if has_part(name, &["alpha", "scale", "factor", "a", "s"]) {
        (2.0, "for a factor")
    } else if has_part(name, &["beta"]) {
        (0.5, "for a factor")
    } else if has_part(name, &["eps", "epsilon", "tol", "tolerance"]) {
        (1e-5, "for a small number")
    } else if has_part(name, &["dt", "lr", "h", "dx", "dy"]) {
        (0.01, "for a step")
    } else {
        (1.5, "as the code shows no more")
    }
}

fn integer(name: &str, used: &ParamUse, bounded: Option<&str>, shape: &Shape) -> (u64, String) {
    let row = shape.threads(0).max(1);
    if has_part(name, &["bins", "nbins", "classes", "buckets", "levels", "labels"]) {
        return (BINS, "for the values of a byte".to_owned());
    }
    if has_part(name, &["pitch"]) {
        // Elements or bytes: 8 is the largest element.
        return (row * 8, "long enough for a row, in elements or bytes".to_owned());
    }
    if used.bounds.contains(&true) {
        let axes = || (0..3).filter(|axis| used.bounds[*axis]);
        let names: Vec<&str> = axes().map(|axis| ["x", "y", "z"][axis]).collect();
        let largest = axes().map(|axis| shape.threads(axis)).max().unwrap_or(1);
        return (
            largest,
            format!("it bounds the threads in {}", names.join(" and ")),
        );
    }
    if let Some(contents) = bounded {
        return (BINS, format!("it bounds the contents of `{contents}`"));
    }
    let scales = used.scales.contains(&true) || used.scales_other;
    if has_part(name, &["radius", "r", "halo"]) {
        return (1, "for a small neighborhood".to_owned());
    }
    if used.bounds_loop && !used.scales[0] && (has_part(name, COUNTS) || has_part(name, WIDTHS)) {
        return (
            row,
            "the threads in x, as it bounds a loop over all elements".to_owned(),
        );
    }
    if used.bounds_loop && scales {
        return (INNER, "it bounds a loop, and multiplies an index".to_owned());
    }
    if used.bounds_loop {
        return (PASSES, "it bounds a loop".to_owned());
    }
    if used.divides {
        return (COLUMNS, "it divides an index".to_owned());
    }
    if used.scales[1] || used.scales[2] || used.scales_other {
        return (row, "long enough for a row".to_owned());
    }
    if used.scales[0] {
        return (2, "a distance of elements".to_owned());
    }
    if has_part(name, WIDTHS) {
        return (row, "the threads in x, for its name".to_owned());
    }
    if has_part(name, &["height", "rows", "nrows", "ny"]) {
        return (shape.threads(1), "the threads in y, for its name".to_owned());
    }
    if has_part(name, &["depth", "nz"]) {
        return (shape.threads(2), "the threads in z, for its name".to_owned());
    }
    if has_part(name, COUNTS) {
        return (
            shape.num_threads(),
            "the number of threads, for its name".to_owned(),
        );
    }
    if has_part(
        name,
        &[
            "offset", "start", "begin", "first", "root", "src", "source", "shift",
        ],
    ) {
        return (0, "for its name".to_owned());
    }
    (1, "as the code shows no more".to_owned())
}
