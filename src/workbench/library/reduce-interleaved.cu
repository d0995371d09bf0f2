// The same sum, strided: words read
// together move apart until they are
// in the same bank.
__global__ void reduce_strided(
    const int *in, int *out)
{
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int i = 2 * d * t;
    if (i < 256)
      s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
