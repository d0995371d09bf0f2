// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
__global__ void digits(const int *in, int *out)
{
    int count[10];
    int v = in[threadIdx.x];
    do {
        count[v % 10]++; // mistake
        v /= 10;
    } while (v > 0);
    out[threadIdx.x] = count[1];
}
