// cp.async, ldmatrix, stmatrix, and movmatrix of PTX: PTX ISA, "Data Movement and Conversion Instructions" and "Warp-level matrix
// load instruction: ldmatrix". Copies are done at once, so that groups of copies are empty.

__device__ void __ws_cp_async(void *to, const void *from, unsigned int bytes, unsigned int num_read)
{
    if (num_read >= bytes) {
        if (bytes == 16)
            *(uint4 *)to = *(const uint4 *)from;
        else if (bytes == 8)
            *(uint2 *)to = *(const uint2 *)from;
        else
            *(unsigned int *)to = *(const unsigned int *)from;
    } else if (num_read == 0) {
        if (bytes == 16)
            *(uint4 *)to = make_uint4(0, 0, 0, 0);
        else if (bytes == 8)
            *(uint2 *)to = make_uint2(0, 0);
        else
            *(unsigned int *)to = 0;
    } else {
        for (unsigned int at = 0; at < bytes; at++)
            ((unsigned char *)to)[at] = at < num_read ? ((const unsigned char *)from)[at] : (unsigned char)0;
    }
}
__device__ void __ws_cp_async_commit() {}
__device__ void __ws_cp_async_wait(int num_left) {}

// Lane l has columns 2 (l % 4) and 2 (l % 4) + 1 of row l / 4. The addresses of the rows of matrix m are those of lanes 8 m to
// 8 m + 7.
__device__ unsigned int __ws_ldmatrix(unsigned int address, int matrix)
{
    const unsigned int row = __shfl_sync(0xffffffffu, address, 8 * matrix + __ws_lane_id() / 4);
    return *(const unsigned int *)__cvta_shared_to_generic(row + 4 * (__ws_lane_id() & 3));
}
__device__ unsigned int __ws_ldmatrix_trans(unsigned int address, int matrix)
{
    const int first = 8 * matrix + 2 * (__ws_lane_id() & 3), column = __ws_lane_id() / 4;
    const unsigned int low = __shfl_sync(0xffffffffu, address, first);
    const unsigned int high = __shfl_sync(0xffffffffu, address, first + 1);
    return *(const unsigned short *)__cvta_shared_to_generic(low + 2 * column)
        | (unsigned int)*(const unsigned short *)__cvta_shared_to_generic(high + 2 * column) << 16;
}
__device__ void __ws_stmatrix(unsigned int address, int matrix, unsigned int word)
{
    const unsigned int row = __shfl_sync(0xffffffffu, address, 8 * matrix + __ws_lane_id() / 4);
    *(unsigned int *)__cvta_shared_to_generic(row + 4 * (__ws_lane_id() & 3)) = word;
}
__device__ void __ws_stmatrix_trans(unsigned int address, int matrix, unsigned int word)
{
    const int first = 8 * matrix + 2 * (__ws_lane_id() & 3), column = __ws_lane_id() / 4;
    const unsigned int low = __shfl_sync(0xffffffffu, address, first);
    const unsigned int high = __shfl_sync(0xffffffffu, address, first + 1);
    *(unsigned short *)__cvta_shared_to_generic(low + 2 * column) = (unsigned short)word;
    *(unsigned short *)__cvta_shared_to_generic(high + 2 * column) = (unsigned short)(word >> 16);
}
__device__ unsigned int __ws_movmatrix(unsigned int word)
{
    const int column = __ws_lane_id() / 4, row = 2 * (__ws_lane_id() & 3);
    const unsigned int low = __shfl_sync(0xffffffffu, word, 4 * row + column / 2);
    const unsigned int high = __shfl_sync(0xffffffffu, word, 4 * row + 4 + column / 2);
    return __byte_perm(low, high, column & 1 ? 0x7632 : 0x5410);
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
