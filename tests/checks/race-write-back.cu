// --arch tu102 --block 128 --args in:i32*2:iota,out:i32*128:zero
// One warp reads a word, and another writes back the value that is there.
__global__ void write_back(const int *in, int *out)
{
  __shared__ int word;
  int t = threadIdx.x;
  if (t == 0) word = in[1];
  __syncthreads();
  int v = 0;
  if (t == 64) v = word;
  if (t == 0) word = in[1];
  __syncthreads();
  out[t] = v + word;
}
