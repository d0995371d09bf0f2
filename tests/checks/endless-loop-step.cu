// --arch tu102 --block 32 --args out:i32*32:zero,i32:10
// Zero times two stays zero.
__global__ void k(int *out, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i = i * 2)
    sum += i;
  out[threadIdx.x] = sum;
}
