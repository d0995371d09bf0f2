// --arch tu102 --block 64 --args out:i32*64:unset
// The kernel adds to what cudaMalloc left.
__global__ void add(int *out)
{
  out[threadIdx.x] += threadIdx.x;
}
