// --arch tu102 --block 32 --args i64:140722908717072,out:i32*32:zero
// The launch passes a pointer of the host.
__global__ void k(const int *in, int *out)
{
  out[threadIdx.x] = in[threadIdx.x];
}
