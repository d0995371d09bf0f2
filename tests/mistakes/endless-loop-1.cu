// --arch tu102 --block 32 --args in:i32*1:zero,out:i32*32:zero
__global__ void wait(const int *ready, int *out)
{
    while (ready[0] == 0) { // mistake
    }
    out[threadIdx.x] = 1;
}
