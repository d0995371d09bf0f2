// --arch tu102 --grid 2 --block 64 --args in:f32*100:iota,in:f32*100:iota,out:f32*100:zero
__global__ void add(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i]; // mistake
}
