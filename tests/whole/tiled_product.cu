// C = A * B for matrices that are no multiple of the tile, checked on the CPU.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr int TILE = 16;

__global__ void matMul(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                       int M, int N, int K) {
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE + 1];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.f;

    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        const int ka = t * TILE + threadIdx.x;
        const int kb = t * TILE + threadIdx.y;
        sA[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.f;
        sB[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : 0.f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

static void cpuMatMul(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& c,
                      int M, int N, int K) {
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float s = 0;
            for (int k = 0; k < K; ++k)
                s += a[i * K + k] * b[k * N + j];
            c[i * N + j] = s;
        }
}

int main() {
    const int M = 45, N = 37, K = 29;
    std::vector<float> a(M * K), b(K * N), c(M * N), expected(M * N, 0.0f);

    srand(2024);
    for (auto& v : a) v = static_cast<float>(rand() % 19 - 9);
    for (auto& v : b) v = rand() / (float)RAND_MAX;

    float *dA = nullptr, *dB = nullptr, *dC = nullptr;
    cudaMalloc(&dA, a.size() * sizeof(float));
    cudaMalloc(&dB, b.size() * sizeof(float));
    cudaMalloc(&dC, c.size() * sizeof(float));
    cudaMemcpy(dA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);

    dim3 block(TILE, TILE);
    dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    matMul<<<grid, block>>>(dA, dB, dC, M, N, K);
    cudaDeviceSynchronize();

    cudaMemcpy(c.data(), dC, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cpuMatMul(a, b, expected, M, N, K);

    float worst = 0;
    for (size_t i = 0; i < c.size(); ++i) {
        float d = c[i] - expected[i];
        if (d < 0) d = -d;
        if (d > worst) worst = d;
    }
    printf("largest difference: %g\n", worst);

    cudaFree(dA); cudaFree(dB); cudaFree(dC);
    return worst < 1e-3f ? EXIT_SUCCESS : EXIT_FAILURE;
}
