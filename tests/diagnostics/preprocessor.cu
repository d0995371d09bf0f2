// Directives and macros.
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define PASTE(a, b) a##b
#define 3
//~ 9 error: `#define` needs a name.
#undef
//~ 2 error: `#undef` needs the name of a macro.
#include
//~ 2 error: `#include` needs a file name in quotes or angle brackets.
#include "my_header.h"
//~ 2 warning: Could not open source file `my_header.h`: names that it declares are undefined. Add the file if the kernel needs them.
//~ note: The command line searches this file's folder, and the folders that `-I` names.
#include <cuda_runtime.h>
#include "cuda_runtime.h"
#unknown
//~ 2 error: Unrecognized preprocessing directive `#unknown`.
#if defined(MAX2) && __CUDA_ARCH__ >= 200
#else
#error never seen
#endif
#if 1 +
//~ 2 error: The condition of `#if` must be an integer expression of numbers, macros, and `defined`.
#endif
#warning take care
//~ 2 warning: #warning: take care
#endif
//~ 2 error: This `#endif` has no matching `#if`.
#ifdef OPEN
//~ 2 error: The `#endif` for this directive is missing; add it where the conditional part ends.

__global__ void hidden(int *a) { a[0] = not_seen; }
#else
__global__ void macros(int *a, int n)
{
    a[0] = MAX2(n);
//~ 12 error: The macro `MAX2` takes 2 arguments, not 1.
    a[1] = MAX2(n, undeclared);
//~ 12 error: The variable `undeclared` is not declared.
//~ note: Declare it with its type before this line, or make it a parameter.
    a[2] = PASTE(n, +);
//~ 12 error: `##` creates `n+`, which is not a valid token.
    a[3] = MAX2(n, 3;
//~ 12 error: The arguments of the macro `MAX2` have no closing `)`.
}
