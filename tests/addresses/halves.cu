// Two halves of one allocation. The second launch writes one element too many: the first after the allocation.
__global__ void half(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
int main() {
  int h[128], *a; for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&a, sizeof(h)); cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  half<<<1, 64>>>(a, a + 64);
  half<<<1, 65>>>(a, a + 64);
  cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
}
