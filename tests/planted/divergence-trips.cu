// The number of rounds differs from lane to lane.
__global__ void rounds(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
#ifdef FIXED
    int trips = 4 * (i / 32 % 32);
#else
    int trips = 4 * (i % 32);
#endif
    for (int k = 0; k < trips; k++) // PLANTED
        v = v * 1.25f + 0.5f;
    out[i] = v;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 16384 * sizeof(float));
    cudaMalloc(&out, 16384 * sizeof(float));
    cudaMemset(in, 0, 16384 * sizeof(float));
    rounds<<<128, 128>>>(in, out);
    cudaDeviceSynchronize();
}
