// A 3x3 box blur and a threshold of a gray image in pitched memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

typedef unsigned char pixel;

__device__ int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

__global__ void blur(const pixel *src, size_t srcPitch, pixel *dst, size_t dstPitch, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	int sum = 0;
	for (int dy = -1; dy <= 1; dy++) {
		const pixel *row = src + clampi(y + dy, 0, height - 1) * srcPitch;
		for (int dx = -1; dx <= 1; dx++)
			sum += row[clampi(x + dx, 0, width - 1)];
	}
	dst[y * dstPitch + x] = (sum + 4) / 9;
}

__global__ void threshold(pixel *image, size_t pitch, int width, int height, pixel level, int *count)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	pixel *p = (pixel *)((char *)image + y * pitch) + x;
	bool on = *p >= level;
	*p = on ? 255 : 0;
	if (on)
		atomicAdd(count, 1);
}

static void die(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
	exit(2);
}

int main(int argc, char **argv)
{
	int width = 100, height = 30;
	if (argc >= 3) {
		width = atoi(argv[1]);
		height = atoi(argv[2]);
	}
	pixel *image = (pixel *)malloc(width * height);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			int dx = x - width / 2, dy = y - height / 2;
			image[y * width + x] = dx * dx + dy * dy < 150 ? 220 - (x ^ y) % 32 : (x * 7 + y * 13) & 63;
		}

	pixel *d_src, *d_dst;
	size_t srcPitch, dstPitch;
	int *d_count, count = 0;
	die(cudaMallocPitch((void **)&d_src, &srcPitch, width * sizeof(pixel), height), "cudaMallocPitch");
	die(cudaMallocPitch((void **)&d_dst, &dstPitch, width * sizeof(pixel), height), "cudaMallocPitch");
	die(cudaMalloc((void **)&d_count, sizeof(int)), "cudaMalloc");
	die(cudaMemset(d_count, 0, sizeof(int)), "cudaMemset");
	die(cudaMemcpy2D(d_src, srcPitch, image, width, width * sizeof(pixel), height, cudaMemcpyHostToDevice), "cudaMemcpy2D");

	dim3 block(32, 4);
	dim3 grid;
	grid.x = (width + block.x - 1) / block.x;
	grid.y = (height + block.y - 1) / block.y;
	blur<<<grid, block>>>(d_src, srcPitch, d_dst, dstPitch, width, height);
	die(cudaGetLastError(), "blur");
	threshold<<<grid, block>>>(d_dst, dstPitch, width, height, 128, d_count);
	die(cudaGetLastError(), "threshold");

	die(cudaMemcpy2D(image, width, d_dst, dstPitch, width, height, cudaMemcpyDeviceToHost), "cudaMemcpy2D");
	die(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
	int on = 0;
	for (int i = 0; i < width * height; i++)
		on += image[i] == 255;
	printf("%d of %d pixels are on\n", on, width * height);

	cudaFree(d_src);
	cudaFree(d_dst);
	cudaFree(d_count);
	free(image);
	return on != count;
}
