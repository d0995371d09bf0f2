#include <cuda_fp16.h>
#if __CUDA_ARCH__ >= 800
#include <cuda_bf16.h>
#endif
// Matrix products of a warp: the types and functions of CUDA's "mma.h". A fragment's elements lie in the lanes as the
// PTX ISA has it for mma.m16n8k16: lane 4 * g + t has elements 2 * t and 2 * t + 1 of rows g and g + 8.

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment;

template <typename T> struct __ws_is_factor { static const bool value = false; };
template <> struct __ws_is_factor<half> { static const bool value = true; };
#if __CUDA_ARCH__ >= 800
template <> struct __ws_is_factor<__nv_bfloat16> { static const bool value = true; };
#endif

// Of a factor each lane has 16 elements; where the matrix has fewer for a lane, they are there several times.
template <int M, int N, int K, typename T, typename Layout> struct fragment<matrix_a, M, N, K, T, Layout> {
    static_assert(__ws_is_factor<T>::value, "only factors of half and, from 8.0 on, __nv_bfloat16 are supported yet");
    static_assert(K == 16 && (M == 16 && N == 16 || M == 32 && N == 8 || M == 8 && N == 32),
                  "fragments are of 16x16x16, 32x8x16, or 8x32x16 elements");
    enum { num_elements = 16, num_storage_elements = 16 };
    T x[16];
};
template <int M, int N, int K, typename T, typename Layout> struct fragment<matrix_b, M, N, K, T, Layout> {
    static_assert(__ws_is_factor<T>::value, "only factors of half and, from 8.0 on, __nv_bfloat16 are supported yet");
    static_assert(K == 16 && (M == 16 && N == 16 || M == 32 && N == 8 || M == 8 && N == 32),
                  "fragments are of 16x16x16, 32x8x16, or 8x32x16 elements");
    enum { num_elements = 16, num_storage_elements = 16 };
    T x[16];
};
template <int M, int N, int K, typename T> struct fragment<accumulator, M, N, K, T, void> {
    static_assert(K == 16 && (M == 16 && N == 16 || M == 32 && N == 8 || M == 8 && N == 32),
                  "fragments are of 16x16x16, 32x8x16, or 8x32x16 elements");
    enum { num_elements = 8, num_storage_elements = 8 };
    T x[8];
};

template <typename T> struct __ws_pair;
template <> struct __ws_pair<half> { typedef half2 type; };
template <> struct __ws_pair<float> { typedef float2 type; };
#if __CUDA_ARCH__ >= 800
template <> struct __ws_pair<__nv_bfloat16> { typedef __nv_bfloat162 type; };
#endif

// Elements of `lines` rows of the left factor, or columns of the right one. Where a line's elements are neighbors in
// memory, two come with a load.
template <typename T> __device__ inline void __ws_load_lines(T *x, const T *from, unsigned int pitch, bool neighbors,
                                                             int lines, int num_elements) {
    const unsigned int group = __ws_lane_id() / 4, place = __ws_lane_id() % 4 * 2;
#pragma unroll
    for (int word = 0; word < num_elements / 2; word++) {
        // Of 16 lines there are those in two halves for each half of the depth; of 8 lines the depth's halves.
        const unsigned int line = group + (lines == 16 ? word / 4 * 16 + word % 2 * 8 : word / 2 * 8);
        const unsigned int depth = place + (lines == 16 ? word / 2 % 2 * 8 : word % 2 * 8);
        if (neighbors) {
            const typename __ws_pair<T>::type pair = *(const typename __ws_pair<T>::type *)(from + line * pitch + depth);
            x[2 * word] = pair.x;
            x[2 * word + 1] = pair.y;
        } else {
            x[2 * word] = from[depth * pitch + line];
            x[2 * word + 1] = from[(depth + 1) * pitch + line];
        }
    }
}
// Where the left factor has 8 rows, the transposed product is computed: the factors change places.
#define __WS_LOAD(USE, LAYOUT, NEIGHBORS, IS_LEFT, SIZE) \
    template <int M, int N, int K, typename T> \
    __device__ inline void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f, const T *from, unsigned int pitch) { \
        const int lines = ((M == 8) != IS_LEFT) ? 16 : 8, num = SIZE / 2; \
        __ws_load_lines(f.x, from, pitch, NEIGHBORS, lines, num); \
        for (int i = num; i < 16; i++) f.x[i] = f.x[i % num]; \
    }
__WS_LOAD(matrix_a, row_major, true, true, M)
__WS_LOAD(matrix_a, col_major, false, true, M)
__WS_LOAD(matrix_b, row_major, false, false, N)
__WS_LOAD(matrix_b, col_major, true, false, N)
#undef __WS_LOAD

// Where an element of a lane is: row and column of the product, or of the transposed one.
__device__ inline unsigned int __ws_sum_row(int element, bool is_long) {
    return __ws_lane_id() / 4 + element / 2 % 2 * 8 + (is_long ? element / 4 * 16 : 0);
}
__device__ inline unsigned int __ws_sum_column(int element, bool is_long) {
    return __ws_lane_id() % 4 * 2 + element % 2 + (is_long ? 0 : element / 4 * 8);
}
template <int M, int N, int K, typename T>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T, void> &f, const T *from, unsigned int pitch,
                                        layout_t layout) {
#pragma unroll
    for (int i = 0; i < 8; i += 2) {
        const unsigned int row = __ws_sum_row(i, M != 16), column = __ws_sum_column(i, M != 16);
        if ((layout == mem_row_major) != (M == 8)) {
            const typename __ws_pair<T>::type pair = *(const typename __ws_pair<T>::type *)(from + row * pitch + column);
            f.x[i] = pair.x;
            f.x[i + 1] = pair.y;
        } else {
            f.x[i] = from[column * pitch + row];
            f.x[i + 1] = from[(column + 1) * pitch + row];
        }
    }
}
template <int M, int N, int K, typename T>
__device__ inline void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T, void> &f, unsigned int pitch,
                                         layout_t layout) {
#pragma unroll
    for (int i = 0; i < 8; i += 2) {
        const unsigned int row = __ws_sum_row(i, M != 16), column = __ws_sum_column(i, M != 16);
        if ((layout == mem_row_major) != (M == 8)) {
            typename __ws_pair<T>::type pair;
            pair.x = f.x[i];
            pair.y = f.x[i + 1];
            *(typename __ws_pair<T>::type *)(to + row * pitch + column) = pair;
        } else {
            to[column * pitch + row] = f.x[i];
            to[(column + 1) * pitch + row] = f.x[i + 1];
        }
    }
}
template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, V value) {
#pragma unroll
    for (int i = 0; i < fragment<Use, M, N, K, T, Layout>::num_elements; i++) f.x[i] = value;
}

__device__ inline unsigned int __ws_two(half a, half b) { return __ws_half2_word(__halves2half2(a, b)); }
#if __CUDA_ARCH__ >= 800
__device__ inline unsigned int __ws_two(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __ws_bfloat162_word(__halves2bfloat162(a, b));
}
#endif
// One instruction, or two before 8.0, for 16 rows and 8 columns: words of the left and the right factor, the sums.
#if __CUDA_ARCH__ >= 900
#define __WS_PRODUCT(KIND, A0, A1, A2, A3, B0, B1, C) C = __ws_mma_hopper_##KIND(A0, A1, A2, A3, B0, B1, C)
#elif __CUDA_ARCH__ >= 800
#define __WS_PRODUCT(KIND, A0, A1, A2, A3, B0, B1, C) C = __ws_mma_ampere_##KIND(A0, A1, A2, A3, B0, B1, C)
#else
#define __WS_PRODUCT(KIND, A0, A1, A2, A3, B0, B1, C) \
    C = __ws_mma_turing_##KIND(A0, A1, B0, C); \
    C = __ws_mma_turing_##KIND(A2, A3, B1, C)
#endif
#define __WS_TILE(NAME, T, KIND) \
    __device__ inline void NAME(float *d, const T *a, const T *b, const float *c) { \
        float4 sum = make_float4(c[0], c[1], c[2], c[3]); \
        __WS_PRODUCT(KIND, __ws_two(a[0], a[1]), __ws_two(a[2], a[3]), __ws_two(a[4], a[5]), __ws_two(a[6], a[7]), \
                     __ws_two(b[0], b[1]), __ws_two(b[2], b[3]), sum); \
        d[0] = sum.x; \
        d[1] = sum.y; \
        d[2] = sum.z; \
        d[3] = sum.w; \
    }
__WS_TILE(__ws_product, half, f32)
#if __CUDA_ARCH__ >= 800
__WS_TILE(__ws_product, __nv_bfloat16, bf16)
#endif
__device__ inline void __ws_product(half *d, const half *a, const half *b, const half *c) {
    uint2 sum = make_uint2(__ws_two(c[0], c[1]), __ws_two(c[2], c[3]));
    __WS_PRODUCT(f16, __ws_two(a[0], a[1]), __ws_two(a[2], a[3]), __ws_two(a[4], a[5]), __ws_two(a[6], a[7]),
                 __ws_two(b[0], b[1]), __ws_two(b[2], b[3]), sum);
    const half2 first = __ws_word_half2(sum.x), second = __ws_word_half2(sum.y);
    d[0] = first.x;
    d[1] = first.y;
    d[2] = second.x;
    d[3] = second.y;
}
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename D, typename C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D, void> &d,
                                const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                                const fragment<matrix_b, M, N, K, T, LayoutB> &b,
                                const fragment<accumulator, M, N, K, C, void> &c) {
    D first[4], second[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        first[i] = c.x[i];
        second[i] = c.x[i + 4];
    }
    if (M == 8) {
        __ws_product(first, b.x, a.x, first);
        __ws_product(second, b.x + 8, a.x, second);
    } else if (M == 32) {
        __ws_product(first, a.x, b.x, first);
        __ws_product(second, a.x + 8, b.x, second);
    } else {
        __ws_product(first, a.x, b.x, first);
        __ws_product(second, a.x, b.x + 4, second);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        d.x[i] = first[i];
        d.x[i + 4] = second[i];
    }
}

} // namespace wmma
} // namespace nvcuda
