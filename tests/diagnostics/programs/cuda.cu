//--- misspelled syncthreads
__global__ void k(int *data)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = data[threadIdx.x];
    __synchthreads();
    data[threadIdx.x] = tile[31 - threadIdx.x];
}
//~ kernel.cu:5:5: error: The function `__synchthreads` is not declared; did you mean `__syncthreads`?
//~         __synchthreads();
//~         ^~~~~~~~~~~~~~
//~     help: write `__syncthreads`
//--- syncthreads in another case
__global__ void k(int *data)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncThreads();
    data[threadIdx.x] = tile[31 - threadIdx.x];
}
//~ kernel.cu:5:5: error: The function `__syncThreads` is not declared; did you mean `__syncthreads`?
//~         __syncThreads();
//~         ^~~~~~~~~~~~~
//~     help: write `__syncthreads`
//--- syncthreads with an argument
__global__ void k(int *data)
{
    __syncthreads(0);
    data[threadIdx.x] = 1;
}
//~ kernel.cu:3:5: error: `__syncthreads` takes 0 arguments, not 1.
//~         __syncthreads(0);
//~         ^~~~~~~~~~~~~~~~
//--- shuffle of an older toolkit
__global__ void k(int *data)
{
    int v = data[threadIdx.x];
    for (int i = 16; i > 0; i /= 2)
        v += __shfl_down(v, i);
    data[threadIdx.x] = v;
}
//~ kernel.cu:5:14: error: `__shfl_down` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge.
//~             v += __shfl_down(v, i);
//~                  ^~~~~~~~~~~
//~     help: write `__shfl_down_sync`
//~     note: Use `__shfl_down_sync`, whose first argument is the mask of the participating lanes.
//--- vote of an older toolkit
__global__ void k(int *data)
{
    data[threadIdx.x] = __ballot(data[threadIdx.x] > 0);
}
//~ kernel.cu:3:25: error: `__ballot` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge.
//~         data[threadIdx.x] = __ballot(data[threadIdx.x] > 0);
//~                             ^~~~~~~~
//~     help: write `__ballot_sync`
//~     note: Use `__ballot_sync`, whose first argument is the mask of the participating lanes.
//--- shuffle without a mask
__global__ void k(int *data)
{
    int v = data[threadIdx.x];
    v += __shfl_xor_sync(v, 1);
    data[threadIdx.x] = v;
}
//~ kernel.cu:4:10: error: `__shfl_xor_sync` takes 3 or 4 arguments, not 2.
//~         v += __shfl_xor_sync(v, 1);
//~              ^~~~~~~~~~~~~~~~~~~~~
//--- shuffle of a struct
struct Pair { int key, value; };
__global__ void k(Pair *data)
{
    Pair p = data[threadIdx.x];
    data[threadIdx.x] = __shfl_down_sync(0xffffffff, p, 1);
}
//~ kernel.cu:5:54: error: A shuffle exchanges numbers of 32 or 64 bits, not `Pair`.
//~         data[threadIdx.x] = __shfl_down_sync(0xffffffff, p, 1);
//~                                                          ^
//--- shuffle of a vector
__global__ void k(float2 *data)
{
    float2 p = data[threadIdx.x];
    data[threadIdx.x] = __shfl_down_sync(0xffffffff, p, 1);
}
//~ kernel.cu:4:54: error: A shuffle exchanges numbers of 32 or 64 bits, not `float2`.
//~         data[threadIdx.x] = __shfl_down_sync(0xffffffff, p, 1);
//~                                                          ^
//--- activemask with an argument
__global__ void k(unsigned *data)
{
    data[0] = __activemask(1);
}
//~ kernel.cu:3:15: error: `__activemask` takes 0 arguments, not 1.
//~         data[0] = __activemask(1);
//~                   ^~~~~~~~~~~~~~~
//--- atomic operation on a value
__global__ void count(const int *in, int *total)
{
    if (in[threadIdx.x] > 0)
        atomicAdd(*total, 1);
}
//~ kernel.cu:4:19: error: The first argument of `atomicAdd` must be a pointer, not `int`.
//~             atomicAdd(*total, 1);
//~                       ^~~~~~
//~     note: Write `&` before the variable or element.
//--- atomic operation on an element
__global__ void histogram(const int *in, int *bins)
{
    atomicAdd(bins[in[threadIdx.x]], 1);
}
//~ kernel.cu:3:15: error: The first argument of `atomicAdd` must be a pointer, not `int`.
//~         atomicAdd(bins[in[threadIdx.x]], 1);
//~                   ^~~~~~~~~~~~~~~~~~~~~
//~     note: Write `&` before the variable or element.
//--- atomic operation on const memory
__global__ void count(const int *total)
{
    atomicAdd(total, 1);
}
//~ kernel.cu:3:15: error: `atomicAdd` writes memory, and this pointer points to const.
//~         atomicAdd(total, 1);
//~                   ^~~~~
//--- atomic operation without a value
__global__ void count(int *total)
{
    atomicAdd(total);
}
//~ kernel.cu:3:5: error: `atomicAdd` takes 2 arguments, not 1.
//~         atomicAdd(total);
//~         ^~~~~~~~~~~~~~~~
//--- atomic maximum of floats
__global__ void most(const float *in, float *out)
{
    atomicMax(out, in[threadIdx.x]);
}
//~ kernel.cu:3:15: error: `atomicMax` works on int, unsigned int, long long, unsigned long long, not on `float`.
//~         atomicMax(out, in[threadIdx.x]);
//~                   ^~~
//--- atomic addition of bytes
__global__ void count(unsigned char *bins)
{
    atomicAdd(&bins[0], 1);
}
//~ kernel.cu:3:15: error: `atomicAdd` works on int, unsigned int, unsigned long long, float, double, not on `unsigned char`.
//~         atomicAdd(&bins[0], 1);
//~                   ^~~~~~~~
//--- atomic addition of a vector
__global__ void sum(float4 *total, const float4 *in)
{
    atomicAdd(total, in[threadIdx.x]);
}
//~ kernel.cu:3:15: error: `atomicAdd` works on int, unsigned int, unsigned long long, float, double, not on `float4`.
//~         atomicAdd(total, in[threadIdx.x]);
//~                   ^~~~~
//--- atomicInc of a signed number
__global__ void count(int *total)
{
    atomicInc(total, 100);
}
//~ kernel.cu:3:15: error: `atomicInc` works on unsigned int, not on `int`.
//~         atomicInc(total, 100);
//~                   ^~~~~
//--- atomicCAS with two arguments
__global__ void lock(int *mutex)
{
    while (atomicCAS(mutex, 1) != 0) {}
}
//~ kernel.cu:3:12: error: `atomicCAS` takes 3 arguments, not 2.
//~         while (atomicCAS(mutex, 1) != 0) {}
//~                ^~~~~~~~~~~~~~~~~~~
//--- double precision atomics before 6.0, arch: gm204
__global__ void sum(double *total, const double *in)
{
    atomicAdd(total, in[threadIdx.x]);
}
//~ kernel.cu:3:5: error: `atomicAdd` on double needs compute capability 6.0; Maxwell GM204 has 5.2.
//~         atomicAdd(total, in[threadIdx.x]);
//~         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- shuffles with a mask before Volta's toolkit, arch: gf104
__global__ void k(int *data)
{
    data[threadIdx.x] = __shfl_down_sync(0xffffffff, data[threadIdx.x], 1);
}
//~ kernel.cu:3:25: error: A shuffle needs compute capability 3.0; Fermi GF104 has 2.1.
//~         data[threadIdx.x] = __shfl_down_sync(0xffffffff, data[threadIdx.x], 1);
//~                             ^~~~~~~~~~~~~~~~
//--- warp reductions before 8.0
__global__ void sum(const int *in, int *out)
{
    int v = __reduce_add_sync(0xffffffff, in[threadIdx.x]);
    if (threadIdx.x == 0)
        out[0] = v;
}
//~ kernel.cu:3:13: error: `__reduce_add_sync` needs compute capability 8.0; Turing TU102 has 7.5.
//~         int v = __reduce_add_sync(0xffffffff, in[threadIdx.x]);
//~                 ^~~~~~~~~~~~~~~~~
//--- match before 7.0, arch: gp104
__global__ void k(const int *in, unsigned *out)
{
    out[threadIdx.x] = __match_any_sync(0xffffffff, in[threadIdx.x]);
}
//~ kernel.cu:3:24: error: `__match_…_sync` needs compute capability 7.0; Pascal GP104 has 6.1.
//~         out[threadIdx.x] = __match_any_sync(0xffffffff, in[threadIdx.x]);
//~                            ^~~~~~~~~~~~~~~~
//--- dot product of bytes before 6.1, arch: gm204
__global__ void k(const int *a, const int *b, int *out)
{
    out[threadIdx.x] = __dp4a(a[threadIdx.x], b[threadIdx.x], 0);
}
//~ kernel.cu:3:24: error: `__dp4a` needs compute capability 6.1; Maxwell GM204 has 5.2.
//~         out[threadIdx.x] = __dp4a(a[threadIdx.x], b[threadIdx.x], 0);
//~                            ^~~~~~
//--- launch in a kernel
__global__ void child(int *data) { data[threadIdx.x] = 1; }
__global__ void parent(int *data)
{
    child<<<1, 32>>>(data);
}
//~ kernel.cu:4:10: error: Launches from kernels (dynamic parallelism) are not supported yet; launch the kernel from the host, or call a `__device__` function.
//~         child<<<1, 32>>>(data);
//~              ^~~
//--- host functions of CUDA in a kernel
__global__ void k(int *data)
{
    int *p;
    cudaMemcpy(p, data, 4, cudaMemcpyDeviceToHost);
}
//~ kernel.cu:4:5: error: `cudaMemcpy` is a host function; call it in host code, before or after the launch.
//~         cudaMemcpy(p, data, 4, cudaMemcpyDeviceToHost);
//~         ^~~~~~~~~~
//--- cudaDeviceSynchronize in a kernel
__global__ void k(int *data)
{
    data[threadIdx.x] = 1;
    cudaDeviceSynchronize();
    data[threadIdx.x + 32] = data[31 - threadIdx.x];
}
//~ kernel.cu:4:5: error: `cudaDeviceSynchronize` is a host function; call it in host code, before or after the launch.
//~         cudaDeviceSynchronize();
//~         ^~~~~~~~~~~~~~~~~~~~~
//--- too much constant memory
__constant__ float table[20000];
__global__ void k(float *data) { data[threadIdx.x] = table[threadIdx.x]; }
//~ kernel.cu:1:20: error: The `__constant__` variables take 80000 bytes; constant memory has 65536. Move a table to global memory.
//~     __constant__ float table[20000];
//~                        ^~~~~
//--- launch bounds with no number
__global__ void __launch_bounds__() k(float *data) { data[threadIdx.x] = 1; }
//~ kernel.cu:1:35: error: Expected an expression, not `)`.
//~     __global__ void __launch_bounds__() k(float *data) { data[threadIdx.x] = 1; }
//~                                       ^
//--- launch bounds from a variable
int threads = 256;
__global__ void __launch_bounds__(threads) k(float *data) { data[threadIdx.x] = 1; }
//~ kernel.cu:2:35: error: The host variable `threads` is undefined in device code; pass it as an argument, or declare it with `__device__`, `__constant__`, or `constexpr`.
//~     __global__ void __launch_bounds__(threads) k(float *data) { data[threadIdx.x] = 1; }
//~                                       ^~~~~~~
//--- launch bounds of a device function
__device__ __launch_bounds__(256) float twice(float v) { return 2 * v; }
__global__ void k(float *data) { data[0] = twice(data[0]); }
//~ kernel.cu:1:41: error: `__launch_bounds__` only applies to `__global__` functions.
//~     __device__ __launch_bounds__(256) float twice(float v) { return 2 * v; }
//~                                             ^~~~~
//--- texture read without a type
__global__ void k(cudaTextureObject_t tex, float *out)
{
    out[0] = tex2D(tex, 0.5f, 0.5f);
}
//~ kernel.cu:3:20: error: A texture or surface object has no element type: write `tex2D<float>(…)`, or pass the address of the result first.
//~         out[0] = tex2D(tex, 0.5f, 0.5f);
//~                        ^~~
//--- texture read with too few coordinates
__global__ void k(cudaTextureObject_t tex, float *out)
{
    out[0] = tex2D<float>(tex, 0.5f);
}
//~ kernel.cu:3:14: error: `tex2D` takes 2 coordinates after the texture, not 1.
//~         out[0] = tex2D<float>(tex, 0.5f);
//~                  ^~~~~~~~~~~~~~~~~~~~~~~
//--- texture read from a pointer
__global__ void k(const float *in, float *out)
{
    out[0] = tex1Dfetch<float>(in, threadIdx.x);
}
//~ kernel.cu:3:32: error: `tex1Dfetch` takes a texture, not `const float *`; read through a pointer with `[…]`.
//~         out[0] = tex1Dfetch<float>(in, threadIdx.x);
//~                                    ^~
//--- texture indexed
__global__ void k(cudaTextureObject_t tex, float *out)
{
    out[0] = tex[threadIdx.x];
}
//~ kernel.cu:3:14: error: `[]` needs an array or a pointer; this is `unsigned long long`.
//~         out[0] = tex[threadIdx.x];
//~                  ^~~
//--- texture of a type that cannot be read
__global__ void k(cudaTextureObject_t tex, float3 *out)
{
    out[0] = tex2D<float3>(tex, 0.5f, 0.5f);
}
//~ kernel.cu:3:14: error: Textures of `float3` are not supported yet.
//~         out[0] = tex2D<float3>(tex, 0.5f, 0.5f);
//~                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//--- tensor cores with a wrong shape
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, half, wmma::row_major> fa;
    wmma::load_matrix_sync(fa, a, 16);
    c[0] = fa.x[0];
}
//~ kernel.cu:5:5: error: Tensor cores of this compute capability do not support matrices of this size and type.
//~         wmma::fragment<wmma::matrix_a, 16, 16, 8, half, wmma::row_major> fa;
//~         ^~~~~~~~~~~~~~
//--- tensor cores with a wrong type
#include <mma.h>
using namespace nvcuda;
__global__ void k(const float *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, float, wmma::row_major> fa;
    wmma::load_matrix_sync(fa, a, 16);
    c[0] = fa.x[0];
}
//~ kernel.cu:5:5: error: Tensor cores of this compute capability do not support matrices of this size and type.
//~         wmma::fragment<wmma::matrix_a, 16, 16, 16, float, wmma::row_major> fa;
//~         ^~~~~~~~~~~~~~
//--- tensor cores without a layout
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half> fa;
    wmma::load_matrix_sync(fa, a, 16);
    c[0] = fa.x[0];
}
//~ kernel.cu:6:5: error: No instance of overloaded function `load_matrix_sync` matches the argument list; the argument types are (nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, void>, const half *, int).
//~         wmma::load_matrix_sync(fa, a, 16);
//~         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//~     note: The declaration is void load_matrix_sync(nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> & f, const half * from, unsigned int pitch).
//~     note: The declaration is void load_matrix_sync(nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::col_major> & f, const half * from, unsigned int pitch).
//~     note: The declaration is void load_matrix_sync(nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> & f, const half * from, unsigned int pitch).
//~     note: The declaration is void load_matrix_sync(nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::col_major> & f, const half * from, unsigned int pitch).
//~     note: The declaration is void load_matrix_sync(nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, half, void> & f, const half * from, unsigned int pitch, int layout).
//--- tensor cores with a matrix of another fragment
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::fill_fragment(fc, 0.0f);
    wmma::mma_sync(fc, fa, fa, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
//~ kernel.cu:9:28: error: A value of type `nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major>` cannot be used as `nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major>` here.
//~         wmma::mma_sync(fc, fa, fa, fc);
//~                                ^~
//--- tensor cores without the namespace
#include <mma.h>
__global__ void k(const half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    c[0] = fa.x[0];
}
//~ kernel.cu:4:5: error: The namespace `wmma` is not declared. Write `#include <mma.h>` and `using namespace nvcuda;` before it.
//~         wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
//~         ^~~~
//--- tensor cores without the headers, messages: 2
__global__ void k(const __half *a, float *c)
{
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> fc;
    nvcuda::wmma::fill_fragment(fc, 0.0f);
    nvcuda::wmma::store_matrix_sync(c, fc, 16, nvcuda::wmma::mem_row_major);
}
//~ kernel.cu:1:25: error: The type `__half` is declared in a header that is not included.
//~     __global__ void k(const __half *a, float *c)
//~                             ^~~~~~
//~     note: Write `#include <cuda_fp16.h>` before its first use.
//~ kernel.cu:3:5: error: The namespace `nvcuda` is not declared. Write `#include <mma.h>` before it.
//~         nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> fc;
//~         ^~~~~~
//--- cooperative groups without the header
__global__ void k(int *data)
{
    auto block = cooperative_groups::this_thread_block();
    data[block.thread_rank()] = 1;
}
//~ kernel.cu:3:18: error: The namespace `cooperative_groups` is not declared. Write `#include <cooperative_groups.h>` before it.
//~         auto block = cooperative_groups::this_thread_block();
//~                      ^~~~~~~~~~~~~~~~~~
//--- cooperative groups without the alias
#include <cooperative_groups.h>
__global__ void k(int *data)
{
    cg::thread_block block = cg::this_thread_block();
    data[block.thread_rank()] = 1;
}
//~ kernel.cu:4:5: error: The namespace `cg` is not declared. Write `#include <cooperative_groups.h>` and `namespace cg = cooperative_groups;` before it.
//~         cg::thread_block block = cg::this_thread_block();
//~         ^~
//--- tile of 24 threads
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *data)
{
    auto tile = cg::tiled_partition<24>(cg::this_thread_block());
    data[threadIdx.x] = tile.thread_rank();
}
//~ kernel.cu:5:17: error: The size of a tile must be a power of two, at most 512.
//~         auto tile = cg::tiled_partition<24>(cg::this_thread_block());
//~                     ^~~~~~~~~~~~~~~~~~~
//--- unknown function of a group
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *data)
{
    auto block = cg::this_thread_block();
    block.synchronize();
    data[block.thread_rank()] = 1;
}
//~ kernel.cu:6:11: error: `cooperative_groups::thread_block` has no member function `synchronize`.
//~         block.synchronize();
//~               ^~~~~~~~~~~
//--- reduce of a group without its header
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *data)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    data[0] = cg::reduce(tile, data[threadIdx.x], cg::plus<int>());
}
//~ kernel.cu:6:55: error: There is no template `plus`; declare it above, or include the header that declares it.
//~         data[0] = cg::reduce(tile, data[threadIdx.x], cg::plus<int>());
//~                                                           ^~~~
//--- half without its header
__global__ void k(half *data) { data[0] = data[1]; }
//~ kernel.cu:1:19: error: The type `half` is declared in a header that is not included.
//~     __global__ void k(half *data) { data[0] = data[1]; }
//~                       ^~~~
//~     note: Write `#include <cuda_fp16.h>` before its first use.
//--- half and float in one expression
#include <cuda_fp16.h>
__global__ void k(half *data, float factor)
{
    data[threadIdx.x] = data[threadIdx.x] * factor;
}
//~ kernel.cu:4:25: error: More than one operator `*` matches the operand types `half` and `float`.
//~         data[threadIdx.x] = data[threadIdx.x] * factor;
//~                             ^~~~~~~~~~~~~~~~~~~~~~~~~~
//~     note: Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half precision.
//--- function of half vectors on halves
#include <cuda_fp16.h>
__global__ void k(half *data)
{
    data[0] = __hadd2(data[1], data[2]);
}
//~ kernel.cu:4:23: error: A value of type `half` cannot be used as `half2` in an argument of `__hadd2`.
//~         data[0] = __hadd2(data[1], data[2]);
//~                           ^~~~~~~
//~     note: Write `make_half2(x, y)`.
//~     note: The declaration is half2 __hadd2(half2 a, half2 b).
//--- random numbers without the header
__global__ void k(float *out)
{
    curandState state;
    curand_init(1234, threadIdx.x, 0, &state);
    out[threadIdx.x] = curand_uniform(&state);
}
//~ kernel.cu:3:5: error: The type `curandState` is declared in a header that is not included.
//~         curandState state;
//~         ^~~~~~~~~~~
//~     note: Write `#include <curand_kernel.h>` before its first use.
//--- random numbers without the address of the state
#include <curand_kernel.h>
__global__ void k(float *out)
{
    curandState state;
    curand_init(1234, threadIdx.x, 0, &state);
    out[threadIdx.x] = curand_uniform(state);
}
//~ kernel.cu:6:24: error: No instance of function template `curand_uniform` matches the argument list.
//~         out[threadIdx.x] = curand_uniform(state);
//~                            ^~~~~~~~~~~~~~~~~~~~~
//--- asm with an unknown instruction
__global__ void k(int *data)
{
    asm("foo.s32 %0, %1;" : "=r"(data[0]) : "r"(data[1]));
}
//~ kernel.cu:3:9: error: The PTX instruction `foo.s32` is not supported.
//~         asm("foo.s32 %0, %1;" : "=r"(data[0]) : "r"(data[1]));
//~             ^~~~~~~~~~~~~~~~~
//--- asm with too few operands
__global__ void k(int *data)
{
    int v;
    asm("add.s32 %0, %1, %2;" : "=r"(v) : "r"(data[1]));
    data[0] = v;
}
//~ kernel.cu:4:9: error: `%2` is neither a register declared in this text nor an operand.
//~         asm("add.s32 %0, %1, %2;" : "=r"(v) : "r"(data[1]));
//~             ^~~~~~~~~~~~~~~~~~~~~
//--- asm with an unknown constraint
__global__ void k(int *data)
{
    int v;
    asm("mov.b32 %0, 1;" : "=q"(v));
    data[0] = v;
}
//~ kernel.cu:4:28: error: `=q` is not an operand constraint here; PTX has `=r`, `+l`, `=f`.
//~         asm("mov.b32 %0, 1;" : "=q"(v));
//~                                ^~~~
//--- asm without a semicolon
__global__ void k(int *data)
{
    int v;
    asm("mov.b32 %0, 1" : "=r"(v));
    data[0] = v;
}
//~ kernel.cu:4:9: error: The last PTX instruction of this text has no `;`; put one after it.
//~         asm("mov.b32 %0, 1" : "=r"(v));
//~             ^~~~~~~~~~~~~~~
//--- ldg of a value
__global__ void k(const float *in, float *out)
{
    out[threadIdx.x] = __ldg(in[threadIdx.x]);
}
//~ kernel.cu:3:24: error: `__ldg` takes a pointer to a number or vector, not `float`.
//~         out[threadIdx.x] = __ldg(in[threadIdx.x]);
//~                            ^~~~~~~~~~~~~~~~~~~~~~
//--- printf of an integer as a float, severity: warning
__global__ void k(int *data)
{
    printf("%f\n", data[0]);
}
//~ kernel.cu:3:20: warning: This argument is incompatible with its format string conversion: `%f` prints a floating-point number, not `int`.
//~         printf("%f\n", data[0]);
//~                        ^~~~~~~
//--- printf of a float as an integer, severity: warning
__global__ void k(float *data)
{
    printf("%d\n", data[0]);
}
//~ kernel.cu:3:20: warning: This argument is incompatible with its format string conversion: `%d` prints a 32-bit integer, not `float`.
//~         printf("%d\n", data[0]);
//~                        ^~~~~~~
//--- printf with too few arguments, severity: warning
__global__ void k(int *data)
{
    printf("%d %d\n", threadIdx.x);
}
//~ kernel.cu:3:12: warning: The format string requires additional arguments: `%d` has none.
//~         printf("%d %d\n", threadIdx.x);
//~                ^~~~~~~~~
//--- printf with too many arguments, severity: warning
__global__ void k(int *data)
{
    printf("%d\n", threadIdx.x, data[0]);
}
//~ kernel.cu:3:33: warning: The format string ends before this argument.
//~         printf("%d\n", threadIdx.x, data[0]);
//~                                     ^~~~~~~
//--- printf of a 64-bit number, severity: warning
__global__ void k(long long *data)
{
    printf("%d\n", data[0]);
}
//~ kernel.cu:3:20: warning: This argument is incompatible with its format string conversion: `%d` prints a 32-bit integer, not `long long`.
//~         printf("%d\n", data[0]);
//~                        ^~~~~~~
//--- printf without a format
__global__ void k(int *data)
{
    printf(data[0]);
}
//~ kernel.cu:3:12: error: The format of `printf` must be a string, not `int`.
//~         printf(data[0]);
//~                ^~~~~~~
//--- extern shared array with a size from the launch
__global__ void k(int *data, int n)
{
    extern __shared__ int tile[n];
    tile[threadIdx.x] = data[threadIdx.x];
}
//~ kernel.cu:3:32: error: The size of an array must be a constant expression.
//~         extern __shared__ int tile[n];
//~                                    ^
//~     note: Use a literal, a `#define`, or a `constexpr` variable; for a size that the launch sets, use `extern __shared__`.
//--- dim3 in a kernel
__global__ void k(int *data)
{
    dim3 cell(threadIdx.x, threadIdx.y, 0, 1);
    data[0] = cell.x;
}
//~ kernel.cu:3:10: error: `dim3` has 3 members, not 4.
//~         dim3 cell(threadIdx.x, threadIdx.y, 0, 1);
//~              ^~~~
//--- pair of normal numbers from a Sobol sequence
#include <curand_kernel.h>
__global__ void k(float *out, curandStateSobol32_t *states)
{
    curandStateSobol32_t state = states[0];
    out[0] = curand_normal2(&state).x;
}
//~ kernel.cu:5:14: error: No instance of overloaded function `curand_normal2` matches the argument list; the argument types are (curandStateSobol32 *).
//~         out[0] = curand_normal2(&state).x;
//~                  ^~~~~~~~~~~~~~~~~~~~~~
//~     note: The declaration is float2 curand_normal2(curandStateXORWOW * state).
//~     note: The declaration is float2 curand_normal2(curandStatePhilox4_32_10 * state).
//--- direction vectors of the wrong width
#include <curand_kernel.h>
__global__ void k(unsigned *out, curandDirectionVectors32_t *vectors)
{
    curandStateSobol64_t state;
    curand_init(vectors[0], 0, &state);
    out[0] = curand(&state);
}
//~ kernel.cu:5:5: error: No instance of overloaded function `curand_init` matches the argument list; the argument types are (unsigned int *, int, curandStateSobol64 *).
//~         curand_init(vectors[0], 0, &state);
//~         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//~     note: The declaration is void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW * state).
//~     note: The declaration is void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10 * state).
//~     note: The declaration is void curand_init(unsigned int * direction_vectors, unsigned int offset, curandStateSobol32 * state).
//~     note: The declaration is void curand_init(unsigned int * direction_vectors, unsigned int scramble_c, unsigned int offset, curandStateScrambledSobol32 * state).
//~     note: The declaration is void curand_init(unsigned long long * direction_vectors, unsigned long long offset, curandStateSobol64 * state).
//~     note: The declaration is void curand_init(unsigned long long * direction_vectors, unsigned long long scramble_c, unsigned long long offset, curandStateScrambledSobol64 * state).
