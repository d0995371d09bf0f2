// arch: g80
// What the first generation lacks.
__global__ void too_new(float *f, int *a, unsigned int *u)
{
    int i = threadIdx.x;
    atomicAdd(&a[i], 1);
//~ 5 error: `atomicAdd` on int needs compute capability 1.1; Tesla G80 has 1.0.
    atomicAdd(&f[i], 1.0f);
//~ 5 error: `atomicAdd` on float needs compute capability 2.0; Tesla G80 has 1.0.
    u[i] = __ballot(a[i] > 0);
//~ 12 error: `__ballot` needs compute capability 2.0; Tesla G80 has 1.0.
    a[i] = __shfl(a[i], 0);
//~ 12 error: A shuffle needs compute capability 3.0; Tesla G80 has 1.0.
    a[i] = __syncthreads_count(a[i]);
//~ 12 error: A block barrier with a predicate needs compute capability 2.0; Tesla G80 has 1.0.
    f[i] = __ldg(&f[i]);
//~ 12 error: `__ldg` needs compute capability 3.5; Tesla G80 has 1.0.
    f[i] = f[i] * 0.1 + 2.5;
//~ 19 warning: Double precision needs compute capability 1.3; Tesla G80 has 1.0. Every double here is demoted to float.
}
__global__ void doubles(double *d) { d[0] = 1.0; }
//~ 25 error: Double precision needs compute capability 1.3; Tesla G80 has 1.0. Host doubles cannot be passed to this kernel; use float.
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
//~ 58 error: Recursion needs compute capability 2.0; Tesla G80 has 1.0.
__global__ void recursion(int *a) { a[0] = factorial(a[1]); }
struct Largest { char bytes[256]; };
struct TooLarge { char bytes[257]; };
__global__ void takes_most(Largest l) { }
__global__ void takes_too_much(TooLarge l) { }
//~ 17 error: Formal parameter space overflowed: the parameters of `takes_too_much` take 257 bytes, and kernels on Tesla G80 take at most 256 bytes.
//~ note: Pass a pointer to memory that holds them.
