//--- private member
class Counter {
    int value;
public:
    __device__ void add(int n) { value += n; }
};
__global__ void k(Counter *c, int *out)
{
    c->add(1);
    out[0] = c->value;
}
//~ kernel.cu:9:17: error: `value` is a private member of `Counter`; use a public member, or declare it after `public:`.
//~         out[0] = c->value;
//~                     ^~~~~
//--- private member function
class Counter {
    __device__ void reset() { value = 0; }
    int value;
};
__global__ void k(Counter *c) { c->reset(); }
//~ kernel.cu:5:36: error: `reset` is a private member of `Counter`; use a public member, or declare it after `public:`.
//~     __global__ void k(Counter *c) { c->reset(); }
//~                                        ^~~~~
//--- unknown member function
struct Vector {
    float x, y;
    __device__ float length() const { return sqrtf(x * x + y * y); }
};
__global__ void k(Vector *v, float *out) { out[0] = v[0].lenght(); }
//~ kernel.cu:5:58: error: `Vector` has no member function `lenght`; did you mean `length`?
//~     __global__ void k(Vector *v, float *out) { out[0] = v[0].lenght(); }
//~                                                              ^~~~~~
//~     help: write `length`
//--- member function of the host
struct Vector {
    float x, y;
    float length() const { return sqrtf(x * x + y * y); }
};
__global__ void k(Vector *v, float *out) { out[0] = v[0].length(); }
//~ kernel.cu:5:58: error: Calling the host function `Vector::length` from device code is not allowed; declare the function `__device__`.
//~     __global__ void k(Vector *v, float *out) { out[0] = v[0].length(); }
//~                                                              ^~~~~~
//~ kernel.cu:3:11: note: Declared here.
//~         float length() const { return sqrtf(x * x + y * y); }
//~               ^~~~~~
//--- operator of the host
struct Vector {
    float x, y;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
__global__ void k(Vector *v) { v[0] = v[1] + v[2]; }
//~ kernel.cu:5:39: error: No operator `+` matches the operand types `Vector` and `Vector`; work on the members one by one, or define `operator+`.
//~     __global__ void k(Vector *v) { v[0] = v[1] + v[2]; }
//~                                           ^~~~~~~~~~~
//--- no default constructor
struct Range {
    int first, last;
    __device__ Range(int first, int last) : first(first), last(last) {}
};
__global__ void k(int *out)
{
    Range r;
    out[0] = r.first;
}
//~ kernel.cu:7:11: error: `Range` takes 2 arguments, not 0.
//~         Range r;
//~               ^
//~     note: The declaration is Range(int first, int last).
//--- wrong number of constructor arguments
struct Range {
    int first, last;
    __device__ Range(int first, int last) : first(first), last(last) {}
};
__global__ void k(int *out)
{
    Range r(3);
    out[0] = r.first;
}
//~ kernel.cu:7:11: error: `Range` takes 2 arguments, not 1.
//~         Range r(3);
//~               ^
//~     note: The declaration is Range(int first, int last).
//--- unknown member in a constructor
struct Range {
    int first, last;
    __device__ Range(int n) : first(0), size(n) {}
};
__global__ void k(int *out) { out[0] = Range(3).first; }
//~ kernel.cu:3:41: error: `Range` has no member or base `size` to initialize.
//~         __device__ Range(int n) : first(0), size(n) {}
//~                                             ^~~~
//--- member function of a const object
struct Counter {
    int value;
    __device__ void add(int n) { value += n; }
};
__global__ void k(const Counter *c) { c->add(1); }
//~ kernel.cu:5:39: error: `Counter::add` is not a const member function, and its object is const here; declare the function const.
//~     __global__ void k(const Counter *c) { c->add(1); }
//~                                           ^~~~~~~~~
//--- member changed in a const function
struct Counter {
    int value;
    __device__ int next() const { return ++value; }
};
__global__ void k(Counter *c, int *out) { out[0] = c->next(); }
//~ kernel.cu:3:44: error: `value` is const and cannot be modified.
//~         __device__ int next() const { return ++value; }
//~                                                ^~~~~
//--- member function without an object
struct Counter {
    int value;
    __device__ int next() { return ++value; }
};
__global__ void k(int *out) { out[0] = Counter::next(); }
//~ kernel.cu:5:40: error: `next` is a member function; call it on an object.
//~     __global__ void k(int *out) { out[0] = Counter::next(); }
//~                                            ^~~~~~~~~~~~~~~
//--- member without an object
struct Limits { int most; };
__global__ void k(int *out) { out[0] = Limits::most; }
//~ kernel.cu:2:40: error: `most` is a non-static member of `Limits`; write `object.most`.
//~     __global__ void k(int *out) { out[0] = Limits::most; }
//~                                            ^~~~~~~~~~~~
//--- this outside of a class
__global__ void k(int *out) { this->value = 1; out[0] = 1; }
//~ kernel.cu:1:31: error: `this` may only be used inside a non-static member function.
//~     __global__ void k(int *out) { this->value = 1; out[0] = 1; }
//~                                   ^~~~
//--- this in a static function
struct Counter {
    int value;
    __device__ static int next() { return this->value + 1; }
};
__global__ void k(int *out) { out[0] = Counter::next(); }
//~ kernel.cu:3:43: error: `this` may only be used inside a non-static member function.
//~         __device__ static int next() { return this->value + 1; }
//~                                               ^~~~
//--- member in a static function
struct Counter {
    int value;
    __device__ static int next() { return value + 1; }
};
__global__ void k(int *out) { out[0] = Counter::next(); }
//~ kernel.cu:3:43: error: The variable `value` is not declared.
//~         __device__ static int next() { return value + 1; }
//~                                               ^~~~~
//~     note: Declare it with its type before this line, or make it a parameter.
//--- member function not declared
struct Counter { int value; };
__device__ int Counter::next() { return ++value; }
__global__ void k(Counter *c, int *out) { out[0] = c->next(); }
//~ kernel.cu:2:16: error: `Counter` declares no function `next`; declare it in the struct.
//~     __device__ int Counter::next() { return ++value; }
//~                    ^~~~~~~~~~~~~
//--- unknown base
struct Sphere : Shape { float radius; };
__global__ void k(Sphere *s) { s[0].radius = 1; }
//~ kernel.cu:1:17: error: The type `Shape` is not declared.
//~     struct Sphere : Shape { float radius; };
//~                     ^~~~~
//--- derived from a base that is incomplete
struct Shape;
struct Sphere : Shape { float radius; };
__global__ void k(Sphere *s) { s[0].radius = 1; }
//~ kernel.cu:2:17: error: `Shape` is an incomplete type here; define it before the structs that inherit from it.
//~     struct Sphere : Shape { float radius; };
//~                     ^~~~~
//--- base for a derived object
struct Shape { int id; };
struct Sphere : Shape { float radius; };
__device__ float area(Sphere s) { return s.radius * s.radius; }
__global__ void k(Shape *shapes, float *out) { out[0] = area(shapes[0]); }
//~ kernel.cu:4:62: error: A value of type `Shape` cannot be used as `Sphere` in an argument of `area`.
//~     __global__ void k(Shape *shapes, float *out) { out[0] = area(shapes[0]); }
//~                                                                  ^~~~~~~~~
//~     note: The declaration is float area(Sphere s).
//--- no operator of a class
struct Complex { float re, im; };
__global__ void k(Complex *z) { z[0] = z[1] * z[2]; }
//~ kernel.cu:2:40: error: No operator `*` matches the operand types `Complex` and `Complex`; work on the members one by one, or define `operator*`.
//~     __global__ void k(Complex *z) { z[0] = z[1] * z[2]; }
//~                                            ^~~~~~~~~~~
//--- no index operator
struct Row { float values[4]; };
__global__ void k(Row *rows, float *out)
{
    Row r = rows[0];
    out[0] = r[2];
}
//~ kernel.cu:5:14: error: `[]` needs an array or a pointer; this is `Row`.
//~         out[0] = r[2];
//~                  ^
//--- no call operator
struct Add { int n; };
__global__ void k(Add *add, int *out)
{
    Add f = add[0];
    out[0] = f(2);
}
//~ kernel.cu:5:14: error: `f` is a variable and cannot be called.
//~         out[0] = f(2);
//~                  ^
//--- no comparison operator
struct Key { int a, b; };
__global__ void k(Key *keys, int *out) { out[0] = keys[0] < keys[1]; }
//~ kernel.cu:2:51: error: No operator `<` matches the operand types `Key` and `Key`; work on the members one by one, or define `operator<`.
//~     __global__ void k(Key *keys, int *out) { out[0] = keys[0] < keys[1]; }
//~                                                       ^~~~~~~~~~~~~~~~~
//--- static member of an object type without a definition
struct Limits { static const int most = 8; };
__global__ void k(int *out) { out[0] = Limits::least; }
//~ kernel.cu:2:40: error: `Limits` has no static member `least`.
//~     __global__ void k(int *out) { out[0] = Limits::least; }
//~                                            ^~~~~~~~~~~~~
//--- nested type without its class
struct Tree { struct Node { int key; }; };
__global__ void k(int *out)
{
    Node n = {1};
    out[0] = n.key;
}
//~ kernel.cu:4:5: error: The type `Node` is not declared; did you mean `Tree::Node`?
//~         Node n = {1};
//~         ^~~~
//~     help: write `Tree::Node`
//--- two member functions with the same parameters
struct Counter {
    int value;
    __device__ int next() { return value + 1; }
    __device__ int next() { return value + 2; }
};
__global__ void k(Counter *c, int *out) { out[0] = c->next(); }
//~ kernel.cu:4:20: error: The function `next` has already been defined.
//~         __device__ int next() { return value + 2; }
//~                        ^~~~
//~ kernel.cu:3:20: note: First defined here.
//~         __device__ int next() { return value + 1; }
//~                        ^~~~
//--- no matching overload
struct Color { float r, g, b; };
__device__ float luma(float v) { return v; }
__device__ float luma(Color c) { return c.g; }
__global__ void k(float2 *in, float *out) { out[0] = luma(in[0]); }
//~ kernel.cu:4:54: error: No instance of overloaded function `luma` matches the argument list; the argument types are (float2).
//~     __global__ void k(float2 *in, float *out) { out[0] = luma(in[0]); }
//~                                                          ^~~~~~~~~~~
//~     note: The declaration is float luma(float v).
//~     note: The declaration is float luma(Color c).
//--- overloads that differ in the result
__device__ int size() { return 1; }
__device__ float size() { return 1.0f; }
__global__ void k(float *out) { out[0] = size(); }
//~ kernel.cu:2:18: error: The function `size` has already been defined.
//~     __device__ float size() { return 1.0f; }
//~                      ^~~~
//~ kernel.cu:1:16: note: First defined here.
//~     __device__ int size() { return 1; }
//~                    ^~~~
//--- namespace missing
namespace geometry { __device__ float area(float r) { return 3.14f * r * r; } }
__global__ void k(float *out) { out[0] = area(2.0f); }
//~ kernel.cu:2:42: error: The function `area` is not declared; did you mean `geometry::area`?
//~     __global__ void k(float *out) { out[0] = area(2.0f); }
//~                                              ^~~~
//~     help: write `geometry::area`
//--- unknown namespace
namespace geometry { __device__ float area(float r) { return 3.14f * r * r; } }
__global__ void k(float *out) { out[0] = geo::area(2.0f); }
//~ kernel.cu:2:42: error: The function `geo::area` is not declared.
//~     __global__ void k(float *out) { out[0] = geo::area(2.0f); }
//~                                              ^~~~~~~~~
//~     note: Define it above, with `__device__`, or include the header that declares it.
//--- unknown name in a namespace
namespace geometry { __device__ float area(float r) { return 3.14f * r * r; } }
__global__ void k(float *out) { out[0] = geometry::aera(2.0f); }
//~ kernel.cu:2:42: error: The function `geometry::aera` is not declared; did you mean `geometry::area`?
//~     __global__ void k(float *out) { out[0] = geometry::aera(2.0f); }
//~                                              ^~~~~~~~~~~~~~
//~     help: write `geometry::area`
//--- dot for a scope
namespace geometry { __device__ float area(float r) { return 3.14f * r * r; } }
__global__ void k(float *out) { out[0] = geometry.area(2.0f); }
//~ kernel.cu:2:42: error: `geometry` is a namespace or class; write `geometry::` before a name in it.
//~     __global__ void k(float *out) { out[0] = geometry.area(2.0f); }
//~                                              ^~~~~~~~
//--- kernel in a class
struct Solver {
    __global__ void step(float *data) { data[threadIdx.x] = 0; }
};
//~ kernel.cu:2:21: error: A kernel cannot be a member of a struct; declare `step` outside.
//~         __global__ void step(float *data) { data[threadIdx.x] = 0; }
//~                         ^~~~
