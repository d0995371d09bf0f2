// Half precision: the types and functions of CUDA's "cuda_fp16.h". Operators of half are built into the compiler.

typedef __ws_half __half;
typedef __ws_half half;
typedef __ws_half __nv_half;
typedef __ws_half2 __half2;
typedef __ws_half2 half2;
typedef __ws_half2 __nv_half2;
struct __half_raw {
    unsigned short x;
    __half_raw() = default;
    __device__ __half_raw(unsigned short bits) : x(bits) {}
    __device__ __half_raw(__half h) : x(__ws_half_bits(h)) {}
    __device__ operator __half() const { return __ws_bits_half(x); }
};
struct __half2_raw {
    unsigned short x, y;
    __half2_raw() = default;
    __device__ __half2_raw(unsigned short low, unsigned short high) : x(low), y(high) {}
    __device__ __half2_raw(__half2 h) : x(__ws_half_bits(h.x)), y(__ws_half_bits(h.y)) {}
    __device__ operator __half2() const {
        __half2 pair;
        pair.x = __ws_bits_half(x);
        pair.y = __ws_bits_half(y);
        return pair;
    }
};

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

// ---- conversions

__device__ inline half __float2half(float a) { return a; }
__device__ inline half __double2half(double a) { return a; }
__device__ inline float __half2float(half a) { return a; }
__device__ inline half __float2half_rn(float a) { return a; }
__device__ inline half __float2half_rz(float a) { return __ws_float2half_rz(a); }
__device__ inline half __float2half_rd(float a) { return __ws_float2half_rd(a); }
__device__ inline half __float2half_ru(float a) { return __ws_float2half_ru(a); }
#define __WS_ROUNDED(ROUND, NAME, T) \
    __device__ inline T __half2##NAME##_##ROUND(half h) { return __ws_half2##NAME##_##ROUND(h); } \
    __device__ inline half __##NAME##2half_##ROUND(T i) { return __ws_##NAME##2half_##ROUND(i); }
#define __WS_CONVERSIONS(NAME, T) \
    __WS_ROUNDED(rn, NAME, T) \
    __WS_ROUNDED(rz, NAME, T) \
    __WS_ROUNDED(rd, NAME, T) \
    __WS_ROUNDED(ru, NAME, T)
__WS_CONVERSIONS(short, short)
__WS_CONVERSIONS(ushort, unsigned short)
__WS_CONVERSIONS(int, int)
__WS_CONVERSIONS(uint, unsigned int)
__WS_CONVERSIONS(ll, long long)
__WS_CONVERSIONS(ull, unsigned long long)
#undef __WS_CONVERSIONS
#undef __WS_ROUNDED
__device__ inline signed char __half2char_rz(half h) { return (signed char)h; }
__device__ inline unsigned char __half2uchar_rz(half h) { return (unsigned char)h; }
__device__ inline short __half_as_short(half h) { return (short)__ws_half_bits(h); }
__device__ inline unsigned short __half_as_ushort(half h) { return __ws_half_bits(h); }
__device__ inline half __short_as_half(short i) { return __ws_bits_half((unsigned short)i); }
__device__ inline half __ushort_as_half(unsigned short i) { return __ws_bits_half(i); }

// ---- pairs

__device__ inline half2 __halves2half2(half a, half b) {
    half2 pair;
    pair.x = a;
    pair.y = b;
    return pair;
}
__device__ inline half2 make_half2(half a, half b) { return __halves2half2(a, b); }
__device__ inline half2 __half2half2(half a) { return __halves2half2(a, a); }
__device__ inline half __low2half(half2 a) { return a.x; }
__device__ inline half __high2half(half2 a) { return a.y; }
__device__ inline float __low2float(half2 a) { return a.x; }
__device__ inline float __high2float(half2 a) { return a.y; }
__device__ inline half2 __low2half2(half2 a) { return __halves2half2(a.x, a.x); }
__device__ inline half2 __high2half2(half2 a) { return __halves2half2(a.y, a.y); }
__device__ inline half2 __lowhigh2highlow(half2 a) { return __halves2half2(a.y, a.x); }
__device__ inline half2 __lows2half2(half2 a, half2 b) { return __halves2half2(a.x, b.x); }
__device__ inline half2 __highs2half2(half2 a, half2 b) { return __halves2half2(a.y, b.y); }
__device__ inline half2 __floats2half2_rn(float a, float b) { return __ws_word_half2(__ws_pack_floats(a, b)); }
__device__ inline half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
__device__ inline half2 __float2half2_rn(float a) { return __half2half2(__float2half_rn(a)); }
__device__ inline float2 __half22float2(half2 a) { return make_float2(a.x, a.y); }

// ---- arithmetic

__device__ inline half __hadd(half a, half b) { return a + b; }
__device__ inline half __hsub(half a, half b) { return a - b; }
__device__ inline half __hmul(half a, half b) { return a * b; }
__device__ inline half __hdiv(half a, half b) { return a / b; }
__device__ inline half __hadd_rn(half a, half b) { return __ws_half_add_rn(a, b); }
__device__ inline half __hsub_rn(half a, half b) { return __ws_half_sub_rn(a, b); }
__device__ inline half __hmul_rn(half a, half b) { return __ws_half_mul_rn(a, b); }
__device__ inline half __hfma(half a, half b, half c) { return __ws_half_fma(a, b, c); }
__device__ inline half __hneg(half a) { return -a; }
__device__ inline half __habs(half a) { return __ws_half_abs(a); }
// Clamped to 0 to 1; NaN is 0.
__device__ inline half __ws_half_saturated(half a) {
    const half zero = 0, one = 1;
    return a > zero ? (a < one ? a : one) : zero;
}
__device__ inline half __hadd_sat(half a, half b) { return __ws_half_saturated(a + b); }
__device__ inline half __hsub_sat(half a, half b) { return __ws_half_saturated(a - b); }
__device__ inline half __hmul_sat(half a, half b) { return __ws_half_saturated(a * b); }
__device__ inline half __hfma_sat(half a, half b, half c) { return __ws_half_saturated(__ws_half_fma(a, b, c)); }

#define __WS_PAIR1(NAME, FUNCTION) \
    __device__ inline half2 NAME(half2 a) { return __ws_word_half2(FUNCTION(__ws_half2_word(a))); }
#define __WS_PAIR2(NAME, FUNCTION) \
    __device__ inline half2 NAME(half2 a, half2 b) { \
        return __ws_word_half2(FUNCTION(__ws_half2_word(a), __ws_half2_word(b))); \
    }
__WS_PAIR1(__hneg2, __ws_pair_neg)
__WS_PAIR1(__habs2, __ws_pair_abs)
__WS_PAIR2(__hadd2, __ws_pair_add)
__WS_PAIR2(__hsub2, __ws_pair_sub)
__WS_PAIR2(__hmul2, __ws_pair_mul)
__WS_PAIR2(__hadd2_rn, __ws_pair_add_rn)
__WS_PAIR2(__hsub2_rn, __ws_pair_sub_rn)
__WS_PAIR2(__hmul2_rn, __ws_pair_mul_rn)
__WS_PAIR2(__hmax2, __ws_pair_max)
__WS_PAIR2(__hmin2, __ws_pair_min)
#undef __WS_PAIR1
#undef __WS_PAIR2
__device__ inline half2 __hfma2(half2 a, half2 b, half2 c) {
    return __ws_word_half2(__ws_pair_fma(__ws_half2_word(a), __ws_half2_word(b), __ws_half2_word(c)));
}
__device__ inline half2 __h2div(half2 a, half2 b) { return __halves2half2(a.x / b.x, a.y / b.y); }
__device__ inline half2 __ws_half2_saturated(half2 a) {
    return __halves2half2(__ws_half_saturated(a.x), __ws_half_saturated(a.y));
}
__device__ inline half2 __hadd2_sat(half2 a, half2 b) { return __ws_half2_saturated(__hadd2(a, b)); }
__device__ inline half2 __hsub2_sat(half2 a, half2 b) { return __ws_half2_saturated(__hsub2(a, b)); }
__device__ inline half2 __hmul2_sat(half2 a, half2 b) { return __ws_half2_saturated(__hmul2(a, b)); }
__device__ inline half2 __hfma2_sat(half2 a, half2 b, half2 c) { return __ws_half2_saturated(__hfma2(a, b, c)); }
// A complex product and sum, the real part first.
__device__ inline half2 __hcmadd(half2 a, half2 b, half2 c) {
    const half real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return __halves2half2(__hfma(-a.y, b.y, real), __hfma(a.y, b.x, imaginary));
}

__device__ inline half2 operator+(const half2 &a, const half2 &b) { return __hadd2(a, b); }
__device__ inline half2 operator-(const half2 &a, const half2 &b) { return __hsub2(a, b); }
__device__ inline half2 operator*(const half2 &a, const half2 &b) { return __hmul2(a, b); }
__device__ inline half2 operator/(const half2 &a, const half2 &b) { return __h2div(a, b); }
__device__ inline half2 &operator+=(half2 &a, const half2 &b) { a = __hadd2(a, b); return a; }
__device__ inline half2 &operator-=(half2 &a, const half2 &b) { a = __hsub2(a, b); return a; }
__device__ inline half2 &operator*=(half2 &a, const half2 &b) { a = __hmul2(a, b); return a; }
__device__ inline half2 &operator/=(half2 &a, const half2 &b) { a = __h2div(a, b); return a; }
__device__ inline half2 operator+(const half2 &a) { return a; }
__device__ inline half2 operator-(const half2 &a) { return __hneg2(a); }

// ---- comparisons; those with u in the name are also true for NaN

__device__ inline bool __hisnan(half a) { return a != a; }
__device__ inline int __hisinf(half a) {
    const unsigned short bits = __ws_half_bits(a);
    return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}
#define __WS_COMPARISON(NAME, HOLDS) \
    __device__ inline bool __h##NAME(half a, half b) { return HOLDS; } \
    __device__ inline half2 __h##NAME##2(half2 a, half2 b) { \
        const half one = 1, zero = 0; \
        return __halves2half2(__h##NAME(a.x, b.x) ? one : zero, __h##NAME(a.y, b.y) ? one : zero); \
    } \
    __device__ inline unsigned int __h##NAME##2_mask(half2 a, half2 b) { \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u); \
    } \
    __device__ inline bool __hb##NAME##2(half2 a, half2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }
__WS_COMPARISON(eq, a == b)
__WS_COMPARISON(ne, a < b || a > b)
__WS_COMPARISON(lt, a < b)
__WS_COMPARISON(le, a <= b)
__WS_COMPARISON(gt, a > b)
__WS_COMPARISON(ge, a >= b)
__WS_COMPARISON(equ, !(a < b || a > b))
__WS_COMPARISON(neu, a != b)
__WS_COMPARISON(ltu, !(a >= b))
__WS_COMPARISON(leu, !(a > b))
__WS_COMPARISON(gtu, !(a <= b))
__WS_COMPARISON(geu, !(a < b))
#undef __WS_COMPARISON
__device__ inline half2 __hisnan2(half2 a) { return __hneu2(a, a); }
__device__ inline bool operator==(const half2 &a, const half2 &b) { return __hbeq2(a, b); }
__device__ inline bool operator!=(const half2 &a, const half2 &b) { return __hbneu2(a, b); }
__device__ inline bool operator<(const half2 &a, const half2 &b) { return __hblt2(a, b); }
__device__ inline bool operator<=(const half2 &a, const half2 &b) { return __hble2(a, b); }
__device__ inline bool operator>(const half2 &a, const half2 &b) { return __hbgt2(a, b); }
__device__ inline bool operator>=(const half2 &a, const half2 &b) { return __hbge2(a, b); }

__device__ inline half __hmax(half a, half b) { return __ws_half_max(a, b); }
__device__ inline half __hmin(half a, half b) { return __ws_half_min(a, b); }
#if __CUDA_ARCH__ >= 800
__device__ inline half __hmax_nan(half a, half b) {
    return __hisnan(a) || __hisnan(b) ? CUDART_NAN_FP16 : __ws_half_max(a, b);
}
__device__ inline half __hmin_nan(half a, half b) {
    return __hisnan(a) || __hisnan(b) ? CUDART_NAN_FP16 : __ws_half_min(a, b);
}
__device__ inline half2 __hmax2_nan(half2 a, half2 b) { return __halves2half2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
__device__ inline half2 __hmin2_nan(half2 a, half2 b) { return __halves2half2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
__device__ inline half __hfma_relu(half a, half b, half c) {
    const half zero = 0;
    return __hmax_nan(__ws_half_fma(a, b, c), zero);
}
__device__ inline half2 __hfma2_relu(half2 a, half2 b, half2 c) {
    const half2 sum = __hfma2(a, b, c);
    const half zero = 0;
    return __halves2half2(__hmax_nan(sum.x, zero), __hmax_nan(sum.y, zero));
}
#endif

// ---- rounding to integers, roots, exponentials, logarithms, trigonometry

__device__ inline half hfloor(half a) { return __ws_half_floor(a); }
__device__ inline half hceil(half a) { return __ws_half_ceil(a); }
__device__ inline half htrunc(half a) { return __ws_half_trunc(a); }
__device__ inline half hrint(half a) { return __ws_half_rint(a); }
__device__ inline half hsqrt(half a) { return __ws_mufu_sqrt(a); }
__device__ inline half hrsqrt(half a) { return __ws_mufu_rsqrt(a); }
__device__ inline half hrcp(half a) { return __ws_mufu_rcp(a); }
// If an estimate rounds to the wrong half, the difference is added, so that every result is the nearest half, as
// with nvcc. The affected arguments depend on the estimates, which are the nearest singles here.
__device__ inline half __ws_half_corrected(half a, half value, unsigned short at, unsigned short change) {
    const half one = 1, zero = 0;
    return __ws_half_fma(a == __ws_bits_half(at) ? one : zero, __ws_bits_half(change), value);
}
__device__ inline half hexp(half a) {
    half value = __ws_mufu_ex2(__fmul_rn(a, 1.4426950216293335f));
    value = __ws_half_corrected(a, value, 0x1f79, 0x9400);
    return __ws_half_corrected(a, value, 0x25cf, 0x9400);
}
__device__ inline half hexp2(half a) {
    const half value = __ws_mufu_ex2(a);
    return __ws_half_corrected(a, value, 0x11c5, 0x1400);
}
__device__ inline half hexp10(half a) {
    const half value = __ws_mufu_ex2(__fmul_rn(a, 3.3219280242919922f));
    return __ws_half_corrected(a, value, 0xbf0a, 0x8100);
}
__device__ inline half hlog2(half a) { return __ws_mufu_lg2(a); }
__device__ inline half hlog(half a) {
    half value = __fmul_rn(__ws_mufu_lg2(a), 0.69314718246459961f);
    value = __ws_half_corrected(a, value, 0x1935, 0x1c00);
    return __ws_half_corrected(a, value, 0x1d78, 0x1c00);
}
__device__ inline half hlog10(half a) {
    half value = __fmul_rn(__ws_mufu_lg2(a), 0.30103000998497009f);
    value = __ws_half_corrected(a, value, 0x338f, 0x1000);
    value = __ws_half_corrected(a, value, 0x33f8, 0x9000);
    value = __ws_half_corrected(a, value, 0x4224, 0x8c00);
    value = __ws_half_corrected(a, value, 0x57e1, 0x9800);
    return __ws_half_corrected(a, value, 0x719d, 0x9c00);
}
// The sine of a plus a number of quarter turns. Two reduction steps subtract the full quarter turns, which is
// accurate enough for the largest half.
__device__ inline float __ws_half_sine(float a, int quarters) {
    const float shifted = __fmaf_rn(a, 0.636619747f, 12582912.0f);
    const float whole = __fadd_rn(shifted, -12582912.0f);
    float x = __fmaf_rn(whole, -1.5707962512969971f, a);
    x = __fmaf_rn(whole, -7.5497894158615964e-08f, x);
    const int quadrant = __float_as_int(shifted) + quarters;
    const bool is_cosine = quadrant & 1;
    const float square = __fmul_rn(x, x);
    float sum = __fmaf_rn(square, is_cosine ? 2.44331568e-05f : -0.00019515296f, is_cosine ? -0.00138873165f : 0.00833216123f);
    sum = __fmaf_rn(square, sum, is_cosine ? 0.0416666456f : -0.166666552f);
    sum = __fmaf_rn(square, sum, is_cosine ? -0.5f : 0.0f);
    const float value = __fmaf_rn(is_cosine ? square : x, sum, is_cosine ? 1.0f : x);
    return quadrant & 2 ? -value : value;
}
__device__ inline half hsin(half a) {
    const half value = __ws_half_sine(a, 0), size = __ws_half_abs(a);
    half result = __ws_half_corrected(size, __ws_half_abs(value), 0x32b3, 0x0800);
    result = __ws_half_corrected(size, result, 0x5cb0, 0x9000);
    return __ws_bits_half((unsigned short)((__ws_half_bits(result) & 0x7fffu) | (__ws_half_bits(value) & 0x8000u)));
}
__device__ inline half hcos(half a) {
    return __ws_half_corrected(__ws_half_abs(a), __ws_half_sine(a, 1), 0x2b7c, 0x1000);
}
__device__ inline half htanh(half a) { return tanhf(a); }
#if __CUDA_ARCH__ >= 750
__device__ inline half htanh_approx(half a) { return __ws_tanh(a); }
#endif
#define __WS_BOTH(NAME, FUNCTION) \
    __device__ inline half2 NAME(half2 a) { return __halves2half2(FUNCTION(a.x), FUNCTION(a.y)); }
__WS_BOTH(h2floor, hfloor)
__WS_BOTH(h2ceil, hceil)
__WS_BOTH(h2trunc, htrunc)
__WS_BOTH(h2rint, hrint)
__WS_BOTH(h2sqrt, hsqrt)
__WS_BOTH(h2rsqrt, hrsqrt)
__WS_BOTH(h2rcp, hrcp)
__WS_BOTH(h2exp, hexp)
__WS_BOTH(h2exp2, hexp2)
__WS_BOTH(h2exp10, hexp10)
__WS_BOTH(h2log, hlog)
__WS_BOTH(h2log2, hlog2)
__WS_BOTH(h2log10, hlog10)
__WS_BOTH(h2sin, hsin)
__WS_BOTH(h2cos, hcos)
__WS_BOTH(h2tanh, htanh)
#if __CUDA_ARCH__ >= 750
__WS_BOTH(h2tanh_approx, htanh_approx)
#endif
#undef __WS_BOTH

// ---- atomic additions

#if __CUDA_ARCH__ >= 600
__device__ inline half2 atomicAdd(half2 *address, half2 value) {
    return __ws_word_half2(__ws_atomic_add_halves((unsigned int *)address, __ws_half2_word(value)));
}
#endif
#if __CUDA_ARCH__ >= 700
// No instruction adds a single half: compare-and-swap on the enclosing word until no other thread interferes.
__device__ inline half atomicAdd(half *address, half value) {
    const size_t at = (size_t)address;
    unsigned int *word = (unsigned int *)(at - at % 4);
    const unsigned int shift = at % 4 * 8;
    unsigned int before = *word, seen;
    do {
        seen = before;
        const half sum = __ws_bits_half((unsigned short)(seen >> shift)) + value;
        const unsigned int changed = (seen & ~(0xffffu << shift)) | (unsigned int)__ws_half_bits(sum) << shift;
        before = atomicCAS(word, seen, changed);
    } while (before != seen);
    return __ws_bits_half((unsigned short)(before >> shift));
}
#endif
