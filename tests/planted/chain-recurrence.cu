// A recurrence of squares.
__global__ void mix(const unsigned* in, unsigned* out) {
    unsigned x = in[threadIdx.x];
#ifdef FIXED
    unsigned a = x, b = x + 1, c = x + 2, d = x + 3;
#pragma unroll 8
    for (int k = 0; k < 192; k++) {
        a = a * a + 1013904223u;
        b = b * b + 1013904223u;
        c = c * c + 1013904223u;
        d = d * d + 1013904223u;
    }
    out[threadIdx.x] = a ^ b ^ c ^ d;
#else
    unsigned a = x;
#pragma unroll 32
    for (int k = 0; k < 768; k++)
        a = a * a + 1013904223u; // PLANTED
    out[threadIdx.x] = a;
#endif
}
int main() {
    unsigned *in, *out;
    cudaMalloc(&in, 128 * sizeof(unsigned));
    cudaMalloc(&out, 128 * sizeof(unsigned));
    cudaMemset(in, 0, 128 * sizeof(unsigned));
    mix<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
}
