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
//~ 14 error: The host variable `host_factor` is undefined in device code; pass it as an argument, or declare it with `__device__`, `__constant__`, or `constexpr`.
    host_function(3);
//~ 5 error: Calling the host function `host_function` from device code is not allowed; declare the function `__device__`.
//~ note: Defined here.
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
//~ 9 error: `i` has already been declared in this scope; rename one of the two.
    a[i] = SIZE;
}

__global__ void twice(int *a) { a[0] = 1; }
//~ 17 error: The function `twice` has already been defined.
//~ note: First defined here.

_global__ void misspelt(int *a) { a[0] = 1; }
//~ 1 error: `_global__` is not a keyword of CUDA C++; did you mean `__global__`?

__global__ void types(flaot *a, unknown_t b)
//~ 23 error: The type `flaot` is not declared; did you mean `float`?
{
    a[0] = 1;
}
