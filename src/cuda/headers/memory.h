// Smart pointers of the host, for structs that a kernel gets with one inside. Device code has no functions of them.
// Sizes are those of g++'s library.

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
