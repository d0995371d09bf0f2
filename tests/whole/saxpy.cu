// arguments: 1500 2.5
// y = a * x + y, with the length and the factor from the command line.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t err = (call);                                                        \
    if (err != cudaSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err));   \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

__global__ void saxpy(int n, float a, const float *x, float *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
  int n = 1 << 20;
  float a = 2.0f;
  if (argc > 1)
    n = atoi(argv[1]);
  if (argc > 2)
    a = atof(argv[2]);
  if (n <= 0) {
    fprintf(stderr, "usage: %s [length] [factor]\n", argv[0]);
    return 1;
  }

  size_t bytes = n * sizeof(float);
  float *x = (float *)malloc(bytes);
  float *y = (float *)malloc(bytes);
  for (int i = 0; i < n; i++) {
    x[i] = 0.25f * (i % 17) - 1.0f;
    y[i] = (float)i / n;
  }

  float *d_x, *d_y;
  CHECK(cudaMalloc((void **)&d_x, bytes));
  CHECK(cudaMalloc((void **)&d_y, bytes));
  CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  saxpy<<<(n + 255) / 256, 256>>>(n, a, d_x, d_y);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));

  CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    if (y[i] != a * x[i] + (float)i / n)
      wrong++;
  printf("%d elements, %d wrong, %.3f GB/s\n", n, wrong, 3.0 * bytes / ms / 1e6);

  free(x);
  free(y);
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  return wrong != 0;
}
