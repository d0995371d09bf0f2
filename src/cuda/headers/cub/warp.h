// CUB: functions of a warp, or of groups of its lanes. NVIDIA CCCL documentation, "CUB: Warp-wide collectives".

#include "cub/util.h"

namespace cub {

namespace detail {
// Reduces the values up to the last valid lane. Only the result of the first lane is defined.
template <int WarpThreads, bool AllValid, typename T, typename Op>
__device__ T warp_reduce(T input, int last, Op op, unsigned mask) {
    const int lane = detail::lane() % WarpThreads;
#pragma unroll
    for (int offset = 1; offset < WarpThreads; offset *= 2) {
        const T other = detail::shuffle<0>(input, offset, 32, mask);
        // Values of lanes beyond the last valid lane do not affect a valid lane.
        if constexpr (AllValid && WarpThreads == 32 && is_sum<Op>::value && number<T>::kind != 0) {
            input = op(input, other);
        } else {
            if (lane + offset <= last) input = op(input, other);
        }
    }
    return input;
}
}  // namespace detail

template <typename T, int WarpThreads = 32> struct WarpReduce {
    struct TempStorage {
        char unused;
    };
    __device__ WarpReduce(TempStorage &storage) {}

    static __device__ unsigned __mask() { return cub::WarpMask<WarpThreads>(detail::lane() / WarpThreads); }
    __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
    __device__ T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
    template <int Num> __device__ T Sum(const T (&input)[Num]) { return Reduce(input, cub::Sum()); }
    __device__ T Max(T input) { return Reduce(input, cub::Max()); }
    __device__ T Min(T input) { return Reduce(input, cub::Min()); }
    template <typename Op> __device__ T Reduce(T input, Op op) {
        return detail::warp_reduce<WarpThreads, true, T, Op>(input, WarpThreads - 1, op, __mask());
    }
    template <int Num, typename Op> __device__ T Reduce(const T (&input)[Num], Op op) {
        return Reduce(cub::internal::reduce_items<Num>(input, op), op);
    }
    template <typename Op> __device__ T Reduce(T input, Op op, int num_valid) {
        return detail::warp_reduce<WarpThreads, false, T, Op>(input, num_valid - 1, op, __mask());
    }
    template <bool IsHead, typename Flag, typename Op> __device__ T __segmented(T input, Flag flag, Op op) {
        const unsigned lane = detail::lane(), mask = __mask();
        unsigned ends = __ballot_sync(mask, (int)flag);
        if (IsHead) ends >>= 1;
        ends &= ~((1u << lane) - 1);
        if (WarpThreads != 32) ends = (ends & mask) >> lane / WarpThreads * WarpThreads;
        ends |= 1u << WarpThreads - 1;
        return detail::warp_reduce<WarpThreads, false, T, Op>(input, __clz(__brev(ends)), op, mask);
    }
    template <typename Flag> __device__ T HeadSegmentedSum(T input, Flag head) {
        return __segmented<true>(input, head, cub::Sum());
    }
    template <typename Flag> __device__ T TailSegmentedSum(T input, Flag tail) {
        return __segmented<false>(input, tail, cub::Sum());
    }
    template <typename Op, typename Flag> __device__ T HeadSegmentedReduce(T input, Flag head, Op op) {
        return __segmented<true>(input, head, op);
    }
    template <typename Op, typename Flag> __device__ T TailSegmentedReduce(T input, Flag tail, Op op) {
        return __segmented<false>(input, tail, op);
    }
};

template <typename T> struct WarpReduce<T, 1> {
    struct TempStorage {
        char unused;
    };
    __device__ WarpReduce(TempStorage &storage) {}
    __device__ T Sum(T input) { return input; }
    __device__ T Sum(T input, int num_valid) { return input; }
    template <typename Op> __device__ T Reduce(T input, Op op) { return input; }
    template <typename Op> __device__ T Reduce(T input, Op op, int num_valid) { return input; }
};

template <typename T, int WarpThreads = 32> struct WarpScan {
    struct TempStorage {
        char unused;
    };
    unsigned lane_id;
    unsigned mask;
    __device__ WarpScan(TempStorage &storage) {
        lane_id = detail::lane() % WarpThreads;
        mask = cub::WarpMask<WarpThreads>(detail::lane() / WarpThreads);
    }
    template <typename Op> __device__ T __inclusive(T input, Op op) {
#pragma unroll
        for (int offset = 1; offset < WarpThreads; offset *= 2) {
            const T other = detail::shuffle<1>(input, offset, 32, mask);
            if (lane_id >= offset) input = op(other, input);
        }
        return input;
    }
    // Converts an inclusive scan to an exclusive scan.
    template <typename Op> __device__ T __exclusive(T input, T inclusive, Op op) {
        if constexpr (detail::is_sum<Op>::value && (detail::number<T>::kind == 1 || detail::number<T>::kind == 2)) {
            return inclusive - input;
        } else return detail::shuffle<1>(inclusive, 1, 32, mask);
    }
    template <typename Op> __device__ T __exclusive_of(T input, T inclusive, T initial, Op op) {
        if constexpr (detail::is_sum<Op>::value && (detail::number<T>::kind == 1 || detail::number<T>::kind == 2)) {
            return inclusive - input;
        } else {
            const T out = detail::shuffle<1>(inclusive, 1, 32, mask);
            return lane_id == 0 ? initial : out;
        }
    }
    __device__ T Broadcast(T input, unsigned from) { return detail::shuffle<2>(input, from, WarpThreads, mask); }

    __device__ void InclusiveSum(T input, T &out) { out = __inclusive(input, cub::Sum()); }
    __device__ void InclusiveSum(T input, T &out, T &aggregate) { InclusiveScan(input, out, cub::Sum(), aggregate); }
    __device__ void ExclusiveSum(T input, T &out) { ExclusiveScan(input, out, T(), cub::Sum()); }
    __device__ void ExclusiveSum(T input, T &out, T &aggregate) {
        ExclusiveScan(input, out, T(), cub::Sum(), aggregate);
    }
    template <typename Op> __device__ void InclusiveScan(T input, T &out, Op op) { out = __inclusive(input, op); }
    template <typename Op> __device__ void InclusiveScan(T input, T &out, Op op, T &aggregate) {
        out = __inclusive(input, op);
        aggregate = Broadcast(out, WarpThreads - 1);
    }
    template <typename Op> __device__ void InclusiveScan(T input, T &out, T initial, Op op) {
        out = op(initial, __inclusive(input, op));
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, Op op) {
        out = __exclusive(input, __inclusive(input, op), op);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, Op op, T &aggregate) {
        const T inclusive = __inclusive(input, op);
        aggregate = Broadcast(inclusive, WarpThreads - 1);
        out = __exclusive(input, inclusive, op);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, T initial, Op op) {
        T inclusive;
        Scan(input, inclusive, out, initial, op);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T &out, T initial, Op op, T &aggregate) {
        T inclusive = __inclusive(input, op);
        aggregate = Broadcast(inclusive, WarpThreads - 1);
        inclusive = op(initial, inclusive);
        out = __exclusive_of(input, inclusive, initial, op);
    }
    template <typename Op> __device__ void Scan(T input, T &inclusive, T &exclusive, Op op) {
        const T scanned = __inclusive(input, op);
        inclusive = scanned;
        exclusive = __exclusive(input, scanned, op);
    }
    template <typename Op> __device__ void Scan(T input, T &inclusive, T &exclusive, T initial, Op op) {
        const T scanned = op(initial, __inclusive(input, op));
        inclusive = scanned;
        exclusive = __exclusive_of(input, scanned, initial, op);
    }
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <typename T, int ItemsPerThread, int WarpThreads = 32,
          cub::WarpExchangeAlgorithm Algorithm = cub::WARP_EXCHANGE_SMEM>
struct WarpExchange {
    static constexpr bool __is_padded = ItemsPerThread > 4 && (ItemsPerThread & (ItemsPerThread - 1)) == 0;
    struct TempStorage {
        T items[ItemsPerThread * WarpThreads + (__is_padded ? ItemsPerThread * WarpThreads / 32 : 0)];
    };
    TempStorage *__storage;
    unsigned __lane;
    unsigned __mask;
    __device__ WarpExchange(TempStorage &storage) : __storage(&storage) {
        __lane = detail::lane() % WarpThreads;
        __mask = cub::WarpMask<WarpThreads>(detail::lane() / WarpThreads);
    }
    static __device__ int __at(int item) { return __is_padded ? item + item / 32 : item; }
    template <typename Out>
    __device__ void BlockedToStriped(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) {
            __storage->items[__at(__lane * ItemsPerThread + idx)] = input[idx];
        }
        __syncwarp(__mask);
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->items[__at(idx * WarpThreads + __lane)];
    }
    template <typename Out>
    __device__ void StripedToBlocked(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) {
            __storage->items[__at(idx * WarpThreads + __lane)] = input[idx];
        }
        __syncwarp(__mask);
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) {
            out[idx] = __storage->items[__at(__lane * ItemsPerThread + idx)];
        }
    }
    template <typename Rank>
    __device__ void ScatterToStriped(T (&items)[ItemsPerThread], Rank (&ranks)[ItemsPerThread]) {
        ScatterToStriped(items, items, ranks);
    }
    template <typename Out, typename Rank>
    __device__ void ScatterToStriped(const T (&input)[ItemsPerThread], Out (&out)[ItemsPerThread],
                                     Rank (&ranks)[ItemsPerThread]) {
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) __storage->items[__at(ranks[idx])] = input[idx];
        __syncwarp(__mask);
#pragma unroll
        for (int idx = 0; idx < ItemsPerThread; idx++) out[idx] = __storage->items[__at(idx * WarpThreads + __lane)];
    }
};

}  // namespace cub
