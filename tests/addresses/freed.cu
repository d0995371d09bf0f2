// The memory of p was freed one line before the launch
__global__ void put(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p; cudaMalloc(&p, 128);
  cudaFree(p);
  put<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
