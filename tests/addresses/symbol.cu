// p is the address of table; output 0 1 2 ... in table
__device__ int table[32];
__global__ void put(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void use(int *o) { o[threadIdx.x] = table[threadIdx.x]; }
int main() {
  int *p, *o; cudaGetSymbolAddress((void **)&p, table); cudaMalloc(&o, 128);
  put<<<1, 32>>>(p);
  use<<<1, 32>>>(o);
  cudaDeviceSynchronize();
}
