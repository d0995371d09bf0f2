//! The table of builtins with fixed types. `special` has the functions whose types depend on their arguments. The
//! prelude has the functions that are written in CUDA C.

mod library;

use std::borrow::Cow;

use crate::fold::{expr, fold, int};
use crate::hir::{
    Approx, BarrierKind, BinaryOp, Builtin, Expr, ExprKind, FenceScope, PairOp, Register, RoundTo, RoundedOp,
    Rounding, Type,
};
use crate::types::type_text;
use engine::ids::Span;
use engine::isa::{Mma, MmaKind, Op, ReduxOp, TensorUnit};

/// What a table row lowers to.
#[derive(Clone, Copy, Debug)]
enum Make {
    Builtin(Builtin),
    /// A reinterpretation of the bits as another type.
    Bitcast,
    /// A conversion to another type with C's rounding.
    Convert,
    /// A plain operator.
    Operator(BinaryOp),
}

/// A function with its types, one letter each: v void, b bool, i int, u unsigned int, l long long, L unsigned long
/// long, f float, d double, h half, H half2, n __`nv_bfloat16`, N __`nv_bfloat162`, Q float4, P float2, V uint4, W uint2,
/// s short, t unsigned short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    name: &'static str,
    params: &'static str,
    ret: char,
    make: Make,
}

impl Row {
    /// The row on a compute capability: products of the PTX instruction `mma` run on the chip's own tensor cores.
    pub(crate) fn on(mut self, name: &str, capability: u32) -> Self {
        if name.starts_with("__ws_mma_ptx_")
            && let Make::Builtin(Builtin::Mma(mma)) = &mut self.make
        {
            let is_of_turing = matches!(
                mma.kind,
                MmaKind::Halves {
                    k16: false,
                    bfloat16: false,
                    ..
                } | MmaKind::Bytes { rows16: false, .. }
                    | MmaKind::Nibbles { .. }
                    | MmaKind::Bits { and: false }
            );
            if capability >= 900 {
                mma.unit = TensorUnit::Hopper;
            } else if capability < 800 && is_of_turing {
                mma.unit = TensorUnit::Turing;
            }
        }
        self
    }
}

const fn row(name: &'static str, params: &'static str, ret: char, builtin: Builtin) -> Row {
    Row {
        name,
        params,
        ret,
        make: Make::Builtin(builtin),
    }
}

const fn made(name: &'static str, params: &'static str, ret: char, make: Make) -> Row {
    Row {
        name,
        params,
        ret,
        make,
    }
}

const fn funnel(name: &'static str, left: bool, clamp: bool) -> Row {
    row(name, "uuu", 'u', Builtin::FunnelShift { left, clamp })
}

const fn approx(name: &'static str, params: &'static str, function: Approx) -> Row {
    row(name, params, 'f', Builtin::Approx(function))
}

const fn round(name: &'static str, ty: &'static str, ret: char, to: RoundTo) -> Row {
    row(name, ty, ret, Builtin::Round(to))
}

const fn pair(name: &'static str, params: &'static str, op: PairOp) -> Row {
    row(name, params, 'u', Builtin::HalfPair(op, false))
}

const fn bfloat16s(name: &'static str, params: &'static str, op: PairOp) -> Row {
    row(name, params, 'u', Builtin::HalfPair(op, true))
}

const fn async_copy(name: &'static str, size: u8, bypass: bool) -> Row {
    row(name, "uLu", 'v', Builtin::AsyncCopy { size, bypass })
}

const fn reduce(name: &'static str, params: &'static str, ret: char, op: ReduxOp) -> Row {
    let signed = ret == 'i';
    row(name, params, ret, Builtin::Warp(Op::Redux { op, signed }))
}

/// Overloads of one name stand together, `double` first: integers go there, as in C++.
const ROWS: &[Row] = &[
    row("__syncthreads", "", 'v', Builtin::Syncthreads(BarrierKind::Sync)),
    row(
        "__syncthreads_count",
        "b",
        'i',
        Builtin::Syncthreads(BarrierKind::Count),
    ),
    row(
        "__syncthreads_and",
        "b",
        'i',
        Builtin::Syncthreads(BarrierKind::And),
    ),
    row(
        "__syncthreads_or",
        "b",
        'i',
        Builtin::Syncthreads(BarrierKind::Or),
    ),
    row("__threadfence", "", 'v', Builtin::Threadfence(FenceScope::Device)),
    row(
        "__threadfence_block",
        "",
        'v',
        Builtin::Threadfence(FenceScope::Block),
    ),
    row(
        "__threadfence_system",
        "",
        'v',
        Builtin::Threadfence(FenceScope::System),
    ),
    row("__nanosleep", "u", 'v', Builtin::Nanosleep),
    row(
        "__ws_ldmatrix_1",
        "u",
        'u',
        Builtin::LoadMatrices {
            num: 1,
            transposed: false,
        },
    ),
    row(
        "__ws_stmatrix_1",
        "uu",
        'v',
        Builtin::StoreMatrices {
            num: 1,
            transposed: false,
        },
    ),
    row(
        "__ws_ldmatrix_2",
        "u",
        'W',
        Builtin::LoadMatrices {
            num: 2,
            transposed: false,
        },
    ),
    row(
        "__ws_stmatrix_2",
        "uuu",
        'v',
        Builtin::StoreMatrices {
            num: 2,
            transposed: false,
        },
    ),
    row(
        "__ws_ldmatrix_4",
        "u",
        'V',
        Builtin::LoadMatrices {
            num: 4,
            transposed: false,
        },
    ),
    row(
        "__ws_stmatrix_4",
        "uuuuu",
        'v',
        Builtin::StoreMatrices {
            num: 4,
            transposed: false,
        },
    ),
    row(
        "__ws_ldmatrix_trans_1",
        "u",
        'u',
        Builtin::LoadMatrices {
            num: 1,
            transposed: true,
        },
    ),
    row(
        "__ws_stmatrix_trans_1",
        "uu",
        'v',
        Builtin::StoreMatrices {
            num: 1,
            transposed: true,
        },
    ),
    row(
        "__ws_ldmatrix_trans_2",
        "u",
        'W',
        Builtin::LoadMatrices {
            num: 2,
            transposed: true,
        },
    ),
    row(
        "__ws_stmatrix_trans_2",
        "uuu",
        'v',
        Builtin::StoreMatrices {
            num: 2,
            transposed: true,
        },
    ),
    row(
        "__ws_ldmatrix_trans_4",
        "u",
        'V',
        Builtin::LoadMatrices {
            num: 4,
            transposed: true,
        },
    ),
    row(
        "__ws_stmatrix_trans_4",
        "uuuuu",
        'v',
        Builtin::StoreMatrices {
            num: 4,
            transposed: true,
        },
    ),
    row("__ws_movmatrix", "uu", 'u', Builtin::Warp(Op::Movm)),
    async_copy("__ws_copy_4", 4, false),
    async_copy("__ws_copy_8", 8, false),
    async_copy("__ws_copy_16", 16, false),
    async_copy("__ws_copy_16_bypass", 16, true),
    row("__ws_cp_async_commit", "", 'v', Builtin::AsyncCommit),
    row("__ws_cp_async_wait", "u", 'v', Builtin::AsyncWait),
    row("__trap", "", 'v', Builtin::Trap),
    row("__builtin_assume", "b", 'v', Builtin::Assume),
    row("__builtin_unreachable", "", 'v', Builtin::Trap),
    row("clock64", "", 'l', Builtin::Clock64),
    row("__activemask", "", 'u', Builtin::ActiveMask),
    reduce("__reduce_add_sync", "ui", 'i', ReduxOp::Sum),
    reduce("__reduce_add_sync", "uu", 'u', ReduxOp::Sum),
    reduce("__reduce_min_sync", "ui", 'i', ReduxOp::Min),
    reduce("__reduce_min_sync", "uu", 'u', ReduxOp::Min),
    reduce("__reduce_max_sync", "ui", 'i', ReduxOp::Max),
    reduce("__reduce_max_sync", "uu", 'u', ReduxOp::Max),
    reduce("__reduce_and_sync", "uu", 'u', ReduxOp::And),
    reduce("__reduce_or_sync", "uu", 'u', ReduxOp::Or),
    reduce("__reduce_xor_sync", "uu", 'u', ReduxOp::Xor),
    row("__ws_lane_id", "", 'u', Builtin::LaneId),
    row("__ws_globaltimer", "", 'L', Builtin::GlobalTimer),
    row("__ws_warp_id", "", 'u', Builtin::Register(Register::WarpId)),
    row("__ws_sm_id", "", 'u', Builtin::Register(Register::SmId)),
    row("__ws_lanemask_eq", "", 'u', Builtin::Register(Register::MaskEq)),
    row("__ws_lanemask_lt", "", 'u', Builtin::Register(Register::MaskLt)),
    row("__ws_lanemask_le", "", 'u', Builtin::Register(Register::MaskLe)),
    row("__ws_lanemask_gt", "", 'u', Builtin::Register(Register::MaskGt)),
    row("__ws_lanemask_ge", "", 'u', Builtin::Register(Register::MaskGe)),
    row("__mul24", "ii", 'i', Builtin::Mul24),
    row("__umul24", "uu", 'u', Builtin::Mul24),
    row("mul24", "ii", 'i', Builtin::Mul24),
    row("umul24", "uu", 'u', Builtin::Mul24),
    row("__mulhi", "ii", 'i', Builtin::MulHi),
    row("__umulhi", "uu", 'u', Builtin::MulHi),
    row("__mul64hi", "ll", 'l', Builtin::MulHi),
    row("__umul64hi", "LL", 'L', Builtin::MulHi),
    row("mulhi", "ii", 'i', Builtin::MulHi),
    row("umulhi", "uu", 'u', Builtin::MulHi),
    row("__popc", "u", 'i', Builtin::Popc),
    row("__popcll", "L", 'i', Builtin::Popc),
    row("__clz", "u", 'i', Builtin::Clz),
    row("__clzll", "L", 'i', Builtin::Clz),
    row("__ffs", "u", 'i', Builtin::Ffs),
    row("__ffsll", "L", 'i', Builtin::Ffs),
    row("__brev", "u", 'u', Builtin::Brev),
    row("__brevll", "L", 'L', Builtin::Brev),
    row("__byte_perm", "uuu", 'u', Builtin::BytePerm),
    funnel("__funnelshift_l", true, false),
    funnel("__funnelshift_lc", true, true),
    funnel("__funnelshift_r", false, false),
    funnel("__funnelshift_rc", false, true),
    row("__sad", "iiu", 'u', Builtin::Sad),
    row("__usad", "uuu", 'u', Builtin::Sad),
    row("__hadd", "ii", 'i', Builtin::HalfAdd { round_up: false }),
    row("__uhadd", "uu", 'u', Builtin::HalfAdd { round_up: false }),
    row("__rhadd", "ii", 'i', Builtin::HalfAdd { round_up: true }),
    row("__urhadd", "uu", 'u', Builtin::HalfAdd { round_up: true }),
    row("labs", "l", 'l', Builtin::Abs),
    row("llabs", "l", 'l', Builtin::Abs),
    row("llmin", "ll", 'l', Builtin::Min),
    row("llmax", "ll", 'l', Builtin::Max),
    row("ullmin", "LL", 'L', Builtin::Min),
    row("ullmax", "LL", 'L', Builtin::Max),
    row("umin", "uu", 'u', Builtin::Min),
    row("umax", "uu", 'u', Builtin::Max),
    made("__float_as_int", "f", 'i', Make::Bitcast),
    made("__float_as_uint", "f", 'u', Make::Bitcast),
    made("__int_as_float", "i", 'f', Make::Bitcast),
    made("__uint_as_float", "u", 'f', Make::Bitcast),
    made("__double_as_longlong", "d", 'l', Make::Bitcast),
    made("__longlong_as_double", "l", 'd', Make::Bitcast),
    row("__hiloint2double", "ii", 'd', Builtin::MakeDouble),
    row("__double2hiint", "d", 'i', Builtin::DoubleHigh),
    row("__double2loint", "d", 'i', Builtin::DoubleLow),
    row("__saturatef", "f", 'f', Builtin::Saturate),
    row("fabsf", "f", 'f', Builtin::Abs),
    row("fabs", "d", 'd', Builtin::Abs),
    row("fabs", "f", 'f', Builtin::Abs),
    row("fminf", "ff", 'f', Builtin::Min),
    row("fmin", "dd", 'd', Builtin::Min),
    row("fmin", "ff", 'f', Builtin::Min),
    row("fmaxf", "ff", 'f', Builtin::Max),
    row("fmax", "dd", 'd', Builtin::Max),
    row("fmax", "ff", 'f', Builtin::Max),
    row("fmaf", "fff", 'f', Builtin::Fma),
    row("fma", "ddd", 'd', Builtin::Fma),
    row("fma", "fff", 'f', Builtin::Fma),
    row("sqrtf", "f", 'f', Builtin::Sqrt),
    row("sqrt", "d", 'd', Builtin::Sqrt),
    row("sqrt", "f", 'f', Builtin::Sqrt),
    approx("rsqrtf", "f", Approx::Rsqrt),
    row("rsqrt", "d", 'd', Builtin::Rsqrt64),
    approx("rsqrt", "f", Approx::Rsqrt),
    round("floorf", "f", 'f', RoundTo::Floor),
    round("floor", "d", 'd', RoundTo::Floor),
    round("floor", "f", 'f', RoundTo::Floor),
    round("ceilf", "f", 'f', RoundTo::Ceil),
    round("ceil", "d", 'd', RoundTo::Ceil),
    round("ceil", "f", 'f', RoundTo::Ceil),
    round("truncf", "f", 'f', RoundTo::Trunc),
    round("trunc", "d", 'd', RoundTo::Trunc),
    round("trunc", "f", 'f', RoundTo::Trunc),
    round("rintf", "f", 'f', RoundTo::Nearest),
    round("rint", "d", 'd', RoundTo::Nearest),
    round("rint", "f", 'f', RoundTo::Nearest),
    round("nearbyintf", "f", 'f', RoundTo::Nearest),
    round("nearbyint", "d", 'd', RoundTo::Nearest),
    round("nearbyint", "f", 'f', RoundTo::Nearest),
    approx("__sinf", "f", Approx::Sin),
    approx("__cosf", "f", Approx::Cos),
    approx("__log2f", "f", Approx::Log2),
    approx("__fdividef", "ff", Approx::Div),
    approx("__ws_ex2", "f", Approx::Exp2),
    approx("__ws_rcp", "f", Approx::Rcp),
    approx("__ws_sqrt", "f", Approx::Sqrt),
    approx("__ws_tanh", "f", Approx::Tanh),
    approx("__ws_mufu_ex2", "f", Approx::MufuEx2),
    approx("__ws_mufu_rcp", "f", Approx::MufuRcp),
    approx("__ws_mufu_sqrt", "f", Approx::MufuSqrt),
    approx("__ws_mufu_rsqrt", "f", Approx::MufuRsqrt),
    approx("__ws_mufu_lg2", "f", Approx::MufuLg2),
    made("__ws_half_bits", "h", 't', Make::Bitcast),
    made("__ws_bits_half", "t", 'h', Make::Bitcast),
    made("__ws_half2_word", "H", 'u', Make::Bitcast),
    made("__ws_word_half2", "u", 'H', Make::Bitcast),
    row("__ws_half_fma", "hhh", 'h', Builtin::Fma),
    row("__ws_half_abs", "h", 'h', Builtin::Abs),
    row("__ws_half_min", "hh", 'h', Builtin::Min),
    row("__ws_half_max", "hh", 'h', Builtin::Max),
    round("__ws_half_floor", "h", 'h', RoundTo::Floor),
    round("__ws_half_ceil", "h", 'h', RoundTo::Ceil),
    round("__ws_half_trunc", "h", 'h', RoundTo::Trunc),
    round("__ws_half_rint", "h", 'h', RoundTo::Nearest),
    pair("__ws_pair_add", "uu", PairOp::Add),
    pair("__ws_pair_sub", "uu", PairOp::Sub),
    pair("__ws_pair_mul", "uu", PairOp::Mul),
    pair("__ws_pair_fma", "uuu", PairOp::Fma),
    pair("__ws_pair_add_rn", "uu", PairOp::AddAlone),
    pair("__ws_pair_sub_rn", "uu", PairOp::SubAlone),
    pair("__ws_pair_mul_rn", "uu", PairOp::MulAlone),
    pair("__ws_pair_neg", "u", PairOp::Neg),
    pair("__ws_pair_abs", "u", PairOp::Abs),
    pair("__ws_pair_min", "uu", PairOp::Min),
    pair("__ws_pair_max", "uu", PairOp::Max),
    row("__ws_pack_floats", "ff", 'u', Builtin::PackFloats(false)),
    made("__ws_bfloat16_bits", "n", 't', Make::Bitcast),
    made("__ws_bits_bfloat16", "t", 'n', Make::Bitcast),
    made("__ws_bfloat162_word", "N", 'u', Make::Bitcast),
    made("__ws_word_bfloat162", "u", 'N', Make::Bitcast),
    row("__ws_bfloat16_fma", "nnn", 'n', Builtin::Fma),
    row("__ws_bfloat16_abs", "n", 'n', Builtin::Abs),
    row("__ws_bfloat16_min", "nn", 'n', Builtin::Min),
    row("__ws_bfloat16_max", "nn", 'n', Builtin::Max),
    bfloat16s("__ws_bfloat16s_add", "uu", PairOp::Add),
    bfloat16s("__ws_bfloat16s_sub", "uu", PairOp::Sub),
    bfloat16s("__ws_bfloat16s_mul", "uu", PairOp::Mul),
    bfloat16s("__ws_bfloat16s_fma", "uuu", PairOp::Fma),
    bfloat16s("__ws_bfloat16s_add_rn", "uu", PairOp::AddAlone),
    bfloat16s("__ws_bfloat16s_sub_rn", "uu", PairOp::SubAlone),
    bfloat16s("__ws_bfloat16s_mul_rn", "uu", PairOp::MulAlone),
    bfloat16s("__ws_bfloat16s_neg", "u", PairOp::Neg),
    bfloat16s("__ws_bfloat16s_abs", "u", PairOp::Abs),
    bfloat16s("__ws_bfloat16s_min", "uu", PairOp::Min),
    bfloat16s("__ws_bfloat16s_max", "uu", PairOp::Max),
    row("__ws_pack_bfloat16s", "ff", 'u', Builtin::PackFloats(true)),
    row("__ws_pack_e4m3", "ff", 'u', Builtin::PackFp8(false)),
    row("__ws_pack_e5m2", "ff", 'u', Builtin::PackFp8(true)),
    row("__ws_unpack_e4m3", "u", 'u', Builtin::UnpackFp8(false)),
    row("__ws_unpack_e5m2", "u", 'u', Builtin::UnpackFp8(true)),
    made("fdividef", "ff", 'f', Make::Operator(BinaryOp::Div)),
    made("fdivide", "dd", 'd', Make::Operator(BinaryOp::Div)),
];

/// Names of functions in `special`, except those that follow a pattern.
const SPECIAL_NAMES: &[&str] = &[
    "min",
    "max",
    "abs",
    "clock",
    "printf",
    "assert",
    "__syncwarp",
    "__all",
    "__any",
    "__ballot",
    "__all_sync",
    "__any_sync",
    "__ballot_sync",
    "__shfl",
    "__shfl_up",
    "__shfl_down",
    "__shfl_xor",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__match_any_sync",
    "__match_all_sync",
    "tex1Dfetch",
    "__ldg",
    "__ldca",
    "__ldcg",
    "__ldcs",
    "__ldcv",
    "__stwb",
    "__stcg",
    "__stcs",
    "__stwt",
    "__cvta_generic_to_shared",
    "__cvta_shared_to_generic",
    "__brkpt",
    "__builtin_expect",
    "__builtin_assume_aligned",
];

const ATOMICS: [&str; 12] = [
    "__ws_atomic_add_halves",
    "atomicAdd",
    "atomicSub",
    "atomicExch",
    "atomicMin",
    "atomicMax",
    "atomicInc",
    "atomicDec",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
];

/// Every name that a diagnostic can suggest.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter()
        .map(|row| row.name)
        .filter(|name| !name.starts_with("__ws_"))
        .chain(SPECIAL_NAMES.iter().copied())
        .chain(ATOMICS.into_iter().filter(|name| !name.starts_with("__ws_")))
        .chain([
            "make_float2",
            "make_float3",
            "make_float4",
            "make_int2",
            "make_int4",
        ])
}

/// The declaration of a function with fixed types, in C++ syntax: that of its first overload.
pub(crate) fn signature(name: &str) -> Option<String> {
    let row = rows(name).into_iter().next()?;
    let text = |letter: char| type_text(&type_of(letter, true), &[]);
    let params: Vec<String> = row.params.chars().map(text).collect();
    Some(format!("{} {name}({})", text(row.ret), params.join(", ")))
}

/// The minimum compute capability of a function with fixed types, 700 for 7.0; 0 if all architectures have it.
pub(crate) fn capability(name: &str) -> u32 {
    let first = rows(name).into_iter().next();
    first
        .and_then(|row| row.needs())
        .map_or(0, |(capability, _)| capability)
}

/// Whether a name is a function that CUDA provides.
pub(crate) fn is_builtin_name(name: &str) -> bool {
    is_known(name) || is_in_library(name)
}

/// Whether a name is a function of the prelude; does not parse it.
pub(crate) fn is_in_library(name: &str) -> bool {
    library::NAMES.binary_search(&name).is_ok()
}

/// Names of the prelude's functions, in order.
pub(crate) fn library_names() -> &'static [&'static str] {
    &library::NAMES
}

/// Whether a name is a function of the chip or the compiler, excluding the prelude.
pub(crate) fn is_known(name: &str) -> bool {
    SPECIAL_NAMES.contains(&name)
        || ROWS.iter().any(|row| row.name == name)
        || atomic_name(name).is_some()
        || rounded(name).is_some()
        || conversion(name).is_some()
        || matrix_product(name).is_some()
        || name
            .strip_prefix("make_")
            .is_some_and(|ty| crate::types::vector(ty).is_some())
}

/// An atomic function's name without its scope, and the scope.
pub(crate) fn atomic_name(name: &str) -> Option<(&'static str, FenceScope)> {
    let (base, scope) = match (name.strip_suffix("_block"), name.strip_suffix("_system")) {
        (Some(base), _) => (base, FenceScope::Block),
        (_, Some(base)) => (base, FenceScope::System),
        _ => (name, FenceScope::Device),
    };
    let base = ATOMICS.into_iter().find(|atomic| *atomic == base)?;
    Some((base, scope))
}

/// The overloads of a name.
pub(crate) fn rows(name: &str) -> Vec<Row> {
    let mut out: Vec<Row> = ROWS.iter().filter(|row| row.name == name).copied().collect();
    out.extend(rounded(name));
    out.extend(conversion(name));
    out.extend(matrix_product(name));
    out
}

fn rounding(suffix: &str) -> Option<Rounding> {
    match suffix {
        "rn" => Some(Rounding::Nearest),
        "rz" => Some(Rounding::Zero),
        "rd" => Some(Rounding::Down),
        "ru" => Some(Rounding::Up),
        _ => None,
    }
}

/// `__ws_mma_turing_f32` and similar functions, which `mma.h` uses to multiply: words of the left factor, words of
/// the right factor, and the accumulators.
fn matrix_product(name: &str) -> Option<Row> {
    let (unit, kind) = name.strip_prefix("__ws_mma_")?.split_once('_')?;
    let unit = match unit {
        "volta" => TensorUnit::Volta,
        "turing" => TensorUnit::Turing,
        "ampere" => TensorUnit::Ampere,
        "hopper" => TensorUnit::Hopper,
        // The PTX instruction: `Row::on` puts in the unit of the architecture.
        "ptx" => TensorUnit::Ampere,
        _ => return None,
    };
    let (kind, saturate) = match kind.strip_suffix("_sat") {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let is_ampere_on = matches!(unit, TensorUnit::Ampere | TensorUnit::Hopper);
    let signed = kind.starts_with('s');
    let (kind, params, ret) = match kind {
        _ if unit == TensorUnit::Volta => {
            let half_sums = kind.starts_with("f16");
            let [left, right, step] = kind.as_bytes().last_chunk()?;
            let kind = MmaKind::Quads {
                step: step.checked_sub(b'0')?,
                left_columns: *left == b'c',
                right_rows: *right == b'r',
                half_sums,
            };
            if half_sums {
                (kind, "uuuuW", 'W')
            } else {
                (kind, "uuuuP", 'P')
            }
        }
        "f32" | "f16" | "bf16" | "f32k8" | "f16k8" | "bf16k8" => {
            let half_sums = kind.starts_with("f16");
            let is_deep = is_ampere_on && !kind.ends_with("k8");
            let params = match (is_deep, half_sums) {
                (true, true) => "uuuuuuW",
                (true, false) => "uuuuuuQ",
                (false, true) => "uuuW",
                (false, false) => "uuuQ",
            };
            let kind = MmaKind::Halves {
                k16: is_deep,
                bfloat16: kind.starts_with("bf16"),
                half_sums,
            };
            (kind, params, if half_sums { 'W' } else { 'Q' })
        }
        "e4m3_e4m3_f32" | "e4m3_e5m2_f32" | "e5m2_e4m3_f32" | "e5m2_e5m2_f32" | "e4m3_e4m3_f16"
        | "e4m3_e5m2_f16" | "e5m2_e4m3_f16" | "e5m2_e5m2_f16" => {
            let half_sums = kind.ends_with("f16");
            let kind = MmaKind::Fp8 {
                left_e5m2: kind.starts_with("e5m2"),
                right_e5m2: kind[5..].starts_with("e5m2"),
                half_sums,
            };
            if half_sums {
                (kind, "uuuuuuW", 'W')
            } else {
                (kind, "uuuuuuQ", 'Q')
            }
        }
        "tf32" => (MmaKind::Tf32, "uuuQ", 'Q'),
        "f64" => (MmaKind::Doubles, "WWV", 'V'),
        "s8x8" | "u8x8" => {
            let kind = MmaKind::Bytes {
                rows16: false,
                signed,
                saturate,
            };
            (kind, "uuW", 'W')
        }
        "s8x16" | "u8x16" => {
            let kind = MmaKind::Bytes {
                rows16: true,
                signed,
                saturate,
            };
            (kind, "uuuV", 'V')
        }
        "s4" | "u4" => (MmaKind::Nibbles { signed, saturate }, "uuW", 'W'),
        "xor" => (MmaKind::Bits { and: false }, "uuW", 'W'),
        "and" => (MmaKind::Bits { and: true }, "uuW", 'W'),
        _ => return None,
    };
    Some(row("", params, ret, Builtin::Mma(Mma { kind, unit })))
}

/// `__fadd_rn`, `__dmul_ru`, `__fmaf_rz`, …
fn rounded(name: &str) -> Option<Row> {
    let (stem, suffix) = name.strip_prefix("__")?.rsplit_once('_')?;
    let rounding = rounding(suffix)?;
    let (op, params, ret) = match stem {
        "fadd" => (RoundedOp::Add, "ff", 'f'),
        "fsub" => (RoundedOp::Sub, "ff", 'f'),
        "fmul" => (RoundedOp::Mul, "ff", 'f'),
        "fmaf" => (RoundedOp::Fma, "fff", 'f'),
        "fdiv" => (RoundedOp::Div, "ff", 'f'),
        "frcp" => (RoundedOp::Rcp, "f", 'f'),
        "fsqrt" => (RoundedOp::Sqrt, "f", 'f'),
        "frsqrt" => (RoundedOp::Rsqrt, "f", 'f'),
        "dadd" => (RoundedOp::Add, "dd", 'd'),
        "dsub" => (RoundedOp::Sub, "dd", 'd'),
        "dmul" => (RoundedOp::Mul, "dd", 'd'),
        "fma" => (RoundedOp::Fma, "ddd", 'd'),
        "ddiv" => (RoundedOp::Div, "dd", 'd'),
        "drcp" => (RoundedOp::Rcp, "d", 'd'),
        "dsqrt" => (RoundedOp::Sqrt, "d", 'd'),
        "ws_half_add" => (RoundedOp::Add, "hh", 'h'),
        "ws_half_sub" => (RoundedOp::Sub, "hh", 'h'),
        "ws_half_mul" => (RoundedOp::Mul, "hh", 'h'),
        _ => return None,
    };
    Some(row("", params, ret, Builtin::Rounded(op, rounding)))
}

/// `__float2int_rn`, `__ull2double_rz`, …
fn conversion(name: &str) -> Option<Row> {
    let (stem, suffix) = name.strip_prefix("__")?.rsplit_once('_')?;
    let rounding = rounding(suffix)?;
    // The header of half defines the conversions of half in terms of these functions.
    let (stem, with_half) = match stem.strip_prefix("ws_") {
        Some(stem) => (stem, true),
        None => (stem, false),
    };
    let (from, to) = stem.split_once('2')?;
    let letter = |word: &str| {
        Some(match word {
            "half" if with_half => 'h',
            "short" if with_half => 's',
            "ushort" if with_half => 't',
            "float" => 'f',
            "double" => 'd',
            "int" => 'i',
            "uint" => 'u',
            "ll" => 'l',
            "ull" => 'L',
            _ => return None,
        })
    };
    let params = match letter(from)? {
        'f' => "f",
        'd' => "d",
        'i' => "i",
        'u' => "u",
        'l' => "l",
        'h' => "h",
        's' => "s",
        't' => "t",
        _ => "L",
    };
    let to = letter(to)?;
    let is_float = |letter: char| matches!(letter, 'f' | 'd' | 'h');
    if !is_float(to) && !matches!(params, "f" | "d" | "h") {
        return None;
    }
    // A plain C conversion needs no builtin.
    let as_in_c = match rounding {
        Rounding::Zero => !is_float(to),
        Rounding::Nearest => is_float(to),
        _ => false,
    };
    Some(if as_in_c {
        made("", params, to, Make::Convert)
    } else {
        row("", params, to, Builtin::ConvertRounded(rounding))
    })
}

fn type_of(letter: char, has_double: bool) -> Type {
    match letter {
        'h' => Type::F16,
        'H' => Type::Vector(crate::types::half2()),
        'Q' => crate::types::vector("float4").map_or(Type::Void, Type::Vector),
        'P' => crate::types::vector("float2").map_or(Type::Void, Type::Vector),
        'V' => crate::types::vector("uint4").map_or(Type::Void, Type::Vector),
        'W' => crate::types::vector("uint2").map_or(Type::Void, Type::Vector),
        'n' => Type::Bf16,
        'N' => Type::Vector(crate::types::bfloat162()),
        's' => Type::I16,
        't' => Type::U16,
        'b' => Type::Bool,
        'i' => Type::I32,
        'u' => Type::U32,
        'l' => Type::I64,
        'L' => Type::U64,
        'f' => Type::F32,
        'd' if has_double => Type::F64,
        'd' => Type::F32,
        _ => Type::Void,
    }
}

impl Row {
    /// The parameter types.
    pub(crate) fn param_types(&self, has_double: bool) -> Vec<Type> {
        self.params
            .chars()
            .map(|letter| type_of(letter, has_double))
            .collect()
    }

    /// The call with arguments of the parameter types.
    pub(crate) fn expression(&self, args: Vec<Expr>, has_double: bool, span: Span) -> Expr {
        let ty = type_of(self.ret, has_double);
        let mut args = args;
        let kind = match (self.make, args.len()) {
            (Make::Builtin(builtin), _) => ExprKind::Builtin { builtin, args },
            (Make::Bitcast, 1..) => ExprKind::Bitcast(Box::new(args.swap_remove(0))),
            (Make::Convert, 1..) => ExprKind::Convert(Box::new(args.swap_remove(0))),
            (Make::Operator(op), 2) => {
                let rhs = Box::new(args.swap_remove(1));
                let lhs = Box::new(args.swap_remove(0));
                ExprKind::Binary { op, lhs, rhs }
            }
            _ => ExprKind::Comma {
                first: Box::new(int(0, Type::I32, span)),
                second: Box::new(int(0, Type::I32, span)),
            },
        };
        fold(expr(kind, ty, span))
    }

    /// The compute capability from which on the chip has it, and its name in a sentence.
    pub(crate) fn needs(&self) -> Option<(u32, Cow<'static, str>)> {
        let Make::Builtin(builtin) = self.make else {
            return None;
        };
        let (capability, what) = match builtin {
            Builtin::Warp(Op::Movm) => return Some((750, "`movmatrix`".into())),
            Builtin::Warp(op) => {
                let first = op.describe().capability.first()?.first;
                return Some((first.into(), format!("`{}`", self.name).into()));
            }
            Builtin::Syncthreads(BarrierKind::Sync) => None,
            Builtin::Syncthreads(_) => Some((200, "A block barrier with a predicate")),
            Builtin::Threadfence(FenceScope::System) => Some((200, "`__threadfence_system`")),
            Builtin::Nanosleep => Some((700, "`__nanosleep`")),
            Builtin::LoadMatrices { .. } => Some((750, "`ldmatrix`")),
            Builtin::StoreMatrices { .. } => Some((900, "`stmatrix`")),
            Builtin::AsyncCopy { .. } | Builtin::AsyncCommit | Builtin::AsyncWait => {
                Some((800, "`cp.async`"))
            }
            Builtin::GlobalTimer => Some((200, "`%globaltimer`")),
            Builtin::Clock64 => Some((200, "`clock64`")),
            Builtin::ActiveMask => Some((200, "`__activemask`")),
            Builtin::FunnelShift { .. } => Some((320, "A funnel shift")),
            Builtin::PackFp8(_) | Builtin::UnpackFp8(_) => Some((890, "An instruction for 8-bit floats")),
            Builtin::Mma(Mma {
                kind: MmaKind::Fp8 { .. },
                ..
            }) => Some((890, "The PTX instruction `mma` with 8-bit floats")),
            Builtin::Mma(mma) if matches!(mma.unit, TensorUnit::Ampere | TensorUnit::Hopper) => {
                Some((800, "The PTX instruction `mma` with this size and these types"))
            }
            Builtin::Mma(Mma {
                unit: TensorUnit::Turing,
                ..
            }) => Some((750, "The PTX instruction `mma` with this size and these types")),
            Builtin::Mma(_) => Some((700, "A tensor core")),
            Builtin::Approx(Approx::Tanh) => Some((750, "The PTX instruction `tanh.approx`")),
            _ => None,
        }?;
        Some((capability, what.into()))
    }
}

/// The CUDA header that declares a half-precision function with this name.
pub(crate) fn half_header(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let is_half = name.contains("half")
        || name.starts_with("__h")
            && (name.ends_with('2') || starts(&["__hadd", "__hmul", "__hfma", "__hsub", "__hdiv"]));
    if name.contains("bfloat") {
        Some("cuda_bf16.h")
    } else {
        is_half.then_some("cuda_fp16.h")
    }
}

/// The feature that a function belongs to, if CUDA has the function and this compiler does not.
pub(crate) fn unsupported_function(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if name == "alloca" {
        return Some("Allocations on the stack (alloca)");
    }
    if starts(&["cuda"]) {
        return Some("Functions of the CUDA runtime in kernels");
    }
    if starts(&["__pipeline_"]) {
        return Some("Asynchronous copies without `#include <cuda_pipeline.h>`");
    }
    None
}

/// The diagnostic for a call of a host-only function.
pub(crate) fn host_function(name: &str) -> Option<String> {
    if matches!(name, "fprintf" | "puts" | "putchar" | "fputs" | "perror") {
        return Some(format!(
            "`{name}` is a host function; a kernel prints with `printf`."
        ));
    }
    let is_of_runtime = [
        "cudaMemcpy",
        "cudaMemset",
        "cudaMalloc",
        "cudaFree",
        "cudaHost",
        "cudaEvent",
        "cudaFuncSet",
        "cudaDeviceReset",
        "cudaDeviceSynchronize",
        "cudaSetDevice",
        "cudaGetDevice",
        "cudaBind",
        "cudaCreate",
        "cudaDestroy",
        "cudaLaunchKernel",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix));
    is_of_runtime
        .then(|| format!("`{name}` is a host function; call it in host code, before or after the launch."))
}
