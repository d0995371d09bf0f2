// Copies by a group: CUDA C++ Programming Guide, "Cooperative Groups", "memcpy_async". Copies are synchronous,
// as on chips before 8.0.

#include <cooperative_groups.h>

namespace cooperative_groups {

template <typename Group, typename T> __device__ void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    const size_t num = bytes / sizeof(T);
    for (size_t idx = group.thread_rank(); idx < num; idx += group.size()) to[idx] = from[idx];
}

template <typename Group> __device__ void wait(const Group &group) { group.sync(); }

template <unsigned int Stages, typename Group> __device__ void wait_prior(const Group &group) { group.sync(); }

}  // namespace cooperative_groups
