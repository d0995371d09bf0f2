// Products on tensor cores of 7.0. The warp's lanes form four groups of eight: lanes 4 * q to 4 * q + 3, and those 16 higher.
// A group computes 8 rows and 8 columns, as mma.m8n8k4 in the PTX ISA.

namespace nvcuda {
namespace wmma {

// The first row and the first column of a lane's group.
template <int M> __device__ inline unsigned int __ws_first_row() {
    const unsigned int group = __ws_lane_id() / 4 % 4;
    return M == 32 ? group * 8 : M == 16 ? group % 2 * 8 : 0;
}
template <int N> __device__ inline unsigned int __ws_first_column() {
    const unsigned int group = __ws_lane_id() / 4 % 4;
    return N == 32 ? group * 8 : N == 16 ? group / 2 * 8 : 0;
}

// A lane holds a line of 16 consecutive elements, or four neighbors across the lines of each group of four lines.
__device__ inline void __ws_load_lines(half *x, const half *from, unsigned int pitch, bool is_across) {
    const unsigned int upper = __ws_lane_id() / 16 * 4, own = __ws_lane_id() % 4;
#pragma unroll
    for (int i = 0; i < 16; i += 4) {
        const uint2 four = *(const uint2 *)(is_across ? from + (i + own) * pitch + upper : from + (upper + own) * pitch + i);
        const half2 low = __ws_word_half2(four.x), high = __ws_word_half2(four.y);
        x[i] = low.x;
        x[i + 1] = low.y;
        x[i + 2] = high.x;
        x[i + 3] = high.y;
    }
}
#define __WS_LOAD(USE, LAYOUT, FIRST, IS_ACROSS) \
    template <int M, int N, int K, typename T, typename P> \
    __device__ inline void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f, const P *from, unsigned int pitch) { \
        if constexpr (__ws_factors<M, N, K, T>::since == 700) { \
            __ws_load_lines(f.x, from + (IS_ACROSS ? FIRST : FIRST * pitch), pitch, IS_ACROSS); \
        } \
    }
__WS_LOAD(matrix_a, row_major, __ws_first_row<M>(), false)
__WS_LOAD(matrix_a, col_major, __ws_first_row<M>(), true)
__WS_LOAD(matrix_b, row_major, __ws_first_column<N>(), true)
__WS_LOAD(matrix_b, col_major, __ws_first_column<N>(), false)
#undef __WS_LOAD

// The position of an element of a lane's accumulators.
template <int M> __device__ inline unsigned int __ws_sum_row(half, int element) {
    return __ws_first_row<M>() + __ws_lane_id() / 16 * 4 + __ws_lane_id() % 4;
}
template <int N> __device__ inline unsigned int __ws_sum_column(half, int element) {
    return __ws_first_column<N>() + element;
}
template <int M> __device__ inline unsigned int __ws_sum_row(float, int element) {
    return __ws_first_row<M>() + __ws_lane_id() / 16 * 4 + __ws_lane_id() % 2 + (element & 2);
}
template <int N> __device__ inline unsigned int __ws_sum_column(float, int element) {
    return __ws_first_column<N>() + (__ws_lane_id() & 2) + (element & 5);
}
template <int M, int N, int K, typename T>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T, void> &f, const T *from, unsigned int pitch,
                                        layout_t layout) {
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const unsigned int row = __ws_sum_row<M>(T(), i), column = __ws_sum_column<N>(T(), i);
        f.x[i] = from[layout == mem_row_major ? row * pitch + column : column * pitch + row];
    }
}
template <int M, int N, int K, typename T>
__device__ inline void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T, void> &f, unsigned int pitch,
                                         layout_t layout) {
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const unsigned int row = __ws_sum_row<M>(T(), i), column = __ws_sum_column<N>(T(), i);
        to[layout == mem_row_major ? row * pitch + column : column * pitch + row] = f.x[i];
    }
}

// The steps of one product with k = 4. LAYOUT has a letter for each factor: r for rows, c for columns.
#define __WS_STEP(KIND, STEP, A, B, C) C = __ws_mma_volta_##KIND##STEP(A[0], A[1], B[0], B[1], C)
#define __WS_PRODUCTS(LAYOUT, LEFT, RIGHT) \
    __device__ inline void __ws_product(float *x, const unsigned int *a, const unsigned int *b, LEFT, RIGHT) { \
        float2 p = make_float2(x[0], x[1]), q = make_float2(x[2], x[3]); \
        float2 r = make_float2(x[4], x[5]), s = make_float2(x[6], x[7]); \
        __WS_STEP(f32_##LAYOUT, 0, a, b, p); \
        __WS_STEP(f32_##LAYOUT, 1, a, b, q); \
        __WS_STEP(f32_##LAYOUT, 2, a, b, r); \
        __WS_STEP(f32_##LAYOUT, 3, a, b, s); \
        x[0] = p.x, x[1] = p.y, x[2] = q.x, x[3] = q.y, x[4] = r.x, x[5] = r.y, x[6] = s.x, x[7] = s.y; \
    } \
    __device__ inline void __ws_product(half *x, const unsigned int *a, const unsigned int *b, LEFT, RIGHT) { \
        uint2 low = make_uint2(__ws_two(x[0], x[1]), __ws_two(x[2], x[3])); \
        uint2 high = make_uint2(__ws_two(x[4], x[5]), __ws_two(x[6], x[7])); \
        __WS_STEP(f16_##LAYOUT, 0, a, b, low); \
        __WS_STEP(f16_##LAYOUT, 1, a, b, high); \
        const half2 p = __ws_word_half2(low.x), q = __ws_word_half2(low.y); \
        const half2 r = __ws_word_half2(high.x), s = __ws_word_half2(high.y); \
        x[0] = p.x, x[1] = p.y, x[2] = q.x, x[3] = q.y, x[4] = r.x, x[5] = r.y, x[6] = s.x, x[7] = s.y; \
    }
__WS_PRODUCTS(rc, row_major, col_major)
__WS_PRODUCTS(rr, row_major, row_major)
__WS_PRODUCTS(cc, col_major, col_major)
__WS_PRODUCTS(cr, col_major, row_major)
#undef __WS_PRODUCTS
#undef __WS_STEP

template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename D, typename C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D, void> &d,
                                const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                                const fragment<matrix_b, M, N, K, T, LayoutB> &b,
                                const fragment<accumulator, M, N, K, C, void> &c, bool saturate = false) {
    if constexpr (__ws_factors<M, N, K, T>::since == 700) {
        D sums[8];
#pragma unroll
        for (int i = 0; i < 8; i++) sums[i] = c.x[i];
#pragma unroll
        for (int i = 0; i < 16; i += 4) {
            const unsigned int left[2] = {__ws_two(a.x[i], a.x[i + 1]), __ws_two(a.x[i + 2], a.x[i + 3])};
            const unsigned int right[2] = {__ws_two(b.x[i], b.x[i + 1]), __ws_two(b.x[i + 2], b.x[i + 3])};
            __ws_product(sums, left, right, LayoutA(), LayoutB());
        }
#pragma unroll
        for (int i = 0; i < 8; i++) d.x[i] = sums[i];
    }
}

template <typename D, typename A, typename B, typename C>
__device__ inline void bmma_sync(D &d, const A &a, const B &b, const C &c,
                                 experimental::bmmaBitOp op = experimental::bmmaBitOpXOR) {}

} // namespace wmma
} // namespace nvcuda
