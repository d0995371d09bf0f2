// <functional>: the part that kernels use.

#define _GLIBCXX_FUNCTIONAL 1

#include <limits>
#include <utility>

namespace std {

#define __WS_FUNCTION(NAME, RESULT, ANY_RESULT, OPERATOR) \
    template <typename T = void> struct NAME { \
        typedef RESULT result_type; \
        typedef T first_argument_type; \
        typedef T second_argument_type; \
        __device__ constexpr RESULT operator()(const T &a, const T &b) const { return a OPERATOR b; } \
    }; \
    template <> struct NAME<void> { \
        template <typename A, typename B> __device__ constexpr ANY_RESULT operator()(const A &a, const B &b) const { \
            return a OPERATOR b; \
        } \
    };
__WS_FUNCTION(plus, T, A, +)
__WS_FUNCTION(minus, T, A, -)
__WS_FUNCTION(multiplies, T, A, *)
__WS_FUNCTION(divides, T, A, /)
__WS_FUNCTION(modulus, T, A, %)
__WS_FUNCTION(bit_and, T, A, &)
__WS_FUNCTION(bit_or, T, A, |)
__WS_FUNCTION(bit_xor, T, A, ^)
__WS_FUNCTION(equal_to, bool, bool, ==)
__WS_FUNCTION(not_equal_to, bool, bool, !=)
__WS_FUNCTION(less, bool, bool, <)
__WS_FUNCTION(greater, bool, bool, >)
__WS_FUNCTION(less_equal, bool, bool, <=)
__WS_FUNCTION(greater_equal, bool, bool, >=)
__WS_FUNCTION(logical_and, bool, bool, &&)
__WS_FUNCTION(logical_or, bool, bool, ||)

template <typename T = void> struct negate {
    __device__ constexpr T operator()(const T &a) const { return -a; }
};
template <> struct negate<void> {
    template <typename T> __device__ constexpr T operator()(const T &a) const { return -a; }
};
template <typename T = void> struct logical_not {
    __device__ constexpr bool operator()(const T &a) const { return !a; }
};
template <typename T = void> struct bit_not {
    __device__ constexpr T operator()(const T &a) const { return ~a; }
};
struct identity {
    template <typename T> __device__ constexpr T operator()(const T &a) const { return a; }
};

}  // namespace std

namespace cuda {

template <typename T = void> struct maximum {
    __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <typename T> __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
    __device__ constexpr float operator()(const float &a, const float &b) const { return fmaxf(a, b); }
    __device__ constexpr double operator()(const double &a, const double &b) const { return fmax(a, b); }
};
template <typename T = void> struct minimum {
    __device__ constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
    template <typename T> __device__ constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
    __device__ constexpr float operator()(const float &a, const float &b) const { return fminf(a, b); }
    __device__ constexpr double operator()(const double &a, const double &b) const { return fmin(a, b); }
};

}  // namespace cuda
