// The sum of each block, in shared memory whose size the launch gives.
__global__ void reduce(const float *input, float *output, unsigned int n)
{
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float mine = i < n ? input[i] : 0.0f;
  if (i + blockDim.x < n)
    mine += input[i + blockDim.x];
  sdata[tid] = mine;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    output[blockIdx.x] = sdata[0];
}
