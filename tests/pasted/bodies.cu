// Particles as an array of structures.
struct Body {
  float x, y, z, mass;
};
__global__ void energy(const Body *bodies, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Body body = bodies[i];
    out[i] = 0.5f * body.mass * (body.x * body.x + body.y * body.y + body.z * body.z);
  }
}
