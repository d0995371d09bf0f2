// 3 3 3 ...: addresses in constant memory
__constant__ float *rows[2];
__global__ void use(float *out) { out[threadIdx.x] = rows[1][threadIdx.x]; }
int main() {
  float *h[2], v[32], *out; for (int i = 0; i < 32; i++) v[i] = 3;
  cudaMalloc(&h[0], 128); cudaMalloc(&h[1], 128); cudaMalloc(&out, 128);
  cudaMemcpy(h[1], v, 128, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(rows, h, sizeof(h));
  use<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
