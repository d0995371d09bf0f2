// A dot product in double precision, added up by an atomic operation of this file.
__device__ double addTo(double *address, double value)
{
  unsigned long long *word = (unsigned long long *)address;
  unsigned long long old = *word, seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, __double_as_longlong(value + __longlong_as_double(seen)));
  } while (seen != old);
  return __longlong_as_double(old);
}
__global__ void dot(const double *a, const double *b, double *result, int n)
{
  __shared__ double cache[128];
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    addTo(result, cache[0]);
}
