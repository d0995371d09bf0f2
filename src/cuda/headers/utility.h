// <utility>: what kernels use of it.

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

// What is moved is copied: no class of the device has a constructor that moves.
template <typename T> __device__ T &move(T &&value) { return value; }
template <typename T, typename U> __device__ U &forward(U &value) { return value; }

}  // namespace std
