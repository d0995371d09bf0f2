// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: pointers to functions in variables, tables, structs, and parameters
typedef float (*Binary)(float, float);
using Unary = int (*)(int);
typedef int Plain(int);

__device__ float add(float a, float b) { return a + b; }
__device__ float subtract(float a, float b) { return a - b; }
__device__ float multiply(float a, float b) { return a * b; }

__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int negate(int x) { return -x; }

__device__ void bump(int &x, int by) { x += by; }
__device__ void drop(int &x, int by) { x -= by; }

__device__ Binary table[3] = {add, subtract, &multiply};
__constant__ Unary unary_table[] = {twice, square, negate};
__device__ Binary chosen = subtract;

struct Op {
    Unary apply;
    const char *name;
    int weight;
};

__device__ int map(int x, int (*f)(int)) { return f(x); }
__device__ int fold(const int *values, int n, int start, int (*step)(int, int)) {
    int result = start;
    for (int i = 0; i < n; i++) result = (*step)(result, values[i]);
    return result;
}
__device__ int decayed(int x, Plain f) { return f(x) + 1; }
__device__ Unary pick(int which) { return which == 0 ? twice : which == 1 ? &square : negate; }

template <typename T> __device__ T larger(T a, T b) { return a > b ? a : b; }
template <typename F> __device__ int call_with(F f, int x) { return f(x) + f(x + 1); }

namespace shapes {
__device__ int area(int side) { return side * side + 7; }
}

__global__ void k(unsigned *out, int *a, unsigned *g0, int n, int m) {
    int i = threadIdx.x;
    const int *in = a;
    int x = in[i];
    // A table.
    Binary f = table[i % 3];
    float real = f(x, 3.5f) + (*table[(i + 1) % 3])(x, 0.25f) + chosen(x, 1.0f);
    // Local pointers, changed and compared.
    int (*g)(int) = nullptr;
    if (x & 1) g = &twice;
    int result = g ? g(x) : 1000;
    if (g == twice) result += 5;
    g = unary_table[x % 3 < 0 ? 0 : x % 3];
    result = result * 3 + g(x);
    // As parameters.
    result = result * 3 + map(x, square) + map(x, pick(i % 3)) + decayed(x, negate);
    result = result * 3 + map(x, [](int y) { return y * 11 - 2; });
    result = result * 3 + call_with(pick(i & 1), x) + call_with(shapes::area, x);
    // In a struct and in an array of structs.
    Op op = {negate, "negate", 3};
    Op ops[2] = {{twice, "twice", 1}, {shapes::area, "area", 2}};
    result = result * 3 + op.apply(x) * op.weight + ops[i & 1].apply(x) * ops[i & 1].weight;
    Op *at = &ops[1];
    result = result * 3 + at->apply(i);
    // References as parameters.
    void (*change)(int &, int) = i % 2 ? bump : drop;
    change(result, 17);
    // A lambda without captures becomes a pointer.
    int (*step)(int, int) = [](int a, int b) { return a * 5 + b; };
    if (i % 4 == 3) step = +[](int a, int b) { return a ^ b; };
    result = result * 3 + fold(in + i, n, 1, step);
    out[i * 16] = result;
    out[i * 16 + 1] = (int)(real * 4);
}
