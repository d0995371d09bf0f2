// 2D array, uchar read as normalized float, wrap, normalised: o[y*4+x] = ((y*4+x)*10)/255
__global__ void look(cudaTextureObject_t t, float *o) { int x = threadIdx.x, y = threadIdx.y; o[y * 4 + x] = tex2D<float>(t, (x + 0.5f) / 4 + 1, (y + 0.5f) / 4); }
int main() {
  unsigned char h[16]; float *o; for (int i = 0; i < 16; i++) h[i] = i * 10;
  cudaChannelFormatDesc d = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray *arr; cudaMallocArray(&arr, &d, 4, 4);
  cudaMemcpy2DToArray(arr, 0, 0, h, 4, 4, 4, cudaMemcpyHostToDevice);
  struct cudaResourceDesc r; memset(&r, 0, sizeof(r)); r.resType = cudaResourceTypeArray; r.res.array.array = arr;
  struct cudaTextureDesc td; memset(&td, 0, sizeof(td));
  td.addressMode[0] = cudaAddressModeWrap; td.addressMode[1] = cudaAddressModeWrap; td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeNormalizedFloat; td.normalizedCoords = 1;
  cudaTextureObject_t tex = 0; cudaCreateTextureObject(&tex, &r, &td, NULL);
  cudaMalloc(&o, 64);
  look<<<1, dim3(4, 4)>>>(tex, o);
  cudaDeviceSynchronize();
}
