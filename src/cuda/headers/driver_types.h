// driver_types.h: the types of the CUDA runtime that kernels use as values.

enum { cudaSuccess = 0 };

// The error strings of the CUDA runtime, for kernels that print them.
__device__ inline const char *cudaGetErrorString(int error) {
    return error == cudaSuccess ? "no error" : "an error of the CUDA runtime";
}
__device__ inline const char *cudaGetErrorName(int error) { return error == cudaSuccess ? "cudaSuccess" : "cudaError"; }

// A condition of a CUDA graph. The graph is not run here, so setting the condition has no effect on the kernel.
typedef unsigned long long cudaGraphConditionalHandle;
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned) {}

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};

struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };

__device__ constexpr cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return cudaExtent{w, h, d}; }
__device__ constexpr cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
__device__ cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) {
    return cudaPitchedPtr{d, p, xsz, ysz};
}
