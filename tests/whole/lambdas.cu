// Loops over elements that take their body as a lambda of the host.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <typename Body>
__global__ void for_each_index(int num, Body body)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num)
        body(i);
}

template <typename T, typename Function>
__global__ void transform(T *out, const T *in, int num, Function function)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num; i += gridDim.x * blockDim.x)
        out[i] = function(in[i]);
}

struct Range {
    float low, high;
};

int main()
{
    const int num = 1000;
    const int block = 128;
    float *x, *y, *h = (float *)malloc(num * sizeof(float));
    cudaMalloc(&x, num * sizeof(float));
    cudaMalloc(&y, num * sizeof(float));
    for (int i = 0; i < num; i++)
        h[i] = 0.25f * (i % 37);
    cudaMemcpy(x, h, num * sizeof(float), cudaMemcpyHostToDevice);

    float factor = 2.5f;
    for_each_index<<<(num + block - 1) / block, block>>>(num, [=] __device__(int i) {
        float scaled = factor * x[i];
        y[i] = scaled + i;
    });

    Range range = {10.0f, 500.0f};
    auto clamped = [range] __device__(float value) -> float {
        return value < range.low ? range.low : value > range.high ? range.high : value;
    };
    transform<<<4, block>>>(x, y, num, clamped);
    transform<<<2, 64>>>(y, x, num, [] __device__(float value) { return value * value; });

    for (int step = 0; step < 2; step++) {
        unsigned short shift = 3 * step + 1;
        transform<<<1, 32>>>(x, y, num, [shift, factor] __device__(float value) mutable {
            value += shift;
            return value / factor;
        });
    }

    cudaMemcpy(h, x, num * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < num; i++) {
        float value = 2.5f * (0.25f * (i % 37)) + i;
        value = value < 10.0f ? 10.0f : value > 500.0f ? 500.0f : value;
        if (h[i] != (value * value + 4) / 2.5f) {
            printf("element %d is %g\n", i, h[i]);
            return 1;
        }
    }
    printf("ok\n");
    cudaFree(x);
    cudaFree(y);
    free(h);
}
