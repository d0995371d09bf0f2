//! The contents of the form: a row for each parameter and each named variable.

use super::super::Session;
use super::super::number::{text_of, type_name};
use super::{LaunchField, PatternKind, Place, target};
use crate::run_option::RunOptions;
use crate::scene::thousands;
use crate::share::argument_text;
use engine::isa::{ElemType, ParamType, SymbolSpace};
use engine::launch::{Argument, Fill, Pattern, Role};

/// A row of the form.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The parameter's or variable's name.
    pub name: String,
    /// Its type in CUDA C.
    pub c_type: String,
    /// Its fields.
    pub kind: RowKind,
    /// Why its value is chosen, if no `main()` has the launch.
    pub chosen: Option<String>,
}

/// The fields of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum RowKind {
    /// One field: a number, or bytes.
    Value {
        /// The field.
        field: LaunchField,
        /// The field's text.
        text: String,
    },
    /// A buffer.
    Buffer(BufferRow),
}

/// The fields of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferRow {
    /// The buffer.
    pub place: Place,
    /// Its elements' type.
    pub elem: ElemType,
    /// Whether the element type is selectable, as for `void` pointers.
    pub any_elem: bool,
    /// The number of elements.
    pub len: u32,
    /// Where the pointer points: `in`, `in+3`; `None` for variables and textures.
    pub pointer: Option<String>,
    /// The buffer's role; `None` for variables.
    pub role: Option<Role>,
    /// The initial contents; `None`: a variable's contents from the source.
    pub fill: Option<Fill>,
}

impl BufferRow {
    /// The pattern's number and its field: a constant, or a seed.
    pub fn number(&self) -> Option<(LaunchField, String)> {
        match &self.fill.as_ref()?.pattern {
            Pattern::Const(value) => Some((
                LaunchField::Constant(self.place),
                text_of(ElemType::F64, value.to_bits()),
            )),
            Pattern::Lcg(seed) | Pattern::Perm(seed) => {
                Some((LaunchField::Seed(self.place), seed.to_string()))
            }
            _ => None,
        }
    }

    /// Pasted values as text, and the number of values.
    pub fn values(&self) -> Option<(String, String)> {
        let Pattern::List(values) = &self.fill.as_ref()?.pattern else {
            return None;
        };
        let text: Vec<String> = values
            .iter()
            .map(|value| text_of(ElemType::F64, value.to_bits()))
            .collect();
        let rest = (self.len as usize).saturating_sub(values.len()) as u64;
        let read = format!("{} read", thousands(values.len() as u64));
        let note = match rest {
            0 => format!("{read}."),
            1 => format!("{read}; the last element is zero."),
            rest => format!("{read}; the other {} are zero.", thousands(rest)),
        };
        Some((text.join(", "), note))
    }

    /// The contents in a few words.
    pub fn word(&self) -> &'static str {
        self.fill
            .as_ref()
            .map_or("from the source", |fill| PatternKind::of(&fill.pattern).name())
    }
}

impl Session {
    /// A row for each kernel parameter, in order; none before the first compilation.
    pub fn argument_rows(&self) -> Vec<Row> {
        let Some(program) = self.derived().program() else {
            return Vec::new();
        };
        let launch = self.launch();
        let rows = program.params.iter().zip(&launch.args).zip(0u16..);
        rows.map(|((param, arg), idx)| Row {
            chosen: self.why_chosen(&param.name),
            name: param.name.clone(),
            c_type: param.c_type.clone(),
            kind: match arg {
                Argument::Scalar { ty, bits } => RowKind::Value {
                    field: LaunchField::Scalar(idx),
                    text: text_of(*ty, *bits),
                },
                Argument::Bytes(bytes) => RowKind::Value {
                    field: LaunchField::Bytes(idx),
                    text: bytes
                        .iter()
                        .map(|byte| format!("{byte:02x}"))
                        .collect::<Vec<_>>()
                        .join(" "),
                },
                Argument::Pointer { .. } => RowKind::Value {
                    field: LaunchField::Target(idx),
                    text: target::text(program, &launch, usize::from(idx)).unwrap_or_default(),
                },
                Argument::Texture(_) | Argument::Words(_) => RowKind::Value {
                    field: LaunchField::Bytes(idx),
                    text: argument_text(arg),
                },
                Argument::Buffer {
                    elem,
                    len,
                    fill,
                    role,
                    ..
                } => RowKind::Buffer(BufferRow {
                    place: Place::Argument(idx),
                    elem: *elem,
                    any_elem: matches!(param.ty, ParamType::Pointer { elem: None, .. }),
                    len: *len,
                    pointer: target::text(program, &launch, usize::from(idx))
                        .filter(|_| matches!(param.ty, ParamType::Pointer { .. })),
                    role: Some(*role),
                    fill: Some(fill.clone()),
                }),
            },
        })
        .collect()
    }

    /// A row for each `__constant__` and `__device__` variable of the program.
    pub fn symbol_rows(&self) -> Vec<Row> {
        let Some(program) = self.derived().program() else {
            return Vec::new();
        };
        let launch = self.launch();
        let symbols = program.symbols.iter().zip(0u16..);
        symbols
            .filter(|(symbol, _)| symbol.space != SymbolSpace::Shared && symbol.size > 0)
            // The compiler names the variables of string literals.
            .filter(|(symbol, _)| !symbol.name.starts_with('$'))
            .map(|(symbol, idx)| {
                let given = launch.symbols.iter().find(|fill| fill.symbol == symbol.name);
                let elem = given.map_or(symbol.elem.unwrap_or(ElemType::U8), |fill| fill.elem);
                let qualifier = match symbol.space {
                    SymbolSpace::Constant => "__constant__",
                    _ => "__device__",
                };
                let extents: String = symbol
                    .dims
                    .iter()
                    .map(|dim| format!("[{dim}]"))
                    .collect::<Vec<_>>()
                    .concat();
                Row {
                    chosen: self.why_chosen(&symbol.name),
                    name: symbol.name.clone(),
                    c_type: format!("{qualifier} {}{extents}", type_name(elem)),
                    kind: RowKind::Buffer(BufferRow {
                        place: Place::Symbol(idx),
                        elem,
                        any_elem: false,
                        len: given.map_or(symbol.size / elem.bytes(), |fill| fill.len),
                        pointer: None,
                        role: None,
                        fill: given.map(|fill| fill.fill.clone()),
                    }),
                }
            })
            .collect()
    }

    /// The kernels of the source, if it has more than one.
    pub fn entries(&self) -> &[String] {
        self.derived().entries()
    }

    /// Whether arguments or variables differ from the library's.
    pub fn has_own_arguments(&self) -> bool {
        self.setup().args.is_some() || self.setup().symbols.is_some()
    }

    /// The options that differ from the defaults, in the compiler's and the simulator's terms; `defaults` if none
    /// differs.
    pub fn options_text(&self) -> String {
        let options = self.setup().options();
        // The carveout has a control of its own.
        let words: Vec<String> = options
            .changes(RunOptions::default(), self.setup().arch)
            .filter(|option| option.key != "carveout")
            .map(|option| option.words(&options))
            .collect();
        if words.is_empty() {
            "defaults".to_owned()
        } else {
            words.join(" ")
        }
    }
}
