// Copies by a group: CUDA C++ Programming Guide, "Cooperative Groups", "memcpy_async". From 8.0 on, they are copies without
// a register, of 16 bytes where both addresses and the size are multiples of 16.

#include <cooperative_groups.h>
#include <cuda/copy>

namespace cooperative_groups {

template <typename Group, typename T> __device__ void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    const size_t first = group.thread_rank(), step = group.size();
    if (alignof(T) % 16 == 0 || (((size_t)to | (size_t)from | bytes) & 15) == 0)
        cuda::detail::copy_async<16>((char *)to, (const char *)from, bytes, first, step);
    else
        cuda::detail::copy_async<alignof(T)>(to, from, bytes, first, step);
    cuda::detail::commit_copies();
}

template <typename Group> __device__ void wait(const Group &group) {
    cuda::detail::wait_for_copies(0);
    group.sync();
}

template <unsigned int Stages, typename Group> __device__ void wait_prior(const Group &group) {
    cuda::detail::wait_for_copies(Stages);
    group.sync();
}

}  // namespace cooperative_groups
