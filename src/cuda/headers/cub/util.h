// CUB: utilities of its warp and block functions. NVIDIA CCCL documentation, "CUB".

#include <functional>
#include <limits>
#include <type_traits>

#define CUB_VERSION 200200
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 2
#define CUB_SUBMINOR_VERSION 0
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_RUNTIME_FUNCTION
#define CUB_PTX_ARCH __CUDA_ARCH__
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_WARP_THREADS(arch) 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_LOG_SMEM_BANKS(arch) 5
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y) - 1) / (y)) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_PREVENT_MACRO_SUBSTITUTION
#define CUB_IS_INT128_ENABLED 0

namespace cub {

struct NullType {};

template <typename K, typename V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    __device__ KeyValuePair() {}
    __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
    __device__ bool operator!=(const KeyValuePair &other) const { return value != other.value || key != other.key; }
};

// Operators of reductions and scans.
struct Sum {
    template <typename T> __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Difference {
    template <typename T> __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
struct Division {
    template <typename T> __device__ T operator()(const T &a, const T &b) const { return a / b; }
};
struct Max {
    template <typename T> __device__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
    __device__ double operator()(double a, double b) const { return fmax(a, b); }
};
struct Min {
    template <typename T> __device__ T operator()(const T &a, const T &b) const { return a < b ? a : b; }
    __device__ float operator()(float a, float b) const { return fminf(a, b); }
    __device__ double operator()(double a, double b) const { return fmin(a, b); }
};
struct Equality {
    template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
    template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a != b; }
};
template <typename Op> struct InequalityWrapper {
    Op op;
    __device__ InequalityWrapper(Op wrapped) : op(wrapped) {}
    template <typename T> __device__ bool operator()(const T &a, const T &b) { return !op(a, b); }
};
struct ArgMax {
    template <typename K, typename V>
    __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
        if (b.value > a.value || (a.value == b.value && b.key < a.key)) return b;
        return a;
    }
};
struct ArgMin {
    template <typename K, typename V>
    __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
        if (b.value < a.value || (a.value == b.value && b.key < a.key)) return b;
        return a;
    }
};
template <typename B> struct CastOp {
    template <typename A> __device__ B operator()(const A &a) const { return (B)a; }
};
template <typename Op> struct SwizzleScanOp {
    Op op;
    __device__ SwizzleScanOp() {}
    __device__ SwizzleScanOp(Op swapped) : op(swapped) {}
    template <typename T> __device__ T operator()(const T &a, const T &b) { return op(b, a); }
};
// Values of (number of segments, value): those before the last segment's start do not count.
template <typename Op> struct ReduceBySegmentOp {
    Op op;
    __device__ ReduceBySegmentOp() {}
    __device__ ReduceBySegmentOp(Op inner) : op(inner) {}
    template <typename P> __device__ P operator()(const P &a, const P &b) {
        P out;
        out.key = a.key + b.key;
        out.value = b.key ? b.value : op(a.value, b.value);
        return out;
    }
};
template <typename Op> struct ReduceByKeyOp {
    Op op;
    __device__ ReduceByKeyOp() {}
    __device__ ReduceByKeyOp(Op inner) : op(inner) {}
    template <typename P> __device__ P operator()(const P &a, const P &b) {
        P out = b;
        if (a.key == b.key) out.value = op(a.value, b.value);
        return out;
    }
};

// Traits of an operator and a type.
namespace detail {
template <typename Op> struct is_sum { static constexpr bool value = false; };
template <> struct is_sum<cub::Sum> { static constexpr bool value = true; };
template <typename T> struct is_sum<std::plus<T>> { static constexpr bool value = true; };
template <typename Op> struct is_least { static constexpr bool value = false; };
template <> struct is_least<cub::Min> { static constexpr bool value = true; };
template <typename Op> struct is_greatest { static constexpr bool value = false; };
template <> struct is_greatest<cub::Max> { static constexpr bool value = true; };
// 1: a signed or unsigned integer of at most 4 bytes; 2: one of 8 bytes; 3: float or double.
template <typename T> struct number { static constexpr int kind = 0; };
template <> struct number<char> { static constexpr int kind = 1; };
template <> struct number<signed char> { static constexpr int kind = 1; };
template <> struct number<unsigned char> { static constexpr int kind = 1; };
template <> struct number<short> { static constexpr int kind = 1; };
template <> struct number<unsigned short> { static constexpr int kind = 1; };
template <> struct number<int> { static constexpr int kind = 1; };
template <> struct number<unsigned> { static constexpr int kind = 1; };
template <> struct number<long long> { static constexpr int kind = 2; };
template <> struct number<unsigned long long> { static constexpr int kind = 2; };
template <> struct number<float> { static constexpr int kind = 3; };
template <> struct number<double> { static constexpr int kind = 3; };
// Whether the items of a thread are combined pairwise instead of sequentially.
template <typename T, typename Op> struct is_tree { static constexpr bool value = false; };
template <typename Op> struct is_tree<float, Op> {
    static constexpr bool value = is_sum<Op>::value || is_least<Op>::value || is_greatest<Op>::value;
};
// The type that a value is shuffled in.
template <int Size> struct shuffled { typedef unsigned char type; };
template <> struct shuffled<0> { typedef unsigned type; };
template <> struct shuffled<2> { typedef unsigned short type; };

// A constant as a parameter.
template <bool Value> struct flag {};
template <int Value> struct modifier {};

template <int N> struct log2_of { static constexpr int value = 1 + log2_of<N / 2>::value; };
template <> struct log2_of<1> { static constexpr int value = 0; };
template <> struct log2_of<0> { static constexpr int value = 0; };

template <int X, int Y, int Z> __device__ inline unsigned thread_of_block() {
    if constexpr (Y == 1 && Z == 1) return threadIdx.x;
    else return threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
}
__device__ inline unsigned lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
}  // namespace detail

template <int N, int Count = 0, int Rest = 0> struct Log2 {
    static constexpr int VALUE = detail::log2_of<2 * N - 1>::value;
};
template <int N> struct PowerOfTwo { static constexpr bool VALUE = (N & (N - 1)) == 0; };
template <typename A, typename B> struct Equals { static constexpr int VALUE = 0; };
template <typename A> struct Equals<A, A> { static constexpr int VALUE = 1; };
template <bool Condition, typename Then, typename Else> struct If { typedef Then Type; };
template <typename Then, typename Else> struct If<false, Then, Else> { typedef Else Type; };
template <int Value> struct Int2Type { static constexpr int VALUE = Value; };

// Keys as unsigned numbers with the same order.
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <typename T> struct Traits {
    static constexpr cub::Category CATEGORY = cub::NOT_A_NUMBER;
    static constexpr bool PRIMITIVE = false;
    static constexpr bool NULL_TYPE = false;
};
#define __WS_CUB_UNSIGNED(T) \
    template <> struct Traits<T> { \
        typedef T UnsignedBits; \
        static constexpr cub::Category CATEGORY = cub::UNSIGNED_INTEGER; \
        static constexpr bool PRIMITIVE = true; \
        static constexpr bool NULL_TYPE = false; \
        static __device__ T TwiddleIn(T key) { return key; } \
        static __device__ T TwiddleOut(T key) { return key; } \
    };
#define __WS_CUB_SIGNED(T, U) \
    template <> struct Traits<T> { \
        typedef U UnsignedBits; \
        static constexpr cub::Category CATEGORY = cub::SIGNED_INTEGER; \
        static constexpr bool PRIMITIVE = true; \
        static constexpr bool NULL_TYPE = false; \
        static __device__ U TwiddleIn(U key) { return key ^ ((U)1 << (sizeof(U) * 8 - 1)); } \
        static __device__ U TwiddleOut(U key) { return key ^ ((U)1 << (sizeof(U) * 8 - 1)); } \
    };
#define __WS_CUB_FLOATING(T, U, HIGH) \
    template <> struct Traits<T> { \
        typedef U UnsignedBits; \
        static constexpr cub::Category CATEGORY = cub::FLOATING_POINT; \
        static constexpr bool PRIMITIVE = true; \
        static constexpr bool NULL_TYPE = false; \
        static __device__ U TwiddleIn(U key) { return key ^ ((key & HIGH) ? ~(U)0 : HIGH); } \
        static __device__ U TwiddleOut(U key) { return key ^ ((key & HIGH) ? HIGH : ~(U)0); } \
    };
__WS_CUB_UNSIGNED(bool)
__WS_CUB_UNSIGNED(unsigned char)
__WS_CUB_UNSIGNED(unsigned short)
__WS_CUB_UNSIGNED(unsigned)
__WS_CUB_UNSIGNED(unsigned long long)
__WS_CUB_SIGNED(char, unsigned char)
__WS_CUB_SIGNED(signed char, unsigned char)
__WS_CUB_SIGNED(short, unsigned short)
__WS_CUB_SIGNED(int, unsigned)
__WS_CUB_SIGNED(long long, unsigned long long)
__WS_CUB_FLOATING(float, unsigned, 0x80000000u)
__WS_CUB_FLOATING(double, unsigned long long, 0x8000000000000000ull)
__WS_CUB_FLOATING(__ws_half, unsigned short, 0x8000u)
__WS_CUB_FLOATING(__ws_bfloat16, unsigned short, 0x8000u)

__device__ inline unsigned LaneId() { return detail::lane(); }
__device__ inline unsigned WarpId() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
__device__ inline unsigned LaneMaskLt() { return (1u << detail::lane()) - 1; }
__device__ inline unsigned LaneMaskLe() { return (2u << detail::lane()) - 1; }
__device__ inline unsigned LaneMaskGt() { return ~((2u << detail::lane()) - 1); }
__device__ inline unsigned LaneMaskGe() { return ~((1u << detail::lane()) - 1); }
__device__ inline int RowMajorTid(int x, int y, int z) {
    return (z == 1 ? 0 : threadIdx.z * x * y) + (y == 1 ? 0 : threadIdx.y * x) + threadIdx.x;
}
template <int WarpThreads> __device__ unsigned WarpMask(unsigned warp) {
    if constexpr (WarpThreads == 32) return 0xffffffffu;
    else if constexpr ((WarpThreads & (WarpThreads - 1)) == 0) {
        return ((1u << WarpThreads) - 1) << warp * WarpThreads;
    } else return (1u << WarpThreads) - 1;
}
__device__ inline unsigned SHR_ADD(unsigned x, unsigned shift, unsigned addend) { return (x >> shift) + addend; }
__device__ inline unsigned SHL_ADD(unsigned x, unsigned shift, unsigned addend) { return (x << shift) + addend; }
template <typename U> __device__ unsigned BFE(U source, unsigned start, unsigned num) {
    return (unsigned)((source >> start) & (((U)1 << num) - 1));
}
__device__ inline void BAR(int num) { __syncthreads(); }
__device__ inline void CTA_SYNC() { __syncthreads(); }
__device__ inline int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__device__ inline int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
__device__ inline void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__device__ inline int WARP_ANY(int p, unsigned mask) { return __any_sync(mask, p); }
__device__ inline int WARP_ALL(int p, unsigned mask) { return __all_sync(mask, p); }
__device__ inline int WARP_BALLOT(int p, unsigned mask) { return __ballot_sync(mask, p); }
__device__ inline void ThreadTrap() { __trap(); }

namespace detail {
// 0: down, 1: up, 2: indexed.
template <int Way, typename T> __device__ T shuffle_number(T value, int other, int width, unsigned mask) {
    if constexpr (Way == 0) return __shfl_down_sync(mask, value, other, width);
    else if constexpr (Way == 1) return __shfl_up_sync(mask, value, other, width);
    else return __shfl_sync(mask, value, other, width);
}
template <int Way, typename T> __device__ T shuffle(const T &value, int other, int width, unsigned mask) {
    if constexpr (number<T>::kind != 0 && sizeof(T) >= 4) {
        return shuffle_number<Way, T>(value, other, width, mask);
    } else if constexpr (number<T>::kind != 0) {
        return (T)shuffle_number<Way, int>(value, other, width, mask);
    } else {
        typedef typename shuffled<sizeof(T) % 4>::type Word;
        T out;
        const Word *from = reinterpret_cast<const Word *>(&value);
        Word *to = reinterpret_cast<Word *>(&out);
#pragma unroll
        for (int idx = 0; idx < sizeof(T) / sizeof(Word); idx++) {
            to[idx] = (Word)shuffle_number<Way, unsigned>(from[idx], other, width, mask);
        }
        return out;
    }
}
template <int Way, typename K, typename V>
__device__ cub::KeyValuePair<K, V> shuffle(const cub::KeyValuePair<K, V> &value, int other, int width, unsigned mask) {
    return cub::KeyValuePair<K, V>(detail::shuffle<Way>(value.key, other, width, mask),
                                   detail::shuffle<Way>(value.value, other, width, mask));
}
#define __WS_CUB_SHUFFLE(V) \
    template <int Way> __device__ V##2 shuffle(const V##2 &v, int other, int width, unsigned mask) { \
        V##2 out; \
        out.x = detail::shuffle<Way>(v.x, other, width, mask); \
        out.y = detail::shuffle<Way>(v.y, other, width, mask); \
        return out; \
    } \
    template <int Way> __device__ V##3 shuffle(const V##3 &v, int other, int width, unsigned mask) { \
        V##3 out; \
        out.x = detail::shuffle<Way>(v.x, other, width, mask); \
        out.y = detail::shuffle<Way>(v.y, other, width, mask); \
        out.z = detail::shuffle<Way>(v.z, other, width, mask); \
        return out; \
    } \
    template <int Way> __device__ V##4 shuffle(const V##4 &v, int other, int width, unsigned mask) { \
        V##4 out; \
        out.x = detail::shuffle<Way>(v.x, other, width, mask); \
        out.y = detail::shuffle<Way>(v.y, other, width, mask); \
        out.z = detail::shuffle<Way>(v.z, other, width, mask); \
        out.w = detail::shuffle<Way>(v.w, other, width, mask); \
        return out; \
    }
__WS_CUB_SHUFFLE(float)
__WS_CUB_SHUFFLE(double)
__WS_CUB_SHUFFLE(int)
__WS_CUB_SHUFFLE(uint)
}  // namespace detail

template <int WarpThreads, typename T>
__device__ T ShuffleUp(T input, int offset, int first_thread, unsigned mask) {
    const T other = detail::shuffle<1>(input, offset, WarpThreads, mask);
    return (int)(detail::lane() % WarpThreads) - offset >= first_thread ? other : input;
}
template <int WarpThreads, typename T>
__device__ T ShuffleDown(T input, int offset, int last_thread, unsigned mask) {
    const T other = detail::shuffle<0>(input, offset, WarpThreads, mask);
    return (int)(detail::lane() % WarpThreads) + offset <= last_thread ? other : input;
}
template <int WarpThreads, typename T> __device__ T ShuffleIndex(T input, int lane, unsigned mask) {
    return detail::shuffle<2>(input, lane, WarpThreads, mask);
}

// Sequential access to a value, an array, or the target of a pointer.
namespace internal {
template <int Num, typename T, typename Op> __device__ T reduce_items(const T *items, Op op) {
    if constexpr (detail::is_tree<T, Op>::value) {
        T sums[Num];
#pragma unroll
        for (int idx = 0; idx < Num; idx++) sums[idx] = items[idx];
#pragma unroll
        for (int step = 1; step < Num; step *= 2) {
#pragma unroll
            for (int idx = 0; idx + step < Num; idx += step * 2) sums[idx] = op(sums[idx], sums[idx + step]);
        }
        return sums[0];
    }
    T total = items[0];
#pragma unroll
    for (int idx = 1; idx < Num; idx++) total = op(total, items[idx]);
    return total;
}
template <int Num, typename T, typename Op> __device__ T ThreadReduce(const T (&items)[Num], Op op) {
    return reduce_items<Num>(items, op);
}
template <int Num, typename T, typename Op> __device__ T ThreadReduce(const T (&items)[Num], Op op, T prefix) {
    return op(prefix, reduce_items<Num>(items, op));
}
template <int Num, typename T, typename Op>
__device__ T ThreadScanInclusive(const T (&items)[Num], T (&out)[Num], Op op) {
    T total = items[0];
    out[0] = total;
#pragma unroll
    for (int idx = 1; idx < Num; idx++) {
        total = op(total, items[idx]);
        out[idx] = total;
    }
    return total;
}
template <int Num, typename T, typename Op>
__device__ T ThreadScanInclusive(const T (&items)[Num], T (&out)[Num], Op op, T prefix, bool apply_prefix = true) {
    T total = items[0];
    if (apply_prefix) total = op(prefix, total);
    out[0] = total;
#pragma unroll
    for (int idx = 1; idx < Num; idx++) {
        total = op(total, items[idx]);
        out[idx] = total;
    }
    return total;
}
template <int Num, typename T, typename Op>
__device__ T ThreadScanExclusive(const T (&items)[Num], T (&out)[Num], Op op, T prefix, bool apply_prefix = true) {
    T total = items[0];
    if (apply_prefix) total = op(prefix, total);
    out[0] = prefix;
#pragma unroll
    for (int idx = 1; idx < Num; idx++) {
        const T next = op(total, items[idx]);
        out[idx] = total;
        total = next;
    }
    return total;
}
}  // namespace internal
template <int Num, typename T, typename Op> __device__ T ThreadReduce(const T (&items)[Num], Op op) {
    return cub::internal::reduce_items<Num>(items, op);
}

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

namespace detail {
template <typename T, bool IsNumber> struct memory {
    template <int Modifier> static __device__ T load(detail::modifier<Modifier> how, const T *from) { return *from; }
    template <int Modifier>
    static __device__ void store(detail::modifier<Modifier> how, T *to, T value) { *to = value; }
};
template <typename T> struct memory<T, true> {
    template <int Modifier> static __device__ T load(detail::modifier<Modifier> how, const T *from) {
        if constexpr (Modifier == cub::LOAD_CG) return __ldcg(from);
        else if constexpr (Modifier == cub::LOAD_CS) return __ldcs(from);
        else if constexpr (Modifier == cub::LOAD_LDG) return __ldg(from);
        else if constexpr (Modifier == cub::LOAD_CA) return __ldca(from);
        else if constexpr (Modifier == cub::LOAD_VOLATILE || Modifier == cub::LOAD_CV) {
            return *(const volatile T *)from;
        } else return *from;
    }
    template <int Modifier> static __device__ void store(detail::modifier<Modifier> how, T *to, T value) {
        if constexpr (Modifier == cub::STORE_CG) __stcg(to, value);
        else if constexpr (Modifier == cub::STORE_CS) __stcs(to, value);
        else if constexpr (Modifier == cub::STORE_WB) __stwb(to, value);
        else if constexpr (Modifier == cub::STORE_WT) __stwt(to, value);
        else if constexpr (Modifier == cub::STORE_VOLATILE) *(volatile T *)to = value;
        else *to = value;
    }
};
}  // namespace detail

template <cub::CacheLoadModifier Modifier, typename T> __device__ T ThreadLoad(const T *from) {
    return detail::memory<T, (detail::number<T>::kind != 0)>::load(detail::modifier<(int)Modifier>(), from);
}
template <cub::CacheLoadModifier Modifier, typename T> __device__ T ThreadLoad(T *from) {
    return detail::memory<T, (detail::number<T>::kind != 0)>::load(detail::modifier<(int)Modifier>(), from);
}
template <cub::CacheStoreModifier Modifier, typename T, typename V> __device__ void ThreadStore(T *to, V value) {
    detail::memory<T, (detail::number<T>::kind != 0)>::store(detail::modifier<(int)Modifier>(), to, (T)value);
}

// Iterators.
template <cub::CacheLoadModifier Modifier, typename T, typename Offset = long long> struct CacheModifiedInputIterator {
    typedef T value_type;
    typedef T reference;
    typedef Offset difference_type;
    const T *ptr;
    __device__ CacheModifiedInputIterator(const T *from) : ptr(from) {}
    __device__ T operator*() const { return cub::ThreadLoad<Modifier>(ptr); }
    __device__ T operator[](Offset idx) const { return cub::ThreadLoad<Modifier>(ptr + idx); }
    __device__ CacheModifiedInputIterator operator+(Offset num) const { return CacheModifiedInputIterator(ptr + num); }
    __device__ CacheModifiedInputIterator &operator+=(Offset num) {
        ptr += num;
        return *this;
    }
    __device__ CacheModifiedInputIterator &operator++() {
        ptr++;
        return *this;
    }
};
template <typename T, typename Offset = long long> struct CountingInputIterator {
    typedef T value_type;
    typedef T reference;
    typedef Offset difference_type;
    T val;
    __device__ CountingInputIterator(const T &first) : val(first) {}
    __device__ T operator*() const { return val; }
    __device__ T operator[](Offset idx) const { return val + (T)idx; }
    __device__ CountingInputIterator operator+(Offset num) const { return CountingInputIterator(val + (T)num); }
    __device__ CountingInputIterator &operator+=(Offset num) {
        val += (T)num;
        return *this;
    }
    __device__ CountingInputIterator &operator++() {
        val++;
        return *this;
    }
};
template <typename T, typename Offset = long long> struct ConstantInputIterator {
    typedef T value_type;
    typedef T reference;
    typedef Offset difference_type;
    T val;
    Offset offset;
    __device__ ConstantInputIterator(T value, Offset first = 0) : val(value), offset(first) {}
    __device__ T operator*() const { return val; }
    __device__ T operator[](Offset idx) const { return val; }
    __device__ ConstantInputIterator operator+(Offset num) const { return ConstantInputIterator(val, offset + num); }
};
template <typename T, typename Op, typename Input, typename Offset = long long> struct TransformInputIterator {
    typedef T value_type;
    typedef T reference;
    typedef Offset difference_type;
    Op op;
    Input itr;
    __device__ TransformInputIterator(Input input, Op function) : op(function), itr(input) {}
    __device__ T operator*() const { return op(*itr); }
    __device__ T operator[](Offset idx) const { return op(itr[idx]); }
    __device__ TransformInputIterator operator+(Offset num) const { return TransformInputIterator(itr + num, op); }
};
template <typename Input, typename Offset = long long, typename T = int> struct ArgIndexInputIterator {
    typedef KeyValuePair<Offset, T> value_type;
    Input itr;
    Offset offset;
    __device__ ArgIndexInputIterator(Input input, Offset first = 0) : itr(input), offset(first) {}
    __device__ KeyValuePair<Offset, T> operator*() const { return KeyValuePair<Offset, T>(offset, *itr); }
    __device__ KeyValuePair<Offset, T> operator[](Offset idx) const {
        return KeyValuePair<Offset, T>(offset + idx, itr[idx]);
    }
};

}  // namespace cub
