// <tuple>: the part that kernels use, with up to ten members.

#define _GLIBCXX_TUPLE 1

#include <utility>

namespace std {

#define __WS_TYPES \
    typename A, typename B, typename C, typename D, typename E, typename F, typename G, typename H, typename I, \
        typename J
#define __WS_NAMES A, B, C, D, E, F, G, H, I, J
#define __WS_REST B, C, D, E, F, G, H, I, J, __none
#define __WS_OTHER_TYPES \
    typename OA, typename OB, typename OC, typename OD, typename OE, typename OF, typename OG, typename OH, \
        typename OI, typename OJ
#define __WS_OTHERS OA, OB, OC, OD, OE, OF, OG, OH, OI, OJ

// The placeholder for an absent member.
struct __none {};

template <typename A = std::__none, typename B = std::__none, typename C = std::__none,
          typename D = std::__none, typename E = std::__none, typename F = std::__none,
          typename G = std::__none, typename H = std::__none, typename I = std::__none,
          typename J = std::__none>
struct tuple;

template <typename A> struct tuple<A, __none, __none, __none, __none, __none, __none, __none, __none, __none> {
    A __head;
    __device__ constexpr tuple() : __head() {}
    __device__ constexpr tuple(const A &a) : __head(a) {}
    template <typename O> __device__ constexpr tuple(const tuple<O> &other) : __head(other.__head) {}
};
template <__WS_TYPES> struct tuple {
    typedef tuple<__WS_REST> __rest;
    A __head;
    __rest __tail;
    __device__ constexpr tuple() : __head(), __tail() {}
    __device__ constexpr tuple(const A &a, const B &b) : __head(a), __tail(b) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c) : __head(a), __tail(b, c) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d) : __head(a), __tail(b, c, d) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d, const E &e)
        : __head(a), __tail(b, c, d, e) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d, const E &e, const F &f)
        : __head(a), __tail(b, c, d, e, f) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d, const E &e, const F &f, const G &g)
        : __head(a), __tail(b, c, d, e, f, g) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d, const E &e, const F &f, const G &g,
                          const H &h)
        : __head(a), __tail(b, c, d, e, f, g, h) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d, const E &e, const F &f, const G &g,
                          const H &h, const I &i)
        : __head(a), __tail(b, c, d, e, f, g, h, i) {}
    __device__ constexpr tuple(const A &a, const B &b, const C &c, const D &d, const E &e, const F &f, const G &g,
                          const H &h, const I &i, const J &j)
        : __head(a), __tail(b, c, d, e, f, g, h, i, j) {}
    template <__WS_OTHER_TYPES>
    __device__ constexpr tuple(const tuple<__WS_OTHERS> &other) : __head(other.__head), __tail(other.__tail) {}
    template <typename X, typename Y>
    __device__ constexpr tuple(const pair<X, Y> &other) : __head(other.first), __tail(other.second) {}
};

template <size_t Idx, typename T> struct tuple_element;
template <__WS_TYPES> struct tuple_element<0, tuple<__WS_NAMES>> {
    typedef A type;
};
template <size_t Idx, __WS_TYPES> struct tuple_element<Idx, tuple<__WS_NAMES>> {
    typedef tuple<__WS_REST> __rest;
    typedef typename tuple_element<Idx - 1, __rest>::type type;
};
template <typename A, typename B> struct tuple_element<0, pair<A, B>> {
    typedef A type;
};
template <typename A, typename B> struct tuple_element<1, pair<A, B>> {
    typedef B type;
};
template <size_t Idx, typename T> using tuple_element_t = typename tuple_element<Idx, T>::type;
template <typename T> struct tuple_size;
template <typename A> struct tuple_size<tuple<A>> {
    static constexpr size_t value = 1;
};
template <__WS_TYPES> struct tuple_size<tuple<__WS_NAMES>> {
    typedef tuple<__WS_REST> __rest;
    static constexpr size_t value = 1 + tuple_size<__rest>::value;
};
template <typename A, typename B> struct tuple_size<pair<A, B>> {
    static constexpr size_t value = 2;
};

template <size_t Idx, __WS_TYPES>
__device__ typename tuple_element<Idx, tuple<__WS_NAMES>>::type &get(tuple<__WS_NAMES> &t) {
    if constexpr (Idx == 0) return t.__head;
    else return std::get<Idx - 1>(t.__tail);
}
template <size_t Idx, __WS_TYPES>
__device__ const typename tuple_element<Idx, tuple<__WS_NAMES>>::type &get(const tuple<__WS_NAMES> &t) {
    if constexpr (Idx == 0) return t.__head;
    else return std::get<Idx - 1>(t.__tail);
}
template <size_t Idx, typename A, typename B>
__device__ typename tuple_element<Idx, pair<A, B>>::type &get(pair<A, B> &p) {
    if constexpr (Idx == 0) return p.first;
    else return p.second;
}
template <size_t Idx, typename A, typename B>
__device__ const typename tuple_element<Idx, pair<A, B>>::type &get(const pair<A, B> &p) {
    if constexpr (Idx == 0) return p.first;
    else return p.second;
}

template <typename A> __device__ constexpr tuple<A> make_tuple(A a) {
    return tuple<A>(a);
}
template <typename A, typename B> __device__ constexpr tuple<A, B> make_tuple(A a, B b) {
    return tuple<A, B>(a, b);
}
template <typename A, typename B, typename C> __device__ constexpr tuple<A, B, C> make_tuple(A a, B b, C c) {
    return tuple<A, B, C>(a, b, c);
}
template <typename A, typename B, typename C, typename D>
__device__ constexpr tuple<A, B, C, D> make_tuple(A a, B b, C c, D d) {
    return tuple<A, B, C, D>(a, b, c, d);
}
template <typename A, typename B, typename C, typename D, typename E>
__device__ constexpr tuple<A, B, C, D, E> make_tuple(A a, B b, C c, D d, E e) {
    return tuple<A, B, C, D, E>(a, b, c, d, e);
}
template <typename A, typename B, typename C, typename D, typename E, typename F>
__device__ constexpr tuple<A, B, C, D, E, F> make_tuple(A a, B b, C c, D d, E e, F f) {
    return tuple<A, B, C, D, E, F>(a, b, c, d, e, f);
}
template <typename A, typename B, typename C, typename D, typename E, typename F, typename G>
__device__ constexpr tuple<A, B, C, D, E, F, G> make_tuple(A a, B b, C c, D d, E e, F f, G g) {
    return tuple<A, B, C, D, E, F, G>(a, b, c, d, e, f, g);
}
template <typename A, typename B, typename C, typename D, typename E, typename F, typename G, typename H>
__device__ constexpr tuple<A, B, C, D, E, F, G, H> make_tuple(A a, B b, C c, D d, E e, F f, G g, H h) {
    return tuple<A, B, C, D, E, F, G, H>(a, b, c, d, e, f, g, h);
}
template <typename A, typename B, typename C, typename D, typename E, typename F, typename G, typename H, typename I>
__device__ constexpr tuple<A, B, C, D, E, F, G, H, I> make_tuple(A a, B b, C c, D d, E e, F f, G g, H h, I i) {
    return tuple<A, B, C, D, E, F, G, H, I>(a, b, c, d, e, f, g, h, i);
}
template <__WS_TYPES>
__device__ constexpr tuple<__WS_NAMES> make_tuple(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j) {
    return tuple<__WS_NAMES>(a, b, c, d, e, f, g, h, i, j);
}

// The result of tie(): references that receive the members of a tuple or pair.
template <typename A> struct __tied1 {
    A *__a;
    template <typename OA> __device__ void operator=(const tuple<OA> &t) {
        *__a = std::get<0>(t);
    }
};
template <typename A> __device__ __tied1<A> tie(A &a) {
    __tied1<A> out;
    out.__a = &a;
    return out;
}
template <typename A, typename B> struct __tied2 {
    A *__a;
    B *__b;
    template <typename OA, typename OB> __device__ void operator=(const tuple<OA, OB> &t) {
        *__a = std::get<0>(t);
        *__b = std::get<1>(t);
    }
    template <typename X, typename Y> __device__ void operator=(const pair<X, Y> &p) {
        *__a = p.first;
        *__b = p.second;
    }
};
template <typename A, typename B> __device__ __tied2<A, B> tie(A &a, B &b) {
    __tied2<A, B> out;
    out.__a = &a;
    out.__b = &b;
    return out;
}
template <typename A, typename B, typename C> struct __tied3 {
    A *__a;
    B *__b;
    C *__c;
    template <typename OA, typename OB, typename OC> __device__ void operator=(const tuple<OA, OB, OC> &t) {
        *__a = std::get<0>(t);
        *__b = std::get<1>(t);
        *__c = std::get<2>(t);
    }
};
template <typename A, typename B, typename C> __device__ __tied3<A, B, C> tie(A &a, B &b, C &c) {
    __tied3<A, B, C> out;
    out.__a = &a;
    out.__b = &b;
    out.__c = &c;
    return out;
}
template <typename A, typename B, typename C, typename D> struct __tied4 {
    A *__a;
    B *__b;
    C *__c;
    D *__d;
    template <typename OA, typename OB, typename OC, typename OD>
    __device__ void operator=(const tuple<OA, OB, OC, OD> &t) {
        *__a = std::get<0>(t);
        *__b = std::get<1>(t);
        *__c = std::get<2>(t);
        *__d = std::get<3>(t);
    }
};
template <typename A, typename B, typename C, typename D> __device__ __tied4<A, B, C, D> tie(A &a, B &b, C &c, D &d) {
    __tied4<A, B, C, D> out;
    out.__a = &a;
    out.__b = &b;
    out.__c = &c;
    out.__d = &d;
    return out;
}
template <typename A, typename B, typename C, typename D, typename E> struct __tied5 {
    A *__a;
    B *__b;
    C *__c;
    D *__d;
    E *__e;
    template <typename OA, typename OB, typename OC, typename OD, typename OE>
    __device__ void operator=(const tuple<OA, OB, OC, OD, OE> &t) {
        *__a = std::get<0>(t);
        *__b = std::get<1>(t);
        *__c = std::get<2>(t);
        *__d = std::get<3>(t);
        *__e = std::get<4>(t);
    }
};
template <typename A, typename B, typename C, typename D, typename E>
__device__ __tied5<A, B, C, D, E> tie(A &a, B &b, C &c, D &d, E &e) {
    __tied5<A, B, C, D, E> out;
    out.__a = &a;
    out.__b = &b;
    out.__c = &c;
    out.__d = &d;
    out.__e = &e;
    return out;
}

template <__WS_TYPES>
__device__ bool operator==(const tuple<__WS_NAMES> &x, const tuple<__WS_NAMES> &y) {
    if constexpr (tuple_size<tuple<__WS_NAMES>>::value == 1) return x.__head == y.__head;
    else return x.__head == y.__head && x.__tail == y.__tail;
}
template <__WS_TYPES>
__device__ bool operator!=(const tuple<__WS_NAMES> &x, const tuple<__WS_NAMES> &y) {
    return !(x == y);
}
template <__WS_TYPES>
__device__ bool operator<(const tuple<__WS_NAMES> &x, const tuple<__WS_NAMES> &y) {
    if constexpr (tuple_size<tuple<__WS_NAMES>>::value == 1) return x.__head < y.__head;
    else return x.__head < y.__head || (!(y.__head < x.__head) && x.__tail < y.__tail);
}

}  // namespace std
