// --arch tu102 --grid 1 --block 32 --args in:f32*1024:iota,out:f32*32:zero,i32:65536
// The index does not fit an int, and becomes negative.
__global__ void k(const float *in, float *out, int width)
{
  int t = threadIdx.x;
  int row = 40000 + t;
  int index = row * width;
  out[t] = in[index];
}
