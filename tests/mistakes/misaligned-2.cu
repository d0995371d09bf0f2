// --arch tu102 --block 32 --args in:u8*256:iota,out:i32*32:zero
__global__ void unpack(const unsigned char *bytes, int *out)
{
    int t = threadIdx.x;
    out[t] = *(const int *)(bytes + 5 * t); // mistake
}
