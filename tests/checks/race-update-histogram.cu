// --arch tu102 --block 64 --args in:i32*64:iota:mod4,in:f32*64:const1,inout:f32*4:zero
// The changed value is one of three that the statement reads.
__global__ void histogram(const int *bin, const float *weight, float *sum)
{
  __shared__ float part[4];
  int t = threadIdx.x;
  if (t < 4) part[t] = 0;
  __syncthreads();
  part[bin[t]] += weight[t] * weight[t / 2];
  __syncthreads();
  if (t < 4) sum[t] = part[t];
}
