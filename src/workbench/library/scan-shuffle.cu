// Shuffles inside a warp, and shared
// memory once between the warps: one
// barrier instead of
// nine.
#define ALL ~0u

__global__ void scan_shuffle(
    const int *in, int *out)
{
  __shared__ int s[8];
  int t = threadIdx.x;
  int lane = t % 32;
  int i = blockIdx.x * 256 + t;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(ALL, v, d);
    if (lane >= d)
      v += u;
  }
  if (lane == 31)
    s[t / 32] = v;
  __syncthreads();
  for (int w = 0; w < t / 32; ++w)
    v += s[w];
  out[i] = v;
}
