// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero,i32:32
// The sum starts without a value.
__global__ void k(const int *in, int *out, int n)
{
  int t = threadIdx.x;
  int sum;
  for (int i = 0; i < n; i++)
    sum += in[i];
  out[t] = sum;
}
