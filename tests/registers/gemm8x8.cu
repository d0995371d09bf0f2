// siboehm kernel 5: 2D blocktiling, TM = TN = 8, BM = BN = 128 (64), BK = 8
template <int BM, int BN, int BK, int TM, int TN>
__device__ void body(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const unsigned cRow = blockIdx.y, cCol = blockIdx.x;
  const int threads = (BM * BN) / (TM * TN);
  const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += cRow * BM * K; B += cCol * BN; C += cRow * BM * N + cCol * BN;
  const int innerRowA = threadIdx.x / BK, innerColA = threadIdx.x % BK;
  const int strideA = threads / BK;
  const int innerRowB = threadIdx.x / BN, innerColB = threadIdx.x % BN;
  const int strideB = threads / BN;
  float threadResults[TM * TN] = {0.0f};
  float regM[TM] = {0.0f};
  float regN[TN] = {0.0f};
  for (int bk = 0; bk < K; bk += BK) {
    for (int o = 0; o < BM; o += strideA) As[(innerRowA + o) * BK + innerColA] = A[(innerRowA + o) * K + innerColA];
    for (int o = 0; o < BK; o += strideB) Bs[(innerRowB + o) * BN + innerColB] = B[(innerRowB + o) * N + innerColB];
    __syncthreads();
    A += BK; B += BK * N;
    for (int d = 0; d < BK; ++d) {
      for (int i = 0; i < TM; ++i) regM[i] = As[(threadRow * TM + i) * BK + d];
      for (int i = 0; i < TN; ++i) regN[i] = Bs[d * BN + threadCol * TN + i];
      for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n) threadResults[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }
  for (int m = 0; m < TM; ++m)
    for (int n = 0; n < TN; ++n)
      C[(threadRow * TM + m) * N + threadCol * TN + n] = alpha * threadResults[m * TN + n] + beta * C[(threadRow * TM + m) * N + threadCol * TN + n];
}
__global__ void gemm8(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) { body<128, 128, 8, 8, 8>(M, N, K, alpha, A, B, beta, C); }
__global__ void gemm8s(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) { body<64, 64, 8, 8, 8>(M, N, K, alpha, A, B, beta, C); }
__global__ void gemm4(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) { body<64, 64, 8, 4, 4>(M, N, K, alpha, A, B, beta, C); }
int main() {
  const int n = 256; float *a, *b, *c;
  cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMalloc(&c, n * n * 4);
  cudaMemset(a, 0, n * n * 4); cudaMemset(b, 0, n * n * 4); cudaMemset(c, 0, n * n * 4);
  gemm8<<<dim3(2, 2), 256>>>(n, n, n, 1.0f, a, b, 0.0f, c);
  gemm8s<<<dim3(4, 4), 64>>>(n, n, n, 1.0f, a, b, 0.0f, c);
  gemm4<<<dim3(4, 4), 256>>>(n, n, n, 1.0f, a, b, 0.0f, c);
  cudaDeviceSynchronize();
}
