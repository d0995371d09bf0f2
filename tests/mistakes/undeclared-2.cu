// --arch tu102 --block 64 --args in:f32*64:iota,out:f32*1:zero
__global__ void sum(const float *in, float *out)
{
    for (int i = 0; i < 64; i++) {
        float total = 0.0f;
        total += in[i];
    }
    out[0] = total; // mistake
}
