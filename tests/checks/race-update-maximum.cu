// --arch tu102,gp104 --block 64 --args in:i32*64:perm1,inout:i32*1:zero
__global__ void most(const int *in, int *out)
{
  if (in[threadIdx.x] > *out)
    *out = in[threadIdx.x];
}
