// Complex numbers: NVIDIA CCCL documentation, "Thrust: Complex Numbers", and <complex>.

#define _GLIBCXX_COMPLEX 1

#include <limits>
#include <utility>

namespace thrust {

template <typename T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    T x;
    T y;
    __device__ constexpr complex() : x(), y() {}
    __device__ constexpr complex(const T &re) : x(re), y() {}
    __device__ constexpr complex(const T &re, const T &im) : x(re), y(im) {}
    template <typename U> __device__ constexpr complex(const complex<U> &z) : x((T)z.x), y((T)z.y) {}
    __device__ constexpr T real() const { return x; }
    __device__ constexpr T imag() const { return y; }
    __device__ void real(T re) { x = re; }
    __device__ void imag(T im) { y = im; }
    template <typename U> __device__ complex &operator+=(const complex<U> &z) {
        *this = *this + z;
        return *this;
    }
    template <typename U> __device__ complex &operator-=(const complex<U> &z) {
        *this = *this - z;
        return *this;
    }
    template <typename U> __device__ complex &operator*=(const complex<U> &z) {
        *this = *this * z;
        return *this;
    }
    template <typename U> __device__ complex &operator/=(const complex<U> &z) {
        *this = *this / z;
        return *this;
    }
    __device__ complex &operator+=(const T &re) {
        x += re;
        return *this;
    }
    __device__ complex &operator-=(const T &re) {
        x -= re;
        return *this;
    }
    __device__ complex &operator*=(const T &re) {
        x *= re;
        y *= re;
        return *this;
    }
    __device__ complex &operator/=(const T &re) {
        x /= re;
        y /= re;
        return *this;
    }
};

// Both of one type, or of float and double.
template <typename T> __device__ complex<T> operator+(const complex<T> &a, const complex<T> &b) {
    return complex<T>(a.x + b.x, a.y + b.y);
}
template <typename T> __device__ complex<T> operator-(const complex<T> &a, const complex<T> &b) {
    return complex<T>(a.x - b.x, a.y - b.y);
}
template <typename T> __device__ complex<T> operator*(const complex<T> &a, const complex<T> &b) {
    return complex<T>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
// Scaled by the magnitude of the divisor to avoid intermediate overflow.
template <typename T> __device__ complex<T> operator/(const complex<T> &a, const complex<T> &b) {
    const T scale = (T)1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    const T whole = (T)1 / (bx * bx + by * by);
    return complex<T>((ax * bx + ay * by) * whole, (ay * bx - ax * by) * whole);
}
template <typename T> __device__ bool operator==(const complex<T> &a, const complex<T> &b) {
    return a.x == b.x && a.y == b.y;
}
template <typename T> __device__ bool operator!=(const complex<T> &a, const complex<T> &b) { return !(a == b); }

#define __WS_COMPLEX_MIXED(A, B) \
    __device__ inline complex<double> operator+(const complex<A> &a, const complex<B> &b) { \
        return complex<double>(a.x + b.x, a.y + b.y); \
    } \
    __device__ inline complex<double> operator-(const complex<A> &a, const complex<B> &b) { \
        return complex<double>(a.x - b.x, a.y - b.y); \
    } \
    __device__ inline complex<double> operator*(const complex<A> &a, const complex<B> &b) { \
        return complex<double>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    __device__ inline complex<double> operator/(const complex<A> &a, const complex<B> &b) { \
        return complex<double>(a.x, a.y) / complex<double>(b.x, b.y); \
    }
__WS_COMPLEX_MIXED(float, double)
__WS_COMPLEX_MIXED(double, float)

#define __WS_COMPLEX_SCALAR(T, S, R) \
    __device__ inline complex<R> operator+(const complex<T> &z, S s) { return complex<R>(z.x + (R)s, z.y); } \
    __device__ inline complex<R> operator+(S s, const complex<T> &z) { return complex<R>((R)s + z.x, z.y); } \
    __device__ inline complex<R> operator-(const complex<T> &z, S s) { return complex<R>(z.x - (R)s, z.y); } \
    __device__ inline complex<R> operator-(S s, const complex<T> &z) { return complex<R>((R)s - z.x, -z.y); } \
    __device__ inline complex<R> operator*(const complex<T> &z, S s) { return complex<R>(z.x * (R)s, z.y * (R)s); } \
    __device__ inline complex<R> operator*(S s, const complex<T> &z) { return complex<R>((R)s * z.x, (R)s * z.y); } \
    __device__ inline complex<R> operator/(const complex<T> &z, S s) { return complex<R>(z.x / (R)s, z.y / (R)s); } \
    __device__ inline complex<R> operator/(S s, const complex<T> &z) { \
        return complex<R>((R)s, (R)0) / complex<R>(z.x, z.y); \
    } \
    __device__ inline bool operator==(const complex<T> &z, S s) { return z.x == s && z.y == 0; } \
    __device__ inline bool operator!=(const complex<T> &z, S s) { return !(z.x == s && z.y == 0); }
__WS_COMPLEX_SCALAR(float, float, float)
__WS_COMPLEX_SCALAR(float, int, float)
__WS_COMPLEX_SCALAR(float, double, double)
__WS_COMPLEX_SCALAR(double, float, double)
__WS_COMPLEX_SCALAR(double, int, double)
__WS_COMPLEX_SCALAR(double, double, double)

template <typename T> __device__ complex<T> operator+(const complex<T> &z) { return z; }
template <typename T> __device__ complex<T> operator-(const complex<T> &z) { return complex<T>(-z.x, -z.y); }
#define __WS_COMPLEX_FUNCTIONS(T, HYPOT, ATAN2, SQRT, EXP, LOG, SINCOS, SINH, COSH, FABS) \
    __device__ inline T real(const complex<T> &z) { return z.x; } \
    __device__ inline T imag(const complex<T> &z) { return z.y; } \
    __device__ inline complex<T> conj(const complex<T> &z) { return complex<T>(z.x, -z.y); } \
    __device__ inline T norm(const complex<T> &z) { return z.x * z.x + z.y * z.y; } \
    __device__ inline T abs(const complex<T> &z) { return HYPOT(z.x, z.y); } \
    __device__ inline T arg(const complex<T> &z) { return ATAN2(z.y, z.x); } \
    __device__ inline complex<T> polar(const T &size, const T &angle) { \
        T sine, cosine; \
        SINCOS(angle, &sine, &cosine); \
        return complex<T>(size * cosine, size * sine); \
    } \
    __device__ inline complex<T> exp(const complex<T> &z) { \
        T sine, cosine; \
        SINCOS(z.y, &sine, &cosine); \
        const T size = EXP(z.x); \
        return z.y == 0 ? complex<T>(size, z.y) : complex<T>(size * cosine, size * sine); \
    } \
    __device__ inline complex<T> log(const complex<T> &z) { \
        return complex<T>(LOG(HYPOT(z.x, z.y)), ATAN2(z.y, z.x)); \
    } \
    __device__ inline complex<T> log10(const complex<T> &z) { return log(z) / (T)2.30258509299404568402; } \
    /* The larger part of the root from the magnitude, the other part from the product of both. */ \
    __device__ inline complex<T> sqrt(const complex<T> &z) { \
        if (z.x == 0 && z.y == 0) return complex<T>((T)0, z.y); \
        const T part = SQRT((HYPOT(z.x, z.y) + FABS(z.x)) * (T)0.5); \
        const T other = FABS(z.y) / (2 * part); \
        const T re = z.x >= 0 ? part : other, im = z.x >= 0 ? other : part; \
        return complex<T>(re, z.y < 0 ? -im : im); \
    } \
    __device__ inline complex<T> pow(const complex<T> &z, const complex<T> &power) { return exp(log(z) * power); } \
    __device__ inline complex<T> pow(const complex<T> &z, const T &power) { return exp(log(z) * power); } \
    __device__ inline complex<T> pow(const T &x, const complex<T> &power) { return exp(power * (T)LOG(x)); } \
    __device__ inline complex<T> sin(const complex<T> &z) { \
        T sine, cosine; \
        SINCOS(z.x, &sine, &cosine); \
        return complex<T>(sine * COSH(z.y), cosine * SINH(z.y)); \
    } \
    __device__ inline complex<T> cos(const complex<T> &z) { \
        T sine, cosine; \
        SINCOS(z.x, &sine, &cosine); \
        return complex<T>(cosine * COSH(z.y), -sine * SINH(z.y)); \
    } \
    __device__ inline complex<T> sinh(const complex<T> &z) { \
        T sine, cosine; \
        SINCOS(z.y, &sine, &cosine); \
        return complex<T>(SINH(z.x) * cosine, COSH(z.x) * sine); \
    } \
    __device__ inline complex<T> cosh(const complex<T> &z) { \
        T sine, cosine; \
        SINCOS(z.y, &sine, &cosine); \
        return complex<T>(COSH(z.x) * cosine, SINH(z.x) * sine); \
    } \
    __device__ inline complex<T> tan(const complex<T> &z) { return sin(z) / cos(z); } \
    __device__ inline complex<T> tanh(const complex<T> &z) { return sinh(z) / cosh(z); }
__WS_COMPLEX_FUNCTIONS(float, hypotf, atan2f, sqrtf, expf, logf, sincosf, sinhf, coshf, fabsf)
__WS_COMPLEX_FUNCTIONS(double, ::hypot, ::atan2, ::sqrt, ::exp, ::log, ::sincos, ::sinh, ::cosh, ::fabs)

}  // namespace thrust

namespace std {
using thrust::complex;
}
