//! Names of types that CUDA C provides without a declaration.

use super::hir::{Pointer, Struct, Type, Vector};
use engine::isa::ImageShape;

/// Words that form C's own type names.
pub(crate) const SCALAR_WORDS: [&str; 10] = [
    "void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
];

/// Names of scalar types that headers define.
const ALIASES: [(&str, Type); 31] = [
    // From cuda_fp16.h and cuda_bf16.h, which declare the names that users write.
    ("__ws_half", Type::F16),
    ("__ws_bfloat16", Type::Bf16),
    ("int8_t", Type::I8),
    ("uint8_t", Type::U8),
    ("int16_t", Type::I16),
    ("uint16_t", Type::U16),
    ("int32_t", Type::I32),
    ("uint32_t", Type::U32),
    ("int64_t", Type::I64),
    ("uint64_t", Type::U64),
    ("size_t", Type::U64),
    ("ptrdiff_t", Type::I64),
    ("intptr_t", Type::I64),
    ("uintptr_t", Type::U64),
    ("uchar", Type::U8),
    ("ushort", Type::U16),
    ("uint", Type::U32),
    ("ulong", Type::U64),
    ("clock_t", Type::I64),
    ("wchar_t", Type::I32),
    ("char32_t", Type::U32),
    ("char16_t", Type::U16),
    ("char8_t", Type::U8),
    // Handles and integers of the runtime API, which host structs contain.
    ("cudaStream_t", Type::U64),
    ("cudaEvent_t", Type::U64),
    ("cudaArray_t", Type::U64),
    ("cudaGraph_t", Type::U64),
    ("cudaGraphExec_t", Type::U64),
    ("cudaError_t", Type::I32),
    ("cudaMemcpyKind", Type::I32),
    ("cudaResourceType", Type::I32),
];

/// Lane types of the built-in vectors, by the stem of their names.
const STEMS: [(&str, Type); 12] = [
    ("char", Type::I8),
    ("uchar", Type::U8),
    ("short", Type::I16),
    ("ushort", Type::U16),
    ("int", Type::I32),
    ("uint", Type::U32),
    ("long", Type::I64),
    ("ulong", Type::U64),
    ("longlong", Type::I64),
    ("ulonglong", Type::U64),
    ("float", Type::F32),
    ("double", Type::F64),
];

const VECTOR_NAMES: [&str; 48] = [
    "char1",
    "char2",
    "char3",
    "char4",
    "uchar1",
    "uchar2",
    "uchar3",
    "uchar4",
    "short1",
    "short2",
    "short3",
    "short4",
    "ushort1",
    "ushort2",
    "ushort3",
    "ushort4",
    "int1",
    "int2",
    "int3",
    "int4",
    "uint1",
    "uint2",
    "uint3",
    "uint4",
    "long1",
    "long2",
    "long3",
    "long4",
    "ulong1",
    "ulong2",
    "ulong3",
    "ulong4",
    "longlong1",
    "longlong2",
    "longlong3",
    "longlong4",
    "ulonglong1",
    "ulonglong2",
    "ulonglong3",
    "ulonglong4",
    "float1",
    "float2",
    "float3",
    "float4",
    "double1",
    "double2",
    "double3",
    "double4",
];

/// Types that a header declares, with the header. They are types only if the source includes the header.
const DECLARED_BY: [(&str, &str); 16] = [
    ("curandState", "curand_kernel.h"),
    ("curandState_t", "curand_kernel.h"),
    ("curandStatePhilox4_32_10_t", "curand_kernel.h"),
    ("curandStateXORWOW_t", "curand_kernel.h"),
    ("curandStateSobol32_t", "curand_kernel.h"),
    ("curandStateScrambledSobol32_t", "curand_kernel.h"),
    ("curandStateSobol64_t", "curand_kernel.h"),
    ("curandStateScrambledSobol64_t", "curand_kernel.h"),
    ("__nv_bfloat16", "cuda_bf16.h"),
    ("__nv_bfloat162", "cuda_bf16.h"),
    ("nv_bfloat16", "cuda_bf16.h"),
    ("nv_bfloat162", "cuda_bf16.h"),
    ("half", "cuda_fp16.h"),
    ("half2", "cuda_fp16.h"),
    ("__half", "cuda_fp16.h"),
    ("__half2", "cuda_fp16.h"),
];

/// The header that declares a type of this name.
pub(crate) fn header_of_type(name: &str) -> Option<&'static str> {
    let (_, header) = DECLARED_BY.iter().find(|(ty, _)| *ty == name)?;
    Some(header)
}

/// The lane names of a built-in vector.
pub(crate) const LANE_NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Names of types that need no declaration: C's own words, names from headers, and vectors.
pub(crate) fn type_names() -> impl Iterator<Item = &'static str> {
    let aliases = ALIASES.iter().map(|(name, _)| *name);
    SCALAR_WORDS
        .into_iter()
        .chain(aliases.filter(|name| !name.starts_with("__ws_")))
        .chain(VECTOR_NAMES)
        .chain(["auto", "dim3", "cudaTextureObject_t", "cudaSurfaceObject_t"])
}

/// The type of a name that needs no declaration, other than C's own words.
pub(crate) fn builtin_type(name: &str) -> Option<Type> {
    if let Some((_, ty)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
        return Some(ty.clone());
    }
    if [
        "cudaTextureObject_t",
        "cudaSurfaceObject_t",
        "CUtexObject",
        "CUsurfObject",
    ]
    .contains(&name)
    {
        return Some(Type::U64);
    }
    if name == "nullptr_t" {
        return Some(Type::Void.pointer_to());
    }
    vector(name).map(Type::Vector)
}

/// A texture of linear memory: a pointer to its elements, or an untyped pointer if only the fetch determines
/// the type.
pub(crate) fn texture_of(elem: Type) -> Type {
    Type::Pointer(Box::new(Pointer {
        pointee: elem,
        is_const: true,
        is_volatile: false,
        restrict: true,
    }))
}

/// The built-in vector type of a name.
pub(crate) fn vector(name: &str) -> Option<Vector> {
    if name == "dim3" {
        return Some(Vector {
            elem: Box::new(Type::U32),
            lanes: 3,
            name: "dim3",
        });
    }
    match name {
        "__ws_half2" => return Some(half2()),
        "__ws_bfloat162" => return Some(bfloat162()),
        _ => {}
    }
    let name = VECTOR_NAMES.into_iter().find(|vector| *vector == name)?;
    let (stem, lanes) = name.split_at(name.len() - 1);
    let (_, elem) = STEMS.iter().find(|(word, _)| *word == stem)?;
    Some(Vector {
        elem: Box::new(elem.clone()),
        lanes: lanes.parse().ok()?,
        name,
    })
}

/// `__nv_bfloat162`: two numbers in a word.
pub(crate) fn bfloat162() -> Vector {
    Vector {
        elem: Box::new(Type::Bf16),
        lanes: 2,
        name: "__nv_bfloat162",
    }
}

/// `half2`: two halves in a word.
pub(crate) fn half2() -> Vector {
    Vector {
        elem: Box::new(Type::F16),
        lanes: 2,
        name: "half2",
    }
}

/// The operation of a texture or surface function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImageVerb {
    /// `tex2D`.
    Fetch,
    /// `tex2DLod`.
    Level,
    /// `tex2DGrad`.
    Gradient,
    /// `tex2Dgather`.
    Gather,
    /// `surf2Dread`.
    Read,
    /// `surf2Dwrite`.
    Write,
}

impl ImageVerb {
    /// Whether the function accesses a surface.
    pub(crate) const fn is_surface(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }
}

/// The texture or surface function that a name denotes. Only whole names match: `tex2D_width` can be a user's
/// variable.
pub(crate) fn image_function(name: &str) -> Option<(ImageVerb, ImageShape)> {
    let is_surface = name.starts_with("surf");
    let rest = name.strip_prefix("tex").or_else(|| name.strip_prefix("surf"))?;
    let (shape, verb) = [
        ("1DLayered", ImageShape::Layered1),
        ("2DLayered", ImageShape::Layered2),
        ("CubemapLayered", ImageShape::LayeredCube),
        ("1D", ImageShape::D1),
        ("2D", ImageShape::D2),
        ("3D", ImageShape::D3),
        ("Cubemap", ImageShape::Cube),
    ]
    .into_iter()
    .find_map(|(word, shape)| Some((shape, rest.strip_prefix(word)?)))?;
    let verb = match (is_surface, verb) {
        (false, "") => ImageVerb::Fetch,
        (false, "Lod") => ImageVerb::Level,
        (false, "Grad") => ImageVerb::Gradient,
        (false, "gather") if shape == ImageShape::D2 => ImageVerb::Gather,
        (true, "read") => ImageVerb::Read,
        (true, "write") => ImageVerb::Write,
        _ => return None,
    };
    Some((verb, shape))
}

/// The part of the CUDA headers that a namespace denotes and that this compiler does not provide.
pub(crate) fn unsupported_namespace(name: &str) -> Option<&'static str> {
    match name {
        "thrust" | "cub" => Some("Names of Thrust and CUB without their headers"),
        "cuda" => Some("The libraries of namespace cuda"),
        _ => None,
    }
}

/// The types of a namespace that no header of this compiler declares.
pub(crate) fn unsupported_part(space: &str) -> Option<&'static str> {
    match space {
        "thrust" | "cub" => Some("Containers and device-wide algorithms of Thrust and CUB"),
        "cuda" => unsupported_namespace(space),
        _ => None,
    }
}

/// Whether a word names a type without a declaration.
pub(crate) fn is_type_word(word: &str) -> bool {
    SCALAR_WORDS.contains(&word)
        || builtin_type(word).is_some()
        || header_of_type(word).is_some()
        || word == "auto"
        || word == "texture"
        || word == "surface"
}

/// The type of a name of C or of its library whose size is that of a pointer, if pointers have 32 bits (`-m32`).
pub(crate) fn short_type(name: &str) -> Option<Type> {
    match name {
        "size_t" | "uintptr_t" | "ulong" => Some(Type::U32),
        "ptrdiff_t" | "intptr_t" | "ssize_t" | "clock_t" => Some(Type::I32),
        _ => None,
    }
}

/// The type that a sequence of C's own words denotes, such as `unsigned long long`.
pub(crate) fn scalar_of_words(words: &[&str]) -> Option<Type> {
    let count = |word: &str| words.iter().filter(|w| **w == word).count();
    let (signed, unsigned) = (count("signed"), count("unsigned"));
    let (long, short, int, char) = (count("long"), count("short"), count("int"), count("char"));
    let sign = signed + unsigned;
    if words.is_empty() || sign > 1 || long > 2 || short > 1 || int > 1 || char > 1 {
        return None;
    }
    let single = |word: &str, ty: Type| (count(word) == 1 && words.len() == 1).then_some(ty);
    if let Some(ty) = single("void", Type::Void)
        .or_else(|| single("bool", Type::Bool))
        .or_else(|| single("float", Type::F32))
        .or_else(|| single("double", Type::F64))
    {
        return Some(ty);
    }
    // In device code, `long double` is `double`.
    if long == 1 && count("double") == 1 && words.len() == 2 {
        return Some(Type::F64);
    }
    if sign + long + short + int + char != words.len() {
        return None;
    }
    let (signed_ty, unsigned_ty) = match (char, short, long) {
        (1, 0, 0) if int == 0 => (Type::I8, Type::U8),
        (0, 1, 0) => (Type::I16, Type::U16),
        (0, 0, 1 | 2) => (Type::I64, Type::U64),
        (0, 0, 0) => (Type::I32, Type::U32),
        _ => return None,
    };
    Some(if unsigned == 1 { unsigned_ty } else { signed_ty })
}

/// A type in C syntax.
pub(crate) fn type_text(ty: &Type, structs: &[Struct]) -> String {
    let word = match ty {
        Type::Void => "void",
        Type::Bool => "bool",
        Type::I8 => "char",
        Type::U8 => "unsigned char",
        Type::I16 => "short",
        Type::U16 => "unsigned short",
        Type::I32 => "int",
        Type::U32 => "unsigned int",
        Type::I64 => "long long",
        Type::U64 => "unsigned long long",
        Type::F16 => "half",
        Type::Bf16 => "__nv_bfloat16",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::Vector(vector) => vector.name,
        Type::Enum(scoped) => &scoped.name,
        Type::Struct(id) => structs.get(id.0 as usize).map_or("struct", |s| &s.name),
        Type::Pointer(pointer) => {
            let is_const = if pointer.is_const { "const " } else { "" };
            let is_volatile = if pointer.is_volatile { "volatile " } else { "" };
            let inner = type_text(&pointer.pointee, structs);
            let space = if inner.ends_with('*') { "" } else { " " };
            return format!("{is_const}{is_volatile}{inner}{space}*");
        }
        Type::Array(elem, len) => {
            let mut extents = format!("[{len}]");
            let mut elem = elem;
            while let Type::Array(inner, len) = &**elem {
                extents.push_str(&format!("[{len}]"));
                elem = inner;
            }
            return format!("{}{extents}", type_text(elem, structs));
        }
    };
    word.to_owned()
}
