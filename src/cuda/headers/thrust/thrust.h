// Thrust: the types and functions that kernels use. NVIDIA CCCL documentation, "Thrust".

#define THRUST_VERSION 200200
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 2
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }

#include <tuple>
#include <functional>

namespace thrust {

using std::pair;
using std::make_pair;
using std::tuple;
using std::make_tuple;
using std::tie;
using std::get;
using std::tuple_element;
using std::tuple_size;
using std::plus;
using std::minus;
using std::multiplies;
using std::divides;
using std::modulus;
using std::negate;
using std::equal_to;
using std::not_equal_to;
using std::less;
using std::greater;
using std::less_equal;
using std::greater_equal;
using std::logical_and;
using std::logical_or;
using std::logical_not;
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::swap;

typedef std::__none null_type;

template <typename T = void> struct maximum {
    __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <typename T> __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <typename T = void> struct minimum {
    __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? a : b; }
};
template <> struct minimum<void> {
    template <typename T> __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? a : b; }
};
template <typename T = void> struct square {
    __device__ constexpr T operator()(const T &a) const { return a * a; }
};
template <typename T = void> struct identity {
    __device__ constexpr T operator()(const T &a) const { return a; }
};
template <typename A = void, typename B = void> struct project1st {
    __device__ constexpr A operator()(const A &a, const B &b) const { return a; }
};
template <typename A = void, typename B = void> struct project2nd {
    __device__ constexpr B operator()(const A &a, const B &b) const { return b; }
};
template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename A, typename B, typename Result> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef Result result_type;
};

template <typename T> __device__ constexpr T min(const T &a, const T &b) { return b < a ? b : a; }
template <typename T> __device__ constexpr T max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T, typename Less> __device__ constexpr T min(const T &a, const T &b, Less less) {
    return less(b, a) ? b : a;
}
template <typename T, typename Less> __device__ constexpr T max(const T &a, const T &b, Less less) {
    return less(a, b) ? b : a;
}

// A pointer to device memory.
template <typename T> struct device_ptr {
    typedef T value_type;
    typedef T element_type;
    typedef T &reference;
    typedef long long difference_type;
    T *__ptr;
    __device__ device_ptr() : __ptr(nullptr) {}
    __device__ explicit device_ptr(T *ptr) : __ptr(ptr) {}
    __device__ T *get() const { return __ptr; }
    __device__ T &operator*() const { return *__ptr; }
    __device__ T *operator->() const { return __ptr; }
    __device__ T &operator[](long long idx) const { return __ptr[idx]; }
    __device__ device_ptr operator+(long long num) const { return device_ptr(__ptr + num); }
    __device__ device_ptr operator-(long long num) const { return device_ptr(__ptr - num); }
    __device__ long long operator-(const device_ptr &other) const { return __ptr - other.__ptr; }
    __device__ device_ptr &operator+=(long long num) {
        __ptr += num;
        return *this;
    }
    __device__ device_ptr &operator-=(long long num) {
        __ptr -= num;
        return *this;
    }
    __device__ device_ptr &operator++() {
        __ptr++;
        return *this;
    }
    __device__ device_ptr &operator--() {
        __ptr--;
        return *this;
    }
    __device__ bool operator==(const device_ptr &other) const { return __ptr == other.__ptr; }
    __device__ bool operator!=(const device_ptr &other) const { return __ptr != other.__ptr; }
    __device__ bool operator<(const device_ptr &other) const { return __ptr < other.__ptr; }
};
template <typename T> __device__ device_ptr<T> device_pointer_cast(T *ptr) { return device_ptr<T>(ptr); }
template <typename T> __device__ T *raw_pointer_cast(T *ptr) { return ptr; }
template <typename T> __device__ T *raw_pointer_cast(const device_ptr<T> &ptr) { return ptr.__ptr; }
template <typename T> __device__ T &raw_reference_cast(T &ref) { return ref; }

}  // namespace thrust
