// right: runs as written; 128 MB each, zeros
__global__ void add(const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i] + 1; }
int main() {
  const int n = 1 << 25; float *x, *y;
  cudaMalloc(&x, n * sizeof(float)); cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  add<<<n / 256, 256>>>(x, y);
  cudaDeviceSynchronize();
}
