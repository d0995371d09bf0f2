// --arch tu102 --block 128 --args in:f32*512:const1,out:f32*128:unset,i32:4
// After the cuML pull request 6578: a barrier is missing at the end of the loop. With inputs of all ones, no write changes a
// value that another thread reads; compute-sanitizer on GH100 reports the hazard all the same.
__global__ void rounds(const float *in, float *out, int n)
{
  __shared__ float s[128];
  int t = threadIdx.x;
  float sum = 0;
  for (int r = 0; r < n; r++) {
    s[t] = in[r * 128 + t];
    __syncthreads();
    sum += s[127 - t];
  }
  out[t] = sum;
}
