#include <cuda_fp16.h>
#include <cuda_bf16.h>
// 8-bit floating-point types: the types and functions of CUDA's "cuda_fp8.h". 8.9 and 9.0 have conversions; other
// architectures compute them in integer arithmetic.
// E4M3 has 4 bits of exponent with a bias of 7, 3 bits of mantissa, and no infinity: 0x7f is NaN. E5M2 is the upper byte
// of half. Source: CUDA Math API, "FP8 Intrinsics", and the OCP specification of 8-bit floating point.

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// ---- numbers to 8 bits

// The bits of a float, rounded to nearest even. Overflow gives the largest number, or infinity or NaN.
__device__ inline __nv_fp8_storage_t __ws_float_bits_to_fp8(unsigned int bits, __nv_saturation_t saturation,
                                                            __nv_fp8_interpretation_t kind) {
    const unsigned int sign = bits >> 24 & 0x80u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return 0x7fu;
    const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const int exponent = (int)(magnitude >> 23) - 127 + bias;
    const int shift = 23 - mantissa + (exponent < 1 ? 1 - exponent : 0);
    unsigned int code = 0;
    if (shift <= 24) {
        const unsigned int significand = (magnitude & 0x7fffffu) | 0x800000u;
        const unsigned int rest = significand & ((1u << shift) - 1u), half_unit = 1u << (shift - 1);
        code = significand >> shift;
        if (rest > half_unit || (rest == half_unit && (code & 1u))) code++;
        // The first bit of a normal significand adds one to the exponent.
        if (exponent > 1) code += (unsigned int)(exponent - 1) << mantissa;
    }
    const unsigned int largest = kind == __NV_E4M3 ? 0x7eu : 0x7bu;
    if (code > largest) code = saturation == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7fu : 0x7cu;
    return (__nv_fp8_storage_t)(sign | code);
}
__device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t fp8_interpretation) {
#if __CUDA_ARCH__ >= 890
    if (saturate == __NV_SATFINITE)
        return (__nv_fp8_storage_t)(fp8_interpretation == __NV_E4M3 ? __ws_pack_e4m3(x, 0.0f) : __ws_pack_e5m2(x, 0.0f));
#endif
    return __ws_float_bits_to_fp8(__float_as_uint(x), saturate, fp8_interpretation);
}
// Truncates a double to a float whose last bit is sticky (1 if bits were lost), so that the result rounds once.
__device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                            const __nv_fp8_interpretation_t fp8_interpretation) {
    unsigned int bits = __float_as_uint(__double2float_rz(x));
    if (x == x && (double)__uint_as_float(bits) != x && (bits & 0x7fffffffu) < 0x7f800000u) bits |= 1u;
    return __ws_float_bits_to_fp8(bits, saturate, fp8_interpretation);
}
__device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t fp8_interpretation) {
    return __nv_cvt_float_to_fp8(__half2float(__ushort_as_half(x.x)), saturate, fp8_interpretation);
}
__device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                                                                 const __nv_fp8_interpretation_t fp8_interpretation) {
    return __ws_float_bits_to_fp8((unsigned int)x.x << 16, saturate, fp8_interpretation);
}
__device__ inline __nv_fp8x2_storage_t __ws_fp8x2(unsigned int low, unsigned int high) {
    return (__nv_fp8x2_storage_t)(high << 8 | low);
}
#define __WS_TO_FP8X2(NAME, PAIR, ONE, LOW, HIGH) \
    __device__ inline __nv_fp8x2_storage_t __nv_cvt_##NAME##_to_fp8x2(const PAIR x, const __nv_saturation_t saturate, \
                                                                      const __nv_fp8_interpretation_t kind) { \
        return __ws_fp8x2(__nv_cvt_##ONE##_to_fp8(LOW, saturate, kind), __nv_cvt_##ONE##_to_fp8(HIGH, saturate, kind)); \
    }
#if __CUDA_ARCH__ >= 890
__device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                                const __nv_fp8_interpretation_t kind) {
    if (saturate == __NV_SATFINITE)
        return (__nv_fp8x2_storage_t)(kind == __NV_E4M3 ? __ws_pack_e4m3(x.x, x.y) : __ws_pack_e5m2(x.x, x.y));
    return __ws_fp8x2(__nv_cvt_float_to_fp8(x.x, saturate, kind), __nv_cvt_float_to_fp8(x.y, saturate, kind));
}
#else
__WS_TO_FP8X2(float2, float2, float, x.x, x.y)
#endif
__WS_TO_FP8X2(double2, double2, double, x.x, x.y)
__WS_TO_FP8X2(halfraw2, __half2_raw, halfraw, __half_raw{x.x}, __half_raw{x.y})
__WS_TO_FP8X2(bfloat16raw2, __nv_bfloat162_raw, bfloat16raw, __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef __WS_TO_FP8X2

// ---- 8 bits to numbers: every value is representable as a half

#if __CUDA_ARCH__ >= 890
__device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t kind) {
    const unsigned int pair = kind == __NV_E4M3 ? __ws_unpack_e4m3(x) : __ws_unpack_e5m2(x);
    __half2_raw out;
    out.x = (unsigned short)pair;
    out.y = (unsigned short)(pair >> 16);
    return out;
}
__device__ inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
    __half_raw out;
    out.x = __nv_cvt_fp8x2_to_halfraw2(x, kind).x;
    return out;
}
#else
__device__ inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
    const unsigned int magnitude = x & 0x7fu;
    unsigned int bits = magnitude << 8;
    bool is_nan = magnitude > 0x7cu;
    if (kind == __NV_E4M3) {
        is_nan = magnitude == 0x7fu;
        // The exponent's bias is 8 less than that of half.
        bits = (magnitude << 7) + 0x2000u;
        if (magnitude < 8u) {
            // Subnormal numbers are normal as a half.
            const unsigned int zeros = magnitude == 0u ? 0u : (unsigned int)__clz((int)magnitude) - 28u;
            bits = magnitude == 0u ? 0u : ((9u - zeros) << 10) + ((magnitude << zeros & 7u) << 7);
        }
    }
    __half_raw out;
    out.x = is_nan ? 0x7fffu : (unsigned short)((x & 0x80u) << 8 | bits);
    return out;
}
__device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t kind) {
    __half2_raw out;
    out.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), kind).x;
    out.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
    return out;
}
#endif
__device__ inline float __ws_fp8_to_float(unsigned int x, __nv_fp8_interpretation_t kind) {
    return __half2float(__ushort_as_half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xffu), kind).x));
}

// ---- the types

// 1.0 to 1.2 demote double to float: a function for each of them would be defined twice.
#if __CUDA_ARCH__ >= 130
#define __WS_WITH_DOUBLE(...) __VA_ARGS__
#else
#define __WS_WITH_DOUBLE(...)
#endif

#define __WS_FP8(NAME, KIND) \
    struct NAME { \
        __nv_fp8_storage_t __x; \
        NAME() = default; \
        __device__ explicit NAME(const float f) { __x = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, KIND); } \
        __WS_WITH_DOUBLE(__device__ explicit NAME(const double f) { __x = __nv_cvt_double_to_fp8(f, __NV_SATFINITE, KIND); }) \
        __device__ explicit NAME(const half f) { __x = __nv_cvt_float_to_fp8((float)f, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const __nv_bfloat16 f) { __x = __nv_cvt_float_to_fp8((float)f, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const short i) { __x = __nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const unsigned short i) { __x = __nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const int i) { __x = __nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const unsigned int i) { __x = __nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const long long i) { __x = __nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const unsigned long long i) { __x = __nv_cvt_float_to_fp8((float)i, __NV_SATFINITE, KIND); } \
        __device__ float __ws_value() const { return __ws_fp8_to_float(__x, KIND); } \
        __device__ explicit operator float() const { return __ws_value(); } \
        __WS_WITH_DOUBLE(__device__ explicit operator double() const { return (double)__ws_value(); }) \
        __device__ explicit operator half() const { return __ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, KIND).x); } \
        __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16(__ws_value()); } \
        __device__ explicit operator bool() const { return (__x & 0x7f) != 0; } \
        __device__ int __ws_limited(int low, int high) const { return min(max(__float2int_rz(__ws_value()), low), high); } \
        __device__ explicit operator signed char() const { return (signed char)__ws_limited(-128, 127); } \
        __device__ explicit operator unsigned char() const { return (unsigned char)__ws_limited(0, 255); } \
        __device__ explicit operator short() const { return (short)__ws_limited(-32768, 32767); } \
        __device__ explicit operator unsigned short() const { return (unsigned short)__ws_limited(0, 65535); } \
        __device__ explicit operator int() const { return __float2int_rz(__ws_value()); } \
        __device__ explicit operator unsigned int() const { return __float2uint_rz(__ws_value()); } \
        __device__ explicit operator long long() const { return __WS_NAN_IS_ZERO(__float2ll_rz(__ws_value())); } \
        __device__ explicit operator unsigned long long() const { return __WS_NAN_IS_ZERO(__float2ull_rz(__ws_value())); } \
    };
// The chip's 64-bit conversions return another value for NaN.
#define __WS_NAN_IS_ZERO(VALUE) (__ws_value() == __ws_value() ? VALUE : 0)
__WS_FP8(__nv_fp8_e4m3, __NV_E4M3)
__WS_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef __WS_NAN_IS_ZERO
#undef __WS_FP8

#define __WS_FP8X2(NAME, KIND) \
    struct __align__(2) NAME { \
        __nv_fp8x2_storage_t __x; \
        NAME() = default; \
        __device__ explicit NAME(const float2 f) { __x = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const double2 f) { __x = __nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, KIND); } \
        __device__ explicit NAME(const half2 f) { \
            __x = __nv_cvt_float2_to_fp8x2(__half22float2(f), __NV_SATFINITE, KIND); \
        } \
        __device__ explicit NAME(const __nv_bfloat162 f) { \
            __x = __nv_cvt_float2_to_fp8x2(__bfloat1622float2(f), __NV_SATFINITE, KIND); \
        } \
        __device__ explicit operator float2() const { \
            return make_float2(__ws_fp8_to_float(__x, KIND), __ws_fp8_to_float(__x >> 8, KIND)); \
        } \
        __device__ explicit operator half2() const { \
            const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(__x, KIND); \
            return __halves2half2(__ushort_as_half(raw.x), __ushort_as_half(raw.y)); \
        } \
    };
__WS_FP8X2(__nv_fp8x2_e4m3, __NV_E4M3)
__WS_FP8X2(__nv_fp8x2_e5m2, __NV_E5M2)
#undef __WS_FP8X2

#define __WS_FP8X4(NAME, KIND) \
    struct __align__(4) NAME { \
        __nv_fp8x4_storage_t __x; \
        NAME() = default; \
        __device__ explicit NAME(const float4 f) { \
            const unsigned int high = __nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, KIND); \
            __x = high << 16 | __nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, KIND); \
        } \
        __device__ explicit NAME(const double4 f) { \
            const unsigned int high = __nv_cvt_double2_to_fp8x2(make_double2(f.z, f.w), __NV_SATFINITE, KIND); \
            __x = high << 16 | __nv_cvt_double2_to_fp8x2(make_double2(f.x, f.y), __NV_SATFINITE, KIND); \
        } \
        __device__ explicit NAME(const half2 low, const half2 high) { \
            const float2 a = __half22float2(low), b = __half22float2(high); \
            __x = (unsigned int)__nv_cvt_float2_to_fp8x2(b, __NV_SATFINITE, KIND) << 16 | \
                  __nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, KIND); \
        } \
        __device__ explicit NAME(const __nv_bfloat162 low, const __nv_bfloat162 high) { \
            const float2 a = __bfloat1622float2(low), b = __bfloat1622float2(high); \
            __x = (unsigned int)__nv_cvt_float2_to_fp8x2(b, __NV_SATFINITE, KIND) << 16 | \
                  __nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, KIND); \
        } \
        __device__ explicit operator float4() const { \
            return make_float4(__ws_fp8_to_float(__x, KIND), __ws_fp8_to_float(__x >> 8, KIND), \
                               __ws_fp8_to_float(__x >> 16, KIND), __ws_fp8_to_float(__x >> 24, KIND)); \
        } \
    };
__WS_FP8X4(__nv_fp8x4_e4m3, __NV_E4M3)
__WS_FP8X4(__nv_fp8x4_e5m2, __NV_E5M2)
#undef __WS_FP8X4
