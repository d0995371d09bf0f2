// surf2Dwrite into an array: 0 1 2 ...
__global__ void put(cudaSurfaceObject_t s) { surf2Dwrite((float)(threadIdx.y * 8 + threadIdx.x), s, threadIdx.x * 4, threadIdx.y); }
int main() {
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaArray_t arr; cudaMallocArray(&arr, &d, 8, 4, cudaArraySurfaceLoadStore);
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = arr;
  cudaSurfaceObject_t s = 0; cudaCreateSurfaceObject(&s, &r);
  put<<<1, dim3(8, 4)>>>(s);
  cudaDeviceSynchronize();
}
