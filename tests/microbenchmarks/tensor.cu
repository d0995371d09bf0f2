// Cycles of matrix products on tensor cores of one SM, by type: nvcc -O3 -std=c++17 -arch=sm_90 tensor.cu && ./a.out
// A row has the cycles of one product where each warp has one chain of products, and where each warp has four.
#include <cstdio>
#include <mma.h>
using namespace nvcuda::wmma;
namespace narrow = nvcuda::wmma::experimental;

const int ROUNDS = 2000;

template <typename Left, typename Right, typename Sum, int CHAINS>
__global__ void multiply(long long *cycles)
{
    Left left;
    Right right;
    Sum sums[CHAINS];
    for (int i = 0; i < left.num_storage_elements; i++) left.x[i] = 0;
    for (int i = 0; i < right.num_storage_elements; i++) right.x[i] = 0;
    for (int chain = 0; chain < CHAINS; chain++) fill_fragment(sums[chain], 0);
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int chain = 0; chain < CHAINS; chain++) {
            if constexpr (sizeof(left.x) == 4 && Left::num_elements == 32) {
                bmma_sync(sums[chain], left, right, sums[chain], narrow::bmmaBitOpAND);
            } else {
                mma_sync(sums[chain], left, right, sums[chain]);
            }
        }
    }
    __syncthreads();
    long long taken = clock64() - start;
    // All sums are 0; the compiler does not know it.
    for (int chain = 0; chain < CHAINS; chain++)
        for (int i = 0; i < Sum::num_elements; i++)
            if ((double)sums[chain].x[i] != 0.0) taken = 0;
    if (threadIdx.x == 0) *cycles = taken;
}

template <typename Left, typename Right, typename Sum, int CHAINS>
double cycles_of(int num_warps, long long *device)
{
    long long cycles = 0;
    for (int again = 0; again < 2; again++) multiply<Left, Right, Sum, CHAINS><<<1, 32 * num_warps>>>(device);
    cudaMemcpy(&cycles, device, sizeof cycles, cudaMemcpyDeviceToHost);
    return (double)cycles / ROUNDS / CHAINS;
}

template <int M, int N, int K, typename T, typename Total>
void measure(const char *name)
{
    typedef fragment<matrix_a, M, N, K, T, row_major> Left;
    typedef fragment<matrix_b, M, N, K, T, col_major> Right;
    typedef fragment<accumulator, M, N, K, Total> Sum;
    long long *device;
    cudaMalloc(&device, sizeof *device);
    for (int num_warps : {1, 4, 8, 16, 32}) {
        const double one = cycles_of<Left, Right, Sum, 1>(num_warps, device);
        const double four = cycles_of<Left, Right, Sum, 4>(num_warps, device);
        printf("%s %dx%dx%d,%d,%.3f,%.3f\n", name, M, N, K, num_warps, one, four);
    }
    cudaFree(device);
}

int main()
{
    printf("product,warps,one chain,four chains\n");
    measure<16, 16, 16, half, float>("half with single sums");
    measure<16, 16, 16, half, half>("half");
    measure<16, 16, 8, precision::tf32, float>("tf32");
    measure<16, 16, 16, signed char, int>("s8");
    measure<8, 8, 4, double, double>("double");
    measure<8, 8, 128, narrow::precision::b1, int>("b1 by AND");
    measure<8, 8, 32, narrow::precision::s4, int>("s4");
}
