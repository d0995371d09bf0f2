// --arch tu102 --block 64 --args out:i32*64:zero
// The array has one element too few for the right neighbor.
__global__ void right(int *out)
{
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  out[t] = tile[t + 1];
}
