// A sum over a neighborhood, whose border is loaded, too. The input has a border in front of its first element.
#define RADIUS 3
#define SIZE 128
__global__ void stencil(const int *in, int *out)
{
  __shared__ int part[SIZE + 2 * RADIUS];
  int global = blockIdx.x * blockDim.x + threadIdx.x;
  int local = threadIdx.x + RADIUS;
  part[local] = in[global];
  if (threadIdx.x < RADIUS) {
    part[local - RADIUS] = in[global - RADIUS];
    part[local + SIZE] = in[global + SIZE];
  }
  __syncthreads();
  int sum = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    sum += part[local + offset];
  out[global] = sum;
}
