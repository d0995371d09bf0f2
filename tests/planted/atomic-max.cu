// The maximum of all values, by one atomic per value.
__global__ void most(const int* in, int* best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int v = in[k * 4096 + i];
#ifdef FIXED
        int old = atomicMax(&best[1 + i], v);
#else
        int old = atomicMax(best, v); // PLANTED
#endif
        if (old > 1000)
            best[0] = 0;
    }
}
int main() {
    int *in, *best;
    cudaMalloc(&in, 16384 * sizeof(int));
    cudaMalloc(&best, 4097 * sizeof(int));
    cudaMemset(in, 0, 16384 * sizeof(int));
    cudaMemset(best, 0, 4097 * sizeof(int));
    most<<<16, 256>>>(in, best);
    cudaDeviceSynchronize();
}
