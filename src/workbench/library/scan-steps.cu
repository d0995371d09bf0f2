// An inclusive prefix sum: each of 8
// steps adds the value d places back,
// and every lane works in every step.
__global__ void scan_steps(
    const int *in, int *out)
{
  __shared__ int s[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  int from = 0;
  s[0][t] = in[i];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = s[from][t];
    if (t >= d)
      v += s[from][t - d];
    from = 1 - from;
    s[from][t] = v;
    __syncthreads();
  }
  out[i] = s[from][t];
}
