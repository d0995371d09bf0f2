// texture over pitched linear memory, point, clamp: o[i] = i
__global__ void look(cudaTextureObject_t t, float *o) { int x = threadIdx.x, y = threadIdx.y; o[y * 8 + x] = tex2D<float>(t, x + 0.5f, y + 0.5f); }
int main() {
  float h[32], *d, *o; size_t pitch; for (int i = 0; i < 32; i++) h[i] = i;
  cudaMallocPitch(&d, &pitch, 8 * sizeof(float), 4);
  cudaMemcpy2D(d, pitch, h, 32, 32, 4, cudaMemcpyHostToDevice);
  cudaResourceDesc r; memset(&r, 0, sizeof(r));
  r.resType = cudaResourceTypePitch2D; r.res.pitch2D.devPtr = d; r.res.pitch2D.pitchInBytes = pitch;
  r.res.pitch2D.width = 8; r.res.pitch2D.height = 4; r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  cudaTextureDesc td; memset(&td, 0, sizeof(td));
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0; cudaCreateTextureObject(&tex, &r, &td, NULL);
  cudaMalloc(&o, 128);
  look<<<1, dim3(8, 4)>>>(tex, o);
  cudaDeviceSynchronize();
}
