#define BM 32
#define BN 32
#define BK 8
#define TM 4
#define TN 4

// C = alpha A B + beta C; each thread keeps a 4 x 4 piece of C in registers.
__global__ void __launch_bounds__(64) sgemm_registers(int m, int n, int k, float alpha, const float *a, const float *b,
                                                      float beta, float *c)
{
    __shared__ float as[BK][BM];
    __shared__ float bs[BK][BN];
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const int tr = threadIdx.x / (BN / TN), tc = threadIdx.x % (BN / TN);
    float acc[TM][TN] = {{0.0f}};
    for (int k0 = 0; k0 < k; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) {
            as[i % BK][i / BK] = a[(row0 + i / BK) * k + k0 + i % BK];
            bs[i / BN][i % BN] = b[(k0 + i / BN) * n + col0 + i % BN];
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float ra[TM], rb[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                ra[i] = as[p][tr * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                rb[j] = bs[p][tc * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            int at = (row0 + tr * TM + i) * n + col0 + tc * TN + j;
            c[at] = alpha * acc[i][j] + beta * c[at];
        }
}

// Matrix times vector, a warp a row, summed with shuffles.
__global__ void gemv_warp(const float *a, const float *x, float *y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32)
        sum += a[row * cols + c] * x[c];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
