__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__global__ void recursive_fib(const int *in, int *out)
{
    int i = threadIdx.x;
    out[i] = fib(in[i]);
}

__device__ __noinline__ unsigned int gcd(unsigned int a, unsigned int b)
{
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

__global__ void recursive_gcd(const unsigned int *a, const unsigned int *b, unsigned int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = gcd(a[i], b[i]);
}

// A real call with several results by pointer.
__device__ __noinline__ void split(int v, int *tens, int *ones)
{
    *tens = v / 10;
    *ones = v % 10;
}

__global__ void digits(const int *in, int *out)
{
    int i = threadIdx.x, tens, ones;
    split(in[i], &tens, &ones);
    out[i] = tens * 100 + ones;
}
