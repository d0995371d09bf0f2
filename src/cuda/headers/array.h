// <array>: the part that kernels use.

#define _GLIBCXX_ARRAY 1

#include <utility>

namespace std {

template <typename T, size_t Size> struct array {
    typedef T value_type;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef size_t size_type;
    T __items[Size];
    __device__ T &operator[](size_t idx) { return __items[idx]; }
    __device__ const T &operator[](size_t idx) const { return __items[idx]; }
    __device__ T &at(size_t idx) { return __items[idx]; }
    __device__ const T &at(size_t idx) const { return __items[idx]; }
    __device__ T &front() { return __items[0]; }
    __device__ const T &front() const { return __items[0]; }
    __device__ T &back() { return __items[Size - 1]; }
    __device__ const T &back() const { return __items[Size - 1]; }
    __device__ T *data() { return __items; }
    __device__ const T *data() const { return __items; }
    __device__ T *begin() { return __items; }
    __device__ const T *begin() const { return __items; }
    __device__ T *end() { return __items + Size; }
    __device__ const T *end() const { return __items + Size; }
    __device__ constexpr size_t size() const { return Size; }
    __device__ constexpr size_t max_size() const { return Size; }
    __device__ constexpr bool empty() const { return Size == 0; }
    __device__ void fill(const T &value) {
        for (size_t idx = 0; idx < Size; idx++) __items[idx] = value;
    }
};

}  // namespace std
