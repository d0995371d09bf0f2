// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: members defined outside, constructors, conversion functions, partial specializations, bases
template <typename T, int N> struct Ring {
    T items[N];
    int next;
    typedef T value_type;
    __device__ Ring(T first);
    __device__ void push(T v);
    __device__ value_type &at(int idx);
    __device__ const T &operator[](int idx) const;
    static __device__ int size();
    __device__ Ring &operator+=(const Ring &other);
};
template <typename U, int M> __device__ Ring<U, M>::Ring(U first) : next(0) {
    for (int i = 0; i < M; i++) items[i] = first + U(i);
}
template <class T, int N> __device__ void Ring<T, N>::push(T v) { items[next++ % N] = v; }
template <class T, int N> __device__ typename Ring<T, N>::value_type &Ring<T, N>::at(int idx) { return items[idx % N]; }
template <class T, int N> __device__ const T &Ring<T, N>::operator[](int idx) const { return items[idx % N]; }
template <class T, int N> __device__ int Ring<T, N>::size() { return N; }
template <class T, int N> __device__ Ring<T, N> &Ring<T, N>::operator+=(const Ring<T, N> &other) {
    for (int i = 0; i < N; i++) items[i] += other[i];
    return *this;
}
struct Count {
    int n;
    __device__ Count(int n);
    __device__ operator int() const { return n; }
    __device__ operator bool() const { return n > 3; }
};
__device__ Count::Count(int n) : n(n * 2) {}
template <class T> struct Cells {
    int *cells;
    __device__ operator T *() { return (T *)cells; }
    __device__ operator const T *() const { return (T *)cells; }
};
template <typename T> struct Kind { static const int value = 1; __device__ int get() { return sizeof(T); } };
template <typename T> struct Kind<T *> { static const int value = 2; __device__ int get() { return 100 + sizeof(T); } };
template <typename T> struct Kind<const T *> { static const int value = 3; __device__ int get() { return 200 + sizeof(T); } };
template <> struct Kind<float> { static const int value = 4; __device__ int get() { return 300; } };
template <typename A, typename B> struct Same { static const bool value = false; };
template <typename A> struct Same<A, A> { static const bool value = true; };
template <int N> struct Fact { static const int value = N * Fact<N - 1>::value; };
template <> struct Fact<0> { static const int value = 1; };
struct Base { int a; __device__ int twice() const { return 2 * a; } };
struct Derived : Base { int b; __device__ Derived(int x) : b(x + 1) { a = x; } };
__device__ int of_base(const Base &base) { return base.a + base.twice(); }
__device__ int of_pointer(Base *base) { base->a++; return base->a; }
__device__ int by_value(Base base) { base.a += 7; return base.a; }
__global__ void k(unsigned *out, int *in, unsigned *total, int n, int m) {
    int t = threadIdx.x, v = in[t];
    unsigned *o = out + t * 16;
    Ring<int, 4> ring(v);
    ring.push(50);
    ring.at(2) = 9;
    Ring<int, 4> other(1);
    other += ring;
    Count count(v);
    int cells[2] = {v, n};
    float *floats = Cells<float>{cells};
    const int *ints = Cells<int>{cells};
    o[0] = ints[1] + (floats == (const float *)ints);
    const int read = count;
    o[1] = other[0] + other[2] + Ring<int, 4>::size() + ring.next + read;
    o[2] = Count(v) ? 1000 : m;
    o[3] = Kind<int>::value * Kind<int *>::value * 10 + Kind<const char *>::value + Kind<float>::value;
    Kind<const int *> kind;
    o[4] = kind.get() + Kind<short *>().get() + Kind<float>().get();
    o[5] = Same<int, int>::value * 3 + Same<int, float>::value * 5 + Fact<6>::value;
    Derived d(v);
    o[6] = of_base(d) + of_pointer(&d) + by_value(d);
    Base copy = d;
    o[7] = copy.a + copy.twice() + d.b;
    o[8] = (int)count + static_cast<int>(count) + !count;
}
