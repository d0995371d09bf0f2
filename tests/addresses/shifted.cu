// one allocation of 64 ints; a race: thread i writes a[i], thread i - 1 reads a[i]
__global__ void shift(int *to, const int *from) { int i = threadIdx.x; to[i] = from[i]; }
int main() {
  int h[65], *a; for (int i = 0; i < 65; i++) h[i] = i;
  cudaMalloc(&a, sizeof(h)); cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(a, a + 1);
  cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
}
