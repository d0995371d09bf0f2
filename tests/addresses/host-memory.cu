// illegal memory access: h is memory of the host
__global__ void put(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *h = (int *)malloc(128);
  put<<<1, 32>>>(h);
  cudaDeviceSynchronize();
}
