// --arch tu102 --block 32 --args out:i32*32:zero
// The upper half executes with the mask of the lower half.
__global__ void half(int *out)
{
  int t = threadIdx.x;
  out[t] = __shfl_down_sync(0xffff, t, 1);
}
