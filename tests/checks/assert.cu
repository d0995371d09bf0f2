// --arch tu102 --block 32 --args out:u32*32:zero
// An assertion that fails for one thread.
#include <assert.h>
__global__ void k(unsigned *out)
{
  assert(threadIdx.x < 31);
  out[threadIdx.x] = 1;
}
