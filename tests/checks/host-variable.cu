// --arch tu102 --block 32 --args out:i32*32:zero
// A kernel reads a variable of the host.
#include <cstdlib>
int table[4] = {1, 2, 3, 4};
__global__ void k(int *out)
{
  out[threadIdx.x] = table[threadIdx.x & 3];
}
