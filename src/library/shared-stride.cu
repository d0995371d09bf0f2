// One warp reads shared memory with a stride of words. A stride of 1
// takes one wavefront, 2 takes two, 32 takes 32; odd strides never
// conflict. Change the argument in the launch form.
__global__ void shared_stride(float *out, int stride)
{
    __shared__ float s[1056];
    for (int i = threadIdx.x; i < 1056; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x * stride];
}
