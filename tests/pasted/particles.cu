// Particles as arrays of their coordinates.
__global__ void integrate(float *px, float *py, float *pz, const float *vx, const float *vy, const float *vz, float dt, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  px[i] += vx[i] * dt;
  py[i] += vy[i] * dt;
  pz[i] += vz[i] * dt;
}
