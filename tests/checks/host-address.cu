// --arch tu102 --block 32 --args out:i32*32:zero
// An address of the host in the place of one of device memory.
__global__ void copy(int *out)
{
  int *host = (int *)0x7ffc9a3be010;
  out[threadIdx.x] = *host;
}
