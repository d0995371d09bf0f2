// --arch tu102 --block 32 --args in:i32*32:const3,out:i32*1:zero
__global__ void average_of_large(const int *in, int *out)
{
    int sum = 0, count = 0;
    for (int i = 0; i < 32; i++)
        if (in[i] > 10) {
            sum += in[i];
            count++;
        }
    out[0] = sum / count; // mistake
}
