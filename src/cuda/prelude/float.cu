// Functions on float.

// ---- float: exponentials and logarithms

// e to the r * 2 to the k for a small r. The product is made in two steps: the first is exact.
__device__ float __ws_scale(float v, int k)
{
    int half = k >> 1;
    return v * __ws_pow2(half) * __ws_pow2(k - half);
}
// As nvcc 13 for 7.5 and 9.0; assumed from 2.0 on. An integer n from -126 to 126 is near x / ln 2: the magic
// number keeps it in the low bits of r. The rest of x / ln 2, in two parts, goes to MUFU.EX2.
__device__ float expf(float x)
{
    float t = __saturatef(__fmaf_rn(x, 0.005724980030208826f, 0.5f));
    float r = __fmaf_rd(t, 252.0f, 12582913.0f);
    float n = __fadd_rn(r, -12583039.0f);
    float rest = __fmaf_rn(x, 1.4426950216293335f, -n);
    rest = __fmaf_rn(x, 1.925963033500011e-08f, rest);
    return __int_as_float(__float_as_int(r) << 23) * __ws_mufu_ex2(rest);
}
// x * y + z with one rounding, for 1.x, which has no fused multiply-add and flushes subnormals: integers only.
// round: 0 to nearest even, 1 toward zero, 2 up, 3 down.
__device__ __noinline__ float __ws_fmaf_1(float x, float y, float z, int round)
{
    int xb = __float_as_int(x), yb = __float_as_int(y), zb = __float_as_int(z);
    int ax = xb & 0x7fffffff, ay = yb & 0x7fffffff, az = zb & 0x7fffffff;
    // The sign of the product.
    int sign = (xb ^ yb) & 0x80000000;
    int top = max(ax, ay);
    if (max(top, az) >= 0x7f800000) {
        int v = top == 0x7f800000 ? sign | 0x7f800000 : zb;
        // A NaN operand, inf * 0, or inf - inf.
        bool invalid = max(top, az) > 0x7f800000 || (top == 0x7f800000 && min(ax, ay) == 0);
        invalid = invalid || (az == 0x7f800000 && v != zb);
        return __int_as_float(invalid ? 0x7fffffff : v);
    }
    // |x| = mx * 2^(ex - 149), also for a subnormal x.
    int ex = max((ax >> 23) - 1, 0), ey = max((ay >> 23) - 1, 0), ez = max((az >> 23) - 1, 0);
    unsigned int mx = ax - (ex << 23), my = ay - (ey << 23), mz = az - (ez << 23);
    // |x * y| = low * 2^(ex + ey - 312) and |z| = high * 2^(ez - 187); low and high are below 2^62.
    unsigned long long low = (unsigned long long)(mx << 7) * (my << 7);
    unsigned long long high = (unsigned long long)(mz << 6) << 32;
    int d = ez - ex - ey + 125;
    // The exponent of a zero product is meaningless.
    d = low == 0 ? max(d, 0) : d;
    // The sum counts units of 2^(e - 188).
    int e = ez + 1 - min(d, 0);
    bool differ = (sign ^ zb) < 0;
    int result = zb & 0x80000000;
    if (d < 0) {
        unsigned long long t = low;
        low = high;
        high = t;
        result = sign;
    }
    // A last bit of 1 stands for all lost bits. They are at least ten places below the last bit of the result.
    int by = min(abs(d), 63);
    unsigned long long part = low >> by;
    part |= part << by != low ? 1 : 0;
    unsigned long long sum = differ ? high - part : high + part;
    if ((long long)sum < 0) {
        sum = 0ull - sum;
        result ^= 0x80000000;
    }
    if (sum == 0)
        return __int_as_float(differ ? (round == 3 ? 0x80000000 : 0) : result);
    // The highest bit moves to bit 62. In a subnormal result it stays lower: bit 39 is 2^-149.
    unsigned int word = (unsigned int)(sum >> 32);
    int zeros = word != 0 ? __clz(word) : 32 + __clz((unsigned int)sum);
    int up = min(zeros - 1, e);
    sum <<= up;
    word = (unsigned int)(sum >> 32) | ((unsigned int)sum != 0 ? 1 : 0);
    // The low 7 bits of the word are the fraction to round. A carry out of the significand increments the exponent.
    unsigned int more = round == (result < 0 ? 3 : 2) ? 127 : 0;
    more = round == 0 ? 63 + (word >> 7 & 1) : more;
    unsigned int bits = ((unsigned int)(e - up) << 23) + ((word + more) >> 7);
    bits = min(bits, more != 0 ? 0x7f800000u : 0x7f7fffffu);
    return __int_as_float(result | bits);
}
// For 1.x.
__device__ float __ws_expf_1(float x)
{
    float c = fminf(fmaxf(x, -105.0f), 89.0f);
    float k = rintf(c * 1.44269504f);
    float r = c - k * 0.69311523437f;
    r = r - k * 3.1946184945e-05f;
    float v = __ws_scale(__ws_ex2(r * 1.44269504f), (int)k);
    return x != x ? x : v;
}
__device__ float exp2f(float x) { return __ws_ex2(x); }
__device__ float exp10f(float x)
{
    float c = fminf(fmaxf(x, -46.0f), 39.0f);
    float k = rintf(c * 3.32192809f);
    // log10(2) in two parts.
    float r = c - k * 0.30102539062f;
    r = r - k * 4.6050389811e-06f;
    float v = __ws_scale(__ws_ex2(r * 3.32192809f), (int)k);
    return x != x ? x : v;
}
__device__ float __expf(float x) { return __ws_ex2(x * 1.44269504f); }
__device__ float __exp10f(float x) { return __ws_ex2(x * 3.32192809f); }
__device__ float __logf(float x) { return __log2f(x) * 0.693147181f; }
__device__ float __log10f(float x) { return __log2f(x) * 0.301029996f; }
__device__ float __powf(float x, float y) { return __ws_ex2(y * __log2f(x)); }
__device__ float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__device__ void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}
__device__ float expm1f(float x)
{
    if (!(x > -20.0f))
        return x != x ? x : -1.0f;
    if (x > 85.0f)
        return expf(x);
    float k = rintf(x * 1.44269504f);
    float r = x - k * 0.69311523437f;
    r = r - k * 3.1946184945e-05f;
    float p = 1.991991739e-04f;
    p = p * r + 1.394511200e-03f;
    p = p * r + 8.333262987e-03f;
    p = p * r + 4.166630283e-02f;
    p = p * r + 1.666666716e-01f;
    p = p * r + 0.5f;
    p = r + r * r * p;
    float s = __ws_pow2((int)k);
    return s * p + (s - 1.0f);
}

// log(1 + f) for 1 + f from sqrt(1/2) to sqrt(2).
__device__ float __ws_log1p(float f)
{
    float p = -7.859621942e-02f;
    p = p * f + 1.288164556e-01f;
    p = p * f - 1.312875003e-01f;
    p = p * f + 1.418119222e-01f;
    p = p * f - 1.662455499e-01f;
    p = p * f + 2.000228614e-01f;
    p = p * f - 2.500081062e-01f;
    p = p * f + 3.333331645e-01f;
    float z = f * f;
    float t = f * z * p;
    return f + (t - 0.5f * z);
}
// x = 2 to the e times (1 + f); x is positive and finite. The exponent is the result's high half,
// the bits of f the low half.
__device__ unsigned long long __ws_split(float x)
{
    int e = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        e = -23;
    }
    int bits = __float_as_int(x);
    int k = (bits - 0x3f3504f3) >> 23;
    float m = __int_as_float(bits - (k << 23));
    return (unsigned long long)(unsigned int)(e + k) << 32 | __float_as_uint(m - 1.0f);
}
// Logarithms outside the positive finite numbers.
__device__ float __ws_log_special(float x)
{
    if (x == 0.0f)
        return -HUGE_VALF;
    return x < 0.0f ? NAN : x;
}
__device__ float logf(float x)
{
    if (!(x > 0.0f) || x == HUGE_VALF)
        return __ws_log_special(x);
    unsigned long long split = __ws_split(x);
    float e = (float)(int)(split >> 32);
    float r = __ws_log1p(__uint_as_float((unsigned int)split));
    return e * 0.69311523437f + (e * 3.1946184945e-05f + r);
}
__device__ float log2f(float x)
{
    if (!(x > 0.0f) || x == HUGE_VALF)
        return __ws_log_special(x);
    unsigned long long split = __ws_split(x);
    float e = (float)(int)(split >> 32);
    float r = __ws_log1p(__uint_as_float((unsigned int)split));
    return e + r * 1.44269504f;
}
__device__ float log10f(float x)
{
    if (!(x > 0.0f) || x == HUGE_VALF)
        return __ws_log_special(x);
    unsigned long long split = __ws_split(x);
    float e = (float)(int)(split >> 32);
    float r = __ws_log1p(__uint_as_float((unsigned int)split));
    return e * 0.30102539062f + (e * 4.6050389811e-06f + r * 0.434294482f);
}
__device__ float log1pf(float x)
{
    if (x > -0.29f && x < 0.41f)
        return __ws_log1p(x);
    float u = 1.0f + x;
    if (!(u > 0.0f) || u == HUGE_VALF)
        return __ws_log_special(u);
    // The rounding error of the sum u.
    float lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
    return logf(u) + lost / u;
}

// ---- float: powers. Numbers of twice the precision are a sum of two floats.

__device__ float __ws_high(float x) { return __int_as_float(__float_as_int(x) & 0xfffff000); }
// The rounding error of a * b rounded to p; the four products of halves are exact.
__device__ float __ws_lost(float a, float b, float p)
{
    float ah = __ws_high(a), bh = __ws_high(b);
    float al = a - ah, bl = b - bh;
    float t = ah * bh - p;
    t = t + ah * bl;
    t = t + al * bh;
    return t + al * bl;
}
// x to the y for positive finite x that is not 1 and finite y.
__device__ float __ws_pow(float x, float y)
{
    unsigned long long split = __ws_split(x);
    float e = (float)(int)(split >> 32);
    float f = __uint_as_float((unsigned int)split);
    // log(1 + f) = 2 atanh(f / (2 + f)), the quotient as q + ql.
    float d = 2.0f + f;
    float dl = f - (d - 2.0f);
    float q = f / d;
    float p = q * d;
    float rest = (f - p) - __ws_lost(q, d, p);
    float ql = (rest - q * dl) / d;
    float z = q * q;
    float c = 1.493945718e-01f;
    c = c * z + 1.998864859e-01f;
    c = c * z + 3.333338797e-01f;
    // log2(1 + f) as h + l; 2 / ln 2 is 2.88539004 + 3.9e-08.
    float tail = ql + q * z * c;
    float h = q * 2.88539004f;
    float l = __ws_lost(q, 2.88539004f, h) + (tail * 2.88539004f + q * 3.851925982e-08f);
    float s = e + h;
    l = l + (e == 0.0f ? 0.0f : h - (s - e));
    h = s + l;
    l = l - (h - s);
    // y log2(x) as a + b, without its integral part.
    float a = y * h;
    if (fabsf(a) > 200.0f)
        return a > 0.0f ? HUGE_VALF : 0.0f;
    float b = __ws_lost(y, h, a) + y * l;
    float k = rintf(a);
    float r = (a - k) + b;
    return __ws_scale(__ws_ex2(r), (int)k);
}
__device__ float powf(float x, float y)
{
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (x != x || y != y)
        return x + y;
    float ax = fabsf(x), ay = fabsf(y);
    bool whole = truncf(y) == y;
    bool odd = whole && ay < 16777216.0f && truncf(y * 0.5f) != y * 0.5f;
    float v;
    if (ax == 0.0f || ax == HUGE_VALF)
        v = (ax == 0.0f) == (y > 0.0f) ? 0.0f : HUGE_VALF;
    else if (x < 0.0f && !whole)
        v = NAN;
    else if (ax == 1.0f)
        v = 1.0f;
    else if (ay == HUGE_VALF)
        v = (ax > 1.0f) == (y > 0.0f) ? HUGE_VALF : 0.0f;
    else
        v = __ws_pow(ax, y);
    return __float_as_int(x) < 0 && odd ? -v : v;
}
__device__ float cbrtf(float x)
{
    float a = fabsf(x);
    if (a == 0.0f || !(a < HUGE_VALF))
        return x + x;
    float s = 1.0f;
    // Scaling that keeps the rounding error of a product from underflowing: 2^72 and the inverse of its cube root.
    if (a < 1.0e-20f) {
        a *= 4722366482869645213696.0f;
        s = 5.9604644775390625e-08f;
    }
    float t = __ws_ex2(__log2f(a) * 0.333333333f);
    // One step of Newton's method; the cube is split so that the difference is exact enough.
    float tt = t * t;
    float lost = __ws_lost(t, t, tt);
    float cube = tt * t;
    float d = (cube - a) + (__ws_lost(tt, t, cube) + lost * t);
    t = t - d / (3.0f * tt);
    return copysignf(t * s, x);
}
__device__ float rcbrtf(float x) { return 1.0f / cbrtf(x); }
__device__ float hypotf(float x, float y)
{
    float a = fabsf(x), b = fabsf(y);
    float high = fmaxf(a, b), low = fminf(a, b);
    if (high == HUGE_VALF)
        return HUGE_VALF;
    if (x != x || y != y)
        return x + y;
    if (high == 0.0f)
        return 0.0f;
    int k = (__float_as_int(high) >> 23) - 127;
    k = min(max(k, -100), 100);
    float s = __ws_pow2(-k);
    high *= s;
    low *= s;
    return sqrtf(high * high + low * low) * __ws_pow2(k);
}
__device__ float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
__device__ float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
__device__ float norm4df(float x, float y, float z, float w) { return hypotf(hypotf(x, y), hypotf(z, w)); }

// ---- float: angles

// x less the nearest multiple of pi / 2: the multiple mod 4 is the result's high half, the bits of the
// rest the low half. For large x: 2 / pi times x in integers.
__device__ unsigned long long __ws_reduce_large(float x)
{
    // 16 zero bits, then the bits of 2 / pi.
    static const unsigned int bits[9] = {0x0000a2f9, 0x836e4e44, 0x1529fc27, 0x57d1f534, 0xddc0db62,
                                         0x95993c43, 0x9041fe51, 0x63abdebb, 0xc561b724};
    unsigned int field = __float_as_uint(x);
    unsigned int m = (field & 0x007fffff) | 0x00800000;
    // x = m * 2^(first - 14); bits of 2 / pi that represent multiples of 4 do not matter.
    int first = (int)(field >> 23 & 255) - 150 + 14;
    int word = first >> 5;
    int shift = first & 31;
    unsigned long long w01 = (unsigned long long)bits[word] << 32 | bits[word + 1];
    unsigned long long w12 = (unsigned long long)bits[word + 1] << 32 | bits[word + 2];
    unsigned long long w23 = (unsigned long long)bits[word + 2] << 32 | bits[word + 3];
    unsigned int high = (unsigned int)(w01 << shift >> 32);
    unsigned int mid = (unsigned int)(w12 << shift >> 32);
    unsigned int low = (unsigned int)(w23 << shift >> 32);
    unsigned long long p = ((unsigned long long)m * low >> 32) + (unsigned long long)m * mid;
    p += (unsigned long long)(m * high) << 32;
    unsigned int quadrant = (unsigned int)(p >> 62);
    long long fraction = (long long)(p << 2);
    if (fraction < 0)
        quadrant += 1;
    // pi / 2 / 2^64
    // By words: 1.0 has no conversion from 64 bits.
    float whole = (float)(int)(fraction >> 32) * 4294967296.0f + (float)(unsigned int)fraction;
    float r = whole * 8.51530395e-20f;
    if ((int)field < 0) {
        r = -r;
        quadrant = 0u - quadrant;
    }
    return (unsigned long long)(quadrant & 3) << 32 | __float_as_uint(r);
}
__device__ unsigned long long __ws_reduce(float x)
{
    if (fabsf(x) < 1600.0f) {
        float k = rintf(x * 0.636619772f);
        float r = x - k * 1.570678710938e+00f;
        r = r - k * 1.176148653030e-04f;
        r = r - k * 9.920936294705e-10f;
        return (unsigned long long)((unsigned int)(int)k & 3) << 32 | __float_as_uint(r);
    }
    return __ws_reduce_large(x);
}
__device__ float __ws_sin_poly(float r)
{
    float z = r * r;
    float p = -1.950432052e-04f;
    p = p * z + 8.332083933e-03f;
    p = p * z - 1.666665375e-01f;
    return r + r * z * p;
}
__device__ float __ws_cos_poly(float r)
{
    float z = r * r;
    float p = 2.442388904e-05f;
    p = p * z - 1.388724311e-03f;
    p = p * z + 4.166664556e-02f;
    return (1.0f - 0.5f * z) + z * z * p;
}
__device__ float __ws_sin_of(unsigned int quadrant, float r)
{
    float v = (quadrant & 1) != 0 ? __ws_cos_poly(r) : __ws_sin_poly(r);
    return (quadrant & 2) != 0 ? -v : v;
}
__device__ float sinf(float x)
{
    if (!(fabsf(x) < HUGE_VALF))
        return x - x;
    unsigned long long reduced = __ws_reduce(x);
    return x == 0.0f ? x : __ws_sin_of((unsigned int)(reduced >> 32), __uint_as_float((unsigned int)reduced));
}
__device__ float cosf(float x)
{
    if (!(fabsf(x) < HUGE_VALF))
        return x - x;
    unsigned long long reduced = __ws_reduce(x);
    return __ws_sin_of((unsigned int)(reduced >> 32) + 1, __uint_as_float((unsigned int)reduced));
}
__device__ float tanf(float x)
{
    if (!(fabsf(x) < HUGE_VALF))
        return x - x;
    unsigned long long reduced = __ws_reduce(x);
    float r = __uint_as_float((unsigned int)reduced);
    float s = __ws_sin_poly(r), c = __ws_cos_poly(r);
    if (x == 0.0f)
        return x;
    return (reduced >> 32 & 1) != 0 ? -c / s : s / c;
}
__device__ void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
__device__ float sinpif(float x)
{
    if (!(fabsf(x) < HUGE_VALF))
        return x - x;
    // From 2^24 on every number is even.
    if (fabsf(x) >= 16777216.0f)
        return copysignf(0.0f, x);
    float k = rintf(x * 2.0f);
    float r = (x - k * 0.5f) * 3.14159265f;
    return __ws_sin_of((unsigned int)(int)k, r);
}
__device__ float cospif(float x)
{
    if (!(fabsf(x) < HUGE_VALF))
        return x - x;
    if (fabsf(x) >= 16777216.0f)
        return 1.0f;
    float k = rintf(x * 2.0f);
    float r = (x - k * 0.5f) * 3.14159265f;
    return __ws_sin_of((unsigned int)(int)k + 1, r);
}
__device__ void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
// atan of 0 <= x <= 1.
__device__ float __ws_atan01(float x)
{
    bool upper = x > 0.414213562f;
    float t = upper ? (x - 1.0f) / (x + 1.0f) : x;
    float z = t * t;
    float p = -6.073826924e-02f;
    p = p * z + 1.059239209e-01f;
    p = p * z - 1.424338818e-01f;
    p = p * z + 1.999846697e-01f;
    p = p * z - 3.333331645e-01f;
    float v = t + t * z * p;
    return upper ? 0.785398163f + v : v;
}
__device__ float atanf(float x)
{
    float a = fabsf(x);
    float v = a > 1.0f ? 1.57079633f - __ws_atan01(1.0f / a) : __ws_atan01(a);
    return x != x ? x : copysignf(v, x);
}
__device__ float atan2f(float y, float x)
{
    if (x != x || y != y)
        return x + y;
    float ax = fabsf(x), ay = fabsf(y);
    float high = fmaxf(ax, ay), low = fminf(ax, ay);
    float t = high == 0.0f ? 0.0f : (low == HUGE_VALF ? 1.0f : low / high);
    float v = __ws_atan01(t);
    if (ay > ax)
        v = 1.57079633f - v;
    if (__float_as_int(x) < 0)
        v = 3.14159274f - v;
    return copysignf(v, y);
}
// asin of |x| <= 1/2.
__device__ float __ws_asin_poly(float x)
{
    float z = x * x;
    float p = 4.227780923e-02f;
    p = p * z + 2.411495335e-02f;
    p = p * z + 4.548322782e-02f;
    p = p * z + 7.495196909e-02f;
    p = p * z + 1.666675508e-01f;
    return x + x * z * p;
}
__device__ float asinf(float x)
{
    float a = fabsf(x);
    if (a <= 0.5f)
        return __ws_asin_poly(x);
    float v = 1.57079633f - 2.0f * __ws_asin_poly(sqrtf(0.5f * (1.0f - a)));
    return copysignf(v, x);
}
__device__ float acosf(float x)
{
    float a = fabsf(x);
    if (a <= 0.5f)
        return 1.57079633f - __ws_asin_poly(x);
    float v = 2.0f * __ws_asin_poly(sqrtf(0.5f * (1.0f - a)));
    return x < 0.0f ? 3.14159274f - v : v;
}

// ---- float: hyperbolic functions

// As nvcc 13 for 7.5 and 9.0; assumed from 2.0 on: 1 - 2 / (1 + e to the 2 |x|), and a polynomial near 0.
__device__ float tanhf(float x)
{
    float a = fabsf(x);
    float e = __ws_mufu_ex2(__fmul_rn(a, 2.885390043258667f));
    float z = __fmul_rn(x, x);
    float p = __fmaf_rn(z, 0.01573968306183815f, -0.052303962409496307f);
    p = __fmaf_rn(z, p, 0.13315297662162781f);
    p = __fmaf_rn(z, p, -0.33332768082618713f);
    p = __fmul_rn(z, p);
    float v = __fmaf_rn(__ws_mufu_rcp(__fadd_rn(e, 1.0f)), -2.0f, 1.0f);
    v = copysignf(a >= 9.010913848876953f ? 1.0f : v, x);
    return a >= 0.6000000238418579f ? v : __fmaf_rn(x, p, x);
}
// For 1.x, which has no fused multiply-add.
__device__ float __ws_tanhf_1(float x)
{
    float a = fabsf(x);
    if (a < 0.55f) {
        float z = x * x;
        float p = -6.207480095e-03f;
        p = p * z + 2.102725953e-02f;
        p = p * z - 5.384229124e-02f;
        p = p * z + 1.333249956e-01f;
        p = p * z - 3.333331645e-01f;
        return x + x * z * p;
    }
    float v = 1.0f - 2.0f / (expf(2.0f * a) + 1.0f);
    return x != x ? x : copysignf(v, x);
}
__device__ float sinhf(float x)
{
    float a = fabsf(x);
    if (a < 1.0f) {
        float z = x * x;
        float p = 2.75573192e-06f;
        p = p * z + 1.98412698e-04f;
        p = p * z + 8.33333333e-03f;
        p = p * z + 1.66666667e-01f;
        return x + x * z * p;
    }
    // Half of e to the a, in an order that does not overflow early.
    float h = expf(a - 0.6875f) * 0.99436873f;
    return copysignf(h - 0.25f / h, x);
}
__device__ float coshf(float x)
{
    float h = expf(fabsf(x) - 0.6875f) * 0.99436873f;
    return h + 0.25f / h;
}
__device__ float asinhf(float x)
{
    float a = fabsf(x);
    float v = a > 1.0e9f ? logf(a) + 0.693147181f : log1pf(a + a * a / (1.0f + sqrtf(a * a + 1.0f)));
    return copysignf(v, x);
}
__device__ float acoshf(float x)
{
    float t = x - 1.0f;
    if (!(x >= 1.0f))
        return NAN;
    return x > 1.0e9f ? logf(x) + 0.693147181f : log1pf(t + sqrtf(2.0f * t + t * t));
}
__device__ float atanhf(float x) { return copysignf(0.5f * log1pf(2.0f * fabsf(x) / (1.0f - fabsf(x))), x); }

// ---- float: error function

// erfc(x) for x >= 1/2.
__device__ float __ws_erfc_tail(float x)
{
    float t = 1.0f / (1.0f + 0.5f * x);
    float p = -6.684724707e-03f;
    p = p * t - 4.395507276e-02f;
    p = p * t + 2.904446125e-01f;
    p = p * t - 5.410814881e-01f;
    p = p * t + 3.552593291e-01f;
    p = p * t - 8.331957459e-02f;
    p = p * t + 2.273608744e-01f;
    p = p * t + 2.365531027e-01f;
    p = p * t + 2.834081352e-01f;
    p = p * t + 2.819983959e-01f;
    p = p * t + 3.092025281e-06f;
    // e to the -x*x: the square's high part is exact.
    float h = __ws_high(x);
    return expf(-(h * h)) * expf(-((x - h) * (x + h))) * p;
}
__device__ float __ws_erf_poly(float x)
{
    float z = x * x;
    float p = 7.889122935e-05f;
    p = p * z - 8.020842215e-04f;
    p = p * z + 5.189535674e-03f;
    p = p * z - 2.685444430e-02f;
    p = p * z + 1.128360033e-01f;
    p = p * z - 3.761262596e-01f;
    p = p * z + 1.128379107e+00f;
    return x * p;
}
__device__ float erff(float x)
{
    float a = fabsf(x);
    if (a < 1.0f)
        return __ws_erf_poly(x);
    float v = a > 4.0f ? 1.0f : 1.0f - __ws_erfc_tail(a);
    return x != x ? x : copysignf(v, x);
}
__device__ float erfcf(float x)
{
    float a = fabsf(x);
    if (a < 0.5f)
        return 1.0f - __ws_erf_poly(x);
    float v = a > 10.1f ? 0.0f : __ws_erfc_tail(a);
    return x != x ? x : (x < 0.0f ? 2.0f - v : v);
}
__device__ float normcdff(float x) { return 0.5f * erfcf(x * -0.707106781f); }

// ---- float: remainders

__device__ float fmodf(float x, float y)
{
    float a = fabsf(x), b = fabsf(y);
    if (!(a < HUGE_VALF) || b == 0.0f || y != y)
        return NAN;
    if (a < b)
        return x;
    int ka, kb;
    unsigned int m = (unsigned int)(frexpf(a, &ka) * 16777216.0f);
    unsigned int d = (unsigned int)(frexpf(b, &kb) * 16777216.0f);
    // Long division, bit by bit; exact.
    for (int i = ka - kb; i > 0; --i) {
        if (m >= d)
            m -= d;
        m <<= 1;
    }
    if (m >= d)
        m -= d;
    return copysignf(ldexpf((float)m, kb - 24), x);
}
__device__ float remainderf(float x, float y)
{
    float b = fabsf(y);
    if (!(fabsf(x) < HUGE_VALF) || b == 0.0f || y != y)
        return NAN;
    float r = fabsf(b < 1.0e38f ? fmodf(x, b + b) : x);
    float half = 0.5f * b;
    if (r > half) {
        r -= b;
        if (r >= half)
            r -= b;
    }
    return copysignf(1.0f, x) * r;
}
