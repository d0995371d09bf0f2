// Eighty values are alive while the thread follows a chain of indices.
#ifdef FIXED
#define LATE 1
#else
#define LATE 0
#endif
__global__ void follow(const float* in, const int* next, float* out) { // PLANTED
    int i = blockIdx.x * 128 + threadIdx.x;
    int p = i;
#if LATE
    for (int k = 0; k < 60; k++)
        p = next[(p + i + k * 1024) & 65535];
    float sum = p;
    for (int k = 0; k < 80; k++)
        sum = sum * 0.5f + in[k * 128 + threadIdx.x];
#else
    float w[80];
#pragma unroll
    for (int k = 0; k < 80; k++)
        w[k] = in[k * 128 + threadIdx.x];
    for (int k = 0; k < 60; k++)
        p = next[(p + i + k * 1024) & 65535];
    float sum = p;
#pragma unroll
    for (int k = 0; k < 80; k++)
        sum = sum * 0.5f + w[k];
#endif
    out[i] = sum;
}
int main() {
    float *in, *out;
    int *next;
    cudaMalloc(&in, 80 * 128 * sizeof(float));
    cudaMalloc(&next, 65536 * sizeof(int));
    cudaMalloc(&out, 4096 * sizeof(float));
    cudaMemset(in, 0, 80 * 128 * sizeof(float));
    cudaMemset(next, 0, 65536 * sizeof(int));
    follow<<<32, 128>>>(in, next, out);
    cudaDeviceSynchronize();
}
