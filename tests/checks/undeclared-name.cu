// --arch tu102 --block 32 --args out:i32*32:zero
// A name with a letter missing.
__global__ void k(int *out)
{
  int idx = threadIdx.x;
  out[idx] = indx * 2;
}
