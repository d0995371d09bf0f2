// tex1Dfetch over linear memory: o[i] = 31 - i
__global__ void look(cudaTextureObject_t t, int *o) { o[threadIdx.x] = tex1Dfetch<int>(t, 31 - threadIdx.x); }
int main() {
  int h[32], *d, *o; for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&d, 128); cudaMalloc(&o, 128); cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = d;
  r.res.linear.desc.f = cudaChannelFormatKindSigned; r.res.linear.desc.x = 32; r.res.linear.sizeInBytes = 128;
  cudaTextureDesc td = {}; td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex; cudaCreateTextureObject(&tex, &r, &td, 0);
  look<<<1, 32>>>(tex, o);
  cudaDeviceSynchronize();
}
