// arch: gp104
// Old forms still work here.
__global__ void legacy(int *a, unsigned int *u)
{
    int v = a[threadIdx.x];
    v = __shfl_down(v, 1);
//~ 9 warning: `__shfl_down` is deprecated; use `__shfl_down_sync`, whose first argument is the mask of the participating lanes.
    u[0] = __match_any_sync(0xffffffff, v);
//~ 12 error: `__match_…_sync` needs compute capability 7.0; Pascal GP104 has 6.1.
    a[threadIdx.x] = v;
}
struct Largest { char bytes[4096]; };
struct TooLarge { char bytes[4097]; };
__global__ void takes_most(Largest l) { }
__global__ void takes_too_much(TooLarge l) { }
//~ 17 error: Formal parameter space overflowed: the parameters of `takes_too_much` take 4097 bytes, and kernels on Pascal GP104 take at most 4096 bytes.
//~ note: Pass a pointer to memory that holds them.
