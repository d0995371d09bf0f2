// --arch tu102 --block 32 --args out:f32*32:zero
// A tile of 64 KB.
__global__ void k(float *out)
{
  __shared__ float tile[128][128];
  int t = threadIdx.x;
  tile[t][0] = t;
  __syncthreads();
  out[t] = tile[31 - t][0];
}
