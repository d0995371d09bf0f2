// CUB: reductions of a block. NVIDIA CCCL documentation, "CUB: Block-wide collectives", cub::BlockReduce.

#include "cub/warp.h"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

namespace detail {

// The shared memory through which one warp rakes the values of all threads: a segment per lane, padded so that the
// lanes access different banks.
template <typename T, int Threads> struct raking {
    static constexpr int num_rakes = Threads < 32 ? Threads : 32;
    static constexpr int length = (Threads + num_rakes - 1) / num_rakes;
    static constexpr int num_threads = (Threads + length - 1) / length;
    static constexpr bool is_padded = length % 2 == 0 && length > 2;
    static constexpr bool is_even = Threads % num_threads == 0;
    struct alignas(16) grid {
        T items[num_threads * (length + (is_padded ? 1 : 0))];
    };
    static __device__ int place(int thread) { return is_padded ? thread + thread / length : thread; }
    static __device__ int first(int thread) { return thread * (length + (is_padded ? 1 : 0)); }
};

// A reduction in each warp; the first thread combines the results of the warps.
template <typename T, int X, int Y, int Z> struct reduce_by_warps {
    static constexpr int num_threads = X * Y * Z;
    static constexpr int num_warps = (num_threads + 31) / 32;
    static constexpr int warp_size = num_threads < 32 ? num_threads : 32;
    struct storage {
        char warp_reduce[num_warps];
        T warp_aggregates[num_warps];
        T block_prefix;
    };
    template <bool IsFull, typename Op>
    static __device__ T reduce(detail::flag<IsFull> is_full, storage &temp, T input, Op op, int num_valid) {
        const unsigned thread = detail::thread_of_block<X, Y, Z>();
        const unsigned warp = num_warps == 1 ? 0 : thread / 32;
        const int offset = warp * warp_size;
        constexpr bool are_all_valid = IsFull && num_threads % warp_size == 0;
        const int last = are_all_valid || offset + warp_size <= num_valid ? warp_size - 1 : num_valid - offset - 1;
        const unsigned mask = warp_size == 32 ? 0xffffffffu : (1u << warp_size % 32) - 1;
        T total = detail::warp_reduce<warp_size, are_all_valid, T, Op>(input, last, op, mask);
        if constexpr (num_warps > 1) {
            if (thread % 32 == 0) temp.warp_aggregates[warp] = total;
            __syncthreads();
            if (thread == 0) {
#pragma unroll
                for (int idx = 1; idx < num_warps; idx++) {
                    if (IsFull || idx * warp_size < num_valid) total = op(total, temp.warp_aggregates[idx]);
                }
            }
        }
        return total;
    }
};

// One warp rakes the values of all threads.
template <typename T, int X, int Y, int Z> struct reduce_by_raking {
    static constexpr int num_threads = X * Y * Z;
    typedef detail::raking<T, num_threads> layout;
    struct storage {
        typename layout::grid grid;
    };
    template <bool IsFull, typename Op>
    static __device__ T reduce(detail::flag<IsFull> is_full, storage &temp, T input, Op op, int num_valid) {
        const int thread = detail::thread_of_block<X, Y, Z>();
        constexpr int warp_size = layout::num_threads;
        const unsigned mask = warp_size == 32 ? 0xffffffffu : (1u << warp_size % 32) - 1;
        if constexpr (num_threads <= 32) {
            return detail::warp_reduce<warp_size, IsFull, T, Op>(input, num_valid - 1, op, mask);
        } else {
            temp.grid.items[layout::place(thread)] = input;
            __syncthreads();
            if (thread < layout::num_threads) {
                const T *segment = &temp.grid.items[layout::first(thread)];
                input = segment[0];
#pragma unroll
                for (int idx = 1; idx < layout::length; idx++) {
                    if ((IsFull && layout::is_even) || thread * layout::length + idx < num_valid) {
                        input = op(input, segment[idx]);
                    }
                }
                const int num_raked = (num_valid + layout::length - 1) / layout::length;
                constexpr bool are_all_valid = IsFull && layout::is_even && layout::num_threads == 32;
                input = detail::warp_reduce<warp_size, are_all_valid, T, Op>(input, num_raked - 1, op, mask);
            }
            return input;
        }
    }
};

// The threads of the first warp add the values of the others to their own, which can change the order.
template <typename T, int X, int Y, int Z> struct reduce_commutatively {
    static constexpr int num_threads = X * Y * Z;
    typedef detail::raking<T, (X * Y * Z > 32 ? X * Y * Z - 32 : 1)> layout;
    typedef detail::reduce_by_raking<T, X, Y, Z> raked;
    struct own_storage {
        char warp_reduce;
        typename layout::grid grid;
    };
    // Both algorithms share the same memory.
    static constexpr int own_size = sizeof(own_storage);
    static constexpr int raked_size = sizeof(typename raked::storage);
    struct alignas(16) storage {
        char bytes[own_size > raked_size ? own_size : raked_size];
    };
    template <bool IsFull, typename Op>
    static __device__ T reduce(detail::flag<IsFull> is_full, storage &temp, T input, Op op, int num_valid) {
        if constexpr (!IsFull || num_threads <= 32 || num_threads % 32 != 0) {
            typename raked::storage *fallback = reinterpret_cast<typename raked::storage *>(temp.bytes);
            return raked::reduce(is_full, *fallback, input, op, num_valid);
        } else {
            const int thread = detail::thread_of_block<X, Y, Z>();
            own_storage *own = reinterpret_cast<own_storage *>(temp.bytes);
            if (thread >= 32) own->grid.items[layout::place(thread - 32)] = input;
            __syncthreads();
            if (thread < 32) {
                const T *segment = &own->grid.items[layout::first(thread)];
                T items[layout::length + 1];
                items[0] = input;
#pragma unroll
                for (int idx = 0; idx < layout::length; idx++) items[idx + 1] = segment[idx];
                input = cub::internal::reduce_items<layout::length + 1>(items, op);
                input = detail::warp_reduce<32, true, T, Op>(input, 31, op, 0xffffffffu);
            }
            return input;
        }
    }
};

template <typename T, int X, int Algorithm, int Y, int Z> struct block_reduce {
    typedef detail::reduce_by_warps<T, X, Y, Z> type;
};
template <typename T, int X, int Y, int Z> struct block_reduce<T, X, 1, Y, Z> {
    typedef detail::reduce_by_raking<T, X, Y, Z> type;
};
template <typename T, int X, int Y, int Z> struct block_reduce<T, X, 0, Y, Z> {
    typedef detail::reduce_commutatively<T, X, Y, Z> type;
};

}  // namespace detail

template <typename T, int X, cub::BlockReduceAlgorithm Algorithm = cub::BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int LegacyArch = 0>
struct BlockReduce {
    typedef typename detail::block_reduce<T, X, (int)Algorithm, Y, Z>::type __way;
    struct TempStorage : __way::storage {};
    static constexpr int __num_threads = X * Y * Z;
    TempStorage *__storage;

    static __device__ TempStorage &__own() {
        static __shared__ TempStorage storage;
        return storage;
    }
    __device__ BlockReduce() : __storage(&__own()) {}
    __device__ BlockReduce(TempStorage &storage) : __storage(&storage) {}

    __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
    __device__ T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
    template <int Num> __device__ T Sum(T (&inputs)[Num]) { return Reduce(inputs, cub::Sum()); }
    template <typename Op> __device__ T Reduce(T input, Op op) {
        return __way::reduce(detail::flag<true>(), *__storage, input, op, __num_threads);
    }
    template <int Num, typename Op> __device__ T Reduce(T (&inputs)[Num], Op op) {
        return Reduce(cub::internal::reduce_items<Num>(inputs, op), op);
    }
    template <typename Op> __device__ T Reduce(T input, Op op, int num_valid) {
        if (num_valid >= __num_threads) return __way::reduce(detail::flag<true>(), *__storage, input, op, num_valid);
        return __way::reduce(detail::flag<false>(), *__storage, input, op, num_valid);
    }
};

}  // namespace cub
