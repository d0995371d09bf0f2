// --arch tu102 --block 64 --args in:i32*64:iota,out:i32*64:unset
// Each warp exchanges values with __syncwarp() between its accesses.
__global__ void neighbor(const int *in, int *out)
{
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp();
  out[t] = tile[t ^ 31];
  __syncwarp();
  tile[t] = in[t] + 1;
  __syncwarp(0xffffffff);
  out[t] += tile[t ^ 1];
}
