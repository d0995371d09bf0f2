// A mipmapped array, which is not read: no run, but the form of the arguments.
__global__ void look(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f); }
int main() {
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t m;
  cudaMallocMipmappedArray(&m, &d, make_cudaExtent(32, 0, 0), 1);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = m;
  cudaTextureDesc td = {};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &td, 0);
  float *o;
  cudaMalloc(&o, 128);
  look<<<1, 32>>>(t, o);
  cudaDeviceSynchronize();
}
