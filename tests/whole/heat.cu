// The heat equation on a plate: a launch a time step, with the pointers swapped in between.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utility>

#define NX 48
#define NY 32
#define STEPS 6
#define BLOCK_X 16
#define BLOCK_Y 8
#define IDX(x, y) ((y) * NX + (x))

#define cudaCheck(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

__global__ void step(const double *in, double *out, double alpha)
{
   int x = threadIdx.x + blockIdx.x * blockDim.x;
   int y = threadIdx.y + blockIdx.y * blockDim.y;
   if (x >= NX || y >= NY) return;
   if (x == 0 || y == 0 || x == NX - 1 || y == NY - 1) {
      out[IDX(x, y)] = in[IDX(x, y)];
      return;
   }
   double laplace = in[IDX(x - 1, y)] + in[IDX(x + 1, y)] + in[IDX(x, y - 1)] + in[IDX(x, y + 1)] - 4.0 * in[IDX(x, y)];
   out[IDX(x, y)] = in[IDX(x, y)] + alpha * laplace;
}

void init(double *u)
{
   memset(u, 0, NX * NY * sizeof(double));
   for (int x = 0; x < NX; x++) {
      u[IDX(x, 0)] = 100.0;
      u[IDX(x, NY - 1)] = 20.0 + x;
   }
   for (int y = 10; y < 14; y++)
      for (int x = 20; x < 28; x++)
         u[IDX(x, y)] = 350.5;
}

int main(void)
{
   const size_t size = NX * NY * sizeof(double);
   const double alpha = 0.2;
   double *h_u = new double[NX * NY];
   double *h_ref = new double[NX * NY];
   double *h_tmp = new double[NX * NY];
   init(h_u);
   memcpy(h_ref, h_u, size);

   double *d_u, *d_unew;
   cudaCheck(cudaMalloc(&d_u, size));
   cudaCheck(cudaMalloc(&d_unew, size));
   cudaCheck(cudaMemcpy(d_u, h_u, size, cudaMemcpyHostToDevice));
   cudaCheck(cudaMemset(d_unew, 0, size));

   dim3 threads(BLOCK_X, BLOCK_Y, 1);
   dim3 blocks((NX + threads.x - 1) / threads.x, (NY + threads.y - 1) / threads.y, 1);
   for (int t = 0; t < STEPS; ++t) {
      step<<<blocks, threads>>>(d_u, d_unew, alpha);
      cudaCheck(cudaPeekAtLastError());
      std::swap(d_u, d_unew);
   }
   cudaCheck(cudaDeviceSynchronize());
   cudaCheck(cudaMemcpy(h_u, d_u, size, cudaMemcpyDeviceToHost));

   for (int t = 0; t < STEPS; ++t) {
      memcpy(h_tmp, h_ref, size);
      for (int y = 1; y < NY - 1; ++y)
         for (int x = 1; x < NX - 1; ++x) {
            double laplace = h_ref[IDX(x - 1, y)] + h_ref[IDX(x + 1, y)] + h_ref[IDX(x, y - 1)] + h_ref[IDX(x, y + 1)] - 4.0 * h_ref[IDX(x, y)];
            h_tmp[IDX(x, y)] = h_ref[IDX(x, y)] + alpha * laplace;
         }
      double *swap = h_ref;
      h_ref = h_tmp;
      h_tmp = swap;
   }
   int errors = 0;
   for (int i = 0; i < NX * NY; i++)
      errors += h_u[i] != h_ref[i];
   printf("%s\n", errors ? "FAILED" : "PASSED");

   cudaFree(d_u);
   cudaFree(d_unew);
   delete[] h_u;
   delete[] h_ref;
   delete[] h_tmp;
   return errors ? 1 : 0;
}
