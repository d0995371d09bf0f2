// --arch tu102 --block 32 --args inout:i32*1:zero
// Nobody writes the flag.
__global__ void k(int *flag)
{
  while (*(volatile int *)flag == 0) { }
}
