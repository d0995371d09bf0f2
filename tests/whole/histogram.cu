// Counts of letters in a text, with unified memory.
#include <iostream>
#include <string>
#include <cstring>
#include <cuda_runtime.h>

const int NUM_BINS = 27;

__global__ void histogram(const char* text, unsigned int length, unsigned int* bins) {
    __shared__ unsigned int local[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    unsigned int stride = blockDim.x * gridDim.x;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        int bin = (c >= 'a' && c <= 'z') ? c - 'a' : NUM_BINS - 1;
        atomicAdd(&local[bin], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        if (local[b] > 0)
            atomicAdd(bins + b, local[b]);
}

int main() {
    std::string sentence = "The quick brown fox jumps over the lazy dog. ";
    std::string text;
    for (int i = 0; i < 40; i++) {
        text += sentence;
        if (i % 4 == 3)
            text += "Pack my box with five dozen liquor jugs!\n";
    }

    char* data;
    unsigned int* bins;
    cudaMallocManaged(&data, text.size());
    cudaMallocManaged(&bins, NUM_BINS * sizeof(unsigned int));
    std::memcpy(data, text.c_str(), text.size());
    for (int i = 0; i < NUM_BINS; i++)
        bins[i] = 0;

    int blockSize = 96;
    int numBlocks = 4;
    histogram<<<numBlocks, blockSize>>>(data, text.length(), bins);
    cudaDeviceSynchronize();

    unsigned int total = 0;
    for (int i = 0; i < NUM_BINS; i++) {
        if (i < 26)
            std::cout << static_cast<char>('a' + i) << ": " << bins[i] << '\n';
        else
            std::cout << "other: " << bins[i] << std::endl;
        total += bins[i];
    }
    bool ok = total == text.size();
    cudaFree(data);
    cudaFree(bins);
    return ok ? 0 : -1;
}
