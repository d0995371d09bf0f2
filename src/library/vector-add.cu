// Two loads, one addition, one store: nearly all of the time is spent
// waiting for global memory. Watch the Long Scoreboard stalls, and
// how more warps hide them.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
