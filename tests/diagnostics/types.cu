// Types that do not fit.
struct Pair { int a; float b; };

__device__ void set(int &target, int value) { target = value; }
__device__ int two(int a, int b) { return a + b; }
__device__ int missing_return(int a) { if (a > 0) return 1; }
//~ 61 warning: Missing return statement at end of non-void function `missing_return`.

__global__ void pointers(const float *in, float *out, int *ints, void *raw, int n)
{
    float *p = in;
//~ 16 error: A value of type `const float *` cannot be used as `float *` in the initializer of this variable.
//~ note: This pointer points to const memory; declare the target as a pointer to const.
    int *q = out;
//~ 14 error: A value of type `float *` cannot be used as `int *` in the initializer of this variable.
//~ note: To read the same memory as another type, write `(int *)` before it.
    in[0] = 1.0f;
//~ 5 error: `in` points to const memory, which cannot be modified; declare it without `const`.
    out[n] = ints;
//~ 14 error: A value of type `int *` cannot be used as `float` in this assignment.
    *n = 3;
//~ 5 error: `*` needs a pointer; this is `int`.
    n[out] = 1.0f;
    out.x = 1.0f;
//~ 9 error: A value of type `float *` has no members.
    raw[0] = 1;
//~ 5 error: This expression must be a pointer to a complete object type, not to `void` or an incomplete type.
    float f = 1.5f;
    out[f] = 2.0f;
//~ 9 error: An index must be an integer; this is `float`.
    int r = n % 1.5f;
//~ 13 error: No operator `%` matches the operand types `int` and `float`. Use `fmodf` for floating-point numbers.
    int s = f << 2;
//~ 13 error: No operator `<<` matches the operand types `float` and `int`. Convert the operands to integers, or read their bits with `__float_as_int`.
    ints = ints * 2;
//~ 12 error: No operator `*` matches the operand types `int *` and `int`.
    set(3, 4);
//~ 9 error: A reference to `int` must be initialized with an lvalue of this type, not a temporary value.
    two(1);
//~ 5 error: `two` takes 2 arguments, not 1.
//~ note: The declaration is int two(int a, int b).
    two(1, 2, 3);
//~ 5 error: `two` takes 2 arguments, not 3.
//~ note: The declaration is int two(int a, int b).
    two(ints, 2);
//~ 9 error: A value of type `int *` cannot be used as `int` in an argument of `two`.
//~ note: Dereference the pointer: write `*` before it.
//~ note: The declaration is int two(int a, int b).
    const int limit = 10;
    limit = 11;
//~ 5 error: `limit` is const and cannot be modified.
    3 = n;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    Pair pair = {1, 2.0f, 3};
//~ 27 error: `Pair` has 2 members; the list has 3.
    pair.c = 1;
//~ 10 error: `Pair` has no member `c`; it has a, b.
    float4 v = make_float4(1.0f, 2.0f, 3.0f);
//~ 16 error: `make_float4` takes 4 arguments, not 3.
    float4 w = v + v;
//~ 16 error: No operator `+` matches the operand types `float4` and `float4`; work on the members one by one, or define `operator+`.
//~ note: The header helper_math.h of the CUDA samples defines this operator: write `#include "helper_math.h"`.
    v.r = 1.0f;
//~ 7 error: `float4` has no member `r`; it has x, y, z, w.
    int table[4] = {1, 2, 3, 4, 5};
//~ 20 error: `int[4]` has 4 elements; the list has 5.
    table[4] = 1;
//~ 11 warning: Subscript out of range: the index is 4, and the array size is 4.
    int sized[n];
//~ 15 error: The size of an array must be a constant expression.
//~ note: Use a literal, a `#define`, or a `constexpr` variable; for a size that the launch sets, use `extern __shared__`.
    n == 3;
//~ 5 warning: This expression has no effect: its value is not used. Did you mean `=`?
    auto nothing;
//~ 5 error: An `auto` variable requires an initializer.
    atomicAdd(n, 1);
//~ 15 error: The first argument of `atomicAdd` must be a pointer, not `int`.
//~ note: Write `&` before the variable or element.
    atomicInc(ints, 1);
//~ 15 error: `atomicInc` works on unsigned int, not on `int`.
    __shared__ int shared = 3;
//~ 20 error: An initializer is not allowed for a `__shared__` variable; let one thread store the value, then call `__syncthreads()`.
    int negative[-1];
//~ 18 error: The size of an array must be greater than zero; this one is -1.
    static_assert(sizeof(int) == 8, "int is not long");
//~ 19 error: static_assert failed: int is not long
    static_assert(sizeof(long) == 4, "long has "
//~ 19 error: static_assert failed: long has 8 bytes
                  "8 bytes");
    static_assert(sizeof(float4) == 16);
    return 3;
//~ 12 error: A kernel returns no value; store the result in memory that a parameter points to.
}

__global__ int returns(int *a) { a[0] = 1; }
//~ 1 error: A `__global__` function must have a void return type: declare `returns` as `__global__ void`.
__global__ void takes_reference(int &a) { a = 1; }
//~ 33 warning: A reference parameter of a kernel must refer to managed memory: device code cannot access host variables. Here the launch passes an address.
