//! Names from elsewhere: the host's standard library, headers that are not included, and other languages. Each has a
//! suggestion for kernels.

/// The replacement for a host-only name of namespace `std`.
pub(super) fn of_standard_library(name: &str) -> Option<&'static str> {
    Some(match name {
        "vector" | "deque" | "list" | "span" | "initializer_list" => {
            "Pass a pointer and the number of elements, or declare an array of a fixed size."
        }
        "string" | "string_view" | "stringstream" | "ostringstream" => {
            "Pass a `const char *`, or declare an array of `char`."
        }
        "map" | "unordered_map" | "set" | "unordered_set" | "queue" | "stack" | "priority_queue" => {
            "Use arrays in global or shared memory."
        }
        "unique_ptr" | "shared_ptr" | "make_unique" | "make_shared" => {
            "Pass a plain pointer to device memory."
        }
        "cout" | "cerr" | "clog" | "endl" | "ofstream" | "ostream" => "Print with `printf`.",
        "cin" | "ifstream" | "istream" => "Read on the host, and pass the data in device memory.",
        "function" => "Pass a lambda or a function object as an argument of a template.",
        "thread" | "mutex" | "lock_guard" | "async" | "future" => {
            "The launch creates the threads of a kernel; use `__syncthreads()` and atomic functions."
        }
        "mt19937"
        | "default_random_engine"
        | "uniform_int_distribution"
        | "uniform_real_distribution"
        | "rand" => "Generate random numbers with `curand_kernel.h`.",
        "sort" | "stable_sort" | "accumulate" | "reduce" | "transform" | "for_each" | "copy" | "iota"
        | "count" | "find" => "Write the loop, or call Thrust or CUB from the host.",
        _ => return None,
    })
}

/// The `#include` that declares a namespace of CUDA's headers.
pub(super) fn namespace_remedy(name: &str) -> Option<&'static str> {
    Some(match name {
        "wmma" => "Write `#include <mma.h>` and `using namespace nvcuda;` before it.",
        "nvcuda" => "Write `#include <mma.h>` before it.",
        "cg" => "Write `#include <cooperative_groups.h>` and `namespace cg = cooperative_groups;` before it.",
        "cooperative_groups" => "Write `#include <cooperative_groups.h>` before it.",
        _ => return None,
    })
}

/// The replacement for a function or variable that CUDA does not have.
pub(crate) fn name_remedy(name: &str) -> Option<&'static str> {
    Some(match name {
        "null" | "NULLPTR" | "None" | "nil" => "Write `nullptr`.",
        "TRUE" | "True" | "YES" => "Write `true`.",
        "FALSE" | "False" | "NO" => "Write `false`.",
        "PI" | "pi" => "Write `M_PI` for a double, or `3.14159265f`.",
        "cout" | "cerr" | "endl" | "stderr" | "stdout" => "Kernels print with `printf(…)`.",
        "rand" | "srand" | "random" | "drand48" => {
            "This is a host function; generate random numbers with `curand_kernel.h`."
        }
        "time" | "clock_gettime" | "gettimeofday" => "This is a host function; a kernel can use `clock64()`.",
        "exit" | "abort" => {
            "This is a host function; `return` ends the thread, and `__trap()` ends the kernel."
        }
        "sleep" | "usleep" => {
            "This is a host function; a kernel can use `__nanosleep(…)` from compute capability 7.0 on."
        }
        "getchar" | "scanf" | "fopen" | "fclose" | "fread" | "fwrite" | "getenv" | "strcmp" | "strlen"
        | "strcpy" | "qsort" | "system" => "This is a host function.",
        "sort" | "accumulate" => "Write the loop, or call Thrust or CUB from the host.",
        "get_global_id" => "Write `blockIdx.x * blockDim.x + threadIdx.x`.",
        "get_local_id" => "Write `threadIdx.x`.",
        "get_group_id" => "Write `blockIdx.x`.",
        "get_local_size" => "Write `blockDim.x`.",
        "get_num_groups" => "Write `gridDim.x`.",
        "barrier" | "syncthreads" | "CLK_LOCAL_MEM_FENCE" | "CLK_GLOBAL_MEM_FENCE" => {
            "Write `__syncthreads()`."
        }
        "cross" | "dot" | "normalize" | "length" | "clamp" | "lerp" | "reflect" | "smoothstep" => {
            "CUDA has no such function; define it, or write `#include \"helper_math.h\"`."
        }
        "sqr" | "square" => "CUDA has no such function; multiply the value by itself.",
        "curand_init" | "curand_uniform" | "curand_normal" | "curand" => {
            "Write `#include <curand_kernel.h>` before the kernel."
        }
        _ => return None,
    })
}

/// The CUDA C++ type that corresponds to a type name of another language or library.
pub(crate) fn type_meant(name: &str) -> Option<&'static str> {
    Some(match name {
        "boolean" | "Bool" | "BOOL" => "bool",
        "byte" | "Byte" | "BYTE" | "u8" | "uint8" | "uchar_t" => "unsigned char",
        "int8" | "i8" => "signed char",
        "u16" | "uint16" => "unsigned short",
        "i16" | "int16" => "short",
        "u32" | "uint32" | "UINT" | "uint_t" => "unsigned int",
        "i32" | "int32" | "integer" | "Int" => "int",
        "u64" | "uint64" => "unsigned long long",
        "i64" | "int64" => "long long",
        "f32" | "Float" | "float32" | "fp32" => "float",
        "f64" | "float64" | "fp64" => "double",
        "f16" | "float16" | "fp16" => "half",
        "var" | "let" => "auto",
        "string" | "String" => "const char *",
        "vec2" | "Vec2" => "float2",
        "vec3" | "Vec3" => "float3",
        "vec4" | "Vec4" => "float4",
        _ => return None,
    })
}
