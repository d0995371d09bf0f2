// --arch tu102 --grid 4 --block 64 --args inout:i32*1:zero
// The read and the write are two statements.
__global__ void count(int *counter)
{
  int old = *counter;
  *counter = old + 1;
}
