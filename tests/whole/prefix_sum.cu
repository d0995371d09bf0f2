// Exclusive prefix sums of any length in three launches, with buffers that free themselves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>
#include <cuda_runtime.h>

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t count) : count_(count) {
        if (cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)) != cudaSuccess)
            throw std::runtime_error("cudaMalloc failed");
    }
    explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { upload(host); }
    ~DeviceBuffer() { cudaFree(data_); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    void upload(const std::vector<T>& host) {
        cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> download() const {
        std::vector<T> host(count_);
        cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
    T* get() { return data_; }
    const T* get() const { return data_; }
    size_t size() const { return count_; }

private:
    T* data_ = nullptr;
    size_t count_ = 0;
};

template <typename T, int BLOCK>
__global__ void scanBlocks(const T* in, T* out, T* sums, int n) {
    __shared__ T temp[2][BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const T own = i < n ? in[i] : T(0);
    int now = 0;
    temp[now][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        T v = temp[now][threadIdx.x];
        if (threadIdx.x >= d)
            v += temp[now][threadIdx.x - d];
        now = 1 - now;
        temp[now][threadIdx.x] = v;
        __syncthreads();
    }
    const T inclusive = temp[now][threadIdx.x];
    if (i < n)
        out[i] = inclusive - own;
    if (sums != nullptr && threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = inclusive;
}

template <typename T>
__global__ void addOffsets(T* out, const T* offsets, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += offsets[blockIdx.x];
}

template <typename T>
std::vector<T> exclusiveScan(const std::vector<T>& input) {
    constexpr int BLOCK = 128;
    const int n = static_cast<int>(input.size());
    const int blocks = (n + BLOCK - 1) / BLOCK;
    DeviceBuffer<T> in(input), out(n), sums(blocks), offsets(blocks);

    scanBlocks<T, BLOCK><<<blocks, BLOCK>>>(in.get(), out.get(), sums.get(), n);
    scanBlocks<T, BLOCK><<<1, BLOCK>>>(sums.get(), offsets.get(), nullptr, blocks);
    addOffsets<T><<<blocks, BLOCK>>>(out.get(), offsets.get(), n);
    cudaDeviceSynchronize();
    return out.download();
}

int main() {
    std::vector<int> input(1000);
    std::iota(input.begin(), input.end(), -300);
    std::for_each(input.begin(), input.end(), [](int& v) { v = v * v % 101; });
    std::reverse(input.begin(), input.begin() + 200);

    const auto result = exclusiveScan(input);
    int64_t running = 0;
    bool ok = true;
    for (size_t i = 0; i < input.size(); ++i) {
        ok = ok && result[i] == running;
        running += input[i];
    }
    std::printf("total %lld: %s\n", static_cast<long long>(running), ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
