// An array of structures: neighbours
// lie 12 bytes apart, and each of
// three loads touches the same
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
