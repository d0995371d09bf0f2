// A queue in shared memory with space for every element of the block's work.
#ifdef FIXED
#define CAPACITY 128
#else
#define CAPACITY 7680
#endif
__global__ void filter(const int *in, int *out)
{
    __shared__ int queue[CAPACITY]; // PLANTED
    int base = blockIdx.x * 128 * 12;
    int sum = 0;
    for (int k = 0; k < 12; k++) {
        int v = in[base + k * 128 + threadIdx.x];
        queue[threadIdx.x] = v;
        __syncwarp();
        sum += queue[threadIdx.x ^ 3];
        __syncwarp();
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 48 * 128 * 12 * sizeof(int));
    cudaMalloc(&out, 48 * 128 * sizeof(int));
    cudaMemset(in, 0, 48 * 128 * 12 * sizeof(int));
    filter<<<48, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
