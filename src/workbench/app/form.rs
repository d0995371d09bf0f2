//! The launch form: its fields and choices, their effects on the setup, and its contents.

use super::arguments::{adapted, fit, made_up};
use super::host::Then;
use super::text::forget_launch;
use super::{Effect, Problem, Session};
use crate::scene::thousands;
use crate::share::{Setup, check_targets, read_argument};
use engine::arch::architecture;
use engine::isa::{ElemType, ParamType, Program, Symbol, SymbolSpace};
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};

mod dims;
mod rows;
mod target;
#[cfg(test)]
mod tests;
pub mod values;

pub use super::number;
pub use dims::{dims_text, parse_dims};
pub use rows::{BufferRow, Row, RowKind};

/// Size limit of a buffer of several values made in the form, in bytes.
const MAX_BUFFER_BYTES: u32 = 64 << 20;
/// Limit of values that are written out when a pattern becomes a list.
const LISTED: u32 = 32;
/// Limit of cycles that a run may take, as in links.
const MAX_CYCLES: u64 = 1_000_000_000;

/// A buffer of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The buffer of a pointer argument, by the argument's index.
    Argument(u16),
    /// A `__constant__` or `__device__` variable, by its index in the program.
    Symbol(u16),
}

/// A text field of the launch form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaunchField {
    /// The grid: blocks.
    Grid,
    /// The block: threads.
    Block,
    /// Dynamic shared memory in bytes.
    DynamicShared,
    /// A scalar argument.
    Scalar(u16),
    /// A struct argument, as hexadecimal bytes.
    Bytes(u16),
    /// Where a pointer argument points.
    Target(u16),
    /// The number of elements of a buffer.
    Length(Place),
    /// The value of a constant pattern.
    Constant(Place),
    /// The seed of a random or permutation pattern.
    Seed(Place),
    /// Pasted values.
    Values(Place),
    /// The modulus of the base values.
    Modulo(Place),
    /// The factor of the values.
    Scale(Place),
    /// The offset of the values.
    Offset(Place),
    /// `-maxrregcount`.
    MaxRegisters,
    /// The cycle limit of the run.
    MaxCycles,
    /// The number of blocks that run.
    FirstBlocks,
}

/// Initial contents of a buffer, without their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum PatternKind {
    Zero,
    Iota,
    Constant,
    Random,
    Permutation,
    Values,
    Unset,
    /// Words with addresses, which launches of host code and links have.
    Addresses,
}

impl PatternKind {
    /// All kinds that can be chosen, in the order of the menu.
    pub const ALL: [Self; 7] = [
        Self::Zero,
        Self::Iota,
        Self::Constant,
        Self::Random,
        Self::Permutation,
        Self::Values,
        Self::Unset,
    ];

    /// The menu entry, also used in the test ID.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zeros",
            Self::Iota => "0, 1, 2 …",
            Self::Constant => "constant",
            Self::Random => "random",
            Self::Permutation => "permutation",
            Self::Values => "values",
            Self::Unset => "unset",
            Self::Addresses => "addresses",
        }
    }

    /// The kind of a pattern.
    pub const fn of(pattern: &Pattern) -> Self {
        match pattern {
            Pattern::Zero => Self::Zero,
            Pattern::Iota => Self::Iota,
            Pattern::Const(_) => Self::Constant,
            Pattern::Lcg(_) => Self::Random,
            Pattern::Perm(_) => Self::Permutation,
            Pattern::List(_) => Self::Values,
            Pattern::Unset => Self::Unset,
            Pattern::Words(_) => Self::Addresses,
        }
    }
}

/// A choice in the form, as opposed to a text field.
#[derive(Clone, Debug, PartialEq)]
pub enum FormChoice {
    /// The contents of a buffer; `None`: a variable's contents from the source.
    Pattern(Place, Option<PatternKind>),
    /// The role of an argument's buffer.
    Role(u16, Role),
    /// The type of elements behind a `void` pointer.
    Elem(u16, ElemType),
    /// The `__global__` function to launch.
    Entry(String),
    /// A launch in the source's own host code, by its index.
    HostLaunch(u16),
    /// Restores the library's arguments, or arguments generated from the parameters.
    ResetArguments,
    /// Restores the library's source text.
    ResetText,
}

/// Sets a field from text. Invalid text stays in the field, with the reason.
pub(super) fn enter(session: &mut Session, field: LaunchField, text: String) -> Vec<Effect> {
    let mut setup = session.setup().clone();
    if let Err(why) = set(session, &mut setup, field, &text) {
        session.side_mut().drafts.insert(field, (text, why));
        Vec::new()
    } else {
        session.side_mut().drafts.remove(&field);
        session.side_mut().host.is_users |= field.is_launch();
        session.change(|now| *now = setup)
    }
}

/// Applies a choice.
pub(super) fn choose(session: &mut Session, choice: FormChoice) -> Vec<Effect> {
    match choice {
        FormChoice::HostLaunch(idx) => session.take_host_launch(usize::from(idx)),
        FormChoice::ResetArguments => {
            session.side_mut().drafts.clear();
            session.change(|setup| {
                setup.args = None;
                setup.symbols = None;
            })
        }
        FormChoice::ResetText => {
            let source = session.setup().library_kernel().source;
            source.clone_into(&mut session.side_mut().text);
            session.edit_ms = None;
            let before = signature(session);
            let is_chosen = session.is_chosen();
            let effects = session.change(|setup| {
                if is_chosen {
                    forget_launch(setup);
                }
                setup.source = None;
                setup.entry = None;
            });
            session.follow_signature(before);
            effects
        }
        FormChoice::Entry(name) => {
            let before = signature(session);
            let is_default = session.setup().library_kernel().entry == name;
            let is_chosen = session.is_chosen();
            let effects = session.change(|setup| setup.entry = (!is_default).then_some(name));
            if is_chosen {
                // The other kernel gets its own launch.
                session.follow_host(Then::Take { merges: true });
            } else {
                session.follow_signature(before);
            }
            effects
        }
        FormChoice::Role(idx, role) => change_buffer(session, Place::Argument(idx), |buffer| {
            if let Some(now) = &mut buffer.role {
                *now = role;
            }
        }),
        FormChoice::Elem(idx, elem) => change_buffer(session, Place::Argument(idx), |buffer| {
            let bytes = buffer.len * buffer.elem.bytes();
            buffer.elem = elem;
            buffer.len = (bytes / elem.bytes()).max(1);
        }),
        FormChoice::Pattern(place @ Place::Symbol(_), None) => {
            let mut setup = session.setup().clone();
            let mut launch = session.launch();
            if let Some(symbol) = session.symbol(place) {
                launch.symbols.retain(|fill| fill.symbol != symbol.name);
            }
            keep(&mut setup, &launch);
            session.change(|now| *now = setup)
        }
        FormChoice::Pattern(_, None) => Vec::new(),
        FormChoice::Pattern(place, Some(kind)) => change_buffer(session, place, |buffer| {
            buffer.fill.pattern = match kind {
                PatternKind::Zero => Pattern::Zero,
                PatternKind::Iota => Pattern::Iota,
                PatternKind::Constant => Pattern::Const(1.0),
                PatternKind::Random => Pattern::Lcg(1),
                PatternKind::Permutation => Pattern::Perm(1),
                PatternKind::Values => Pattern::List(buffer.first_values()),
                PatternKind::Unset => Pattern::Unset,
                // Not in the menu.
                PatternKind::Addresses => return,
            };
            if kind == PatternKind::Values {
                // The values already contain them.
                buffer.fill = Fill::of(buffer.fill.pattern.clone());
            }
        }),
    }
}

/// A buffer during a change.
struct Buffer {
    elem: ElemType,
    len: u32,
    /// The limit of its elements.
    most: u32,
    fill: Fill,
    /// The role; `None` for variables.
    role: Option<Role>,
}

impl Buffer {
    /// The first values, as a start for manual edits.
    fn first_values(&self) -> Vec<f64> {
        let bytes = self.fill.bytes(self.elem, self.len.min(LISTED));
        let chunks = bytes.chunks_exact(self.elem.bytes() as usize);
        // The shortest decimal that rounds to the value, as in links.
        let value = |chunk: &[u8]| number::text_of(self.elem, bits(chunk)).parse::<f64>();
        chunks
            .map(|chunk| value(chunk).ok().filter(|value| !value.is_nan()).unwrap_or(0.0))
            .collect()
    }
}

/// Little-endian bytes as a number.
pub(super) fn bits(chunk: &[u8]) -> u64 {
    chunk
        .iter()
        .rev()
        .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

fn change_buffer(session: &mut Session, place: Place, change: impl FnOnce(&mut Buffer)) -> Vec<Effect> {
    let mut setup = session.setup().clone();
    let mut launch = session.launch();
    if with_buffer(session, &mut launch, place, |buffer| {
        change(buffer);
        Ok(())
    })
    .is_err()
    {
        return Vec::new();
    }
    keep(&mut setup, &launch);
    session.side_mut().host.is_users = true;
    // Rejected text referred to the buffer before the change.
    session.side_mut().drafts.retain(|field, _| !field.is_of(place));
    session.change(|now| *now = setup)
}

/// Changes a buffer of the launch; a variable without initial contents gets some.
fn with_buffer(
    session: &Session,
    launch: &mut Launch,
    place: Place,
    change: impl FnOnce(&mut Buffer) -> Result<(), String>,
) -> Result<(), String> {
    let gone = || "The kernel no longer has this parameter or variable.".to_owned();
    match place {
        Place::Argument(idx) => {
            let Some(Argument::Buffer {
                elem,
                len,
                fill,
                role,
                ..
            }) = launch.args.get_mut(usize::from(idx))
            else {
                return Err(gone());
            };
            let mut buffer = Buffer {
                elem: *elem,
                len: *len,
                most: if fill.is_uniform() {
                    u32::MAX
                } else {
                    MAX_BUFFER_BYTES / elem.bytes()
                },
                fill: fill.clone(),
                role: Some(*role),
            };
            change(&mut buffer)?;
            (*elem, *len, *fill) = (buffer.elem, buffer.len, buffer.fill);
            *role = buffer.role.unwrap_or(*role);
        }
        Place::Symbol(_) => {
            let symbol = session.symbol(place).ok_or_else(gone)?;
            let elem = symbol.elem.unwrap_or(ElemType::U8);
            let at = launch.symbols.iter().position(|fill| fill.symbol == symbol.name);
            let most = (symbol.size / elem.bytes()).max(1);
            let mut buffer = match at.map(|at| launch.symbols[at].clone()) {
                Some(fill) => Buffer {
                    elem: fill.elem,
                    len: fill.len,
                    most: (symbol.size / fill.elem.bytes()).max(1),
                    fill: fill.fill,
                    role: None,
                },
                None => Buffer {
                    elem,
                    len: most,
                    most,
                    fill: Fill::of(Pattern::Zero),
                    role: None,
                },
            };
            change(&mut buffer)?;
            let fill = SymbolFill {
                symbol: symbol.name.clone(),
                elem: buffer.elem,
                len: buffer.len,
                fill: buffer.fill,
            };
            match at {
                Some(at) => launch.symbols[at] = fill,
                None => launch.symbols.push(fill),
            }
        }
    }
    Ok(())
}

impl LaunchField {
    /// Whether the field belongs to a buffer.
    pub fn is_of(self, place: Place) -> bool {
        match self {
            Self::Length(of)
            | Self::Constant(of)
            | Self::Seed(of)
            | Self::Values(of)
            | Self::Modulo(of)
            | Self::Scale(of)
            | Self::Offset(of) => of == place,
            Self::Scalar(idx) | Self::Bytes(idx) | Self::Target(idx) => Place::Argument(idx) == place,
            _ => false,
        }
    }

    /// Whether the field belongs to the launch, not to the options.
    fn is_launch(self) -> bool {
        !matches!(self, Self::MaxRegisters | Self::MaxCycles | Self::FirstBlocks)
    }

    /// Whether the field belongs to the arguments or variables.
    fn is_argument(self) -> bool {
        !matches!(
            self,
            Self::Grid
                | Self::Block
                | Self::DynamicShared
                | Self::MaxRegisters
                | Self::MaxCycles
                | Self::FirstBlocks
        )
    }
}

/// Sets a field's value, or returns why its text is invalid.
fn set(session: &Session, setup: &mut Setup, field: LaunchField, text: &str) -> Result<(), String> {
    let text = text.trim();
    let standard = setup.library_kernel().launch();
    let place = match field {
        LaunchField::Grid => {
            let dims = parse_dims(text)?;
            setup.grid = (dims != standard.grid).then_some(dims);
            return Ok(());
        }
        LaunchField::Block => {
            let dims = parse_dims(text)?;
            setup.block = (dims != standard.block).then_some(dims);
            return Ok(());
        }
        LaunchField::DynamicShared => {
            let bytes = count(text, 0, 1 << 20, "bytes of shared memory")? as u32;
            setup.dynamic_shared = (bytes != standard.dynamic_shared).then_some(bytes);
            return Ok(());
        }
        LaunchField::MaxRegisters => {
            let most = architecture(setup.arch).occupancy.max_registers_per_thread.value;
            setup.compile.max_registers = match text {
                "" => None,
                _ => Some(count(text, 1, u64::from(most), "registers per thread")? as u16),
            };
            return Ok(());
        }
        LaunchField::MaxCycles => {
            setup.machine.max_cycles = match text {
                "" => engine::sim::MachineOptions::default().max_cycles,
                _ => count(text, 1, MAX_CYCLES, "cycles")?,
            };
            return Ok(());
        }
        LaunchField::FirstBlocks => {
            setup.machine.first_blocks = match text {
                "" | "all" => None,
                _ => Some(count(text, 1, u64::from(u32::MAX), "blocks")? as u32),
            };
            return Ok(());
        }
        LaunchField::Scalar(idx) | LaunchField::Bytes(idx) | LaunchField::Target(idx) => Place::Argument(idx),
        LaunchField::Length(place)
        | LaunchField::Constant(place)
        | LaunchField::Seed(place)
        | LaunchField::Values(place)
        | LaunchField::Modulo(place)
        | LaunchField::Scale(place)
        | LaunchField::Offset(place) => place,
    };
    let mut launch = session.launch();
    match (field, place) {
        (LaunchField::Scalar(_) | LaunchField::Bytes(_), Place::Argument(idx)) => {
            match launch.args.get_mut(usize::from(idx)) {
                Some(Argument::Scalar { ty, bits }) => *bits = number::parse(*ty, text)?,
                Some(Argument::Bytes(bytes)) => *bytes = parse_bytes(text, bytes.len())?,
                Some(argument @ Argument::Texture(_)) => *argument = read_argument(text)?,
                Some(argument @ Argument::Words(_)) => {
                    *argument = read_argument(text)?;
                    check_targets(&launch.args)?;
                }
                _ => return Err("The kernel no longer has this parameter.".to_owned()),
            }
        }
        (LaunchField::Target(_), Place::Argument(idx)) => {
            let program = session.derived().program().cloned();
            let program = program.ok_or("The kernel does not compile.")?;
            target::set(&program, &mut launch, usize::from(idx), text)?;
        }
        _ => with_buffer(session, &mut launch, place, |buffer| fill(buffer, field, text))?,
    }
    keep(setup, &launch);
    Ok(())
}

/// Sets the value of a buffer's field.
fn fill(buffer: &mut Buffer, field: LaunchField, text: &str) -> Result<(), String> {
    let real = |text: &str| match text {
        "" => Ok(None),
        _ => match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(format!(
                "“{}” is not a number such as 2 or 0.5.",
                number::shortened(text)
            )),
        },
    };
    match field {
        LaunchField::Length(_) => {
            let what = format!("elements of {}", number::type_name(buffer.elem));
            buffer.len = count(text, 1, u64::from(buffer.most), &what)? as u32;
        }
        LaunchField::Constant(_) => {
            let bits = number::parse(buffer.elem, text)?;
            let value = number::value_of(buffer.elem, bits);
            if value.is_nan() {
                return Err("A constant must be a number, not NaN.".to_owned());
            }
            // Decimal digits are kept unchanged.
            let given = text.parse().ok().filter(|_| number::is_float(buffer.elem));
            buffer.fill.pattern = Pattern::Const(given.unwrap_or(value));
        }
        LaunchField::Seed(_) => {
            let seed = count(text, 0, u64::from(u32::MAX), "as a seed")? as u32;
            buffer.fill.pattern = match buffer.fill.pattern {
                Pattern::Perm(_) => Pattern::Perm(seed),
                _ => Pattern::Lcg(seed),
            };
        }
        LaunchField::Values(_) => {
            let values = values::read(buffer.elem, text).checked(buffer.elem)?;
            if values.len() as u64 > u64::from(buffer.most) {
                return Err(format!(
                    "Read {} numbers, but the buffer holds at most {} elements.",
                    thousands(values.len() as u64),
                    thousands(u64::from(buffer.most))
                ));
            }
            buffer.len = buffer.len.max(values.len() as u32);
            buffer.fill = Fill::of(Pattern::List(values));
        }
        LaunchField::Modulo(_) => {
            buffer.fill.modulo = match text {
                "" => None,
                _ => Some(count(text, 1, u64::from(u32::MAX), "as a modulus")?),
            };
        }
        LaunchField::Scale(_) => buffer.fill.scale = real(text)?.filter(|scale| *scale != 1.0),
        LaunchField::Offset(_) => buffer.fill.offset = real(text)?.filter(|offset| *offset != 0.0),
        _ => {}
    }
    Ok(())
}

/// Parses a whole number within limits; commas and spaces may group its digits.
fn count(text: &str, least: u64, most: u64, what: &str) -> Result<u64, String> {
    let digits: String = text
        .chars()
        .filter(|letter| !matches!(letter, ',' | '_') && !letter.is_whitespace())
        .collect();
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    value
        .filter(|value| (least..=most).contains(value))
        .ok_or_else(|| {
            format!(
                "“{}” is not a whole number from {} to {} {what}.",
                number::shortened(text),
                thousands(least),
                thousands(most)
            )
        })
}

/// Parses a row of hexadecimal bytes.
fn parse_bytes(text: &str, len: usize) -> Result<Vec<u8>, String> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    let digits = digits.replace("0x", "");
    let bytes: Option<Vec<u8>> = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
            u8::from_str_radix(pair, 16).ok()
        })
        .collect();
    match bytes {
        Some(bytes) if bytes.len() == len => Ok(bytes),
        Some(bytes) => Err(format!(
            "Read {} bytes; the parameter takes {len} bytes.",
            bytes.len()
        )),
        None => Err(format!(
            "Write the {len} bytes as hexadecimal pairs, for example 00 0a ff."
        )),
    }
}

/// Stores the arguments and variables that differ from the library's.
fn keep(setup: &mut Setup, launch: &Launch) {
    let standard = setup.library_kernel().launch();
    setup.args = (launch.args != standard.args).then(|| launch.args.clone());
    setup.symbols = (launch.symbols != standard.symbols).then(|| launch.symbols.clone());
}

/// A program, and the launch that sets its parameters.
pub(super) type Signature = (std::sync::Arc<Program>, Launch);

/// The parameters and arguments before a change of the source.
pub(super) fn signature(session: &Session) -> Option<Signature> {
    Some((session.derived().program()?.clone(), session.launch()))
}

/// Assigns the arguments to the changed parameters, and reports generated arguments.
fn adapt_arguments(session: &mut Session, before: Option<Signature>) {
    let (Some((old, launch)), Some(new)) = (before, session.derived().program().cloned()) else {
        return;
    };
    let names = |program: &Program| -> Vec<(String, ParamType, u32)> {
        let param = |param: &engine::isa::Param| (param.name.clone(), param.ty.clone(), param.size);
        program.params.iter().map(param).collect()
    };
    if names(&old) == names(&new) && fit(&new, &session.setup().launch()) {
        return;
    }
    session.side_mut().drafts.retain(|field, _| !field.is_argument());
    let mut note = None;
    let whole_library = session.setup().source.is_none() && session.setup().entry.is_none();
    let is_named = |param: &engine::isa::Param| old.params.iter().any(|other| other.name == param.name);
    let is_another = old.name != new.name && !new.params.iter().any(is_named);
    if whole_library || is_another {
        session.change_setup(|setup| (setup.args, setup.symbols) = (None, None));
    } else {
        let (launch, sentence) = adapted(&old.params, &new, &launch);
        session.change_setup(|setup| keep(setup, &launch));
        note = sentence;
    }
    if let Some(message) = note
        && !session.is_stale()
    {
        session.side_mut().derived.problems.push(Problem {
            span: None,
            message,
            fatal: false,
            fix: None,
        });
    }
}

impl Session {
    /// Assigns the arguments to the parameters of changed source after it compiles; `before` is the signature before
    /// the change.
    pub(super) fn follow_signature(&mut self, before: Option<Signature>) {
        let side = self.side_mut();
        if side.derived.is_compiling() {
            // Of several successive changes, the first one has the user's arguments.
            side.signature = side.signature.take().or(before);
        } else {
            side.signature = None;
            adapt_arguments(self, before);
        }
    }

    /// The launch with the effective arguments: the scenario's arguments, or generated ones if those do not fit the
    /// parameters.
    pub fn launch(&self) -> Launch {
        let own = self.setup().launch();
        match self.derived().program() {
            Some(program) if !fit(program, &own) => made_up(program, &own, self.setup().args.is_some()).0,
            _ => own,
        }
    }

    /// The variable at a place.
    fn symbol(&self, place: Place) -> Option<&Symbol> {
        let Place::Symbol(idx) = place else { return None };
        let symbol = self.derived().program()?.symbols.get(usize::from(idx))?;
        (symbol.space != SymbolSpace::Shared).then_some(symbol)
    }
}
