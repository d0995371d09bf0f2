#define T 32
// Tiled products, convolutions, stencils, and reductions of blocks of up to 1024 threads.
__global__ void t32(float *C, const float *A, const float *B, int w) {
  __shared__ float a[T][T], b[T][T];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int row = by * T + ty, col = bx * T + tx;
  float s = 0;
  for (int p = 0; p < (w + T - 1) / T; p++) {
    a[ty][tx] = (row < w && p * T + tx < w) ? A[row * w + p * T + tx] : 0.0f;
    b[ty][tx] = (col < w && p * T + ty < w) ? B[(p * T + ty) * w + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (row < w && col < w) C[row * w + col] = s;
}
template <int N> __global__ void t1d(int M, int NN, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const unsigned cRow = blockIdx.x, cCol = blockIdx.y;
  __shared__ float As[N * N], Bs[N * N];
  const unsigned threadCol = threadIdx.x % N, threadRow = threadIdx.x / N;
  A += cRow * N * K; B += cCol * N; C += cRow * N * NN + cCol * N;
  float tmp = 0;
  for (int b = 0; b < K; b += N) {
    As[threadRow * N + threadCol] = A[threadRow * K + threadCol];
    Bs[threadRow * N + threadCol] = B[threadRow * NN + threadCol];
    __syncthreads();
    A += N; B += N * NN;
    for (int d = 0; d < N; ++d) tmp += As[threadRow * N + d] * Bs[d * N + threadCol];
    __syncthreads();
  }
  C[threadRow * NN + threadCol] = alpha * tmp + beta * C[threadRow * NN + threadCol];
}
template __global__ void t1d<32>(int, int, int, float, const float *, const float *, float, float *);
template __global__ void t1d<16>(int, int, int, float, const float *, const float *, float, float *);
__global__ void d32(double *C, const double *A, const double *B, int w) {
  __shared__ double a[T][T], b[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  double s = 0;
  for (int p = 0; p < w / T; p++) {
    a[ty][tx] = A[row * w + p * T + tx]; b[ty][tx] = B[(p * T + ty) * w + col];
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * w + col] = s;
}
__global__ void i32(int *C, const int *A, const int *B, int w) {
  __shared__ int a[T][T], b[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  int s = 0;
  for (int p = 0; p < w / T; p++) {
    a[ty][tx] = A[row * w + p * T + tx]; b[ty][tx] = B[(p * T + ty) * w + col];
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * w + col] = s;
}
#define R 8
__constant__ float F[2 * R + 1];
__global__ void convRow(float *o, const float *in, int w, int h, int p) {
  __shared__ float s[4][16 * 10];
  const int bx = (blockIdx.x * 8 - 1) * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  in += y * p + bx; o += y * p + bx;
#pragma unroll
  for (int i = 1; i < 9; i++) s[threadIdx.y][threadIdx.x + i * 16] = in[i * 16];
  s[threadIdx.y][threadIdx.x] = bx >= 0 ? in[0] : 0;
  s[threadIdx.y][threadIdx.x + 144] = w - bx > 144 ? in[144] : 0;
  __syncthreads();
#pragma unroll
  for (int i = 1; i < 9; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -R; j <= R; j++) sum += F[R - j] * s[threadIdx.y][threadIdx.x + i * 16 + j];
    o[i * 16] = sum;
  }
}
__constant__ float M[5][5];
__global__ void conv2d(const float *in, float *o, int w, int h) {
  __shared__ float s[36][36];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int y = ty; y < 36; y += 32) for (int x = tx; x < 36; x += 32) {
    int gx = blockIdx.x * 32 + x - 2, gy = blockIdx.y * 32 + y - 2;
    s[y][x] = gx >= 0 && gx < w && gy >= 0 && gy < h ? in[gy * w + gx] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) sum += M[i][j] * s[ty + i][tx + j];
  int gx = blockIdx.x * 32 + tx, gy = blockIdx.y * 32 + ty;
  if (gx < w && gy < h) o[gy * w + gx] = sum;
}
__global__ void stencil3d(const float *in, float *o, int nx, int ny, int nz) {
  __shared__ float s[10][10][10];
  int x = blockIdx.x * 8 + threadIdx.x - 1, y = blockIdx.y * 8 + threadIdx.y - 1, z = blockIdx.z * 8 + threadIdx.z - 1;
  if (x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz) s[threadIdx.z][threadIdx.y][threadIdx.x] = in[(z * ny + y) * nx + x];
  __syncthreads();
  if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1 && z >= 1 && z < nz - 1 && threadIdx.x >= 1 && threadIdx.x < 9 && threadIdx.y >= 1 && threadIdx.y < 9 && threadIdx.z >= 1 && threadIdx.z < 9)
    o[(z * ny + y) * nx + x] = s[threadIdx.z][threadIdx.y][threadIdx.x] + s[threadIdx.z][threadIdx.y][threadIdx.x - 1] + s[threadIdx.z][threadIdx.y][threadIdx.x + 1] + s[threadIdx.z][threadIdx.y - 1][threadIdx.x] + s[threadIdx.z][threadIdx.y + 1][threadIdx.x] + s[threadIdx.z - 1][threadIdx.y][threadIdx.x] + s[threadIdx.z + 1][threadIdx.y][threadIdx.x];
}
__global__ void nbody(const float4 *p, float3 *a, int n) {
  __shared__ float4 s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i]; float3 acc = {0, 0, 0};
  for (int t = 0; t < n; t += 1024) {
    s[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (int j = 0; j < 1024; j++) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
      float d = dx * dx + dy * dy + dz * dz + 1e-9f;
      float inv = rsqrtf(d); float m = s[j].w * inv * inv * inv;
      acc.x += dx * m; acc.y += dy * m; acc.z += dz * m;
    }
    __syncthreads();
  }
  a[i] = acc;
}
__global__ void reduce1024(const float *in, float *o, int n) {
  __shared__ float s[1024];
  int t = threadIdx.x; float v = 0;
#pragma unroll
  for (int i = 0; i < 16; i++) v += in[blockIdx.x * 16384 + i * 1024 + t];
  s[t] = v; __syncthreads();
#pragma unroll
  for (int k = 512; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
  if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void glob64(const float *in, float *o) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
#pragma unroll
  for (int i = 0; i < 64; i++) v += in[t + i * 4096] * in[t * 3 + i * 8192];
  o[t] = v;
}
