// <algorithm>: the part that kernels use.

#define _GLIBCXX_ALGORITHM 1

#include <limits>
#include <type_traits>
#include <utility>

namespace std {

template <typename T> __device__ constexpr T clamp(const T &value, const T &low, const T &high) {
    return value < low ? low : high < value ? high : value;
}

}  // namespace std
