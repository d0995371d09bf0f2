// Sums of every fourth row, with the index of the column in the slow direction.
__global__ void columns(const double *a, double *sums, int n)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x;
    double s = 0.0;
    for (int r = 0; r < n; r += 4)
#ifdef FIXED
        s += a[(size_t)(r / 4) * 1024 + col];
#else
        s += a[(size_t)col * n + r]; // PLANTED
#endif
    sums[col] = s;
}

int main()
{
    double *a, *sums;
    cudaMalloc(&a, 1024 * 384 * sizeof(double));
    cudaMalloc(&sums, 1024 * sizeof(double));
    cudaMemset(a, 0, 1024 * 384 * sizeof(double));
    columns<<<8, 128>>>(a, sums, 384);
    cudaDeviceSynchronize();
    return 0;
}
