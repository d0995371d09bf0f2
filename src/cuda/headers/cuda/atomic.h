// cuda::atomic_ref and cuda::atomic: libcu++ documentation, "Synchronization Primitives". Operations are those of the
// device scope whatever the scope is, with a fence of the scope before operations that release and after those that
// acquire. Types are those of CUDA's atomic functions.

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
namespace std {
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
}

namespace detail {
template <int Scope> __device__ void fence() {
    if (Scope == thread_scope_system) __threadfence_system();
    else if (Scope == thread_scope_device) __threadfence();
    else if (Scope == thread_scope_block) __threadfence_block();
}
template <int Scope> __device__ void release(int order) {
    if (order >= memory_order_release) fence<Scope>();
}
template <int Scope> __device__ void acquire(int order) {
    if (order != memory_order_relaxed && order != memory_order_release) fence<Scope>();
}
}

template <typename T, int Scope = thread_scope_system> struct atomic_ref {
    T *place;
    __device__ explicit atomic_ref(T &object) : place(&object) {}
    __device__ T load(int order = memory_order_seq_cst) const {
        const T value = *(volatile T *)place;
        detail::acquire<Scope>(order);
        return value;
    }
    __device__ void store(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        *(volatile T *)place = value;
    }
    __device__ operator T() const { return load(); }
    __device__ T exchange(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicExch(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ bool compare_exchange_strong(T &expected, T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicCAS(place, expected, value);
        detail::acquire<Scope>(order);
        const bool is_same = old == expected;
        expected = old;
        return is_same;
    }
    __device__ bool compare_exchange_strong(T &expected, T value, int order, int) const {
        return compare_exchange_strong(expected, value, order);
    }
    __device__ bool compare_exchange_weak(T &expected, T value, int order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, value, order);
    }
    __device__ bool compare_exchange_weak(T &expected, T value, int order, int) const {
        return compare_exchange_strong(expected, value, order);
    }
    __device__ T fetch_add(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicAdd(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ T fetch_sub(T value, int order = memory_order_seq_cst) const {
        return fetch_add((T)(0 - value), order);
    }
    __device__ T fetch_min(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicMin(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ T fetch_max(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicMax(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ T fetch_and(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicAnd(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ T fetch_or(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicOr(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ T fetch_xor(T value, int order = memory_order_seq_cst) const {
        detail::release<Scope>(order);
        const T old = atomicXor(place, value);
        detail::acquire<Scope>(order);
        return old;
    }
    __device__ T operator++(int) const { return fetch_add((T)1); }
    __device__ T operator--(int) const { return fetch_sub((T)1); }
    __device__ T operator++() const { return fetch_add((T)1) + (T)1; }
    __device__ T operator--() const { return fetch_sub((T)1) - (T)1; }
    __device__ T operator+=(T value) const { return fetch_add(value) + value; }
    __device__ T operator-=(T value) const { return fetch_sub(value) - value; }
};

template <typename T, int Scope = thread_scope_system> struct atomic {
    T value;
    __device__ atomic_ref<T, Scope> reference() { return atomic_ref<T, Scope>(value); }
    __device__ T load(int order = memory_order_seq_cst) { return reference().load(order); }
    __device__ void store(T other, int order = memory_order_seq_cst) { reference().store(other, order); }
    __device__ operator T() { return load(); }
    __device__ T operator=(T other) {
        store(other);
        return other;
    }
    __device__ T exchange(T other, int order = memory_order_seq_cst) { return reference().exchange(other, order); }
    __device__ bool compare_exchange_strong(T &expected, T other, int order = memory_order_seq_cst) {
        return reference().compare_exchange_strong(expected, other, order);
    }
    __device__ bool compare_exchange_weak(T &expected, T other, int order = memory_order_seq_cst) {
        return reference().compare_exchange_strong(expected, other, order);
    }
    __device__ T fetch_add(T other, int order = memory_order_seq_cst) { return reference().fetch_add(other, order); }
    __device__ T fetch_sub(T other, int order = memory_order_seq_cst) { return reference().fetch_sub(other, order); }
    __device__ T fetch_min(T other, int order = memory_order_seq_cst) { return reference().fetch_min(other, order); }
    __device__ T fetch_max(T other, int order = memory_order_seq_cst) { return reference().fetch_max(other, order); }
    __device__ T fetch_and(T other, int order = memory_order_seq_cst) { return reference().fetch_and(other, order); }
    __device__ T fetch_or(T other, int order = memory_order_seq_cst) { return reference().fetch_or(other, order); }
    __device__ T fetch_xor(T other, int order = memory_order_seq_cst) { return reference().fetch_xor(other, order); }
    __device__ T operator++(int) { return fetch_add((T)1); }
    __device__ T operator--(int) { return fetch_sub((T)1); }
    __device__ T operator++() { return fetch_add((T)1) + (T)1; }
    __device__ T operator--() { return fetch_sub((T)1) - (T)1; }
    __device__ T operator+=(T other) { return fetch_add(other) + other; }
    __device__ T operator-=(T other) { return fetch_sub(other) - other; }
};

template <int Scope = thread_scope_system> __device__ void atomic_thread_fence(int order) {
    if (order != memory_order_relaxed) detail::fence<Scope>();
}
inline __device__ void atomic_thread_fence(int order, thread_scope scope) {
    if (order == memory_order_relaxed) return;
    if (scope == thread_scope_block) __threadfence_block();
    else if (scope == thread_scope_device) __threadfence();
    else __threadfence_system();
}

}

// cuda::std::atomic; cuda::std and std are one namespace here.
namespace std {
template <typename T> struct atomic : cuda::atomic<T, cuda::thread_scope_system> {
    __device__ T operator=(T other) {
        this->store(other);
        return other;
    }
};
}
