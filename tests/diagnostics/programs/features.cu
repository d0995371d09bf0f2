//--- pack without dots
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <typename... Ts> __device__ int twice(Ts... values) { return sum(values) * 2; }
__global__ void k(int *out) { out[0] = twice(1, 2, 3); }
//~ kernel.cu:2:75: error: `values` is a parameter pack; put `...` after the pattern that contains it.
//~     template <typename... Ts> __device__ int twice(Ts... values) { return sum(values) * 2; }
//~                                                                               ^~~~~~
//~     note: Detected during instantiation of `twice<int, int, int>`.
//--- dots without a pack
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <typename T> __device__ int twice(T value) { return sum(value...) * 2; }
__global__ void k(int *out) { out[0] = twice(1); }
//~ kernel.cu:2:66: error: `...` expands a pattern that contains no parameter pack.
//~     template <typename T> __device__ int twice(T value) { return sum(value...) * 2; }
//~                                                                      ^~~~~~~~
//~     note: Detected during instantiation of `twice<int>`.
//--- packs of different lengths
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <int... Is, typename... Ts> __device__ int weighted(Ts... values) { return sum(values * Is...); }
__global__ void k(int *out) { out[0] = weighted<1, 2>(1, 2, 3); }
//~ kernel.cu:2:89: error: `Is` has 2 elements and `values` has 3; packs that are expanded together must have the same length.
//~     template <int... Is, typename... Ts> __device__ int weighted(Ts... values) { return sum(values * Is...); }
//~                                                                                             ^~~~~~~~~~~~~~
//~     note: Detected during instantiation of `weighted<1, 2, int, int, int>`.
//--- sizeof of something that is no pack
template <typename T> __device__ int num(T value) { return sizeof...(value); }
__global__ void k(int *out) { out[0] = num(1); }
//~ kernel.cu:1:60: error: `...` expands a pattern that contains no parameter pack.
//~     template <typename T> __device__ int num(T value) { return sizeof...(value); }
//~                                                                ^~~~~~~~~~~~~~~~
//~     note: Detected during instantiation of `num<int>`.
//--- empty fold
template <typename... Ts> __device__ int sum(Ts... values) { return (... + values); }
__global__ void k(int *out) { out[0] = sum(); }
//~ kernel.cu:1:69: error: This pack is empty, and a fold expression with this operator then requires an initial value: `(… + ... + 0)`.
//~     template <typename... Ts> __device__ int sum(Ts... values) { return (... + values); }
//~                                                                         ^~~~~~~~~~~~~~
//~     note: Detected during instantiation of `sum<>`.
//--- two operators in a fold
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... - values); }
__global__ void k(int *out) { out[0] = sum(1, 2); }
//~ kernel.cu:1:78: error: Both operators of a fold expression are the same.
//~     template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... - values); }
//~                                                                                  ^
//--- fold of an operation
template <typename... Ts> __device__ int sum(Ts... values) { return (values * 2 + ...); }
__global__ void k(int *out) { out[0] = sum(1, 2); }
//~ kernel.cu:1:70: error: Put this operand of the fold expression in parentheses.
//~     template <typename... Ts> __device__ int sum(Ts... values) { return (values * 2 + ...); }
//~                                                                          ^~~~~~~~~~
//--- pack with a default
template <typename... Ts = int> __device__ int num() { return sizeof...(Ts); }
__global__ void k(int *out) { out[0] = 1; }
//~ kernel.cu:1:26: error: A parameter pack has no default argument; remove it.
//~     template <typename... Ts = int> __device__ int num() { return sizeof...(Ts); }
//~                              ^
//--- recursion over a pack without an end
template <typename... Ts> __device__ auto count(Ts... values) { return 1 + count(1, values...); }
__global__ void k(int *out) { out[0] = count(1); }
//~ kernel.cu:1:76: error: The return type of `count` is not known here; replace `auto` with the type.
//~     template <typename... Ts> __device__ auto count(Ts... values) { return 1 + count(1, values...); }
//~                                                                                ^~~~~~~~~~~~~~~~~~~
//~     note: Detected during instantiation of `count<int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int>`.
//--- class template that grows without an end
template <int N, int... Is> struct Grow { static const int value = Grow<N + 1, N, Is...>::value; };
__global__ void k(int *out) { out[0] = Grow<0>::value; }
//~ kernel.cu:2:49: error: The value of `Grow<0>::value` is not a constant expression.
//~     __global__ void k(int *out) { out[0] = Grow<0>::value; }
//~                                                     ^~~~~
//~ kernel.cu:1:60: note: Declared here.
//~     template <int N, int... Is> struct Grow { static const int value = Grow<N + 1, N, Is...>::value; };
//~                                                                ^~~~~
//--- range of a pointer
__global__ void k(float *values, float *out)
{
    for (float v : values) out[0] += v;
}
//~ kernel.cu:3:20: error: A pointer (`float *`) is not a range: its number of elements is unknown; loop with an index.
//~         for (float v : values) out[0] += v;
//~                        ^~~~~~
//--- range of a number
__global__ void k(int n, int *out)
{
    for (int i : n) out[i] = i;
}
//~ kernel.cu:3:18: error: `int` is not a range: it is not an array, and it has no `begin()` and `end()` that device code can call.
//~         for (int i : n) out[i] = i;
//~                      ^
//--- range without a declaration
__global__ void k(int *out)
{
    int values[3] = {1, 2, 3}, v;
    for (v : values) out[0] += v;
}
//~ kernel.cu:4:10: error: A loop over a range declares its variable: `for (auto value : values)`.
//~         for (v : values) out[0] += v;
//~              ^
//--- binding of too many names
struct Pair { int first, second; };
__global__ void k(Pair *p, int *out)
{
    auto [a, b, c] = p[0];
    out[0] = a + b + c;
}
//~ kernel.cu:4:10: error: `Pair` has 2 parts; this structured binding has 3 names.
//~         auto [a, b, c] = p[0];
//~              ^~~~~~~~~
//--- binding of a number
__global__ void k(int n, int *out)
{
    auto [a, b] = n;
    out[0] = a + b;
}
//~ kernel.cu:3:10: error: A structured binding cannot decompose a value of type `int`; use an array or a struct.
//~         auto [a, b] = n;
//~              ^~~~~~
//--- binding of private members
class Pair { int first, second; public: __device__ Pair() : first(1), second(2) {} };
__global__ void k(int *out)
{
    auto [a, b] = Pair();
    out[0] = a + b;
}
//~ kernel.cu:4:11: error: `first` is a private member of `Pair`; use a public member, or declare it after `public:`.
//~         auto [a, b] = Pair();
//~               ^
//--- write to a const binding
struct Pair { int first, second; };
__global__ void k(Pair *p)
{
    const auto &[a, b] = p[0];
    a = 1;
}
//~ kernel.cu:5:5: error: `a` is const and cannot be modified.
//~         a = 1;
//~         ^
//--- address of a bit-field
struct Flags { unsigned a : 3, b : 5; };
__global__ void k(Flags *f) { unsigned *p = &f->a; *p = 1; }
//~ kernel.cu:2:46: error: A bit-field has no address; copy it to a variable.
//~     __global__ void k(Flags *f) { unsigned *p = &f->a; *p = 1; }
//~                                                  ^~~~
//--- reference to a bit-field
struct Flags { unsigned a : 3, b : 5; };
__device__ void set(unsigned &v) { v = 1; }
__global__ void k(Flags *f) { set(f->a); }
//~ kernel.cu:3:35: error: A non-const reference cannot be bound to a bit-field; copy the bit-field to a variable.
//~     __global__ void k(Flags *f) { set(f->a); }
//~                                       ^~~~
//--- atomic on a bit-field
struct Flags { unsigned a : 3, b : 5; };
__global__ void k(Flags *f) { atomicAdd(&f->a, 1u); }
//~ kernel.cu:2:42: error: A bit-field has no address; copy it to a variable.
//~     __global__ void k(Flags *f) { atomicAdd(&f->a, 1u); }
//~                                              ^~~~
//--- bit-field that is too wide
struct Flags { unsigned a : 33; };
__global__ void k(Flags *f) { f->a = 1; }
//~ kernel.cu:1:29: error: This bit-field has 33 bits, and its type has only 32.
//~     struct Flags { unsigned a : 33; };
//~                                 ^~
//--- bit-field of a float
struct Flags { float a : 3; };
__global__ void k(Flags *f) { f->a = 1; }
//~ kernel.cu:1:26: error: A bit-field must have an integer type, not `float`.
//~     struct Flags { float a : 3; };
//~                              ^
//--- size of a bit-field
struct Flags { unsigned a : 3; };
__global__ void k(Flags *f, int *out) { out[0] = sizeof(f->a); }
//~ kernel.cu:2:50: error: `sizeof` may not be applied to a bit-field; apply it to the bit-field's type.
//~     __global__ void k(Flags *f, int *out) { out[0] = sizeof(f->a); }
//~                                                      ^~~~~~~~~~~~
//--- deleted copy
struct Guard {
    int *at;
    __device__ explicit Guard(int *p) : at(p) {}
    Guard(const Guard &) = delete;
};
__global__ void k(int *out)
{
    Guard a(out);
    Guard b = a;
    b.at[0] = 1;
}
//~ kernel.cu:9:15: error: This constructor of `Guard` cannot be referenced: it is a deleted function.
//~         Guard b = a;
//~                   ^
//~ kernel.cu:4:5: note: Deleted here.
//~         Guard(const Guard &) = delete;
//~         ^~~~~
//--- deleted function
__device__ int half_of(int v) { return v / 2; }
__device__ int half_of(float v) = delete;
__global__ void k(int *out) { out[0] = half_of(3.0f); }
//~ kernel.cu:3:40: error: `half_of` cannot be referenced with these arguments: it is a deleted function.
//~     __global__ void k(int *out) { out[0] = half_of(3.0f); }
//~                                            ^~~~~~~~~~~~~
//~ kernel.cu:2:16: note: Deleted here.
//~     __device__ int half_of(float v) = delete;
//~                    ^~~~~~~
//--- ambiguous call
__device__ int mean(int a, int b) { return (a + b) / 2; }
__device__ float mean(float a, float b) { return (a + b) / 2; }
__global__ void k(double *in, int *out) { out[0] = mean(in[0], in[1]); }
//~ kernel.cu:3:52: error: More than one instance of `mean` matches the argument list; convert an argument.
//~     __global__ void k(double *in, int *out) { out[0] = mean(in[0], in[1]); }
//~                                                        ^~~~
//~     note: The declaration is int mean(int a, int b).
//~     note: The declaration is float mean(float a, float b).
//--- explicit constructor
struct Meters { float v; __device__ explicit Meters(float x) : v(x) {} };
__device__ float length(Meters m) { return m.v; }
__global__ void k(float *out) { out[0] = length(3.0f); }
//~ kernel.cu:3:49: error: A value of type `float` cannot be used as `Meters` in an argument of `length`.
//~     __global__ void k(float *out) { out[0] = length(3.0f); }
//~                                                     ^~~~
//~     note: The constructor is explicit: write `Meters(…)`.
//~     note: The declaration is float length(Meters m).
//--- value reference to a variable
__device__ int take(int &&v) { return v; }
__global__ void k(int *out) { int n = out[0]; out[1] = take(n); }
//~ kernel.cu:2:61: error: `int &&` of `take` cannot be bound to an lvalue; write `std::move(…)`, or declare the parameter `int &`.
//~     __global__ void k(int *out) { int n = out[0]; out[1] = take(n); }
//~                                                                 ^
//~ kernel.cu:1:16: note: Declared here.
//~     __device__ int take(int &&v) { return v; }
//~                    ^~~~
//--- base named twice
struct A { int a; };
struct B : A, A { int b; };
__global__ void k(B *b) { b->b = 1; }
//~ kernel.cu:2:15: error: `A` is listed as a base twice; remove one of the two.
//~     struct B : A, A { int b; };
//~                   ^
//--- virtual function of a base that is copied out of its object
struct Shape { float w = 1; virtual __device__ float area() const { return w; } };
struct Square : Shape { __device__ float area() const override { return w * w; } };
__global__ void k(float *out) { Square s; Shape shape = s; out[0] = shape.area(); }
//~ kernel.cu:3:57: error: Copies of a base of an object with virtual functions are not supported yet.
//~     __global__ void k(float *out) { Square s; Shape shape = s; out[0] = shape.area(); }
//~                                                             ^
