// All lanes of a warp take the lock.
// Each releases it inside the loop,
// so no lane waits for one that
// cannot run.
__global__ void lock_lanes(
    int *mutex, volatile int *total,
    const int *in)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  bool done = false;
  while (!done)
    if (!atomicCAS(mutex, 0, 1)) {
      *total = *total + in[i];
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
}
