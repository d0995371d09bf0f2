// Functions of CUDA's headers that the chip does not provide. Names with __ws_ are internal.
//
// Constants that are split into parts have few bits, so that their products with small integers
// are exact: the functions do not depend on whether multiplications and additions are fused.
// Polynomials are minimax fits. The double overload comes first, because integers convert to double.

// ---- 64-bit integer division

__device__ __noinline__ unsigned long long __ws_div_u64(unsigned long long a, unsigned long long b)
{
    if ((unsigned int)((a | b) >> 32) == 0)
        return (unsigned int)a / (unsigned int)b;
    // 2^64 / b from below: a single-precision estimate, then two Newton steps in integers. The error is
    // less than 2 then, and the error of the quotient at most two.
    float estimate = __ws_rcp(__ull2float_ru(b));
    unsigned long long x = __float2ull_rz(__uint_as_float(__float_as_uint(estimate) + 0x1ffffffe));
    x += __umul64hi(x, 0ull - b * x);
    x += __umul64hi(x, 0ull - b * x);
    unsigned long long q = __umul64hi(a, x);
    unsigned long long r = a - q * b;
    if (r >= b) {
        r -= b;
        q += 1;
    }
    if (r >= b)
        q += 1;
    return q;
}
__device__ unsigned long long __ws_rem_u64(unsigned long long a, unsigned long long b)
{
    return a - __ws_div_u64(a, b) * b;
}
__device__ long long __ws_div_s64(long long a, long long b)
{
    unsigned long long ua = a < 0 ? 0ull - a : a;
    unsigned long long ub = b < 0 ? 0ull - b : b;
    unsigned long long q = __ws_div_u64(ua, ub);
    return (a ^ b) < 0 ? 0ull - q : q;
}
__device__ long long __ws_rem_s64(long long a, long long b)
{
    return a - __ws_div_s64(a, b) * b;
}

// ---- kinds of numbers

__device__ bool isnan(double x) { return x != x; }
__device__ bool isnan(float x) { return x != x; }
__device__ bool isinf(double x) { return fabs(x) == HUGE_VAL; }
__device__ bool isinf(float x) { return fabsf(x) == HUGE_VALF; }
__device__ bool isfinite(double x) { return fabs(x) < HUGE_VAL; }
__device__ bool isfinite(float x) { return fabsf(x) < HUGE_VALF; }
__device__ bool signbit(double x) { return __double2hiint(x) < 0; }
__device__ bool signbit(float x) { return __float_as_int(x) < 0; }
__device__ float copysignf(float x, float y)
{
    return __int_as_float((__float_as_int(x) & 0x7fffffff) | (__float_as_int(y) & 0x80000000));
}
__device__ double copysign(double x, double y)
{
    int high = (__double2hiint(x) & 0x7fffffff) | (__double2hiint(y) & 0x80000000);
    return __hiloint2double(high, __double2loint(x));
}
__device__ float copysign(float x, float y) { return copysignf(x, y); }

// ---- rounding and small functions

__device__ float roundf(float x)
{
    float t = truncf(x);
    if (fabsf(x - t) >= 0.5f)
        t += copysignf(1.0f, x);
    return copysignf(t, x);
}
__device__ double round(double x)
{
    double t = trunc(x);
    if (fabs(x - t) >= 0.5)
        t += copysign(1.0, x);
    return copysign(t, x);
}
__device__ float round(float x) { return roundf(x); }
__device__ long lroundf(float x) { return (long)roundf(x); }
__device__ long lround(double x) { return (long)round(x); }
__device__ long long llroundf(float x) { return (long long)roundf(x); }
__device__ long long llround(double x) { return (long long)round(x); }
__device__ long lrintf(float x) { return (long)rintf(x); }
__device__ long lrint(double x) { return (long)rint(x); }
__device__ long long llrintf(float x) { return (long long)rintf(x); }
__device__ long long llrint(double x) { return (long long)rint(x); }
__device__ float fdimf(float x, float y) { return x > y ? x - y : (x <= y ? 0.0f : x + y); }
__device__ double fdim(double x, double y) { return x > y ? x - y : (x <= y ? 0.0 : x + y); }

// 2 to the k, for -126 <= k <= 127.
__device__ float __ws_pow2(int k) { return __int_as_float((k + 127) << 23); }
// x * 2 to the k, rounded once where the result is subnormal.
__device__ float ldexpf(float x, int k)
{
    k = min(max(k, -300), 300);
    if (k > 127) {
        x *= __ws_pow2(127);
        k -= 127;
        if (k > 127) {
            x *= __ws_pow2(127);
            k = min(k - 127, 127);
        }
    } else if (k < -126) {
        // 24 bits of distance keep the first product exact.
        x *= __ws_pow2(-102);
        k += 102;
        if (k < -126) {
            x *= __ws_pow2(-102);
            k = max(k + 102, -126);
        }
    }
    return x * __ws_pow2(k);
}
__device__ float scalbnf(float x, int k) { return ldexpf(x, k); }
__device__ double __ws_pow2d(int k) { return __hiloint2double((k + 1023) << 20, 0); }
__device__ double ldexp(double x, int k)
{
    k = min(max(k, -2200), 2200);
    if (k > 1023) {
        x *= __ws_pow2d(1023);
        k -= 1023;
        if (k > 1023) {
            x *= __ws_pow2d(1023);
            k = min(k - 1023, 1023);
        }
    } else if (k < -1022) {
        x *= __ws_pow2d(-969);
        k += 969;
        if (k < -1022) {
            x *= __ws_pow2d(-969);
            k = max(k + 969, -1022);
        }
    }
    return x * __ws_pow2d(k);
}
__device__ float ldexp(float x, int k) { return ldexpf(x, k); }
__device__ double scalbn(double x, int k) { return ldexp(x, k); }
__device__ float frexpf(float x, int *e)
{
    float a = x;
    int k = 0;
    if (fabsf(a) < 1.17549435e-38f) {
        a *= 16777216.0f;
        k = -24;
    }
    int bits = __float_as_int(a);
    int field = bits >> 23 & 255;
    if (x == 0.0f || field == 255) {
        *e = 0;
        return x;
    }
    *e = k + field - 126;
    return __int_as_float((bits & 0x807fffff) | 0x3f000000);
}
__device__ float modff(float x, float *whole)
{
    float t = truncf(x);
    *whole = t;
    return copysignf(isinf(x) ? 0.0f : x - t, x);
}
// CUDA documents INT_MIN for 0 and NaN, INT_MAX for infinity.
__device__ int ilogbf(float x)
{
    if (x == 0.0f || isnan(x))
        return INT_MIN;
    if (isinf(x))
        return INT_MAX;
    int k;
    frexpf(x, &k);
    return k - 1;
}
__device__ float logbf(float x)
{
    if (x == 0.0f)
        return -HUGE_VALF;
    // Infinity, or NaN.
    if (!isfinite(x))
        return x * x;
    int k;
    frexpf(x, &k);
    return (float)(k - 1);
}

__device__ int __uni_sync(unsigned mask, int predicate) {
    unsigned votes = __ballot_sync(mask, predicate);
    return votes == 0 || votes == (mask & __activemask());
}
