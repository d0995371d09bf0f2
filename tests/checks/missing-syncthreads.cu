// --block 128 --arch tu102,gp104 --args in:i32*128:iota,out:i32*1:zero
// A reduction without a barrier between its steps.
__global__ void reduce(const int *in, int *out)
{
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride)
      tile[t] += tile[t + stride];
  }
  if (t == 0)
    out[0] = tile[0];
}
