// Eight words per record: four lanes of a quarter warp meet in a bank.
#ifdef FIXED
#define AT(record, field) ((field) * 128 + (record))
#else
#define AT(record, field) ((record) * 8 + (field))
#endif
__global__ void records(const float* in, float* out, int rounds) {
    __shared__ float data[128 * 8];
    for (int i = threadIdx.x; i < 1024; i += 128)
        data[i] = in[i];
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++)
        sum += data[AT(threadIdx.x, r & 7)]; // PLANTED
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 1024 * sizeof(float));
    cudaMalloc(&out, 8 * 128 * sizeof(float));
    cudaMemset(in, 0, 1024 * sizeof(float));
    records<<<8, 128>>>(in, out, 192);
    cudaDeviceSynchronize();
}
