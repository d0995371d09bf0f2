// All lanes of a warp want the lock.
// It is given back inside the loop:
// no lane waits for one that cannot
// run.
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
