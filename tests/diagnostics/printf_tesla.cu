// arch: g80
__global__ void old(int i)
{
    printf("%d\n", i);
//~ 5 error: `printf` in kernels needs compute capability 2.0; Tesla G80 has 1.0.
    assert(i > 0);
//~ 5 error: `assert` needs compute capability 2.0; Tesla G80 has 1.0.
}
