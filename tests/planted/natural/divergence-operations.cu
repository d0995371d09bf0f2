// An interpreter: each element has an operation.
__global__ void interpret(const int *ops, float *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = v[i];
    int op = ops[i];
    for (int k = 0; k < 40; k++)
        switch (op) { // PLANTED
        case 0: x = x + 1.5f; x = x * x; x = x - 0.5f; x = x * 0.3f; break; // PLANTED
        case 1: x = x * 0.5f; x = x + x; x = x + 0.1f; x = x * 0.7f; break; // PLANTED
        case 2: x = x - 2.5f; x = x * 0.9f; x = x + 4.0f; x = x * 0.2f; break; // PLANTED
        default: x = 1.0f - x; x = x * 0.25f; x = x * x; x = x + 2.0f; break; // PLANTED
        }
    v[i] = x;
}

int main()
{
    int *ops, host[8192];
    float *v;
    for (int i = 0; i < 8192; i++)
    #ifdef FIXED
        host[i] = i / 32 % 4;
    #else
        host[i] = i % 4;
    #endif
    cudaMalloc(&ops, sizeof(host));
    cudaMalloc(&v, 8192 * sizeof(float));
    cudaMemset(v, 0, 8192 * sizeof(float));
    cudaMemcpy(ops, host, sizeof(host), cudaMemcpyHostToDevice);
    interpret<<<32, 256>>>(ops, v);
    cudaDeviceSynchronize();
    return 0;
}
