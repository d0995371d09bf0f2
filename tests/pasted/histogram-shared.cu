// Counts bytes in shared memory first.
__global__ void byteHistogram(const unsigned char *data, unsigned int *total, size_t length)
{
  __shared__ unsigned int part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  while (at < length) {
    atomicAdd(&part[data[at]], 1u);
    at += (size_t)gridDim.x * blockDim.x;
  }
  __syncthreads();
  atomicAdd(&total[threadIdx.x], part[threadIdx.x]);
}
