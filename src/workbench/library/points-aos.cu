// An array of structures: adjacent
// elements are 12 bytes apart, and
// all three loads touch the same
// sectors.
struct Point {
  float x, y, z;
};

__global__ void points_aos(
    const Point *p, float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = p[i].x * p[i].x
         + p[i].y * p[i].y
         + p[i].z * p[i].z;
}
