//! The launch form: its fields and choices, what they do to the setup, and what it shows.

use super::arguments::{adapted, fit, made_up};
use super::{Effect, Problem, Session};
use crate::scene::thousands;
use crate::share::{Setup, read_argument};
use engine::arch::{BankSize, architecture};
use engine::isa::{ElemType, ParamType, Program, Symbol, SymbolSpace};
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};
use engine::sim::{LoadCaching, SchedulerPolicy};

mod dims;
mod rows;
#[cfg(test)]
mod tests;
pub mod values;

pub use super::number;
pub use dims::{dims_text, parse_dims};
pub use rows::{BufferRow, Row, RowKind};

/// A buffer made in the form has at most this many bytes.
const MAX_BUFFER_BYTES: u32 = 64 << 20;
/// Values that are written out where a pattern becomes a list.
const LISTED: u32 = 32;
/// A run may be given at most this many cycles, as in links.
const MAX_CYCLES: u64 = 1_000_000_000;

/// A buffer of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// What an argument points to, by its index.
    Argument(u16),
    /// A `__constant__` or `__device__` variable, by its index in the program.
    Symbol(u16),
}

/// A field of the launch form that takes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaunchField {
    /// Blocks.
    Grid,
    /// Threads of a block.
    Block,
    /// Dynamic shared memory in bytes.
    DynamicShared,
    /// A number given by value.
    Scalar(u16),
    /// A struct given by value, as hexadecimal bytes.
    Bytes(u16),
    /// Elements of a buffer.
    Length(Place),
    /// The value of a constant pattern.
    Constant(Place),
    /// The seed of a random or permutation pattern.
    Seed(Place),
    /// Values that were pasted.
    Values(Place),
    /// What base values are taken modulo.
    Modulo(Place),
    /// What they are multiplied by.
    Scale(Place),
    /// What is added.
    Offset(Place),
    /// `-maxrregcount`.
    MaxRegisters,
    /// Cycles after which the run is stopped.
    MaxCycles,
}

/// First contents of a buffer, without their numbers.
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
}

impl PatternKind {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 7] = [
        Self::Zero,
        Self::Iota,
        Self::Constant,
        Self::Random,
        Self::Permutation,
        Self::Values,
        Self::Unset,
    ];

    /// In the menu, and its id on the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zeros",
            Self::Iota => "0, 1, 2 …",
            Self::Constant => "constant",
            Self::Random => "random",
            Self::Permutation => "permutation",
            Self::Values => "values",
            Self::Unset => "unset",
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
        }
    }
}

/// Something that is chosen in the form, not typed.
#[derive(Clone, Debug, PartialEq)]
pub enum FormChoice {
    /// How a buffer is filled; `None`: a variable as its text has it.
    Pattern(Place, Option<PatternKind>),
    /// What an argument's buffer is for.
    Role(u16, Role),
    /// The type of elements behind a `void` pointer.
    Elem(u16, ElemType),
    /// How schedulers choose.
    Policy(SchedulerPolicy),
    /// `-dlcm`.
    Caching(LoadCaching),
    /// Size of the banks of shared memory.
    BankSize(BankSize),
    /// The `__global__` function that is launched.
    Entry(String),
    /// A launch of the text's own host code, by its number from 0.
    HostLaunch(u16),
    /// The library's arguments again, or those made up from the parameters.
    ResetArguments,
    /// The library's text again.
    ResetText,
}

/// Takes the text of a field: as a value, or, where it is none, as it is with the reason.
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

/// Does what was chosen.
pub(super) fn choose(session: &mut Session, choice: FormChoice) -> Vec<Effect> {
    match choice {
        FormChoice::Policy(policy) => session.change(|setup| setup.machine.policy = policy),
        FormChoice::Caching(caching) => session.change(|setup| setup.machine.load_caching = caching),
        FormChoice::BankSize(size) => session.change(|setup| setup.machine.bank_size = size),
        FormChoice::HostLaunch(idx) => session.take_host_launch(usize::from(idx)),
        FormChoice::ResetArguments => {
            session.side_mut().drafts.clear();
            session.change(|setup| {
                setup.args = None;
                setup.symbols = None;
            })
        }
        FormChoice::ResetText => {
            session.side_mut().text = session.setup().library_kernel().source.to_owned();
            session.edit_ms = None;
            let before = signature(session);
            let effects = session.change(|setup| {
                setup.source = None;
                setup.entry = None;
            });
            session.follow_signature(before);
            effects
        }
        FormChoice::Entry(name) => {
            let before = signature(session);
            let usual = session.setup().library_kernel().entry == name;
            let effects = session.change(|setup| setup.entry = (!usual).then_some(name));
            session.follow_signature(before);
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
            };
            if kind == PatternKind::Values {
                // They are in the values already.
                buffer.fill = Fill::of(buffer.fill.pattern.clone());
            }
        }),
    }
}

/// A buffer while it is changed.
struct Buffer {
    elem: ElemType,
    len: u32,
    /// Elements that it can have at most.
    most: u32,
    fill: Fill,
    /// None for variables.
    role: Option<Role>,
}

impl Buffer {
    /// Its first values, for who goes on from them by hand.
    fn first_values(&self) -> Vec<f64> {
        let bytes = self.fill.bytes(self.elem, self.len.min(LISTED));
        let chunks = bytes.chunks_exact(self.elem.bytes() as usize);
        // Of all decimals that are rounded to the value the shortest, as links have them, too.
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
    // What was refused was about the buffer as it was.
    session.side_mut().drafts.retain(|field, _| !field.is_of(place));
    session.change(|now| *now = setup)
}

/// Changes a buffer of a launch; a variable without contents of its own gets some.
fn with_buffer(
    session: &Session,
    launch: &mut Launch,
    place: Place,
    change: impl FnOnce(&mut Buffer) -> Result<(), String>,
) -> Result<(), String> {
    let gone = || "The kernel no longer has this.".to_owned();
    match place {
        Place::Argument(idx) => {
            let Some(Argument::Buffer {
                elem,
                len,
                fill,
                role,
            }) = launch.args.get_mut(usize::from(idx))
            else {
                return Err(gone());
            };
            let mut buffer = Buffer {
                elem: *elem,
                len: *len,
                most: MAX_BUFFER_BYTES / elem.bytes(),
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
    /// Whether it is about a buffer.
    pub fn is_of(self, place: Place) -> bool {
        match self {
            Self::Length(of)
            | Self::Constant(of)
            | Self::Seed(of)
            | Self::Values(of)
            | Self::Modulo(of)
            | Self::Scale(of)
            | Self::Offset(of) => of == place,
            Self::Scalar(idx) | Self::Bytes(idx) => Place::Argument(idx) == place,
            _ => false,
        }
    }

    /// Whether it is about the launch, not about options.
    fn is_launch(self) -> bool {
        !matches!(self, Self::MaxRegisters | Self::MaxCycles)
    }

    /// Whether it is about the arguments or variables.
    fn is_argument(self) -> bool {
        !matches!(
            self,
            Self::Grid | Self::Block | Self::DynamicShared | Self::MaxRegisters | Self::MaxCycles
        )
    }
}

/// Sets what a field's text says, or tells why it cannot.
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
                _ => Some(count(text, 1, u64::from(most), "registers a thread")? as u16),
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
        LaunchField::Scalar(idx) | LaunchField::Bytes(idx) => Place::Argument(idx),
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
                _ => return Err("The kernel no longer has this parameter.".to_owned()),
            }
        }
        _ => with_buffer(session, &mut launch, place, |buffer| fill(buffer, field, text))?,
    }
    keep(setup, &launch);
    Ok(())
}

/// Sets what a field of a buffer says.
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
                return Err("A constant is a number, not nan.".to_owned());
            }
            // Decimal digits are kept as they are.
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
                    "{} numbers read, but it has {} elements at most.",
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

/// Reads a whole number within limits; commas and spaces may group its digits.
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

/// Reads a row of hexadecimal bytes.
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
        Some(bytes) => Err(format!("{} bytes read, but it takes {len}.", bytes.len())),
        None => Err(format!(
            "Write its {len} bytes as hexadecimal pairs, as in 00 0a ff."
        )),
    }
}

/// Keeps what of the arguments and variables differs from the library's.
fn keep(setup: &mut Setup, launch: &Launch) {
    let standard = setup.library_kernel().launch();
    setup.args = (launch.args != standard.args).then(|| launch.args.clone());
    setup.symbols = (launch.symbols != standard.symbols).then(|| launch.symbols.clone());
}

/// A program and the launch that gives its parameters values.
pub(super) type Signature = (std::sync::Arc<Program>, Launch);

/// What the parameters are and what they have been given, before a change of the text.
pub(super) fn signature(session: &Session) -> Option<Signature> {
    Some((session.derived().program()?.clone(), session.launch()))
}

/// Gives the arguments to the parameters that the text has now, and reports what had to be made up.
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
    /// Gives the arguments to the parameters that a changed text has, once it is compiled; `before`: the signature
    /// before the change.
    pub(super) fn follow_signature(&mut self, before: Option<Signature>) {
        let side = self.side_mut();
        if side.derived.is_compiling() {
            // Of several changes in a row the first one knows what the user gave.
            side.signature = side.signature.take().or(before);
        } else {
            side.signature = None;
            adapt_arguments(self, before);
        }
    }

    /// The launch with the arguments that the kernel is really given: the scenario's, or, where they
    /// do not fit its parameters, made-up ones.
    pub fn launch(&self) -> Launch {
        let own = self.setup().launch();
        match self.derived().program() {
            Some(program) if !fit(program, &own) => made_up(program, &own, self.setup().args.is_some()).0,
            _ => own,
        }
    }

    /// The variable of a place.
    fn symbol(&self, place: Place) -> Option<&Symbol> {
        let Place::Symbol(idx) = place else { return None };
        let symbol = self.derived().program()?.symbols.get(usize::from(idx))?;
        (symbol.space != SymbolSpace::Shared).then_some(symbol)
    }
}
