// --arch tu102 --block 32 --args out:i32*32:zero
// A declaration without its end.
__global__ void k(int *out)
{
  int t = threadIdx.x
  out[t] = t;
}
