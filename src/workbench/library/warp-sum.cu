// A warp adds up 32 numbers in shared
// memory, in five steps. Nothing
// keeps the lanes in lockstep: from
// Volta on a partner may lag behind.
__global__ void warp_sum(
    const int *in, int *out)
{
  __shared__ volatile int s[48];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];
  if (t < 16) {
    s[32 + t] = 0;
  }
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
  if (t == 0)
    out[blockIdx.x] = s[0];
}
