// Products on tensor cores of 7.5 and later. The layout of a fragment is that of mma.m16n8k16 in the PTX ISA,
// and similar instructions: a register holds neighbors along k, and lane 4 * g + t has the t-th register of lines g,
// g + 8, and so on.

namespace nvcuda {
namespace wmma {

template <typename T> struct __ws_vector2;
template <> struct __ws_vector2<half> { typedef half2 type; };
template <> struct __ws_vector2<float> { typedef float2 type; };
template <> struct __ws_vector2<double> { typedef double2 type; };
template <> struct __ws_vector2<int> { typedef int2 type; };
template <typename T> struct __ws_vector4;
template <> struct __ws_vector4<signed char> { typedef char4 type; };
template <> struct __ws_vector4<unsigned char> { typedef uchar4 type; };
#if __CUDA_ARCH__ >= 800
template <> struct __ws_vector2<__nv_bfloat16> { typedef __nv_bfloat162 type; };
#endif

// Elements of `lines` rows of the left factor, or columns of the right one, of which the depth has `steps` registers for a
// lane. If the elements of a line are consecutive in memory, one load fills a register.
template <int PerWord, typename T>
__device__ inline void __ws_load_lines(T *x, const T *from, unsigned int pitch, bool neighbors, int lines, int steps,
                                       int num_words) {
    const unsigned int group = __ws_lane_id() / 4, place = __ws_lane_id() % 4;
#pragma unroll
    for (int word = 0; word < num_words; word++) {
        // An instruction processes 16 lines in two halves for each step, or 8 lines.
        const unsigned int line = group + (lines >= 16 ? word / (2 * steps) * 16 + word % 2 * 8 : word / steps * 8);
        const unsigned int step = lines >= 16 ? word / 2 % steps : word % steps;
        const unsigned int depth = (step * 4 + place) * PerWord;
        T *to = x + word * PerWord;
        if (!neighbors || PerWord == 1) {
#pragma unroll
            for (int i = 0; i < PerWord; i++) {
                to[i] = from[neighbors ? line * pitch + depth + i : (depth + i) * pitch + line];
            }
        } else if constexpr (PerWord == 2) {
            const typename __ws_vector2<T>::type two = *(const typename __ws_vector2<T>::type *)(from + line * pitch + depth);
            to[0] = two.x;
            to[1] = two.y;
        } else if constexpr (PerWord == 4) {
            const typename __ws_vector4<T>::type four = *(const typename __ws_vector4<T>::type *)(from + line * pitch + depth);
            to[0] = four.x;
            to[1] = four.y;
            to[2] = four.z;
            to[3] = four.w;
        }
    }
}
// If the left factor has 8 rows and the right one more columns, the transposed product is computed: the factors are
// swapped.
#define __WS_LOAD(USE, LAYOUT, NEIGHBORS, IS_LEFT, LINES, SIDE) \
    template <int M, int N, int K, typename T, typename P> \
    __device__ inline void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f, const P *from, unsigned int pitch) { \
        typedef __ws_factors<M, N, K, T> factors; \
        constexpr int per_word = factors::per_word; \
        if constexpr (factors::since == 0 || factors::since > __CUDA_ARCH__) { \
            return; \
        } else if constexpr (per_word > 4) { \
            f.x[0] = ((const typename factors::element *)from)[__ws_lane_id() / 4 * (pitch / per_word) + __ws_lane_id() % 4]; \
        } else { \
            const int steps = K / 4 / per_word, num_words = LINES * steps / 8; \
            const int lines = N == 8 && M == 8 ? 8 : (M == 8) != IS_LEFT ? 16 : 8; \
            const typename factors::element *elements = from; \
            __ws_load_lines<per_word>(f.x, elements, pitch, NEIGHBORS, lines, steps, num_words); \
            for (int i = num_words * per_word; i < factors::SIDE; i++) f.x[i] = f.x[i - num_words * per_word]; \
        } \
    }
__WS_LOAD(matrix_a, row_major, true, true, M, left)
__WS_LOAD(matrix_a, col_major, false, true, M, left)
__WS_LOAD(matrix_b, row_major, false, false, N, right)
__WS_LOAD(matrix_b, col_major, true, false, N, right)
#undef __WS_LOAD

// The position of a lane's element: row and column of the product, or of the transposed product.
__device__ inline unsigned int __ws_sum_row(int element, bool is_long) {
    return __ws_lane_id() / 4 + element / 2 % 2 * 8 + (is_long ? element / 4 * 16 : 0);
}
__device__ inline unsigned int __ws_sum_column(int element, bool is_long) {
    return __ws_lane_id() % 4 * 2 + element % 2 + (is_long ? 0 : element / 4 * 8);
}
template <int M, int N, int K, typename T>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T, void> &f, const T *from, unsigned int pitch,
                                        layout_t layout) {
    const bool is_transposed = M == 8 && N == 32;
#pragma unroll
    for (int i = 0; i < M * N / 32; i += 2) {
        const unsigned int row = __ws_sum_row(i, M != 16), column = __ws_sum_column(i, M != 16);
        if ((layout == mem_row_major) != is_transposed) {
            const typename __ws_vector2<T>::type pair =
                *(const typename __ws_vector2<T>::type *)(from + row * pitch + column);
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
    const bool is_transposed = M == 8 && N == 32;
#pragma unroll
    for (int i = 0; i < M * N / 32; i += 2) {
        const unsigned int row = __ws_sum_row(i, M != 16), column = __ws_sum_column(i, M != 16);
        if ((layout == mem_row_major) != is_transposed) {
            typename __ws_vector2<T>::type pair;
            pair.x = f.x[i];
            pair.y = f.x[i + 1];
            *(typename __ws_vector2<T>::type *)(to + row * pitch + column) = pair;
        } else {
            to[column * pitch + row] = f.x[i];
            to[(column + 1) * pitch + row] = f.x[i + 1];
        }
    }
}

// One instruction, or two before 8.0, for 16 rows and 8 columns: words of the left and the right factor, the sums.
#if __CUDA_ARCH__ >= 900
#define __WS_PRODUCT(KIND, A0, A1, A2, A3, B0, B1, C) C = __ws_mma_hopper_##KIND(A0, A1, A2, A3, B0, B1, C)
#define __WS_UNIT(KIND) __ws_mma_hopper_##KIND
#elif __CUDA_ARCH__ >= 800
#define __WS_PRODUCT(KIND, A0, A1, A2, A3, B0, B1, C) C = __ws_mma_ampere_##KIND(A0, A1, A2, A3, B0, B1, C)
#define __WS_UNIT(KIND) __ws_mma_ampere_##KIND
#else
#define __WS_PRODUCT(KIND, A0, A1, A2, A3, B0, B1, C) \
    C = __ws_mma_turing_##KIND(A0, A1, B0, C); \
    C = __ws_mma_turing_##KIND(A2, A3, B1, C)
#define __WS_UNIT(KIND) __ws_mma_turing_##KIND
#endif
#define __WS_TILE(T, KIND) \
    __device__ inline void __ws_product(float *d, const T *a, const T *b, bool) { \
        float4 sum = make_float4(d[0], d[1], d[2], d[3]); \
        __WS_PRODUCT(KIND, __ws_two(a[0], a[1]), __ws_two(a[2], a[3]), __ws_two(a[4], a[5]), __ws_two(a[6], a[7]), \
                     __ws_two(b[0], b[1]), __ws_two(b[2], b[3]), sum); \
        d[0] = sum.x; \
        d[1] = sum.y; \
        d[2] = sum.z; \
        d[3] = sum.w; \
    }
__WS_TILE(half, f32)
#if __CUDA_ARCH__ >= 800
__WS_TILE(__nv_bfloat16, bf16)
#endif
#undef __WS_TILE
__device__ inline void __ws_product(half *d, const half *a, const half *b, bool) {
    uint2 sum = make_uint2(__ws_two(d[0], d[1]), __ws_two(d[2], d[3]));
    __WS_PRODUCT(f16, __ws_two(a[0], a[1]), __ws_two(a[2], a[3]), __ws_two(a[4], a[5]), __ws_two(a[6], a[7]),
                 __ws_two(b[0], b[1]), __ws_two(b[2], b[3]), sum);
    const half2 first = __ws_word_half2(sum.x), second = __ws_word_half2(sum.y);
    d[0] = first.x;
    d[1] = first.y;
    d[2] = second.x;
    d[3] = second.y;
}

template <typename T> __device__ inline unsigned int __ws_four(const T *x) {
    return (unsigned char)x[0] | (unsigned char)x[1] << 8 | (unsigned char)x[2] << 16 | (unsigned int)(unsigned char)x[3] << 24;
}
// Bytes: four sums of 16 rows and 8 columns in a lane.
#if __CUDA_ARCH__ >= 800
#define __WS_BYTES(T, KIND) \
    __device__ inline void __ws_product(int *d, const T *a, const T *b, bool saturate) { \
        uint4 sum = make_uint4(d[0], d[1], d[2], d[3]); \
        sum = saturate ? __WS_UNIT(KIND##x16_sat)(__ws_four(a), __ws_four(a + 4), __ws_four(b), sum) \
                       : __WS_UNIT(KIND##x16)(__ws_four(a), __ws_four(a + 4), __ws_four(b), sum); \
        d[0] = sum.x; \
        d[1] = sum.y; \
        d[2] = sum.z; \
        d[3] = sum.w; \
    }
#else
#define __WS_BYTES(T, KIND) \
    __device__ inline void __ws_eight_rows(int *d, const T *a, const T *b, bool saturate) { \
        uint2 sum = make_uint2(d[0], d[1]); \
        sum = saturate ? __WS_UNIT(KIND##x8_sat)(__ws_four(a), __ws_four(b), sum) \
                       : __WS_UNIT(KIND##x8)(__ws_four(a), __ws_four(b), sum); \
        d[0] = sum.x; \
        d[1] = sum.y; \
    } \
    __device__ inline void __ws_product(int *d, const T *a, const T *b, bool saturate) { \
        __ws_eight_rows(d, a, b, saturate); \
        __ws_eight_rows(d + 2, a + 4, b, saturate); \
    }
#endif
__WS_BYTES(signed char, s8)
__WS_BYTES(unsigned char, u8)
#undef __WS_BYTES

// Products with k = 16: two instructions, or twice two, that share one of the factors.
template <int M, typename D, typename T, typename C>
__device__ inline void __ws_multiply(D *d, const T *a, const T *b, const C *c, bool saturate) {
    D first[4], second[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        first[i] = c[i];
        second[i] = c[i + 4];
    }
    if (M == 8) {
        __ws_product(first, b, a, saturate);
        __ws_product(second, b + 8, a, saturate);
    } else if (M == 32) {
        __ws_product(first, a, b, saturate);
        __ws_product(second, a + 8, b, saturate);
    } else {
        __ws_product(first, a, b, saturate);
        __ws_product(second, a, b + 4, saturate);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        d[i] = first[i];
        d[i + 4] = second[i];
    }
}

// 4-bit numbers. 9.0 has no instruction for them: the low and the high halves of bytes are multiplied as bytes.
#if __CUDA_ARCH__ >= 900
__device__ inline uint2 __ws_nibbles(experimental::precision::s4, unsigned int a, unsigned int b, uint2 sum, bool) {
    const unsigned int mask = 0x0f0f0f0f, sign = 0x08080808;
    sum = __ws_mma_hopper_s8x8(__vsub4(a & mask ^ sign, sign), __vsub4(b & mask ^ sign, sign), sum);
    return __ws_mma_hopper_s8x8(__vsub4(a >> 4 & mask ^ sign, sign), __vsub4(b >> 4 & mask ^ sign, sign), sum);
}
__device__ inline uint2 __ws_nibbles(experimental::precision::u4, unsigned int a, unsigned int b, uint2 sum, bool) {
    const unsigned int mask = 0x0f0f0f0f;
    sum = __ws_mma_hopper_u8x8(a & mask, b & mask, sum);
    return __ws_mma_hopper_u8x8(a >> 4 & mask, b >> 4 & mask, sum);
}
#else
__device__ inline uint2 __ws_nibbles(experimental::precision::s4, unsigned int a, unsigned int b, uint2 sum, bool saturate) {
    return saturate ? __WS_UNIT(s4_sat)(a, b, sum) : __WS_UNIT(s4)(a, b, sum);
}
__device__ inline uint2 __ws_nibbles(experimental::precision::u4, unsigned int a, unsigned int b, uint2 sum, bool saturate) {
    return saturate ? __WS_UNIT(u4_sat)(a, b, sum) : __WS_UNIT(u4)(a, b, sum);
}
#endif

// Single bits. From 9.0 on, XOR counts the bits that are set in only one of the factors.
__device__ inline void bmma_sync(fragment<accumulator, 8, 8, 128, int, void> &d,
                                 const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                                 const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                                 const fragment<accumulator, 8, 8, 128, int, void> &c,
                                 experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                                 experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    uint2 sum = make_uint2(c.x[0], c.x[1]);
#if __CUDA_ARCH__ >= 800
    if (op == experimental::bmmaBitOpAND) sum = __WS_UNIT(and)(a.x[0], b.x[0], sum);
#endif
    if (op == experimental::bmmaBitOpXOR) {
#if __CUDA_ARCH__ >= 900
        sum = __ws_mma_hopper_and(a.x[0], ~b.x[0], sum);
        sum = __ws_mma_hopper_and(~a.x[0], b.x[0], sum);
#else
        sum = __WS_UNIT(xor)(a.x[0], b.x[0], sum);
#endif
    }
    d.x[0] = sum.x;
    d.x[1] = sum.y;
}

#if __CUDA_ARCH__ >= 800
// tf32: 16 columns, each half of k separately. As in nvcc's code, the products of the first half of k come first.
__device__ inline void __ws_tf32(float *d, const float *a, const float *b, const float *c) {
    float4 sum[2];
#pragma unroll
    for (int i = 0; i < 2; i++) sum[i] = make_float4(c[4 * i], c[4 * i + 1], c[4 * i + 2], c[4 * i + 3]);
#pragma unroll
    for (int step = 0; step < 2; step++) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            sum[i] = __WS_UNIT(tf32)(__float_as_uint(a[2 * step]), __float_as_uint(a[2 * step + 1]),
                                     __float_as_uint(b[2 * i + step]), sum[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        d[4 * i] = sum[i].x;
        d[4 * i + 1] = sum[i].y;
        d[4 * i + 2] = sum[i].z;
        d[4 * i + 3] = sum[i].w;
    }
}

__device__ inline uint2 __ws_double_words(double value) {
    return make_uint2(__double2loint(value), __double2hiint(value));
}
__device__ inline void __ws_doubles(double *d, double a, double b, const double *c) {
    const uint2 first = __ws_double_words(c[0]), second = __ws_double_words(c[1]);
    const uint4 sum = __WS_UNIT(f64)(__ws_double_words(a), __ws_double_words(b),
                                     make_uint4(first.x, first.y, second.x, second.y));
    d[0] = __hiloint2double(sum.y, sum.x);
    d[1] = __hiloint2double(sum.w, sum.z);
}
#endif

template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename D, typename C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D, void> &d,
                                const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                                const fragment<matrix_b, M, N, K, T, LayoutB> &b,
                                const fragment<accumulator, M, N, K, C, void> &c, bool saturate = false) {
    if constexpr (__ws_factors<M, N, K, T>::since == 0 || __ws_factors<M, N, K, T>::since > __CUDA_ARCH__) {
        return;
    } else if constexpr (K == 16) {
        __ws_multiply<M>(d.x, a.x, b.x, c.x, saturate);
    } else if constexpr (K == 8) {
        __ws_tf32(d.x, a.x, b.x, c.x);
    } else if constexpr (K == 4) {
        __ws_doubles(d.x, a.x[0], b.x[0], c.x);
    } else {
        const uint2 sum = __ws_nibbles(T(), a.x[0], b.x[0], make_uint2(c.x[0], c.x[1]), saturate);
        d.x[0] = sum.x;
        d.x[1] = sum.y;
    }
}
#undef __WS_PRODUCT
#undef __WS_UNIT

} // namespace wmma
} // namespace nvcuda
