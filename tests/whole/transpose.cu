// Transposes matrices of two types: a kernel template, launched from a template of the host in a namespace.
#include <cassert>
#include <iostream>
#include <memory>
#include <random>

namespace bench {

enum class Kind { Naive, Shared };

template <typename T>
__global__ void naive(T *out, const T *in, int rows, int cols)
{
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols)
    out[c * rows + r] = in[r * cols + c];
}

template <typename T, int Tile, int Rows>
__global__ void shared(T *out, const T *in, int rows, int cols)
{
  __shared__ T tile[Tile][Tile + 1];
  int c = blockIdx.x * Tile + threadIdx.x;
  int r = blockIdx.y * Tile + threadIdx.y;
  for (int k = 0; k < Tile; k += Rows)
    if (r + k < rows && c < cols)
      tile[threadIdx.y + k][threadIdx.x] = in[(r + k) * cols + c];
  __syncthreads();
  c = blockIdx.y * Tile + threadIdx.x;
  r = blockIdx.x * Tile + threadIdx.y;
  for (int k = 0; k < Tile; k += Rows)
    if (r + k < cols && c < rows)
      out[(r + k) * rows + c] = tile[threadIdx.x][threadIdx.y + k];
}

template <typename T>
bool run(Kind kind, int rows, int cols, unsigned seed)
{
  std::mt19937 gen(seed);
  const std::size_t n = static_cast<std::size_t>(rows) * cols;
  std::unique_ptr<T[]> in(new T[n]), out(new T[n]);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = static_cast<T>(gen() % 10000) / 8;

  T *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(T));
  cudaMalloc(&d_out, n * sizeof(T));
  cudaMemcpy(d_in, in.get(), n * sizeof(T), cudaMemcpyHostToDevice);

  const auto ceil_div = [](int a, int b) { return (a + b - 1) / b; };
  if (kind == Kind::Naive) {
    naive<T><<<dim3(ceil_div(cols, 16), ceil_div(rows, 16)), dim3(16, 16)>>>(d_out, d_in, rows, cols);
  } else {
    constexpr int Tile = 32, Rows = 8;
    shared<T, Tile, Rows><<<dim3(ceil_div(cols, Tile), ceil_div(rows, Tile)), dim3(Tile, Rows)>>>(d_out, d_in, rows, cols);
  }
  cudaMemcpy(out.get(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);

  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      if (out[c * rows + r] != in[r * cols + c])
        return false;
  return true;
}

} // namespace bench

int main()
{
  using bench::Kind;
  bool ok = true;
  ok &= bench::run<double>(Kind::Naive, 30, 21, 5);
  ok &= bench::run<float>(Kind::Shared, 40, 50, 6);
  ok &= bench::run<int>(Kind::Shared, 33, 64, 7);
  std::cout << (ok ? "ok" : "wrong") << "\n";
  return ok ? 0 : 1;
}
