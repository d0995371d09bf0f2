// --arch tu102 --block 32 --args i64:0,out:i32*32:zero
// The launch passes a null pointer for the input.
__global__ void copy(const int *in, int *out)
{
  out[threadIdx.x] = in[threadIdx.x];
}
