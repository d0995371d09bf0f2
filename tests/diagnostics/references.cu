// References, null pointers, prototypes, and what operators on places give.
struct V { float x, y; };
__device__ const int &read_only(const int *p) { return p[0]; }
__device__ int &of_a_local() { int a = 3; return a; }
//~ 50 warning: This return gives a reference to the local variable `a`, whose lifetime ends with the function; return a value.
__device__ int &of_a_parameter(int a) { return a; }
//~ 48 warning: This return gives a reference to the local variable `a`, whose lifetime ends with the function; return a value.
__device__ float &of_a_member() { V v; return v.x; }
//~ 47 warning: This return gives a reference to the local variable `v`, whose lifetime ends with the function; return a value.
__device__ int &of_a_value(int a) { return a + 1; }
//~ 44 error: A reference to `int` must be initialized with an lvalue of this type, not a temporary value.
__device__ const int &of_a_temporary(int a) { return a + 1; }
//~ 54 warning: This return gives a reference to a temporary value, whose lifetime ends with the function; return a value.
__device__ int &that_drops_const(const int *p) { return p[0]; }
//~ 57 error: A non-const reference cannot be bound to a const object; declare the reference const.
__device__ int &without_a_return(int *p) { if (p[1]) return p[0]; }
//~ 67 warning: Missing return statement at end of non-void function `without_a_return`.
__device__ int &without_a_value(int *p) { return; }
//~ 43 error: This function must return a value of type `int`.
__global__ int &of_a_kernel(int *p) { return p[0]; }
//~ 1 error: A `__global__` function must have a void return type: declare `of_a_kernel` as `__global__ void`.

__global__ void places(int *p, const int c)
{
    int x = 1;
    float y = 2;
    read_only(p) = 3;
//~ 5 error: This memory is const and cannot be modified.
    (p[0] ? x : c) = 3;
//~ 5 error: This memory is const and cannot be modified.
    (p[0] ? x : y) = 3;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    (p[0] ? x : 4) = 3;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    (x, c) = 3;
//~ 5 error: This memory is const and cannot be modified.
    x++ = 3;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    (x + 1) = 3;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    &(x++);
//~ 6 error: The operand of `&` must be an lvalue: a variable or memory.
    &(p[0] ? x : 4);
//~ 6 error: The operand of `&` must be an lvalue: a variable or memory.
    int &r = p[0] ? x : c;
//~ 14 error: A non-const reference cannot be bound to a const object; declare the reference const.
}

__global__ void null_pointers(int *p)
{
    p = NULL;
    p = false;
//~ 9 error: A value of type `bool` cannot be used as `int *` in this assignment.
    p = 0.0;
//~ 9 error: A value of type `double` cannot be used as `int *` in this assignment.
    p = 1;
//~ 9 error: A value of type `int` cannot be used as `int *` in this assignment.
//~ note: To use a number as an address, write `(int *)` before it.
    int i = nullptr;
//~ 13 error: A value of type `void *` cannot be used as `int` in the initializer of this variable.
    if (p == 1) p[0] = 1;
//~ 9 error: `==` cannot compare `int *` with `int`.
}

__device__ int result_differs(int a);
__device__ float result_differs(int a) { return a; }
//~ 18 error: The declarations of `result_differs` differ by return type alone, which is not allowed.
//~ note: First declared here.
__global__ void kernel_and_function(int *a);
__device__ void kernel_and_function(int *a) { }
//~ 17 error: `kernel_and_function` is both a kernel (`__global__`) and a `__device__` function.
//~ note: First declared here.
__device__ int default_twice(int a = 1);
__device__ int default_twice(int a = 1) { return a; }
//~ 38 error: Redefinition of this parameter's default argument; remove one of the two.
//~ note: First specified here.
__device__ int body_twice(const float *__restrict__ a) { return 1; }
__device__ int body_twice(const float *b) { return 2; }
//~ 16 error: The function `body_twice` has already been defined.
//~ note: First defined here.
__device__ int body_of_host(int a);
int body_of_host(int a) { return a; }
__device__ int no_body(int a);
__global__ void never_defined(int *a);
__global__ void calls(int *a)
{
    a[0] = body_of_host(1);
//~ 12 error: `body_of_host` is defined without `__device__`; add `__device__` to the definition.
//~ note: Defined here.
    a[1] = no_body(2);
//~ 12 error: Unresolved extern function `no_body`: this file declares the function but does not define it.
}

struct Broken { Missing m; };
//~ 17 error: The type `Missing` is not declared.
struct Outer { Broken b; };
__global__ void says_so_once(Outer *o) { o[0].b = o[1].b; Outer *p = o + 1; }
