// Thrust: random numbers. NVIDIA CCCL documentation, "Thrust: Random Number Generation".

#include <limits>

#include "thrust/thrust.h"

namespace thrust {

template <typename T, T A, T C, T M> struct linear_congruential_engine {
    typedef T result_type;
    static constexpr T multiplier = A;
    static constexpr T increment = C;
    static constexpr T modulus = M;
    static constexpr T min = C == 0 ? 1 : 0;
    static constexpr T max = M - 1;
    static constexpr T default_seed = 1;
    T __x;
    __device__ explicit linear_congruential_engine(T value = 1) { seed(value); }
    __device__ void seed(T value = 1) {
        __x = value % M;
        if (C % M == 0 && __x == 0) __x = 1;
    }
    __device__ T operator()() {
        // A x mod M without a double-width product: Schrage, "A More Portable Fortran Random Number Generator",
        // 1979.
        const T quotient = M / A, rest = M % A;
        const T plus = A * (__x % quotient), minus = rest * (__x / quotient);
        __x = plus >= minus ? plus - minus : M - minus + plus;
        if (C != 0) __x = M - C > __x ? __x + C : __x - (M - C);
        return __x;
    }
    // Skips numbers: each step is x -> a x + c, and so are two of them.
    __device__ void discard(unsigned long long num) {
        unsigned long long a = A, c = C, by = 1, plus = 0;
        for (; num > 0; num /= 2) {
            if (num % 2 == 1) {
                plus = (plus * a + c) % M;
                by = by * a % M;
            }
            c = (c * a + c) % M;
            a = a * a % M;
        }
        __x = (T)((__x * by + plus) % M);
    }
};

typedef linear_congruential_engine<unsigned, 16807u, 0u, 2147483647u> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271u, 0u, 2147483647u> minstd_rand;
typedef minstd_rand default_random_engine;

template <typename T = double> struct uniform_real_distribution {
    typedef T result_type;
    T __a;
    T __b;
    __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : __a(a), __b(b) {}
    __device__ void reset() {}
    __device__ T a() const { return __a; }
    __device__ T b() const { return __b; }
    __device__ T min() const { return __a; }
    __device__ T max() const { return __b; }
    template <typename Engine> __device__ T operator()(Engine &engine) {
        T number = (T)(engine() - Engine::min);
        number /= (T)1 + (T)(Engine::max - Engine::min);
        return number * (__b - __a) + __a;
    }
};

template <typename T = int> struct uniform_int_distribution {
    typedef T result_type;
    T __a;
    T __b;
    __device__ explicit uniform_int_distribution(T a = 0, T b = numeric_limits<T>::max()) : __a(a), __b(b) {}
    __device__ void reset() {}
    __device__ T a() const { return __a; }
    __device__ T b() const { return __b; }
    __device__ T min() const { return __a; }
    __device__ T max() const { return __b; }
    template <typename Engine> __device__ T operator()(Engine &engine) {
        double number = (double)(engine() - Engine::min);
        number /= 1.0 + (double)(Engine::max - Engine::min);
        return (T)(number * ((double)__b + 1.0 - (double)__a) + (double)__a);
    }
};

namespace random {
using thrust::linear_congruential_engine;
using thrust::minstd_rand0;
using thrust::minstd_rand;
using thrust::default_random_engine;
using thrust::uniform_real_distribution;
using thrust::uniform_int_distribution;
}  // namespace random

}  // namespace thrust
