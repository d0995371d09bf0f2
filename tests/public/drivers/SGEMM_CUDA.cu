// Launches the kernels of siboehm/SGEMM_CUDA, whose own program needs cuBLAS. Lies at the root of the checkout.
#include <cstdlib>
#include <cuda_runtime.h>
#include "src/kernels/1_naive.cuh"
#include "src/kernels/2_kernel_global_mem_coalesce.cuh"
#include "src/kernels/3_kernel_shared_mem_blocking.cuh"
#include "src/kernels/4_kernel_1D_blocktiling.cuh"
#include "src/kernels/5_kernel_2D_blocktiling.cuh"
#include "src/kernels/6_kernel_vectorize.cuh"
#include "src/kernels/7_kernel_resolve_bank_conflicts.cuh"
#include "src/kernels/8_kernel_bank_extra_col.cuh"
#include "src/kernels/9_kernel_autotuned.cuh"
#include "src/kernels/10_kernel_warptiling.cuh"

int main()
{
    const int n = 128, size = n * n * sizeof(float);
    float *a = (float *)malloc(size), *b = (float *)malloc(size), *c = (float *)malloc(size);
    for (int i = 0; i < n * n; i++) {
        a[i] = (i % 13) - 6;
        b[i] = (i % 7) * 0.5f;
        c[i] = i % 5;
    }
    float *da, *db, *dc;
    cudaMalloc(&da, size);
    cudaMalloc(&db, size);
    cudaMalloc(&dc, size);
    cudaMemcpy(da, a, size, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, size, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    const float alpha = 0.5f, beta = 2.0f;
    sgemm_naive<<<dim3(4, 4), dim3(32, 32)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemm_global_mem_coalesce<32><<<dim3(4, 4), dim3(1024)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemm_shared_mem_block<32><<<dim3(4, 4), dim3(1024)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemm1DBlocktiling<64, 64, 8, 8><<<dim3(2, 2), dim3(512)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemm2DBlocktiling<128, 128, 8, 8, 8><<<dim3(1, 1), dim3(256)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemmVectorize<128, 128, 8, 8, 8><<<dim3(1, 1), dim3(256)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemmResolveBankConflicts<128, 128, 8, 8, 8><<<dim3(1, 1), dim3(256)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemmResolveBankExtraCol<128, 128, 8, 8, 8><<<dim3(1, 1), dim3(256)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemmAutotuned<128, 128, 16, 8, 8><<<dim3(1, 1), dim3(256)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(dc, c, size, cudaMemcpyHostToDevice);
    sgemmWarptiling<128, 128, 16, 64, 64, 4, 8, 4, 128><<<dim3(1, 1), dim3(128)>>>(n, n, n, alpha, da, db, beta, dc);
    cudaMemcpy(c, dc, size, cudaMemcpyDeviceToHost);
    return 0;
}
