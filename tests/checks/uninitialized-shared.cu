// --arch tu102,gp104 --block 64 --args out:i32*64:zero
// Only the even elements are written.
__global__ void counts(int *out)
{
  __shared__ int counters[64];
  int t = threadIdx.x;
  if (t % 2 == 0)
    counters[t] = 0;
  __syncthreads();
  atomicAdd(&counters[t / 2], 1);
  __syncthreads();
  out[t] = counters[t];
}
