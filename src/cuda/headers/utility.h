// <utility>: what kernels use of it. Names of namespace std are there without it.

template <typename A, typename B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    __device__ constexpr pair() : first(), second() {}
    __device__ constexpr pair(const A &a, const B &b) : first(a), second(b) {}
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
template <typename T> __device__ constexpr T &move(T &&value) { return value; }
template <typename T> __device__ constexpr T &forward(T &value) { return value; }
