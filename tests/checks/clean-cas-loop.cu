// --arch tu102 --block 64 --args in:f32*64:iota,out:f32*1:unset
// A maximum by a loop around atomicCAS, which begins with a plain read.
__global__ void maximum(const float *in, float *out)
{
  __shared__ unsigned most;
  if (threadIdx.x == 0)
    most = 0;
  __syncthreads();
  float mine = in[threadIdx.x];
  unsigned old = most, assumed;
  while (__uint_as_float(old) < mine) {
    assumed = old;
    old = atomicCAS(&most, assumed, __float_as_uint(mine));
    if (old == assumed)
      break;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = __uint_as_float(most);
}
