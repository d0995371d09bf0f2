struct Body { float x, y, z, w, vx, vy, vz, m; };
// Bodies in shared memory; each thread moves its own.
__global__ void step(const float *in, float *out, int steps)
{
#ifdef FIXED
    __shared__ volatile float x[128], vx[128];
    x[threadIdx.x] = in[threadIdx.x];
    vx[threadIdx.x] = in[threadIdx.x + 128];
    for (int s = 0; s < steps; s++)
        x[threadIdx.x] += vx[threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = x[threadIdx.x];
#else
    __shared__ Body bodies[128];
    volatile Body *b = bodies;
    b[threadIdx.x].x = in[threadIdx.x]; // PLANTED
    b[threadIdx.x].vx = in[threadIdx.x + 128]; // PLANTED
    for (int s = 0; s < steps; s++)
        b[threadIdx.x].x += b[threadIdx.x].vx; // PLANTED
    out[blockIdx.x * 128 + threadIdx.x] = b[threadIdx.x].x; // PLANTED
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0x3f, 256 * sizeof(float));
    step<<<16, 128>>>(in, out, 100);
    cudaDeviceSynchronize();
    return 0;
}
