// y = 2 x in place: b is a; output 0 2 4 6 ...
__global__ void twice(const float *in, float *out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
int main() {
  float h[32], *a; for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&a, 128); cudaMemcpy(a, h, 128, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(a, a);
  cudaMemcpy(h, a, 128, cudaMemcpyDeviceToHost);
}
