#include <mma.h>
#include <type_traits>
using namespace nvcuda;

// Numbers of many magnitudes and both signs, from whole numbers of 24 bits.
__device__ float spread(unsigned bits)
{
    unsigned exponent = 119 + (bits >> 19 & 15);
    return __uint_as_float((bits & 0x800000) << 8 | exponent << 23 | (bits & 0x7ffff) << 4);
}

// C (m x n) = A (m x k) * B (k x n), B column by column; one warp a tile. The factors are rounded to tf32 by the
// function that CUDA has for it.
__global__ void tf32_gemm(const unsigned *A, const unsigned *B, float *C, int n, int k)
{
    __shared__ float left[16 * 8], right[16 * 8];
    const int row = blockIdx.y * 16, column = blockIdx.x * 16, lane = threadIdx.x;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int t = 0; t < k; t += 8) {
        for (int i = lane; i < 128; i += 32) {
            left[i] = spread(A[(row + i / 8) * k + t + i % 8]);
            right[i] = spread(B[(column + i / 8) * k + t + i % 8]);
        }
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
        wmma::load_matrix_sync(a, left, 8);
        wmma::load_matrix_sync(b, right, 8);
        for (int i = 0; i < a.num_elements; i++) a.x[i] = wmma::__float_to_tf32(a.x[i]);
        for (int i = 0; i < b.num_elements; i++) b.x[i] = wmma::__float_to_tf32(b.x[i]);
        wmma::mma_sync(sum, a, b, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(C + row * n + column, sum, n, wmma::mem_row_major);
}

// Halves of many magnitudes; the sums are halves, or singles.
template <typename Sum>
__global__ void half_gemm(const unsigned *A, const unsigned *B, Sum *C, int n, int k)
{
    __shared__ half left[32 * 16], right[16 * 8];
    const int row = blockIdx.y * 32, column = blockIdx.x * 8;
    wmma::fragment<wmma::accumulator, 32, 8, 16, Sum> sum;
    wmma::load_matrix_sync(sum, C + column * n + row, n, wmma::mem_col_major);
    for (int t = 0; t < k; t += 16) {
        for (int i = threadIdx.x; i < 512; i += 32) left[i] = __float2half(spread(A[(t + i / 32) * n + row + i % 32]));
        for (int i = threadIdx.x; i < 128; i += 32) right[i] = __float2half(spread(B[(t + i / 8) * 8 + i % 8]));
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> a;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(a, left, 32);
        wmma::load_matrix_sync(b, right, 8);
        wmma::mma_sync(sum, a, b, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(C + column * n + row, sum, n, wmma::mem_col_major);
}

__global__ void f64_gemm(const double *A, const double *B, double *C, int n, int k)
{
    const int row = blockIdx.y * 8, column = blockIdx.x * 8;
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::fill_fragment(sum, 0.0);
    for (int t = 0; t < k; t += 4) {
        wmma::load_matrix_sync(a, A + t * n + row, n);
        wmma::load_matrix_sync(b, B + t * n + column, n);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * n + column, sum, n, wmma::mem_row_major);
}

// Bytes; D = 3 * A * B + C by copies of fragments and their elements.
template <bool IsByRows> using Layout = typename std::conditional<IsByRows, wmma::row_major, wmma::col_major>::type;

template <int M, int N, typename T, bool LeftByRows, bool RightByRows>
__global__ void byte_gemm(const T *A, const T *B, const int *C, int *D)
{
    wmma::fragment<wmma::matrix_a, M, N, 16, T, Layout<LeftByRows>> a, copy;
    wmma::fragment<wmma::matrix_b, M, N, 16, T, Layout<RightByRows>> b;
    wmma::fragment<wmma::accumulator, M, N, 16, int> sum, c;
    wmma::fill_fragment(sum, 0);
    wmma::load_matrix_sync(a, A, 48);
    wmma::load_matrix_sync(b, B, 48);
    copy = a;
    wmma::mma_sync(sum, copy, b, sum);
    wmma::load_matrix_sync(c, C, N, wmma::mem_row_major);
    for (int i = 0; i < c.num_elements; i++) c.x[i] = 3 * sum.x[i] + c.x[i];
    wmma::store_matrix_sync(D, c, N, wmma::mem_row_major);
}

// Sums beyond the range of int wrap around, or stay at its ends.
__global__ void saturated(const signed char *A, const signed char *B, const int *C, int *wrapped, int *clamped)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, d;
    wmma::load_matrix_sync(a, A, 16);
    wmma::load_matrix_sync(b, B, 16);
    wmma::load_matrix_sync(c, C, 16, wmma::mem_row_major);
    wmma::mma_sync(d, a, b, c);
    wmma::store_matrix_sync(wrapped, d, 16, wmma::mem_row_major);
    wmma::mma_sync(d, a, b, c, true);
    wmma::store_matrix_sync(clamped, d, 16, wmma::mem_row_major);
}

// Four bits an element, of both signs and of none; then single bits.
__global__ void narrow(const unsigned *A, const unsigned *B, int *nibbles, int *naturals, int *differing, int *common)
{
    using namespace wmma::experimental;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
    {
        wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> b;
        wmma::fill_fragment(sum, 0);
        wmma::load_matrix_sync(a, A, 32);
        wmma::load_matrix_sync(b, B, 32);
        wmma::mma_sync(sum, a, b, sum);
        wmma::store_matrix_sync(nibbles, sum, 8, wmma::mem_row_major);
    }
    {
        wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::u4, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::u4, wmma::col_major> b;
        wmma::load_matrix_sync(a, A, 32);
        wmma::load_matrix_sync(b, B, 32);
        wmma::mma_sync(sum, a, b, sum);
        wmma::store_matrix_sync(naturals, sum, 8, wmma::mem_col_major);
    }
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> bits;
    wmma::fill_fragment(bits, 0);
    wmma::load_matrix_sync(a, A, 128);
    wmma::load_matrix_sync(b, B, 128);
    wmma::bmma_sync(bits, a, b, bits);
    wmma::store_matrix_sync(differing, bits, 8, wmma::mem_row_major);
    wmma::fill_fragment(bits, 7);
    wmma::bmma_sync(bits, a, b, bits, bmmaBitOpAND);
    wmma::store_matrix_sync(common, bits, 8, wmma::mem_row_major);
}
