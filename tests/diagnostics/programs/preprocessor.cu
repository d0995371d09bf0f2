//--- if without endif
#define FAST
#ifdef FAST
__global__ void k(float *data) { data[0] = 1; }
//~ kernel.cu:2:2: error: The `#endif` for this directive is missing; add it where the conditional part ends.
//~     #ifdef FAST
//~      ^~~~~
//--- endif without if
__global__ void k(float *data)
{
    data[0] = 1;
#endif
}
//~ kernel.cu:4:2: error: This `#endif` has no matching `#if`.
//~     #endif
//~      ^~~~~
//--- else without if
__global__ void k(float *data)
{
#else
    data[0] = 1;
#endif
}
//~ kernel.cu:3:2: error: This `#else` has no matching `#if`.
//~     #else
//~      ^~~~
//--- two else
#ifdef FAST
#define N 1
#else
#define N 2
#else
#define N 3
#endif
__global__ void k(int *data) { data[0] = N; }
//~ kernel.cu:5:2: error: `#else` is not allowed after `#else`.
//~     #else
//~      ^~~~
//--- misspelled ifdef
#ifdfe FAST
#define N 1
#endif
__global__ void k(int *data) { data[0] = N; }
//~ kernel.cu:1:2: error: Unrecognized preprocessing directive `#ifdfe`; did you mean `#ifdef`?
//~     #ifdfe FAST
//~      ^~~~~
//~     help: write `ifdef`
//--- misspelled include
#inlcude <cuda_runtime.h>
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:2: error: Unrecognized preprocessing directive `#inlcude`; did you mean `#include`?
//~     #inlcude <cuda_runtime.h>
//~      ^~~~~~~
//~     help: write `include`
//--- misspelled define
#defien N 32
__global__ void k(int *data) { data[0] = N; }
//~ kernel.cu:1:2: error: Unrecognized preprocessing directive `#defien`; did you mean `#define`?
//~     #defien N 32
//~      ^~~~~~
//~     help: write `define`
//--- include without quotes
#include cuda_runtime.h
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:2: error: `#include` needs a file name in quotes or angle brackets.
//~     #include cuda_runtime.h
//~      ^~~~~~~
//--- include with one quote
#include "constants.h
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:10: error: This string has no closing quote on its line.
//~     #include "constants.h
//~              ^~~~~~~~~~~~
//--- name of a missing header, messages: 2, severity: mixed
#include "vector_math.h"
__global__ void k(vec3 *data) { data[0].x = 1; }
//~ kernel.cu:1:2: warning: Could not open source file `vector_math.h`: names that it declares are undefined. Add the file if the kernel needs them.
//~     #include "vector_math.h"
//~      ^~~~~~~
//~     note: The command line searches this file's folder, and the folders that `-I` names.
//~ kernel.cu:2:19: error: The type `vec3` is not declared; did you mean `float3`?
//~     __global__ void k(vec3 *data) { data[0].x = 1; }
//~                       ^~~~
//~     help: write `float3`
//--- define without a name
#define
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:1: error: `#define` needs a name.
//~     #define
//~     ^
//--- define with a semicolon
#define N 32;
__global__ void k(int *data)
{
    __shared__ int tile[N];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[0];
}
//~ kernel.cu:4:25: error: The macro `N` ends with `;`; remove the `;` from its `#define`.
//~         __shared__ int tile[N];
//~                             ^
//--- define with an equals sign
#define N = 32
__global__ void k(int *data)
{
    if (threadIdx.x < N)
        data[threadIdx.x] = 1;
}
//~ kernel.cu:4:23: error: Expected an expression, not `=`.
//~         if (threadIdx.x < N)
//~                           ^
//~     note: The macro `N` expands to `=` here.
//--- macro with a space before its parameters
#define SQUARE (x) ((x) * (x))
__global__ void k(int *data)
{
    data[0] = SQUARE(data[1]);
}
//~ kernel.cu:4:15: error: The variable `x` is not declared.
//~         data[0] = SQUARE(data[1]);
//~                   ^~~~~~
//~     note: Declare it with its type before this line, or make it a parameter.
//--- macro with too few arguments
#define INDEX(row, column, width) ((row) * (width) + (column))
__global__ void k(int *data)
{
    data[INDEX(threadIdx.y, threadIdx.x)] = 1;
}
//~ kernel.cu:4:10: error: The macro `INDEX` takes 3 arguments, not 2.
//~         data[INDEX(threadIdx.y, threadIdx.x)] = 1;
//~              ^~~~~
//--- macro with too many arguments
#define SQUARE(x) ((x) * (x))
__global__ void k(int *data)
{
    data[0] = SQUARE(data[1], data[2]);
}
//~ kernel.cu:4:15: error: The macro `SQUARE` takes 1 argument, not 2.
//~         data[0] = SQUARE(data[1], data[2]);
//~                   ^~~~~~
//--- macro without a closing parenthesis
#define SQUARE(x) ((x) * (x)
__global__ void k(int *data)
{
    data[0] = SQUARE(data[1]);
}
//~ kernel.cu:4:30: error: Expected `)` to close this parenthesis, not `;`.
//~         data[0] = SQUARE(data[1]);
//~                                  ^
//--- macro call without a closing parenthesis
#define SQUARE(x) ((x) * (x))
__global__ void k(int *data)
{
    data[0] = SQUARE(data[1];
}
//~ kernel.cu:4:15: error: The arguments of the macro `SQUARE` have no closing `)`.
//~         data[0] = SQUARE(data[1];
//~                   ^~~~~~
//--- macro parameters not closed
#define SQUARE(x ((x) * (x))
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:18: error: The parameters of a macro are names with commas between them.
//~     #define SQUARE(x ((x) * (x))
//~                      ^
//--- macro of several lines without a backslash
#define SWAP(a, b) int t = a;
                   a = b;
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:2:20: error: This statement is outside all functions; move it into a function.
//~                        a = b;
//~                        ^
//--- if without a condition
#if
#define N 1
#endif
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:2: error: The condition of `#if` must be an integer expression of numbers, macros, and `defined`.
//~     #if
//~      ^~
//--- if with an assignment
#define N 4
#if N = 4
#define M 1
#endif
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:2:7: error: The condition of `#if` must be an integer expression of numbers, macros, and `defined`.
//~     #if N = 4
//~           ^
//--- if with a floating number
#if 1.5 > 1
#define N 1
#endif
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:9: error: The condition of `#if` must be an integer expression of numbers, macros, and `defined`.
//~     #if 1.5 > 1
//~             ^
//--- error directive
#ifndef BLOCK_SIZE
#error "define BLOCK_SIZE"
#endif
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:2:2: error: #error: "define BLOCK_SIZE"
//~     #error "define BLOCK_SIZE"
//~      ^~~~~
//--- undef without a name
#undef
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:2: error: `#undef` needs the name of a macro.
//~     #undef
//~      ^~~~~
//--- pasting that gives no word
#define JOIN(a, b) a##b
__global__ void k(int *data) { data[0] = JOIN(data, [0]); }
//~ kernel.cu:2:42: error: `##` creates `data[`, which is not a valid token.
//~     __global__ void k(int *data) { data[0] = JOIN(data, [0]); }
//~                                              ^~~~
//--- hash before something that is no parameter
#define PRINT(x) printf("%s\n", #y)
__global__ void k(int *data) { PRINT(data); }
//~ kernel.cu:2:32: error: Expected an expression, not `#`.
//~     __global__ void k(int *data) { PRINT(data); }
//~                                    ^~~~~
//~     note: The macro `PRINT` expands to `#` here.
//--- mistake in a macro
#define CLEAR(p) p[threadIdx.x] = zero
__global__ void k(int *data)
{
    CLEAR(data);
}
//~ kernel.cu:4:5: error: The variable `zero` is not declared.
//~         CLEAR(data);
//~         ^~~~~
//~     note: Declare it with its type before this line, or make it a parameter.
//--- pragma without a loop, severity: warning
__global__ void k(int *data)
{
#pragma unroll
    data[0] = 1;
}
//~ kernel.cu:3:9: warning: `#pragma unroll` has no effect: no loop follows it.
//~     #pragma unroll
//~             ^~~~~~
//--- word of a macro that is not defined
#if defined(FAST
#define N 1
#endif
__global__ void k(int *data) { data[0] = 1; }
//~ kernel.cu:1:12: error: The condition of `#if` must be an integer expression of numbers, macros, and `defined`.
//~     #if defined(FAST
//~                ^
