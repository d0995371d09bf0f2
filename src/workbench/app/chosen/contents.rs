//! The contents of the buffers of a chosen launch.

use super::Kernel;
use super::numbers::{has_part, number};
use super::shapes::Shape;
use crate::app::number::is_float;
use cuda::uses::ParamUse;
use engine::isa::{ElemType, Param, ParamType};
use engine::launch::{Fill, Pattern};

/// Elements between two row offsets.
const ROW_ELEMENTS: f64 = 4.0;
/// Limit of lengths in memory, exclusive.
const LENGTHS: u64 = 16;
/// Limit of other integers, exclusive: their sums stay small.
const INTEGERS: u64 = 100;
/// Indices into memory stay below the number of threads, and below this.
const MAX_INDEX: u64 = 1_024;

/// The contents of a buffer.
pub(super) struct Contents {
    pub(super) fill: Fill,
    /// Why, as a clause.
    pub(super) why: String,
    /// Whether the kernel only adds to it.
    pub(super) is_result: bool,
}

/// Random integers below a limit; `seed` makes buffers differ.
const fn below(limit: u64, seed: u32) -> Fill {
    Fill {
        pattern: Pattern::Lcg(seed),
        modulo: Some(limit),
        scale: None,
        offset: None,
    }
}

impl Contents {
    pub(super) fn of(idx: usize, param: &Param, used: &ParamUse, kernel: &Kernel<'_>, shape: &Shape) -> Self {
        let elem = match &param.ty {
            ParamType::Pointer { elem, .. } => elem.unwrap_or(ElemType::F32),
            _ => ElemType::F32,
        };
        let seed = idx as u32 + 1;
        let (fill, why) = if is_float(elem) {
            (
                Fill::of(Pattern::Lcg(seed)),
                "random numbers from 0 to 1".to_owned(),
            )
        } else if used.delimits && used.indexes {
            let fill = Fill {
                pattern: Pattern::Iota,
                modulo: None,
                scale: Some(ROW_ELEMENTS),
                offset: None,
            };
            (fill, "0, 4, 8, …, as they delimit ranges".to_owned())
        } else if used.indexes {
            let limit = Self::index_limit(used, kernel, shape);
            match limit {
                None if elem == ElemType::U8 => (
                    Fill::of(Pattern::Lcg(seed)),
                    "random bytes, as they are indices".to_owned(),
                ),
                None if elem == ElemType::I8 => (
                    below(128, seed),
                    "random below 128, as they are indices".to_owned(),
                ),
                limit => {
                    let limit = limit.unwrap_or_else(|| shape.num_threads().clamp(1, MAX_INDEX));
                    let limit = match elem {
                        ElemType::I8 => limit.min(128),
                        ElemType::U8 => limit.min(256),
                        _ => limit,
                    };
                    (
                        below(limit, seed),
                        format!("random below {limit}, as they are indices"),
                    )
                }
            }
        } else if used.counts {
            (
                below(LENGTHS, seed),
                format!("random below {LENGTHS}, as they bound a loop"),
            )
        } else if has_part(
            &param.name,
            &[
                "mask", "flag", "flags", "visited", "lock", "mutex", "counter", "arrived", "done", "head",
                "tail",
            ],
        ) {
            (Fill::of(Pattern::Zero), "zero, for its name".to_owned())
        } else if param.c_type.contains("bool") {
            (below(2, seed), "random truth values".to_owned())
        } else if elem == ElemType::I8 {
            let fill = Fill {
                offset: Some(97.0),
                ..below(26, seed)
            };
            (fill, "random letters".to_owned())
        } else if elem == ElemType::U8 {
            (Fill::of(Pattern::Lcg(seed)), "random bytes".to_owned())
        } else {
            (below(INTEGERS, seed), format!("random below {INTEGERS}"))
        };
        Self {
            fill,
            why,
            is_result: used.is_updated && !used.is_loaded,
        }
    }

    /// The limit of indices: what the kernel compares them with, or the array of fixed size that they index.
    fn index_limit(used: &ParamUse, kernel: &Kernel<'_>, shape: &Shape) -> Option<u64> {
        let params = &kernel.program.params;
        let of_number = |at: &u16| {
            let at = usize::from(*at);
            let param = params.get(at)?;
            let ParamType::Scalar(ty) = &param.ty else {
                return None;
            };
            let of = kernel.uses.params.get(at)?;
            Some(
                number(param, *ty, of, kernel.bounds_contents(at), shape)
                    .bits
                    .max(1),
            )
        };
        let compared = used.below.iter().filter_map(of_number).min();
        let array = Some(u64::from(used.indexed_elements)).filter(|elements| *elements > 0);
        match (compared, array) {
            (Some(compared), Some(array)) => Some(compared.min(array)),
            (compared, array) => compared.or(array),
        }
    }
}
