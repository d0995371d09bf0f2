// Up a tree of sums and down again:
// fewer additions, more steps, and
// bank conflicts that double with
// each level.
__global__ void scan_tree(
    const int *in, int *out)
{
  __shared__ int s[256];
  int t = threadIdx.x;
  int at = blockIdx.x * 256;
  s[t] = in[at + t];
  s[t + 128] = in[at + t + 128];
  int d = 1;
  for (; d < 256; d *= 2) {
    __syncthreads();
    int k = 2 * d * (t + 1) - 1;
    if (k < 256)
      s[k] += s[k - d];
  }
  for (d = 64; d > 0; d /= 2) {
    __syncthreads();
    int k = 2 * d * (t + 1) - 1;
    if (k + d < 256)
      s[k + d] += s[k];
  }
  __syncthreads();
  out[at + t] = s[t];
  out[at + t + 128] = s[t + 128];
}
