// A grid-stride loop: each thread does several elements. One FFMA on
// Fermi and later, one truncating FMAD on Tesla.
__global__ void saxpy(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
