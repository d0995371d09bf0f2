//--- pack without dots
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <typename... Ts> __device__ int twice(Ts... values) { return sum(values) * 2; }
__global__ void k(int *out) { out[0] = twice(1, 2, 3); }
//--- dots without a pack
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <typename T> __device__ int twice(T value) { return sum(value...) * 2; }
__global__ void k(int *out) { out[0] = twice(1); }
//--- packs of different lengths
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <int... Is, typename... Ts> __device__ int weighted(Ts... values) { return sum(values * Is...); }
__global__ void k(int *out) { out[0] = weighted<1, 2>(1, 2, 3); }
//--- sizeof of something that is no pack
template <typename T> __device__ int num(T value) { return sizeof...(value); }
__global__ void k(int *out) { out[0] = num(1); }
//--- empty fold
template <typename... Ts> __device__ int sum(Ts... values) { return (... + values); }
__global__ void k(int *out) { out[0] = sum(); }
//--- two operators in a fold
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... - values); }
__global__ void k(int *out) { out[0] = sum(1, 2); }
//--- fold of an operation
template <typename... Ts> __device__ int sum(Ts... values) { return (values * 2 + ...); }
__global__ void k(int *out) { out[0] = sum(1, 2); }
//--- pack with a default
template <typename... Ts = int> __device__ int num() { return sizeof...(Ts); }
__global__ void k(int *out) { out[0] = num<int>(); }
//--- recursion over a pack without an end
template <typename... Ts> __device__ auto count(Ts... values) { return 1 + count(1, values...); }
__global__ void k(int *out) { out[0] = count(1); }
//--- class template that grows without an end
template <int N, int... Is> struct Grow { static const int value = Grow<N + 1, N, Is...>::value; };
__global__ void k(int *out) { out[0] = Grow<0>::value; }
//--- range of a pointer
__global__ void k(float *values, float *out)
{
    for (float v : values) out[0] += v;
}
//--- range of a number
__global__ void k(int n, int *out)
{
    for (int i : n) out[i] = i;
}
//--- range without a declaration
__global__ void k(int *out)
{
    int values[3] = {1, 2, 3}, v;
    for (v : values) out[0] += v;
}
//--- binding of too many names
struct Pair { int first, second; };
__global__ void k(Pair *p, int *out)
{
    auto [a, b, c] = p[0];
    out[0] = a + b + c;
}
//--- binding of a number
__global__ void k(int n, int *out)
{
    auto [a, b] = n;
    out[0] = a + b;
}
//--- binding of private members
class Pair { int first, second; public: __device__ Pair() : first(1), second(2) {} };
__global__ void k(int *out)
{
    auto [a, b] = Pair();
    out[0] = a + b;
}
//--- write to a const binding
struct Pair { int first, second; };
__global__ void k(Pair *p)
{
    const auto &[a, b] = p[0];
    a = 1;
}
//--- address of a bit-field
struct Flags { unsigned a : 3, b : 5; };
__global__ void k(Flags *f) { unsigned *p = &f->a; *p = 1; }
//--- reference to a bit-field
struct Flags { unsigned a : 3, b : 5; };
__device__ void set(unsigned &v) { v = 1; }
__global__ void k(Flags *f) { set(f->a); }
//--- atomic on a bit-field
struct Flags { unsigned a : 3, b : 5; };
__global__ void k(Flags *f) { atomicAdd(&f->a, 1u); }
//--- bit-field that is too wide
struct Flags { unsigned a : 33; };
__global__ void k(Flags *f) { f->a = 1; }
//--- bit-field of a float
struct Flags { float a : 3; };
__global__ void k(Flags *f) { f->a = 1; }
//--- size of a bit-field
struct Flags { unsigned a : 3; };
__global__ void k(Flags *f, int *out) { out[0] = sizeof(f->a); }
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
//--- deleted function
__device__ int half_of(int v) { return v / 2; }
__device__ int half_of(float v) = delete;
__global__ void k(int *out) { out[0] = half_of(3.0f); }
//--- explicit constructor
struct Meters { float v; __device__ explicit Meters(float x) : v(x) {} };
__device__ float length(Meters m) { return m.v; }
__global__ void k(float *out) { out[0] = length(3.0f); }
//--- value reference to a variable
__device__ int take(int &&v) { return v; }
__global__ void k(int *out) { int n = out[0]; out[1] = take(n); }
//--- base named twice
struct A { int a; };
struct B : A, A { int b; };
__global__ void k(B *b) { b->b = 1; }
//--- virtual function with override
struct Shape { float w; virtual __device__ float area() const { return w; } };
__global__ void k(float *out) { Shape s; out[0] = s.area(); }
//--- goto past an object with a destructor
struct Log { int *at; __device__ Log(int *p) : at(p) {} __device__ ~Log() { *at = 1; } };
__global__ void k(int *out)
{
    Log log(out);
    if (out[1]) goto end;
    out[2] = 3;
end:
    out[3] = 4;
}
