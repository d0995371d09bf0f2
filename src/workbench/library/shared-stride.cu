// A warp reads at a stride in words:
// 1 takes one wavefront, 2 takes two,
// 32 takes 32, odd ones take one.
// Change the argument of the launch.
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
