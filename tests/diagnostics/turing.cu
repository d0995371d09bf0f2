// arch: tu102
// What came to its end with independent thread scheduling.
__global__ void legacy(int *a)
{
    int v = a[threadIdx.x];
    v = __shfl_down(v, 1);
//~ 9 error: `__shfl_down` was removed with compute capability 7.0, where lanes of a warp can be apart.
//~ note: Use `__shfl_down_sync`, whose first argument is the mask of the lanes that take part.
    v += __ballot(v > 0);
//~ 10 error: `__ballot` was removed with compute capability 7.0, where lanes of a warp can be apart.
//~ note: Use `__ballot_sync`, whose first argument is the mask of the lanes that take part.
    v += __any(v) + __all(v);
//~ 10 error: `__any` was removed with compute capability 7.0, where lanes of a warp can be apart.
//~ note: Use `__any_sync`, whose first argument is the mask of the lanes that take part.
//~ 21 error: `__all` was removed with compute capability 7.0, where lanes of a warp can be apart.
//~ note: Use `__all_sync`, whose first argument is the mask of the lanes that take part.
    a[threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
}
struct Largest { char bytes[32764]; };
struct TooLarge { char bytes[32765]; };
__global__ void takes_most(Largest l) { }
__global__ void takes_too_much(TooLarge l) { }
//~ 17 error: The parameters of `takes_too_much` take 32765 bytes; kernels of Turing TU102 take 32764 bytes at most.
//~ note: Pass a pointer to memory that holds them.
