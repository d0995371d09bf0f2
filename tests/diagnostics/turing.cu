// arch: tu102
// What came to its end with independent thread scheduling.
__global__ void legacy(int *a)
{
    int v = a[threadIdx.x];
    v = __shfl_down(v, 1);
//~ 9 error: `__shfl_down` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge.
//~ note: Use `__shfl_down_sync`, whose first argument is the mask of the participating lanes.
    v += __ballot(v > 0);
//~ 10 error: `__ballot` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge.
//~ note: Use `__ballot_sync`, whose first argument is the mask of the participating lanes.
    v += __any(v) + __all(v);
//~ 10 error: `__any` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge.
//~ note: Use `__any_sync`, whose first argument is the mask of the participating lanes.
//~ 21 error: `__all` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge.
//~ note: Use `__all_sync`, whose first argument is the mask of the participating lanes.
    a[threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
}
struct Largest { char bytes[32764]; };
struct TooLarge { char bytes[32765]; };
__global__ void takes_most(Largest l) { }
__global__ void takes_too_much(TooLarge l) { }
//~ 17 error: Formal parameter space overflowed: the parameters of `takes_too_much` take 32765 bytes, and kernels on Turing TU102 take at most 32764 bytes.
//~ note: Pass a pointer to memory that holds them.
