// Names that are not there, or mean something else.
#define SIZE 64

float host_factor = 2.0f;
void host_function(int n) { }

__device__ float helper(float v) { return v * 2.0f; }

__global__ void unknown_names(float *out, int width)
{
    int i = blockIdx.x * blockDim.x + threadldx.x;
//~ 39 error: The variable `threadldx` is not declared; did you mean `threadIdx`?
    out[i] = widht;
//~ 14 error: The variable `widht` is not declared; did you mean `width`?
    out[i] = helpr(1.0f);
//~ 14 error: The function `helpr` is not declared; did you mean `helper`?
    out[i] = fmaxff(1.0f, 2.0f);
//~ 14 error: The function `fmaxff` is not declared; did you mean `fmaxf`?
    __syncthread();
//~ 5 error: The function `__syncthread` is not declared; did you mean `__syncthreads`?
    out[i] = host_factor;
//~ 14 error: `host_factor` is a variable of the host, which a kernel cannot see; pass it as an argument, or declare it with `__device__`, `__constant__` or `constexpr`.
    host_function(3);
//~ 5 error: `host_function` is a function of the host; put `__device__` before it to call it from a kernel.
//~ note: It is defined here.
    out[i] = completely_unknown(completely_unknown_too);
//~ 33 error: The variable `completely_unknown_too` is not declared.
//~ note: Declare it with its type before this line, or make it a parameter.
    out[i] = helper;
//~ 14 error: `helper` is a function; call it with `helper(…)`.
    out[i] = threadIdx.q;
//~ 24 error: `threadIdx` has the members x, y, and z, not `q`.
    widht = 3;
}

__global__ void twice(int *a)
{
    int i = 0;
    int i = 1;
//~ 9 error: `i` is declared twice in this scope; give one of them another name.
    a[i] = SIZE;
}

__global__ void twice(int *a) { a[0] = 1; }
//~ 17 error: The function `twice` is defined twice.
//~ note: It is defined here first.

_global__ void misspelt(int *a) { a[0] = 1; }
//~ 1 error: `_global__` is not a keyword of CUDA C++; did you mean `__global__`?

__global__ void types(flaot *a, unknown_t b)
//~ 23 error: There is no type `flaot`; did you mean `float`?
{
    a[0] = 1;
}
