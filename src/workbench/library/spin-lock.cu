// One thread of each block takes the
// lock. The others retry again and
// again: their warps issue without
// making progress.
__global__ void spin_lock(
    int *mutex, volatile int *total,
    const int *in)
{
  if (threadIdx.x == 0) {
    while (atomicCAS(mutex, 0, 1))
      ;
    __threadfence();
    *total = *total + in[blockIdx.x];
    __threadfence();
    atomicExch(mutex, 0);
  }
}
