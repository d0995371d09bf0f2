//--- argument that cannot be deduced
template <typename T> __device__ T zero() { return T(0); }
__global__ void k(float *out) { out[0] = zero(); }
//~ kernel.cu:2:42: error: `T` of the template `zero` cannot be deduced from the arguments; write `zero<…>(…)`.
//~     __global__ void k(float *out) { out[0] = zero(); }
//~                                              ^~~~~~
//~ kernel.cu:1:36: note: Declared here.
//~     template <typename T> __device__ T zero() { return T(0); }
//~                                        ^~~~
//--- argument deduced twice
template <typename T> __device__ T larger(T a, T b) { return a > b ? a : b; }
__global__ void k(float *out, int n) { out[0] = larger(out[1], n); }
//~ kernel.cu:2:49: error: `T` of the template `larger` is deduced as both `float` and `int`; convert one of the arguments.
//~     __global__ void k(float *out, int n) { out[0] = larger(out[1], n); }
//~                                                     ^~~~~~~~~~~~~~~~~
//~ kernel.cu:1:36: note: Declared here.
//~     template <typename T> __device__ T larger(T a, T b) { return a > b ? a : b; }
//~                                        ^~~~~~
//--- number that cannot be deduced
template <int N> __device__ float power(float v)
{
    float p = 1;
    for (int i = 0; i < N; i++) p *= v;
    return p;
}
__global__ void k(float *out) { out[0] = power(2.0f); }
//~ kernel.cu:7:42: error: `N` of the template `power` cannot be deduced from the arguments; write `power<…>(…)`.
//~     __global__ void k(float *out) { out[0] = power(2.0f); }
//~                                              ^~~~~~~~~~~
//~ kernel.cu:1:35: note: Declared here.
//~     template <int N> __device__ float power(float v)
//~                                       ^~~~~
//--- template argument from a variable
template <int N> __device__ float times(float v) { return N * v; }
__global__ void k(float *out, int n) { out[0] = times<n>(out[0]); }
//~ kernel.cu:2:55: error: A template argument must be a constant expression.
//~     __global__ void k(float *out, int n) { out[0] = times<n>(out[0]); }
//~                                                           ^
//--- type for a number
template <int N> __device__ float times(float v) { return N * v; }
__global__ void k(float *out) { out[0] = times<float>(out[0]); }
//~ kernel.cu:2:42: error: The template arguments do not match `times`.
//~     __global__ void k(float *out) { out[0] = times<float>(out[0]); }
//~                                              ^~~~~~~~~~~~~~~~~~~~
//~ kernel.cu:1:35: note: Declared here.
//~     template <int N> __device__ float times(float v) { return N * v; }
//~                                       ^~~~~
//--- number for a type
template <typename T> __device__ T twice(T v) { return 2 * v; }
__global__ void k(float *out) { out[0] = twice<2>(out[0]); }
//~ kernel.cu:2:42: error: The template arguments do not match `twice`.
//~     __global__ void k(float *out) { out[0] = twice<2>(out[0]); }
//~                                              ^~~~~~~~~~~~~~~~
//~ kernel.cu:1:36: note: Declared here.
//~     template <typename T> __device__ T twice(T v) { return 2 * v; }
//~                                        ^~~~~
//--- too many template arguments
template <typename T> __device__ T twice(T v) { return 2 * v; }
__global__ void k(float *out) { out[0] = twice<float, int>(out[0]); }
//~ kernel.cu:2:42: error: The template arguments do not match `twice`.
//~     __global__ void k(float *out) { out[0] = twice<float, int>(out[0]); }
//~                                              ^~~~~~~~~~~~~~~~~~~~~~~~~
//~ kernel.cu:1:36: note: Declared here.
//~     template <typename T> __device__ T twice(T v) { return 2 * v; }
//~                                        ^~~~~
//--- class template without arguments
template <typename T> struct Box { T value; };
__global__ void k(float *out)
{
    Box box;
    box.value = 1;
    out[0] = box.value;
}
//~ kernel.cu:4:5: error: `Box` is a template without its arguments; write `Box<…>`.
//~         Box box;
//~         ^~~
//--- too few arguments of a class template
template <typename T, int N> struct Row { T values[N]; };
__global__ void k(float *out)
{
    Row<float> row;
    row.values[0] = 1;
    out[0] = row.values[0];
}
//~ kernel.cu:4:5: error: These template arguments do not match `Row`.
//~         Row<float> row;
//~         ^~~
//--- size of an array from an argument
template <typename T, int N> struct Row { T values[N]; };
__global__ void k(float *out, int n)
{
    Row<float, n> row;
    row.values[0] = 1;
    out[0] = row.values[0];
}
//~ kernel.cu:4:16: error: A template argument must be a constant expression.
//~         Row<float, n> row;
//~                    ^
//--- unknown member type
template <typename T> struct Traits { typedef T type; };
__global__ void k(float *out)
{
    Traits<float>::value_type w = out[0];
    out[0] = w;
}
//~ kernel.cu:4:20: error: `Traits<float>` has no type `value_type`.
//~         Traits<float>::value_type w = out[0];
//~                        ^~~~~~~~~~
//--- template parameter not declared
template <typename T> __device__ U twice(T v) { return 2 * v; }
__global__ void k(float *out) { out[0] = twice(out[0]); }
//~ kernel.cu:2:42: error: No instance of function template `twice` matches the argument list.
//~     __global__ void k(float *out) { out[0] = twice(out[0]); }
//~                                              ^~~~~~~~~~~~~
//~ kernel.cu:1:36: note: Declared here.
//~     template <typename T> __device__ U twice(T v) { return 2 * v; }
//~                                        ^~~~~
//--- template header missing
__device__ T twice(T v) { return 2 * v; }
__global__ void k(float *out) { out[0] = twice(out[0]); }
//~ kernel.cu:1:12: error: The type `T` is not declared.
//~     __device__ T twice(T v) { return 2 * v; }
//~                ^
//--- operator that the type lacks
struct Pair { int a, b; };
template <typename T> __device__ T sum(T a, T b) { return a + b; }
__global__ void k(Pair *p) { p[0] = sum(p[1], p[2]); }
//~ kernel.cu:2:59: error: No operator `+` matches the operand types `Pair` and `Pair`; work on the members one by one, or define `operator+`.
//~     template <typename T> __device__ T sum(T a, T b) { return a + b; }
//~                                                               ^~~~~
//~     note: Detected during instantiation of `sum<Pair>`.
//--- member that the type lacks
template <typename T> __device__ float length(const T &v) { return sqrtf(v.x * v.x + v.y * v.y); }
__global__ void k(float *out) { out[0] = length(out[1]); }
//~ kernel.cu:1:76: error: A value of type `float` has no members.
//~     template <typename T> __device__ float length(const T &v) { return sqrtf(v.x * v.x + v.y * v.y); }
//~                                                                                ^
//~     note: Detected during instantiation of `length<float>`.
//--- undeclared name in a template
template <typename T> __device__ T twice(T v) { return factor * v; }
__global__ void k(float *out) { out[0] = twice(out[0]); }
//~ kernel.cu:1:56: error: The variable `factor` is not declared.
//~     template <typename T> __device__ T twice(T v) { return factor * v; }
//~                                                            ^~~~~~
//~     note: Declare it with its type before this line, or make it a parameter.
//~     note: Detected during instantiation of `twice<float>`.
//--- closing angle bracket
template <typename T> struct Box { T value; };
__global__ void k(float *out)
{
    Box<float box;
    box.value = 1;
    out[0] = box.value;
}
//~ kernel.cu:4:5: error: The template arguments of `Box` have no closing `>`.
//~         Box<float box;
//~         ^~~
//--- template parameter list not closed
template <typename T __device__ T twice(T v) { return 2 * v; }
__global__ void k(float *out) { out[0] = twice(out[0]); }
//~ kernel.cu:1:22: error: Expected `>` after the template parameters, not `__device__`.
//~     template <typename T __device__ T twice(T v) { return 2 * v; }
//~                          ^~~~~~~~~~
//--- specialization without a template
template <> __device__ float twice<float>(float v) { return 2 * v; }
__global__ void k(float *out) { out[0] = 1; }
//~ kernel.cu:1:30: error: There is no template `twice` for this specialization.
//~     template <> __device__ float twice<float>(float v) { return 2 * v; }
//~                                  ^~~~~
//--- static_assert
template <int N> __device__ int half_of()
{
    static_assert(N % 2 == 0, "N must be even");
    return N / 2;
}
__global__ void k(int *out) { out[0] = half_of<3>(); }
//~ kernel.cu:3:19: error: static_assert failed: N must be even
//~         static_assert(N % 2 == 0, "N must be even");
//~                       ^~~~~~~~~~
//~     note: Detected during instantiation of `half_of<3>`.
//--- template without an end
template <int N> __device__ int sum() { return N + sum<N - 1>(); }
__global__ void k(int *out) { out[0] = sum<4>(); }
//~ kernel.cu:1:52: error: There are more than 2000 template instances: excessive recursion at instantiation of `sum`.
//~     template <int N> __device__ int sum() { return N + sum<N - 1>(); }
//~                                                        ^~~
//~     note: Detected during instantiation of `sum<-1995>`.
//--- template in a function
__global__ void k(int *out)
{
    template <typename T> T twice(T v) { return 2 * v; }
    out[0] = twice(1);
}
//~ kernel.cu:3:5: error: A template cannot be declared in a function; declare it outside.
//~         template <typename T> T twice(T v) { return 2 * v; }
//~         ^~~~~~~~
//--- kernel template of a type that it cannot take
template <typename T> __global__ void k(T *data) { data[threadIdx.x] %= 2; }
template __global__ void k<float>(float *);
//~ kernel.cu:1:52: error: No operator `%` matches the operand types `float` and `int`. Use `fmodf` for floating-point numbers.
//~     template <typename T> __global__ void k(T *data) { data[threadIdx.x] %= 2; }
//~                                                        ^~~~~~~~~~~~~~~~~~~~~~
//~     note: Detected during instantiation of `k<float>`.
//--- lambda that captures nothing
__global__ void k(int *out, int n)
{
    auto add = [](int v) { return v + n; };
    out[0] = add(1);
}
//~ kernel.cu:3:39: error: The variable `n` is not declared.
//~         auto add = [](int v) { return v + n; };
//~                                           ^
//~     note: A lambda can use a variable of the enclosing function only if it captures the variable: write `[=]` or `[&]`.
//--- lambda that captures a variable that is not there
__global__ void k(int *out)
{
    auto add = [m](int v) { return v + m; };
    out[0] = add(1);
}
//~ kernel.cu:3:17: error: The variable `m` is not declared.
//~         auto add = [m](int v) { return v + m; };
//~                     ^
//~     note: Declare it with its type before this line, or make it a parameter.
//--- lambda that changes a copy
__global__ void k(int *out)
{
    int total = 0;
    auto add = [total](int v) { total += v; };
    add(out[1]);
    out[0] = total;
}
//~ kernel.cu:4:33: error: `total` is const here and cannot be modified; capture it by reference, or declare the lambda `mutable`.
//~         auto add = [total](int v) { total += v; };
//~                                     ^~~~~
//--- lambda with a wrong number of arguments
__global__ void k(int *out)
{
    auto add = [](int a, int b) { return a + b; };
    out[0] = add(1);
}
//~ kernel.cu:4:14: error: `operator()` takes 2 arguments, not 1.
//~         out[0] = add(1);
//~                  ^~~~~~
//~     note: The declaration is auto operator()(int a, int b).
//--- lambda without a body
__global__ void k(int *out)
{
    auto add = [](int a, int b);
    out[0] = add(1, 2);
}
//~ kernel.cu:3:18: error: A lambda needs a body in braces.
//~         auto add = [](int a, int b);
//~                      ^
//--- constexpr from a variable
__global__ void k(int *out, int n)
{
    constexpr int size = 2 * n;
    out[0] = size;
}
//~ kernel.cu:3:19: error: The initializer of `size` must be a constant expression.
//~         constexpr int size = 2 * n;
//~                       ^~~~
//--- class template whose arguments its values do not give
template <typename T, int N> struct Row { T cells[4]; __device__ Row(T first) { cells[0] = first; } };
__global__ void k(float *out)
{
    Row row(2.0f);
    out[0] = row.cells[0];
}
//~ kernel.cu:4:5: error: The template arguments of `Row` cannot be deduced from these values; write `Row<…>`.
//~         Row row(2.0f);
//~         ^~~
//--- name that a launch uses as a template argument and nothing declares
template <typename T> __global__ void k(T *out) { out[0] = T(1); }
int main() { float *p; cudaMalloc(&p, 128); k<nosuch><<<1, 32>>>(p); }
//~ kernel.cu:2:47: error: `nosuch` is not declared; a template argument of a launch is a type or a constant.
//~     int main() { float *p; cudaMalloc(&p, 128); k<nosuch><<<1, 32>>>(p); }
//~                                                   ^~~~~~
//--- deduction guide that returns another class
template <typename T> struct Cell { T value; __device__ Cell(T v) : value(v) {} };
template <typename T> struct Other { T value; };
template <typename T> Cell(T, T) -> Other<T>;
__global__ void k(float *out)
{
    Cell cell(2.0f);
    out[0] = cell.value;
}
//~ kernel.cu:3:37: error: The type after `->` of a deduction guide must be an instance of `Cell`.
//~     template <typename T> Cell(T, T) -> Other<T>;
//~                                         ^~~~~~~~
//--- deduction guide with a body
template <typename T> struct Cell { T value; __device__ Cell(T v) : value(v) {} };
Cell(char) -> Cell<int> { return 1; }
__global__ void k(float *out)
{
    Cell cell(2.0f);
    out[0] = cell.value;
}
//~ kernel.cu:2:37: error: A deduction guide has no body; put a `;` after its type.
//~     Cell(char) -> Cell<int> { return 1; }
//~                                         ^
//--- explicit deduction guide for a copy
template <typename T> struct Cell { T value; template <typename U> __device__ Cell(U v) : value(v) {} };
explicit Cell(int) -> Cell<int>;
__global__ void k(int *out)
{
    Cell cell(1);
    Cell copy = 2;
    out[0] = cell.value + copy.value;
}
//~ kernel.cu:6:5: error: The template arguments of `Cell` cannot be deduced from these values; write `Cell<…>`.
//~         Cell copy = 2;
//~         ^~~~
//--- extended lambda that captures by reference, severity: mixed, messages: 2
template <typename F> __global__ void k(int *out, F f) { out[0] = f(1); }
int main()
{
    int *d, n = 3;
    cudaMalloc(&d, 128);
    k<<<1, 1>>>(d, [&n] __device__ (int i) { return i + n; });
}
//~ kernel.cu:1:39: warning: `k` is a template, and this file does not instantiate it.
//~     template <typename F> __global__ void k(int *out, F f) { out[0] = f(1); }
//~                                           ^
//~     note: Instantiate it with `template __global__ void name<…>(…);` after its definition.
//~ kernel.cu:6:21: error: An extended `__device__` lambda cannot capture by reference; capture a copy, as in `[=]`.
//~         k<<<1, 1>>>(d, [&n] __device__ (int i) { return i + n; });
//~                         ^
