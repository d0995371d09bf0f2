// --arch tu102 --block 64x32 --args out:f32*2048:zero
// A block of 64 x 32 threads.
__global__ void k(float *out)
{
  out[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}
