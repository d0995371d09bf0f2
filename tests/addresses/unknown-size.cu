// right: n comes from a file: the launch is not known; no memcheck error of the program
#include <cstdio>
__global__ void add(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i + n] = x[i]; }
int main() {
  int n; FILE *f = fopen("n.txt", "r"); fscanf(f, "%d", &n);
  float *x; cudaMalloc(&x, 2 * n * sizeof(float));
  add<<<(n + 255) / 256, 256>>>(x, n);
  cudaDeviceSynchronize();
}
