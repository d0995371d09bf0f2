//--- semicolon after a declaration
__global__ void scale(float *data, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x
    data[i] *= factor;
}
//~ kernel.cu:3:49: error: Put a `;` after the declaration.
//~         int i = blockIdx.x * blockDim.x + threadIdx.x
//~                                                     ^
//--- semicolon after an assignment
__global__ void scale(float *data, float factor)
{
    int i = threadIdx.x;
    data[i] = data[i] * factor
}
//~ kernel.cu:4:30: error: Put a `;` after this expression.
//~         data[i] = data[i] * factor
//~                                  ^
//--- semicolon after a call
__global__ void reverse(int *data)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads()
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
//~ kernel.cu:5:19: error: Put a `;` after this expression.
//~         __syncthreads()
//~                       ^
//--- semicolon after return
__device__ int twice(int v)
{
    return 2 * v
}
__global__ void k(int *data) { data[threadIdx.x] = twice(data[threadIdx.x]); }
//~ kernel.cu:3:16: error: Put a `;` after `return`.
//~         return 2 * v
//~                    ^
//--- semicolon after do while
__global__ void k(int *data)
{
    int i = 0;
    do {
        data[i]++;
    } while (++i < 4)
    data[4] = i;
}
//~ kernel.cu:6:21: error: Put a `;` after `do … while (…)`.
//~         } while (++i < 4)
//~                         ^
//--- semicolon after a struct
struct Particle {
    float x, y;
    float mass;
}
__global__ void move(Particle *p) { p[threadIdx.x].x += 1.0f; }
//~ kernel.cu:4:1: error: Put a `;` after the `}` of this struct.
//~     }
//~     ^
//--- semicolon after a member
struct Particle {
    float x
    float y;
};
__global__ void move(Particle *p) { p[threadIdx.x].x += 1.0f; }
//~ kernel.cu:2:11: error: Put a `;` after the declaration.
//~         float x
//~               ^
//--- semicolon after break
__global__ void k(int *data, int mode)
{
    switch (mode) {
    case 0:
        data[threadIdx.x] = 1;
        break
    default:
        data[threadIdx.x] = 2;
    }
}
//~ kernel.cu:6:13: error: Put a `;` after `break`.
//~             break
//~                 ^
//--- semicolon after a shared array
__global__ void k(int *data)
{
    __shared__ int tile[32]
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[31 - threadIdx.x];
}
//~ kernel.cu:3:27: error: Put a `;` after the declaration.
//~         __shared__ int tile[32]
//~                               ^
//--- semicolon before else
__global__ void k(int *data)
{
    int i = threadIdx.x;
    if (i < 16)
        data[i] = 1
    else
        data[i] = 2;
}
//~ kernel.cu:5:19: error: Put a `;` after this expression.
//~             data[i] = 1
//~                       ^
//--- semicolon after the condition of if
__global__ void k(int *data)
{
    int i = threadIdx.x;
    if (i < 16);
        data[i] = 1;
    else
        data[i] = 2;
}
//~ kernel.cu:6:5: error: This `else` has no matching `if`.
//~         else
//~         ^~~~
//~ kernel.cu:4:16: note: This `;` is the whole body of the `if`; remove it.
//~         if (i < 16);
//~                    ^
//--- else without if
__global__ void k(int *data)
{
    int i = threadIdx.x;
    if (i < 16)
        data[i] = 1;
        data[i + 32] = 1;
    else
        data[i] = 2;
}
//~ kernel.cu:7:5: error: This `else` has no matching `if`.
//~         else
//~         ^~~~
//~     note: An `if` without braces has one statement; put several in `{ }`.
//--- else if as elif
__global__ void k(int *data)
{
    int i = threadIdx.x;
    if (i < 16) {
        data[i] = 1;
    } elif (i < 24) {
        data[i] = 2;
    }
}
//~ kernel.cu:6:7: error: `elif` is not a keyword of C++; write `else if`.
//~         } elif (i < 24) {
//~           ^~~~
//~     help: write `else if`
//--- closing brace of a function
__global__ void first(int *data)
{
    int i = threadIdx.x;
    if (i < 16) {
        data[i] = 1;

__global__ void second(int *data)
{
    data[threadIdx.x] = 2;
}
//~ kernel.cu:7:1: error: A `}` is missing before this: a block is still open.
//~     __global__ void second(int *data)
//~     ^~~~~~~~~~
//--- closing brace at the end
__global__ void k(int *data, int n)
{
    for (int i = 0; i < n; i++) {
        if (data[i] < 0) {
            data[i] = 0;
    }
}
//~ kernel.cu:8:1: error: A `}` is missing before this: a block is still open.
//~     
//~     ^
//--- one closing brace too many
__global__ void k(int *data, int n)
{
    if (threadIdx.x < n) {
        data[threadIdx.x] = 0;
    }
    }
}
//~ kernel.cu:7:1: error: This `}` has no matching `{`; remove it or add the `{`.
//~     }
//~     ^
//--- opening brace of a function
__global__ void k(int *data)
    data[threadIdx.x] = 0;
}
//~ kernel.cu:1:28: error: Put a `{` after the parameters, before the body of the function.
//~     __global__ void k(int *data)
//~                                ^
//--- closing parenthesis of a condition
__global__ void k(int *data, int n)
{
    if (threadIdx.x < n
        data[threadIdx.x] = 0;
}
//~ kernel.cu:3:23: error: Put a `)` after the condition.
//~         if (threadIdx.x < n
//~                           ^
//--- closing parenthesis of nested calls
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data[i] = sqrtf(fabsf(data[i]);
}
//~ kernel.cu:4:35: error: Expected `)` after the arguments, not `;`.
//~         data[i] = sqrtf(fabsf(data[i]);
//~                                       ^
//--- one closing parenthesis too many
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data[i] = sqrtf(fabsf(data[i])));
}
//~ kernel.cu:4:36: error: This `)` has no matching `(`; remove it.
//~         data[i] = sqrtf(fabsf(data[i])));
//~                                        ^
//--- closing bracket of an index
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data[i = data[i + 1];
}
//~ kernel.cu:4:25: error: Expected `]` after the index, not `;`.
//~         data[i = data[i + 1];
//~                             ^
//--- closing parenthesis of a cast
__global__ void k(float *data, int n)
{
    data[threadIdx.x] = (float n / 2;
}
//~ kernel.cu:3:32: error: Expected `)` after the type, not `n`.
//~         data[threadIdx.x] = (float n / 2;
//~                                    ^
//--- parenthesis for an index
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data(i) = 0.0f;
}
//~ kernel.cu:4:5: error: `data` is a variable and cannot be called; write `data[…]` for an element.
//~         data(i) = 0.0f;
//~         ^~~~
//--- comma between the parts of for
__global__ void sum(const int *in, int *out, int n)
{
    int total = 0;
    for (int i = 0, i < n, i++)
        total += in[i];
    out[0] = total;
}
//~ kernel.cu:4:19: error: Expected `;` between the parts of `for`, not `,`: `for (int i = 0; i < n; i++)`.
//~         for (int i = 0, i < n, i++)
//~                       ^
//--- two parts in for
__global__ void sum(const int *in, int *out, int n)
{
    int total = 0;
    for (int i = 0; i < n)
        total += in[i];
    out[0] = total;
}
//~ kernel.cu:4:26: error: `for` has two `;` in its parentheses: `for (int i = 0; i < n; i++)`.
//~         for (int i = 0; i < n)
//~                              ^
//--- type missing in for
__global__ void sum(const int *in, int *out, int n)
{
    int total = 0;
    for (i = 0; i < n; i++)
        total += in[i];
    out[0] = total;
}
//~ kernel.cu:4:10: error: The variable `i` is not declared.
//~         for (i = 0; i < n; i++)
//~              ^
//~     note: Declare it with its type before this line, or make it a parameter.
//--- for as in Python
__global__ void sum(const int *in, int *out, int n)
{
    int total = 0;
    for i in range(n):
        total += in[i];
    out[0] = total;
}
//~ kernel.cu:4:9: error: Expected `(` after `for`: write `for (int i = 0; i < n; i++)`, not `i`.
//~         for i in range(n):
//~             ^
//--- parentheses missing around a condition
__global__ void k(int *data, int n)
{
    int i = threadIdx.x;
    if i < n
        data[i] = 0;
}
//~ kernel.cu:4:8: error: Expected `(` after `if`, not `i`.
//~         if i < n
//~            ^
//--- comma missing between arguments
__global__ void k(float *data)
{
    int i = threadIdx.x;
    data[i] = fmaxf(data[i] 0.0f);
}
//~ kernel.cu:4:29: error: Expected `,` or `)` after this argument, not `0.0f`.
//~         data[i] = fmaxf(data[i] 0.0f);
//~                                 ^~~~
//--- comma missing between parameters
__global__ void add(const float *a const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = a[i] + b[i];
}
//~ kernel.cu:1:36: error: Expected `,` or `)` after this parameter, not `const`.
//~     __global__ void add(const float *a const float *b, float *c)
//~                                        ^~~~~
//--- comma after the last parameter
__global__ void add(const float *a, float *c,)
{
    c[threadIdx.x] = a[threadIdx.x];
}
//~ kernel.cu:1:46: error: Expected a parameter after `,`, not `)`.
//~     __global__ void add(const float *a, float *c,)
//~                                                  ^
//--- parameter without a type
__global__ void add(const float *a, float *c, n)
{
    if (threadIdx.x < n)
        c[threadIdx.x] = a[threadIdx.x];
}
//~ kernel.cu:1:47: error: The parameter `n` has no type; write one before it, such as `int n`.
//~     __global__ void add(const float *a, float *c, n)
//~                                                   ^
//--- closing parenthesis of the parameters
__global__ void add(const float *a, float *c
{
    c[threadIdx.x] = a[threadIdx.x];
}
//~ kernel.cu:1:44: error: Put a `)` after the parameters.
//~     __global__ void add(const float *a, float *c
//~                                                ^
//--- operand missing
__global__ void k(int *data)
{
    int i = threadIdx.x;
    data[i] = data[i] + ;
}
//~ kernel.cu:4:25: error: Expected an expression, not `;`.
//~         data[i] = data[i] + ;
//~                             ^
//--- operator missing
__global__ void k(int *data, int n)
{
    int i = threadIdx.x;
    data[i] = 2 n + 1;
}
//~ kernel.cu:4:17: error: Expected an operator or `;` after this expression, not `n`.
//~         data[i] = 2 n + 1;
//~                     ^
//--- quotes not closed
__global__ void k(int *data)
{
    printf("value %d\n, data[threadIdx.x]);
    data[0] = 1;
}
//~ kernel.cu:3:12: error: This string has no closing quote on its line.
//~         printf("value %d\n, data[threadIdx.x]);
//~                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- character in double quotes
__global__ void k(char *text)
{
    if (text[threadIdx.x] == "a")
        text[threadIdx.x] = 'b';
}
//~ kernel.cu:3:9: error: `==` cannot compare `char` with `const char *`.
//~         if (text[threadIdx.x] == "a")
//~             ^~~~~~~~~~~~~~~~~~~~~~~~
//--- string in single quotes
__global__ void k(int *data)
{
    printf('done\n');
    data[0] = 1;
}
//~ kernel.cu:3:12: error: 'done\n' is not a character.
//~         printf('done\n');
//~                ^~~~~~~~
//--- comment not closed
__global__ void k(int *data)
{
    int i = threadIdx.x; /* the thread's index
    data[i] = i;
}
//~ kernel.cu:3:26: error: This comment is not closed; end it with `*/`.
//~         int i = threadIdx.x; /* the thread's index
//~                              ^~
//--- arrow without a right side
__global__ void k(int *data)
{
    int i = = threadIdx.x;
    data[i] = i;
}
//~ kernel.cu:3:13: error: Expected an expression, not `=`.
//~         int i = = threadIdx.x;
//~                 ^
//--- less than and equal in the wrong order
__global__ void k(int *data, int n)
{
    int i = threadIdx.x;
    if (i =< n)
        data[i] = i;
}
//~ kernel.cu:4:11: error: `=<` is not an operator; write `<=`.
//~         if (i =< n)
//~               ^~
//--- not equal as in another language
__global__ void k(int *data, int n)
{
    int i = threadIdx.x;
    if (i <> n)
        data[i] = i;
}
//~ kernel.cu:4:11: error: `<>` is not an operator; write `!=`.
//~         if (i <> n)
//~               ^~
//--- power operator of Python
__global__ void k(int *data)
{
    int i = threadIdx.x;
    data[i] = i ** 2;
}
//~ kernel.cu:4:18: error: `*` needs a pointer; this is `int`.
//~         data[i] = i ** 2;
//~                      ^~~
//--- number with a comma
__global__ void k(float *data)
{
    float x = 1,5f;
    data[threadIdx.x] = x;
}
//~ kernel.cu:3:17: error: A number has a decimal point and no comma: write `1.5f`.
//~         float x = 1,5f;
//~                     ^~
//--- two points in a number
__global__ void k(float *data)
{
    data[threadIdx.x] = 1.2.3f;
}
//~ kernel.cu:3:25: error: `1.2.3f` is not a number.
//~         data[threadIdx.x] = 1.2.3f;
//~                             ^~~~~~
//--- float suffix on an integer
__global__ void k(float *data)
{
    data[threadIdx.x] *= 2f;
}
//~ kernel.cu:3:26: error: `2f` is not a number: the suffix f needs a decimal point, as in `2.0f`.
//~         data[threadIdx.x] *= 2f;
//~                              ^~
//--- octal number with an 8
__global__ void k(int *data)
{
    data[threadIdx.x] = 089;
}
//~ kernel.cu:3:25: error: `089` is not a number.
//~         data[threadIdx.x] = 089;
//~                             ^~~
//--- name begins with a digit
__global__ void k(float *data)
{
    float 2nd = data[1];
    data[0] = 2nd;
}
//~ kernel.cu:3:11: error: The name `2nd` begins with a digit; begin it with a letter.
//~         float 2nd = data[1];
//~               ^~~
//--- keyword as a name
__global__ void k(int *data)
{
    int default = 3;
    data[threadIdx.x] = default;
}
//~ kernel.cu:3:9: error: `default` is a keyword, so it cannot be a name.
//~         int default = 3;
//~             ^~~~~~~
//--- hyphen in a name
__global__ void k(int *data)
{
    int block-size = 32;
    data[threadIdx.x] = block-size;
}
//~ kernel.cu:3:9: error: A name has letters, digits, and `_`: write `block_size`.
//~         int block-size = 32;
//~             ^~~~~
//--- case outside of switch
__global__ void k(int *data, int mode)
{
    if (mode > 0) {
    case 1:
        data[threadIdx.x] = 1;
    }
}
//~ kernel.cu:4:5: error: A `case` label may only be used within a `switch`.
//~         case 1:
//~         ^~~~~~~
//--- case twice
__global__ void k(int *data, int mode)
{
    switch (mode) {
    case 1: data[threadIdx.x] = 1; break;
    case 2: data[threadIdx.x] = 2; break;
    case 1: data[threadIdx.x] = 3; break;
    }
}
//~ kernel.cu:3:19: error: The case label value 1 appears twice in this `switch`; remove one of the two.
//~         switch (mode) {
//~                       ^
//--- case of a variable
__global__ void k(int *data, int mode, int other)
{
    switch (mode) {
    case other: data[threadIdx.x] = 1; break;
    }
}
//~ kernel.cu:4:10: error: The value of a `case` label must be a constant expression.
//~         case other: data[threadIdx.x] = 1; break;
//~              ^~~~~
//--- colon missing after case
__global__ void k(int *data, int mode)
{
    switch (mode) {
    case 1 data[threadIdx.x] = 1; break;
    }
}
//~ kernel.cu:4:12: error: Expected `:` after the value of this case, not `data`.
//~         case 1 data[threadIdx.x] = 1; break;
//~                ^~~~
//--- switch on a floating number
__global__ void k(float *data)
{
    switch (data[threadIdx.x]) {
    case 1: data[threadIdx.x] = 2.0f; break;
    }
}
//~ kernel.cu:3:13: error: `switch` needs an integer, not `float`; compare with `if`, or convert the value.
//~         switch (data[threadIdx.x]) {
//~                 ^~~~~~~~~~~~~~~~~
//--- break outside of a loop
__global__ void k(int *data, int n)
{
    if (threadIdx.x >= n)
        break;
    data[threadIdx.x] = 1;
}
//~ kernel.cu:4:9: error: A `break` statement may only be used within a loop or `switch`; use `return` to leave the function.
//~             break;
//~             ^~~~~~
//--- continue outside of a loop
__global__ void k(int *data, int n)
{
    if (threadIdx.x >= n)
        continue;
    data[threadIdx.x] = 1;
}
//~ kernel.cu:4:9: error: A `continue` statement may only be used within a loop; use `return` to leave the function.
//~             continue;
//~             ^~~~~~~~~
//--- function in a function
__global__ void k(int *data)
{
    __device__ int twice(int v) { return 2 * v; }
    data[threadIdx.x] = twice(data[threadIdx.x]);
}
//~ kernel.cu:3:20: error: The function `twice` is defined inside another function; define it outside, or use a lambda.
//~         __device__ int twice(int v) { return 2 * v; }
//~                        ^~~~~
//--- statement outside of a function
__device__ int total;
total = 0;
__global__ void k(int *data) { data[0] = total; }
//~ kernel.cu:2:1: error: This statement is outside all functions; move it into a function.
//~     total = 0;
//~     ^~~~~
//--- array brackets before the name
__global__ void k(int *data)
{
    int[4] local;
    local[0] = data[0];
    data[1] = local[0];
}
//~ kernel.cu:3:12: error: The size of an array is written after its name: `local[…]`.
//~         int[4] local;
//~                ^~~~~
//--- launch brackets not closed
__device__ void child(int *data) { data[0] = 1; }
__global__ void k(int *data)
{
    child<<<1, 32>>(data);
}
//~ kernel.cu:4:10: error: Launches from kernels (dynamic parallelism) are not supported yet; launch the kernel from the host, or call a `__device__` function.
//~         child<<<1, 32>>(data);
//~              ^~~
//--- semicolon after the parameter list
__global__ void k(int *data);
{
    data[threadIdx.x] = 1;
}
//~ kernel.cu:1:29: error: This `;` ends the function's declaration, and the body below it belongs to no function; remove the `;`.
//~     __global__ void k(int *data);
//~                                 ^
//--- semicolon after a kernel in one line
void __global__ k(int *data) { data[0] = 1 }
//~ kernel.cu:1:42: error: Put a `;` after this expression.
//~     void __global__ k(int *data) { data[0] = 1 }
//~                                              ^
//--- ternary without a colon
__global__ void k(int *data)
{
    int i = threadIdx.x;
    data[i] = i < 16 ? 1;
}
//~ kernel.cu:4:25: error: Expected `:` in this conditional expression, not `;`.
//~         data[i] = i < 16 ? 1;
//~                             ^
//--- point for an arrow
struct Node { int value; Node *next; };
__global__ void k(Node *list)
{
    Node *node = list + threadIdx.x;
    node.value = 1;
}
//~ kernel.cu:5:10: error: This is a pointer; write `->` in place of `.`.
//~         node.value = 1;
//~              ^~~~~
//--- arrow for a point
struct Node { int value; };
__global__ void k(Node *list)
{
    Node node = list[0];
    node->value = 1;
    list[0] = node;
}
//~ kernel.cu:5:5: error: `->` needs a pointer, and this is a `Node`; write `.`.
//~         node->value = 1;
//~         ^~~~
