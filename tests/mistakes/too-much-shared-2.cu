// --arch tu102 --block 32 --args in:f64*32:iota,out:f64*32:zero
#define TILE 64
__global__ void multiply(const double *in, double *out)
{
    __shared__ double a[TILE][TILE];
    __shared__ double b[TILE][TILE]; // mistake
    int t = threadIdx.x;
    a[0][t] = in[t];
    b[0][t] = in[31 - t];
    __syncthreads();
    out[t] = a[0][t] * b[0][31 - t];
}
