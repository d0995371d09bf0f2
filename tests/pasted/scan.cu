// An exclusive scan of each block, with two buffers in shared memory.
__global__ void scanBlock(int *g_odata, const int *g_idata, int n)
{
  extern __shared__ int temp[];
  int thid = threadIdx.x;
  int pout = 0, pin = 1;
  temp[thid] = thid > 0 ? g_idata[thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else
      temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[thid] = temp[pout * n + thid];
}
