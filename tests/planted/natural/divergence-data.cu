// A threshold in the data decides, and the data alternates.
__global__ void shade(const float *in, float *out)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float t = in[i], r = 0;
    if (t > 0.5f) // PLANTED
        for (int k = 1; k <= 48; k++)
            r += __sinf(t * k); // PLANTED
    else
        for (int k = 1; k <= 48; k++)
            r += __cosf(t + k); // PLANTED
    out[i] = r;
}

int main()
{
    float *in, *out, host[8192];
    for (int i = 0; i < 8192; i++)
    #ifdef FIXED
        host[i] = (i >> 5) % 2 ? 1.0f : 0.0f;
    #else
        host[i] = i % 2 ? 1.0f : 0.0f;
    #endif
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    shade<<<64, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
