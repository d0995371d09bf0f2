// 5 sectors a warp for the load (shifted by 4 bytes), 4 for the store
__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }
int main() {
  int *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMemset(a, 0, 1024);
  copy<<<1, 32>>>(a + 1, b);
  cudaDeviceSynchronize();
}
