//! The built-in library: functions of CUDA's headers that the chip does not provide. They are written in CUDA C and
//! compiled with the kernel that uses them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::ast::{Function, Item, Name};
use super::parse::parse;
use super::preprocess::preprocess_prelude;
use super::source::Source;
use engine::ids::Span;

/// The library files. Each file is parsed separately, and macros are local to a file.
pub(super) const NUM_FILES: usize = 7;

/// The texts of the files.
pub(super) const FILES: [&str; NUM_FILES] = [
    include_str!("prelude/common.cu"),
    include_str!("prelude/float.cu"),
    include_str!("prelude/double.cu"),
    include_str!("prelude/half.cu"),
    include_str!("prelude/words.cu"),
    include_str!("prelude/special.cu"),
    include_str!("prelude/moves.cu"),
];

/// The parsed library.
pub(super) struct Prelude {
    functions: Vec<&'static Arc<Function>>,
    pub(crate) by_name: BTreeMap<Name, Vec<usize>>,
}

impl Prelude {
    /// The functions of a name, in order.
    pub(super) fn functions(&self, name: &str) -> impl Iterator<Item = &'static Arc<Function>> {
        let ids = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|idx| self.functions.get(*idx).copied())
    }

    /// Names that users know.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name
            .keys()
            .map(|name| &**name)
            .filter(|name| !name.starts_with("__ws_"))
    }
}

/// What a function of the library needs, and its words in messages: 610 for compute capability 6.1.
pub(super) fn needs(name: &str) -> Option<(u32, String)> {
    let product = "The PTX instruction `mma` with this size and these types";
    let (capability, what) = match name {
        "__dp4a" | "__dp2a_lo" | "__dp2a_hi" => (610, format!("`{name}`")),
        "__ws_cp_async_ca" | "__ws_cp_async_cg" => (800, "`cp.async`".to_owned()),
        "__ws_product_s4" | "__ws_product_u4" | "__ws_product_xor" => (750, product.to_owned()),
        "__ws_product_since_800" => (800, product.to_owned()),
        "__ws_product_since_900" => (900, product.to_owned()),
        "__ws_ptx_since_530" => (530, "This PTX instruction".to_owned()),
        "__ws_ptx_since_720" => (720, "This PTX instruction".to_owned()),
        "__ws_ptx_since_750" => (750, "This PTX instruction".to_owned()),
        "__ws_ptx_since_800" => (800, "This PTX instruction".to_owned()),
        "__ws_ptx_since_900" => (900, "This PTX instruction".to_owned()),
        "cudaGridDependencySynchronize" | "cudaTriggerProgrammaticLaunchCompletion" => {
            (900, format!("`{name}`"))
        }
        _ => return None,
    };
    Some((capability, what))
}

/// The functions of one library file, parsed once.
pub(super) fn functions_of(file: usize) -> &'static [Arc<Function>] {
    static PARSED: [OnceLock<Vec<Arc<Function>>>; NUM_FILES] = [const { OnceLock::new() }; NUM_FILES];
    PARSED[file].get_or_init(|| {
        let (mut toks, _) = preprocess_prelude(&Source::new(FILES[file]));
        // Spans of the library do not refer to the user's text.
        for tok in &mut toks {
            tok.span = Span::default();
        }
        let items = parse(toks).items;
        let function = |item| match item {
            Item::Function(function) => Some(function),
            _ => None,
        };
        items.into_iter().filter_map(function).collect()
    })
}

/// The library, parsed once.
pub(super) fn prelude() -> &'static Prelude {
    static PRELUDE: OnceLock<Prelude> = OnceLock::new();
    PRELUDE.get_or_init(|| {
        let mut functions = Vec::new();
        let mut by_name: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for function in (0..NUM_FILES).flat_map(functions_of) {
            by_name
                .entry(function.name.name.clone())
                .or_default()
                .push(functions.len());
            functions.push(function);
        }
        Prelude { functions, by_name }
    })
}
