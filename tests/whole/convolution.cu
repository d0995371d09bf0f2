// 1D convolution with the mask in constant memory and a halo in shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

#define MASK_WIDTH 9
#define RADIUS (MASK_WIDTH / 2)
#define BLOCK_SIZE 64

__constant__ float d_mask[MASK_WIDTH];
__constant__ int d_clamp;

__device__ float at(const float *in, int i, int width)
{
    if (i >= 0 && i < width)
        return in[i];
    return d_clamp ? in[i < 0 ? 0 : width - 1] : 0.0f;
}

__global__ void convolve(float *in, float *out, int width)
{
    __shared__ float tile[BLOCK_SIZE + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x + RADIUS] = at(in, i, width);
    if (threadIdx.x < RADIUS) {
        tile[threadIdx.x] = at(in, i - RADIUS, width);
        tile[threadIdx.x + RADIUS + BLOCK_SIZE] = at(in, i + BLOCK_SIZE, width);
    }
    __syncthreads();

    if (i < width) {
        float sum = 0;
        for (int j = 0; j < MASK_WIDTH; j++)
            sum += tile[threadIdx.x + j] * d_mask[j];
        out[i] = sum;
    }
}

int main()
{
    const int width = 500;
    const unsigned int size = width * sizeof(float);
    float h_mask[MASK_WIDTH];
    float total = 0;
    for (int i = 0; i < MASK_WIDTH; i++) {
        int d = abs(i - RADIUS);
        h_mask[i] = 1.0f / (1 << d);
        total += h_mask[i];
    }
    for (int i = 0; i < MASK_WIDTH; i++)
        h_mask[i] /= total;

    float *h_in, *h_out;
    cudaMallocHost((void **)&h_in, size);
    cudaMallocHost((void **)&h_out, size);
    srand(7);
    int value = 50;
    for (int i = 0; i < width; ++i) {
        value += rand() % 21 - 10;
        h_in[i] = value;
    }

    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, size);
    cudaMalloc((void **)&d_out, size);
    int clamp = 1;
    cudaMemcpyToSymbol(d_mask, h_mask, sizeof(h_mask));
    cudaMemcpyToSymbol(d_clamp, &clamp, sizeof(int));
    cudaMemcpy(d_in, h_in, size, cudaMemcpyHostToDevice);

    int gridSize = (int)ceil((float)width / BLOCK_SIZE);
    convolve<<<gridSize, BLOCK_SIZE>>>(d_in, d_out, width);

    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        printf("launch failed: %s\n", cudaGetErrorString(error));
        return EXIT_FAILURE;
    }
    cudaMemcpy(h_out, d_out, size, cudaMemcpyDeviceToHost);

    for (int i = 0; i < width; i++) {
        float sum = 0;
        for (int j = 0; j < MASK_WIDTH; j++) {
            int k = i + j - RADIUS;
            k = k < 0 ? 0 : (k >= width ? width - 1 : k);
            sum += h_in[k] * h_mask[j];
        }
        assert(fabs(sum - h_out[i]) < 1e-3);
    }
    puts("all equal");
    cudaFreeHost(h_in);
    cudaFreeHost(h_out);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
