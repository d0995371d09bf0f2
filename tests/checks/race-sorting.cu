// --arch tu102,gp104 --block 64 --args inout:i32*128:perm1
// A bitonic sort without barriers: each thread reads and writes two elements, but other threads read them in the next step. The
// remedy is a barrier, and not an atomic operation.
__global__ void sort(int *values)
{
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = values[t];
  s[t + 64] = values[t + 64];
  __syncthreads();
  for (int k = 2; k <= 128; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int i = 2 * t - (t & (j - 1));
      int a = s[i], b = s[i + j];
      if ((a > b) == ((i & k) == 0)) {
        s[i] = b;
        s[i + j] = a;
      }
    }
  values[t] = s[t];
  values[t + 64] = s[t + 64];
}
