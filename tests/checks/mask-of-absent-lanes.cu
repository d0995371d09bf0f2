// --arch tu102,gp104 --block 32 --args out:i32*32:zero
// The mask names all lanes, but half of them wait elsewhere.
__global__ void absent(int *out)
{
  int t = threadIdx.x;
  int v = t;
  if (t < 16)
    v = __shfl_xor_sync(0xffffffff, t, 1);
  else
    __syncthreads();
  out[t] = v;
}
