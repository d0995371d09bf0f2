// arch: gp104
// Old forms still work here.
__global__ void legacy(int *a, unsigned int *u)
{
    int v = a[threadIdx.x];
    v = __shfl_down(v, 1);
//~ 9 warning: `__shfl_down` is deprecated; use `__shfl_down_sync`, whose first argument is the mask of the lanes that take part.
    u[0] = __match_any_sync(0xffffffff, v);
//~ 12 error: `__match_…_sync` needs compute capability 7.0; Pascal GP104 has 6.1.
    a[threadIdx.x] = v;
}
