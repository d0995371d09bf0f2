// Arrays of structures of eight floats, of which one is read.
struct Body { float x, y, z, vx, vy, vz, mass, charge; };
#ifdef FIXED
__global__ void weigh(const float* mass, float* out, int n) {
#else
__global__ void weigh(const Body* bodies, float* out, int n) {
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
#ifdef FIXED
        out[i] = 9.81f * mass[i];
#else
        out[i] = 9.81f * bodies[i].mass; // PLANTED
#endif
}
int main() {
    const int n = 16384;
    float *out;
    cudaMalloc(&out, n * sizeof(float));
#ifdef FIXED
    float *bodies;
    cudaMalloc(&bodies, n * sizeof(float));
    cudaMemset(bodies, 0, n * sizeof(float));
#else
    Body *bodies;
    cudaMalloc(&bodies, n * sizeof(Body));
    cudaMemset(bodies, 0, n * sizeof(Body));
#endif
    weigh<<<n / 256, 256>>>(bodies, out, n);
    cudaDeviceSynchronize();
}
