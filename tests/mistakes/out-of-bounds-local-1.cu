// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
__global__ void polynomial(const int *in, int *out)
{
    int powers[4];
    int t = threadIdx.x, p = 1;
    for (int i = 0; i <= 4; i++) {
        powers[i] = p; // mistake
        p *= in[t];
    }
    out[t] = powers[0] + powers[1] + powers[2] + powers[3];
}
