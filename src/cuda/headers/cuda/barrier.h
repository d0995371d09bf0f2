// cuda::barrier: CUDA C++ Programming Guide, "Asynchronous Barrier". A counter in memory, with atomic operations, as
// in libcu++ on 7.0. The instructions of 8.0 for barriers in shared memory are not used.

#include <cuda/atomic>
#include <cuda/copy>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "cuda::barrier needs compute capability 7.0; use __syncthreads()."
#endif

namespace cuda {

template <int Scope = thread_scope_system> struct barrier {
    typedef unsigned arrival_token;
    // The expected arrivals of the next phases, the pending arrivals, and the phase number.
    unsigned expected;
    unsigned pending;
    unsigned phase;

    __device__ arrival_token arrive(int update = 1) {
        detail::fence<Scope>();
        const unsigned token = *(volatile unsigned *)&phase;
        if (atomicSub(&pending, (unsigned)update) == (unsigned)update) {
            *(volatile unsigned *)&pending = *(volatile unsigned *)&expected;
            detail::fence<Scope>();
            *(volatile unsigned *)&phase = token + 1;
        }
        return token;
    }
    __device__ void wait(arrival_token token) const {
        while (*(volatile unsigned *)&phase == token) {}
        detail::fence<Scope>();
    }
    __device__ void wait_for_phase(unsigned reached) const {
        while ((int)(*(volatile unsigned *)&phase - reached) < 0) {}
        detail::fence<Scope>();
    }
    __device__ bool try_wait(arrival_token token) const { return *(volatile unsigned *)&phase != token; }
    __device__ void arrive_and_wait() { wait(arrive()); }
    __device__ void arrive_and_drop() {
        atomicSub(&expected, 1u);
        arrive();
    }
};

template <int Scope> __device__ void init(barrier<Scope> *bar, int expected) {
    bar->expected = expected;
    bar->pending = expected;
    bar->phase = 0;
}

}
