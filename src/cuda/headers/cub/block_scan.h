// CUB: scans of a block. NVIDIA CCCL documentation, "CUB: Block-wide collectives", cub::BlockScan.

#include "cub/block_reduce.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace detail {

// A scan in each warp; then each thread combines the totals of the preceding warps.
template <typename T, int X, int Y, int Z> struct scan_by_warps {
    static constexpr int num_threads = X * Y * Z;
    static constexpr int num_warps = (num_threads + 31) / 32;
    struct alignas(32) storage {
        T warp_aggregates[num_warps];
        char warp_scan[num_warps];
        T block_prefix;
    };
    typedef cub::WarpScan<T, 32> scanner;

    template <typename Op>
    static __device__ T prefix_of_warp(storage &temp, Op op, T warp_total, T &aggregate) {
        const unsigned thread = detail::thread_of_block<X, Y, Z>();
        const unsigned warp = num_warps == 1 ? 0 : thread / 32;
        if (thread % 32 == 31) temp.warp_aggregates[warp] = warp_total;
        __syncthreads();
        T total = temp.warp_aggregates[0];
        T prefix = total;
#pragma unroll
        for (int idx = 1; idx < num_warps; idx++) {
            if (warp == idx) prefix = total;
            total = op(total, temp.warp_aggregates[idx]);
        }
        aggregate = total;
        return prefix;
    }
    template <bool HasAggregate, typename Op>
    static __device__ void inclusive(detail::flag<HasAggregate> has_aggregate, storage &temp, T input, T &out,
                                     Op op, T &aggregate) {
        const unsigned warp = num_warps == 1 ? 0 : detail::thread_of_block<X, Y, Z>() / 32;
        typename scanner::TempStorage none;
        T scanned;
        scanner(none).InclusiveScan(input, scanned, op);
        const T prefix = prefix_of_warp(temp, op, scanned, aggregate);
        if (warp != 0) scanned = op(prefix, scanned);
        out = scanned;
    }
    template <bool HasAggregate, typename Op>
    static __device__ void exclusive(detail::flag<HasAggregate> has_aggregate, storage &temp, T input, T &out,
                                     Op op, T &aggregate) {
        const unsigned thread = detail::thread_of_block<X, Y, Z>();
        const unsigned warp = num_warps == 1 ? 0 : thread / 32;
        typename scanner::TempStorage none;
        T scanned, before;
        scanner(none).Scan(input, scanned, before, op);
        const T prefix = prefix_of_warp(temp, op, scanned, aggregate);
        if (warp != 0) {
            before = op(prefix, before);
            if (thread % 32 == 0) before = prefix;
        }
        out = before;
    }
    template <bool HasAggregate, typename Op>
    static __device__ void exclusive_from(detail::flag<HasAggregate> has_aggregate, storage &temp, T input,
                                          T &out, T initial, Op op, T &aggregate) {
        const unsigned thread = detail::thread_of_block<X, Y, Z>();
        const unsigned warp = num_warps == 1 ? 0 : thread / 32;
        typename scanner::TempStorage none;
        T scanned, before;
        scanner(none).Scan(input, scanned, before, op);
        T prefix = prefix_of_warp(temp, op, scanned, aggregate);
        prefix = op(initial, prefix);
        if (warp == 0) prefix = initial;
        before = op(prefix, before);
        if (thread % 32 == 0) before = prefix;
        out = before;
    }
    // The first warp calls the prefix callback of the block.
    template <typename Callback>
    static __device__ T prefix_of_block(storage &temp, T aggregate, Callback &callback) {
        const unsigned thread = detail::thread_of_block<X, Y, Z>();
        if (thread < 32) {
            const T prefix = callback(aggregate);
            if (thread == 0) temp.block_prefix = prefix;
        }
        __syncthreads();
        return temp.block_prefix;
    }
    template <typename Op, typename Callback>
    static __device__ void inclusive_after(storage &temp, T input, T &out, Op op, Callback &callback) {
        T aggregate, scanned;
        inclusive(detail::flag<true>(), temp, input, scanned, op, aggregate);
        const T prefix = prefix_of_block(temp, aggregate, callback);
        out = op(prefix, scanned);
    }
    template <typename Op, typename Callback>
    static __device__ void exclusive_after(storage &temp, T input, T &out, Op op, Callback &callback) {
        T aggregate, before;
        exclusive(detail::flag<true>(), temp, input, before, op, aggregate);
        const T prefix = prefix_of_block(temp, aggregate, callback);
        out = detail::thread_of_block<X, Y, Z>() == 0 ? prefix : op(prefix, before);
    }
};

// One warp rakes: it reduces segments, scans the sums, and scans each segment.
template <typename T, int X, int Y, int Z, bool IsMemoized> struct scan_by_raking {
    static constexpr int num_threads = X * Y * Z;
    typedef detail::raking<T, num_threads> layout;
    static constexpr int length = layout::length;
    struct storage {
        char warp_scan;
        typename layout::grid grid;
        T block_aggregate;
    };
    typedef cub::WarpScan<T, layout::num_threads> scanner;

    template <typename Op> static __device__ T sum_of_segment(const T *segment, T (&items)[length], Op op) {
        const int thread = detail::thread_of_block<X, Y, Z>();
#pragma unroll
        for (int idx = 0; idx < length; idx++) items[idx] = segment[idx];
        T total = items[0];
#pragma unroll
        for (int idx = 1; idx < length; idx++) {
            if (layout::is_even || thread * length + idx < num_threads) total = op(total, items[idx]);
        }
        return total;
    }
    template <bool IsInclusive, typename Op>
    static __device__ void scan_segment(detail::flag<IsInclusive> is_inclusive, T *segment, T (&items)[length], Op op,
                                        T prefix, bool apply_prefix) {
        if constexpr (!IsMemoized) {
#pragma unroll
            for (int idx = 0; idx < length; idx++) items[idx] = segment[idx];
        }
        if constexpr (IsInclusive) cub::internal::ThreadScanInclusive(items, items, op, prefix, apply_prefix);
        else cub::internal::ThreadScanExclusive(items, items, op, prefix, apply_prefix);
#pragma unroll
        for (int idx = 0; idx < length; idx++) segment[idx] = items[idx];
    }
    template <bool IsInclusive, bool HasInitial, bool HasAggregate, typename Op>
    static __device__ void scan(detail::flag<IsInclusive> is_inclusive, detail::flag<HasInitial> has_initial,
                                detail::flag<HasAggregate> has_aggregate, storage &temp, T input, T &out, T initial,
                                Op op, T &aggregate) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        typename scanner::TempStorage none;
        T through, before;
        if constexpr (num_threads <= 32) {
            scanner in_warp(none);
            if constexpr (HasInitial && HasAggregate) in_warp.ExclusiveScan(input, out, initial, op, aggregate);
            else if constexpr (HasInitial) in_warp.ExclusiveScan(input, out, initial, op);
            else if constexpr (IsInclusive && HasAggregate) in_warp.InclusiveScan(input, out, op, aggregate);
            else if constexpr (IsInclusive) in_warp.InclusiveScan(input, out, op);
            else if constexpr (HasAggregate) in_warp.ExclusiveScan(input, out, op, aggregate);
            else in_warp.ExclusiveScan(input, out, op);
            return;
        }
        T *own = &temp.grid.items[layout::place(thread)];
        *own = input;
        __syncthreads();
        if (thread < layout::num_threads) {
            T *segment = &temp.grid.items[layout::first(thread)];
            T items[length];
            const T total = sum_of_segment(segment, items, op);
            if constexpr (HasInitial) scanner(none).ExclusiveScan(total, before, initial, op, through);
            else scanner(none).Scan(total, through, before, op);
            scan_segment(is_inclusive, segment, items, op, before, HasInitial || thread != 0);
            if constexpr (HasAggregate) {
                if (thread == layout::num_threads - 1) temp.block_aggregate = through;
            }
        }
        __syncthreads();
        out = *own;
        if constexpr (HasAggregate) aggregate = temp.block_aggregate;
    }
    template <bool HasAggregate, typename Op>
    static __device__ void inclusive(detail::flag<HasAggregate> has_aggregate, storage &temp, T input, T &out,
                                     Op op, T &aggregate) {
        scan(detail::flag<true>(), detail::flag<false>(), has_aggregate, temp, input, out, input, op, aggregate);
    }
    template <bool HasAggregate, typename Op>
    static __device__ void exclusive(detail::flag<HasAggregate> has_aggregate, storage &temp, T input, T &out,
                                     Op op, T &aggregate) {
        scan(detail::flag<false>(), detail::flag<false>(), has_aggregate, temp, input, out, input, op,
             aggregate);
    }
    template <bool HasAggregate, typename Op>
    static __device__ void exclusive_from(detail::flag<HasAggregate> has_aggregate, storage &temp, T input,
                                          T &out, T initial, Op op, T &aggregate) {
        scan(detail::flag<false>(), detail::flag<true>(), has_aggregate, temp, input, out, initial, op,
             aggregate);
    }
    template <bool IsInclusive, typename Op, typename Callback>
    static __device__ void scan_after(detail::flag<IsInclusive> is_inclusive, storage &temp, T input, T &out, Op op,
                                      Callback &callback) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        T *own = &temp.grid.items[layout::place(thread)];
        *own = input;
        __syncthreads();
        if (thread < layout::num_threads) {
            T *segment = &temp.grid.items[layout::first(thread)];
            T items[length];
            const T total = sum_of_segment(segment, items, op);
            typename scanner::TempStorage none;
            T before, aggregate;
            scanner(none).ExclusiveScan(total, before, op, aggregate);
            T prefix = callback(aggregate);
            prefix = scanner(none).Broadcast(prefix, 0);
            const T start = thread == 0 ? prefix : op(prefix, before);
            scan_segment(is_inclusive, segment, items, op, start, true);
        }
        __syncthreads();
        out = *own;
    }
    template <typename Op, typename Callback>
    static __device__ void inclusive_after(storage &temp, T input, T &out, Op op, Callback &callback) {
        scan_after(detail::flag<true>(), temp, input, out, op, callback);
    }
    template <typename Op, typename Callback>
    static __device__ void exclusive_after(storage &temp, T input, T &out, Op op, Callback &callback) {
        scan_after(detail::flag<false>(), temp, input, out, op, callback);
    }
};

// Warp scans require full warps.
template <typename T, int X, int Y, int Z, int Algorithm> struct block_scan {
    typedef detail::scan_by_raking<T, X, Y, Z, Algorithm == 1> type;
};
template <typename T, int X, int Y, int Z> struct block_scan<T, X, Y, Z, 2> {
    typedef detail::scan_by_warps<T, X, Y, Z> type;
};

}  // namespace detail

template <typename T, int X, cub::BlockScanAlgorithm Algorithm = cub::BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int LegacyArch = 0>
struct BlockScan {
    typedef typename detail::block_scan<T, X, Y, Z, (X * Y * Z % 32 == 0 ? (int)Algorithm : 0)>::type __way;
    struct TempStorage : __way::storage {};
    TempStorage *__storage;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockScan() : __storage(&__own()) {}
    __device__ BlockScan(TempStorage &storage) : __storage(&storage) {}

    // Sums of one item per thread.
    __device__ void ExclusiveSum(T input, T &out) {
        T aggregate;
        ExclusiveSum(input, out, aggregate);
    }
    __device__ void ExclusiveSum(T input, T &out, T &aggregate) {
        __way::exclusive_from(detail::flag<true>(), *__storage, input, out, T(), cub::Sum(), aggregate);
    }
    template <typename Callback> __device__ void ExclusiveSum(T input, T &out, Callback &callback) {
        __way::exclusive_after(*__storage, input, out, cub::Sum(), callback);
    }
    __device__ void InclusiveSum(T input, T &out) {
        T aggregate;
        __way::inclusive(detail::flag<false>(), *__storage, input, out, cub::Sum(), aggregate);
    }
    __device__ void InclusiveSum(T input, T &out, T &aggregate) {
        __way::inclusive(detail::flag<true>(), *__storage, input, out, cub::Sum(), aggregate);
    }
    template <typename Callback> __device__ void InclusiveSum(T input, T &out, Callback &callback) {
        __way::inclusive_after(*__storage, input, out, cub::Sum(), callback);
    }
    // Sums of several items per thread.
    template <int Num> __device__ void ExclusiveSum(T (&input)[Num], T (&out)[Num]) {
        ExclusiveScan(input, out, T(), cub::Sum());
    }
    template <int Num> __device__ void ExclusiveSum(T (&input)[Num], T (&out)[Num], T &aggregate) {
        ExclusiveScan(input, out, T(), cub::Sum(), aggregate);
    }
    template <int Num, typename Callback>
    __device__ void ExclusiveSum(T (&input)[Num], T (&out)[Num], Callback &callback) {
        ExclusiveScan(input, out, cub::Sum(), callback);
    }
    template <int Num> __device__ void InclusiveSum(T (&input)[Num], T (&out)[Num]) {
        InclusiveScan(input, out, cub::Sum());
    }
    template <int Num> __device__ void InclusiveSum(T (&input)[Num], T (&out)[Num], T &aggregate) {
        InclusiveScan(input, out, cub::Sum(), aggregate);
    }
    template <int Num, typename Callback>
    __device__ void InclusiveSum(T (&input)[Num], T (&out)[Num], Callback &callback) {
        InclusiveScan(input, out, cub::Sum(), callback);
    }
    // Scans of one item per thread.
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, T initial, Op op) {
        T aggregate;
        __way::exclusive_from(detail::flag<false>(), *__storage, input, out, initial, op, aggregate);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, T initial, Op op, T &aggregate) {
        __way::exclusive_from(detail::flag<true>(), *__storage, input, out, initial, op, aggregate);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, Op op) {
        T aggregate;
        __way::exclusive(detail::flag<false>(), *__storage, input, out, op, aggregate);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, Op op, T &aggregate) {
        __way::exclusive(detail::flag<true>(), *__storage, input, out, op, aggregate);
    }
    template <typename Op, typename Callback>
    __device__ void ExclusiveScan(T input, T &out, Op op, Callback &callback) {
        __way::exclusive_after(*__storage, input, out, op, callback);
    }
    template <typename Op> __device__ void InclusiveScan(T input, T &out, Op op) {
        T aggregate;
        __way::inclusive(detail::flag<false>(), *__storage, input, out, op, aggregate);
    }
    template <typename Op> __device__ void InclusiveScan(T input, T &out, Op op, T &aggregate) {
        __way::inclusive(detail::flag<true>(), *__storage, input, out, op, aggregate);
    }
    template <typename Op, typename Callback>
    __device__ void InclusiveScan(T input, T &out, Op op, Callback &callback) {
        __way::inclusive_after(*__storage, input, out, op, callback);
    }
    // Scans of several items per thread: of the threads' totals, then of each thread's items.
    template <int Num, typename Op>
    __device__ void ExclusiveScan(T (&input)[Num], T (&out)[Num], T initial, Op op) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, initial, op);
        cub::internal::ThreadScanExclusive(input, out, op, before);
    }
    template <int Num, typename Op>
    __device__ void ExclusiveScan(T (&input)[Num], T (&out)[Num], T initial, Op op, T &aggregate) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, initial, op, aggregate);
        cub::internal::ThreadScanExclusive(input, out, op, before);
    }
    template <int Num, typename Op> __device__ void ExclusiveScan(T (&input)[Num], T (&out)[Num], Op op) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, op);
        cub::internal::ThreadScanExclusive(input, out, op, before, detail::thread_of_block<X, Y, Z>() != 0);
    }
    template <int Num, typename Op>
    __device__ void ExclusiveScan(T (&input)[Num], T (&out)[Num], Op op, T &aggregate) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, op, aggregate);
        cub::internal::ThreadScanExclusive(input, out, op, before, detail::thread_of_block<X, Y, Z>() != 0);
    }
    template <int Num, typename Op, typename Callback>
    __device__ void ExclusiveScan(T (&input)[Num], T (&out)[Num], Op op, Callback &callback) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, op, callback);
        cub::internal::ThreadScanExclusive(input, out, op, before);
    }
    template <int Num, typename Op> __device__ void InclusiveScan(T (&input)[Num], T (&out)[Num], Op op) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, op);
        cub::internal::ThreadScanInclusive(input, out, op, before, detail::thread_of_block<X, Y, Z>() != 0);
    }
    template <int Num, typename Op>
    __device__ void InclusiveScan(T (&input)[Num], T (&out)[Num], Op op, T &aggregate) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, op, aggregate);
        cub::internal::ThreadScanInclusive(input, out, op, before, detail::thread_of_block<X, Y, Z>() != 0);
    }
    template <int Num, typename Op, typename Callback>
    __device__ void InclusiveScan(T (&input)[Num], T (&out)[Num], Op op, Callback &callback) {
        T before = cub::internal::reduce_items<Num>(input, op);
        ExclusiveScan(before, before, op, callback);
        cub::internal::ThreadScanInclusive(input, out, op, before);
    }
};

}  // namespace cub
