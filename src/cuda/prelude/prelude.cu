// What CUDA's headers provide and the chip does not. Names with __ws_ are internal.

__device__ __noinline__ unsigned long long __ws_div_u64(unsigned long long a, unsigned long long b)
{
    unsigned long long q = 0, r = 0;
    for (int i = 0; i < 64; ++i) {
        r = r << 1 | a >> 63;
        a <<= 1;
        q <<= 1;
        if (r >= b) {
            r -= b;
            q |= 1;
        }
    }
    return q;
}
