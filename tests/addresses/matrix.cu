// (Programming Guide 3.2.4): C = A * A for 16 x 16 ones: all 16
typedef struct { int width; int height; float *elements; } Matrix;
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  float v = 0; int row = threadIdx.y, col = threadIdx.x;
  for (int e = 0; e < A.width; ++e) v += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = v;
}
int main() {
  float h[256]; for (int i = 0; i < 256; i++) h[i] = 1;
  Matrix d_A, d_B, d_C;
  d_A.width = d_B.width = d_C.width = d_A.height = d_B.height = d_C.height = 16;
  cudaMalloc(&d_A.elements, sizeof(h)); cudaMalloc(&d_B.elements, sizeof(h)); cudaMalloc(&d_C.elements, sizeof(h));
  cudaMemcpy(d_A.elements, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(d_B.elements, h, sizeof(h), cudaMemcpyHostToDevice);
  dim3 block(16, 16);
  MatMulKernel<<<1, block>>>(d_A, d_B, d_C);
  cudaMemcpy(h, d_C.elements, sizeof(h), cudaMemcpyDeviceToHost);
}
