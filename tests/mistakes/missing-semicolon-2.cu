// --arch tu102 --block 64 --args inout:i32*64:iota
__global__ void reverse(int *data)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads() // mistake
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
