// --arch tu102 --block 32 --args i64:100000,out:i32*32:zero
// The launch passes a number for the input.
__global__ void copy(const int *in, int *out)
{
  out[threadIdx.x] = in[threadIdx.x];
}
