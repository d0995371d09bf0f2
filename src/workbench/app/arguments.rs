//! Generates arguments for a kernel from its parameters, and reports them to the user.

use super::number::{bits_of, value_of};
use crate::scene::{counted, thousands};
use engine::isa::{ElemType, ImageFormat, ImageShape, Param, ParamType, Program, SymbolSpace};
use engine::launch::texture::{Layout, Sampler, Texture};
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};

/// Elements of a generated buffer per thread, so that strided kernels stay in bounds.
const ELEMENTS_A_THREAD: u64 = 4;
/// Minimum and maximum number of elements of a generated buffer.
const ELEMENTS: (u64, u64) = (4_096, 1 << 20);

/// Threads of the launch: in x, and in total.
fn threads(launch: &Launch) -> (u64, u64) {
    let extent = |idx: usize| u64::from(launch.grid[idx]) * u64::from(launch.block[idx]);
    (
        extent(0),
        extent(0).saturating_mul(extent(1)).saturating_mul(extent(2)),
    )
}

/// One argument per parameter, and a sentence about the arguments. With `keep`, arguments of the launch stay if their
/// kind matches the parameter at their position.
pub(super) fn made_up(program: &Program, launch: &Launch, keep: bool) -> (Launch, String) {
    let mut words = Vec::new();
    let args = program
        .params
        .iter()
        .enumerate()
        .map(|(idx, param)| {
            let given = launch.args.get(idx).filter(|arg| keep && fits(param, arg));
            given.cloned().unwrap_or_else(|| {
                let (arg, word) = argument(param, launch);
                words.push(word);
                arg
            })
        })
        .chain(
            launch
                .args
                .iter()
                .skip(program.params.len())
                .filter(|_| keep)
                .cloned(),
        )
        .collect();
    let symbols = fitting_symbols(program, launch);
    let rest = if words.is_empty() {
        String::new()
    } else {
        format!(": {}", words.join(", "))
    };
    let sentence = if keep {
        format!(
            "The link's arguments do not match the kernel's parameters: some are generated or omitted{rest}."
        )
    } else {
        format!("The parameters differ from the library kernel's: the arguments are generated{rest}.")
    };
    let mut launch = Launch {
        args,
        symbols,
        ..launch.clone()
    };
    repair(&mut launch, program);
    (launch, sentence)
}

/// Generates arguments in place of those that lead to memory which the launch does not have.
fn repair(launch: &mut Launch, program: &Program) {
    let params = &program.params;
    launch.repair(params.len(), |idx, before| argument(&params[idx], before).0);
}

/// The launch for a program with changed parameters: arguments follow their parameters. Also a sentence about
/// generated arguments, if there are any.
pub(super) fn adapted(old: &[Param], program: &Program, launch: &Launch) -> (Launch, Option<String>) {
    let new = &program.params;
    let from = origins(old, new);
    let mut words = Vec::new();
    let args = new
        .iter()
        .zip(&from)
        .map(|(param, at)| {
            let at = *at;
            // Memory that the program of another parameter left unset says nothing about this one.
            let is_unset = |at: usize| {
                let elements = launch.args.get(at).and_then(Argument::elements);
                elements.is_some_and(|(_, _, fill, _)| fill.pattern == Pattern::Unset)
                    && old[at].name != param.name
            };
            let at = at.filter(|at| !is_unset(*at));
            let kept = at.and_then(|at| converted(&old[at], launch.args.get(at)?, param));
            kept.unwrap_or_else(|| {
                let (arg, word) = argument(param, launch);
                words.push(word);
                arg
            })
        })
        .chain(launch.args.iter().skip(old.len()).cloned())
        .collect();
    let sentence = (!words.is_empty()).then(|| {
        format!(
            "The parameters changed: {}. Other arguments are unchanged.",
            words.join(", ")
        )
    });
    let symbols = fitting_symbols(program, launch);
    let mut launch = Launch {
        args,
        symbols,
        ..launch.clone()
    };
    launch.move_addresses(|at| {
        let at = usize::from(at);
        let moved = match at.checked_sub(old.len()) {
            Some(beyond) => Some(new.len() + beyond),
            None => from.iter().position(|from| *from == Some(at)),
        };
        moved.map(|at| at as u16)
    });
    repair(&mut launch, program);
    (launch, sentence)
}

/// The old parameter of each new parameter: the one with the same name, or else the next removed one of the same type,
/// or else the removed one at the same position if the number of parameters is unchanged.
fn origins(old: &[Param], new: &[Param]) -> Vec<Option<usize>> {
    let by_name = |param: &Param| old.iter().position(|other| other.name == param.name);
    let mut from: Vec<Option<usize>> = new.iter().map(by_name).collect();
    for (idx, param) in new
        .iter()
        .enumerate()
        .filter(|(idx, _)| by_name(&new[*idx]).is_none())
    {
        let gone = |at: &usize| !from.contains(&Some(*at));
        let same_type = (0..old.len()).filter(gone).find(|at| old[*at].ty == param.ty);
        let same_place = Some(idx).filter(|at| old.len() == new.len() && gone(at));
        from[idx] = same_type.or(same_place);
    }
    from
}

/// Contents of variables that exist in the program and have room for the contents.
fn fitting_symbols(program: &Program, launch: &Launch) -> Vec<SymbolFill> {
    let fits = |fill: &&SymbolFill| {
        program.symbols.iter().any(|symbol| {
            symbol.name == fill.symbol
                && symbol.space != SymbolSpace::Shared
                && u64::from(fill.len) * u64::from(fill.elem.bytes()) <= u64::from(symbol.size)
        })
    };
    launch.symbols.iter().filter(fits).cloned().collect()
}

/// Whether an argument is valid for a parameter.
fn fits(param: &Param, arg: &Argument) -> bool {
    match (&param.ty, arg) {
        (
            ParamType::Pointer { .. },
            Argument::Buffer { .. } | Argument::Scalar { .. } | Argument::Pointer { .. },
        ) => true,
        // Any handle is valid if the kernel only passes it on.
        (
            ParamType::Texture { .. } | ParamType::Scalar(ElemType::U64),
            Argument::Texture(_)
            | Argument::Buffer { .. }
            | Argument::Scalar { .. }
            | Argument::Pointer { .. },
        )
        | (ParamType::Pointer { .. }, Argument::Texture(_)) => true,
        (ParamType::Scalar(_), Argument::Scalar { .. }) => true,
        (_, Argument::Bytes(bytes)) => bytes.len() == param.size as usize,
        (ParamType::Bytes, Argument::Words(words)) => words.len() * 8 == param.size as usize,
        _ => false,
    }
}

/// Whether a launch has a valid argument for every parameter, and contents only for variables of the
/// program.
pub(super) fn fit(program: &Program, launch: &Launch) -> bool {
    launch.serves(program.params.len())
        && program
            .params
            .iter()
            .zip(&launch.args)
            .all(|(param, arg)| fits(param, arg))
        && fitting_symbols(program, launch).len() == launch.symbols.len()
}

/// Converts an argument to another parameter: unchanged for equal types, otherwise with its elements or its value in
/// the new type.
fn converted(old: &Param, arg: &Argument, new: &Param) -> Option<Argument> {
    if old.ty == new.ty && old.size == new.size {
        return Some(arg.clone());
    }
    match (&new.ty, arg) {
        (
            ParamType::Pointer { elem: Some(elem), .. },
            Argument::Buffer {
                len,
                fill,
                role,
                start,
                ..
            },
        ) if elem.bytes() == 8 || !matches!(fill.pattern, Pattern::Words(_)) => Some(Argument::Buffer {
            elem: *elem,
            len: *len,
            fill: fill.clone(),
            role: *role,
            start: *start,
        }),
        (ParamType::Pointer { elem: Some(elem), .. }, Argument::Pointer { role, to, .. }) => {
            Some(Argument::Pointer {
                elem: *elem,
                role: *role,
                to: to.clone(),
            })
        }
        (ParamType::Scalar(ty), Argument::Scalar { ty: given, bits }) => {
            let bits = bits_of(*ty, value_of(*given, *bits));
            Some(Argument::Scalar { ty: *ty, bits })
        }
        _ => fits(new, arg).then(|| arg.clone()),
    }
}

/// A generated argument for a parameter, and a phrase that describes the argument.
pub(super) fn argument(param: &Param, launch: &Launch) -> (Argument, String) {
    let (width, threads) = threads(launch);
    let len = threads
        .saturating_mul(ELEMENTS_A_THREAD)
        .clamp(ELEMENTS.0, ELEMENTS.1);
    match &param.ty {
        ParamType::Pointer {
            elem,
            lanes,
            read_only,
        } => {
            let elem = elem.unwrap_or(ElemType::F32);
            let fill = Fill {
                pattern: Pattern::Iota,
                modulo: Some(1_024),
                scale: None,
                offset: None,
            };
            let len = len * u64::from((*lanes).max(1));
            let word = format!("{} points to {}", param.name, counted(len, "element"));
            let len = len as u32;
            let role = if *read_only { Role::In } else { Role::InOut };
            (
                Argument::Buffer {
                    elem,
                    len,
                    fill,
                    role,
                    start: 0,
                },
                word,
            )
        }
        ParamType::Scalar(ty) => {
            let (bits, text) = scalar(*ty, width);
            (
                Argument::Scalar { ty: *ty, bits },
                format!("{} is {text}", param.name),
            )
        }
        ParamType::Texture {
            format,
            shape,
            is_surface,
        } => {
            let texture = texture(*format, *shape, *is_surface, launch);
            let argument = Argument::Texture(Box::new(texture));
            let word = format!("{} is {}", param.name, crate::share::argument_text(&argument));
            (argument, word)
        }
        ParamType::Bytes => {
            let zeros = Argument::Bytes(vec![0; param.size as usize]);
            (zeros, format!("{} is all zero", param.name))
        }
    }
}

/// A generated number for a scalar parameter: the threads in x for integers, 1.5 for floating point.
fn scalar(ty: ElemType, width: u64) -> (u64, String) {
    match ty {
        ElemType::F16 => (0x3e00, "1.5".to_owned()),
        ElemType::F32 => (u64::from(1.5f32.to_bits()), "1.5".to_owned()),
        ElemType::F64 => (1.5f64.to_bits(), "1.5".to_owned()),
        ElemType::I8 | ElemType::U8 => (width.min(127), width.min(127).to_string()),
        ElemType::I16 | ElemType::U16 => (width.min(32_767), thousands(width.min(32_767))),
        _ => (width.min(i32::MAX as u64), thousands(width.min(i32::MAX as u64))),
    }
}

/// A texture or surface with at least as many texels in x and y as there are threads, up to 1,024 each, with CUDA's
/// defaults: point filtering, clamped, non-normalized coordinates.
fn texture(format: ImageFormat, shape: ImageShape, is_surface: bool, launch: &Launch) -> Texture {
    let threads = |axis: usize| {
        let threads = launch.grid[axis].saturating_mul(launch.block[axis]);
        threads.clamp(64, 1_024).next_power_of_two()
    };
    let (x, y) = (threads(0), threads(1));
    let extent = match shape {
        ImageShape::D1 => [x, 1, 1],
        ImageShape::D2 => [x, y, 1],
        ImageShape::D3 => [x, y, 16],
        ImageShape::Layered1 => [x, 1, 4],
        ImageShape::Layered2 => [x, y, 4],
        ImageShape::Cube => [64, 64, 6],
        ImageShape::LayeredCube => [64, 64, 12],
    };
    Texture {
        elem: format.elem,
        channels: format.channels,
        shape,
        extent,
        layout: Layout::Array,
        sampler: Sampler {
            reads_fractions: format.reads_fractions,
            ..Sampler::default()
        },
        fill: Fill {
            modulo: Some(1_024),
            ..Fill::of(Pattern::Iota)
        },
        role: if is_surface { Role::InOut } else { Role::In },
    }
}
