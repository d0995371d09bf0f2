// --arch tu102 --block 32 --args out:u32*32:zero --max-cycles 100000
// An unsigned number is always at least 0.
__global__ void k(unsigned *out)
{
  unsigned n = 0;
  while (n >= 0)
    n++;
  out[threadIdx.x] = n;
}
