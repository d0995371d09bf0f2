// The launch asks for more dynamic shared memory than the kernel uses.
__global__ void gather(const int* index, const float* in, float* out) {
    extern __shared__ float own[];
    int i = blockIdx.x * 128 + threadIdx.x;
    own[threadIdx.x] = in[index[i]];
    __syncwarp();
    out[i] = own[threadIdx.x ^ 1];
}
int main() {
    int *index;
    float *in, *out;
    cudaMalloc(&index, 8192 * sizeof(int));
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&out, 8192 * sizeof(float));
    cudaMemset(index, 0, 8192 * sizeof(int));
    cudaMemset(in, 0, 8192 * sizeof(float));
#ifdef FIXED
    gather<<<64, 128, 512>>>(index, in, out);
#else
    gather<<<64, 128, 30000>>>(index, in, out); // PLANTED
#endif
    cudaDeviceSynchronize();
}
