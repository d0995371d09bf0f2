//! What the form shows: a row for each parameter and each named variable.

use super::super::Session;
use super::super::number::{text_of, type_name};
use super::{LaunchField, PatternKind, Place};
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
}

/// The fields of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum RowKind {
    /// One field: a number, or bytes.
    Value {
        /// The field.
        field: LaunchField,
        /// What it holds.
        text: String,
    },
    /// A buffer.
    Buffer(BufferRow),
}

/// The fields of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferRow {
    /// Which one.
    pub place: Place,
    /// Its elements' type.
    pub elem: ElemType,
    /// Whether the type can be chosen: behind `void`.
    pub any_elem: bool,
    /// Elements.
    pub len: u32,
    /// What it is for; `None` for variables.
    pub role: Option<Role>,
    /// Its first contents; `None`: a variable as its text has it.
    pub fill: Option<Fill>,
}

impl BufferRow {
    /// The number that goes with the pattern, and its field: a constant, or a seed.
    pub fn number(&self) -> Option<(LaunchField, String)> {
        match &self.fill.as_ref()?.pattern {
            Pattern::Const(value) => Some((LaunchField::Constant(self.place), value.to_string())),
            Pattern::Lcg(seed) | Pattern::Perm(seed) => {
                Some((LaunchField::Seed(self.place), seed.to_string()))
            }
            _ => None,
        }
    }

    /// Pasted values as text, and how many there are.
    pub fn values(&self) -> Option<(String, String)> {
        let Pattern::List(values) = &self.fill.as_ref()?.pattern else {
            return None;
        };
        let text: Vec<String> = values.iter().map(f64::to_string).collect();
        let rest = (self.len as usize).saturating_sub(values.len()) as u64;
        let read = format!("{} read", thousands(values.len() as u64));
        let note = match rest {
            0 => format!("{read}."),
            1 => format!("{read}; the last element is zero."),
            rest => format!("{read}; the other {} are zero.", thousands(rest)),
        };
        Some((text.join(", "), note))
    }

    /// Its contents in a word.
    pub fn word(&self) -> &'static str {
        self.fill
            .as_ref()
            .map_or("as in the text", |fill| PatternKind::of(&fill.pattern).name())
    }
}

impl Session {
    /// A row for each parameter of the kernel, in order; none before it has compiled once.
    pub fn argument_rows(&self) -> Vec<Row> {
        let Some(program) = self.derived().program() else {
            return Vec::new();
        };
        let launch = self.launch();
        let rows = program.params.iter().zip(&launch.args).zip(0u16..);
        rows.map(|((param, arg), idx)| Row {
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
                Argument::Texture(_) => RowKind::Value {
                    field: LaunchField::Bytes(idx),
                    text: argument_text(arg),
                },
                Argument::Buffer {
                    elem,
                    len,
                    fill,
                    role,
                } => RowKind::Buffer(BufferRow {
                    place: Place::Argument(idx),
                    elem: *elem,
                    any_elem: matches!(param.ty, ParamType::Pointer { elem: None, .. }),
                    len: *len,
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
            // String literals, which the compiler names.
            .filter(|(symbol, _)| !symbol.name.starts_with('$'))
            .map(|(symbol, idx)| {
                let given = launch.symbols.iter().find(|fill| fill.symbol == symbol.name);
                let elem = given.map_or(symbol.elem.unwrap_or(ElemType::U8), |fill| fill.elem);
                let qualifier = match symbol.space {
                    SymbolSpace::Constant => "__constant__",
                    _ => "__device__",
                };
                let extents: String = symbol.dims.iter().map(|dim| format!("[{dim}]")).collect();
                Row {
                    name: symbol.name.clone(),
                    c_type: format!("{qualifier} {}{extents}", type_name(elem)),
                    kind: RowKind::Buffer(BufferRow {
                        place: Place::Symbol(idx),
                        elem,
                        any_elem: false,
                        len: given.map_or(symbol.size / elem.bytes(), |fill| fill.len),
                        role: None,
                        fill: given.map(|fill| fill.fill.clone()),
                    }),
                }
            })
            .collect()
    }

    /// The kernels of the text, where it has more than one.
    pub fn entries(&self) -> &[String] {
        self.derived().entries()
    }

    /// Whether arguments or variables differ from the library's.
    pub fn has_own_arguments(&self) -> bool {
        self.setup().args.is_some() || self.setup().symbols.is_some()
    }

    /// What of the options is not as usual, as the compiler's and the machine's words; `usual` if
    /// nothing is.
    pub fn options_text(&self) -> String {
        use engine::sim::{LoadCaching, MachineOptions, SchedulerPolicy};
        let (compile, machine) = (self.setup().compile, self.setup().machine);
        let words = [
            compile.fast_math.then(|| "-use_fast_math".to_owned()),
            (!compile.fmad).then(|| "-fmad=false".to_owned()),
            compile.ftz.then(|| "-ftz=true".to_owned()),
            (!compile.prec_div).then(|| "-prec-div=false".to_owned()),
            (!compile.prec_sqrt).then(|| "-prec-sqrt=false".to_owned()),
            compile.pointers_32_bit.then(|| "-m32".to_owned()),
            compile.max_registers.map(|most| format!("-maxrregcount={most}")),
            match machine.load_caching {
                LoadCaching::Default => None,
                LoadCaching::Ca => Some("-dlcm=ca".to_owned()),
                LoadCaching::Cg => Some("-dlcm=cg".to_owned()),
            },
            (self.has_bank_choice() && machine.bank_size != MachineOptions::default().bank_size)
                .then(|| machine.bank_size.cuda_name().to_owned()),
            match machine.policy {
                SchedulerPolicy::Chip => None,
                SchedulerPolicy::Gto => Some("greedy-then-oldest".to_owned()),
                SchedulerPolicy::Lrr => Some("round-robin".to_owned()),
                SchedulerPolicy::TwoLevel => Some("two-level".to_owned()),
            },
            machine.adversarial.then(|| "adversarial".to_owned()),
            (machine.max_cycles != MachineOptions::default().max_cycles)
                .then(|| format!("{} cycles at most", thousands(machine.max_cycles))),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        if words.is_empty() {
            "as usual".to_owned()
        } else {
            words.join(" ")
        }
    }
}
