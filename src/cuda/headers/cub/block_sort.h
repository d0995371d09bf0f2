// CUB: sorting and counting in a block. NVIDIA CCCL documentation, "CUB: Block-wide collectives", cub::BlockRadixSort,
// BlockHistogram.

#include "cub/block_scan.h"
#include "cub/block_data.h"

namespace cub {

namespace detail {

// The bits of a key in sort order, from a begin bit.
template <typename K> __device__ typename cub::Traits<K>::UnsignedBits twiddled(K key) {
    typedef typename cub::Traits<K>::UnsignedBits Bits;
    return cub::Traits<K>::TwiddleIn(*reinterpret_cast<Bits *>(&key));
}

// The rank of each key by a digit. Each thread counts its keys of each digit in its own column of
// counters, two 16-bit counters per word; a scan over all counters, digit by digit, gives the ranks.
template <int X, int RadixBits, bool IsDescending, bool IsMemoized, int Algorithm, int Y, int Z> struct radix_rank {
    static constexpr int num_threads = X * Y * Z;
    static constexpr int log_rows = RadixBits - 1;
    static constexpr int num_rows = 1 << log_rows;
    static constexpr int num_padded = num_rows + 1;
    typedef cub::BlockScan<unsigned, X, (cub::BlockScanAlgorithm)Algorithm, Y, Z> scanner;
    struct alignas(16) storage {
        unsigned short counters[num_padded * num_threads * 2];
        typename scanner::TempStorage scan;
    };
    // The prefix of the counters in the upper halves: the total of the lower halves.
    struct carry {
        __device__ unsigned operator()(unsigned total) { return total << 16; }
    };
    template <typename Bits, int Num>
    static __device__ void rank(storage &temp, Bits (&keys)[Num], int (&ranks)[Num], int first_bit, int num_bits) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        unsigned *words = reinterpret_cast<unsigned *>(temp.counters);
#pragma unroll
        for (int row = 0; row < num_padded; row++) words[row * num_threads + thread] = 0;
        int places[Num];
        unsigned before[Num];
#pragma unroll
        for (int idx = 0; idx < Num; idx++) {
            const unsigned digit = (unsigned)(keys[idx] >> first_bit) & ((1u << num_bits) - 1);
            unsigned half = digit >> log_rows;
            unsigned row = digit & (num_rows - 1);
            if (IsDescending) {
                half = 1 - half;
                row = num_rows - 1 - row;
            }
            places[idx] = (row * num_threads + thread) * 2 + half;
            before[idx] = temp.counters[places[idx]];
            temp.counters[places[idx]] = (unsigned short)(before[idx] + 1);
        }
        __syncthreads();
        unsigned *segment = words + thread * num_padded;
        unsigned items[num_padded];
#pragma unroll
        for (int idx = 0; idx < num_padded; idx++) items[idx] = segment[idx];
        unsigned sum = cub::internal::reduce_items<num_padded>(items, cub::Sum());
        carry prefix;
        scanner(temp.scan).ExclusiveSum(sum, sum, prefix);
#pragma unroll
        for (int idx = 0; idx < num_padded; idx++) {
            segment[idx] = sum;
            sum += items[idx];
        }
        __syncthreads();
#pragma unroll
        for (int idx = 0; idx < Num; idx++) ranks[idx] = before[idx] + temp.counters[places[idx]];
    }
};

}  // namespace detail

template <typename K, int X, int ItemsPerThread, typename V = cub::NullType, int RadixBits = 4, bool IsMemoized = true,
          cub::BlockScanAlgorithm Algorithm = cub::BLOCK_SCAN_WARP_SCANS, int SharedMemConfig = 0, int Y = 1,
          int Z = 1, int LegacyArch = 0>
struct BlockRadixSort {
    typedef typename cub::Traits<K>::UnsignedBits __bits;
    typedef detail::radix_rank<X, RadixBits, false, IsMemoized, (int)Algorithm, Y, Z> __ascending;
    typedef detail::radix_rank<X, RadixBits, true, IsMemoized, (int)Algorithm, Y, Z> __descending;
    typedef cub::BlockExchange<K, X, ItemsPerThread, false, Y, Z> __key_exchange;
    typedef cub::BlockExchange<V, X, ItemsPerThread, false, Y, Z> __value_exchange;
    // Ranks, keys, and values reuse the same memory, one after another.
    static constexpr int __rank_size = sizeof(typename __ascending::storage);
    static constexpr int __key_size = sizeof(typename __key_exchange::TempStorage);
    static constexpr int __value_size = sizeof(typename __value_exchange::TempStorage);
    static constexpr int __exchange_size = __key_size > __value_size ? __key_size : __value_size;
    struct alignas(16) TempStorage {
        char bytes[__rank_size > __exchange_size ? __rank_size : __exchange_size];
    };
    TempStorage *__storage;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockRadixSort() : __storage(&__own()) {}
    __device__ BlockRadixSort(TempStorage &storage) : __storage(&storage) {}

    template <bool IsDescending, bool HasValues, bool IsStriped>
    __device__ void __sort(detail::flag<IsDescending> descending, detail::flag<HasValues> has_values,
                           detail::flag<IsStriped> striped, K (&keys)[ItemsPerThread], V (&values)[ItemsPerThread],
                           int begin_bit, int end_bit) {
        __key_exchange key_exchange(*reinterpret_cast<typename __key_exchange::TempStorage *>(__storage->bytes));
        __value_exchange value_exchange(*reinterpret_cast<typename __value_exchange::TempStorage *>(__storage->bytes));
        while (true) {
            const int num_bits = end_bit - begin_bit < RadixBits ? end_bit - begin_bit : RadixBits;
            __bits bits[ItemsPerThread];
            int ranks[ItemsPerThread];
#pragma unroll
            for (int idx = 0; idx < ItemsPerThread; idx++) bits[idx] = detail::twiddled(keys[idx]);
            if constexpr (IsDescending) {
                typename __descending::storage *temp =
                    reinterpret_cast<typename __descending::storage *>(__storage->bytes);
                __descending::rank(*temp, bits, ranks, begin_bit, num_bits);
            } else {
                typename __ascending::storage *temp =
                    reinterpret_cast<typename __ascending::storage *>(__storage->bytes);
                __ascending::rank(*temp, bits, ranks, begin_bit, num_bits);
            }
            begin_bit += RadixBits;
            __syncthreads();
            if (IsStriped && begin_bit >= end_bit) {
                key_exchange.ScatterToStriped(keys, ranks);
                if constexpr (HasValues) {
                    __syncthreads();
                    value_exchange.ScatterToStriped(values, ranks);
                }
                break;
            }
            key_exchange.ScatterToBlocked(keys, ranks);
            if constexpr (HasValues) {
                __syncthreads();
                value_exchange.ScatterToBlocked(values, ranks);
            }
            if (begin_bit >= end_bit) break;
            __syncthreads();
        }
    }
#define __WS_CUB_SORT(NAME, IS_DESCENDING, IS_STRIPED) \
    __device__ void NAME(K (&keys)[ItemsPerThread], int begin_bit = 0, int end_bit = sizeof(K) * 8) { \
        V none[ItemsPerThread]; \
        __sort(detail::flag<IS_DESCENDING>(), detail::flag<false>(), detail::flag<IS_STRIPED>(), keys, none, \
               begin_bit, end_bit); \
    } \
    __device__ void NAME(K (&keys)[ItemsPerThread], V (&values)[ItemsPerThread], int begin_bit = 0, \
                         int end_bit = sizeof(K) * 8) { \
        __sort(detail::flag<IS_DESCENDING>(), detail::flag<true>(), detail::flag<IS_STRIPED>(), keys, values, \
               begin_bit, end_bit); \
    }
    __WS_CUB_SORT(Sort, false, false)
    __WS_CUB_SORT(SortDescending, true, false)
    __WS_CUB_SORT(SortBlockedToStriped, false, true)
    __WS_CUB_SORT(SortDescendingBlockedToStriped, true, true)
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <typename T, int X, int ItemsPerThread, int Bins,
          cub::BlockHistogramAlgorithm Algorithm = cub::BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int LegacyArch = 0>
struct BlockHistogram {
    static constexpr int __num_threads = X * Y * Z;
    typedef cub::BlockRadixSort<T, X, ItemsPerThread, cub::NullType, 4, true, cub::BLOCK_SCAN_WARP_SCANS, 0, Y, Z>
        __sorter;
    typedef cub::BlockDiscontinuity<T, X, Y, Z> __marker;
    struct __marks {
        typename __marker::TempStorage flag;
        unsigned run_begin[Bins];
        unsigned run_end[Bins];
    };
    // Sorting and flagging reuse the same memory, one after another; atomic counting needs none.
    static constexpr int __sort_size = sizeof(typename __sorter::TempStorage);
    static constexpr int __mark_size = sizeof(__marks);
    struct alignas(16) TempStorage {
        char bytes[(int)Algorithm == 1 ? 1 : __sort_size > __mark_size ? __sort_size : __mark_size];
    };
    // Where runs of equal items begin and end.
    struct __runs {
        unsigned *begin;
        unsigned *end;
        __device__ bool operator()(const T &a, const T &b, int idx) const {
            if (a == b) return false;
            begin[b] = idx;
            end[a] = idx;
            return true;
        }
    };
    TempStorage *__storage;
    int __thread;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockHistogram() : __storage(&__own()), __thread(detail::thread_of_block<X, Y, Z>()) {}
    __device__ BlockHistogram(TempStorage &storage)
        : __storage(&storage), __thread(detail::thread_of_block<X, Y, Z>()) {}

    template <typename Counter> __device__ void InitHistogram(Counter (&histogram)[Bins]) {
        for (int bin = __thread; bin < Bins; bin += __num_threads) histogram[bin] = 0;
    }
    template <typename Counter> __device__ void Composite(T (&items)[ItemsPerThread], Counter (&histogram)[Bins]) {
        if constexpr ((int)Algorithm == 1) {
#pragma unroll
            for (int idx = 0; idx < ItemsPerThread; idx++) atomicAdd(&histogram[items[idx]], (Counter)1);
        } else {
            constexpr int num_items = __num_threads * ItemsPerThread;
            __sorter sorter(*reinterpret_cast<typename __sorter::TempStorage *>(__storage->bytes));
            __marks *marks = reinterpret_cast<__marks *>(__storage->bytes);
            sorter.Sort(items);
            __syncthreads();
            for (int bin = __thread; bin < Bins; bin += __num_threads) {
                marks->run_begin[bin] = num_items;
                marks->run_end[bin] = num_items;
            }
            marks->flag.last_items[__thread] = items[ItemsPerThread - 1];
            __syncthreads();
            const int first = __thread * ItemsPerThread;
            __runs runs;
            runs.begin = marks->run_begin;
            runs.end = marks->run_end;
            if (__thread == 0) runs.begin[items[0]] = 0;
            else runs(marks->flag.last_items[__thread - 1], items[0], first);
#pragma unroll
            for (int idx = 1; idx < ItemsPerThread; idx++) runs(items[idx - 1], items[idx], first + idx);
            __syncthreads();
            for (int bin = __thread; bin < Bins; bin += __num_threads) {
                histogram[bin] += marks->run_end[bin] - marks->run_begin[bin];
            }
        }
    }
    template <typename Counter> __device__ void Histogram(T (&items)[ItemsPerThread], Counter (&histogram)[Bins]) {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
};

}  // namespace cub
