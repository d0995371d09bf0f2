// A warp reads at a stride in words:
// stride 1 takes one wavefront, 2 two
// and 32 takes 32; odd strides take
// one. Change the launch argument.
__global__ void shared_stride(
    float *out, int stride)
{
  __shared__ float s[1056];
  int t = threadIdx.x;
  for (int i = t; i < 1056; i += 32)
    s[i] = i;
  __syncthreads();
  out[t] = s[t * stride];
}
