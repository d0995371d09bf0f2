// What CUDA C has and this compiler does not have yet.
#include <cuda_fp16.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <typename T>
__device__ T square(T v) { return v * v; }

class Counter {
public:
    int value;
    __device__ void add(int n) { value += n; }
};

__global__ void uses_template(float *a) { a[0] = square(a[0]); }
__global__ void uses_half(__half *a) { a[0] = a[1]; }
__global__ void uses_groups(int *a)
{
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    a[block.thread_rank()] = 1;
}
__global__ void uses_class(Counter *c) { c->add(1); }
__global__ void prints(int *a)
{
    printf("%d\n", a[0]);
    asm("nop;");
//~ 9 error: The PTX instruction `nop` is not supported.
    auto f = [](int v) { return v; };
}
__global__ void fine(int *a) { a[0] = 1; }
