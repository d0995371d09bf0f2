// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
__global__ void insertion_sort(const int *in, int *out)
{
    int list[4];
    for (int i = 0; i < 4; i++)
        list[i] = in[31 - i];
    for (int i = 1; i < 4; i++) {
        int value = list[i], j = i;
        while (list[j - 1] > value) { // mistake
            list[j] = list[j - 1];
            j--;
        }
        list[j] = value;
    }
    out[threadIdx.x] = list[threadIdx.x & 3];
}
