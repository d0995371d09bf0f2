#include <cuda_fp16.h>
#if __CUDA_ARCH__ >= 800
#include <cuda_bf16.h>
#endif
// Matrix products of a warp: the types and functions of CUDA's "mma.h".

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
}
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}
#if __CUDA_ARCH__ >= 800
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
#else
enum bmmaBitOp { bmmaBitOpXOR = 1 };
template <int Since> struct __ws_common_bits {
    static_assert(__CUDA_ARCH__ >= Since, "Binary products with bmmaBitOpAND need compute capability 8.0");
    static const bmmaBitOp op = bmmaBitOpXOR;
};
#define bmmaBitOpAND __ws_common_bits<800>::op
#endif
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

// The factors of a product: the element type, elements per register, elements per lane of each factor, and the
// minimum compute capability, times 100. A lane holds 16 halves of each factor, some of them twice.
template <typename T, int PerWord, int Left, int Right, int Since> struct __ws_some_factors {
    typedef T element;
    static const int per_word = PerWord, left = Left, right = Right, since = Since;
};
template <int M, int N, int K, typename T> struct __ws_factors : __ws_some_factors<int, 1, 1, 1, 0> {};
#define __WS_FACTORS(M, N, K, TYPE, ELEMENT, PER_WORD, LEFT, RIGHT, SINCE) \
    template <> struct __ws_factors<M, N, K, TYPE> : __ws_some_factors<ELEMENT, PER_WORD, LEFT, RIGHT, SINCE> {};
__WS_FACTORS(16, 16, 16, half, half, 2, 16, 16, 700)
__WS_FACTORS(32, 8, 16, half, half, 2, 16, 16, 700)
__WS_FACTORS(8, 32, 16, half, half, 2, 16, 16, 700)
#if __CUDA_ARCH__ >= 800
__WS_FACTORS(16, 16, 16, __nv_bfloat16, __nv_bfloat16, 2, 16, 16, 800)
__WS_FACTORS(32, 8, 16, __nv_bfloat16, __nv_bfloat16, 2, 16, 16, 800)
__WS_FACTORS(8, 32, 16, __nv_bfloat16, __nv_bfloat16, 2, 16, 16, 800)
#endif
__WS_FACTORS(16, 16, 16, signed char, signed char, 4, 8, 8, 720)
__WS_FACTORS(32, 8, 16, signed char, signed char, 4, 16, 4, 720)
__WS_FACTORS(8, 32, 16, signed char, signed char, 4, 4, 16, 720)
__WS_FACTORS(16, 16, 16, unsigned char, unsigned char, 4, 8, 8, 720)
__WS_FACTORS(32, 8, 16, unsigned char, unsigned char, 4, 16, 4, 720)
__WS_FACTORS(8, 32, 16, unsigned char, unsigned char, 4, 4, 16, 720)
__WS_FACTORS(8, 8, 32, experimental::precision::s4, int, 8, 1, 1, 750)
__WS_FACTORS(8, 8, 32, experimental::precision::u4, unsigned int, 8, 1, 1, 750)
__WS_FACTORS(8, 8, 128, experimental::precision::b1, unsigned int, 32, 1, 1, 750)
__WS_FACTORS(16, 16, 8, precision::tf32, float, 1, 4, 4, 800)
__WS_FACTORS(8, 8, 4, double, double, 1, 1, 1, 800)
#undef __WS_FACTORS

// Elements of four bits and less share the words that a fragment stores.
constexpr int __ws_shared_word(int per_word) { return per_word > 4 ? per_word : 1; }

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment;
#define __WS_FRAGMENT(USE, SIDE) \
    template <int M, int N, int K, typename T, typename Layout> struct fragment<USE, M, N, K, T, Layout> { \
        typedef __ws_factors<M, N, K, T> factors; \
        static_assert(factors::since > 0, "Tensor cores of this compute capability do not support matrices of this size and type"); \
        static_assert(__CUDA_ARCH__ >= factors::since, \
                      "Tensor cores multiply halves from compute capability 7.0 on, bytes from 7.2 on, 4-bit numbers " \
                      "and bits from 7.5 on, and __nv_bfloat16, tf32, and double from 8.0 on"); \
        enum { num_elements = factors::SIDE * __ws_shared_word(factors::per_word), num_storage_elements = factors::SIDE }; \
        typename factors::element x[factors::SIDE]; \
    };
__WS_FRAGMENT(matrix_a, left)
__WS_FRAGMENT(matrix_b, right)
#undef __WS_FRAGMENT
template <int M, int N, int K, typename T> struct fragment<accumulator, M, N, K, T, void> {
    enum { num_elements = M * N / 32, num_storage_elements = M * N / 32 };
    T x[M * N / 32];
};

template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, V value) {
#pragma unroll
    for (int i = 0; i < fragment<Use, M, N, K, T, Layout>::num_storage_elements; i++) f.x[i] = value;
}

// Rounds to the nearest tf32 number, ties away from zero.
__device__ inline float __float_to_tf32(float value) {
    const unsigned int bits = __float_as_uint(value);
    return (bits & 0x7f800000) == 0x7f800000 ? value : __uint_as_float((bits + 0x1000) & 0xffffe000);
}

__device__ inline unsigned int __ws_two(half a, half b) { return __ws_half2_word(__halves2half2(a, b)); }
#if __CUDA_ARCH__ >= 800
__device__ inline unsigned int __ws_two(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __ws_bfloat162_word(__halves2bfloat162(a, b));
}
#endif

} // namespace wmma
} // namespace nvcuda

#if __CUDA_ARCH__ >= 720
#include "mma/turing.h"
#else
#include "mma/volta.h"
#endif
