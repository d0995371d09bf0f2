// Mistakes with structs that have member functions.
struct A : A { int x; };
//~ 12 error: `A` is an incomplete type here; define it before the structs that inherit from it.
struct B { B inner; int y; };
//~ 14 error: `B` is an incomplete type here, so a member cannot have it; use a pointer.
template <int N> struct S { S<N + 1> next; };
//~ 29 error: More than 40 template instances are incomplete: excessive recursion at instantiation of `S`.
template <typename T> struct V { V<T *> next; int x; };
//~ 34 error: More than 40 template instances are incomplete: excessive recursion at instantiation of `V`.
template <int N> struct F { static const int value = F<N + 1>::value; };
__global__ void k(int *o) { A a; B b; S<0> s; V<int> v; o[0] = F<0>::value; }
//~ 70 error: The value of `F<0>::value` is not a constant expression.
//~ note: Declared here.
__global__ void good(int *o) { o[0] = 1; }
struct Point {
    int x, y;
    __device__ int sum() const { return x + y; }
    __device__ void move(int dx) { x += dx; }
    int of_host() { return x; }
    static __device__ int zero() { return 0; }
};
__device__ int Point::missing() { return x; }
//~ 16 error: `Point` declares no function `missing`; declare it in the struct.
__device__ Point::Point(int v) : x(v) {}
//~ 19 error: `Point` declares no constructor; declare it in the struct.
struct Init { int a; __device__ Init(int v) : a(v), b(v) {} };
//~ 53 error: `Init` has no member or base `b` to initialize.
struct Virtual { virtual __device__ int f() { return 1; } };
struct Two : Point, Init { int z; };
template <typename T> struct Pair { T a; __device__ T get() { return a + nothing; } };
//~ 74 error: The variable `nothing` is not declared.
//~ note: Declare it with its type before this line, or make it a parameter.
//~ note: Detected during instantiation of `Pair<int>::get`.
__global__ void calls(int *o, const Point *p) {
    Point q;
    o[0] = q.summ();
//~ 14 error: `Point` has no member function `summ`; did you mean `sum`?
    o[1] = q.of_host();
//~ 14 error: Calling the host function `Point::of_host` from device code is not allowed; declare the function `__device__`.
//~ note: Declared here.
    o[2] = p->sum();
    p->move(3);
//~ 5 error: `Point::move` is not a const member function, and its object is const here; declare the function const.
    o[3] = Point::sum();
//~ 12 error: `sum` is a member function; call it on an object.
    o[4] = q;
//~ 12 error: A value of type `Point` cannot be used as `int` in this assignment.
    o[5] = q + q;
//~ 12 error: No operator `+` matches the operand types `Point` and `Point`; work on the members one by one, or define `operator+`.
    Init i;
//~ 10 error: `Init` takes 1 argument, not 0.
//~ note: The declaration is Init(int v).
    Init j(1, 2);
//~ 10 error: `Init` takes 1 argument, not 2.
//~ note: The declaration is Init(int v).
    Pair<int> pair;
    o[6] = pair.get();
    Pair<int, int> more;
//~ 5 error: These template arguments do not match `Pair`.
    if (q) o[7] = 1;
//~ 9 error: A value of type `Point` cannot be converted to `bool` for a condition.
    o[8] = q.zero(1);
//~ 12 error: `zero` takes 0 arguments, not 1.
//~ note: The declaration is int zero().
}
