//--- misspelled built-in variable
__global__ void k(int *data)
{
    int i = blockldx.x * blockDim.x + threadIdx.x;
    data[i] = i;
}
//~ kernel.cu:3:13: error: The variable `blockldx` is not declared; did you mean `blockIdx`?
//~         int i = blockldx.x * blockDim.x + threadIdx.x;
//~                 ^~~~~~~~
//~     help: write `blockIdx`
//--- built-in variable in lower case
__global__ void k(int *data)
{
    int i = threadidx.x;
    data[i] = i;
}
//~ kernel.cu:3:13: error: The variable `threadidx` is not declared; did you mean `threadIdx`?
//~         int i = threadidx.x;
//~                 ^~~~~~~~~
//~     help: write `threadIdx`
//--- member of a built-in variable
__global__ void k(int *data)
{
    int i = threadIdx.X;
    data[i] = i;
}
//~ kernel.cu:3:23: error: `threadIdx` has the members x, y, and z, not `X`.
//~         int i = threadIdx.X;
//~                           ^
//--- built-in variable as an index
__global__ void k(int *data)
{
    data[threadIdx] = 1;
}
//~ kernel.cu:3:10: error: An index must be an integer; this is `uint3`. Use a member, such as `threadIdx.x`.
//~         data[threadIdx] = 1;
//~              ^~~~~~~~~
//--- undeclared variable
__global__ void k(const float *in, float *out)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
//~ kernel.cu:4:13: error: The variable `n` is not declared.
//~         if (i < n)
//~                 ^
//~     note: Declare it with its type before this line, or make it a parameter.
//--- undeclared variable used often
__global__ void stencil(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    if (i > 0 && i < width - 1)
        out[i] = in[i - 1] + in[i] + in[i + 1] + width;
    if (i == width)
        out[i] = width;
}
//~ kernel.cu:4:22: error: The variable `width` is not declared.
//~         if (i > 0 && i < width - 1)
//~                          ^~~~~
//~     note: Declare it with its type before this line, or make it a parameter.
//--- undeclared macro of a size
__global__ void k(const float *in, float *out)
{
    __shared__ float tile[TILE_SIZE];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[TILE_SIZE - 1 - threadIdx.x];
}
//~ kernel.cu:3:27: error: The variable `TILE_SIZE` is not declared.
//~         __shared__ float tile[TILE_SIZE];
//~                               ^~~~~~~~~
//~     note: Define it above, such as `#define TILE_SIZE 16`.
//--- variable of an inner scope
__global__ void sum(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++) {
        int total = 0;
        total += in[i];
    }
    out[0] = total;
}
//~ kernel.cu:7:14: error: The variable `total` is not declared.
//~         out[0] = total;
//~                  ^~~~~
//~ kernel.cu:4:13: note: The scope of this variable ends with its block or loop; declare the variable before the block or loop.
//~             int total = 0;
//~                 ^~~~~
//--- loop variable after the loop
__global__ void find(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i] == 0)
            break;
    out[0] = i;
}
//~ kernel.cu:6:14: error: The variable `i` is not declared.
//~         out[0] = i;
//~                  ^
//~ kernel.cu:3:14: note: The scope of this variable ends with its block or loop; declare the variable before the block or loop.
//~         for (int i = 0; i < n; i++)
//~                  ^
//--- variable used before its declaration
__global__ void k(int *data)
{
    data[i] = 1;
    int i = threadIdx.x;
}
//~ kernel.cu:3:10: error: The variable `i` is not declared.
//~         data[i] = 1;
//~              ^
//~ kernel.cu:4:9: note: Declared here, after its first use.
//~         int i = threadIdx.x;
//~             ^
//--- function used before its declaration
__global__ void k(int *data)
{
    data[threadIdx.x] = twice(data[threadIdx.x]);
}
__device__ int twice(int v) { return 2 * v; }
//~ kernel.cu:3:25: error: The function `twice` is not declared before this line; move it up, or declare it above.
//~         data[threadIdx.x] = twice(data[threadIdx.x]);
//~                             ^~~~~
//~ kernel.cu:5:16: note: Defined here.
//~     __device__ int twice(int v) { return 2 * v; }
//~                    ^~~~~
//--- variable declared twice
__global__ void k(int *data)
{
    int i = blockIdx.x;
    int i = threadIdx.x;
    data[i] = 1;
}
//~ kernel.cu:4:9: error: `i` has already been declared in this scope; rename one of the two.
//~         int i = threadIdx.x;
//~             ^
//--- variable declared twice with other types
__global__ void k(float *data)
{
    int v = 1;
    float v = 2.0f;
    data[0] = v;
}
//~ kernel.cu:4:11: error: `v` has already been declared in this scope; rename one of the two.
//~         float v = 2.0f;
//~               ^
//--- variable with the name of a parameter
__global__ void k(int *data, int n)
{
    int n = 32;
    data[threadIdx.x] = n;
}
//~ kernel.cu:3:9: error: `n` has already been declared in this scope; rename one of the two.
//~         int n = 32;
//~             ^
//--- two parameters of one name
__global__ void add(const float *a, const float *a, float *c)
{
    c[threadIdx.x] = a[threadIdx.x];
}
//~ kernel.cu:1:50: error: `a` has already been declared in this scope; rename one of the two.
//~     __global__ void add(const float *a, const float *a, float *c)
//~                                                      ^
//--- function defined twice
__device__ float half_of(float v) { return v / 2; }
__device__ float half_of(float v) { return v * 0.5f; }
__global__ void k(float *data) { data[0] = half_of(data[0]); }
//~ kernel.cu:2:18: error: The function `half_of` has already been defined.
//~     __device__ float half_of(float v) { return v * 0.5f; }
//~                      ^~~~~~~
//~ kernel.cu:1:18: note: First defined here.
//~     __device__ float half_of(float v) { return v / 2; }
//~                      ^~~~~~~
//--- function and variable of one name
__device__ float scale = 2.0f;
__device__ float scale(float v) { return 2 * v; }
__global__ void k(float *data) { data[0] = scale(data[0]); }
//~ kernel.cu:2:18: error: `scale` is declared twice; rename one of them.
//~     __device__ float scale(float v) { return 2 * v; }
//~                      ^~~~~
//--- struct defined twice
struct Point { float x, y; };
struct Point { float x, y, z; };
__global__ void k(Point *p) { p[0].x = 1; }
//~ kernel.cu:2:8: error: `Point` has already been declared in this scope; rename one of the two.
//~     struct Point { float x, y, z; };
//~            ^~~~~
//--- member declared twice
struct Point { float x, y, x; };
__global__ void k(Point *p) { p[0].x = 1; }
//~ kernel.cu:1:28: error: The member `x` is declared twice; rename one of them.
//~     struct Point { float x, y, x; };
//~                                ^
//--- enumerator declared twice
enum Color { RED, GREEN, RED };
__global__ void k(int *data) { data[0] = GREEN; }
//~ kernel.cu:1:26: error: `RED` has already been declared in this scope; rename one of the two.
//~     enum Color { RED, GREEN, RED };
//~                              ^~~
//--- const variable assigned
__global__ void k(int *data)
{
    const int limit = 16;
    limit = 32;
    data[threadIdx.x] = limit;
}
//~ kernel.cu:4:5: error: `limit` is const and cannot be modified.
//~         limit = 32;
//~         ^~~~~
//--- const variable incremented
__global__ void k(int *data)
{
    const int i = threadIdx.x;
    i++;
    data[i] = 1;
}
//~ kernel.cu:4:5: error: `i` is const and cannot be modified.
//~         i++;
//~         ^
//--- const without an initializer
__global__ void k(int *data)
{
    const int limit;
    data[threadIdx.x] = limit;
}
//~ kernel.cu:3:15: error: The const variable `limit` requires an initializer.
//~         const int limit;
//~                   ^~~~~
//--- const memory written
__global__ void scale(const float *in, float *out)
{
    int i = threadIdx.x;
    in[i] = in[i] * 2;
    out[i] = in[i];
}
//~ kernel.cu:4:5: error: `in` points to const memory, which cannot be modified; declare it without `const`.
//~         in[i] = in[i] * 2;
//~         ^~~~~
//--- built-in variable assigned
__global__ void k(int *data)
{
    threadIdx.x = 0;
    data[threadIdx.x] = 1;
}
//~ kernel.cu:3:5: error: `threadIdx` cannot be modified; copy it to a variable.
//~         threadIdx.x = 0;
//~         ^~~~~~~~~~~
//--- macro assigned
#define N 32
__global__ void k(int *data)
{
    N = 64;
    data[threadIdx.x] = N;
}
//~ kernel.cu:4:5: error: This expression must be a modifiable lvalue: a variable or memory.
//~         N = 64;
//~         ^
//--- array size from a parameter
__global__ void k(int *data, int n)
{
    int local[n];
    local[0] = data[0];
    data[1] = local[0];
}
//~ kernel.cu:3:15: error: The size of an array must be a constant expression.
//~         int local[n];
//~                   ^
//~     note: Use a literal, a `#define`, or a `constexpr` variable; for a size that the launch sets, use `extern __shared__`.
//--- shared array size from a variable
__global__ void k(int *data)
{
    int size = 64;
    __shared__ int tile[size];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[size - 1];
}
//~ kernel.cu:4:25: error: The size of an array must be a constant expression.
//~         __shared__ int tile[size];
//~                             ^~~~
//~     note: Use a literal, a `#define`, or a `constexpr` variable; for a size that the launch sets, use `extern __shared__`.
//--- shared array size from blockDim
__global__ void k(int *data)
{
    __shared__ int tile[blockDim.x];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[0];
}
//~ kernel.cu:3:25: error: The size of an array must be a constant expression.
//~         __shared__ int tile[blockDim.x];
//~                             ^~~~~~~~~~
//~     note: Use a literal, a `#define`, or a `constexpr` variable; for a size that the launch sets, use `extern __shared__`.
//--- shared array without a size
__global__ void k(int *data)
{
    __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[0];
}
//~ kernel.cu:3:20: error: This shared array needs a size; with `extern __shared__`, the launch sets the size.
//~         __shared__ int tile[];
//~                        ^~~~
//--- array of a negative size
#define N 8
__global__ void k(int *data)
{
    int local[N - 16];
    local[0] = 1;
    data[0] = local[0];
}
//~ kernel.cu:4:15: error: The size of an array must be greater than zero; this one is -8.
//~         int local[N - 16];
//~                   ^~~~~~
//--- array of a fractional size
__global__ void k(int *data)
{
    int local[4.5];
    local[0] = 1;
    data[0] = local[0];
}
//~ kernel.cu:3:15: error: The size of an array must be an integer.
//~         int local[4.5];
//~                   ^~~
//--- array without a size
__global__ void k(int *data)
{
    int local[];
    local[0] = 1;
    data[0] = local[0];
}
//~ kernel.cu:3:9: error: This array needs a size or a list of values.
//~         int local[];
//~             ^~~~~
//--- second dimension without a size
__device__ float sum(float tile[][]) { return tile[0][0]; }
__global__ void k(float *data)
{
    float tile[4][4];
    tile[0][0] = data[0];
    data[0] = sum(tile);
}
//~ kernel.cu:1:22: error: Only the first dimension of an array can be omitted.
//~     __device__ float sum(float tile[][]) { return tile[0][0]; }
//~                          ^~~~~~~~~~~~~~
//--- array assigned to an array
__global__ void k(int *data)
{
    int a[4] = {1, 2, 3, 4};
    int b[4];
    b = a;
    data[0] = b[0];
}
//~ kernel.cu:5:5: error: An array cannot be assigned as a whole; assign its elements.
//~         b = a;
//~         ^
//--- list assigned to an array
__global__ void k(int *data)
{
    int a[4];
    a = {1, 2, 3, 4};
    data[0] = a[0];
}
//~ kernel.cu:4:5: error: An array cannot be assigned as a whole; assign its elements.
//~         a = {1, 2, 3, 4};
//~         ^
//--- more values than elements
__global__ void k(int *data)
{
    int a[3] = {1, 2, 3, 4};
    data[0] = a[0];
}
//~ kernel.cu:3:16: error: `int[3]` has 3 elements; the list has 4.
//~         int a[3] = {1, 2, 3, 4};
//~                    ^~~~~~~~~~~~
//--- array with a number as initializer
__global__ void k(int *data)
{
    int a[4] = 0;
    data[0] = a[0];
}
//~ kernel.cu:3:16: error: The initializer of an array is a list in braces, such as `{1, 2, 3}`; `{}` sets all elements to 0.
//~         int a[4] = 0;
//~                    ^
//--- shared variable with an initializer
__global__ void count(const int *in, int *out)
{
    __shared__ int total = 0;
    atomicAdd(&total, in[threadIdx.x]);
    __syncthreads();
    out[0] = total;
}
//~ kernel.cu:3:20: error: An initializer is not allowed for a `__shared__` variable; let one thread store the value, then call `__syncthreads()`.
//~         __shared__ int total = 0;
//~                        ^~~~~
//--- shared array with an initializer
__global__ void count(const int *in, int *out)
{
    __shared__ int bins[8] = {0};
    atomicAdd(&bins[in[threadIdx.x] & 7], 1);
    __syncthreads();
    out[threadIdx.x & 7] = bins[threadIdx.x & 7];
}
//~ kernel.cu:3:20: error: An initializer is not allowed for a `__shared__` variable; let one thread store the value, then call `__syncthreads()`.
//~         __shared__ int bins[8] = {0};
//~                        ^~~~
//--- two extern shared arrays of different types
__global__ void k(int *data)
{
    extern __shared__ int tile[];
    extern __shared__ float tile[];
    data[0] = tile[0];
}
//~ kernel.cu:4:29: error: `tile` has already been declared in this scope; rename one of the two.
//~         extern __shared__ float tile[];
//~                                 ^~~~
//--- constant memory in a kernel
__global__ void k(float *data)
{
    __constant__ float factor = 2.0f;
    data[threadIdx.x] *= factor;
}
//~ kernel.cu:3:24: error: `__constant__` and `__device__` variables are declared outside functions.
//~         __constant__ float factor = 2.0f;
//~                            ^~~~~~
//--- device variable in a kernel
__global__ void k(int *data)
{
    __device__ int counter = 0;
    data[threadIdx.x] = counter;
}
//~ kernel.cu:3:20: error: `__constant__` and `__device__` variables are declared outside functions.
//~         __device__ int counter = 0;
//~                        ^~~~~~~
//--- constant memory written, nvcc: warns
__constant__ float factor[4];
__global__ void k(float *data)
{
    factor[0] = data[0];
    data[1] = factor[1];
}
//~ kernel.cu:4:5: error: Kernels cannot write to constant memory; the host sets it with `cudaMemcpyToSymbol`.
//~         factor[0] = data[0];
//~         ^~~~~~~~~
//--- variable of the host
float factor = 2.0f;
__global__ void k(float *data) { data[threadIdx.x] *= factor; }
//~ kernel.cu:2:55: error: The host variable `factor` is undefined in device code; pass it as an argument, or declare it with `__device__`, `__constant__`, or `constexpr`.
//~     __global__ void k(float *data) { data[threadIdx.x] *= factor; }
//~                                                           ^~~~~~
//--- array of the host
int table[4] = {1, 2, 3, 4};
__global__ void k(int *data) { data[threadIdx.x] = table[threadIdx.x & 3]; }
//~ kernel.cu:2:52: error: The host variable `table` is undefined in device code; pass it as an argument, or declare it with `__device__`, `__constant__`, or `constexpr`.
//~     __global__ void k(int *data) { data[threadIdx.x] = table[threadIdx.x & 3]; }
//~                                                        ^~~~~
//--- function of the host
float square(float v) { return v * v; }
__global__ void k(float *data) { data[threadIdx.x] = square(data[threadIdx.x]); }
//~ kernel.cu:2:54: error: Calling the host function `square` from device code is not allowed; declare the function `__device__`.
//~     __global__ void k(float *data) { data[threadIdx.x] = square(data[threadIdx.x]); }
//~                                                          ^~~~~~
//~ kernel.cu:1:7: note: Defined here.
//~     float square(float v) { return v * v; }
//~           ^~~~~~
//--- host function behind a device function
int helper(int v) { return v + 1; }
__device__ int twice(int v) { return 2 * helper(v); }
__global__ void k(int *data) { data[0] = twice(data[0]); }
//~ kernel.cu:2:42: error: Calling the host function `helper` from device code is not allowed; declare the function `__device__`.
//~     __device__ int twice(int v) { return 2 * helper(v); }
//~                                              ^~~~~~
//~ kernel.cu:1:5: note: Defined here.
//~     int helper(int v) { return v + 1; }
//~         ^~~~~~
//--- kernel with a result
__global__ int sum(const int *in, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += in[i];
    return total;
}
//~ kernel.cu:1:1: error: A `__global__` function must have a void return type: declare `sum` as `__global__ void`.
//~     __global__ int sum(const int *in, int n)
//~     ^~~~~~~~~~~~~~
//~     help: write `void`
//--- kernel returns a value
__global__ void sum(const int *in, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += in[i];
    return total;
}
//~ kernel.cu:6:12: error: A kernel returns no value; store the result in memory that a parameter points to.
//~         return total;
//~                ^~~~~
//--- kernel called as a function
__global__ void fill(int *data) { data[threadIdx.x] = 1; }
__global__ void k(int *data) { fill(data); }
//~ kernel.cu:2:32: error: `fill` is a kernel, which only the host can launch; declare the function `__device__` to call it.
//~     __global__ void k(int *data) { fill(data); }
//~                                    ^~~~~~~~~~
//--- both kernel and device function
__global__ __device__ void k(int *data) { data[threadIdx.x] = 1; }
//~ kernel.cu:1:28: error: `k` cannot be both `__global__` and `__device__`; remove one of them.
//~     __global__ __device__ void k(int *data) { data[threadIdx.x] = 1; }
//~                                ^
//--- device function without a result, severity: warning, messages: 2
__device__ int twice(int v) { 2 * v; }
__global__ void k(int *data) { data[0] = twice(data[0]); }
//~ kernel.cu:1:31: warning: This expression has no effect: its value is not used.
//~     __device__ int twice(int v) { 2 * v; }
//~                                   ^~~~~
//~ kernel.cu:1:38: warning: Missing return statement at end of non-void function `twice`.
//~     __device__ int twice(int v) { 2 * v; }
//~                                          ^
//--- result of a void function
__device__ void twice(int v) { return 2 * v; }
__global__ void k(int *data) { twice(data[0]); }
//~ kernel.cu:1:39: error: This function returns void; declare it with the type of this value.
//~     __device__ void twice(int v) { return 2 * v; }
//~                                           ^~~~~
//--- function without a type
__device__ twice(int v) { return 2 * v; }
__global__ void k(int *data) { data[0] = twice(data[0]); }
//~ kernel.cu:1:12: error: The function `twice` has no return type; write `void` or another type before it.
//~     __device__ twice(int v) { return 2 * v; }
//~                ^~~~~
//--- misspelled global
__globl__ void k(int *data) { data[threadIdx.x] = 1; }
//~ kernel.cu:1:1: error: `__globl__` is not a keyword of CUDA C++; did you mean `__global__`?
//~     __globl__ void k(int *data) { data[threadIdx.x] = 1; }
//~     ^~~~~~~~~
//~     help: write `__global__`
//--- global with single underscores
_global_ void k(int *data) { data[threadIdx.x] = 1; }
//~ kernel.cu:1:1: error: `_global_` is not a keyword of CUDA C++; did you mean `__global__`?
//~     _global_ void k(int *data) { data[threadIdx.x] = 1; }
//~     ^~~~~~~~
//~     help: write `__global__`
//--- global without underscores
global void k(int *data) { data[threadIdx.x] = 1; }
//~ kernel.cu:1:1: error: `global` is not a keyword of CUDA C++; did you mean `__global__`?
//~     global void k(int *data) { data[threadIdx.x] = 1; }
//~     ^~~~~~
//~     help: write `__global__`
//--- misspelled shared
__global__ void k(int *data)
{
    __shard__ int tile[32];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[31 - threadIdx.x];
}
//~ kernel.cu:3:5: error: `__shard__` is not a keyword of CUDA C++; did you mean `__shared__`?
//~         __shard__ int tile[32];
//~         ^~~~~~~~~
//~     help: write `__shared__`
//--- variable of type void
__global__ void k(int *data)
{
    void v = data[0];
    data[1] = v;
}
//~ kernel.cu:3:10: error: A variable cannot be void.
//~         void v = data[0];
//~              ^
//--- declaration hidden in a condition
__global__ void k(int *data)
{
    if (threadIdx.x < 16) int i = 1;
    data[threadIdx.x] = i;
}
//~ kernel.cu:4:25: error: The variable `i` is not declared.
//~         data[threadIdx.x] = i;
//~                             ^
//~ kernel.cu:3:31: note: The scope of this variable ends with its block or loop; declare the variable before the block or loop.
//~         if (threadIdx.x < 16) int i = 1;
//~                                   ^
//--- body of another file
__device__ float interpolate(float v);
__global__ void k(float *data) { data[0] = interpolate(data[0]); }
//~ kernel.cu:2:44: error: Unresolved extern function `interpolate`: this file declares the function but does not define it.
//~     __global__ void k(float *data) { data[0] = interpolate(data[0]); }
//~                                                ^~~~~~~~~~~~~~~~~~~~
//--- default argument before a parameter without one
__device__ int add(int a = 1, int b) { return a + b; }
__global__ void k(int *data) { data[0] = add(data[0], 2); }
//~ kernel.cu:1:31: error: A parameter after one with a default argument needs a default argument, too.
//~     __device__ int add(int a = 1, int b) { return a + b; }
//~                                   ^~~~~
//--- label missing
__global__ void k(int *data)
{
    if (data[0] == 0) goto done;
    data[0] = 1;
}
//~ kernel.cu:3:23: error: The label `done` is referenced but not defined.
//~         if (data[0] == 0) goto done;
//~                           ^~~~~~~~~~
//--- goto over a declaration
__global__ void k(int *data)
{
    if (data[0] == 0) goto done;
    int v = data[1];
    data[0] = v;
done:
    data[2] = v;
}
//~ kernel.cu:3:23: error: This `goto` bypasses the initialization of `v`; declare `v` before the `goto`.
//~         if (data[0] == 0) goto done;
//~                           ^~~~~~~~~~
//~ kernel.cu:4:9: note: `v` is declared here.
//~         int v = data[1];
//~             ^
//--- extern variable defined in a function
__global__ void k(int *data)
{
    static __shared__ int tile[4], int other;
    data[0] = tile[0];
}
//~ kernel.cu:3:36: error: A declaration names its type once: remove `int`, or end the declaration before it with `;`.
//~         static __shared__ int tile[4], int other;
//~                                        ^~~
//--- typedef with the names the wrong way round
typedef real float;
__global__ void k(real *data) { data[0] = 1; }
//~ kernel.cu:2:19: error: The type `real` is not declared.
//~     __global__ void k(real *data) { data[0] = 1; }
//~                       ^~~~
//--- reference without an initializer
__global__ void k(int *data)
{
    int &first;
    first = data[0];
}
//~ kernel.cu:3:10: error: The reference `first` requires an initializer.
//~         int &first;
//~              ^~~~~
