//! Names that need no declaration in the source: keywords, built-in variables, functions that CUDA provides, types,
//! directives, and headers.

use super::documentation::documentation;
use super::{Symbol, SymbolKind};
use crate::ast::{BaseType, Derived, TypeName};
use crate::builtins::{self, is_builtin_name};
use crate::headers::INCLUDES;
use crate::lex::highlight::{KEYWORDS, QUALIFIERS, VARIABLES};
use crate::prelude;
use crate::preprocess::predefined_names;
use crate::types::type_text;
use crate::types::{is_type_word, type_names, vector};

/// A name with its documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// As it is written.
    pub name: String,
    /// What it names.
    pub kind: SymbolKind,
    /// The declaration in C++ syntax.
    pub signature: String,
    /// One or two sentences; can be empty.
    pub text: String,
    /// Minimum compute capability, 700 for 7.0; 0 if every architecture supports the name.
    pub capability: u32,
    /// Document and section; can be empty.
    pub source: &'static str,
}

const MATH: &str = "CUDA Math API Reference Manual";
const GUIDE: &str = "CUDA C++ Programming Guide";

/// CUDA specifiers of declarations.
const ATTRIBUTES: [&str; 12] = [
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__forceinline__",
    "__noinline__",
    "__inline__",
    "__restrict__",
    "__launch_bounds__",
    "__align__",
    "__managed__",
];

/// Directives of the preprocessor.
const DIRECTIVES: [(&str, &str); 11] = [
    ("include", "Includes a file."),
    ("define", "Defines a macro."),
    ("undef", "Removes the definition of a macro."),
    (
        "if",
        "Compiles the lines up to #endif if the expression is not 0.",
    ),
    (
        "ifdef",
        "Compiles the lines up to #endif if the macro is defined.",
    ),
    (
        "ifndef",
        "Compiles the lines up to #endif if the macro is not defined.",
    ),
    ("elif", "Tests another condition if no earlier condition held."),
    (
        "else",
        "Compiles the lines up to #endif if no earlier condition held.",
    ),
    ("endif", "Ends a conditional part."),
    (
        "pragma unroll",
        "Unrolls the next loop: fully, or by the given factor.",
    ),
    ("error", "Stops the compilation with this message."),
];

/// Mathematical functions without a row in the documentation table: the stem (plus `f` for float) and a sentence.
const STEMS: [(&str, &str); 68] = [
    ("tgamma", "Returns the gamma function."),
    (
        "lgamma",
        "Returns the natural logarithm of the gamma function's absolute value.",
    ),
    ("erfinv", "Returns the inverse of the error function."),
    (
        "erfcinv",
        "Returns the inverse of the complementary error function.",
    ),
    (
        "erfcx",
        "Returns the complementary error function times e to the power of x * x.",
    ),
    (
        "normcdfinv",
        "Returns the inverse of the normal distribution function.",
    ),
    ("j0", "Returns the Bessel function of the first kind of order 0."),
    ("j1", "Returns the Bessel function of the first kind of order 1."),
    ("jn", "Returns the Bessel function of the first kind of order n."),
    ("y0", "Returns the Bessel function of the second kind of order 0."),
    ("y1", "Returns the Bessel function of the second kind of order 1."),
    ("yn", "Returns the Bessel function of the second kind of order n."),
    (
        "cyl_bessel_i0",
        "Returns the modified Bessel function of order 0.",
    ),
    (
        "cyl_bessel_i1",
        "Returns the modified Bessel function of order 1.",
    ),
    (
        "nextafter",
        "Returns the next number after x in the direction of y.",
    ),
    (
        "remquo",
        "Returns the remainder of x / y, and the low bits of the quotient.",
    ),
    ("scalbln", "Returns x * 2 to the power of n."),
    ("norm", "Returns the square root of the sum of squares."),
    (
        "rnorm",
        "Returns the reciprocal of the square root of the sum of squares.",
    ),
    (
        "rnorm3d",
        "Returns the reciprocal of the length of a vector of three.",
    ),
    (
        "rnorm4d",
        "Returns the reciprocal of the length of a vector of four.",
    ),
    ("acos", "Returns the arc cosine in radians."),
    ("acosh", "Returns the inverse hyperbolic cosine."),
    ("asin", "Returns the arc sine in radians."),
    ("asinh", "Returns the inverse hyperbolic sine."),
    ("atan", "Returns the arc tangent in radians."),
    (
        "atan2",
        "Returns the angle of the point (x, y) in radians, from -pi to pi.",
    ),
    ("atanh", "Returns the inverse hyperbolic tangent."),
    ("cbrt", "Returns the cube root."),
    ("copysign", "Returns x with the sign of y."),
    ("cosh", "Returns the hyperbolic cosine."),
    ("cospi", "Returns the cosine of x times pi."),
    ("erf", "Returns the error function."),
    ("erfc", "Returns 1 minus the error function."),
    ("exp10", "Returns 10 to the power of x."),
    ("exp2", "Returns 2 to the power of x."),
    ("expm1", "Returns e to the power of x, minus 1, accurate near 0."),
    ("fdim", "Returns x - y, or 0 if that is negative."),
    ("fmod", "Returns the remainder of x / y with the sign of x."),
    (
        "frexp",
        "Splits x into a fraction from 0.5 to 1 and a power of 2.",
    ),
    (
        "hypot",
        "Returns sqrt(x * x + y * y) without intermediate overflow.",
    ),
    ("ilogb", "Returns the exponent of x to base 2 as an int."),
    ("ldexp", "Returns x times 2 to the exp."),
    ("llrint", "Rounds to the nearest long long, ties to even."),
    ("llround", "Rounds to the nearest long long, ties away from zero."),
    ("log10", "Returns the logarithm to base 10."),
    (
        "log1p",
        "Returns the natural logarithm of 1 + x, accurate near 0.",
    ),
    ("log2", "Returns the logarithm to base 2."),
    ("logb", "Returns the exponent of x to base 2."),
    ("lrint", "Rounds to the nearest long, ties to even."),
    ("lround", "Rounds to the nearest long, ties away from zero."),
    ("modf", "Splits x into its integral part and its fraction."),
    ("nan", "Returns NaN."),
    ("nearbyint", "Rounds to the nearest integer, ties to even."),
    ("norm3d", "Returns the length of the vector (a, b, c)."),
    ("norm4d", "Returns the length of the vector (a, b, c, d)."),
    (
        "normcdf",
        "Returns the cumulative distribution function of the standard normal distribution.",
    ),
    ("rcbrt", "Returns 1 divided by the cube root."),
    (
        "remainder",
        "Returns the remainder of x / y, rounded to the nearest multiple.",
    ),
    ("rhypot", "Returns 1 divided by the length of (x, y)."),
    ("rint", "Rounds to the nearest integer, ties to even."),
    ("round", "Rounds to the nearest integer, ties away from zero."),
    ("rsqrt", "Returns 1 divided by the square root."),
    ("scalbn", "Returns x times 2 to the n."),
    ("sinh", "Returns the hyperbolic sine."),
    ("sinpi", "Returns the sine of x times pi."),
    ("tan", "Returns the tangent of x radians."),
    ("trunc", "Rounds toward zero to an integer."),
];

/// Other functions without a row in the documentation table.
const OTHERS: [(&str, &str); 42] = [
    (
        "__fns",
        "Returns the position of the n-th set bit from a base bit on, or all ones.",
    ),
    (
        "__finite",
        "Returns whether x is finite: an older name of isfinite.",
    ),
    (
        "__finitef",
        "Returns whether x is finite: an older name of isfinite.",
    ),
    (
        "__isfinited",
        "Returns whether x is finite: an older name of isfinite.",
    ),
    (
        "__isfinitef",
        "Returns whether x is finite: an older name of isfinite.",
    ),
    (
        "__isinf",
        "Returns whether x is infinite: an older name of isinf.",
    ),
    (
        "__isinfd",
        "Returns whether x is infinite: an older name of isinf.",
    ),
    (
        "__isinff",
        "Returns whether x is infinite: an older name of isinf.",
    ),
    ("__isnan", "Returns whether x is NaN: an older name of isnan."),
    ("__isnand", "Returns whether x is NaN: an older name of isnan."),
    ("__isnanf", "Returns whether x is NaN: an older name of isnan."),
    (
        "__signbit",
        "Returns whether the sign bit is set: an older name of signbit.",
    ),
    (
        "__signbitd",
        "Returns whether the sign bit is set: an older name of signbit.",
    ),
    (
        "__signbitf",
        "Returns whether the sign bit is set: an older name of signbit.",
    ),
    ("sincos", "Stores sine and cosine of x radians."),
    ("sincospi", "Stores sine and cosine of x times pi."),
    ("sincospif", "Stores sine and cosine of x times pi."),
    ("tanh", "Returns the hyperbolic tangent."),
    ("isfinite", "Returns whether x is neither infinite nor NaN."),
    ("signbit", "Returns whether the sign of x is negative."),
    ("memcmp", "Compares num bytes."),
    ("memmove", "Copies num bytes. The regions may overlap."),
    ("labs", "Returns the absolute value."),
    ("llabs", "Returns the absolute value."),
    ("llmin", "Returns the smaller argument."),
    ("llmax", "Returns the larger argument."),
    ("ullmin", "Returns the smaller argument."),
    ("ullmax", "Returns the larger argument."),
    ("umin", "Returns the smaller argument."),
    ("umax", "Returns the larger argument."),
    ("mul24", "Multiplies the low 24 bits of both."),
    ("umul24", "Multiplies the low 24 bits of both."),
    ("mulhi", "Returns the high 32 bits of the 64-bit product."),
    ("umulhi", "Returns the high 32 bits of the 64-bit product."),
    ("fdivide", "Returns x / y."),
    ("fdividef", "Returns x / y."),
    (
        "__uni_sync",
        "Returns whether the predicate is the same in all lanes of mask.",
    ),
    ("__brkpt", "Stops at a breakpoint if a debugger is attached."),
    (
        "__builtin_unreachable",
        "Informs the compiler that this point is unreachable.",
    ),
    (
        "__cvta_shared_to_generic",
        "Converts a shared-memory address into a generic pointer.",
    ),
    ("__uhadd", "Returns (x + y) >> 1 without overflow, unsigned."),
    ("__urhadd", "Returns (x + y + 1) >> 1 without overflow, unsigned."),
];

/// What the SIMD functions do to each lane of the word.
const PARTS: [(&str, &str); 18] = [
    ("absdiff", "Returns the absolute differences of"),
    ("absss", "Returns the absolute values, saturated, of"),
    ("abs", "Returns the absolute values of"),
    ("addss", "Adds, with signed saturation,"),
    ("addus", "Adds, with unsigned saturation,"),
    ("add", "Adds"),
    ("avg", "Returns the means, rounded up, of"),
    ("hadd", "Returns the means, rounded down, of"),
    ("cmp", "Compares, with all bits set where the comparison holds,"),
    ("set", "Compares, with 1 where the comparison holds,"),
    ("max", "Returns the larger of each of"),
    ("min", "Returns the smaller of each of"),
    ("negss", "Negates, with saturation,"),
    ("neg", "Negates"),
    ("sad", "Returns the sum of the absolute differences of"),
    ("subss", "Subtracts, with signed saturation,"),
    ("subus", "Subtracts, with unsigned saturation,"),
    ("sub", "Subtracts"),
];

fn known_name(name: &str, kind: SymbolKind, signature: String, text: impl Into<String>) -> Known {
    Known {
        name: name.to_owned(),
        kind,
        signature,
        text: text.into(),
        capability: 0,
        source: "",
    }
}

/// The documentation of a name that needs no declaration.
pub(crate) fn known(name: &str) -> Option<Known> {
    let is_function = is_builtin_name(name) || ["tex", "surf"].iter().any(|stem| name.starts_with(stem));
    if let Some(entry) = documentation(name) {
        let kind = if VARIABLES.contains(&name) {
            SymbolKind::BuiltinVariable
        } else if ATTRIBUTES.contains(&name) {
            SymbolKind::Keyword
        } else if is_type_word(name) {
            SymbolKind::Type
        } else if is_function {
            SymbolKind::Builtin
        } else {
            // A header name that the source declares when it includes the header.
            return None;
        };
        return Some(Known {
            name: name.to_owned(),
            kind,
            signature: entry.signature.to_owned(),
            text: entry.text.to_owned(),
            capability: entry.capability,
            source: entry.source,
        });
    }
    if name.starts_with("__ws_") {
        return None;
    }
    if is_builtin_name(name) {
        let (text, source) = sentence(name).unwrap_or_default();
        return Some(Known {
            signature: signature(name),
            capability: capability(name),
            source,
            ..known_name(name, SymbolKind::Builtin, String::new(), text)
        });
    }
    if let Some(vector) = vector(name) {
        let lanes = &crate::types::LANE_NAMES[..usize::from(vector.lanes)];
        let elem = type_text(&vector.elem, &[]);
        let bytes = vector.elem_bytes() * u32::from(vector.lanes);
        return Some(Known {
            source: "CUDA C++ Programming Guide, Built-in Vector Types",
            ..known_name(
                name,
                SymbolKind::Type,
                format!("struct {name} {{ {elem} {}; }}", lanes.join(", ")),
                format!("{bytes} bytes, aligned to {}.", vector.align()),
            )
        });
    }
    if is_type_word(name) {
        let of = crate::types::builtin_type(name).map(|ty| type_text(&ty, &[]));
        let text = of
            .filter(|of| of != name)
            .map_or(String::new(), |of| format!("Here {of}."));
        return Some(known_name(name, SymbolKind::Type, name.to_owned(), text));
    }
    if KEYWORDS.contains(&name) || QUALIFIERS.contains(&name) || ATTRIBUTES.contains(&name) {
        return Some(known_name(name, SymbolKind::Keyword, name.to_owned(), ""));
    }
    let (_, body) = predefined_names().find(|(macro_, _)| *macro_ == name)?;
    Some(known_name(
        name,
        SymbolKind::Macro,
        format!("#define {name} {body}"),
        "",
    ))
}

/// All names that need no declaration.
pub(crate) fn all() -> Vec<Known> {
    let mut names: Vec<String> = Vec::new();
    let mut put = |name: &str| names.push(name.to_owned());
    VARIABLES.into_iter().for_each(&mut put);
    ATTRIBUTES.into_iter().for_each(&mut put);
    for name in builtins::names() {
        put(name);
        if name.starts_with("atomic") {
            put(&format!("{name}_block"));
            put(&format!("{name}_system"));
        }
    }
    prelude::prelude().names().for_each(&mut put);
    type_names().for_each(&mut put);
    for ty in type_names().filter(|ty| vector(ty).is_some()) {
        put(&format!("make_{ty}"));
    }
    for rounding in ["rn", "rz", "rd", "ru"] {
        for stem in [
            "fadd", "fsub", "fmul", "fmaf", "fdiv", "frcp", "fsqrt", "dadd", "dsub", "dmul", "fma", "ddiv",
            "drcp", "dsqrt",
        ] {
            put(&format!("__{stem}_{rounding}"));
        }
        for (from, to) in conversions() {
            put(&format!("__{from}2{to}_{rounding}"));
        }
    }
    put("__frsqrt_rn");
    for entry in super::documentation::TABLE {
        if ["tex", "surf"].iter().any(|stem| entry.name.starts_with(stem)) {
            put(entry.name);
        }
    }
    KEYWORDS.into_iter().chain(QUALIFIERS).for_each(&mut put);
    for (name, _) in predefined_names() {
        put(name);
    }
    names.sort();
    names.dedup();
    names.iter().filter_map(|name| known(name)).collect()
}

fn conversions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let floats = ["float", "double"];
    let integers = ["int", "uint", "ll", "ull"];
    let pairs = floats.into_iter().flat_map(move |float| {
        integers
            .into_iter()
            .flat_map(move |int| [(float, int), (int, float)])
    });
    pairs.chain([("double", "float")])
}

/// The directives that begin with the letters after `#`.
pub(super) fn directives() -> Vec<Known> {
    DIRECTIVES
        .iter()
        .map(|(name, text)| known_name(name, SymbolKind::Directive, format!("#{name}"), *text))
        .collect()
}

/// The headers.
pub(super) fn headers() -> Vec<Known> {
    INCLUDES
        .iter()
        .map(|(name, text)| known_name(name, SymbolKind::Header, format!("#include <{name}>"), *text))
        .collect()
}

fn rounding_words(name: &str) -> Option<&'static str> {
    match name.rsplit_once('_')?.1 {
        "rn" => Some("to nearest even"),
        "rz" => Some("toward zero"),
        "rd" => Some("down"),
        "ru" => Some("up"),
        _ => None,
    }
}

/// The sentence and the document for a name that follows a pattern.
fn sentence(name: &str) -> Option<(String, &'static str)> {
    if let Some(base) = name
        .strip_suffix("_block")
        .filter(|base| base.starts_with("atomic"))
    {
        return Some((
            format!("{base} that is atomic only among the threads of the block."),
            GUIDE,
        ));
    }
    if let Some(base) = name
        .strip_suffix("_system")
        .filter(|base| base.starts_with("atomic"))
    {
        return Some((
            format!("{base} that is atomic among the device, the host, and other devices."),
            GUIDE,
        ));
    }
    if let Some(ty) = name.strip_prefix("make_") {
        return Some((format!("Constructs a {ty} from its components."), GUIDE));
    }
    let stem = name.strip_suffix('f').unwrap_or(name);
    if let Some((_, text)) = OTHERS.iter().find(|(other, _)| *other == name) {
        return Some(((*text).to_owned(), MATH));
    }
    if let Some((_, text)) = STEMS.iter().find(|(other, _)| *other == name || *other == stem) {
        return Some(((*text).to_owned(), MATH));
    }
    if let Some(rounding) = rounding_words(name) {
        let stem = name.strip_prefix("__")?.rsplit_once('_')?.0;
        if let Some((from, to)) = stem.split_once('2') {
            let long = |word: &str| match word {
                "ll" => "long long".to_owned(),
                "ull" => "unsigned long long".to_owned(),
                "uint" => "unsigned int".to_owned(),
                other => other.to_owned(),
            };
            return Some((
                format!("Converts {} to {}, rounded {rounding}.", long(from), long(to)),
                MATH,
            ));
        }
        let what = match stem {
            "fadd" | "dadd" => "Adds",
            "fsub" | "dsub" => "Subtracts",
            "fmul" | "dmul" => "Multiplies",
            "fmaf" | "fma" => "Returns x * y + z",
            "fdiv" | "ddiv" => "Divides",
            "frcp" | "drcp" => "Returns 1 / x",
            "fsqrt" | "dsqrt" => "Returns the square root",
            _ => return None,
        };
        return Some((
            format!("{what}, rounded {rounding}. The compiler never fuses this with another operation."),
            MATH,
        ));
    }
    if let Some(text) = words_of_dynamic_programming(name) {
        return Some((text, MATH));
    }
    let simd = name.strip_prefix("__v")?;
    let parts = match simd.as_bytes().last()? {
        b'2' => "two pairs of 16-bit numbers",
        b'4' => "four pairs of bytes",
        _ => return None,
    };
    let (stem, text) = PARTS.iter().find(|(stem, _)| simd.starts_with(stem))?;
    let unary = stem.starts_with("abs") && !stem.ends_with("diff") || stem.starts_with("neg");
    let parts = if unary {
        parts.replace(" pairs of", "")
    } else {
        parts.to_owned()
    };
    Some((format!("{text} {parts}."), MATH))
}

/// The sentence for an instruction of dynamic programming, such as `__viaddmax_s16x2_relu`.
fn words_of_dynamic_programming(name: &str) -> Option<String> {
    let rest = name.strip_prefix("__vi")?;
    let (rest, relu) = match rest.strip_suffix("_relu") {
        Some(rest) => (rest, ", and not less than 0"),
        None => (rest, ""),
    };
    let (stem, ty) = rest.split_once('_')?;
    let what = match stem {
        "addmax" => "Returns the larger of a + b and c",
        "addmin" => "Returns the smaller of a + b and c",
        "max3" => "Returns the largest of three numbers",
        "min3" => "Returns the smallest of three numbers",
        "max" => "Returns the larger number",
        "min" => "Returns the smaller number",
        "bmax" => "Returns the larger number, and whether it is the first",
        "bmin" => "Returns the smaller number, and whether it is the first",
        _ => return None,
    };
    let both = if ty.ends_with("x2") {
        ", for both halves of a word"
    } else {
        ""
    };
    Some(format!("{what}{relu}{both}."))
}

fn capability(name: &str) -> u32 {
    if name.ends_with("_block") || name.ends_with("_system") {
        return if name.starts_with("atomic") {
            600
        } else {
            builtins::capability(name)
        };
    }
    builtins::capability(name)
}

/// The declaration of a function that CUDA provides.
fn signature(name: &str) -> String {
    if let Some(signature) = builtins::signature(name) {
        return signature;
    }
    let base = name
        .strip_suffix("_block")
        .or_else(|| name.strip_suffix("_system"));
    if let Some(entry) = base.and_then(documentation) {
        return entry.signature.replacen(entry.name, name, 1);
    }
    if let Some(vector) = name.strip_prefix("make_").and_then(vector) {
        let elem = type_text(&vector.elem, &[]);
        let lanes = &crate::types::LANE_NAMES[..usize::from(vector.lanes)];
        let params: Vec<String> = lanes.iter().map(|lane| format!("{elem} {lane}")).collect();
        return format!("{} {name}({})", vector.name, params.join(", "));
    }
    let Some(function) = prelude::prelude().functions(name).next() else {
        return format!("{name}(…)");
    };
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| {
            let ty = type_name(&param.ty);
            let gap = if ty.ends_with('*') { "" } else { " " };
            format!("{ty}{gap}{}", param.name.as_ref().map_or("", |name| &*name.name))
        })
        .collect();
    format!("{} {name}({})", type_name(&function.ret), params.join(", "))
}

fn type_name(ty: &TypeName) -> String {
    let base = match &ty.base {
        BaseType::Known(known) => type_text(known, &[]),
        BaseType::Named(name) => name.name.to_string(),
        _ => "T".to_owned(),
    };
    let is_const = if ty.is_const { "const " } else { "" };
    let stars = ty
        .derived
        .iter()
        .filter(|step| matches!(step, Derived::Pointer { .. }))
        .count();
    let gap = if stars > 0 { " " } else { "" };
    format!("{is_const}{base}{gap}{}", "*".repeat(stars))
}

impl From<&Symbol> for Known {
    /// A declaration of the source. Names from headers have the sentence of the table.
    fn from(symbol: &Symbol) -> Self {
        let entry = documentation(&symbol.name).filter(|_| symbol.header.is_some());
        Self {
            name: symbol.name.clone(),
            kind: symbol.kind,
            signature: symbol.signature.clone(),
            text: entry.map_or(String::new(), |entry| entry.text.to_owned()),
            capability: entry.map_or(0, |entry| entry.capability),
            source: entry.map_or("", |entry| entry.source),
        }
    }
}
