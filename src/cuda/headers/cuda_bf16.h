// The 16-bit format with the exponent of float: the types and functions of CUDA's "cuda_bf16.h". Operators of
// __nv_bfloat16 are built into the compiler.

typedef __ws_bfloat16 __nv_bfloat16;
typedef __ws_bfloat16 nv_bfloat16;
typedef __ws_bfloat162 __nv_bfloat162;
typedef __ws_bfloat162 nv_bfloat162;
struct __nv_bfloat16_raw {
    unsigned short x;
    __nv_bfloat16_raw() = default;
    __device__ __nv_bfloat16_raw(unsigned short bits) : x(bits) {}
    __device__ __nv_bfloat16_raw(__nv_bfloat16 h) : x(__ws_bfloat16_bits(h)) {}
    __device__ operator __nv_bfloat16() const { return __ws_bits_bfloat16(x); }
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
    __nv_bfloat162_raw() = default;
    __device__ __nv_bfloat162_raw(unsigned short low, unsigned short high) : x(low), y(high) {}
    __device__ __nv_bfloat162_raw(__nv_bfloat162 h) : x(__ws_bfloat16_bits(h.x)), y(__ws_bfloat16_bits(h.y)) {}
    __device__ operator __nv_bfloat162() const {
        __nv_bfloat162 pair;
        pair.x = __ws_bits_bfloat16(x);
        pair.y = __ws_bits_bfloat16(y);
        return pair;
    }
};

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

// ---- conversions

__device__ inline __nv_bfloat16 __float2bfloat16(float a) { return a; }
__device__ inline __nv_bfloat16 __double2bfloat16(double a) { return a; }
__device__ inline float __bfloat162float(__nv_bfloat16 a) { return a; }
__device__ inline __nv_bfloat16 __float2bfloat16_rn(float a) { return a; }
__device__ inline short __bfloat16_as_short(__nv_bfloat16 h) { return (short)__ws_bfloat16_bits(h); }
__device__ inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return __ws_bfloat16_bits(h); }
__device__ inline __nv_bfloat16 __short_as_bfloat16(short i) { return __ws_bits_bfloat16((unsigned short)i); }
__device__ inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short i) { return __ws_bits_bfloat16(i); }
// Toward zero drops the low bits; other modes add an increment that depends on the sign and these bits.
__device__ inline __nv_bfloat16 __ws_bfloat16_directed(float a, bool away) {
    const unsigned int bits = __float_as_uint(a);
    if (a != a) return CUDART_NAN_BF16;
    const bool is_inexact = (bits & 0xffffu) != 0;
    return __ws_bits_bfloat16((unsigned short)((bits >> 16) + (away && is_inexact ? 1 : 0)));
}
__device__ inline __nv_bfloat16 __float2bfloat16_rz(float a) { return __ws_bfloat16_directed(a, false); }
__device__ inline __nv_bfloat16 __float2bfloat16_rd(float a) { return __ws_bfloat16_directed(a, __float_as_int(a) < 0); }
__device__ inline __nv_bfloat16 __float2bfloat16_ru(float a) { return __ws_bfloat16_directed(a, __float_as_int(a) >= 0); }
#define __WS_ROUNDED(ROUND, NAME, T) \
    __device__ inline T __bfloat162##NAME##_##ROUND(__nv_bfloat16 h) { return __ws_float2##NAME##_##ROUND(h); }
#define __WS_CONVERSIONS(NAME, T) \
    __WS_ROUNDED(rn, NAME, T) \
    __WS_ROUNDED(rz, NAME, T) \
    __WS_ROUNDED(rd, NAME, T) \
    __WS_ROUNDED(ru, NAME, T) \
    __device__ inline __nv_bfloat16 __##NAME##2bfloat16_rn(T i) { return i; }
__WS_CONVERSIONS(short, short)
__WS_CONVERSIONS(ushort, unsigned short)
__WS_CONVERSIONS(int, int)
__WS_CONVERSIONS(uint, unsigned int)
__WS_CONVERSIONS(ll, long long)
__WS_CONVERSIONS(ull, unsigned long long)
#undef __WS_CONVERSIONS
#undef __WS_ROUNDED
__device__ inline signed char __bfloat162char_rz(__nv_bfloat16 h) { return (signed char)h; }
__device__ inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 h) { return (unsigned char)h; }

// ---- pairs

__device__ inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    __nv_bfloat162 pair;
    pair.x = a;
    pair.y = b;
    return pair;
}
__device__ inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __halves2bfloat162(a, b); }
__device__ inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __halves2bfloat162(a, a); }
__device__ inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__device__ inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__device__ inline float __low2float(__nv_bfloat162 a) { return a.x; }
__device__ inline float __high2float(__nv_bfloat162 a) { return a.y; }
__device__ inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __halves2bfloat162(a.x, a.x); }
__device__ inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __halves2bfloat162(a.y, a.y); }
__device__ inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __halves2bfloat162(a.y, a.x); }
__device__ inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __halves2bfloat162(a.x, b.x);
}
__device__ inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __halves2bfloat162(a.y, b.y);
}
__device__ inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
    return __ws_word_bfloat162(__ws_pack_bfloat16s(a, b));
}
__device__ inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
__device__ inline __nv_bfloat162 __float2bfloat162_rn(float a) { return __bfloat162bfloat162(__float2bfloat16_rn(a)); }
__device__ inline float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x, a.y); }

// ---- arithmetic

__device__ inline __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
__device__ inline __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
__device__ inline __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
__device__ inline __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
__device__ inline __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
__device__ inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return __ws_bfloat16_fma(a, b, c);
}
#define __WS_PAIR1(NAME, FUNCTION) \
    __device__ inline __nv_bfloat162 NAME##2(__nv_bfloat162 a) { \
        return __ws_word_bfloat162(FUNCTION(__ws_bfloat162_word(a))); \
    }
#define __WS_PAIR2(NAME, FUNCTION) \
    __device__ inline __nv_bfloat162 NAME(__nv_bfloat162 a, __nv_bfloat162 b) { \
        return __ws_word_bfloat162(FUNCTION(__ws_bfloat162_word(a), __ws_bfloat162_word(b))); \
    }
__WS_PAIR1(__hneg, __ws_bfloat16s_neg)
__WS_PAIR1(__habs, __ws_bfloat16s_abs)
__WS_PAIR2(__hadd2, __ws_bfloat16s_add)
__WS_PAIR2(__hsub2, __ws_bfloat16s_sub)
__WS_PAIR2(__hmul2, __ws_bfloat16s_mul)
__WS_PAIR2(__hadd2_rn, __ws_bfloat16s_add_rn)
__WS_PAIR2(__hsub2_rn, __ws_bfloat16s_sub_rn)
__WS_PAIR2(__hmul2_rn, __ws_bfloat16s_mul_rn)
__WS_PAIR2(__hmax2, __ws_bfloat16s_max)
__WS_PAIR2(__hmin2, __ws_bfloat16s_min)
#undef __WS_PAIR1
#undef __WS_PAIR2
__device__ inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
    const unsigned int sum = __ws_bfloat16s_fma(__ws_bfloat162_word(a), __ws_bfloat162_word(b), __ws_bfloat162_word(c));
    return __ws_word_bfloat162(sum);
}
__device__ inline __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ws_bfloat16_abs(a); }
__device__ inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __ws_bfloat16_max(a, b); }
__device__ inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __ws_bfloat16_min(a, b); }
__device__ inline __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hadd2_rn(__bfloat162bfloat162(a), __bfloat162bfloat162(b)).x; }
__device__ inline __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hsub2_rn(__bfloat162bfloat162(a), __bfloat162bfloat162(b)).x; }
__device__ inline __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmul2_rn(__bfloat162bfloat162(a), __bfloat162bfloat162(b)).x; }
__device__ inline __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __halves2bfloat162(a.x / b.x, a.y / b.y);
}
// Clamped to 0 to 1; NaN is 0.
__device__ inline __nv_bfloat16 __ws_bfloat16_saturated(__nv_bfloat16 a) {
    const __nv_bfloat16 zero = 0, one = 1;
    return a > zero ? (a < one ? a : one) : zero;
}
__device__ inline __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __ws_bfloat16_saturated(a + b); }
__device__ inline __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __ws_bfloat16_saturated(a - b); }
__device__ inline __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __ws_bfloat16_saturated(a * b); }
__device__ inline __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return __ws_bfloat16_saturated(__ws_bfloat16_fma(a, b, c));
}

__device__ inline __nv_bfloat162 operator+(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hadd2(a, b); }
__device__ inline __nv_bfloat162 operator-(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hsub2(a, b); }
__device__ inline __nv_bfloat162 operator*(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hmul2(a, b); }
__device__ inline __nv_bfloat162 operator/(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __h2div(a, b); }
__device__ inline __nv_bfloat162 &operator+=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __hadd2(a, b); return a; }
__device__ inline __nv_bfloat162 &operator-=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __hsub2(a, b); return a; }
__device__ inline __nv_bfloat162 &operator*=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __hmul2(a, b); return a; }
__device__ inline __nv_bfloat162 &operator/=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { a = __h2div(a, b); return a; }
__device__ inline __nv_bfloat162 operator+(const __nv_bfloat162 &a) { return a; }
__device__ inline __nv_bfloat162 operator-(const __nv_bfloat162 &a) { return __hneg2(a); }

// ---- comparisons; those with u in the name are also true for NaN

__device__ inline bool __hisnan(__nv_bfloat16 a) { return a != a; }
__device__ inline int __hisinf(__nv_bfloat16 a) {
    const unsigned short bits = __ws_bfloat16_bits(a);
    return bits == 0x7f80 ? 1 : bits == 0xff80 ? -1 : 0;
}
#define __WS_COMPARISON(NAME, HOLDS) \
    __device__ inline bool __h##NAME(__nv_bfloat16 a, __nv_bfloat16 b) { return HOLDS; } \
    __device__ inline __nv_bfloat162 __h##NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
        const __nv_bfloat16 one = 1, zero = 0; \
        return __halves2bfloat162(__h##NAME(a.x, b.x) ? one : zero, __h##NAME(a.y, b.y) ? one : zero); \
    } \
    __device__ inline unsigned int __h##NAME##2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u); \
    } \
    __device__ inline bool __hb##NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
        return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); \
    }
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
__device__ inline __nv_bfloat162 __hisnan2(__nv_bfloat162 a) { return __hneu2(a, a); }
__device__ inline bool operator==(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbeq2(a, b); }
__device__ inline bool operator!=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbneu2(a, b); }
__device__ inline bool operator<(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hblt2(a, b); }
__device__ inline bool operator<=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hble2(a, b); }
__device__ inline bool operator>(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbgt2(a, b); }
__device__ inline bool operator>=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbge2(a, b); }

// ---- rounding to integers, roots, exponentials, logarithms, trigonometry: in single precision, then rounded

#define __WS_FUNCTION(NAME, VALUE) \
    __device__ inline __nv_bfloat16 h##NAME(__nv_bfloat16 a) { \
        const float x = a; \
        return VALUE; \
    } \
    __device__ inline __nv_bfloat162 h2##NAME(__nv_bfloat162 a) { return __halves2bfloat162(h##NAME(a.x), h##NAME(a.y)); }
__WS_FUNCTION(floor, floorf(x))
__WS_FUNCTION(ceil, ceilf(x))
__WS_FUNCTION(trunc, truncf(x))
__WS_FUNCTION(rint, rintf(x))
__WS_FUNCTION(sqrt, __ws_sqrt(x))
__WS_FUNCTION(rsqrt, rsqrtf(x))
__WS_FUNCTION(rcp, __ws_rcp(x))
__WS_FUNCTION(exp, __ws_ex2(__fmul_rn(x, 1.4426950216293335f)))
__WS_FUNCTION(exp2, __ws_ex2(x))
__WS_FUNCTION(exp10, __ws_ex2(__fmul_rn(x, 3.3219280242919922f)))
__WS_FUNCTION(log, __fmul_rn(__log2f(x), 0.69314718246459961f))
__WS_FUNCTION(log2, __log2f(x))
__WS_FUNCTION(log10, __fmul_rn(__log2f(x), 0.30103000998497009f))
__WS_FUNCTION(sin, sinf(x))
__WS_FUNCTION(cos, cosf(x))
__WS_FUNCTION(tanh, tanhf(x))
#undef __WS_FUNCTION

// ---- atomic additions: compare-and-swap on the enclosing word until no other thread interferes

#if __CUDA_ARCH__ >= 800
__device__ inline __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value) {
    unsigned int *word = (unsigned int *)address;
    unsigned int before = *word, seen;
    do {
        seen = before;
        before = atomicCAS(word, seen, __ws_bfloat16s_add_rn(seen, __ws_bfloat162_word(value)));
    } while (before != seen);
    return __ws_word_bfloat162(before);
}
__device__ inline __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value) {
    const size_t at = (size_t)address;
    unsigned int *word = (unsigned int *)(at - at % 4);
    const unsigned int shift = at % 4 * 8;
    unsigned int before = *word, seen;
    do {
        seen = before;
        const __nv_bfloat16 sum = __ws_bits_bfloat16((unsigned short)(seen >> shift)) + value;
        const unsigned int changed = (seen & ~(0xffffu << shift)) | (unsigned int)__ws_bfloat16_bits(sum) << shift;
        before = atomicCAS(word, seen, changed);
    } while (before != seen);
    return __ws_bits_bfloat16((unsigned short)(before >> shift));
}
#endif
