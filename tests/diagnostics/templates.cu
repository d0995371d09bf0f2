// Mistakes with templates and namespaces.
template <typename T> __device__ T zero() { return T(0); }
template <typename T> __device__ T least(T a, T b) { return b < a ? b : a; }
template <int N> __device__ int times(int v) { return N * v; }
template <typename T> __device__ T deep(T *p) { return *p + missing; }
//~ 61 error: The variable `missing` is not declared.
//~ note: Declare it with its type before this line, or make it a parameter.
//~ note: Detected during instantiation of `deep<int>`.
template <int N> __device__ int endless() { return endless<N + 1>(); }
//~ 52 error: There are more than 2000 template instances: excessive recursion at instantiation of `endless`.
//~ note: Detected during instantiation of `endless<20>`.
template <> __device__ int nowhere<int>(int v) { return v; }
//~ 28 error: There is no template `nowhere` for this specialization.
template <typename... T> __device__ void pack(T... v) {}
template <template <typename> class T> __device__ void of_templates() {}
template <typename T> struct Box { T v; };
namespace math {
__device__ int twice(int v) { return 2 * v; }
enum class Mode { A, B };
}
__global__ void not_deduced(float *a) { a[0] = zero(); }
//~ 48 error: `T` of the template `zero` cannot be deduced from the arguments; write `zero<…>(…)`.
//~ note: Declared here.
__global__ void two_types(float *a, int n) { a[0] = least(a[1], n); }
//~ 53 error: `T` of the template `least` is deduced as both `float` and `int`; convert one of the arguments.
//~ note: Declared here.
__global__ void run_time(int *a, int n) { a[0] = times<n>(a[1]); }
//~ 56 error: A template argument must be a constant expression.
__global__ void too_many(int *a) { a[0] = times<1, 2>(a[1]); }
//~ 43 error: The template arguments do not match `times`.
//~ note: Declared here.
__global__ void a_type_for_a_value(int *a) { a[0] = times<int>(a[1]); }
//~ 53 error: The template arguments do not match `times`.
//~ note: Declared here.
__global__ void inside(int *a) { a[0] = deep(a); }
__global__ void for_ever(int *a) { a[0] = endless<0>(); }
__global__ void without_namespace(int *a) { a[0] = twice(a[0]); }
//~ 52 error: The function `twice` is not declared; did you mean `math::twice`?
__global__ void not_there(int *a) { a[0] = math::thrice(a[0]) + (int)math::Mode::C; }
//~ 44 error: The function `math::thrice` is not declared; did you mean `math::twice`?
//~ 70 error: The enum `math::Mode` has no enumerator `C`.
__global__ void no_namespace(int *a) { a[0] = maths::twice(a[0]); }
//~ 47 error: The function `maths::twice` is not declared; did you mean `math::twice`?
template __global__ void missing_kernel<int>(int *);
//~ 26 error: No instance of function template `missing_kernel` matches these arguments.
__global__ void fine(int *a) { a[0] = least(1, 2) + math::twice(3) + zero<int>() + times<3>(4); }
__device__ int hides_a_parameter(int n) { int n = 3; { int n = 4; n++; } return n; }
//~ 47 error: `n` has already been declared in this scope; rename one of the two.
template <int N> constexpr __device__ int endless_value() { return endless_value<N + 1>() + 1; }
//~ 68 error: There are more than 2000 template instances: excessive recursion at instantiation of `endless_value`.
//~ note: Detected during instantiation of `endless_value<1773>`.
__global__ void for_ever_too(int *a) { a[0] = endless_value<0>(); }
template <int N> constexpr __device__ int deep_value() { return N < 200 ? deep_value<(N < 200 ? N + 1 : N)>() + 1 : 0; }
__global__ void is_fine(int *a) { a[0] = deep_value<0>(); }
