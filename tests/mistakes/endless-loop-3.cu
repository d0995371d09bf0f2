// --arch tu102 --block 32 --args inout:i32*1:zero,inout:i32*1:zero
__global__ void count(int *mutex, int *total)
{
    while (atomicCAS(mutex, 0, 1) != 0) { // mistake
    }
    total[0] = total[0] + 1;
}
