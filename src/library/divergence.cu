// Lanes of a warp take different ways through the ladder; each way runs
// for its own lanes while the others wait. Divide the index by 32 in
// line 8 and whole warps choose together: nothing is lost.
__global__ void divergence(const int *in, int *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    int way = i % 4;
    for (int r = 0; r < rounds; ++r) {
        if (way == 0) {
            for (int k = 0; k < 4; ++k)
                v = v * 3 + r;
        } else if (way == 1) {
            for (int k = 0; k < 8; ++k)
                v = (v ^ r) + k;
        } else if (way == 2) {
            for (int k = 0; k < 12; ++k)
                v += v >> 3;
        } else {
            v -= r;
        }
    }
    out[i] = v;
}
