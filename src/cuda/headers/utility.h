// <utility>: the part that kernels use.

#define _GLIBCXX_UTILITY 1

namespace std {

template <typename A, typename B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    __device__ constexpr pair() : first(), second() {}
    __device__ constexpr pair(const A &a, const B &b) : first(a), second(b) {}
    template <typename C, typename D>
    __device__ constexpr pair(const pair<C, D> &other) : first(other.first), second(other.second) {}
    __device__ void swap(pair &other) {
        const pair before = other;
        other = *this;
        *this = before;
    }
};
template <typename A, typename B> __device__ constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <typename A, typename B> __device__ bool operator==(const pair<A, B> &x, const pair<A, B> &y) {
    return x.first == y.first && x.second == y.second;
}
template <typename A, typename B> __device__ bool operator!=(const pair<A, B> &x, const pair<A, B> &y) {
    return !(x == y);
}
template <typename A, typename B> __device__ bool operator<(const pair<A, B> &x, const pair<A, B> &y) {
    return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
}
template <typename A, typename B> __device__ bool operator>(const pair<A, B> &x, const pair<A, B> &y) { return y < x; }
template <typename A, typename B> __device__ bool operator<=(const pair<A, B> &x, const pair<A, B> &y) {
    return !(y < x);
}
template <typename A, typename B> __device__ bool operator>=(const pair<A, B> &x, const pair<A, B> &y) {
    return !(x < y);
}

template <typename T> __device__ constexpr void swap(T &a, T &b) {
    const T before = a;
    a = b;
    b = before;
}

template <typename T> struct __no_reference { typedef T type; };
template <typename T> struct __no_reference<T &> { typedef T type; };
template <typename T> struct __no_reference<T &&> { typedef T type; };

template <typename T> __device__ constexpr typename __no_reference<T>::type &&move(T &&value) {
    return static_cast<typename __no_reference<T>::type &&>(value);
}
template <typename T> __device__ constexpr T &&forward(typename __no_reference<T>::type &value) {
    return static_cast<T &&>(value);
}

template <typename T, T... Is> struct integer_sequence {
    typedef T value_type;
    __device__ static constexpr size_t size() { return sizeof...(Is); }
};
template <size_t... Is> struct index_sequence {
    typedef size_t value_type;
    __device__ static constexpr size_t size() { return sizeof...(Is); }
};
template <typename T, T N> using make_integer_sequence = integer_sequence<T, __integer_pack(N)...>;
template <size_t N> using make_index_sequence = index_sequence<__integer_pack(N)...>;
template <typename... Ts> using index_sequence_for = make_index_sequence<sizeof...(Ts)>;

}  // namespace std
