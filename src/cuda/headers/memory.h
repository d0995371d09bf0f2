// Smart pointers of the host, for structs that contain one. Device code cannot call their functions.
// The sizes match libstdc++.

namespace std {
template <typename T> struct shared_ptr {
    T *__pointer;
    void *__control;
};
template <typename T> struct weak_ptr {
    T *__pointer;
    void *__control;
};
template <typename T> struct unique_ptr { T *__pointer; };
}
