// Allocation in kernels: CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and Operations".

// The heap has 8 MB, the default of cudaLimitMallocHeapSize. Each allocation is behind its size and the number of its
// objects, on a boundary of 16 bytes. No block is taken twice: threads that use one memory after each other would have a
// race for racecheck, which does not know the allocator.
struct __ws_heap_block {
    unsigned size;
    unsigned num_objects;
    unsigned unused[2];
};

__device__ inline unsigned char *__ws_heap() {
    static __align__(16) unsigned char heap[8388608];
    return heap;
}

// The number of bytes that are taken.
__device__ inline unsigned *__ws_heap_taken() {
    static unsigned taken;
    return &taken;
}

__device__ inline void *__ws_malloc(size_t size, unsigned num_objects) {
    const unsigned capacity = 8388608;
    if (size > capacity - 32) return nullptr;
    const unsigned whole = ((unsigned)size + 31) / 16 * 16;
    const unsigned start = atomicAdd(__ws_heap_taken(), whole);
    if (start > capacity - whole) {
        atomicSub(__ws_heap_taken(), whole);
        return nullptr;
    }
    __ws_heap_block *const block = reinterpret_cast<__ws_heap_block *>(__ws_heap() + start);
    block->size = whole;
    block->num_objects = num_objects;
    return block + 1;
}

__device__ inline void *malloc(size_t size) { return __ws_malloc(size, 1); }

__device__ inline void free(void *address) {}

template <typename T> __device__ T *__ws_new_array_at(void *address, size_t num) {
    T *const objects = static_cast<T *>(address);
    for (size_t idx = 0; idx < num; idx++) new (objects + idx) T;
    return objects;
}

template <typename T> __device__ T *__ws_new_array(size_t num) {
    return __ws_new_array_at<T>(__ws_malloc(num * sizeof(T), (unsigned)num), num);
}

template <typename T> __device__ T *__ws_new_values_at(void *address, size_t num) {
    T *const objects = static_cast<T *>(address);
    for (size_t idx = 0; idx < num; idx++) new (objects + idx) T();
    return objects;
}

template <typename T> __device__ T *__ws_new_values(size_t num) {
    return __ws_new_values_at<T>(__ws_malloc(num * sizeof(T), (unsigned)num), num);
}

template <typename T> __device__ void __ws_delete(T *object) {
    if (object == nullptr) return;
    object->~T();
    free((void *)object);
}

template <typename T> __device__ void __ws_delete_array(T *objects) {
    if (objects == nullptr) return;
    const __ws_heap_block *const block = reinterpret_cast<const __ws_heap_block *>(objects) - 1;
    for (unsigned idx = block->num_objects; idx > 0; idx--) objects[idx - 1].~T();
    free((void *)objects);
}
