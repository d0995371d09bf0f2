// cudaErrorMisalignedAddress: float4 loads at a + 1 (4 bytes) are misaligned
__global__ void copy(const float4 *in, float *out) { float4 v = in[threadIdx.x]; out[threadIdx.x] = v.x + v.y + v.z + v.w; }
int main() {
  float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaMemset(a, 0, 4096);
  copy<<<1, 32>>>((const float4 *)(a + 1), b);
  cudaDeviceSynchronize();
}
