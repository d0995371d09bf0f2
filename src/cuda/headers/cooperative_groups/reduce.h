// Reductions and scans of a group: CUDA C++ Programming Guide, "Cooperative Groups", "Collective Operations".

#include <cooperative_groups.h>

namespace cooperative_groups {

template <typename T> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <typename T> struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <typename T> struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned int Size, typename Parent, typename T, typename Op>
__device__ T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op) {
    if constexpr (Size > 32) {
        return group.__reduce(value, op);
    } else {
        for (int mask = Size / 2; mask > 0; mask /= 2) value = op(value, group.shfl_xor(value, mask));
        return value;
    }
}

template <typename T, typename Op> __device__ T reduce(const coalesced_group &group, T value, Op op) {
    const unsigned num = group.size();
    const unsigned rank = group.thread_rank();
    for (unsigned delta = 1; delta < num; delta *= 2) {
        const T other = group.shfl_down(value, delta);
        if (rank + delta < num) value = op(value, other);
    }
    return group.shfl(value, 0);
}

template <typename Group, typename T, typename Op> __device__ T inclusive_scan(const Group &group, T value, Op op) {
    const unsigned num = group.size();
    const unsigned rank = group.thread_rank();
    for (unsigned delta = 1; delta < num; delta *= 2) {
        const T other = group.shfl_up(value, delta);
        if (rank >= delta) value = op(other, value);
    }
    return value;
}

template <typename Group, typename T> __device__ T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

template <typename Group, typename T, typename Op> __device__ T exclusive_scan(const Group &group, T value, Op op) {
    const T whole = inclusive_scan(group, value, op);
    const T before = group.shfl_up(whole, 1);
    return group.thread_rank() == 0 ? T{} : before;
}

template <typename Group, typename T> __device__ T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
