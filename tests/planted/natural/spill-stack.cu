// A walk with a stack of the thread.
__global__ void walk(const int *tree, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    __shared__ int stacks[16][128];
#define STACK(d) stacks[d][threadIdx.x]
#else
    int stack[16];
#define STACK(d) stack[d] // PLANTED
#endif
    int depth = 0, sum = 0;
    STACK(depth++) = 1; // PLANTED
    while (depth > 0) {
        int node = STACK(--depth); // PLANTED
        sum += tree[node];
        if (node < 64) {
            STACK(depth++) = 2 * node; // PLANTED
            STACK(depth++) = 2 * node + 1; // PLANTED
        }
    }
    out[i] = sum;
}

int main()
{
    int *tree, *out;
    cudaMalloc(&tree, 128 * sizeof(int));
    cudaMalloc(&out, 2048 * sizeof(int));
    cudaMemset(tree, 0, 128 * sizeof(int));
    walk<<<16, 128>>>(tree, out);
    cudaDeviceSynchronize();
    return 0;
}
