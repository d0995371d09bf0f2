// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gk110 gp104 tu102 gh100
// by hand: the types of cuda_fp8.h, all 256 values of both, with the values of CUDA's header on the host
#include <cuda_fp8.h>
__device__ unsigned mixed(unsigned sum, unsigned value) { return sum * 16777619u ^ value; }
__device__ unsigned bits_of(float f) { return f != f ? 1u : __float_as_uint(f); }
template <class T> __device__ unsigned one(unsigned sum, unsigned char code) {
    T x;
    x.__x = code;
    sum = mixed(sum, bits_of((float)x));
    sum = mixed(sum, (unsigned)(int)x);
    sum = mixed(sum, (unsigned)x);
    sum = mixed(sum, (unsigned)(int)(signed char)x + (unsigned)(unsigned char)x * 1000u);
    sum = mixed(sum, (unsigned)(unsigned short)x + (unsigned)(int)(short)x * 3u + (unsigned)(bool)x);
    sum = mixed(sum, bits_of((float)(half)x));
    return mixed(sum, bits_of((float)(__nv_bfloat16)x));
}
__device__ unsigned coded(float f) {
    return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3) | __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3) << 8 |
           __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2) << 16 | (unsigned)__nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2) << 24;
}
__device__ unsigned coded_double(double f) {
    return __nv_cvt_double_to_fp8(f, __NV_SATFINITE, __NV_E4M3) | __nv_cvt_double_to_fp8(f, __NV_NOSAT, __NV_E4M3) << 8 |
           __nv_cvt_double_to_fp8(f, __NV_SATFINITE, __NV_E5M2) << 16 | (unsigned)__nv_cvt_double_to_fp8(f, __NV_NOSAT, __NV_E5M2) << 24;
}

__global__ void k(unsigned *out, const int *in, unsigned *total, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    unsigned a = 1, b = 2, c = 3, d = 4, e = 5;
    for (unsigned i = 0; i < 8; i++) {
        unsigned code = t * 8 + i;
        a = one<__nv_fp8_e4m3>(a, (unsigned char)code);
        b = one<__nv_fp8_e5m2>(b, (unsigned char)code);
        // Each exponent, numbers around halves of the last place, both signs.
        unsigned bits = (code >> 1) % 128u << 23 | 0x20000000u;
        unsigned sign = code << 31;
        for (unsigned step = 0; step < 17; step++) {
            for (int near = -1; near < 2; near++) {
                float f = __uint_as_float((bits + (step << 19) + (unsigned)near) | sign);
                c = mixed(c, coded(f));
                if (f == f) d = mixed(d, coded_double((double)f + (double)f * 1e-12 * (double)(int)i));
            }
        }
        e = mixed(e, __nv_fp8_e4m3((int)code * 3 - 300).__x | __nv_fp8_e5m2(code * 999u).__x << 8);
        e = mixed(e, __nv_fp8_e4m3(__float2half((float)code * 0.37f)).__x | __nv_fp8_e5m2(__float2bfloat16((float)code * 0.37f)).__x << 8);
    }
    float v = (float)in[t] * 0.31f;
    __nv_fp8_e4m3 p(v), q(0.5);
    o[0] = a;
    o[1] = b;
    o[2] = c;
    o[3] = d;
    o[4] = e;
    o[5] = p.__x + 256u * q.__x;
    o[6] = bits_of(float(p) * float(q));
    __nv_fp8x2_e5m2 two(make_float2(v, -v));
    o[7] = two.__x;
    float2 both = float2(two);
    o[8] = bits_of(both.x - both.y);
    float4 f4 = make_float4(v, v * 2.0f, -v, 1.0f);
    __nv_fp8x4_e4m3 four(f4);
    o[9] = four.__x;
    float4 back = (float4)four;
    o[10] = bits_of(back.x + back.y * 2.0f + back.z * 4.0f + back.w);
    o[11] = __nv_cvt_float2_to_fp8x2(both, __NV_SATFINITE, __NV_E4M3);
    __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(t * 2047u), __NV_E4M3);
    o[12] = pair.x | (unsigned)pair.y << 16;
    o[13] = coded(__int_as_float(0x7f800000)) ^ coded(-1e30f) ^ coded(0.0f) * 3u;
    o[14] = sizeof(p) + 10 * sizeof(two) + 100 * sizeof(four);
    o[15] = (unsigned)(int)(double)__nv_fp8_e5m2((long long)in[t] * 5);
}
