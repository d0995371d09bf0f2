// rows[1][t] = 2: an array of pointers in device memory
__global__ void use(float **rows, float *out) { out[threadIdx.x] = rows[1][threadIdx.x]; }
int main() {
  float *h[2], **d, *out, ones[32], twos[32];
  for (int i = 0; i < 32; i++) { ones[i] = 1; twos[i] = 2; }
  cudaMalloc(&h[0], 128); cudaMalloc(&h[1], 128); cudaMalloc(&d, sizeof(h)); cudaMalloc(&out, 128);
  cudaMemcpy(h[0], ones, 128, cudaMemcpyHostToDevice); cudaMemcpy(h[1], twos, 128, cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  use<<<1, 32>>>(d, out);
  cudaDeviceSynchronize();
}
