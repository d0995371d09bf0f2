// y = A x with A in shared memory, 32 x 32; thread (i, j) starts at column j.
__global__ void gram(const float *a, float *g)
{
    __shared__ float A[32][32];
    int i = threadIdx.y, j = threadIdx.x;
    A[i][j] = a[i * 32 + j];
    A[i + 8][j] = a[(i + 8) * 32 + j];
    A[i + 16][j] = a[(i + 16) * 32 + j];
    A[i + 24][j] = a[(i + 24) * 32 + j];
    __syncthreads();
    for (int row = i; row < 32; row += 8) {
        float s = 0;
        for (int k = 0; k < 32; k++)
#ifdef FIXED
            s += A[row][k] * A[k][j];
#else
            s += A[row][k] * A[j][k]; // PLANTED
#endif
        g[blockIdx.x * 1024 + row * 32 + j] = s;
    }
}

int main()
{
    float *a, *g;
    cudaMalloc(&a, 1024 * sizeof(float));
    cudaMalloc(&g, 8192 * sizeof(float));
    cudaMemset(a, 0x3f, 1024 * sizeof(float));
    dim3 block(32, 8);
    gram<<<8, block>>>(a, g);
    cudaDeviceSynchronize();
    return 0;
}
