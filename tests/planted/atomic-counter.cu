// All threads add to one word.
__global__ void count(const int* in, int* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
#ifdef FIXED
    atomicAdd(&sum[i], v);
#else
    atomicAdd(&sum[i % 2], v); // PLANTED
#endif
}
int main() {
    const int n = 8192;
    int *in, *sum;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&sum, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    cudaMemset(sum, 0, n * sizeof(int));
    count<<<n / 256, 256>>>(in, sum, n);
    cudaDeviceSynchronize();
}
