// right: the indices come from a file: unknown; an out-of-bounds access that follows from them is not the program's
#include <cstdio>
__global__ void gather(const int *idx, const float *in, float *out) { out[threadIdx.x] = in[idx[threadIdx.x]]; }
int main() {
  int h[256]; FILE *f = fopen("idx.bin", "rb"); fread(h, 4, 256, f);
  int *i; float *a, *b; cudaMalloc(&i, 1024); cudaMalloc(&a, 256); cudaMalloc(&b, 1024); cudaMemset(a, 0, 256);
  cudaMemcpy(i, h, 1024, cudaMemcpyHostToDevice);
  gather<<<1, 256>>>(i, a, b);
  cudaDeviceSynchronize();
}
