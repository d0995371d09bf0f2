// Each address comes from the last
// load: nothing overlaps, and a step
// takes the full memory latency.
__global__ void pointer_chase(
    const int *next, int *out,
    int steps)
{
  int at = threadIdx.x;
  for (int k = 0; k < steps; ++k)
    at = next[at];
  out[threadIdx.x] = at;
}
