// --arch tu102 --block 128 --args in:f32*128:iota,out:f32*1:zero
__global__ void sum(const float *in, float *out)
{
    __shared__ float partial[128];
    int t = threadIdx.x;
    partial[t] = in[t];
    __syncthreads();
    for (int s = 64; s > 0; s /= 2)
        if (t < s)
            partial[t] += partial[t + s]; // mistake
    if (t == 0)
        out[0] = partial[0];
}
