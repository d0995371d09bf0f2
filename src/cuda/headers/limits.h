// <limits>: the part that kernels use. Names of namespace std are available without the header.

#define _GLIBCXX_NUMERIC_LIMITS 1

template <typename T> struct numeric_limits {
    static constexpr bool is_specialized = false;
};
#define __WS_LIMITS(T, LEAST, GREATEST, DIGITS, IS_SIGNED) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true; \
        static constexpr bool is_signed = IS_SIGNED; \
        static constexpr bool is_integer = true; \
        static constexpr bool is_exact = true; \
        static constexpr bool has_infinity = false; \
        static constexpr int digits = DIGITS; \
        static constexpr int digits10 = DIGITS * 301 / 1000; \
        static __device__ constexpr T min() { return LEAST; } \
        static __device__ constexpr T lowest() { return LEAST; } \
        static __device__ constexpr T max() { return GREATEST; } \
        static __device__ constexpr T epsilon() { return 0; } \
        static __device__ constexpr T infinity() { return 0; } \
        static __device__ constexpr T quiet_NaN() { return 0; } \
    };
__WS_LIMITS(bool, false, true, 1, false)
__WS_LIMITS(char, -128, 127, 7, true)
__WS_LIMITS(unsigned char, 0, 255, 8, false)
__WS_LIMITS(short, -32768, 32767, 15, true)
__WS_LIMITS(unsigned short, 0, 65535, 16, false)
__WS_LIMITS(int, INT_MIN, INT_MAX, 31, true)
__WS_LIMITS(unsigned, 0, UINT_MAX, 32, false)
__WS_LIMITS(long long, LLONG_MIN, LLONG_MAX, 63, true)
__WS_LIMITS(unsigned long long, 0, ULLONG_MAX, 64, false)

#define __WS_FLOAT_LIMITS(T, LEAST, GREATEST, EPSILON, DENORM, INF, QNAN, DIGITS, DIGITS10) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true; \
        static constexpr bool is_signed = true; \
        static constexpr bool is_integer = false; \
        static constexpr bool is_exact = false; \
        static constexpr bool has_infinity = true; \
        static constexpr int digits = DIGITS; \
        static constexpr int digits10 = DIGITS10; \
        static __device__ constexpr T min() { return LEAST; } \
        static __device__ constexpr T lowest() { return -GREATEST; } \
        static __device__ constexpr T max() { return GREATEST; } \
        static __device__ constexpr T epsilon() { return EPSILON; } \
        static __device__ constexpr T denorm_min() { return DENORM; } \
        static __device__ constexpr T infinity() { return INF; } \
        static __device__ constexpr T quiet_NaN() { return QNAN; } \
    };
__WS_FLOAT_LIMITS(float, FLT_MIN, FLT_MAX, FLT_EPSILON, 1.40129846e-45f, INFINITY, NAN, 24, 6)
__WS_FLOAT_LIMITS(double, DBL_MIN, DBL_MAX, DBL_EPSILON, 4.9406564584124654e-324, HUGE_VAL, CUDART_NAN, 53, 15)
