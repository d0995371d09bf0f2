//! The documentation of the names that kernels use most: signature, one or two sentences, the minimum compute
//! capability, and the NVIDIA document that describes the name.

/// A name that CUDA provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Documentation {
    /// The name, without its namespace.
    pub name: &'static str,
    /// The declaration in C++ syntax; `T` represents the supported types.
    pub signature: &'static str,
    /// One or two sentences.
    pub text: &'static str,
    /// Minimum compute capability, 700 for 7.0; 0 if every architecture supports the name.
    pub capability: u32,
    /// Document and section.
    pub source: &'static str,
}

const VARIABLES: &str = "CUDA C++ Programming Guide, Built-in Variables";
const SYNC: &str = "CUDA C++ Programming Guide, Synchronization Functions";
const FENCE: &str = "CUDA C++ Programming Guide, Memory Fence Functions";
const VOTE: &str = "CUDA C++ Programming Guide, Warp Vote Functions";
const MATCH: &str = "CUDA C++ Programming Guide, Warp Match Functions";
const REDUCE: &str = "CUDA C++ Programming Guide, Warp Reduce Functions";
const SHUFFLE: &str = "CUDA C++ Programming Guide, Warp Shuffle Functions";
const ATOMIC: &str = "CUDA C++ Programming Guide, Atomic Functions";
const CACHE: &str = "CUDA C++ Programming Guide, Load Functions Using Cache Hints";
const STORE: &str = "CUDA C++ Programming Guide, Store Functions Using Cache Hints";
const READ_ONLY: &str = "CUDA C++ Programming Guide, Read-Only Data Cache Load Function";
const ADDRESS: &str = "CUDA C++ Programming Guide, Address Space Conversion Functions";
const TIME: &str = "CUDA C++ Programming Guide, Time Function";
const SLEEP: &str = "CUDA C++ Programming Guide, Nanosleep Function";
const OUTPUT: &str = "CUDA C++ Programming Guide, Formatted Output";
const ASSERT: &str = "CUDA C++ Programming Guide, Assertion";
const TRAP: &str = "CUDA C++ Programming Guide, Trap function";
const GNU: &str = "GCC manual, Other Built-in Functions Provided by GCC";
const DEPENDENT: &str = "CUDA C++ Programming Guide, Programmatic Dependent Launch and Synchronization";
const HINT: &str = "CUDA C++ Programming Guide, Compiler Optimization Hint Functions";
const SPACES: &str = "CUDA C++ Programming Guide, Variable Memory Space Specifiers";
const FUNCTIONS: &str = "CUDA C++ Programming Guide, Function Execution Space Specifiers";
const BOUNDS: &str = "CUDA C++ Programming Guide, Launch Bounds";
const RESTRICT: &str = "CUDA C++ Programming Guide, __restrict__";
const TEXTURE: &str = "CUDA C++ Programming Guide, Texture Functions";
const SURFACE: &str = "CUDA C++ Programming Guide, Surface Functions";
const GROUPS: &str = "CUDA C++ Programming Guide, Cooperative Groups";
const TENSOR: &str = "CUDA C++ Programming Guide, Warp Matrix Functions";
const FLOATS: &str = "CUDA Math API Reference Manual, Single Precision Mathematical Functions";
const DOUBLES: &str = "CUDA Math API Reference Manual, Double Precision Mathematical Functions";
const FAST: &str = "CUDA Math API Reference Manual, Single Precision Intrinsics";
const INTEGERS: &str = "CUDA Math API Reference Manual, Integer Intrinsics";
const INTEGER_MATH: &str = "CUDA Math API Reference Manual, Integer Mathematical Functions";
const CASTS: &str = "CUDA Math API Reference Manual, Type Casting Intrinsics";
const HALVES: &str = "CUDA Math API Reference Manual, Half Precision Intrinsics";
const SIMD: &str = "CUDA Math API Reference Manual, SIMD Intrinsics";
const VECTORS: &str = "CUDA C++ Programming Guide, Built-in Vector Types";
const C_LIBRARY: &str = "C++ standard library, <cstring>";

const fn of(
    name: &'static str,
    signature: &'static str,
    text: &'static str,
    capability: u32,
    source: &'static str,
) -> Documentation {
    Documentation {
        name,
        signature,
        text,
        capability,
        source,
    }
}

/// The table, in groups.
#[rustfmt::skip]
pub const TABLE: &[Documentation] = &[
    // ---- thread position
    of("threadIdx", "const uint3 threadIdx", "Position of the thread in its block: x, y, and z, each from 0. Threads with consecutive x share a warp.", 0, VARIABLES),
    of("blockIdx", "const uint3 blockIdx", "Position of the block in the grid: x, y, and z, each from 0.", 0, VARIABLES),
    of("blockDim", "const dim3 blockDim", "Number of threads in a block in each dimension, as the launch sets it.", 0, VARIABLES),
    of("gridDim", "const dim3 gridDim", "Number of blocks in the grid in each dimension, as the launch sets it.", 0, VARIABLES),
    of("warpSize", "const int warpSize", "Number of threads in a warp: 32 on every architecture so far.", 0, VARIABLES),
    // ---- declaration specifiers
    of("__global__", "__global__ void kernel(…)", "Declares a kernel: the host launches the function, the device runs it. The return type is void.", 0, FUNCTIONS),
    of("__device__", "__device__ T function(…)", "Declares a function that kernels call, or a variable in global memory.", 0, FUNCTIONS),
    of("__host__", "__host__ T function(…)", "Declares a host function. With __device__ as well, both sides can call the function.", 0, FUNCTIONS),
    of("__forceinline__", "__forceinline__ T function(…)", "Forces the compiler to inline the function at each call.", 0, FUNCTIONS),
    of("__noinline__", "__noinline__ T function(…)", "Prevents inlining. Each call jumps to the function and returns.", 0, FUNCTIONS),
    of("__shared__", "__shared__ T name[size]", "Puts a variable into shared memory: each block has one copy, and all threads of the block access this copy.", 0, SPACES),
    of("__constant__", "__constant__ T name", "Puts a variable into constant memory: kernels read it through the constant cache, one address a warp at a time.", 0, SPACES),
    of("__restrict__", "T *__restrict__ name", "Promises that no other pointer accesses the same memory, so the compiler may reorder and reuse loads.", 0, RESTRICT),
    of("__launch_bounds__", "__launch_bounds__(maxThreads, minBlocks)", "Limits the registers of a kernel so that a block of maxThreads fits, and minBlocks blocks are resident on an SM.", 0, BOUNDS),
    // ---- barriers and fences
    of("__syncthreads", "void __syncthreads()", "Waits until all threads of the block arrive. Memory accesses before the barrier are visible to the block after it.", 0, SYNC),
    of("__syncthreads_count", "int __syncthreads_count(int predicate)", "A block barrier that returns, to every thread, how many threads passed a predicate that is not 0.", 200, SYNC),
    of("__syncthreads_and", "int __syncthreads_and(int predicate)", "A block barrier that returns non-zero if the predicate holds in all threads of the block.", 200, SYNC),
    of("__syncthreads_or", "int __syncthreads_or(int predicate)", "A block barrier that returns non-zero if the predicate holds in any thread of the block.", 200, SYNC),
    of("__syncwarp", "void __syncwarp(unsigned mask = 0xffffffff)", "Waits until the lanes in mask arrive, and orders their memory accesses. Before 7.0 the lanes of a warp run in lockstep.", 0, SYNC),
    of("__threadfence", "void __threadfence()", "Orders this thread's writes: other threads of the device see the writes before the fence first. No thread waits for another.", 0, FENCE),
    of("__threadfence_block", "void __threadfence_block()", "Orders this thread's writes for the threads of its block. No thread waits for another.", 0, FENCE),
    of("__threadfence_system", "void __threadfence_system()", "Orders this thread's writes for the device, the host, and other devices.", 200, FENCE),
    // ---- votes, matches, shuffles
    of("__all_sync", "int __all_sync(unsigned mask, int predicate)", "Returns non-zero if the predicate holds in all lanes of mask.", 120, VOTE),
    of("__any_sync", "int __any_sync(unsigned mask, int predicate)", "Returns non-zero if the predicate holds in any lane of mask.", 120, VOTE),
    of("__ballot_sync", "unsigned __ballot_sync(unsigned mask, int predicate)", "Returns a word whose bit n is set if lane n is in mask and its predicate holds.", 200, VOTE),
    of("__activemask", "unsigned __activemask()", "Returns the mask of the currently active lanes. The mask does not say which lanes took the same branch in the source.", 200, VOTE),
    of("__all", "int __all(int predicate)", "Vote without a mask, not supported on 7.0 and above: write __all_sync.", 120, VOTE),
    of("__any", "int __any(int predicate)", "Vote without a mask, not supported on 7.0 and above: write __any_sync.", 120, VOTE),
    of("__ballot", "unsigned __ballot(int predicate)", "Vote without a mask, not supported on 7.0 and above: write __ballot_sync.", 200, VOTE),
    of("__reduce_add_sync", "T __reduce_add_sync(unsigned mask, T value)", "Returns, to each lane in mask, the sum of the lanes' int or unsigned values. From 8.0 on.", 800, REDUCE),
    of("__reduce_min_sync", "T __reduce_min_sync(unsigned mask, T value)", "Returns, to each lane in mask, the minimum of the lanes' int or unsigned values. From 8.0 on.", 800, REDUCE),
    of("__reduce_max_sync", "T __reduce_max_sync(unsigned mask, T value)", "Returns, to each lane in mask, the maximum of the lanes' int or unsigned values. From 8.0 on.", 800, REDUCE),
    of("__reduce_and_sync", "unsigned __reduce_and_sync(unsigned mask, unsigned value)", "Returns, to each lane in mask, the bitwise AND of the lanes' values. From 8.0 on.", 800, REDUCE),
    of("__reduce_or_sync", "unsigned __reduce_or_sync(unsigned mask, unsigned value)", "Returns, to each lane in mask, the bitwise OR of the lanes' values. From 8.0 on.", 800, REDUCE),
    of("__reduce_xor_sync", "unsigned __reduce_xor_sync(unsigned mask, unsigned value)", "Returns, to each lane in mask, the bitwise XOR of the lanes' values. From 8.0 on.", 800, REDUCE),
    of("__match_any_sync", "unsigned __match_any_sync(unsigned mask, T value)", "Returns the lanes of mask that hold the same value as this lane.", 700, MATCH),
    of("__match_all_sync", "unsigned __match_all_sync(unsigned mask, T value, int *pred)", "Returns mask and sets *pred if all lanes of mask hold the same value; otherwise returns 0.", 700, MATCH),
    of("__shfl_sync", "T __shfl_sync(unsigned mask, T var, int srcLane, int width = warpSize)", "Returns var of lane srcLane within each group of width lanes. Data moves between lanes without shared memory.", 300, SHUFFLE),
    of("__shfl_up_sync", "T __shfl_up_sync(unsigned mask, T var, unsigned delta, int width = warpSize)", "Returns var of the lane delta below this one. The lowest delta lanes of a group keep their own value.", 300, SHUFFLE),
    of("__shfl_down_sync", "T __shfl_down_sync(unsigned mask, T var, unsigned delta, int width = warpSize)", "Returns var of the lane delta above this one: the step of a reduction. The highest delta lanes keep their own value.", 300, SHUFFLE),
    of("__shfl_xor_sync", "T __shfl_xor_sync(unsigned mask, T var, int laneMask, int width = warpSize)", "Returns var of the lane whose number is this lane's XOR laneMask: a butterfly, after which all lanes hold the result.", 300, SHUFFLE),
    of("__shfl", "T __shfl(T var, int srcLane, int width = warpSize)", "Shuffle without a mask, not supported on 7.0 and above: write __shfl_sync.", 300, SHUFFLE),
    of("__shfl_up", "T __shfl_up(T var, unsigned delta, int width = warpSize)", "Shuffle without a mask, not supported on 7.0 and above: write __shfl_up_sync.", 300, SHUFFLE),
    of("__shfl_down", "T __shfl_down(T var, unsigned delta, int width = warpSize)", "Shuffle without a mask, not supported on 7.0 and above: write __shfl_down_sync.", 300, SHUFFLE),
    of("__shfl_xor", "T __shfl_xor(T var, int laneMask, int width = warpSize)", "Shuffle without a mask, not supported on 7.0 and above: write __shfl_xor_sync.", 300, SHUFFLE),
    // ---- atomic functions
    of("atomicAdd", "T atomicAdd(T *address, T val)", "Adds val to *address atomically and returns the old value. T is int, unsigned, unsigned long long, float (2.0), double (6.0), half2 (6.0), or half (7.0).", 110, ATOMIC),
    of("atomicSub", "T atomicSub(T *address, T val)", "Subtracts val from *address atomically and returns the old value.", 110, ATOMIC),
    of("atomicExch", "T atomicExch(T *address, T val)", "Stores val at *address atomically and returns the old value.", 110, ATOMIC),
    of("atomicMin", "T atomicMin(T *address, T val)", "Stores the smaller of *address and val atomically and returns the old value.", 110, ATOMIC),
    of("atomicMax", "T atomicMax(T *address, T val)", "Stores the larger of *address and val atomically and returns the old value.", 110, ATOMIC),
    of("atomicInc", "unsigned atomicInc(unsigned *address, unsigned val)", "Increments *address, or resets it to 0 if it is val or above. Returns the old value.", 110, ATOMIC),
    of("atomicDec", "unsigned atomicDec(unsigned *address, unsigned val)", "Decrements *address, or sets it to val if it is 0 or above val. Returns the old value.", 110, ATOMIC),
    of("atomicCAS", "T atomicCAS(T *address, T compare, T val)", "Stores val atomically if *address equals compare, and returns the old value. Any atomic operation can be built from compare-and-swap.", 110, ATOMIC),
    of("atomicAnd", "T atomicAnd(T *address, T val)", "Stores *address & val atomically and returns the old value.", 110, ATOMIC),
    of("atomicOr", "T atomicOr(T *address, T val)", "Stores *address | val atomically and returns the old value.", 110, ATOMIC),
    of("atomicXor", "T atomicXor(T *address, T val)", "Stores *address ^ val atomically and returns the old value.", 110, ATOMIC),
    // ---- loads and stores with cache hints
    of("__ldg", "T __ldg(const T *address)", "Loads through the read-only data cache. The kernel must not write this memory.", 350, READ_ONLY),
    of("__ldca", "T __ldca(const T *address)", "Loads and caches at all levels: L1 and L2.", 0, CACHE),
    of("__ldcg", "T __ldcg(const T *address)", "Loads and caches in L2 only, bypassing L1.", 0, CACHE),
    of("__ldcs", "T __ldcs(const T *address)", "Loads data that is used once: the line is evicted first.", 0, CACHE),
    of("__ldcv", "T __ldcv(const T *address)", "Fetches again on each load, as if the memory were volatile.", 0, CACHE),
    of("__stwb", "void __stwb(T *address, T value)", "Stores with write-back caching, the default.", 0, STORE),
    of("__stcg", "void __stcg(T *address, T value)", "Stores into L2, bypassing L1.", 0, STORE),
    of("__stcs", "void __stcs(T *address, T value)", "Stores data that is not used again soon: the line is evicted first.", 0, STORE),
    of("__stwt", "void __stwt(T *address, T value)", "Stores through L2 to memory.", 0, STORE),
    of("__cvta_generic_to_shared", "size_t __cvta_generic_to_shared(const void *ptr)", "Converts a generic pointer into a shared-memory address for inline PTX.", 0, ADDRESS),
    // ---- time, output, control
    of("clock", "clock_t clock()", "Returns the SM's cycle counter, 32 bits. The difference of two calls is the time between them in cycles.", 0, TIME),
    of("clock64", "long long clock64()", "Returns the SM's cycle counter, 64 bits.", 200, TIME),
    of("__nanosleep", "void __nanosleep(unsigned ns)", "Suspends the thread for 0 to 2 * ns nanoseconds, for example in a loop that polls a flag.", 700, SLEEP),
    of("printf", "int printf(const char *format, …)", "Prints from a kernel. The text appears after the run, in the order in which threads print.", 200, OUTPUT),
    of("assert", "void assert(int expression)", "Ends the kernel with a fault if the expression is 0.", 200, ASSERT),
    of("__trap", "void __trap()", "Ends the kernel with a fault.", 0, TRAP),
    of("__builtin_assume", "void __builtin_assume(bool exp)", "Lets the compiler assume that the expression is true. No instruction checks the expression.", 0, HINT),
    of("__builtin_expect", "long __builtin_expect(long exp, long c)", "Informs the compiler that exp is probably c. Returns exp.", 0, HINT),
    of("__builtin_assume_aligned", "void *__builtin_assume_aligned(const void *exp, size_t align)", "Informs the compiler that exp is aligned to a multiple of align bytes. Returns exp.", 0, HINT),
    of("cudaGridDependencySynchronize", "void cudaGridDependencySynchronize()", "Waits for the grids before this one in its stream. Grids run one after another here.", 900, DEPENDENT),
    of("cudaTriggerProgrammaticLaunchCompletion", "void cudaTriggerProgrammaticLaunchCompletion()", "Lets the next grid in the stream start. Grids run one after another here.", 900, DEPENDENT),
    // ---- functions of GNU that nvcc takes
    of("__builtin_inff", "float __builtin_inff()", "Returns infinity.", 0, GNU),
    of("__builtin_inf", "double __builtin_inf()", "Returns infinity.", 0, GNU),
    of("__builtin_huge_valf", "float __builtin_huge_valf()", "Returns infinity.", 0, GNU),
    of("__builtin_huge_val", "double __builtin_huge_val()", "Returns infinity.", 0, GNU),
    of("__builtin_nanf", "float __builtin_nanf(const char *tag)", "Returns a NaN.", 0, GNU),
    of("__builtin_nan", "double __builtin_nan(const char *tag)", "Returns a NaN.", 0, GNU),
    of("__builtin_fabsf", "float __builtin_fabsf(float x)", "Returns the absolute value.", 0, GNU),
    of("__builtin_fabs", "double __builtin_fabs(double x)", "Returns the absolute value.", 0, GNU),
    of("__builtin_popcount", "int __builtin_popcount(unsigned x)", "Counts the bits of x that are set.", 0, GNU),
    of("__builtin_popcountll", "int __builtin_popcountll(unsigned long long x)", "Counts the bits of a 64-bit x that are set.", 0, GNU),
    of("__builtin_clz", "int __builtin_clz(unsigned x)", "Counts the zero bits above the highest bit of x that is set.", 0, GNU),
    of("__builtin_clzll", "int __builtin_clzll(unsigned long long x)", "Counts the zero bits above the highest bit of a 64-bit x that is set.", 0, GNU),
    of("__builtin_ctz", "int __builtin_ctz(unsigned x)", "Counts the zero bits below the lowest bit of x that is set.", 0, GNU),
    of("__builtin_ctzll", "int __builtin_ctzll(unsigned long long x)", "Counts the zero bits below the lowest bit of a 64-bit x that is set.", 0, GNU),
    of("__builtin_ffs", "int __builtin_ffs(int x)", "Returns the position of the lowest bit of x that is set, from 1; 0 if there is none.", 0, GNU),
    of("__builtin_ffsll", "int __builtin_ffsll(long long x)", "Returns the position of the lowest bit of a 64-bit x that is set, from 1; 0 if there is none.", 0, GNU),
    // ---- integers
    of("min", "T min(T a, T b)", "Returns the smaller argument, for integers and floating-point numbers.", 0, INTEGER_MATH),
    of("max", "T max(T a, T b)", "Returns the larger argument, for integers and floating-point numbers.", 0, INTEGER_MATH),
    of("abs", "T abs(T a)", "Returns the absolute value.", 0, INTEGER_MATH),
    of("__popc", "int __popc(unsigned x)", "Counts the bits of x that are set.", 0, INTEGERS),
    of("__popcll", "int __popcll(unsigned long long x)", "Counts the bits of a 64-bit x that are set.", 0, INTEGERS),
    of("__clz", "int __clz(int x)", "Counts the leading zeros: 32 if x is 0.", 0, INTEGERS),
    of("__clzll", "int __clzll(long long x)", "Counts the leading zeros: 64 if x is 0.", 0, INTEGERS),
    of("__ffs", "int __ffs(int x)", "Returns the position of the lowest set bit, counted from 1: 0 if x is 0.", 0, INTEGERS),
    of("__ffsll", "int __ffsll(long long x)", "Returns the position of the lowest set bit of a 64-bit x, counted from 1: 0 if x is 0.", 0, INTEGERS),
    of("__brev", "unsigned __brev(unsigned x)", "Reverses the order of the 32 bits.", 0, INTEGERS),
    of("__brevll", "unsigned long long __brevll(unsigned long long x)", "Reverses the order of the 64 bits.", 0, INTEGERS),
    of("__byte_perm", "unsigned __byte_perm(unsigned x, unsigned y, unsigned s)", "Selects four of the eight bytes of x and y. Each of the four low hex digits of s selects a byte: 0 to 3 are in x, 4 to 7 in y.", 0, INTEGERS),
    of("__mulhi", "int __mulhi(int x, int y)", "Returns the high 32 bits of the 64-bit product.", 0, INTEGERS),
    of("__umulhi", "unsigned __umulhi(unsigned x, unsigned y)", "Returns the high 32 bits of the unsigned 64-bit product.", 0, INTEGERS),
    of("__mul64hi", "long long __mul64hi(long long x, long long y)", "Returns the high 64 bits of the 128-bit product.", 0, INTEGERS),
    of("__umul64hi", "unsigned long long __umul64hi(unsigned long long x, unsigned long long y)", "Returns the high 64 bits of the unsigned 128-bit product.", 0, INTEGERS),
    of("__mul24", "int __mul24(int x, int y)", "Multiplies the low 24 bits of both. One instruction on 1.x, slower than * from 2.0 on.", 0, INTEGERS),
    of("__umul24", "unsigned __umul24(unsigned x, unsigned y)", "Multiplies the low 24 bits of both, unsigned. One instruction on 1.x, slower than * from 2.0 on.", 0, INTEGERS),
    of("__sad", "unsigned __sad(int x, int y, unsigned z)", "Returns |x - y| + z.", 0, INTEGERS),
    of("__usad", "unsigned __usad(unsigned x, unsigned y, unsigned z)", "Returns |x - y| + z for unsigned x and y.", 0, INTEGERS),
    of("__hadd", "int __hadd(int x, int y)", "Returns (x + y) >> 1 without overflow. With cuda_fp16.h also the sum of two halves.", 0, INTEGERS),
    of("__rhadd", "int __rhadd(int x, int y)", "Returns (x + y + 1) >> 1 without overflow.", 0, INTEGERS),
    of("__funnelshift_l", "unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)", "Shifts the 64-bit hi:lo left by shift & 31 and returns the high word.", 320, INTEGERS),
    of("__funnelshift_r", "unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)", "Shifts the 64-bit hi:lo right by shift & 31 and returns the low word.", 320, INTEGERS),
    of("__funnelshift_lc", "unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)", "Shifts the 64-bit hi:lo left by shift, at most 32, and returns the high word.", 320, INTEGERS),
    of("__funnelshift_rc", "unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)", "Shifts the 64-bit hi:lo right by shift, at most 32, and returns the low word.", 320, INTEGERS),
    of("__dp4a", "int __dp4a(int srcA, int srcB, int c)", "Multiplies four pairs of bytes and adds the products to c.", 610, INTEGERS),
    of("__dp2a_lo", "int __dp2a_lo(int srcA, int srcB, int c)", "Multiplies two 16-bit numbers of srcA by the two low bytes of srcB and adds the products to c.", 610, INTEGERS),
    of("__dp2a_hi", "int __dp2a_hi(int srcA, int srcB, int c)", "Multiplies two 16-bit numbers of srcA by the two high bytes of srcB and adds the products to c.", 610, INTEGERS),
    of("__vadd2", "unsigned __vadd2(unsigned a, unsigned b)", "Adds two pairs of 16-bit numbers, each modulo 65,536.", 0, SIMD),
    of("__vadd4", "unsigned __vadd4(unsigned a, unsigned b)", "Adds four pairs of bytes, each modulo 256.", 0, SIMD),
    of("__vabsdiffu4", "unsigned __vabsdiffu4(unsigned a, unsigned b)", "Returns the absolute differences of four pairs of unsigned bytes.", 0, SIMD),
    of("__vsadu4", "unsigned __vsadu4(unsigned a, unsigned b)", "Returns the sum of the absolute differences of four pairs of unsigned bytes.", 0, SIMD),
    // ---- bits as other types
    of("__float_as_int", "int __float_as_int(float x)", "Returns the bits of a float as an int. No conversion instruction runs.", 0, CASTS),
    of("__float_as_uint", "unsigned __float_as_uint(float x)", "Returns the bits of a float as an unsigned int.", 0, CASTS),
    of("__int_as_float", "float __int_as_float(int x)", "Returns the float that has the bits of x.", 0, CASTS),
    of("__uint_as_float", "float __uint_as_float(unsigned x)", "Returns the float that has the bits of x.", 0, CASTS),
    of("__double_as_longlong", "long long __double_as_longlong(double x)", "Returns the bits of a double as a long long.", 0, CASTS),
    of("__longlong_as_double", "double __longlong_as_double(long long x)", "Returns the double that has the bits of x.", 0, CASTS),
    of("__hiloint2double", "double __hiloint2double(int hi, int lo)", "Returns the double with these high and low words.", 0, CASTS),
    of("__double2hiint", "int __double2hiint(double x)", "Returns the high word of a double.", 0, CASTS),
    of("__double2loint", "int __double2loint(double x)", "Returns the low word of a double.", 0, CASTS),
    // ---- single precision
    of("fmaf", "float fmaf(float x, float y, float z)", "Returns x * y + z, rounded once: one FFMA from 2.0 on.", 0, FLOATS),
    of("fabsf", "float fabsf(float x)", "Returns the absolute value, usually as an operand modifier.", 0, FLOATS),
    of("fminf", "float fminf(float x, float y)", "Returns the smaller argument. If one argument is NaN, returns the other.", 0, FLOATS),
    of("fmaxf", "float fmaxf(float x, float y)", "Returns the larger argument. If one argument is NaN, returns the other.", 0, FLOATS),
    of("sqrtf", "float sqrtf(float x)", "Returns the square root, correctly rounded unless -prec-sqrt=false.", 0, FLOATS),
    of("rsqrtf", "float rsqrtf(float x)", "Returns 1 / sqrt(x), maximum error 2 ulp: one MUFU.RSQ plus the handling of subnormal numbers.", 0, FLOATS),
    of("cbrtf", "float cbrtf(float x)", "Returns the cube root.", 0, FLOATS),
    of("hypotf", "float hypotf(float x, float y)", "Returns sqrt(x * x + y * y) without intermediate overflow.", 0, FLOATS),
    of("expf", "float expf(float x)", "Returns e to the power of x. -use_fast_math makes this __expf.", 0, FLOATS),
    of("exp2f", "float exp2f(float x)", "Returns 2 to the power of x: one MUFU.EX2 plus the handling of subnormal results.", 0, FLOATS),
    of("exp10f", "float exp10f(float x)", "Returns 10 to the power of x.", 0, FLOATS),
    of("logf", "float logf(float x)", "Returns the natural logarithm. -use_fast_math makes this __logf.", 0, FLOATS),
    of("log2f", "float log2f(float x)", "Returns the logarithm to base 2.", 0, FLOATS),
    of("log10f", "float log10f(float x)", "Returns the logarithm to base 10.", 0, FLOATS),
    of("powf", "float powf(float x, float y)", "Returns x to the power of y. Much slower than a few multiplications.", 0, FLOATS),
    of("sinf", "float sinf(float x)", "Returns the sine of x radians. Large arguments take a slow path that uses local memory. -use_fast_math makes this __sinf.", 0, FLOATS),
    of("cosf", "float cosf(float x)", "Returns the cosine of x radians. Large arguments take a slow path that uses local memory. -use_fast_math makes this __cosf.", 0, FLOATS),
    of("tanf", "float tanf(float x)", "Returns the tangent of x radians.", 0, FLOATS),
    of("tanhf", "float tanhf(float x)", "Returns the hyperbolic tangent.", 0, FLOATS),
    of("sincosf", "void sincosf(float x, float *sptr, float *cptr)", "Stores sine and cosine of x radians: cheaper than two calls.", 0, FLOATS),
    of("asinf", "float asinf(float x)", "Returns the arc sine in radians.", 0, FLOATS),
    of("acosf", "float acosf(float x)", "Returns the arc cosine in radians.", 0, FLOATS),
    of("atanf", "float atanf(float x)", "Returns the arc tangent in radians.", 0, FLOATS),
    of("atan2f", "float atan2f(float y, float x)", "Returns the angle of the point (x, y) in radians, from -pi to pi.", 0, FLOATS),
    of("erff", "float erff(float x)", "Returns the error function.", 0, FLOATS),
    of("fmodf", "float fmodf(float x, float y)", "Returns the remainder of x / y with the sign of x.", 0, FLOATS),
    of("floorf", "float floorf(float x)", "Rounds down to an integer.", 0, FLOATS),
    of("ceilf", "float ceilf(float x)", "Rounds up to an integer.", 0, FLOATS),
    of("truncf", "float truncf(float x)", "Rounds toward zero to an integer.", 0, FLOATS),
    of("rintf", "float rintf(float x)", "Rounds to the nearest integer, ties to even: one instruction.", 0, FLOATS),
    of("roundf", "float roundf(float x)", "Rounds to the nearest integer, ties away from zero: several instructions. rintf takes one.", 0, FLOATS),
    of("copysignf", "float copysignf(float x, float y)", "Returns x with the sign of y.", 0, FLOATS),
    of("isnan", "bool isnan(T x)", "Returns whether x is NaN.", 0, FLOATS),
    of("isinf", "bool isinf(T x)", "Returns whether x is infinite.", 0, FLOATS),
    of("__sinf", "float __sinf(float x)", "Approximates the sine: RRO or a multiplication, and MUFU.SIN. Accurate near 0, worse for large x.", 0, FAST),
    of("__cosf", "float __cosf(float x)", "Approximates the cosine: RRO or a multiplication, and MUFU.COS. Accurate near 0, worse for large x.", 0, FAST),
    of("__expf", "float __expf(float x)", "Approximates e to the power of x: a multiplication and MUFU.EX2.", 0, FAST),
    of("__exp10f", "float __exp10f(float x)", "Approximates 10 to the power of x.", 0, FAST),
    of("__logf", "float __logf(float x)", "Approximates the natural logarithm: MUFU.LG2 and a multiplication.", 0, FAST),
    of("__log2f", "float __log2f(float x)", "Approximates the logarithm to base 2: MUFU.LG2.", 0, FAST),
    of("__log10f", "float __log10f(float x)", "Approximates the logarithm to base 10.", 0, FAST),
    of("__powf", "float __powf(float x, float y)", "Approximates x to the power of y as 2 to the power of y * log2(x).", 0, FAST),
    of("__tanf", "float __tanf(float x)", "Approximates the tangent as __sinf / __cosf.", 0, FAST),
    of("__sincosf", "void __sincosf(float x, float *sptr, float *cptr)", "Approximates sine and cosine.", 0, FAST),
    of("__fdividef", "float __fdividef(float x, float y)", "Approximates x / y with a reciprocal and a multiplication. The result is 0 for y beyond 2^126.", 0, FAST),
    of("__saturatef", "float __saturatef(float x)", "Clamps x to [0, 1]; NaN becomes 0. Usually a modifier of the preceding instruction.", 0, FAST),
    of("__fmaf_rn", "float __fmaf_rn(float x, float y, float z)", "Returns x * y + z, rounded once to nearest even.", 0, FAST),
    of("__fadd_rn", "float __fadd_rn(float x, float y)", "Adds, rounded to nearest even. The compiler never fuses this with a multiplication.", 0, FAST),
    of("__fmul_rn", "float __fmul_rn(float x, float y)", "Multiplies, rounded to nearest even. The compiler never fuses this with an addition.", 0, FAST),
    of("__fdiv_rn", "float __fdiv_rn(float x, float y)", "Divides, correctly rounded regardless of -prec-div.", 0, FAST),
    of("__frcp_rn", "float __frcp_rn(float x)", "Returns 1 / x, correctly rounded.", 0, FAST),
    of("__fsqrt_rn", "float __fsqrt_rn(float x)", "Returns the square root, correctly rounded regardless of -prec-sqrt.", 0, FAST),
    of("__frsqrt_rn", "float __frsqrt_rn(float x)", "Returns 1 / sqrt(x), correctly rounded.", 0, FAST),
    // ---- double precision
    of("fma", "T fma(T x, T y, T z)", "Returns x * y + z, rounded once.", 0, DOUBLES),
    of("sqrt", "T sqrt(T x)", "Returns the square root. For double, correctly rounded.", 0, DOUBLES),
    of("exp", "T exp(T x)", "Returns e to the power of x.", 0, DOUBLES),
    of("log", "T log(T x)", "Returns the natural logarithm.", 0, DOUBLES),
    of("pow", "T pow(T x, T y)", "Returns x to the power of y. Much slower than a few multiplications.", 0, DOUBLES),
    of("sin", "T sin(T x)", "Returns the sine of x radians.", 0, DOUBLES),
    of("cos", "T cos(T x)", "Returns the cosine of x radians.", 0, DOUBLES),
    of("floor", "T floor(T x)", "Rounds down to an integer.", 0, DOUBLES),
    of("ceil", "T ceil(T x)", "Rounds up to an integer.", 0, DOUBLES),
    of("fabs", "T fabs(T x)", "Returns the absolute value.", 0, DOUBLES),
    of("fmin", "T fmin(T x, T y)", "Returns the smaller argument. If one argument is NaN, returns the other.", 0, DOUBLES),
    of("fmax", "T fmax(T x, T y)", "Returns the larger argument. If one argument is NaN, returns the other.", 0, DOUBLES),
    // ---- half precision (cuda_fp16.h)
    of("__float2half", "half __float2half(float a)", "Converts to half, rounded to nearest even.", 0, HALVES),
    of("__half2float", "float __half2float(half a)", "Converts to float, without rounding.", 0, HALVES),
    of("__floats2half2_rn", "half2 __floats2half2_rn(float a, float b)", "Converts two floats and packs them into one register.", 0, HALVES),
    of("__half22float2", "float2 __half22float2(half2 a)", "Converts both halves to floats.", 0, HALVES),
    of("__halves2half2", "half2 __halves2half2(half a, half b)", "Packs two halves into one register, a in the low bits.", 0, HALVES),
    of("__low2half", "half __low2half(half2 a)", "Returns the half in the low 16 bits.", 0, HALVES),
    of("__high2half", "half __high2half(half2 a)", "Returns the half in the high 16 bits.", 0, HALVES),
    of("__hmul", "half __hmul(half a, half b)", "Multiplies two halves.", 0, HALVES),
    of("__hfma", "half __hfma(half a, half b, half c)", "Returns a * b + c, rounded once.", 0, HALVES),
    of("__hadd2", "half2 __hadd2(half2 a, half2 b)", "Adds both pairs of halves: one HADD2.", 0, HALVES),
    of("__hmul2", "half2 __hmul2(half2 a, half2 b)", "Multiplies both pairs of halves: one HMUL2.", 0, HALVES),
    of("__hfma2", "half2 __hfma2(half2 a, half2 b, half2 c)", "Returns a * b + c for both pairs, each rounded once: one HFMA2.", 0, HALVES),
    // ---- vectors
    of("make_float2", "float2 make_float2(float x, float y)", "Constructs a vector of two floats, which one 64-bit access loads or stores.", 0, VECTORS),
    of("make_float4", "float4 make_float4(float x, float y, float z, float w)", "Constructs a vector of four floats, which one 128-bit access loads or stores.", 0, VECTORS),
    of("make_int2", "int2 make_int2(int x, int y)", "Constructs a vector of two ints, which one 64-bit access loads or stores.", 0, VECTORS),
    of("make_int4", "int4 make_int4(int x, int y, int z, int w)", "Constructs a vector of four ints, which one 128-bit access loads or stores.", 0, VECTORS),
    of("float4", "struct float4 { float x, y, z, w; }", "Four floats, aligned to 16 bytes: one access moves all of them.", 0, VECTORS),
    of("float2", "struct float2 { float x, y; }", "Two floats, aligned to 8 bytes: one access moves both.", 0, VECTORS),
    of("dim3", "struct dim3 { unsigned x = 1, y = 1, z = 1; }", "Dimensions of a grid or block. Omitted dimensions are 1.", 0, VECTORS),
    of("memcpy", "void *memcpy(void *to, const void *from, size_t num)", "Copies num bytes. The regions must not overlap.", 0, C_LIBRARY),
    of("memset", "void *memset(void *to, int value, size_t num)", "Fills num bytes with the low byte of value.", 0, C_LIBRARY),
    // ---- textures and surfaces
    of("tex1Dfetch", "T tex1Dfetch(texture, int x)", "Fetches element x of linear memory through the texture units, without filtering.", 0, TEXTURE),
    of("tex1D", "T tex1D(texture, float x)", "Fetches from a one-dimensional texture at x, with the texture's filter and address mode.", 0, TEXTURE),
    of("tex2D", "T tex2D(texture, float x, float y)", "Fetches from a two-dimensional texture at (x, y), with the texture's filter and address mode.", 0, TEXTURE),
    of("tex3D", "T tex3D(texture, float x, float y, float z)", "Fetches from a three-dimensional texture at (x, y, z), with the texture's filter and address mode.", 0, TEXTURE),
    of("surf2Dread", "T surf2Dread(surface, int x, int y)", "Reads an element of a two-dimensional surface. x counts bytes, y rows.", 200, SURFACE),
    of("surf2Dwrite", "void surf2Dwrite(T value, surface, int x, int y)", "Writes an element of a two-dimensional surface. x counts bytes, y rows.", 200, SURFACE),
    // ---- cooperative groups
    of("this_thread_block", "thread_block this_thread_block()", "Returns the group of all threads of this block.", 0, GROUPS),
    of("this_grid", "grid_group this_grid()", "Returns the group of all threads of the grid. Its sync() needs a cooperative launch: all blocks resident.", 0, GROUPS),
    of("coalesced_threads", "coalesced_group coalesced_threads()", "Returns the group of the currently active lanes of the warp.", 200, GROUPS),
    of("tiled_partition", "thread_block_tile<Size> tiled_partition<Size>(group)", "Splits a group into tiles of Size threads, a power of two up to 32. Tiles provide shuffles, votes, and sync().", 0, GROUPS),
    of("thread_rank", "unsigned thread_rank()", "Rank of this thread in its group, from 0.", 0, GROUPS),
    of("num_threads", "unsigned num_threads()", "Number of threads in the group.", 0, GROUPS),
    of("meta_group_rank", "unsigned meta_group_rank()", "Rank of this group among the groups that its parent was split into.", 0, GROUPS),
    // ---- tensor cores (mma.h)
    of("fragment", "template <typename Use, int m, int n, int k, typename T, typename Layout> class fragment", "A part of a matrix, distributed over the registers of a warp. Use is matrix_a, matrix_b, or accumulator.", 700, TENSOR),
    of("load_matrix_sync", "void load_matrix_sync(fragment &a, const T *mptr, unsigned ldm)", "Loads a fragment: all lanes of the warp participate. ldm is the stride between rows or columns in elements.", 700, TENSOR),
    of("store_matrix_sync", "void store_matrix_sync(T *mptr, const fragment &a, unsigned ldm, layout_t layout)", "Stores a fragment: all lanes of the warp participate.", 700, TENSOR),
    of("fill_fragment", "void fill_fragment(fragment &a, const T &v)", "Sets all elements of a fragment to v.", 700, TENSOR),
    of("mma_sync", "void mma_sync(fragment &d, const fragment &a, const fragment &b, const fragment &c)", "Computes d = a * b + c on the tensor cores: all lanes of the warp participate.", 700, TENSOR),
];

/// The documentation entry of a name.
pub fn documentation(name: &str) -> Option<&'static Documentation> {
    TABLE.iter().find(|entry| entry.name == name)
}
