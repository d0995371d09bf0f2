//--- std::vector as a parameter
#include <vector>
__global__ void add(std::vector<float> a, float *out)
{
    out[threadIdx.x] = a[threadIdx.x];
}
//~ kernel.cu:2:21: error: `std::vector` is only available in host code. Pass a pointer and the number of elements, or declare an array of a fixed size.
//~     __global__ void add(std::vector<float> a, float *out)
//~                         ^~~~~~~~~~~
//--- std::vector in a kernel
#include <vector>
__global__ void k(float *out)
{
    std::vector<float> local(4);
    local[0] = 1;
    out[0] = local[0];
}
//~ kernel.cu:4:5: error: `std::vector` is only available in host code. Pass a pointer and the number of elements, or declare an array of a fixed size.
//~         std::vector<float> local(4);
//~         ^~~~~~~~~~~
//--- std::string in a kernel
#include <string>
__global__ void k(int *out)
{
    std::string name = "kernel";
    out[0] = name.size();
}
//~ kernel.cu:4:5: error: `std::string` is only available in host code. Pass a `const char *`, or declare an array of `char`.
//~         std::string name = "kernel";
//~         ^~~~~~~~~~~
//--- std::cout in a kernel
#include <iostream>
__global__ void k(int *data)
{
    std::cout << data[threadIdx.x] << std::endl;
}
//~ kernel.cu:4:5: error: `std::cout` is only available in host code. Print with `printf`.
//~         std::cout << data[threadIdx.x] << std::endl;
//~         ^~~~~~~~~
//--- cout in a kernel
#include <iostream>
using namespace std;
__global__ void k(int *data)
{
    cout << data[threadIdx.x] << endl;
}
//~ kernel.cu:5:5: error: The variable `cout` is not declared.
//~         cout << data[threadIdx.x] << endl;
//~         ^~~~
//~     note: Kernels print with `printf(…)`.
//--- std::sort in a kernel
#include <algorithm>
__global__ void k(int *data, int n)
{
    std::sort(data, data + n);
}
//~ kernel.cu:4:5: error: `std::sort` is only available in host code. Write the loop, or call Thrust or CUB from the host.
//~         std::sort(data, data + n);
//~         ^~~~~~~~~
//--- rand in a kernel
#include <cstdlib>
__global__ void k(int *data)
{
    data[threadIdx.x] = rand() % 100;
}
//~ kernel.cu:4:25: error: The function `rand` is not declared.
//~         data[threadIdx.x] = rand() % 100;
//~                             ^~~~
//~     note: This is a host function; generate random numbers with `curand_kernel.h`.
//--- time in a kernel
#include <ctime>
__global__ void k(long *data)
{
    data[0] = time(NULL);
}
//~ kernel.cu:4:15: error: The function `time` is not declared.
//~         data[0] = time(NULL);
//~                   ^~~~
//~     note: This is a host function; a kernel can use `clock64()`.
//--- exit in a kernel
#include <cstdlib>
__global__ void k(int *data)
{
    if (data[0] < 0)
        exit(1);
    data[0] = 0;
}
//~ kernel.cu:5:9: error: The function `exit` is not declared.
//~             exit(1);
//~             ^~~~
//~     note: This is a host function; `return` ends the thread, and `__trap()` ends the kernel.
//--- exception in a kernel
__global__ void k(int *data)
{
    if (data[0] < 0)
        throw 1;
    data[0] = 0;
}
//~ kernel.cu:4:9: error: Exceptions cannot be used in device code; return an error code instead.
//~             throw 1;
//~             ^~~~~
//--- try in a kernel
__global__ void k(int *data)
{
    try {
        data[0] = 1;
    } catch (...) {
        data[0] = 2;
    }
}
//~ kernel.cu:3:5: error: Exceptions cannot be used in device code; return an error code instead.
//~         try {
//~         ^~~
//--- fprintf in a kernel
#include <cstdio>
__global__ void k(int *data)
{
    fprintf(stderr, "%d\n", data[0]);
}
//~ kernel.cu:4:5: error: `fprintf` is a host function; a kernel prints with `printf`.
//~         fprintf(stderr, "%d\n", data[0]);
//~         ^~~~~~~
//--- puts in a kernel
#include <cstdio>
__global__ void k(int *data)
{
    puts("done");
    data[0] = 1;
}
//~ kernel.cu:4:5: error: `puts` is a host function; a kernel prints with `printf`.
//~         puts("done");
//~         ^~~~
//--- strlen of the host
#include <cstring>
__global__ void k(const char *text, int *out)
{
    out[0] = strcmp(text, "a");
}
//~ kernel.cu:4:14: error: The function `strcmp` is not declared.
//~         out[0] = strcmp(text, "a");
//~                  ^~~~~~
//~     note: This is a host function.
//--- dynamic_cast in a kernel
struct Shape { int id; };
struct Square : Shape { float side; };
__global__ void k(Shape *s, float *out)
{
    out[0] = dynamic_cast<Square *>(s)->side;
}
//~ kernel.cu:5:14: error: `dynamic_cast` expressions are not supported yet.
//~         out[0] = dynamic_cast<Square *>(s)->side;
//~                  ^~~~~~~~~~~~
//--- boolean of C
__global__ void k(int *data)
{
    boolean done = TRUE;
    data[0] = done;
}
//~ kernel.cu:3:5: error: The type `boolean` is not declared; did you mean `bool`?
//~         boolean done = TRUE;
//~         ^~~~~~~
//~     help: write `bool`
//--- TRUE in capitals
__global__ void k(int *data)
{
    bool done = TRUE;
    data[0] = done;
}
//~ kernel.cu:3:17: error: The variable `TRUE` is not declared.
//~         bool done = TRUE;
//~                     ^~~~
//~     note: Write `true`.
//--- null in lower case
__global__ void k(int *data)
{
    if (data != null)
        data[0] = 1;
}
//~ kernel.cu:3:17: error: The variable `null` is not declared.
//~         if (data != null)
//~                     ^~~~
//~     note: Write `nullptr`.
//--- var of JavaScript
__global__ void k(int *data)
{
    var i = threadIdx.x;
    data[i] = 1;
}
//~ kernel.cu:3:5: error: The type `var` is not declared; did you mean `auto`?
//~         var i = threadIdx.x;
//~         ^~~
//~     help: write `auto`
//--- let of Rust
__global__ void k(int *data)
{
    let i = threadIdx.x;
    data[i] = 1;
}
//~ kernel.cu:3:5: error: The type `let` is not declared; did you mean `auto`?
//~         let i = threadIdx.x;
//~         ^~~
//~     help: write `auto`
//--- and, or, not with a typo
__global__ void k(int *data, int n)
{
    if (threadIdx.x > 0 && && threadIdx.x < n)
        data[threadIdx.x] = 1;
}
//~ kernel.cu:3:28: error: Expected an expression, not `&&`.
//~         if (threadIdx.x > 0 && && threadIdx.x < n)
//~                                ^~
//--- index functions of OpenCL
__global__ void k(int *data)
{
    int i = get_global_id(0);
    data[i] = 1;
}
//~ kernel.cu:3:13: error: The function `get_global_id` is not declared.
//~         int i = get_global_id(0);
//~                 ^~~~~~~~~~~~~
//~     note: Write `blockIdx.x * blockDim.x + threadIdx.x`.
//--- qualifiers of OpenCL
__kernel void k(__global int *data)
{
    data[get_global_id(0)] = 1;
}
//~ kernel.cu:1:1: error: `__kernel` is not a keyword of CUDA C++; did you mean `__global__`?
//~     __kernel void k(__global int *data)
//~     ^~~~~~~~
//~     help: write `__global__`
//--- barrier of OpenCL
__global__ void k(int *data)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = data[threadIdx.x];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[threadIdx.x] = tile[31 - threadIdx.x];
}
//~ kernel.cu:5:13: error: The variable `CLK_LOCAL_MEM_FENCE` is not declared.
//~         barrier(CLK_LOCAL_MEM_FENCE);
//~                 ^~~~~~~~~~~~~~~~~~~
//~     note: Write `__syncthreads()`.
//--- shared array of numba
__global__ void k(int *data)
{
    int tile[32] = cuda.shared.array(32);
    data[0] = tile[0];
}
//~ kernel.cu:3:20: error: The initializer of an array is a list in braces, such as `{1, 2, 3}`; `{}` sets all elements to 0.
//~         int tile[32] = cuda.shared.array(32);
//~                        ^~~~~~~~~~~~~~~~~~~~~
//--- cross product that nobody defined
__global__ void k(const float3 *a, const float3 *b, float3 *c)
{
    int i = threadIdx.x;
    c[i] = cross(a[i], b[i]);
}
//~ kernel.cu:4:12: error: The function `cross` is not declared.
//~         c[i] = cross(a[i], b[i]);
//~                ^~~~~
//~     note: CUDA has no such function; define it, or write `#include "helper_math.h"`.
//--- dot product that nobody defined
__global__ void k(const float3 *a, const float3 *b, float *c)
{
    int i = threadIdx.x;
    c[i] = dot(a[i], b[i]);
}
//~ kernel.cu:4:12: error: The function `dot` is not declared.
//~         c[i] = dot(a[i], b[i]);
//~                ^~~
//~     note: CUDA has no such function; define it, or write `#include "helper_math.h"`.
//--- clamp that nobody defined
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data[i] = clamp(data[i], 0.0f, 1.0f);
}
//~ kernel.cu:4:15: error: The function `clamp` is not declared.
//~         data[i] = clamp(data[i], 0.0f, 1.0f);
//~                   ^~~~~
//~     note: CUDA has no such function; define it, or write `#include "helper_math.h"`.
//--- lerp that nobody defined
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data[i] = lerp(data[i], 1.0f, 0.5f);
}
//~ kernel.cu:4:15: error: The function `lerp` is not declared.
//~         data[i] = lerp(data[i], 1.0f, 0.5f);
//~                   ^~~~
//~     note: CUDA has no such function; define it, or write `#include "helper_math.h"`.
//--- constant of pi
__global__ void k(float *data)
{
    data[threadIdx.x] *= PI;
}
//~ kernel.cu:3:26: error: The variable `PI` is not declared.
//~         data[threadIdx.x] *= PI;
//~                              ^~
//~     note: Write `M_PI` for a double, or `3.14159265f`.
//--- variable length matrix as a parameter
__device__ float first(int n, float m[n][n]) { return m[0][0]; }
__global__ void k(float *data) { data[0] = 1; }
//~ kernel.cu:1:42: error: The variable `n` is not declared.
//~     __device__ float first(int n, float m[n][n]) { return m[0][0]; }
//~                                              ^
//~     note: Declare it with its type before this line, or make it a parameter.
//--- unsigned int in the wrong order
__global__ void k(uint32 *data)
{
    data[threadIdx.x] = 1;
}
//~ kernel.cu:1:19: error: The type `uint32` is not declared; did you mean `unsigned int`?
//~     __global__ void k(uint32 *data)
//~                       ^~~~~~
//~     help: write `unsigned int`
//--- byte type
__global__ void k(byte *data)
{
    data[threadIdx.x] = 1;
}
//~ kernel.cu:1:19: error: The type `byte` is not declared; did you mean `unsigned char`?
//~     __global__ void k(byte *data)
//~                       ^~~~
//~     help: write `unsigned char`
//--- string type
__global__ void k(string text, int *out)
{
    out[0] = 1;
}
//~ kernel.cu:1:19: error: The type `string` is not declared; did you mean `const char *`?
//~     __global__ void k(string text, int *out)
//~                       ^~~~~~
//~     help: write `const char *`
//--- array as a result
__device__ float[3] direction() { return {0, 0, 1}; }
__global__ void k(float *data) { data[0] = 1; }
//~ kernel.cu:1:21: error: The size of an array is written after its name: `direction[…]`.
//~     __device__ float[3] direction() { return {0, 0, 1}; }
//~                         ^~~~~~~~~
//--- class of the host as a parameter
class Image {
public:
    int width;
    virtual void save() {}
};
__global__ void k(Image *image, int *out) { out[0] = image->height; }
//~ kernel.cu:6:61: error: `Image` has no member `height`; it has width.
//~     __global__ void k(Image *image, int *out) { out[0] = image->height; }
//~                                                                 ^~~~~~
//--- delete in a kernel with no pointer
__global__ void k(int *data)
{
    delete data[0];
}
//~ kernel.cu:3:5: error: `delete` takes a pointer, not a value of type `int`.
//~         delete data[0];
//~         ^~~~~~~~~~~~~~
