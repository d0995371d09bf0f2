typedef unsigned long long u64;
typedef unsigned int u32;

// 64-bit arithmetic of every kind.
__global__ void long_math(const long long *a, const long long *b, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long x = a[i], y = b[i] | 1;
    long long *o = out + 8 * i;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = x % y;
    o[5] = (x << (i & 63)) ^ (y >> (i & 31));
    o[6] = x < y ? x : -y;
    o[7] = (long long)((u64)x / (u64)y) + (x == y);
}

// A mixing function: rotations, multiplications, shifts.
__device__ u32 rotl(u32 v, int by)
{
    return (v << by) | (v >> (32 - by));
}

__global__ void hash(const u32 *in, u32 *out, int n, u32 seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u32 h = seed;
    for (int k = 0; k < 4; ++k) {
        u32 w = in[(i + k) % n];
        w *= 0xcc9e2d51u;
        w = rotl(w, 15);
        w *= 0x1b873593u;
        h ^= w;
        h = rotl(h, 13) * 5 + 0xe6546b64u;
    }
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    out[i] = h;
}

__global__ void bits(const u32 *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u32 v = in[i];
    int *o = out + 8 * i;
    o[0] = __popc(v);
    o[1] = __clz(v);
    o[2] = __ffs(v);
    o[3] = (int)__brev(v);
    o[4] = (int)__byte_perm(v, ~v, 0x5140);
    o[5] = __popcll((u64)v << 7 | v);
    o[6] = __clzll((u64)v << (i & 31));
    o[7] = (int)__funnelshift_l(v, v ^ 0xffff, i & 31);
}

// Narrow types wrap, promote and sign-extend as C says.
__global__ void narrow(const signed char *a, const unsigned char *b, short *out, unsigned char *wrapped, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    signed char x = a[i];
    unsigned char y = b[i];
    x += y;
    y -= 200;
    out[i] = (short)(x * y + (x >> 1) - (y >> 1));
    unsigned char z = (unsigned char)(x * 3);
    z <<= 2;
    z |= y & 3;
    wrapped[i] = ~z;
}

// Signed and unsigned division and remainder by constants and variables.
__global__ void divisions(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = a[i] - 8000000, y = b[i] % 1000 + 1;
    u32 ux = a[i], uy = y;
    int *o = out + 8 * i;
    o[0] = x / 7;
    o[1] = x % 10;
    o[2] = x / -16;
    o[3] = x / y;
    o[4] = x % -y;
    o[5] = ux / 100 + ux % 641;
    o[6] = ux / uy;
    o[7] = ux % uy + x % 8;
}

__global__ void switches(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i] % 12, r = 0;
    switch (v) {
    case 0:
        r = 5;
        break;
    case 1:
    case 2:
        r += 7; // falls through
    case 3:
        r += v;
        break;
    case 7: {
        int k = v;
        do {
            r += k;
            if (r > 20)
                break;
        } while (--k);
        break;
    }
    case -3:
        r = 99;
        break;
    default:
        for (int k = 0;; ++k) {
            if (k % 3 == 1)
                continue;
            if (k > v)
                break;
            r += k;
        }
    }
    out[i] = r;
}
