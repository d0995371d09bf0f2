// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
// The index is one too high for an array of the thread.
__global__ void k(const int *in, int *out)
{
  int t = threadIdx.x;
  int own[8];
  for (int i = 0; i < 8; i++)
    own[i] = in[i];
  out[t] = own[in[t] + 1];
}
