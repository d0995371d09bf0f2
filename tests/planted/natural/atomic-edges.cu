// Edges of a graph whose first node has nearly all of them.
__global__ void degrees(const int *edges, int *degree, int n)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n)
        return;
#ifdef FIXED
    int node = e;
#else
    int node = e % 16 ? 0 : e;
#endif
    atomicAdd(degree + node + edges[e], 1); // PLANTED
}

int main()
{
    int *edges, *degree;
    cudaMalloc(&edges, 8192 * sizeof(int));
    cudaMalloc(&degree, 8192 * sizeof(int));
    cudaMemset(edges, 0, 8192 * sizeof(int));
    cudaMemset(degree, 0, 8192 * sizeof(int));
    degrees<<<32, 256>>>(edges, degree, 8192);
    cudaDeviceSynchronize();
    return 0;
}
