// cuda::pipeline and cuda::memcpy_async: CUDA C++ Programming Guide, "Asynchronous Data Copies" and "Pipeline". Each
// thread copies its bytes. The copies of a thread's own pipeline bypass registers from 8.0 on; others are synchronous.

#include <cuda/barrier>
#include <cuda/copy>

namespace cuda {

enum class pipeline_role { producer, consumer };

// For each stage, the number of threads that have filled it and that have read it.
template <int Scope, unsigned char Stages> struct pipeline_shared_state {
    barrier<Scope> full[Stages];
    barrier<Scope> empty[Stages];
    unsigned producers;
};

template <int Scope> struct pipeline {
    barrier<thread_scope_block> *full;
    barrier<thread_scope_block> *empty;
    unsigned stages;
    // Number of stages that this thread has filled and read.
    unsigned filled;
    unsigned read;

    // A stage is free after all readers of the previous round have released it.
    __device__ void producer_acquire() {
        if (stages == 0) return;
        empty[filled % stages].wait_for_phase(filled / stages);
    }
    __device__ void producer_commit() {
        if (stages != 0) full[filled % stages].arrive();
        else detail::commit_copies();
        filled++;
    }
    __device__ void consumer_wait() {
        if (stages != 0) full[read % stages].wait_for_phase(read / stages + 1);
        else if (filled != read) detail::wait_for_copies(filled - read - 1);
    }
    __device__ void consumer_release() {
        if (stages != 0) empty[read % stages].arrive();
        read++;
    }
    __device__ bool quit() { return true; }
};

namespace detail {
template <> struct waits_for_groups<pipeline<thread_scope_thread>> { static constexpr bool value = true; };
}

// The pipeline of one thread.
inline __device__ pipeline<thread_scope_thread> make_pipeline() {
    pipeline<thread_scope_thread> made;
    made.full = nullptr;
    made.empty = nullptr;
    made.stages = 0;
    made.filled = 0;
    made.read = 0;
    return made;
}

namespace detail {
template <typename Group, int Scope, unsigned char Stages>
__device__ pipeline<Scope> shared_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                           unsigned producers, unsigned consumers) {
    if (group.thread_rank() == 0) {
        for (int stage = 0; stage < Stages; stage++) {
            init(&state->full[stage], (int)producers);
            init(&state->empty[stage], (int)consumers);
        }
    }
    group.sync();
    pipeline<Scope> made;
    made.full = state->full;
    made.empty = state->empty;
    made.stages = Stages;
    made.filled = 0;
    made.read = 0;
    return made;
}
}

template <typename Group, int Scope, unsigned char Stages>
__device__ pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state) {
    return detail::shared_pipeline(group, state, group.size(), group.size());
}

template <typename Group, int Scope, unsigned char Stages>
__device__ pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                         pipeline_role role) {
    if (group.thread_rank() == 0) state->producers = 0;
    group.sync();
    if (role == pipeline_role::producer) atomicAdd(&state->producers, 1u);
    group.sync();
    const unsigned producers = *(volatile unsigned *)&state->producers;
    return detail::shared_pipeline(group, state, producers, (unsigned)group.size() - producers);
}

template <int Prior, int Scope> __device__ void pipeline_consumer_wait_prior(pipeline<Scope> &pipe) {
    if (pipe.stages == 0) detail::wait_for_copies(Prior);
}

template <int Scope> __device__ void pipeline_producer_commit(pipeline<Scope> &pipe, barrier<thread_scope_block> &bar) {}

}
