// Cooperative groups: CUDA C++ Programming Guide, "Cooperative Groups".

#define _COOPERATIVE_GROUPS_H_

namespace cooperative_groups {

// The kind of a group: the block, lanes of a warp, or the grid.
enum __group_kind : unsigned { __of_block, __of_lanes, __of_grid };

__device__ inline unsigned __lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

__device__ inline unsigned __lanes_below() { return (1u << __lane()) - 1; }

// The lane of the rank-th set bit.
__device__ inline unsigned __lane_of_rank(unsigned mask, unsigned rank) {
    for (; rank > 0; rank--) mask &= mask - 1;
    return __ffs(mask) - 1;
}

// Grid barrier: the first block adds a value that flips the highest bit after all blocks have added theirs.
__device__ inline void __sync_grid() {
    static unsigned arrived;
    __syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        const unsigned num_blocks = gridDim.x * gridDim.y * gridDim.z;
        const bool is_first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
        const unsigned share = is_first ? 0x80000000u - (num_blocks - 1) : 1u;
        __threadfence();
        const unsigned before = atomicAdd(&arrived, share);
        while (((before ^ *(volatile unsigned *)&arrived) & 0x80000000u) == 0) {}
        __threadfence();
    }
    __syncthreads();
}

// Whether a shuffle exchanges values of a type as they are.
template <typename T> struct __is_number {
    static constexpr bool value = false;
};
#define __WS_NUMBER(T) \
    template <> struct __is_number<T> { \
        static constexpr bool value = true; \
    };
__WS_NUMBER(bool) __WS_NUMBER(char) __WS_NUMBER(unsigned char) __WS_NUMBER(short) __WS_NUMBER(unsigned short)
__WS_NUMBER(int) __WS_NUMBER(unsigned) __WS_NUMBER(long long) __WS_NUMBER(unsigned long long) __WS_NUMBER(float)
__WS_NUMBER(double) __WS_NUMBER(__ws_half) __WS_NUMBER(__ws_half2) __WS_NUMBER(__ws_bfloat16) __WS_NUMBER(__ws_bfloat162)
#undef __WS_NUMBER

// Values of other types are exchanged word by word.
template <typename T, typename Exchange> __device__ T __exchanged(T value, Exchange exchange) {
    if constexpr (__is_number<T>::value) {
        return exchange(value);
    } else if constexpr (sizeof(T) <= 4) {
        unsigned word = 0;
        memcpy(&word, &value, sizeof(T));
        word = exchange(word);
        memcpy(&value, &word, sizeof(T));
        return value;
    } else if constexpr (alignof(T) % 4 == 0) {
        unsigned *const words = reinterpret_cast<unsigned *>(&value);
#pragma unroll
        for (unsigned idx = 0; idx < sizeof(T) / 4; idx++) words[idx] = exchange(words[idx]);
        return value;
    } else {
        // The last word can have bytes behind the value.
        unsigned words[(sizeof(T) + 3) / 4];
        words[(sizeof(T) + 3) / 4 - 1] = 0;
        memcpy(words, &value, sizeof(T));
#pragma unroll
        for (unsigned idx = 0; idx < (sizeof(T) + 3) / 4; idx++) words[idx] = exchange(words[idx]);
        memcpy(&value, words, sizeof(T));
        return value;
    }
}

struct thread_group {
    unsigned __kind;
    unsigned __mask;
    unsigned __num;

    __device__ void sync() const {
        if (__kind == __of_lanes) __syncwarp(__mask);
        else if (__kind == __of_block) __syncthreads();
        else __sync_grid();
    }
    __device__ unsigned long long size() const {
        if (__kind == __of_lanes) return __num;
        const unsigned block = blockDim.x * blockDim.y * blockDim.z;
        if (__kind == __of_block) return block;
        return (unsigned long long)block * (gridDim.x * gridDim.y * gridDim.z);
    }
    __device__ unsigned long long num_threads() const { return size(); }
    __device__ unsigned long long thread_rank() const {
        if (__kind == __of_lanes) return __popc(__mask & __lanes_below());
        const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        if (__kind == __of_block) return in_block;
        const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        return (unsigned long long)block * (blockDim.x * blockDim.y * blockDim.z) + in_block;
    }
    __device__ bool is_valid() const { return true; }
};

struct thread_block : thread_group {
    __device__ thread_block() {
        __kind = __of_block;
        __mask = 0;
        __num = 0;
    }
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned num_threads() { return size(); }
    static __device__ unsigned thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static __device__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

// Memory that a program gives to tiles of several warps, as chips before 8.0 require. The tiles here have their own.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
    static_assert(MaxBlockSize <= 1024, "A block has at most 1024 threads");
    unsigned __unused;
};

template <unsigned int MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<MaxBlockSize> &memory) {
    return thread_block();
}

struct grid_group : thread_group {
    __device__ grid_group() {
        __kind = __of_grid;
        __mask = 0;
        __num = 0;
    }
    __device__ void sync() const { __sync_grid(); }
    __device__ bool is_valid() const { return true; }
    static __device__ unsigned long long size() {
        return (unsigned long long)(blockDim.x * blockDim.y * blockDim.z) * (gridDim.x * gridDim.y * gridDim.z);
    }
    static __device__ unsigned long long num_threads() { return size(); }
    static __device__ unsigned long long block_rank() {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static __device__ unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static __device__ unsigned long long thread_rank() {
        const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + in_block;
    }
    static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};

__device__ inline grid_group this_grid() { return grid_group(); }

struct coalesced_group : thread_group {
    unsigned __group_rank;
    unsigned __num_groups;

    __device__ coalesced_group(unsigned mask, unsigned rank, unsigned num) {
        __kind = __of_lanes;
        __mask = mask;
        __num = __popc(mask);
        __group_rank = rank;
        __num_groups = num;
    }
    __device__ void sync() const { __syncwarp(__mask); }
    __device__ unsigned size() const { return __num; }
    __device__ unsigned num_threads() const { return __num; }
    __device__ unsigned thread_rank() const { return __popc(__mask & __lanes_below()); }
    __device__ unsigned meta_group_rank() const { return __group_rank; }
    __device__ unsigned meta_group_size() const { return __num_groups; }

    template <typename T> __device__ T shfl(T value, unsigned rank) const {
        const unsigned mask = __mask, lane = __lane_of_rank(__mask, rank % __num);
        return __exchanged(value, [=](auto word) { return __shfl_sync(mask, word, lane, 32); });
    }
    template <typename T> __device__ T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        const unsigned mask = __mask, lane = __lane_of_rank(__mask, rank < delta ? rank : rank - delta);
        return __exchanged(value, [=](auto word) { return __shfl_sync(mask, word, lane, 32); });
    }
    template <typename T> __device__ T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        const unsigned mask = __mask, lane = __lane_of_rank(__mask, rank + delta < __num ? rank + delta : rank);
        return __exchanged(value, [=](auto word) { return __shfl_sync(mask, word, lane, 32); });
    }
    __device__ int any(int predicate) const { return __ballot_sync(__mask, predicate) != 0; }
    __device__ int all(int predicate) const { return __ballot_sync(__mask, predicate) == __mask; }
    __device__ unsigned ballot(int predicate) const {
        const unsigned lanes = __ballot_sync(__mask, predicate);
        unsigned packed = 0;
        unsigned mask = __mask;
        for (unsigned rank = 0; rank < __num; rank++) {
            packed |= (lanes >> (__ffs(mask) - 1) & 1u) << rank;
            mask &= mask - 1;
        }
        return packed;
    }
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask(), 0, 1); }

template <unsigned int Size, bool HasSeveralWarps> struct __tile;

template <unsigned int Size, typename Parent = void> struct thread_block_tile : thread_block_tile<Size, void> {
    __device__ thread_block_tile(const Parent &parent) {
        this->__group_rank = parent.thread_rank() / Size;
        this->__num_groups = (parent.num_threads() + Size - 1) / Size;
        if constexpr (Size > 32) this->__initialize(parent);
    }
};

template <unsigned int Size> struct thread_block_tile<Size, void> : __tile<Size, (Size > 32)> {
    static_assert(Size >= 1 && Size <= 512 && (Size & (Size - 1)) == 0,
                  "The size of a tile must be a power of two, at most 512");
};

// What the warps of a tile share: the warps that have arrived at its barrier, and a value of each warp.
struct __tile_memory {
    static constexpr unsigned bytes_per_warp = 16;
    unsigned arrived[32];
    unsigned char values[32][bytes_per_warp];
};

// A tile of several warps. The barrier is a counter: the first warp of the tile adds a value that flips the highest
// bit after all warps have added theirs.
template <unsigned int Size> struct __tile<Size, true> : thread_group {
    static constexpr unsigned __num_warps = Size / 32;

    // The index among the tiles of the parent.
    unsigned __group_rank;
    unsigned __num_groups;

    __device__ __tile() {
        __kind = __of_block;
        __mask = 0xffffffffu;
        __num = Size;
    }
    static __device__ __tile_memory *__memory() {
        static __shared__ __tile_memory memory;
        return &memory;
    }
    static __device__ unsigned __warp() { return thread_block::thread_rank() / 32; }
    static __device__ unsigned __first_warp() { return thread_block::thread_rank() / Size * __num_warps; }

    template <typename Parent> __device__ void __initialize(const Parent &parent) const {
        parent.sync();
        if (thread_rank() == 0) __memory()->arrived[__first_warp()] = 0;
        parent.sync();
    }
    static __device__ void sync() {
        __syncwarp();
        if (__lane() == 0) {
            unsigned *const arrived = &__memory()->arrived[__first_warp()];
            const unsigned share = __warp() == __first_warp() ? 0x80000000u - (__num_warps - 1) : 1u;
            __threadfence_block();
            const unsigned before = atomicAdd(arrived, share);
            while (((before ^ atomicOr(arrived, 0u)) & 0x80000000u) == 0) {}
            __threadfence_block();
        }
        __syncwarp();
    }
    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    static __device__ unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    __device__ unsigned meta_group_rank() const { return __group_rank; }
    __device__ unsigned meta_group_size() const { return __num_groups; }

    template <typename T> static __device__ void __write(unsigned warp, const T &value) {
        static_assert(sizeof(T) <= __tile_memory::bytes_per_warp,
                      "Tiles of several warps exchange values of at most 16 bytes");
        memcpy(__memory()->values[warp], &value, sizeof(T));
    }
    template <typename T> static __device__ T __read(unsigned warp) {
        T value;
        memcpy(&value, __memory()->values[warp], sizeof(T));
        return value;
    }
    // Combines a value of each warp.
    template <typename T, typename Op> static __device__ T __combine(T value, Op op) {
        if (__lane() == 0) __write(__warp(), value);
        sync();
        T all = __read<T>(__first_warp());
        for (unsigned warp = 1; warp < __num_warps; warp++) all = op(all, __read<T>(__first_warp() + warp));
        sync();
        return all;
    }
    template <typename T, typename Op> static __device__ T __reduce(T value, Op op) {
        for (int mask = 16; mask > 0; mask /= 2) {
            const T other =
                __exchanged(value, [=](auto word) { return __shfl_xor_sync(0xffffffffu, word, mask, 32); });
            value = op(value, other);
        }
        return __combine(value, op);
    }
    template <typename T> static __device__ T shfl(T value, int rank) {
        if (thread_rank() == rank % Size) __write(__first_warp(), value);
        sync();
        const T all = __read<T>(__first_warp());
        sync();
        return all;
    }
    static __device__ int any(int predicate) {
        return __combine((int)(__ballot_sync(0xffffffffu, predicate) != 0), [](int a, int b) { return a | b; });
    }
    static __device__ int all(int predicate) {
        return __combine((int)(__ballot_sync(0xffffffffu, predicate) == 0xffffffffu),
                         [](int a, int b) { return a & b; });
    }
};

// A tile within a warp.
template <unsigned int Size> struct __tile<Size, false> : thread_group {
    // The index among the tiles of the parent.
    unsigned __group_rank;
    unsigned __num_groups;

    __device__ __tile() {
        __group_rank = thread_block::thread_rank() / Size;
        __num_groups = (thread_block::num_threads() + Size - 1) / Size;
        __kind = __of_lanes;
        __mask = __tile_mask();
        __num = Size;
    }
    static __device__ unsigned __tile_mask() {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (__lane() / Size * Size);
    }
    static __device__ void sync() { __syncwarp(__tile_mask()); }
    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    static __device__ unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    __device__ unsigned meta_group_rank() const { return __group_rank; }
    __device__ unsigned meta_group_size() const { return __num_groups; }

    template <typename T> static __device__ T shfl(T value, int rank) {
        return __exchanged(value, [=](auto word) { return __shfl_sync(__tile_mask(), word, rank, Size); });
    }
    template <typename T> static __device__ T shfl_up(T value, int delta) {
        return __exchanged(value, [=](auto word) { return __shfl_up_sync(__tile_mask(), word, delta, Size); });
    }
    template <typename T> static __device__ T shfl_down(T value, int delta) {
        return __exchanged(value, [=](auto word) { return __shfl_down_sync(__tile_mask(), word, delta, Size); });
    }
    template <typename T> static __device__ T shfl_xor(T value, int mask) {
        return __exchanged(value, [=](auto word) { return __shfl_xor_sync(__tile_mask(), word, mask, Size); });
    }
    static __device__ int any(int predicate) { return (__ballot_sync(__tile_mask(), predicate) & __tile_mask()) != 0; }
    static __device__ int all(int predicate) {
        return (__ballot_sync(__tile_mask(), predicate) & __tile_mask()) == __tile_mask();
    }
    static __device__ unsigned ballot(int predicate) {
        return (__ballot_sync(__tile_mask(), predicate) & __tile_mask()) >> (__lane() / Size * Size);
    }
    template <typename T> static __device__ unsigned match_any(T value) {
        return (__match_any_sync(__tile_mask(), value) & __tile_mask()) >> (__lane() / Size * Size);
    }
    template <typename T> static __device__ unsigned match_all(T value, int &is_equal) {
        return (__match_all_sync(__tile_mask(), value, &is_equal) & __tile_mask()) >> (__lane() / Size * Size);
    }
};

template <unsigned int Size, typename Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
    return thread_block_tile<Size, Parent>(parent);
}

// Tiles of a group by rank: `size` consecutive lanes each.
__device__ inline thread_group tiled_partition(const thread_group &parent, unsigned size) {
    thread_group tile;
    tile.__kind = __of_lanes;
    tile.__num = size;
    if (parent.__kind == __of_lanes) {
        const unsigned rank = __popc(parent.__mask & __lanes_below());
        const unsigned first = rank / size * size;
        unsigned mask = 0, num = 0;
        for (unsigned idx = first; idx < first + size && idx < parent.__num; idx++) {
            mask |= 1u << __lane_of_rank(parent.__mask, idx);
            num++;
        }
        tile.__mask = mask;
        tile.__num = num;
    } else {
        tile.__mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (__lane() / size * size);
    }
    return tile;
}

__device__ inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
    const thread_group whole = parent;
    const thread_group tile = tiled_partition(whole, size);
    return coalesced_group(tile.__mask, parent.thread_rank() / size, (parent.size() + size - 1) / size);
}

template <unsigned int Size> __device__ coalesced_group tiled_partition(const coalesced_group &parent) {
    return tiled_partition(parent, Size);
}

template <typename Group, typename Label>
__device__ coalesced_group labeled_partition(const Group &group, Label label) {
    const unsigned active = group.__mask;
    const unsigned mask = __match_any_sync(active, label);
    // The first lane determines the number of a group.
    const bool is_leader = (mask & __lanes_below()) == 0;
    const unsigned leaders = __ballot_sync(active, is_leader);
    const unsigned first = __ffs(mask) - 1;
    return coalesced_group(mask, __popc(leaders & ((1u << first) - 1)), __popc(leaders));
}

template <typename Group> __device__ coalesced_group binary_partition(const Group &group, bool predicate) {
    return labeled_partition(group, (int)predicate);
}

template <typename Group> __device__ void sync(const Group &group) { group.sync(); }
template <typename Group> __device__ unsigned thread_rank(const Group &group) { return group.thread_rank(); }
template <typename Group> __device__ unsigned group_size(const Group &group) { return group.size(); }

}  // namespace cooperative_groups
