//! Arguments for a kernel whose own are not known: made from its parameters, and told to the user.

use crate::isa::{ElemType, Param, ParamType, Program};
use crate::launch::{Argument, Fill, Launch, Pattern, Role};
use crate::scene::{counted, thousands};

/// Elements of a made-up buffer for a thread, so that kernels with a stride stay inside.
const ELEMENTS_A_THREAD: u64 = 4;
/// Elements of a made-up buffer at least, and at most.
const ELEMENTS: (u64, u64) = (4_096, 1 << 20);

/// One argument a parameter, and a sentence that says what they are.
pub(super) fn made_up(program: &Program, launch: &Launch) -> (Vec<Argument>, String) {
    let extent = |idx: usize| u64::from(launch.grid[idx]) * u64::from(launch.block[idx]);
    let threads = extent(0).saturating_mul(extent(1)).saturating_mul(extent(2));
    let len = threads
        .saturating_mul(ELEMENTS_A_THREAD)
        .clamp(ELEMENTS.0, ELEMENTS.1);
    let width = extent(0);
    let (args, words): (Vec<Argument>, Vec<String>) = program
        .params
        .iter()
        .map(|param| argument(param, len, width))
        .unzip();
    let sentence = format!(
        "The parameters are not those of the library's kernel, so the arguments are made up: {}.",
        words.join(", ")
    );
    (args, sentence)
}

/// An argument for a parameter, and words that say what it is.
fn argument(param: &Param, len: u64, width: u64) -> (Argument, String) {
    match &param.ty {
        ParamType::Pointer { elem, lanes, .. } => {
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
            let role = Role::InOut;
            (
                Argument::Buffer {
                    elem,
                    len,
                    fill,
                    role,
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
        ParamType::Bytes => {
            let zeros = Argument::Bytes(vec![0; param.size as usize]);
            (zeros, format!("{} is all zero", param.name))
        }
    }
}

/// A number for a scalar parameter: the threads in x for whole numbers, 1.5 for others.
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
