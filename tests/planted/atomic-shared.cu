// A histogram with two bins in shared memory.
__global__ void bins(const int* in, int* out) {
    __shared__ int h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        int v = in[k * 256 + threadIdx.x];
#ifdef FIXED
        atomicAdd(&h[(threadIdx.x + v) & 255], 1);
#else
        atomicAdd(&h[(threadIdx.x & 1) + v], 1); // PLANTED
#endif
    }
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = h[threadIdx.x];
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 4096 * sizeof(int));
    cudaMalloc(&out, 8 * 256 * sizeof(int));
    cudaMemset(in, 0, 4096 * sizeof(int));
    bins<<<8, 256>>>(in, out);
    cudaDeviceSynchronize();
}
