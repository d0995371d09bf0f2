// All lanes of a warp spin on a lock.
// Up to Pascal the lane that holds it
// waits for the others to leave the
// loop, and they wait for the lock.
__global__ void lock_spin(
    int *mutex, volatile int *total,
    const int *in)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  while (atomicCAS(mutex, 0, 1))
    ;
  *total = *total + in[i];
  __threadfence();
  atomicExch(mutex, 0);
}
