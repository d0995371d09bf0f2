//--- pointer to an integer
__global__ void k(int *data)
{
    int i = data;
    data[i] = 1;
}
//~ kernel.cu:3:13: error: A value of type `int *` cannot be used as `int` in the initializer of this variable.
//~         int i = data;
//~                 ^~~~
//~     note: Dereference the pointer: write `*` before it.
//--- integer to a pointer
__global__ void k(int *data)
{
    int *first = data[0];
    *first = 1;
}
//~ kernel.cu:3:18: error: A value of type `int` cannot be used as `int *` in the initializer of this variable.
//~         int *first = data[0];
//~                      ^~~~~~~
//~     note: Write `&` before it to use its address.
//--- number as an address
__global__ void k(int *data)
{
    int *p = 0x1000;
    *p = data[0];
}
//~ kernel.cu:3:14: error: A value of type `int` cannot be used as `int *` in the initializer of this variable.
//~         int *p = 0x1000;
//~                  ^~~~~~
//~     note: To use a number as an address, write `(int *)` before it.
//--- pointer of another type
__global__ void k(float *data)
{
    int *bits = data;
    bits[0] = 0;
}
//~ kernel.cu:3:17: error: A value of type `float *` cannot be used as `int *` in the initializer of this variable.
//~         int *bits = data;
//~                     ^~~~
//~     note: To read the same memory as another type, write `(int *)` before it.
//--- pointer to const to a pointer
__global__ void k(const float *in)
{
    float *p = in;
    p[0] = 1.0f;
}
//~ kernel.cu:3:16: error: A value of type `const float *` cannot be used as `float *` in the initializer of this variable.
//~         float *p = in;
//~                    ^~
//~     note: This pointer points to const memory; declare the target as a pointer to const.
//--- void pointer without a cast
__global__ void k(void *raw)
{
    float *values = raw;
    values[0] = 1.0f;
}
//~ kernel.cu:3:21: error: A value of type `void *` cannot be used as `float *` in the initializer of this variable.
//~         float *values = raw;
//~                         ^~~
//~     note: To read the same memory as another type, write `(float *)` before it.
//--- void pointer dereferenced
__global__ void k(void *raw, int *out)
{
    out[0] = *raw;
}
//~ kernel.cu:3:14: error: A `void *` cannot be dereferenced; convert it first, as in `*(int *)p`.
//~         out[0] = *raw;
//~                  ^~~~
//--- number dereferenced
__global__ void k(int *data, int n)
{
    *n = data[0];
}
//~ kernel.cu:3:5: error: `*` needs a pointer; this is `int`.
//~         *n = data[0];
//~         ^~
//--- number with an index
__global__ void k(int *data, int n)
{
    data[0] = n[threadIdx.x];
}
//~ kernel.cu:3:15: error: `[]` needs an array or a pointer; this is `int`.
//~         data[0] = n[threadIdx.x];
//~                   ^
//--- one index too many
__global__ void k(float *matrix, int width)
{
    int x = threadIdx.x, y = threadIdx.y;
    matrix[y][x] = 0.0f;
}
//~ kernel.cu:4:5: error: `[]` needs an array or a pointer; this is `float`.
//~         matrix[y][x] = 0.0f;
//~         ^~~~~~~~~
//~     note: A pointer has one index: write `matrix[row * width + column]`.
//--- two indices in one bracket
__global__ void k(float *out)
{
    __shared__ float tile[8][8];
    tile[threadIdx.y, threadIdx.x] = 1.0f;
    out[0] = tile[0][0];
}
//~ kernel.cu:4:5: error: An array cannot be assigned as a whole; assign its elements.
//~         tile[threadIdx.y, threadIdx.x] = 1.0f;
//~         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//~     note: Write each index in brackets of its own: `[row][column]`.
//--- row for an element
__global__ void k(float *out)
{
    __shared__ float tile[8][8];
    tile[threadIdx.y][threadIdx.x] = 1.0f;
    out[0] = tile[0];
}
//~ kernel.cu:5:14: error: A value of type `float *` cannot be used as `float` in this assignment.
//~         out[0] = tile[0];
//~                  ^~~~~~~
//~     note: Dereference the pointer: write `*` before it.
//--- pointer to a pointer from a matrix
__device__ void clear(float **matrix) { matrix[0][0] = 0.0f; }
__global__ void k(float *out)
{
    float matrix[4][4];
    clear(matrix);
    out[0] = matrix[0][0];
}
//~ kernel.cu:5:11: error: A value of type `float[4] *` cannot be used as `float **` in an argument of `clear`.
//~         clear(matrix);
//~               ^~~~~~
//~     note: An array of arrays is not an array of pointers: declare the parameter with the same sizes, such as `float (*rows)[4]`.
//~     note: The declaration is void clear(float ** matrix).
//--- pointer to a pointer for a pointer
__global__ void k(float **rows, float *out)
{
    float *row = rows;
    out[0] = row[0];
}
//~ kernel.cu:3:18: error: A value of type `float **` cannot be used as `float *` in the initializer of this variable.
//~         float *row = rows;
//~                      ^~~~
//~     note: Dereference the outer pointer: write `*` before it.
//--- floating index
__global__ void k(float *data)
{
    float i = threadIdx.x / 2.0f;
    data[i] = 1.0f;
}
//~ kernel.cu:4:10: error: An index must be an integer; this is `float`.
//~         data[i] = 1.0f;
//~              ^
//--- modulo of floating numbers
__global__ void k(float *data)
{
    data[threadIdx.x] = data[threadIdx.x] % 2.0f;
}
//~ kernel.cu:3:25: error: No operator `%` matches the operand types `float` and `float`. Use `fmodf` for floating-point numbers.
//~         data[threadIdx.x] = data[threadIdx.x] % 2.0f;
//~                             ^~~~~~~~~~~~~~~~~~~~~~~~
//--- shift of a floating number
__global__ void k(float *data)
{
    data[threadIdx.x] = data[threadIdx.x] << 1;
}
//~ kernel.cu:3:25: error: No operator `<<` matches the operand types `float` and `int`. Convert the operands to integers, or read their bits with `__float_as_int`.
//~         data[threadIdx.x] = data[threadIdx.x] << 1;
//~                             ^~~~~~~~~~~~~~~~~~~~~~
//--- bit operation on a floating number
__global__ void k(float *data)
{
    data[threadIdx.x] = data[threadIdx.x] & 0x7fffffff;
}
//~ kernel.cu:3:25: error: No operator `&` matches the operand types `float` and `int`. Convert the operands to integers, or read their bits with `__float_as_int`.
//~         data[threadIdx.x] = data[threadIdx.x] & 0x7fffffff;
//~                             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- complement of a floating number
__global__ void k(float *data)
{
    data[threadIdx.x] = ~data[threadIdx.x];
}
//~ kernel.cu:3:25: error: No operator `~` matches the operand type `float`.
//~         data[threadIdx.x] = ~data[threadIdx.x];
//~                             ^~~~~~~~~~~~~~~~~~
//--- sum of pointers
__global__ void k(float *a, float *b)
{
    float *middle = (a + b) / 2;
    *middle = 0.0f;
}
//~ kernel.cu:3:21: error: No operator `+` matches the operand types `float *` and `float *`.
//~         float *middle = (a + b) / 2;
//~                         ^~~~~~~
//--- pointer times a number
__global__ void k(float *data, int n)
{
    float *p = data * n;
    *p = 0.0f;
}
//~ kernel.cu:3:16: error: No operator `*` matches the operand types `float *` and `int`.
//~         float *p = data * n;
//~                    ^~~~~~~~
//--- difference of pointers of different types
__global__ void k(float *a, int *b, int *out)
{
    out[0] = a - b;
}
//~ kernel.cu:3:14: error: Pointers of different types cannot be subtracted: `float *` and `int *`.
//~         out[0] = a - b;
//~                  ^~~~~
//--- comparison of a pointer with a number
__global__ void k(int *data)
{
    if (data == 1)
        data[0] = 1;
}
//~ kernel.cu:3:9: error: `==` cannot compare `int *` with `int`.
//~         if (data == 1)
//~             ^~~~~~~~~
//--- comparison of pointers of different types
__global__ void k(int *a, float *b)
{
    if (a == b)
        a[0] = 1;
}
//~ kernel.cu:3:9: error: `==` cannot compare `int *` with `float *`.
//~         if (a == b)
//~             ^~~~~~
//--- address of a value
__device__ void clear(int *p) { *p = 0; }
__global__ void k(int *data)
{
    clear(&(data[0] + 1));
}
//~ kernel.cu:4:12: error: The operand of `&` must be an lvalue: a variable or memory.
//~         clear(&(data[0] + 1));
//~                ^~~~~~~~~~~~~
//--- address of a literal
__device__ void add(int *p, int *q) { *p += *q; }
__global__ void k(int *data)
{
    add(data, &1);
}
//~ kernel.cu:4:16: error: The operand of `&` must be an lvalue: a variable or memory.
//~         add(data, &1);
//~                    ^
//--- assignment to a sum
__global__ void k(int *data, int a, int b)
{
    a + b = data[0];
}
//~ kernel.cu:3:5: error: This expression must be a modifiable lvalue: a variable or memory.
//~         a + b = data[0];
//~         ^~~~~
//--- assignment to a call
__device__ int first(int *data) { return data[0]; }
__global__ void k(int *data)
{
    first(data) = 1;
}
//~ kernel.cu:4:5: error: This expression must be a modifiable lvalue: a variable or memory.
//~         first(data) = 1;
//~         ^~~~~~~~~~~
//--- increment of a value
__global__ void k(int *data)
{
    data[0] = (data[1] + 1)++;
}
//~ kernel.cu:3:15: error: This expression must be a modifiable lvalue: a variable or memory.
//~         data[0] = (data[1] + 1)++;
//~                   ^~~~~~~~~~~~~
//--- too few arguments
__device__ float lerp(float a, float b, float t) { return a + (b - a) * t; }
__global__ void k(float *data)
{
    data[0] = lerp(data[1], data[2]);
}
//~ kernel.cu:4:15: error: `lerp` takes 3 arguments, not 2.
//~         data[0] = lerp(data[1], data[2]);
//~                   ^~~~~~~~~~~~~~~~~~~~~~
//~     note: The declaration is float lerp(float a, float b, float t).
//--- too many arguments
__device__ float square(float v) { return v * v; }
__global__ void k(float *data)
{
    data[0] = square(data[1], 2);
}
//~ kernel.cu:4:15: error: `square` takes 1 argument, not 2.
//~         data[0] = square(data[1], 2);
//~                   ^~~~~~~~~~~~~~~~~~
//~     note: The declaration is float square(float v).
//--- too few arguments of an intrinsic
__global__ void k(float *data)
{
    data[0] = fmaf(data[1], data[2]);
}
//~ kernel.cu:3:15: error: `fmaf` takes 3 arguments, not 2.
//~         data[0] = fmaf(data[1], data[2]);
//~                   ^~~~~~~~~~~~~~~~~~~~~~
//--- too many arguments of an intrinsic
__global__ void k(float *data)
{
    data[0] = sqrtf(data[1], 2.0f);
}
//~ kernel.cu:3:15: error: `sqrtf` takes 1 argument, not 2.
//~         data[0] = sqrtf(data[1], 2.0f);
//~                   ^~~~~~~~~~~~~~~~~~~~
//--- wrong kind of argument
__device__ float norm(const float *v, int n) { return v[0] * n; }
__global__ void k(float *data, int n)
{
    data[0] = norm(n, data);
}
//~ kernel.cu:4:20: error: A value of type `int` cannot be used as `const float *` in an argument of `norm`.
//~         data[0] = norm(n, data);
//~                        ^
//~     note: The declaration is float norm(const float * v, int n).
//--- value for a pointer argument
__device__ void clear(float *p) { *p = 0; }
__global__ void k(float *data)
{
    clear(data[threadIdx.x]);
}
//~ kernel.cu:4:11: error: A value of type `float` cannot be used as `float *` in an argument of `clear`.
//~         clear(data[threadIdx.x]);
//~               ^~~~~~~~~~~~~~~~~
//~     note: Write `&` before it to use its address.
//~     note: The declaration is void clear(float * p).
//--- pointer for a value argument
__device__ float square(float v) { return v * v; }
__global__ void k(float *data)
{
    data[0] = square(data);
}
//~ kernel.cu:4:22: error: A value of type `float *` cannot be used as `float` in an argument of `square`.
//~         data[0] = square(data);
//~                          ^~~~
//~     note: Dereference the pointer: write `*` before it.
//~     note: The declaration is float square(float v).
//--- pointer as an argument of sqrtf
__global__ void k(float *data)
{
    data[0] = sqrtf(data);
}
//~ kernel.cu:3:21: error: A value of type `float *` cannot be used as `float` in an argument of `sqrtf`.
//~         data[0] = sqrtf(data);
//~                         ^~~~
//~     note: Dereference the pointer: write `*` before it.
//--- const pointer as an argument
__device__ void clear(float *p) { *p = 0; }
__global__ void k(const float *in)
{
    clear(in);
}
//~ kernel.cu:4:11: error: A value of type `const float *` cannot be used as `float *` in an argument of `clear`.
//~         clear(in);
//~               ^~
//~     note: This pointer points to const memory; declare the target as a pointer to const.
//~     note: The declaration is void clear(float * p).
//--- reference to a value
__device__ void add_to(int &sum, int v) { sum += v; }
__global__ void k(int *data)
{
    add_to(0, data[0]);
}
//~ kernel.cu:4:12: error: A reference to `int` must be initialized with an lvalue of this type, not a temporary value.
//~         add_to(0, data[0]);
//~                ^
//--- reference to another type
__device__ void add_to(int &sum, int v) { sum += v; }
__global__ void k(float *data)
{
    add_to(data[0], 1);
}
//~ kernel.cu:4:12: error: A reference to `int` must be initialized with an lvalue of this type, not of type `float`.
//~         add_to(data[0], 1);
//~                ^~~~~~~
//--- const variable for a reference
__device__ void increment(int &v) { v++; }
__global__ void k(int *data)
{
    const int n = 3;
    increment(n);
    data[0] = n;
}
//~ kernel.cu:5:15: error: A non-const reference cannot be bound to a const object; declare the reference const.
//~         increment(n);
//~                   ^
//--- value of a void function
__device__ void clear(int *p) { *p = 0; }
__global__ void k(int *data)
{
    int v = clear(data);
    data[1] = v;
}
//~ kernel.cu:4:13: error: This expression has no value (its type is `void`), but `int` is needed in the initializer of this variable.
//~         int v = clear(data);
//~                 ^~~~~~~~~~~
//--- value of a void function as an argument
__device__ void clear(int *p) { *p = 0; }
__device__ int twice(int v) { return 2 * v; }
__global__ void k(int *data)
{
    data[1] = twice(clear(data));
}
//~ kernel.cu:5:21: error: This expression has no value (its type is `void`), but `int` is needed in an argument of `twice`.
//~         data[1] = twice(clear(data));
//~                         ^~~~~~~~~~~
//~     note: The declaration is int twice(int v).
//--- value of syncthreads
__global__ void k(int *data)
{
    data[0] = __syncthreads();
}
//~ kernel.cu:3:15: error: This expression has no value (its type is `void`), but `int` is needed in this assignment.
//~         data[0] = __syncthreads();
//~                   ^~~~~~~~~~~~~~~
//--- function without its parentheses
__device__ int answer() { return 42; }
__global__ void k(int *data)
{
    data[0] = answer;
}
//~ kernel.cu:4:15: error: `answer` is a function; call it with `answer(…)`.
//~         data[0] = answer;
//~                   ^~~~~~
//--- variable called
__global__ void k(int *data, int n)
{
    data[0] = n(3);
}
//~ kernel.cu:3:15: error: `n` is a variable and cannot be called.
//~         data[0] = n(3);
//~                   ^
//--- member of a number
__global__ void k(int *data, int n)
{
    data[0] = n.x;
}
//~ kernel.cu:3:17: error: A value of type `int` has no members.
//~         data[0] = n.x;
//~                     ^
//--- unknown member
struct Body { float mass; float3 position; };
__global__ void k(Body *bodies)
{
    bodies[0].weight = 1.0f;
}
//~ kernel.cu:4:15: error: `Body` has no member `weight`; it has mass, position.
//~         bodies[0].weight = 1.0f;
//~                   ^~~~~~
//--- misspelled member
struct Body { float mass; float3 position; };
__global__ void k(Body *bodies)
{
    bodies[0].positon.x = 1.0f;
}
//~ kernel.cu:4:15: error: `Body` has no member `positon`; did you mean `position`?
//~         bodies[0].positon.x = 1.0f;
//~                   ^~~~~~~
//~     help: write `position`
//--- color of a vector
__global__ void k(uchar4 *pixels)
{
    pixels[threadIdx.x].r = 255;
}
//~ kernel.cu:3:25: error: `uchar4` has no member `r`; it has x, y, z, w.
//~         pixels[threadIdx.x].r = 255;
//~                             ^
//--- fourth member of float3
__global__ void k(float3 *points)
{
    points[threadIdx.x].w = 1.0f;
}
//~ kernel.cu:3:25: error: `float3` has no member `w`; it has x, y, z.
//~         points[threadIdx.x].w = 1.0f;
//~                             ^
//--- vector from one value
__global__ void k(float4 *out)
{
    out[threadIdx.x] = 1.0f;
}
//~ kernel.cu:3:24: error: A value of type `float` cannot be used as `float4` in this assignment.
//~         out[threadIdx.x] = 1.0f;
//~                            ^~~~
//~     note: Write `make_float4(x, y, z, w)`.
//--- sum of vectors
__global__ void add(const float4 *a, const float4 *b, float4 *c)
{
    int i = threadIdx.x;
    c[i] = a[i] + b[i];
}
//~ kernel.cu:4:12: error: No operator `+` matches the operand types `float4` and `float4`; work on the members one by one, or define `operator+`.
//~         c[i] = a[i] + b[i];
//~                ^~~~~~~~~~~
//~     note: The header helper_math.h of the CUDA samples defines this operator: write `#include "helper_math.h"`.
//--- vector times a number
__global__ void k(float3 *v)
{
    v[threadIdx.x] *= 2.0f;
}
//~ kernel.cu:3:5: error: No operator `*` matches the operand types `float3` and `float`; work on the members one by one, or define `operator*`.
//~         v[threadIdx.x] *= 2.0f;
//~         ^~~~~~~~~~~~~~~~~~~~~~
//~     note: The header helper_math.h of the CUDA samples defines this operator: write `#include "helper_math.h"`.
//--- vector to a number
__global__ void k(const float4 *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}
//~ kernel.cu:3:24: error: A value of type `float4` cannot be used as `float` in this assignment.
//~         out[threadIdx.x] = in[threadIdx.x];
//~                            ^~~~~~~~~~~~~~~
//--- vector compared
__global__ void k(const int2 *in, int *out)
{
    out[0] = in[0] == in[1];
}
//~ kernel.cu:3:14: error: No operator `==` matches the operand types `int2` and `int2`; work on the members one by one, or define `operator==`.
//~         out[0] = in[0] == in[1];
//~                  ^~~~~~~~~~~~~~
//--- vector made with too few values
__global__ void k(float4 *out)
{
    out[0] = make_float4(1.0f, 2.0f, 3.0f);
}
//~ kernel.cu:3:14: error: `make_float4` takes 4 arguments, not 3.
//~         out[0] = make_float4(1.0f, 2.0f, 3.0f);
//~                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- constructor of a vector
__global__ void k(float4 *out)
{
    out[0] = float4(1.0f, 2.0f, 3.0f, 4.0f);
}
//~ kernel.cu:3:14: error: `float4` has no constructor; write `make_float4(…)`.
//~         out[0] = float4(1.0f, 2.0f, 3.0f, 4.0f);
//~                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- struct as a condition
struct Flag { bool is_set; };
__global__ void k(Flag *flags, int *out)
{
    if (flags[0])
        out[0] = 1;
}
//~ kernel.cu:4:9: error: A value of type `Flag` cannot be converted to `bool` for a condition.
//~         if (flags[0])
//~             ^~~~~~~~
//--- structs of different types
struct A { float x; };
struct B { float x; };
__global__ void k(A *a, B *b)
{
    a[0] = b[0];
}
//~ kernel.cu:5:12: error: A value of type `B` cannot be used as `A` in this assignment.
//~         a[0] = b[0];
//~                ^~~~
//--- struct cast to a number
struct A { float x; };
__global__ void k(A *a, float *out)
{
    out[0] = (float)a[0];
}
//~ kernel.cu:4:21: error: A value of type `A` cannot be used as `float` here.
//~         out[0] = (float)a[0];
//~                         ^~~~
//--- not of a struct
struct A { float x; };
__global__ void k(A *a, float *out)
{
    out[0] = !a[0];
}
//~ kernel.cu:4:15: error: A value of type `A` cannot be converted to `bool` for a condition.
//~         out[0] = !a[0];
//~                   ^~~~
//--- too many values for a struct
struct Range { int first, last; };
__global__ void k(Range *ranges)
{
    Range r = {0, 1, 2};
    ranges[0] = r;
}
//~ kernel.cu:4:22: error: `Range` has 2 members; the list has 3.
//~         Range r = {0, 1, 2};
//~                          ^
//--- text for a number
__global__ void k(int *data)
{
    int n = "32";
    data[0] = n;
}
//~ kernel.cu:3:13: error: A value of type `const char *` cannot be used as `int` in the initializer of this variable.
//~         int n = "32";
//~                 ^~~~
//--- null for a number
__global__ void k(int *data)
{
    int n = nullptr;
    data[0] = n;
}
//~ kernel.cu:3:13: error: A value of type `void *` cannot be used as `int` in the initializer of this variable.
//~         int n = nullptr;
//~                 ^~~~~~~
//--- unknown type of a parameter
__global__ void k(uint8 *data)
{
    data[0] = 1;
}
//~ kernel.cu:1:19: error: The type `uint8` is not declared; did you mean `unsigned char`?
//~     __global__ void k(uint8 *data)
//~                       ^~~~~
//~     help: write `unsigned char`
//--- unknown type in a cast
__global__ void k(float *data, int n)
{
    if (n > 0)
        data[0] = (fp)n * 2;
    else
        data[0] = 0;
}
//~ kernel.cu:4:20: error: The type `fp` is not declared.
//~             data[0] = (fp)n * 2;
//~                        ^~
//--- unknown type of a variable
__global__ void k(float *data)
{
    real x = data[0];
    x = x * 2;
    data[0] = x;
}
//~ kernel.cu:3:5: error: The type `real` is not declared.
//~         real x = data[0];
//~         ^~~~
//--- misspelled types, messages: 2
__global__ void k(float *data)
{
    flaot x = data[0];
    unsinged n = 2;
    data[0] = x * n;
}
//~ kernel.cu:3:5: error: The type `flaot` is not declared; did you mean `float`?
//~         flaot x = data[0];
//~         ^~~~~
//~     help: write `float`
//~ kernel.cu:4:5: error: The type `unsinged` is not declared; did you mean `unsigned`?
//~         unsinged n = 2;
//~         ^~~~~~~~
//~     help: write `unsigned`
//--- unsigned float
__global__ void k(float *data)
{
    unsigned float x = data[0];
    data[0] = x;
}
//~ kernel.cu:3:5: error: `unsigned float` is not a type.
//~         unsigned float x = data[0];
//~         ^~~~~~~~~~~~~~
//--- incomplete type
struct Node;
__global__ void k(Node *nodes, int *out)
{
    out[0] = nodes[0].value;
}
//~ kernel.cu:4:14: error: This expression must be a pointer to a complete object type, not to `void` or an incomplete type.
//~         out[0] = nodes[0].value;
//~                  ^~~~~
//--- size of an incomplete type
struct Node;
__global__ void k(Node *nodes, int *out)
{
    out[0] = sizeof(Node);
}
//~ kernel.cu:4:21: error: `Node` is an incomplete type here; define it before this line.
//~         out[0] = sizeof(Node);
//~                         ^~~~
//--- struct that contains itself
struct Node { int value; Node next; };
__global__ void k(Node *nodes) { nodes[0].value = 1; }
//~ kernel.cu:1:31: error: `Node` is an incomplete type here, so a member cannot have it; use a pointer.
//~     struct Node { int value; Node next; };
//~                                   ^~~~
//--- enumerator without its enum
enum class Mode { fast, exact };
__global__ void k(int *data, Mode mode)
{
    data[0] = mode == exact;
}
//~ kernel.cu:4:23: error: The variable `exact` is not declared; did you mean `Mode::exact`?
//~         data[0] = mode == exact;
//~                           ^~~~~
//~     help: write `Mode::exact`
//--- auto without an initializer
__global__ void k(int *data)
{
    auto v;
    v = data[0];
}
//~ kernel.cu:3:5: error: An `auto` variable requires an initializer.
//~         auto v;
//~         ^~~~
//--- pointer cast to a float
__global__ void k(float *data)
{
    data[0] = (float)data;
}
//~ kernel.cu:3:15: error: A value of type `float *` cannot be converted to `float`.
//~         data[0] = (float)data;
//~                   ^~~~~~~~~~~
//--- static_cast between pointers
__global__ void k(float *data)
{
    int *bits = static_cast<int *>(data);
    bits[0] = 0;
}
//~ kernel.cu:3:17: error: `static_cast` does not convert these pointers; use `reinterpret_cast`.
//~         int *bits = static_cast<int *>(data);
//~                     ^~~~~~~~~~~~~~~~~~~~~~~~
//--- cast that drops const
__global__ void k(const float *data)
{
    float *p = static_cast<float *>(data);
    p[0] = 0;
}
//~ kernel.cu:3:16: error: `static_cast` cannot remove const; use `const_cast`.
//~         float *p = static_cast<float *>(data);
//~                    ^~~~~~~~~~~~~~~~~~~~~~~~~~
//--- selection of different types
__global__ void k(float *data, int *other)
{
    float v = threadIdx.x < 16 ? data : other[0];
    data[0] = v;
}
//~ kernel.cu:3:15: error: The operand types of `?:` are incompatible: `float *` and `int`.
//~         float v = threadIdx.x < 16 ? data : other[0];
//~                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- a scoped enum as an integer
enum class Color { Red, Green };
__global__ void k(int *out) {
    out[threadIdx.x] = Color::Green;
}
//~ kernel.cu:3:24: error: A value of type `Color` cannot be used as `int` in this assignment.
//~         out[threadIdx.x] = Color::Green;
//~                            ^~~~~~~~~~~~
//~     note: A scoped enum does not convert implicitly; write `static_cast<int>(…)`.
//--- an integer as a scoped enum
enum class Color { Red, Green };
__global__ void k(int *out) {
    Color color = out[0];
    out[threadIdx.x] = color == Color::Red;
}
//~ kernel.cu:3:19: error: A value of type `int` cannot be used as `Color` in the initializer of this variable.
//~         Color color = out[0];
//~                       ^~~~~~
//~     note: Write `static_cast<Color>(…)`.
//--- arithmetic on a scoped enum
enum class Color { Red, Green };
__global__ void k(int *out) {
    out[threadIdx.x] = out[0] + Color::Green;
}
//~ kernel.cu:3:24: error: No operator `+` matches the operand types `int` and `Color`.
//~         out[threadIdx.x] = out[0] + Color::Green;
//~                            ^~~~~~~~~~~~~~~~~~~~~
//~     note: A scoped enum does not convert implicitly; write `static_cast<int>(…)`.
//--- two scoped enums compared
enum class Color { Red, Green };
enum class Fruit { Apple };
__global__ void k(int *out) {
    out[threadIdx.x] = Color::Red == Fruit::Apple;
}
//~ kernel.cu:4:24: error: `==` cannot compare `Color` with `Fruit`.
//~         out[threadIdx.x] = Color::Red == Fruit::Apple;
//~                            ^~~~~~~~~~~~~~~~~~~~~~~~~~
//~     note: A scoped enum does not convert implicitly; write `static_cast<int>(…)`.
//--- a scoped enum as an index
enum class Color { Red, Green };
__global__ void k(int *out) {
    out[Color::Green] = 1;
}
//~ kernel.cu:3:9: error: An index must be an integer; this is `Color`. Write `static_cast<int>(Color::Green)`.
//~         out[Color::Green] = 1;
//~             ^~~~~~~~~~~~
//--- a scoped enum as a condition
enum class Color { Red, Green };
__global__ void k(int *out, Color color) {
    if (color) out[threadIdx.x] = 1;
}
//~ kernel.cu:3:9: error: A value of type `Color` cannot be converted to `bool` for a condition.
//~         if (color) out[threadIdx.x] = 1;
//~             ^~~~~
//~     note: Compare the value with an enumerator.
//--- a case of another type
enum class Color { Red, Green };
__global__ void k(int *out, Color color) {
    switch (color) {
        case 1: out[threadIdx.x] = 1;
    }
}
//~ kernel.cu:4:14: error: This case has the type `int`; the `switch` is over `Color`.
//~             case 1: out[threadIdx.x] = 1;
//~                  ^
//~     note: Name a value of `Color`, or convert it with `static_cast<Color>(…)`.
//--- using enum of something else
struct Color { int red; };
__global__ void k(int *out) {
    using enum Color;
    out[threadIdx.x] = 1;
}
//~ kernel.cu:3:16: error: `Color` is not an enum that is declared here.
//~         using enum Color;
//~                    ^~~~~
//--- wide string in an array of char
__global__ void k(int *out)
{
    char text[] = L"abc";
    out[0] = text[0];
}
//~ kernel.cu:3:19: error: The characters of this string are `int`; they cannot initialize an array of `char`.
//~         char text[] = L"abc";
//~                       ^~~~~~
//--- neighboring strings with two prefixes
__global__ void k(int *out)
{
    out[0] = (L"abc" u"d")[0];
}
//~ kernel.cu:3:22: error: Adjacent strings have the prefixes `L` and `u`; give both the same prefix.
//~         out[0] = (L"abc" u"d")[0];
//~                          ^~~~
//--- wide string as a pointer to char
__device__ int first(const char *text) { return text[0]; }
__global__ void k(int *out)
{
    out[0] = first(U"abc");
}
//~ kernel.cu:4:20: error: A value of type `const unsigned int *` cannot be used as `const char *` in an argument of `first`.
//~         out[0] = first(U"abc");
//~                        ^~~~~~
//~     note: To read the same memory as another type, write `(const char *)` before it.
//~     note: The declaration is int first(const char * text).
//--- wide string that does not fit
__global__ void k(int *out)
{
    char32_t text[3] = U"abc";
    out[0] = text[0];
}
//~ kernel.cu:3:24: error: This string does not fit into its array.
//~         char32_t text[3] = U"abc";
//~                            ^~~~~~
