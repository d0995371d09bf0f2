//! Predefined macros: those of the compiler, and those of the usual headers.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::macros::Macro;
use super::{Kind, Tok};
use crate::lex::{TokenKind, punct_at, tokens};
use engine::arch::ArchId;
use engine::ids::Span;

/// Names and replacement texts.
const MACROS: &[(&str, &str)] = &[
    ("__CUDACC__", "1"),
    ("__NVCC__", "1"),
    ("__cplusplus", "201703L"),
    ("__CUDACC_VER_MAJOR__", "12"),
    ("__CUDACC_VER_MINOR__", "0"),
    ("__CUDACC_VER_BUILD__", "0"),
    ("__NVCC_DIAG_PRAGMA_SUPPORT__", "1"),
    ("CUDART_VERSION", "12000"),
    // Macros that nvcc and the host compiler define on Linux.
    ("__linux__", "1"),
    ("__linux", "1"),
    ("__gnu_linux__", "1"),
    ("__unix__", "1"),
    ("__unix", "1"),
    ("__x86_64__", "1"),
    ("__x86_64", "1"),
    ("__amd64__", "1"),
    ("__amd64", "1"),
    ("__LP64__", "1"),
    ("_LP64", "1"),
    ("__GNUC__", "12"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUG__", "12"),
    ("__EXCEPTIONS", "1"),
    ("__STDC__", "1"),
    ("__STDC_HOSTED__", "1"),
    ("__CHAR_BIT__", "8"),
    ("__INT_MAX__", "0x7fffffff"),
    ("__SIZEOF_INT__", "4"),
    ("__SIZEOF_LONG__", "8"),
    ("__SIZEOF_LONG_LONG__", "8"),
    ("__SIZEOF_POINTER__", "8"),
    ("__BYTE_ORDER__", "1234"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("FP_ILOGB0", "(-2147483647 - 1)"),
    ("FP_ILOGBNAN", "(-2147483647 - 1)"),
    ("CHAR_BIT", "8"),
    ("SCHAR_MIN", "(-128)"),
    ("SCHAR_MAX", "127"),
    ("CHAR_MIN", "(-128)"),
    ("CHAR_MAX", "127"),
    ("UCHAR_MAX", "255"),
    ("SHRT_MIN", "(-32768)"),
    ("SHRT_MAX", "32767"),
    ("USHRT_MAX", "65535"),
    ("INT_MIN", "(-2147483647 - 1)"),
    ("INT_MAX", "2147483647"),
    ("UINT_MAX", "4294967295u"),
    ("LONG_MIN", "(-9223372036854775807ll - 1)"),
    ("LONG_MAX", "9223372036854775807ll"),
    ("ULONG_MAX", "18446744073709551615ull"),
    ("LLONG_MIN", "(-9223372036854775807ll - 1)"),
    ("LLONG_MAX", "9223372036854775807ll"),
    ("ULLONG_MAX", "18446744073709551615ull"),
    ("INT8_MIN", "(-128)"),
    ("INT8_MAX", "127"),
    ("UINT8_MAX", "255"),
    ("INT16_MIN", "(-32768)"),
    ("INT16_MAX", "32767"),
    ("UINT16_MAX", "65535"),
    ("INT32_MIN", "(-2147483647 - 1)"),
    ("INT32_MAX", "2147483647"),
    ("UINT32_MAX", "4294967295u"),
    ("INT64_MIN", "(-9223372036854775807ll - 1)"),
    ("INT64_MAX", "9223372036854775807ll"),
    ("UINT64_MAX", "18446744073709551615ull"),
    ("SIZE_MAX", "18446744073709551615ull"),
    ("FLT_MAX", "3.402823466e+38f"),
    ("FLT_MIN", "1.175494351e-38f"),
    ("FLT_EPSILON", "1.192092896e-07f"),
    ("FLT_DIG", "6"),
    ("FLT_MANT_DIG", "24"),
    ("DBL_MAX", "1.7976931348623158e+308"),
    ("DBL_MIN", "2.2250738585072014e-308"),
    ("DBL_EPSILON", "2.2204460492503131e-16"),
    ("DBL_DIG", "15"),
    ("DBL_MANT_DIG", "53"),
    ("INFINITY", "__int_as_float(0x7f800000)"),
    ("NAN", "__int_as_float(0x7fffffff)"),
    ("HUGE_VALF", "__int_as_float(0x7f800000)"),
    ("HUGE_VAL", "__longlong_as_double(0x7ff0000000000000ll)"),
    ("NULL", "0ll"),
    ("M_E", "2.7182818284590452354"),
    ("M_LOG2E", "1.4426950408889634074"),
    ("M_LOG10E", "0.43429448190325182765"),
    ("M_LN2", "0.69314718055994530942"),
    ("M_LN10", "2.30258509299404568402"),
    ("M_PI", "3.14159265358979323846"),
    ("M_PI_2", "1.57079632679489661923"),
    ("M_PI_4", "0.78539816339744830962"),
    ("M_1_PI", "0.31830988618379067154"),
    ("M_2_PI", "0.63661977236758134308"),
    ("M_2_SQRTPI", "1.12837916709551257390"),
    ("M_SQRT2", "1.41421356237309504880"),
    ("M_SQRT1_2", "0.70710678118654752440"),
    ("CUDART_INF_F", "__int_as_float(0x7f800000)"),
    ("CUDART_NAN_F", "__int_as_float(0x7fffffff)"),
    ("CUDART_MIN_DENORM_F", "__int_as_float(0x00000001)"),
    ("CUDART_MAX_NORMAL_F", "__int_as_float(0x7f7fffff)"),
    ("CUDART_NEG_ZERO_F", "__int_as_float(0x80000000)"),
    ("CUDART_ZERO_F", "0.0f"),
    ("CUDART_ONE_F", "1.0f"),
    ("CUDART_PI_F", "3.141592654f"),
    ("CUDART_PIO2_F", "1.570796327f"),
    ("CUDART_PIO4_F", "0.785398163f"),
    ("CUDART_2_OVER_PI_F", "0.636619772f"),
    ("CUDART_SQRT_TWO_F", "1.414213562f"),
    ("CUDART_SQRT_HALF_F", "0.707106781f"),
    ("CUDART_L2E_F", "1.442695041f"),
    ("CUDART_LN2_F", "0.693147181f"),
    ("CUDART_INF", "__longlong_as_double(0x7ff0000000000000ll)"),
    ("CUDART_NAN", "__longlong_as_double(0xfff8000000000000ll)"),
    ("CUDART_PI", "3.1415926535897931e+0"),
    ("CUDART_PIO2", "1.5707963267948966e+0"),
];

/// Macros with one parameter `c`.
const FUNCTION_LIKE: &[(&str, &str)] = &[
    ("INT8_C", "c"),
    ("INT16_C", "c"),
    ("INT32_C", "c"),
    ("INT64_C", "c##ll"),
    ("UINT8_C", "c"),
    ("UINT16_C", "c"),
    ("UINT32_C", "c##u"),
    ("UINT64_C", "c##ull"),
];

/// The predefined macros with their replacement texts, without those that only identify the compiler and the host.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_compiler = |name: &str| name.starts_with('_') && name != "__CUDACC__";
    MACROS.iter().copied().filter(move |(name, _)| !of_compiler(name))
}

/// `__CUDA_ARCH__` of an architecture: 750 for compute capability 7.5.
pub(crate) fn cuda_arch(arch: ArchId) -> u32 {
    arch.capability().into()
}

/// The macros of all architectures. Each `asm` statement is preprocessed with them.
static COMMON: LazyLock<BTreeMap<Arc<str>, Macro>> = LazyLock::new(|| {
    let mut out: BTreeMap<Arc<str>, Macro> = MACROS
        .iter()
        .map(|(name, body)| (Arc::from(*name), object_like(body)))
        .collect();
    out.extend(FUNCTION_LIKE.iter().map(|(name, body)| {
        let params = Some(vec![Arc::from("c")]);
        let definition = Macro {
            params,
            ..object_like(body)
        };
        (Arc::from(*name), definition)
    }));
    out
});

/// The macros at the start of a file.
pub(super) fn macros(arch: ArchId) -> BTreeMap<Arc<str>, Macro> {
    let mut out = COMMON.clone();
    let arch = object_like(&cuda_arch(arch).to_string());
    out.insert(Arc::from("__CUDA_ARCH__"), arch.clone());
    out.insert(Arc::from("__CUDA_ARCH_LIST__"), arch);
    out
}

fn object_like(text: &str) -> Macro {
    let body = tokens(text)
        .into_iter()
        .filter_map(|token| {
            let text = token.text(text);
            let kind = match token.kind {
                TokenKind::Ident => Kind::Ident,
                TokenKind::Number => Kind::Number,
                TokenKind::Punct => Kind::Punct(punct_at(text)?),
                _ => return None,
            };
            Some(Tok::new(kind, Arc::from(text), Span::default()))
        })
        .collect();
    Macro {
        params: None,
        variadic: false,
        body,
    }
}
