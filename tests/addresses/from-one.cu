// Numerical Recipes: v - 1, so that v[1] is the first element; clean, output 1 2 3 ...
__global__ void count(float *v, int n) { int i = threadIdx.x + 1; if (i <= n) v[i] = i; }
int main() {
  float *a; cudaMalloc(&a, 128); cudaMemset(a, 0, 128);
  count<<<1, 32>>>(a - 1, 32);
  cudaDeviceSynchronize();
}
