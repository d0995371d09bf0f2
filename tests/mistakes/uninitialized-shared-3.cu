// --arch tu102 --block 64 --args in:i32*64:iota,out:i32*1:zero
__global__ void most(const int *in, int *out)
{
    __shared__ int largest;
    atomicMax(&largest, in[threadIdx.x]); // mistake
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = largest;
}
