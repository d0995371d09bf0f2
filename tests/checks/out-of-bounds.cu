// --arch tu102,gp104 --grid 4 --block 256 --args in:f32*1000:iota,out:f32*1000:zero,i32:1000
// The guard compares with <= where < is needed.
__global__ void copy(const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = in[i < n ? i : n - 1];
}
