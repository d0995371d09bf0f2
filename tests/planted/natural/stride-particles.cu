// The energy along x of each particle.
struct Particle { float x, y, z, vx, vy, vz, mass, charge; };
__global__ void kinetic(const Particle *p, const float *vx, float *energy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef FIXED
        float v = vx[i];
#else
        float v = p[i].vx; // PLANTED
#endif
        energy[i] = 0.5f * v * v;
    }
}

int main()
{
    Particle *p;
    float *v;
    float *energy;
    int n = 32768;
    cudaMalloc(&p, n * sizeof(Particle));
    cudaMalloc(&v, n * sizeof(float));
    cudaMalloc(&energy, n * sizeof(float));
    cudaMemset(p, 0, n * sizeof(Particle));
    cudaMemset(v, 0, n * sizeof(float));
    kinetic<<<n / 256, 256>>>(p, v, energy, n);
    cudaDeviceSynchronize();
    return 0;
}
