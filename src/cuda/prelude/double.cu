// Functions on double. Every chip with double precision has a fused multiply-add for it, so that
// fma(a, b, -(a * b)) is the rounding error of a product.

// ---- double: exponentials and logarithms

// (e to the power of r, minus 1 + r + r * r / 2) / (r * r * r), for |r| <= 0.35.
__device__ double __ws_exp_polyd(double r)
{
    double p = 2.092608394242407e-09;
    p = p * r + 2.5112661533049754e-08;
    p = p * r + 2.75572373444382e-07;
    p = p * r + 2.7557233072414943e-06;
    p = p * r + 2.4801587366674807e-05;
    p = p * r + 0.00019841269898165188;
    p = p * r + 0.0013888888888864386;
    p = p * r + 0.008333333333316324;
    p = p * r + 0.0416666666666667;
    p = p * r + 0.16666666666666685;
    return p;
}
// e to the power of r, minus 1, for |r| <= 0.35.
__device__ double __ws_expm1_poly(double r)
{
    double z = r * r;
    return r + (0.5 * z + z * r * __ws_exp_polyd(r));
}
__device__ double __ws_scaled(double v, int k)
{
    int half = k >> 1;
    return v * __ws_pow2d(half) * __ws_pow2d(k - half);
}
__device__ double exp(double x)
{
    double c = fmin(fmax(x, -746.0), 710.0);
    double k = rint(c * 1.4426950408889634);
    double r = c - k * 0.6931471805598903;
    r = r - k * 5.497923018708371e-14;
    double v = __ws_scaled(1.0 + __ws_expm1_poly(r), (int)k);
    return x != x ? x : v;
}
__device__ double exp2(double x)
{
    double c = fmin(fmax(x, -1080.0), 1025.0);
    double k = rint(c);
    double v = __ws_scaled(1.0 + __ws_expm1_poly((c - k) * 0.6931471805599453), (int)k);
    return x != x ? x : v;
}
__device__ double exp10(double x)
{
    double c = fmin(fmax(x, -325.0), 309.0);
    double k = rint(c * 3.321928094887362);
    double r = c - k * 0.30102999566395283;
    r = r - k * 2.8363394551044964e-14;
    double v = __ws_scaled(1.0 + __ws_expm1_poly(r * 2.302585092994046), (int)k);
    return x != x ? x : v;
}
__device__ double expm1(double x)
{
    if (!(x > -40.0))
        return x != x ? x : -1.0;
    if (x > 700.0)
        return exp(x);
    double k = rint(x * 1.4426950408889634);
    double r = x - k * 0.6931471805598903;
    r = r - k * 5.497923018708371e-14;
    double s = __ws_pow2d((int)k);
    return s * __ws_expm1_poly(r) + (s - 1.0);
}

// log(1 + f) for 1 + f from sqrt(1/2) to sqrt(2): 2 atanh(f / (2 + f)).
__device__ double __ws_log1pd(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0.07398556892091472;
    p = p * z + 0.07656970506366202;
    p = p * z + 0.09091784163440082;
    p = p * z + 0.11111099250982007;
    p = p * z + 0.1428571437151044;
    p = p * z + 0.19999999999706067;
    p = p * z + 0.33333333333333676;
    return f - s * (f - 2.0 * z * p);
}
// x = 2 to the e times (1 + f); x is positive and finite. Gives e.
__device__ int __ws_exponent(double x)
{
    int e = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        e = -54;
    }
    return e + ((__double2hiint(x) - 0x3fe6a09f) >> 20);
}
// x times 2 to the -e, exactly.
__device__ double __ws_mantissa(double x, int e)
{
    int half = e >> 1;
    return x * __ws_pow2d(-half) * __ws_pow2d(half - e);
}
__device__ double __ws_log_speciald(double x)
{
    if (x == 0.0)
        return -HUGE_VAL;
    return x < 0.0 ? __longlong_as_double(0xfff8000000000000ll) : x;
}
__device__ double log(double x)
{
    if (!(x > 0.0) || x == HUGE_VAL)
        return __ws_log_speciald(x);
    int e = __ws_exponent(x);
    double r = __ws_log1pd(__ws_mantissa(x, e) - 1.0);
    return e * 0.6931471805598903 + (e * 5.497923018708371e-14 + r);
}
__device__ double log2(double x)
{
    if (!(x > 0.0) || x == HUGE_VAL)
        return __ws_log_speciald(x);
    int e = __ws_exponent(x);
    double r = __ws_log1pd(__ws_mantissa(x, e) - 1.0);
    return e + (r * 1.4426950408889634 + r * 2.0355273740931033e-17);
}
__device__ double log10(double x)
{
    if (!(x > 0.0) || x == HUGE_VAL)
        return __ws_log_speciald(x);
    int e = __ws_exponent(x);
    double r = __ws_log1pd(__ws_mantissa(x, e) - 1.0);
    return e * 0.30102999566395283 + (e * 2.8363394551044964e-14 + r * 0.4342944819032518);
}
__device__ double log1p(double x)
{
    if (x > -0.29 && x < 0.41)
        return __ws_log1pd(x);
    double u = 1.0 + x;
    if (!(u > 0.0) || u == HUGE_VAL)
        return __ws_log_speciald(u);
    double lost = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
    return log(u) + lost / u;
}

// ---- double: powers

// x to the y for positive finite x that is not 1 and finite y. The logarithm and the exponent are sums of two doubles.
__device__ double __ws_powd(double x, double y)
{
    int k = __ws_exponent(x);
    double e = k;
    double f = __ws_mantissa(x, k) - 1.0;
    // log(1 + f) = 2 atanh(f / (2 + f)), the quotient as q + ql.
    double d = 2.0 + f;
    double dl = f - (d - 2.0);
    double q = f / d;
    double ql = (fma(-q, d, f) - q * dl) / d;
    // The square as z + zl.
    double z = q * q;
    double zl = fma(q, q, -z) + 2.0 * q * ql;
    double p = 0.0645701135847418;
    p = p * z + 0.06642962328621099;
    p = p * z + 0.07692787891410022;
    p = p * z + 0.09090904117001572;
    p = p * z + 0.11111111135592656;
    p = p * z + 0.14285714285669163;
    p = p * z + 0.20000000000000012;
    // 1/3 + z p as c + cl.
    double t = z * p;
    double c = 0.3333333333333333 + t;
    double cl = t - (c - 0.3333333333333333) + 1.850371707708594e-17;
    // The cube of the quotient, times c.
    double m = q * z;
    double ml = fma(q, z, -m) + (q * zl + ql * z);
    double v = m * c;
    double vl = fma(m, c, -v) + (m * cl + ml * c);
    double a = q + v;
    double al = v - (a - q) + (ql + vl);
    // log2(1 + f) as h + l; 2 / ln 2 is 2.8853900817779268 + 4.07e-17.
    double h = a * 2.8853900817779268;
    double l = fma(a, 2.8853900817779268, -h) + (al * 2.8853900817779268 + a * 4.0710547481862066e-17);
    double s = e + h;
    l = l + (e == 0.0 ? 0.0 : h - (s - e));
    h = s + l;
    l = l - (h - s);
    // y log2(x) as g + b, without its integral part n.
    double g = y * h;
    if (fabs(g) > 1200.0)
        return g > 0.0 ? HUGE_VAL : 0.0;
    double b = fma(y, h, -g) + y * l;
    double n = rint(g);
    double w = g - n;
    double r = w + b;
    double rl = b - (r - w);
    // 2 to the r as 1 + u + u^2 / 2 + ...; u + ul is r ln 2.
    double u = r * 0.6931471805599453;
    double ul = fma(r, 0.6931471805599453, -u) + (r * 2.3190468138462996e-17 + rl * 0.6931471805599453);
    // The first three terms as a sum and its rounding errors.
    double square = u * u;
    double half = 0.5 * square;
    double first = 1.0 + u;
    double lost = u - (first - 1.0);
    double sum = first + half;
    lost = lost + (half - (sum - first));
    lost = lost + (0.5 * fma(u, u, -square) + (ul + u * ul) + square * u * __ws_exp_polyd(u));
    return __ws_scaled(sum + lost, (int)n);
}
__device__ double pow(double x, double y)
{
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    double ax = fabs(x), ay = fabs(y);
    bool whole = trunc(y) == y;
    bool odd = whole && ay < 9007199254740992.0 && trunc(y * 0.5) != y * 0.5;
    double v;
    if (ax == 0.0 || ax == HUGE_VAL)
        v = (ax == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
    else if (x < 0.0 && !whole)
        return __longlong_as_double(0xfff8000000000000ll);
    else if (ax == 1.0)
        v = 1.0;
    else if (ay == HUGE_VAL)
        v = (ax > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
    else
        v = __ws_powd(ax, y);
    return __double2hiint(x) < 0 && odd ? -v : v;
}
__device__ double cbrt(double x)
{
    double a = fabs(x);
    if (a == 0.0 || !(a < HUGE_VAL))
        return x + x;
    double t = exp(log(a) * 0.3333333333333333);
    double tt = t * t;
    double cube = tt * t;
    double d = (cube - a) + (fma(tt, t, -cube) + fma(t, t, -tt) * t);
    if (tt > 1.0e-200)
        t = t - d / (3.0 * tt);
    return copysign(t, x);
}
__device__ double rcbrt(double x) { return 1.0 / cbrt(x); }
__device__ double hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    double high = fmax(a, b), low = fmin(a, b);
    if (high == HUGE_VAL)
        return HUGE_VAL;
    if (x != x || y != y)
        return x + y;
    if (high == 0.0)
        return 0.0;
    int k = min(max((__double2hiint(high) >> 20) - 1023, -1000), 1000);
    double s = __ws_pow2d(-k);
    high *= s;
    low *= s;
    return sqrt(high * high + low * low) * __ws_pow2d(k);
}

// ---- double: angles

__device__ double __ws_reduce_larged(double x, int *quadrant)
{
    // 64 zero bits, then the bits of 2 / pi.
    static const unsigned long long bits[20] = {
        0ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
        0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
        0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
        0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
        0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};
    unsigned long long field = __double_as_longlong(x);
    unsigned long long m = (field & 0x000fffffffffffffull) | 0x0010000000000000ull;
    int first = (int)(field >> 52 & 2047) - 1075 + 62;
    int word = first >> 6;
    int shift = first & 63;
    unsigned long long high = bits[word] << shift, mid = bits[word + 1] << shift, low = bits[word + 2] << shift;
    if (shift != 0) {
        high |= bits[word + 1] >> (64 - shift);
        mid |= bits[word + 2] >> (64 - shift);
        low |= bits[word + 3] >> (64 - shift);
    }
    unsigned long long t = __umul64hi(m, low);
    unsigned long long pl = m * mid + t;
    unsigned long long ph = m * high + __umul64hi(m, mid) + (pl < t ? 1 : 0);
    int q = (int)(ph >> 62);
    ph = ph << 2 | pl >> 62;
    pl <<= 2;
    bool negative = (long long)ph < 0;
    if (negative) {
        q += 1;
        pl = 0ull - pl;
        ph = ~ph + (pl == 0 ? 1 : 0);
    }
    int n = __clzll(ph);
    if (n != 0)
        ph = ph << n | pl >> (64 - n);
    double r = (double)ph * 8.515303950216386e-20 * __ws_pow2d(-n);
    bool flip = (long long)field < 0;
    *quadrant = flip ? -q : q;
    return negative != flip ? -r : r;
}
__device__ double __ws_reduced(double x, int *quadrant)
{
    if (fabs(x) < 1.6e6) {
        double k = rint(x * 0.6366197723675814);
        double r = x - k * 1.5707963267341256;
        r = r - k * 6.077100506303966e-11;
        *quadrant = (int)k;
        return r - k * 2.0222662487959506e-21;
    }
    return __ws_reduce_larged(x, quadrant);
}
__device__ double __ws_sin_polyd(double r)
{
    double z = r * r;
    double p = 1.5893583696334498e-10;
    p = p * z - 2.5050704036026567e-08;
    p = p * z + 2.7557313355993326e-06;
    p = p * z - 0.00019841269828870076;
    p = p * z + 0.008333333333321286;
    p = p * z - 0.16666666666666627;
    return r + r * z * p;
}
__device__ double __ws_cos_polyd(double r)
{
    double z = r * r;
    double p = -1.135744876392109e-11;
    p = p * z + 2.08756818829337e-09;
    p = p * z - 2.755731405661514e-07;
    p = p * z + 2.480158728849229e-05;
    p = p * z - 0.00138888888888726;
    p = p * z + 0.04166666666666659;
    double h = 0.5 * z;
    double w = 1.0 - h;
    return w + (((1.0 - w) - h) + z * z * p);
}
__device__ double __ws_sin_ofd(int quadrant, double r)
{
    double v = (quadrant & 1) != 0 ? __ws_cos_polyd(r) : __ws_sin_polyd(r);
    return (quadrant & 2) != 0 ? -v : v;
}
__device__ double sin(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    int quadrant;
    double r = __ws_reduced(x, &quadrant);
    return x == 0.0 ? x : __ws_sin_ofd(quadrant, r);
}
__device__ double cos(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    int quadrant;
    double r = __ws_reduced(x, &quadrant);
    return __ws_sin_ofd(quadrant + 1, r);
}
__device__ double tan(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    int quadrant;
    double r = __ws_reduced(x, &quadrant);
    double s = __ws_sin_polyd(r), c = __ws_cos_polyd(r);
    if (x == 0.0)
        return x;
    return (quadrant & 1) != 0 ? -c / s : s / c;
}
__device__ void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
__device__ double sinpi(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    if (fabs(x) >= 1073741824.0)
        x = x - 2.0 * trunc(x * 0.5);
    double k = rint(x * 2.0);
    return __ws_sin_ofd((int)k, (x - k * 0.5) * 3.141592653589793);
}
__device__ double cospi(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    if (fabs(x) >= 1073741824.0)
        x = x - 2.0 * trunc(x * 0.5);
    double k = rint(x * 2.0);
    return __ws_sin_ofd((int)k + 1, (x - k * 0.5) * 3.141592653589793);
}
__device__ void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
__device__ double __ws_atan01d(double x)
{
    bool upper = x > 0.41421356237309503;
    double t = upper ? (x - 1.0) / (x + 1.0) : x;
    double z = t * t;
    double p = 0.021269026973771508;
    p = p * z - 0.04359933171796139;
    p = p * z + 0.05692862285594243;
    p = p * z - 0.06641189897053076;
    p = p * z + 0.07690077075621672;
    p = p * z - 0.0909078310160637;
    p = p * z + 0.11111106686243562;
    p = p * z - 0.14285714196137178;
    p = p * z + 0.19999999999100512;
    p = p * z - 0.33333333333330206;
    double v = t + t * z * p;
    return upper ? 0.7853981633974483 + (v + 3.061616997868383e-17) : v;
}
__device__ double atan(double x)
{
    double a = fabs(x);
    double v = a > 1.0 ? 1.5707963267948966 - (__ws_atan01d(1.0 / a) - 6.123233995736766e-17) : __ws_atan01d(a);
    return x != x ? x : copysign(v, x);
}
__device__ double atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    double ax = fabs(x), ay = fabs(y);
    double high = fmax(ax, ay), low = fmin(ax, ay);
    double t = high == 0.0 ? 0.0 : (low == HUGE_VAL ? 1.0 : low / high);
    double v = __ws_atan01d(t);
    if (ay > ax)
        v = 1.5707963267948966 - (v - 6.123233995736766e-17);
    if (__double2hiint(x) < 0)
        v = 3.141592653589793 - (v - 1.2246467991473532e-16);
    return copysign(v, y);
}
__device__ double __ws_asin_polyd(double x)
{
    double z = x * x;
    double p = 0.03198012365164958;
    p = p * z - 0.016324255467626562;
    p = p * z + 0.01959267463957333;
    p = p * z + 0.006504177871001241;
    p = p * z + 0.012174776923879504;
    p = p * z + 0.01388437806781076;
    p = p * z + 0.017359792548089985;
    p = p * z + 0.022371752168059818;
    p = p * z + 0.030381959384464193;
    p = p * z + 0.04464285682229271;
    p = p * z + 0.07500000000344322;
    p = p * z + 0.16666666666665378;
    return x + x * z * p;
}
__device__ double asin(double x)
{
    double a = fabs(x);
    if (a <= 0.5)
        return __ws_asin_polyd(x);
    double v = 1.5707963267948966 - (2.0 * __ws_asin_polyd(sqrt(0.5 * (1.0 - a))) - 6.123233995736766e-17);
    return copysign(v, x);
}
__device__ double acos(double x)
{
    double a = fabs(x);
    if (a <= 0.5)
        return 1.5707963267948966 - (__ws_asin_polyd(x) - 6.123233995736766e-17);
    double v = 2.0 * __ws_asin_polyd(sqrt(0.5 * (1.0 - a)));
    return x < 0.0 ? 3.141592653589793 - (v - 1.2246467991473532e-16) : v;
}

// ---- double: hyperbolic functions

__device__ double tanh(double x)
{
    double a = fabs(x);
    double t = expm1(2.0 * fmin(a, 30.0));
    return x != x ? x : copysign(t / (t + 2.0), x);
}
// Half of e to the a, in an order that does not overflow early.
__device__ double __ws_half_exp(double a)
{
    double h = exp(0.5 * a);
    return 0.5 * h * h;
}
__device__ double sinh(double x)
{
    double a = fabs(x);
    if (a > 20.0)
        return copysign(__ws_half_exp(a), x);
    double t = expm1(a);
    return copysign(0.5 * (t + t / (t + 1.0)), x);
}
__device__ double cosh(double x)
{
    double a = fabs(x);
    if (a > 20.0)
        return __ws_half_exp(a);
    double t = exp(a);
    return 0.5 * t + 0.5 / t;
}
__device__ double asinh(double x)
{
    double a = fabs(x);
    double v = a > 1.0e9 ? log(a) + 0.6931471805599453 : log1p(a + a * a / (1.0 + sqrt(a * a + 1.0)));
    return copysign(v, x);
}
__device__ double acosh(double x)
{
    double t = x - 1.0;
    if (!(x >= 1.0))
        return __longlong_as_double(0xfff8000000000000ll);
    return x > 1.0e9 ? log(x) + 0.6931471805599453 : log1p(t + sqrt(2.0 * t + t * t));
}
__device__ double atanh(double x)
{
    double a = fabs(x);
    return copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}

// ---- double: error function

// erfc(x) for x >= 1/2.
__device__ double __ws_erfc_taild(double x)
{
    double t = 1.0 / (1.0 + 0.5 * x);
    double p = -0.07066606796044178;
    p = p * t + 0.5599439511040526;
    p = p * t - 1.9679188596313983;
    p = p * t + 3.9518334165037245;
    p = p * t - 4.767963285241897;
    p = p * t + 3.0543572148224585;
    p = p * t - 0.022277670662611184;
    p = p * t - 1.7833661096307256;
    p = p * t + 1.661823651715417;
    p = p * t - 0.9223293481295688;
    p = p * t + 0.4547756254492064;
    p = p * t - 0.1300158228683746;
    p = p * t - 0.023253561510768447;
    p = p * t - 0.06232867388132781;
    p = p * t - 0.003613736986505001;
    p = p * t + 0.08366089930845859;
    p = p * t + 0.17631618056425233;
    p = p * t + 0.24683254079693073;
    p = p * t + 0.28209480754047733;
    p = p * t + 0.2820947914005133;
    p = p * t + 4.018315716949241e-12;
    // e to the -x*x: the square's high part is exact.
    double h = __hiloint2double(__double2hiint(x), 0);
    return exp(-(h * h)) * exp(-((x - h) * (x + h))) * p;
}
__device__ double __ws_erf_polyd(double x)
{
    double z = x * x;
    double p = 5.960685709111192e-11;
    p = p * z - 1.1374955220740397e-09;
    p = p * z + 1.4660328375099376e-08;
    p = p * z - 1.635039613515968e-07;
    p = p * z + 1.6461008465679706e-06;
    p = p * z - 1.492559577115244e-05;
    p = p * z + 0.00012055331132900081;
    p = p * z - 0.0008548326981423608;
    p = p * z + 0.005223977624828389;
    p = p * z - 0.02686617064507787;
    p = p * z + 0.11283791670954885;
    p = p * z - 0.3761263890318375;
    p = p * z + 1.1283791670955126;
    return x * p;
}
__device__ double erf(double x)
{
    double a = fabs(x);
    if (a < 1.0)
        return __ws_erf_polyd(x);
    double v = a > 6.0 ? 1.0 : 1.0 - __ws_erfc_taild(a);
    return x != x ? x : copysign(v, x);
}
__device__ double erfc(double x)
{
    double a = fabs(x);
    if (a < 0.5)
        return 1.0 - __ws_erf_polyd(x);
    double v = a > 27.3 ? 0.0 : __ws_erfc_taild(a);
    return x != x ? x : (x < 0.0 ? 2.0 - v : v);
}

// ---- double: remainders and parts

__device__ double frexp(double x, int *e)
{
    double a = x;
    int k = 0;
    if (fabs(a) < 2.2250738585072014e-308) {
        a *= 18014398509481984.0;
        k = -54;
    }
    int high = __double2hiint(a);
    int field = high >> 20 & 2047;
    if (x == 0.0 || field == 2047) {
        *e = 0;
        return x;
    }
    *e = k + field - 1022;
    return __hiloint2double((high & 0x800fffff) | 0x3fe00000, __double2loint(a));
}
__device__ double modf(double x, double *whole)
{
    double t = trunc(x);
    *whole = t;
    return copysign(isinf(x) ? 0.0 : x - t, x);
}
__device__ int ilogb(double x)
{
    if (x == 0.0 || isnan(x))
        return INT_MIN;
    if (isinf(x))
        return INT_MAX;
    int k;
    frexp(x, &k);
    return k - 1;
}
__device__ double logb(double x)
{
    if (x == 0.0)
        return -HUGE_VAL;
    if (!isfinite(x))
        return x * x;
    int k;
    frexp(x, &k);
    return k - 1;
}
__device__ double fmod(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (!(a < HUGE_VAL) || b == 0.0 || y != y)
        return __longlong_as_double(0xfff8000000000000ll);
    if (a < b)
        return x;
    int ka, kb;
    unsigned long long m = (unsigned long long)(frexp(a, &ka) * 9007199254740992.0);
    unsigned long long d = (unsigned long long)(frexp(b, &kb) * 9007199254740992.0);
    for (int i = ka - kb; i > 0; --i) {
        if (m >= d)
            m -= d;
        m <<= 1;
    }
    if (m >= d)
        m -= d;
    return copysign(ldexp((double)m, kb - 53), x);
}
__device__ double remainder(double x, double y)
{
    double b = fabs(y);
    if (!(fabs(x) < HUGE_VAL) || b == 0.0 || y != y)
        return __longlong_as_double(0xfff8000000000000ll);
    double r = fabs(b < 8.0e307 ? fmod(x, b + b) : x);
    double half = 0.5 * b;
    if (r > half) {
        r -= b;
        if (r >= half)
            r -= b;
    }
    return copysign(1.0, x) * r;
}

// ---- C++ overloads on float

#define WS_FLOAT(name) \
    __device__ float name(float x) { return name##f(x); }
#define WS_FLOAT2(name) \
    __device__ float name(float x, float y) { return name##f(x, y); }
WS_FLOAT(exp) WS_FLOAT(exp2) WS_FLOAT(exp10) WS_FLOAT(expm1) WS_FLOAT(log) WS_FLOAT(log2) WS_FLOAT(log10)
WS_FLOAT(log1p) WS_FLOAT(cbrt) WS_FLOAT(rcbrt) WS_FLOAT(sin) WS_FLOAT(cos) WS_FLOAT(tan) WS_FLOAT(sinpi)
WS_FLOAT(cospi) WS_FLOAT(asin) WS_FLOAT(acos) WS_FLOAT(atan) WS_FLOAT(sinh) WS_FLOAT(cosh) WS_FLOAT(tanh)
WS_FLOAT(asinh) WS_FLOAT(acosh) WS_FLOAT(atanh) WS_FLOAT(erf) WS_FLOAT(erfc) WS_FLOAT(logb)
WS_FLOAT2(pow) WS_FLOAT2(atan2) WS_FLOAT2(fmod) WS_FLOAT2(hypot) WS_FLOAT2(remainder) WS_FLOAT2(fdim)
__device__ long lround(float x) { return lroundf(x); }
__device__ long long llround(float x) { return llroundf(x); }
__device__ long lrint(float x) { return lrintf(x); }
__device__ long long llrint(float x) { return llrintf(x); }
__device__ float scalbn(float x, int k) { return ldexpf(x, k); }
__device__ float frexp(float x, int *e) { return frexpf(x, e); }
__device__ float modf(float x, float *whole) { return modff(x, whole); }
__device__ int ilogb(float x) { return ilogbf(x); }

// The string, which selects the payload in other implementations, is ignored.
__device__ double nan(const char *tag) { return __longlong_as_double(0x7ff8000000000000ll); }

// ---- parts and neighbors

__device__ float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return copysignf(__int_as_float(1), y);
    return __int_as_float(__float_as_int(x) + ((x < y) == (x > 0.0f) ? 1 : -1));
}
__device__ double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return copysign(__longlong_as_double(1), y);
    return __longlong_as_double(__double_as_longlong(x) + ((x < y) == (x > 0.0) ? 1 : -1));
}
__device__ float scalblnf(float x, long k) { return ldexpf(x, (int)min(max(k, -2200l), 2200l)); }
__device__ double scalbln(double x, long k) { return ldexp(x, (int)min(max(k, -2200l), 2200l)); }
// The quotient's sign and its low bits: three are required.
__device__ float remquof(float x, float y, int *quotient)
{
    float r = remainderf(x, y);
    *quotient = 0;
    if (r != r)
        return r;
    // x is within 8 |y| of r after this, so that the quotient is small and exact.
    float near = fabsf(y) < 4.0e37f ? fmodf(x, 8.0f * y) : x;
    int q = (int)rintf((near - r) / y);
    *quotient = (__float_as_int(x) ^ __float_as_int(y)) < 0 ? -(abs(q) & 7) : abs(q) & 7;
    return r;
}
__device__ double remquo(double x, double y, int *quotient)
{
    double r = remainder(x, y);
    *quotient = 0;
    if (r != r)
        return r;
    double near = fabs(y) < 2.0e307 ? fmod(x, 8.0 * y) : x;
    int q = (int)rint((near - r) / y);
    *quotient = (__double2hiint(x) ^ __double2hiint(y)) < 0 ? -(abs(q) & 7) : abs(q) & 7;
    return r;
}

// ---- norms

__device__ double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
__device__ double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
__device__ double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
__device__ float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
__device__ float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
__device__ double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
__device__ double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
__device__ float normf(int num, const float *x)
{
    float sum = 0.0f;
    for (int i = 0; i < num; i++)
        sum = hypotf(sum, x[i]);
    return sum;
}
__device__ double norm(int num, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < num; i++)
        sum = hypot(sum, x[i]);
    return sum;
}
__device__ float rnormf(int num, const float *x) { return 1.0f / normf(num, x); }
__device__ double rnorm(int num, const double *x) { return 1.0 / norm(num, x); }

// ---- C++ overloads on float

__device__ float nextafter(float x, float y) { return nextafterf(x, y); }
__device__ float scalbln(float x, long k) { return scalblnf(x, k); }
__device__ float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
__device__ float normcdf(float x) { return normcdff(x); }
__device__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__device__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

// ---- older names

__device__ int __finite(double x) { return isfinite(x); }
__device__ int __finitef(float x) { return isfinite(x); }
__device__ int __isfinited(double x) { return isfinite(x); }
__device__ int __isfinitef(float x) { return isfinite(x); }
__device__ int __isinf(double x) { return isinf(x); }
__device__ int __isinfd(double x) { return isinf(x); }
__device__ int __isinff(float x) { return isinf(x); }
__device__ int __isnan(double x) { return isnan(x); }
__device__ int __isnand(double x) { return isnan(x); }
__device__ int __isnanf(float x) { return isnan(x); }
__device__ int __signbit(double x) { return signbit(x); }
__device__ int __signbitd(double x) { return signbit(x); }
__device__ int __signbitf(float x) { return signbit(x); }
