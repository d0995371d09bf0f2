// CUB: block-wide loads, stores, and exchanges. NVIDIA CCCL documentation, "CUB: Block-wide
// collectives", cub::BlockLoad, BlockStore, BlockExchange, BlockShuffle, BlockAdjacentDifference, BlockDiscontinuity.

#include "cub/warp.h"

namespace cub {

// Blocked arrangement: the items of a thread are consecutive.
template <typename T, int Num, typename It> __device__ void LoadDirectBlocked(int thread, It from, T (&items)[Num]) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) items[idx] = from[thread * Num + idx];
}
template <typename T, int Num, typename It>
__device__ void LoadDirectBlocked(int thread, It from, T (&items)[Num], int num_valid) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) {
        if (thread * Num + idx < num_valid) items[idx] = from[thread * Num + idx];
    }
}
template <typename T, typename Default, int Num, typename It>
__device__ void LoadDirectBlocked(int thread, It from, T (&items)[Num], int num_valid, Default oob) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) items[idx] = oob;
    LoadDirectBlocked(thread, from, items, num_valid);
}
template <typename T, int Num, typename It> __device__ void StoreDirectBlocked(int thread, It to, T (&items)[Num]) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) to[thread * Num + idx] = items[idx];
}
template <typename T, int Num, typename It>
__device__ void StoreDirectBlocked(int thread, It to, T (&items)[Num], int num_valid) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) {
        if (thread * Num + idx < num_valid) to[thread * Num + idx] = items[idx];
    }
}
// Striped arrangement: the stride between items of a thread is the block size.
template <int Threads, typename T, int Num, typename It>
__device__ void LoadDirectStriped(int thread, It from, T (&items)[Num]) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) items[idx] = from[thread + idx * Threads];
}
template <int Threads, typename T, int Num, typename It>
__device__ void LoadDirectStriped(int thread, It from, T (&items)[Num], int num_valid) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) {
        if (thread + idx * Threads < num_valid) items[idx] = from[thread + idx * Threads];
    }
}
template <int Threads, typename T, typename Default, int Num, typename It>
__device__ void LoadDirectStriped(int thread, It from, T (&items)[Num], int num_valid, Default oob) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) items[idx] = oob;
    LoadDirectStriped<Threads>(thread, from, items, num_valid);
}
template <int Threads, typename T, int Num, typename It>
__device__ void StoreDirectStriped(int thread, It to, T (&items)[Num]) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) to[thread + idx * Threads] = items[idx];
}
template <int Threads, typename T, int Num, typename It>
__device__ void StoreDirectStriped(int thread, It to, T (&items)[Num], int num_valid) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) {
        if (thread + idx * Threads < num_valid) to[thread + idx * Threads] = items[idx];
    }
}
// Warp-striped arrangement: the stride between items of a thread is the warp size, and a warp's items are consecutive.
template <typename T, int Num, typename It>
__device__ void LoadDirectWarpStriped(int thread, It from, T (&items)[Num]) {
    const int first = thread / 32 * 32 * Num + thread % 32;
#pragma unroll
    for (int idx = 0; idx < Num; idx++) items[idx] = from[first + idx * 32];
}
template <typename T, int Num, typename It>
__device__ void LoadDirectWarpStriped(int thread, It from, T (&items)[Num], int num_valid) {
    const int first = thread / 32 * 32 * Num + thread % 32;
#pragma unroll
    for (int idx = 0; idx < Num; idx++) {
        if (first + idx * 32 < num_valid) items[idx] = from[first + idx * 32];
    }
}
template <typename T, typename Default, int Num, typename It>
__device__ void LoadDirectWarpStriped(int thread, It from, T (&items)[Num], int num_valid, Default oob) {
#pragma unroll
    for (int idx = 0; idx < Num; idx++) items[idx] = oob;
    LoadDirectWarpStriped(thread, from, items, num_valid);
}
template <typename T, int Num, typename It>
__device__ void StoreDirectWarpStriped(int thread, It to, T (&items)[Num]) {
    const int first = thread / 32 * 32 * Num + thread % 32;
#pragma unroll
    for (int idx = 0; idx < Num; idx++) to[first + idx * 32] = items[idx];
}
template <typename T, int Num, typename It>
__device__ void StoreDirectWarpStriped(int thread, It to, T (&items)[Num], int num_valid) {
    const int first = thread / 32 * 32 * Num + thread % 32;
#pragma unroll
    for (int idx = 0; idx < Num; idx++) {
        if (first + idx * 32 < num_valid) to[first + idx * 32] = items[idx];
    }
}

// Padded to avoid bank conflicts.
template <typename T, int X, int ItemsPerThread, bool WarpTimeSlicing = false, int Y = 1, int Z = 1,
          int LegacyArch = 0>
struct BlockExchange {
    static constexpr int __num_threads = X * Y * Z;
    static constexpr bool __is_padded = ItemsPerThread > 4 && (ItemsPerThread & (ItemsPerThread - 1)) == 0;
    struct alignas(16) TempStorage {
        T buff[__num_threads * ItemsPerThread + (__is_padded ? __num_threads * ItemsPerThread / 32 : 0)];
    };
    TempStorage *__storage;
    unsigned __thread;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockExchange() : __storage(&__own()), __thread(detail::thread_of_block<X, Y, Z>()) {}
    __device__ BlockExchange(TempStorage &storage)
        : __storage(&storage), __thread(detail::thread_of_block<X, Y, Z>()) {}

    static __device__ int __at(int item) { return __is_padded ? item + item / 32 : item; }
    __device__ int __blocked(int idx) { return __at(__thread * ItemsPerThread + idx); }
    __device__ int __striped(int idx) { return __at(idx * __num_threads + __thread); }
    __device__ int __warp_striped(int idx) {
        return __at(__thread / 32 * 32 * ItemsPerThread + idx * 32 + __thread % 32);
    }

    template <typename Out>
    __device__ void StripedToBlocked(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) __storage->buff[__striped(idx)] = input[idx];
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__blocked(idx)];
    }
    template <typename Out>
    __device__ void BlockedToStriped(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) __storage->buff[__blocked(idx)] = input[idx];
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__striped(idx)];
    }
    template <typename Out>
    __device__ void WarpStripedToBlocked(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) __storage->buff[__warp_striped(idx)] = input[idx];
        __syncwarp();
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__blocked(idx)];
    }
    template <typename Out>
    __device__ void BlockedToWarpStriped(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) __storage->buff[__blocked(idx)] = input[idx];
        __syncwarp();
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__warp_striped(idx)];
    }
    template <typename Rank>
    __device__ void __scatter(const T (&input)[ItemsPerThread], Rank (&ranks)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) __storage->buff[__at(ranks[idx])] = input[idx];
        __syncthreads();
    }
    template <typename Out, typename Rank>
    __device__ void ScatterToBlocked(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread],
                                     Rank (&ranks)[ItemsPerThread]) {
        __scatter(input, ranks);
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__blocked(idx)];
    }
    template <typename Out, typename Rank>
    __device__ void ScatterToStriped(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread],
                                     Rank (&ranks)[ItemsPerThread]) {
        __scatter(input, ranks);
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__striped(idx)];
    }
    template <typename Out, typename Rank>
    __device__ void ScatterToStripedGuarded(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread],
                                            Rank (&ranks)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) {
            if (ranks[idx] >= 0) __storage->buff[__at(ranks[idx])] = input[idx];
        }
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__striped(idx)];
    }
    template <typename Out, typename Rank, typename Flag>
    __device__ void ScatterToStripedFlagged(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread],
                                            Rank (&ranks)[ItemsPerThread], Flag (&is_valid)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) {
            if (is_valid[idx]) __storage->buff[__at(ranks[idx])] = input[idx];
        }
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->buff[__striped(idx)];
    }
    // In place.
    __device__ void StripedToBlocked(T (&items)[ItemsPerThread]) { StripedToBlocked(items, items); }
    __device__ void BlockedToStriped(T (&items)[ItemsPerThread]) { BlockedToStriped(items, items); }
    __device__ void WarpStripedToBlocked(T (&items)[ItemsPerThread]) { WarpStripedToBlocked(items, items); }
    __device__ void BlockedToWarpStriped(T (&items)[ItemsPerThread]) { BlockedToWarpStriped(items, items); }
    template <typename Rank>
    __device__ void ScatterToBlocked(T (&items)[ItemsPerThread], Rank (&ranks)[ItemsPerThread]) {
        ScatterToBlocked(items, items, ranks);
    }
    template <typename Rank>
    __device__ void ScatterToStriped(T (&items)[ItemsPerThread], Rank (&ranks)[ItemsPerThread]) {
        ScatterToStriped(items, items, ranks);
    }
};

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {
struct no_storage {
    char unused;
};
// 3 and more exchange items through shared memory.
template <typename T, int X, int Num, int Y, int Z, bool Exchanges> struct exchange_storage {
    typedef detail::no_storage type;
};
template <typename T, int X, int Num, int Y, int Z> struct exchange_storage<T, X, Num, Y, Z, true> {
    typedef cub::BlockExchange<T, X, Num, false, Y, Z> exchange;
    typedef typename exchange::TempStorage type;
};
}  // namespace detail

template <typename T, int X, int ItemsPerThread, cub::BlockLoadAlgorithm Algorithm = cub::BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int LegacyArch = 0>
struct BlockLoad {
    static constexpr int __num_threads = X * Y * Z;
    typedef typename detail::exchange_storage<T, X, ItemsPerThread, Y, Z, ((int)Algorithm >= 3)>::type __exchanged;
    struct TempStorage : __exchanged {};
    TempStorage *__storage;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockLoad() : __storage(&__own()) {}
    __device__ BlockLoad(TempStorage &storage) : __storage(&storage) {}

    __device__ void __arrange(T (&items)[ItemsPerThread]) {
        if constexpr ((int)Algorithm >= 3) {
            cub::BlockExchange<T, X, ItemsPerThread, false, Y, Z> exchange(*__storage);
            if constexpr ((int)Algorithm == 3) exchange.StripedToBlocked(items, items);
            else exchange.WarpStripedToBlocked(items, items);
        }
    }
    template <typename It> __device__ void Load(It from, T (&items)[ItemsPerThread]) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        if constexpr ((int)Algorithm == 1 || (int)Algorithm == 3) {
            cub::LoadDirectStriped<__num_threads>(thread, from, items);
        } else if constexpr ((int)Algorithm > 3) cub::LoadDirectWarpStriped(thread, from, items);
        else cub::LoadDirectBlocked(thread, from, items);
        __arrange(items);
    }
    template <typename It> __device__ void Load(It from, T (&items)[ItemsPerThread], int num_valid) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        if constexpr ((int)Algorithm == 1 || (int)Algorithm == 3) {
            cub::LoadDirectStriped<__num_threads>(thread, from, items, num_valid);
        } else if constexpr ((int)Algorithm > 3) cub::LoadDirectWarpStriped(thread, from, items, num_valid);
        else cub::LoadDirectBlocked(thread, from, items, num_valid);
        __arrange(items);
    }
    template <typename It, typename Default>
    __device__ void Load(It from, T (&items)[ItemsPerThread], int num_valid, Default oob) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) items[idx] = oob;
        Load(from, items, num_valid);
    }
};

template <typename T, int X, int ItemsPerThread, cub::BlockStoreAlgorithm Algorithm = cub::BLOCK_STORE_DIRECT,
          int Y = 1, int Z = 1, int LegacyArch = 0>
struct BlockStore {
    static constexpr int __num_threads = X * Y * Z;
    typedef typename detail::exchange_storage<T, X, ItemsPerThread, Y, Z, ((int)Algorithm >= 3)>::type __exchanged;
    struct TempStorage : __exchanged {};
    TempStorage *__storage;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockStore() : __storage(&__own()) {}
    __device__ BlockStore(TempStorage &storage) : __storage(&storage) {}

    __device__ void __arrange(T (&items)[ItemsPerThread]) {
        if constexpr ((int)Algorithm >= 3) {
            cub::BlockExchange<T, X, ItemsPerThread, false, Y, Z> exchange(*__storage);
            if constexpr ((int)Algorithm == 3) exchange.BlockedToStriped(items, items);
            else exchange.BlockedToWarpStriped(items, items);
        }
    }
    template <typename It> __device__ void Store(It to, T (&items)[ItemsPerThread]) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        __arrange(items);
        if constexpr ((int)Algorithm == 1 || (int)Algorithm == 3) {
            cub::StoreDirectStriped<__num_threads>(thread, to, items);
        } else if constexpr ((int)Algorithm > 3) cub::StoreDirectWarpStriped(thread, to, items);
        else cub::StoreDirectBlocked(thread, to, items);
    }
    template <typename It> __device__ void Store(It to, T (&items)[ItemsPerThread], int num_valid) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        __arrange(items);
        if constexpr ((int)Algorithm == 1 || (int)Algorithm == 3) {
            cub::StoreDirectStriped<__num_threads>(thread, to, items, num_valid);
        } else if constexpr ((int)Algorithm > 3) cub::StoreDirectWarpStriped(thread, to, items, num_valid);
        else cub::StoreDirectBlocked(thread, to, items, num_valid);
    }
};

// Items of the previous and next threads.
template <typename T, int X, int Y = 1, int Z = 1, int LegacyArch = 0> struct BlockShuffle {
    static constexpr int __num_threads = X * Y * Z;
    struct TempStorage {
        T prev[__num_threads];
        T next[__num_threads];
    };
    TempStorage *__storage;
    unsigned __thread;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockShuffle() : __storage(&__own()), __thread(detail::thread_of_block<X, Y, Z>()) {}
    __device__ BlockShuffle(TempStorage &storage)
        : __storage(&storage), __thread(detail::thread_of_block<X, Y, Z>()) {}

    __device__ void Offset(T input, T &out, int distance = 1) {
        __storage->prev[__thread] = input;
        __syncthreads();
        const int from = (int)__thread + distance;
        if (from >= 0 && from < __num_threads) out = __storage->prev[from];
    }
    __device__ void Rotate(T input, T &out, unsigned distance = 1) {
        __storage->prev[__thread] = input;
        __syncthreads();
        const unsigned from = __thread + distance;
        out = __storage->prev[from >= __num_threads ? from - __num_threads : from];
    }
    template <int Num> __device__ void Up(T (&input)[Num], T (&prev)[Num]) {
        __storage->prev[__thread] = input[Num - 1];
        __syncthreads();
#pragma unroll
        for (int idx = Num - 1; idx > 0; idx--) prev[idx] = input[idx - 1];
        if (__thread > 0) prev[0] = __storage->prev[__thread - 1];
    }
    template <int Num> __device__ void Up(T (&input)[Num], T (&prev)[Num], T &last) {
        Up(input, prev);
        last = __storage->prev[__num_threads - 1];
    }
    template <int Num> __device__ void Down(T (&input)[Num], T (&next)[Num]) {
        __storage->prev[__thread] = input[0];
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < Num - 1; idx++) next[idx] = input[idx + 1];
        if (__thread < __num_threads - 1) next[Num - 1] = __storage->prev[__thread + 1];
    }
    template <int Num> __device__ void Down(T (&input)[Num], T (&next)[Num], T &first) {
        Down(input, next);
        first = __storage->prev[0];
    }
};

template <typename T, int X, int Y = 1, int Z = 1, int LegacyArch = 0> struct BlockAdjacentDifference {
    static constexpr int __num_threads = X * Y * Z;
    struct TempStorage {
        T first_items[__num_threads];
        T last_items[__num_threads];
    };
    TempStorage *__storage;
    unsigned __thread;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockAdjacentDifference() : __storage(&__own()), __thread(detail::thread_of_block<X, Y, Z>()) {}
    __device__ BlockAdjacentDifference(TempStorage &storage)
        : __storage(&storage), __thread(detail::thread_of_block<X, Y, Z>()) {}

    template <int Num, typename Out, typename Op>
    __device__ void SubtractLeft(T (&input)[Num], Out (&out)[Num], Op op) {
        __storage->last_items[__thread] = input[Num - 1];
        __syncthreads();
#pragma unroll
        for (int idx = Num - 1; idx > 0; idx--) out[idx] = op(input[idx], input[idx - 1]);
        if (__thread == 0) out[0] = input[0];
        else out[0] = op(input[0], __storage->last_items[__thread - 1]);
    }
    template <int Num, typename Out, typename Op>
    __device__ void SubtractLeft(T (&input)[Num], Out (&out)[Num], Op op, T predecessor) {
        __storage->last_items[__thread] = input[Num - 1];
        __syncthreads();
#pragma unroll
        for (int idx = Num - 1; idx > 0; idx--) out[idx] = op(input[idx], input[idx - 1]);
        out[0] = op(input[0], __thread == 0 ? predecessor : __storage->last_items[__thread - 1]);
    }
    template <int Num, typename Out, typename Op>
    __device__ void SubtractLeftPartialTile(T (&input)[Num], Out (&out)[Num], Op op, int num_valid) {
        __storage->last_items[__thread] = input[Num - 1];
        __syncthreads();
        const int first = (int)__thread * Num;
#pragma unroll
        for (int idx = Num - 1; idx > 0; idx--) {
            out[idx] = first + idx < num_valid ? op(input[idx], input[idx - 1]) : input[idx];
        }
        if (__thread == 0 || first >= num_valid) out[0] = input[0];
        else out[0] = op(input[0], __storage->last_items[__thread - 1]);
    }
    template <int Num, typename Out, typename Op>
    __device__ void SubtractRight(T (&input)[Num], Out (&out)[Num], Op op) {
        __storage->first_items[__thread] = input[0];
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < Num - 1; idx++) out[idx] = op(input[idx], input[idx + 1]);
        if (__thread == __num_threads - 1) out[Num - 1] = input[Num - 1];
        else out[Num - 1] = op(input[Num - 1], __storage->first_items[__thread + 1]);
    }
    template <int Num, typename Out, typename Op>
    __device__ void SubtractRight(T (&input)[Num], Out (&out)[Num], Op op, T successor) {
        __storage->first_items[__thread] = input[0];
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < Num - 1; idx++) out[idx] = op(input[idx], input[idx + 1]);
        out[Num - 1] =
            op(input[Num - 1], __thread == __num_threads - 1 ? successor : __storage->first_items[__thread + 1]);
    }
    template <int Num, typename Out, typename Op>
    __device__ void SubtractRightPartialTile(T (&input)[Num], Out (&out)[Num], Op op, int num_valid) {
        __storage->first_items[__thread] = input[0];
        __syncthreads();
        const int first = (int)__thread * Num;
#pragma unroll
        for (int idx = 0; idx < Num - 1; idx++) {
            out[idx] = first + idx + 1 < num_valid ? op(input[idx], input[idx + 1]) : input[idx];
        }
        if (first + Num < num_valid && __thread < __num_threads - 1) {
            out[Num - 1] = op(input[Num - 1], __storage->first_items[__thread + 1]);
        } else out[Num - 1] = input[Num - 1];
    }
};

// Flags for items that differ from their neighbors.
template <typename T, int X, int Y = 1, int Z = 1, int LegacyArch = 0> struct BlockDiscontinuity {
    static constexpr int __num_threads = X * Y * Z;
    struct TempStorage {
        T first_items[__num_threads];
        T last_items[__num_threads];
    };
    TempStorage *__storage;
    unsigned __thread;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockDiscontinuity() : __storage(&__own()), __thread(detail::thread_of_block<X, Y, Z>()) {}
    __device__ BlockDiscontinuity(TempStorage &storage)
        : __storage(&storage), __thread(detail::thread_of_block<X, Y, Z>()) {}

    template <int Num, typename Flag, typename Op>
    __device__ void __head_flags(Flag (&flags)[Num], T (&input)[Num], Op op) {
#pragma unroll
        for (int idx = 1; idx < Num; idx++) flags[idx] = op(input[idx - 1], input[idx]);
    }
    template <int Num, typename Flag, typename Op>
    __device__ void __tail_flags(Flag (&flags)[Num], T (&input)[Num], Op op) {
#pragma unroll
        for (int idx = 0; idx < Num - 1; idx++) flags[idx] = op(input[idx], input[idx + 1]);
    }
    template <int Num, typename Flag, typename Op>
    __device__ void FlagHeads(Flag (&heads)[Num], T (&input)[Num], Op op) {
        __storage->last_items[__thread] = input[Num - 1];
        __syncthreads();
        heads[0] = __thread == 0 ? (Flag)1 : (Flag)op(__storage->last_items[__thread - 1], input[0]);
        __head_flags(heads, input, op);
    }
    template <int Num, typename Flag, typename Op>
    __device__ void FlagHeads(Flag (&heads)[Num], T (&input)[Num], Op op, T predecessor) {
        __storage->last_items[__thread] = input[Num - 1];
        __syncthreads();
        heads[0] = op(__thread == 0 ? predecessor : __storage->last_items[__thread - 1], input[0]);
        __head_flags(heads, input, op);
    }
    template <int Num, typename Flag, typename Op>
    __device__ void FlagTails(Flag (&tails)[Num], T (&input)[Num], Op op) {
        __storage->first_items[__thread] = input[0];
        __syncthreads();
        tails[Num - 1] =
            __thread == __num_threads - 1 ? (Flag)1 : (Flag)op(input[Num - 1], __storage->first_items[__thread + 1]);
        __tail_flags(tails, input, op);
    }
    template <int Num, typename Flag, typename Op>
    __device__ void FlagTails(Flag (&tails)[Num], T (&input)[Num], Op op, T successor) {
        __storage->first_items[__thread] = input[0];
        __syncthreads();
        tails[Num - 1] =
            op(input[Num - 1], __thread == __num_threads - 1 ? successor : __storage->first_items[__thread + 1]);
        __tail_flags(tails, input, op);
    }
    template <int Num, typename Flag, typename Op>
    __device__ void FlagHeadsAndTails(Flag (&heads)[Num], Flag (&tails)[Num], T (&input)[Num], Op op) {
        __storage->first_items[__thread] = input[0];
        __storage->last_items[__thread] = input[Num - 1];
        __syncthreads();
        heads[0] = __thread == 0 ? (Flag)1 : (Flag)op(__storage->last_items[__thread - 1], input[0]);
        tails[Num - 1] =
            __thread == __num_threads - 1 ? (Flag)1 : (Flag)op(input[Num - 1], __storage->first_items[__thread + 1]);
        __head_flags(heads, input, op);
        __tail_flags(tails, input, op);
    }
};

}  // namespace cub
