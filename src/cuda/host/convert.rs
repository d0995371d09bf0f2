//! Conversion of a launch in host code to a simulator launch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::memory::{REASONS, State, UNTOUCHED};
use super::{Contents, HostArg, HostLaunch, HostValue, Number};
use engine::isa::{ElemType, Param, ParamType, Symbol, SymbolSpace};
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill, UNWRITTEN_BYTE, f16_bits};

/// Maximum size of a launch buffer in bytes.
const MAX_BUFFER_BYTES: u64 = 64 << 20;

const HOLDS_ADDRESSES: &str = "it holds addresses, which a simulated launch cannot pass";

/// A part of a launch that is unknown, so that the conversion guesses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guess {
    /// The guessed part: "the grid", "`n`", "contents of `d_in`".
    pub what: String,
    /// The reason why the part is unknown.
    pub why: String,
}

/// A converted launch, and the parts that are unknown.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The launch.
    pub launch: Launch,
    /// The guesses; if there are none, the launch is the same as in the program.
    pub guesses: Vec<Guess>,
    /// Number of arguments that are completely known.
    pub num_read: u32,
    /// The arguments whose memory the host reads after a launch.
    pub read_back: Vec<u16>,
}

impl HostLaunch {
    /// The launch for a kernel with these parameters and variables. `made_up` supplies the argument for a parameter
    /// without any information.
    pub fn convert(
        &self,
        params: &[Param],
        symbols: &[Symbol],
        made_up: impl Fn(&Param, &Launch) -> Argument,
    ) -> Converted {
        let mut guesses = Vec::new();
        let mut guess = |what: &str, why: &str| {
            guesses.push(Guess {
                what: what.to_owned(),
                why: why.to_owned(),
            });
        };
        // Sizes that CUDA refuses, such as 0 blocks, are the program's own: the launch fails, and nothing is guessed.
        let grid = self.grid.clone().unwrap_or_else(|why| {
            guess("the grid", &why);
            [1, 1, 1]
        });
        let block = self.block.clone().unwrap_or_else(|why| {
            guess("the block", &why);
            [256, 1, 1]
        });
        let dynamic_shared = self.shared.clone().unwrap_or_else(|why| {
            guess("dynamic shared memory", &why);
            0
        });
        let mut launch = Launch {
            grid,
            block,
            dynamic_shared,
            args: Vec::new(),
            symbols: Vec::new(),
        };
        let (mut num_read, mut read_back) = (0, Vec::new());
        for (idx, param) in params.iter().enumerate() {
            let Some(arg) = self.args.get(idx) else {
                guess(&format!("`{}`", param.name), "the launch does not pass it");
                launch.args.push(made_up(param, &launch));
                continue;
            };
            let fallback = || made_up(param, &launch);
            let (argument, why) = converted(param, arg, fallback);
            match why {
                Some((what, why)) => guess(&what, &why),
                None => num_read += 1,
            }
            if let HostValue::Buffer(contents) = &arg.value
                && contents.is_read_back
            {
                read_back.push(idx as u16);
            }
            launch.args.push(argument);
        }
        for shared in self.shared_memory() {
            guess(
                &shared,
                "they alias one allocation; the simulated launch gives each its own copy",
            );
        }
        for fill in &self.symbols {
            let symbol = symbols.iter().find(|symbol| {
                symbol.space != SymbolSpace::Shared && symbol.name.rsplit("::").next() == Some(&*fill.name)
            });
            let Some(symbol) = symbol.filter(|symbol| symbol.size > 0) else {
                continue;
            };
            let elem = symbol.elem.unwrap_or(if symbol.size.is_multiple_of(4) {
                ElemType::U32
            } else {
                ElemType::U8
            });
            let (data, mut unknown) = fill.contents.bytes();
            if fill.contents.holds_pointers && data.iter().any(|byte| *byte != 0) {
                unknown = unknown.or_else(|| Some(HOLDS_ADDRESSES.to_owned()));
            }
            if unknown.is_none() && data.len() as u64 <= u64::from(symbol.size) {
                let (elem, len, fill) = fill_of(elem, &data);
                launch.symbols.push(SymbolFill {
                    symbol: symbol.name.clone(),
                    elem,
                    len,
                    fill,
                });
            } else {
                guess(
                    &format!("`{}`", fill.name),
                    &unknown.unwrap_or_else(|| "its size does not match the variable".to_owned()),
                );
            }
        }
        if let Some(line) = self.condition {
            guess(
                "whether the launch executes",
                &format!("the condition at line {line} is unknown"),
            );
        }
        guesses.extend(self.assumed.iter().cloned());
        Converted {
            launch,
            guesses,
            num_read,
            read_back,
        }
    }

    /// Groups of arguments that share an allocation which the kernel can write.
    fn shared_memory(&self) -> Vec<String> {
        let mut of: BTreeMap<u32, Vec<&HostArg>> = BTreeMap::new();
        for arg in &self.args {
            if let HostValue::Buffer(contents) = &arg.value {
                of.entry(contents.allocation).or_default().push(arg);
            }
        }
        of.into_values()
            .filter(|args| args.len() > 1 && args.iter().any(|arg| arg.is_written))
            .map(|args| {
                let names: Vec<String> = args.iter().map(|arg| format!("`{}`", arg.parameter)).collect();
                names.join(" and ")
            })
            .collect()
    }
}

impl Contents {
    /// The bytes from the argument's address to the end of the allocation, and the reason if some are unknown.
    fn bytes(&self) -> (Vec<u8>, Option<String>) {
        let size = self.snapshot.size.saturating_sub(self.offset) as usize;
        let why = |state: State| self.reasons.get(&state).cloned();
        if self.snapshot.data.is_empty() {
            let (byte, state) = self.snapshot.all;
            let byte = if state == UNTOUCHED { UNWRITTEN_BYTE } else { byte };
            return (vec![byte; size], why(state));
        }
        let from = self.offset as usize;
        let mut data = self.snapshot.data.get(from..).unwrap_or_default().to_vec();
        let mut unknown = None;
        for (byte, state) in data.iter_mut().zip(&self.snapshot.state[from..]) {
            if *state == UNTOUCHED {
                *byte = UNWRITTEN_BYTE;
            } else if *state >= REASONS {
                *byte = 0;
                unknown = unknown.or_else(|| why(*state));
            }
        }
        (data, unknown)
    }

    /// The size of the allocation from the argument's address on, in bytes.
    pub fn size(&self) -> u64 {
        self.snapshot.size.saturating_sub(self.offset)
    }

    fn states(&self) -> &[State] {
        if self.snapshot.state.is_empty() {
            std::slice::from_ref(&self.snapshot.all.1)
        } else {
            &self.snapshot.state[(self.offset as usize).min(self.snapshot.state.len())..]
        }
    }

    /// Whether no store has written the allocation.
    pub fn is_untouched(&self) -> bool {
        self.states().iter().all(|state| *state == UNTOUCHED)
    }

    /// Whether no byte is known.
    fn is_unknown(&self) -> bool {
        self.states().iter().all(|state| *state >= REASONS)
    }
}

/// A converted argument. If a part is unknown, the part and the reason.
fn converted(
    param: &Param,
    arg: &HostArg,
    fallback: impl Fn() -> Argument,
) -> (Argument, Option<(String, String)>) {
    let name = format!("`{}`", param.name);
    let unknown = |why: &str| (fallback(), Some((name.clone(), why.to_owned())));
    match (&param.ty, &arg.value) {
        (_, HostValue::Unknown(why)) => unknown(why),
        (ParamType::Scalar(ty), HostValue::Number(number)) => {
            let bits = bits_of(*ty, *number);
            (Argument::Scalar { ty: *ty, bits }, None)
        }
        (ParamType::Bytes, HostValue::Bytes(bytes)) if bytes.len() == param.size as usize => {
            (Argument::Bytes(bytes.clone()), None)
        }
        (ParamType::Pointer { .. }, HostValue::Null) => {
            let null = Argument::Scalar {
                ty: ElemType::U64,
                bits: 0,
            };
            (null, None)
        }
        (ParamType::Pointer { elem, .. }, HostValue::Buffer(contents)) => {
            buffer(*elem, arg, contents, fallback)
        }
        (ParamType::Scalar(_), HostValue::Buffer(_)) => unknown("it is an address"),
        _ => unknown("its type is not supported"),
    }
}

fn buffer(
    elem: Option<ElemType>,
    arg: &HostArg,
    contents: &Contents,
    fallback: impl Fn() -> Argument,
) -> (Argument, Option<(String, String)>) {
    let size = contents.size();
    let what = format!(
        "contents of `{}`",
        if contents.name.is_empty() {
            &arg.parameter
        } else {
            &contents.name
        }
    );
    if contents.holds_pointers {
        return (fallback(), Some((what, HOLDS_ADDRESSES.to_owned())));
    }
    if size > MAX_BUFFER_BYTES {
        let why = format!(
            "it has {} MB, and a buffer can have at most {} MB",
            size >> 20,
            MAX_BUFFER_BYTES >> 20
        );
        return (fallback(), Some((what, why)));
    }
    let elem = elem.unwrap_or(if size.is_multiple_of(4) {
        ElemType::U32
    } else {
        ElemType::U8
    });
    let len = (size / u64::from(elem.bytes())) as u32;
    let is_untouched = contents.is_untouched();
    let role = match (arg.is_written, is_untouched) {
        (false, _) => Role::In,
        (true, true) => Role::Out,
        (true, false) => Role::InOut,
    };
    if is_untouched {
        let fill = Fill::of(Pattern::Unset);
        return (
            Argument::Buffer {
                elem,
                len,
                fill,
                role,
            },
            None,
        );
    }
    let (data, unknown) = contents.bytes();
    if let (Some(why), true) = (&unknown, contents.is_unknown()) {
        let fill = Fill {
            modulo: Some(1_024),
            ..Fill::of(Pattern::Iota)
        };
        return (
            Argument::Buffer {
                elem,
                len,
                fill,
                role,
            },
            Some((what, why.clone())),
        );
    }
    let (elem, len, fill) = fill_of(elem, &data);
    let why = unknown.map(|why| (format!("a part of the {what}"), why));
    (
        Argument::Buffer {
            elem,
            len,
            fill,
            role,
        },
        why,
    )
}

/// The bits of a number in a type, as C converts it.
fn bits_of(ty: ElemType, number: Number) -> u64 {
    let (int, float) = match number {
        Number::Int(value) => (value, value as f64),
        Number::Float(value) => (value as i128, value),
    };
    match ty {
        ElemType::F16 => f16_bits(float).into(),
        ElemType::F32 => match number {
            Number::Int(value) => (value as f32).to_bits().into(),
            Number::Float(value) => (value as f32).to_bits().into(),
        },
        ElemType::F64 => float.to_bits(),
        ElemType::I8 | ElemType::U8 => (int as u8).into(),
        ElemType::I16 | ElemType::U16 => (int as u16).into(),
        ElemType::I32 | ElemType::U32 => (int as u32).into(),
        ElemType::I64 | ElemType::U64 => int as u64,
    }
}

/// The shortest fill rule for these bytes, with the type and number of its elements.
fn fill_of(elem: ElemType, data: &[u8]) -> (ElemType, u32, Fill) {
    let width = elem.bytes() as usize;
    let len = (data.len() / width) as u32;
    let data = &data[..len as usize * width];
    if data.iter().all(|byte| *byte == 0) {
        return (elem, len, Fill::of(Pattern::Zero));
    }
    if data.iter().all(|byte| *byte == UNWRITTEN_BYTE) {
        return (elem, len, Fill::of(Pattern::Unset));
    }
    let values: Vec<f64> = data
        .chunks_exact(width)
        .map(|chunk| value_of(elem, chunk))
        .collect();
    let gives = |fill: &Fill| fill.bytes(elem, len) == data;
    let constant = Fill::of(Pattern::Const(values[0]));
    if values.iter().all(|value| *value == values[0]) && gives(&constant) {
        return (elem, len, constant);
    }
    if let Some(iota) = iota(&values).filter(gives) {
        return (elem, len, iota);
    }
    let mut listed = values;
    while listed.last().is_some_and(|value| value.to_bits() == 0) {
        listed.pop();
    }
    let list = Fill::of(Pattern::List(listed));
    if gives(&list) {
        return (elem, len, list);
    }
    // Numbers that a `double` cannot represent, such as NaNs with a payload, are stored as words.
    let (elem, width) = if data.len().is_multiple_of(4) {
        (ElemType::U32, 4)
    } else {
        (ElemType::U8, 1)
    };
    let values: Vec<f64> = data
        .chunks_exact(width)
        .map(|chunk| value_of(elem, chunk))
        .collect();
    (elem, (data.len() / width) as u32, Fill::of(Pattern::List(values)))
}

/// An increasing sequence, optionally repeated.
fn iota(values: &[f64]) -> Option<Fill> {
    let [first, second, ..] = *values else {
        return None;
    };
    let scale = second - first;
    if scale == 0.0 || !scale.is_finite() {
        return None;
    }
    let breaks = values
        .iter()
        .enumerate()
        .find(|(idx, value)| **value != first + scale * *idx as f64);
    let modulo = match breaks {
        None => None,
        Some((idx, value)) if *value == first => Some(idx as u64),
        Some(_) => return None,
    };
    Some(Fill {
        pattern: Pattern::Iota,
        modulo,
        scale: (scale != 1.0).then_some(scale),
        offset: (first != 0.0).then_some(first),
    })
}

fn value_of(elem: ElemType, chunk: &[u8]) -> f64 {
    let bits = chunk
        .iter()
        .rev()
        .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    match elem {
        ElemType::I8 => f64::from(bits as i8),
        ElemType::I16 => f64::from(bits as i16),
        ElemType::I32 => f64::from(bits as i32),
        ElemType::I64 => bits.cast_signed() as f64,
        ElemType::U8 | ElemType::U16 | ElemType::U32 | ElemType::U64 => bits as f64,
        ElemType::F16 => super::numbers::half_value(bits as u16),
        ElemType::F32 => f64::from(f32::from_bits(bits as u32)),
        ElemType::F64 => f64::from_bits(bits),
    }
}
