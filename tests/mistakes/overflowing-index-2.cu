// --arch tu102 --block 32 --args in:i32*1024:iota,out:i32*32:zero,i32:50000
__global__ void triangle(const int *in, int *out, int n)
{
    int i = n + threadIdx.x;
    int start = i * (i + 1) / 2; // overflow
    out[threadIdx.x] = in[start]; // mistake
}
