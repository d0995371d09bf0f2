// Warp w has w times as much to do.
__global__ void stairs(const int *in, int *out, int unit)
{
    int warp = threadIdx.x / 32;
    int x = in[threadIdx.x], y = x + 1, z = x + 2;
    for (int r = 0; r < 6; r++) {
#ifdef FIXED
        int n = unit * 7 / 2;
#else
        int n = unit * warp; // PLANTED
#endif
        for (int k = 0; k < n; k++) { // PLANTED
            x = x * 3 + 1; // PLANTED
            y = y * 5 + 1; // PLANTED
            z = z * 7 + 1; // PLANTED
        }
        __syncthreads(); // PLANTED
    }
    out[threadIdx.x] = x + y + z;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    stairs<<<1, 256>>>(in, out, 24);
    cudaDeviceSynchronize();
    return 0;
}
