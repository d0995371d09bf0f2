// --arch tu102 --block 32 --args out:i32*32:zero
// The launch reserves no dynamic shared memory.
__global__ void reverse(int *out)
{
  extern __shared__ int tile[];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  out[t] = tile[31 - t];
}
