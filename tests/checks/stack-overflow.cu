// --arch tu102 --block 32 --args out:i32*32:zero,i32:1000000
// A recursion without an end.
__device__ int down(int n)
{
  return n == -1 ? 0 : 1 + down(n + 1);
}
__global__ void recurse(int *out, int n)
{
  out[threadIdx.x] = down(n);
}
