// A matrix product whose threads compute 8 by 8 results each: BM = BN = 64, BK = 8, TM = TN = 8.
#define BM 64
#define BN 64
#define BK 8
#define TM 8
#define TN 8

__global__ void __launch_bounds__((BM * BN) / (TM * TN))
    sgemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
    __shared__ float as[BM * BK];
    __shared__ float bs[BK * BN];
    const int threads = (BM * BN) / (TM * TN);
    const int column = threadIdx.x % (BN / TN);
    const int row = threadIdx.x / (BN / TN);
    const float *a_tile = a + blockIdx.y * BM * k;
    const float *b_tile = b + blockIdx.x * BN;
    float *c_tile = c + blockIdx.y * BM * n + blockIdx.x * BN;
    float sums[TM * TN] = {0.0f};
    float of_a[TM] = {0.0f};
    float of_b[TN] = {0.0f};
    for (int from = 0; from < k; from += BK) {
        for (int at = threadIdx.x; at < BM * BK; at += threads)
            as[at] =
                a_tile[(at / BK) * k + at % BK]; // load of A
        for (int at = threadIdx.x; at < BK * BN; at += threads)
            bs[at] =
                b_tile[(at / BN) * n + at % BN]; // load of B
        __syncthreads();
        a_tile += BK;
        b_tile += BK * n;
        for (int dot = 0; dot < BK; dot++) {
            for (int i = 0; i < TM; i++)
                of_a[i] = as[(row * TM + i) * BK + dot];
            for (int i = 0; i < TN; i++)
                of_b[i] = bs[dot * BN + column * TN + i];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sums[i * TN + j] += of_a[i] * of_b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            c_tile[(row * TM + i) * n + column * TN + j] = // store of C
                alpha * sums[i * TN + j] +
                beta * c_tile[(row * TM + i) * n + column * TN + j]; // load of C
}

int main() {
    const int n = 128, k = 64;
    float *a, *b, *c;
    cudaMalloc(&a, n * k * sizeof(float));
    cudaMalloc(&b, k * n * sizeof(float));
    cudaMalloc(&c, n * n * sizeof(float));
    cudaMemset(a, 0, n * k * sizeof(float));
    cudaMemset(b, 0, k * n * sizeof(float));
    cudaMemset(c, 0, n * n * sizeof(float));
    sgemm<<<dim3(n / BN, n / BM), (BM * BN) / (TM * TN)>>>(n, n, k, 1.0f, a, b, 0.5f, c);
    cudaDeviceSynchronize();
    return 0;
}
