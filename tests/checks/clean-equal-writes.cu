// --arch tu102 --block 128 --args in:i32*2:iota,out:i32*128:zero
// Threads write one value to one place, by one instruction, by two, and to volatile memory. compute-sanitizer on GH100 reports
// none of these.
__global__ void one_value(const int *in, int *out)
{
  __shared__ int a, b;
  __shared__ volatile int c;
  int t = threadIdx.x;
  a = in[1];
  if (t == 0) b = in[1];
  if (t == 64) b = in[1];
  c = in[1];
  __syncthreads();
  out[t] = a + b + c;
}
