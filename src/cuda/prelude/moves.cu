// cp.async of PTX: PTX ISA, "Data Movement and Conversion Instructions".
// The instruction adds the number of zero bytes to the address, as nvcc 13 does.
__device__ void __ws_cp_async_ca(unsigned int to, const void *from, unsigned int bytes, unsigned int num_read)
{
    const char *at = (const char *)from + (bytes - num_read & bytes - 1);
    if (bytes == 16)
        __ws_copy_16(to, (unsigned long long)at, num_read);
    else if (bytes == 8)
        __ws_copy_8(to, (unsigned long long)at, num_read);
    else
        __ws_copy_4(to, (unsigned long long)at, num_read);
}
__device__ void __ws_cp_async_cg(unsigned int to, const void *from, unsigned int bytes, unsigned int num_read)
{
    const char *at = (const char *)from + (bytes - num_read & bytes - 1);
    __ws_copy_16_bypass(to, (unsigned long long)at, num_read);
}

// Launches run one after another, so that a launch waits for no other.
__device__ void cudaGridDependencySynchronize() {}
__device__ void cudaTriggerProgrammaticLaunchCompletion() {}

// Functions of GNU that nvcc accepts in device code.
__device__ float __builtin_inff() { return __int_as_float(0x7f800000); }
__device__ double __builtin_inf() { return __longlong_as_double(0x7ff0000000000000ll); }
__device__ float __builtin_huge_valf() { return __int_as_float(0x7f800000); }
__device__ double __builtin_huge_val() { return __longlong_as_double(0x7ff0000000000000ll); }
__device__ float __builtin_nanf(const char *tag) { return __int_as_float(0x7fffffff); }
__device__ double __builtin_nan(const char *tag) { return __longlong_as_double(0x7fffffffffffffffll); }
__device__ float __builtin_fabsf(float x) { return fabsf(x); }
__device__ double __builtin_fabs(double x) { return fabs(x); }
__device__ int __builtin_popcount(unsigned int x) { return __popc(x); }
__device__ int __builtin_popcountll(unsigned long long x) { return __popcll(x); }
__device__ int __builtin_clz(unsigned int x) { return __clz((int)x); }
__device__ int __builtin_clzll(unsigned long long x) { return __clzll((long long)x); }
__device__ int __builtin_ctz(unsigned int x) { return __ffs((int)x) - 1; }
__device__ int __builtin_ctzll(unsigned long long x) { return __ffsll((long long)x) - 1; }
__device__ int __builtin_ffs(int x) { return __ffs(x); }
__device__ int __builtin_ffsll(long long x) { return __ffsll(x); }

// Products of the PTX instruction `mma` that only some of the chips have. 9.0 multiplies the low and the high halves of bytes as
// bytes, and counts the bits that are set in only one of the factors.
__device__ void __ws_product_since_800() {}
__device__ void __ws_product_since_900() {}
// Called by the instructions on half precision, and others, that earlier chips do not have.
__device__ void __ws_ptx_since_530() {}
__device__ void __ws_ptx_since_720() {}
__device__ void __ws_ptx_since_750() {}
__device__ void __ws_ptx_since_800() {}
__device__ void __ws_ptx_since_900() {}
__device__ uint2 __ws_product_s4(unsigned int a, unsigned int b, uint2 sum)
{
    if (__ws_capability < 900)
        return __ws_mma_ptx_s4(a, b, sum);
    const unsigned int mask = 0x0f0f0f0f, sign = 0x08080808;
    sum = __ws_mma_ptx_s8x8(__vsub4((a & mask) ^ sign, sign), __vsub4((b & mask) ^ sign, sign), sum);
    return __ws_mma_ptx_s8x8(__vsub4((a >> 4 & mask) ^ sign, sign), __vsub4((b >> 4 & mask) ^ sign, sign), sum);
}
__device__ uint2 __ws_product_u4(unsigned int a, unsigned int b, uint2 sum)
{
    if (__ws_capability < 900)
        return __ws_mma_ptx_u4(a, b, sum);
    const unsigned int mask = 0x0f0f0f0f;
    sum = __ws_mma_ptx_u8x8(a & mask, b & mask, sum);
    return __ws_mma_ptx_u8x8(a >> 4 & mask, b >> 4 & mask, sum);
}
__device__ uint2 __ws_product_xor(unsigned int a, unsigned int b, uint2 sum)
{
    if (__ws_capability < 900)
        return __ws_mma_ptx_xor(a, b, sum);
    sum = __ws_mma_ptx_and(a, ~b, sum);
    return __ws_mma_ptx_and(~a, b, sum);
}
