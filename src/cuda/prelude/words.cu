// Functions on parts of words: the SIMD intrinsics of the CUDA Math API, dot products, and functions for inline PTX.
//
// The chip has no instructions for the SIMD intrinsics from Maxwell on, and nvcc emits several for each. The sequences
// here are longer where nvcc uses a trick. Dot products are IDP from 6.1 on; here they are single products.
// Source of the semantics: CUDA Math API, "SIMD Intrinsics" and "Integer Intrinsics".

// ---- PTX

__device__ float __ws_ftz(float x) { return fabsf(x) < 1.17549435e-38f ? copysignf(0.0f, x) : x; }
__device__ unsigned __ws_bfe_u32(unsigned a, unsigned position, unsigned length)
{
    position &= 255;
    length &= 255;
    unsigned field = position > 31 ? 0u : a >> position;
    return length > 31 ? field : field & ((1u << length) - 1u);
}
__device__ int __ws_bfe_s32(int a, unsigned position, unsigned length)
{
    position &= 255;
    length &= 255;
    int field = a >> (position > 31 ? 31 : position);
    unsigned unused = length > 31 ? 0u : 32u - length;
    return unused > 31 ? 0 : (int)((unsigned)field << unused) >> unused;
}
__device__ unsigned __ws_bfi32(unsigned a, unsigned b, unsigned position, unsigned length)
{
    position &= 255;
    length &= 255;
    unsigned ones = length > 31 ? 0xffffffffu : (1u << length) - 1u;
    unsigned mask = position > 31 ? 0u : ones << position;
    return position > 31 ? b : (b & ~mask) | (a << position & mask);
}
__device__ unsigned long long __ws_bfe_u64(unsigned long long a, unsigned position, unsigned length)
{
    position &= 255;
    length &= 255;
    unsigned long long field = position > 63 ? 0ull : a >> position;
    return length > 63 ? field : field & ((1ull << length) - 1ull);
}
__device__ long long __ws_bfe_s64(long long a, unsigned position, unsigned length)
{
    position &= 255;
    length &= 255;
    long long field = a >> (position > 63 ? 63 : position);
    unsigned unused = length > 63 ? 0u : 64u - length;
    return unused > 63 ? 0 : (long long)((unsigned long long)field << unused) >> unused;
}
__device__ unsigned long long __ws_bfi64(unsigned long long a, unsigned long long b, unsigned position, unsigned length)
{
    position &= 255;
    length &= 255;
    unsigned long long ones = length > 63 ? 0xffffffffffffffffull : (1ull << length) - 1ull;
    unsigned long long mask = position > 63 ? 0ull : ones << position;
    return position > 63 ? b : (b & ~mask) | (a << position & mask);
}

// ---- memory byte by byte; nvcc uses wider accesses where it knows the alignment

__device__ void *memset(void *to, int byte, unsigned long long size)
{
    unsigned char *p = (unsigned char *)to;
    for (unsigned long long i = 0; i < size; i++)
        p[i] = (unsigned char)byte;
    return to;
}
__device__ void *memcpy(void *to, const void *from, unsigned long long size)
{
    unsigned char *p = (unsigned char *)to;
    const unsigned char *q = (const unsigned char *)from;
    for (unsigned long long i = 0; i < size; i++)
        p[i] = q[i];
    return to;
}
__device__ void *memmove(void *to, const void *from, unsigned long long size)
{
    unsigned char *p = (unsigned char *)to;
    const unsigned char *q = (const unsigned char *)from;
    if ((unsigned long long)p <= (unsigned long long)q)
        for (unsigned long long i = 0; i < size; i++)
            p[i] = q[i];
    else
        for (unsigned long long i = size; i > 0; i--)
            p[i - 1] = q[i - 1];
    return to;
}
__device__ int memcmp(const void *a, const void *b, unsigned long long size)
{
    const unsigned char *p = (const unsigned char *)a;
    const unsigned char *q = (const unsigned char *)b;
    for (unsigned long long i = 0; i < size; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}
// The string, which selects the payload in other implementations, is ignored.
__device__ float nanf(const char *tag) { return __int_as_float(0x7fffffff); }

// ---- dot products

__device__ int __dp4a(int a, int b, int c)
{
    return (int)((unsigned)c + (unsigned)((signed char)a * (signed char)b) + (unsigned)((signed char)(a >> 8) * (signed char)(b >> 8))
        + (unsigned)((signed char)(a >> 16) * (signed char)(b >> 16)) + (unsigned)((a >> 24) * (b >> 24)));
}
__device__ unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 255u) * (b & 255u) + (a >> 8 & 255u) * (b >> 8 & 255u) + (a >> 16 & 255u) * (b >> 16 & 255u)
        + (a >> 24) * (b >> 24);
}
__device__ int __dp2a_lo(int a, int b, int c)
{
    return (int)((unsigned)c + (unsigned)((short)a * (signed char)b) + (unsigned)((a >> 16) * (signed char)(b >> 8)));
}
__device__ unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 65535u) * (b & 255u) + (a >> 16) * (b >> 8 & 255u);
}
__device__ int __dp2a_hi(int a, int b, int c)
{
    return (int)((unsigned)c + (unsigned)((short)a * (signed char)(b >> 16)) + (unsigned)((a >> 16) * (b >> 24)));
}
__device__ unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 65535u) * (b >> 16 & 255u) + (a >> 16) * (b >> 24);
}

// ---- SIMD intrinsics

__device__ unsigned __vadd4(unsigned a, unsigned b)
{
    return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
__device__ unsigned __vsub4(unsigned a, unsigned b)
{
    return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u);
}
__device__ unsigned __vavgu4(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
__device__ unsigned __vhaddu4(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
__device__ unsigned __vabs4(unsigned a)
{
    return ((unsigned)(abs((int)(signed char)a)) & 255u)
        | ((unsigned)(abs((int)(signed char)(a >> 8))) & 255u) << 8
        | ((unsigned)(abs((int)(signed char)(a >> 16))) & 255u) << 16
        | (unsigned)(abs((int)((int)a >> 24))) << 24;
}
__device__ unsigned __vabsss4(unsigned a)
{
    return ((unsigned)(min(abs((int)(signed char)a), 127)) & 255u)
        | ((unsigned)(min(abs((int)(signed char)(a >> 8)), 127)) & 255u) << 8
        | ((unsigned)(min(abs((int)(signed char)(a >> 16)), 127)) & 255u) << 16
        | (unsigned)(min(abs((int)((int)a >> 24)), 127)) << 24;
}
__device__ unsigned __vneg4(unsigned a)
{
    return ((unsigned)(-(signed char)a) & 255u)
        | ((unsigned)(-(signed char)(a >> 8)) & 255u) << 8
        | ((unsigned)(-(signed char)(a >> 16)) & 255u) << 16
        | (unsigned)(-((int)a >> 24)) << 24;
}
__device__ unsigned __vnegss4(unsigned a)
{
    return ((unsigned)(min(-(signed char)a, 127)) & 255u)
        | ((unsigned)(min(-(signed char)(a >> 8), 127)) & 255u) << 8
        | ((unsigned)(min(-(signed char)(a >> 16), 127)) & 255u) << 16
        | (unsigned)(min(-((int)a >> 24), 127)) << 24;
}
__device__ unsigned __vabsdiffs4(unsigned a, unsigned b)
{
    return ((unsigned)(abs((signed char)a - (signed char)b)) & 255u)
        | ((unsigned)(abs((signed char)(a >> 8) - (signed char)(b >> 8))) & 255u) << 8
        | ((unsigned)(abs((signed char)(a >> 16) - (signed char)(b >> 16))) & 255u) << 16
        | (unsigned)(abs(((int)a >> 24) - ((int)b >> 24))) << 24;
}
__device__ unsigned __vabsdiffu4(unsigned a, unsigned b)
{
    return ((unsigned)(abs((int)(a & 255u) - (int)(b & 255u))) & 255u)
        | ((unsigned)(abs((int)(a >> 8 & 255u) - (int)(b >> 8 & 255u))) & 255u) << 8
        | ((unsigned)(abs((int)(a >> 16 & 255u) - (int)(b >> 16 & 255u))) & 255u) << 16
        | (unsigned)(abs((int)(a >> 24) - (int)(b >> 24))) << 24;
}
__device__ unsigned __vsads4(unsigned a, unsigned b)
{
    return (unsigned)(abs((signed char)a - (signed char)b)) + (unsigned)(abs((signed char)(a >> 8) - (signed char)(b >> 8))) + (unsigned)(abs((signed char)(a >> 16) - (signed char)(b >> 16))) + (unsigned)(abs(((int)a >> 24) - ((int)b >> 24)));
}
__device__ unsigned __vsadu4(unsigned a, unsigned b)
{
    return (unsigned)(abs((int)(a & 255u) - (int)(b & 255u))) + (unsigned)(abs((int)(a >> 8 & 255u) - (int)(b >> 8 & 255u))) + (unsigned)(abs((int)(a >> 16 & 255u) - (int)(b >> 16 & 255u))) + (unsigned)(abs((int)(a >> 24) - (int)(b >> 24)));
}
__device__ unsigned __vaddss4(unsigned a, unsigned b)
{
    return ((unsigned)(min(max((signed char)a + (signed char)b, -128), 127)) & 255u)
        | ((unsigned)(min(max((signed char)(a >> 8) + (signed char)(b >> 8), -128), 127)) & 255u) << 8
        | ((unsigned)(min(max((signed char)(a >> 16) + (signed char)(b >> 16), -128), 127)) & 255u) << 16
        | (unsigned)(min(max(((int)a >> 24) + ((int)b >> 24), -128), 127)) << 24;
}
__device__ unsigned __vaddus4(unsigned a, unsigned b)
{
    return ((unsigned)(min((int)(a & 255u) + (int)(b & 255u), 255)) & 255u)
        | ((unsigned)(min((int)(a >> 8 & 255u) + (int)(b >> 8 & 255u), 255)) & 255u) << 8
        | ((unsigned)(min((int)(a >> 16 & 255u) + (int)(b >> 16 & 255u), 255)) & 255u) << 16
        | (unsigned)(min((int)(a >> 24) + (int)(b >> 24), 255)) << 24;
}
__device__ unsigned __vsubss4(unsigned a, unsigned b)
{
    return ((unsigned)(min(max((signed char)a - (signed char)b, -128), 127)) & 255u)
        | ((unsigned)(min(max((signed char)(a >> 8) - (signed char)(b >> 8), -128), 127)) & 255u) << 8
        | ((unsigned)(min(max((signed char)(a >> 16) - (signed char)(b >> 16), -128), 127)) & 255u) << 16
        | (unsigned)(min(max(((int)a >> 24) - ((int)b >> 24), -128), 127)) << 24;
}
__device__ unsigned __vsubus4(unsigned a, unsigned b)
{
    return ((unsigned)(max((int)(a & 255u) - (int)(b & 255u), 0)) & 255u)
        | ((unsigned)(max((int)(a >> 8 & 255u) - (int)(b >> 8 & 255u), 0)) & 255u) << 8
        | ((unsigned)(max((int)(a >> 16 & 255u) - (int)(b >> 16 & 255u), 0)) & 255u) << 16
        | (unsigned)(max((int)(a >> 24) - (int)(b >> 24), 0)) << 24;
}
__device__ unsigned __vavgs4(unsigned a, unsigned b)
{
    return ((unsigned)(((signed char)a + (signed char)b + ((signed char)a + (signed char)b >= 0)) >> 1) & 255u)
        | ((unsigned)(((signed char)(a >> 8) + (signed char)(b >> 8) + ((signed char)(a >> 8) + (signed char)(b >> 8) >= 0)) >> 1) & 255u) << 8
        | ((unsigned)(((signed char)(a >> 16) + (signed char)(b >> 16) + ((signed char)(a >> 16) + (signed char)(b >> 16) >= 0)) >> 1) & 255u) << 16
        | (unsigned)((((int)a >> 24) + ((int)b >> 24) + (((int)a >> 24) + ((int)b >> 24) >= 0)) >> 1) << 24;
}
__device__ unsigned __vmaxs4(unsigned a, unsigned b)
{
    return ((unsigned)(max((int)(signed char)a, (int)(signed char)b)) & 255u)
        | ((unsigned)(max((int)(signed char)(a >> 8), (int)(signed char)(b >> 8))) & 255u) << 8
        | ((unsigned)(max((int)(signed char)(a >> 16), (int)(signed char)(b >> 16))) & 255u) << 16
        | (unsigned)(max((int)((int)a >> 24), (int)((int)b >> 24))) << 24;
}
__device__ unsigned __vmaxu4(unsigned a, unsigned b)
{
    return ((unsigned)(max((int)(a & 255u), (int)(b & 255u))) & 255u)
        | ((unsigned)(max((int)(a >> 8 & 255u), (int)(b >> 8 & 255u))) & 255u) << 8
        | ((unsigned)(max((int)(a >> 16 & 255u), (int)(b >> 16 & 255u))) & 255u) << 16
        | (unsigned)(max((int)(a >> 24), (int)(b >> 24))) << 24;
}
__device__ unsigned __vmins4(unsigned a, unsigned b)
{
    return ((unsigned)(min((int)(signed char)a, (int)(signed char)b)) & 255u)
        | ((unsigned)(min((int)(signed char)(a >> 8), (int)(signed char)(b >> 8))) & 255u) << 8
        | ((unsigned)(min((int)(signed char)(a >> 16), (int)(signed char)(b >> 16))) & 255u) << 16
        | (unsigned)(min((int)((int)a >> 24), (int)((int)b >> 24))) << 24;
}
__device__ unsigned __vminu4(unsigned a, unsigned b)
{
    return ((unsigned)(min((int)(a & 255u), (int)(b & 255u))) & 255u)
        | ((unsigned)(min((int)(a >> 8 & 255u), (int)(b >> 8 & 255u))) & 255u) << 8
        | ((unsigned)(min((int)(a >> 16 & 255u), (int)(b >> 16 & 255u))) & 255u) << 16
        | (unsigned)(min((int)(a >> 24), (int)(b >> 24))) << 24;
}
__device__ unsigned __vcmpeq4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) == (int)(b & 255u) ? 255 : 0) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) == (int)(b >> 8 & 255u) ? 255 : 0) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) == (int)(b >> 16 & 255u) ? 255 : 0) & 255u) << 16
        | (unsigned)((int)(a >> 24) == (int)(b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vseteq4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) == (int)(b & 255u)) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) == (int)(b >> 8 & 255u)) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) == (int)(b >> 16 & 255u)) & 255u) << 16
        | (unsigned)((int)(a >> 24) == (int)(b >> 24)) << 24;
}
__device__ unsigned __vcmpne4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) != (int)(b & 255u) ? 255 : 0) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) != (int)(b >> 8 & 255u) ? 255 : 0) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) != (int)(b >> 16 & 255u) ? 255 : 0) & 255u) << 16
        | (unsigned)((int)(a >> 24) != (int)(b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetne4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) != (int)(b & 255u)) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) != (int)(b >> 8 & 255u)) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) != (int)(b >> 16 & 255u)) & 255u) << 16
        | (unsigned)((int)(a >> 24) != (int)(b >> 24)) << 24;
}
__device__ unsigned __vcmpges4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a >= (signed char)b ? 255 : 0) & 255u)
        | ((unsigned)((signed char)(a >> 8) >= (signed char)(b >> 8) ? 255 : 0) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) >= (signed char)(b >> 16) ? 255 : 0) & 255u) << 16
        | (unsigned)(((int)a >> 24) >= ((int)b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetges4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a >= (signed char)b) & 255u)
        | ((unsigned)((signed char)(a >> 8) >= (signed char)(b >> 8)) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) >= (signed char)(b >> 16)) & 255u) << 16
        | (unsigned)(((int)a >> 24) >= ((int)b >> 24)) << 24;
}
__device__ unsigned __vcmpgeu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) >= (int)(b & 255u) ? 255 : 0) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) >= (int)(b >> 8 & 255u) ? 255 : 0) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) >= (int)(b >> 16 & 255u) ? 255 : 0) & 255u) << 16
        | (unsigned)((int)(a >> 24) >= (int)(b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetgeu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) >= (int)(b & 255u)) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) >= (int)(b >> 8 & 255u)) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) >= (int)(b >> 16 & 255u)) & 255u) << 16
        | (unsigned)((int)(a >> 24) >= (int)(b >> 24)) << 24;
}
__device__ unsigned __vcmpgts4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a > (signed char)b ? 255 : 0) & 255u)
        | ((unsigned)((signed char)(a >> 8) > (signed char)(b >> 8) ? 255 : 0) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) > (signed char)(b >> 16) ? 255 : 0) & 255u) << 16
        | (unsigned)(((int)a >> 24) > ((int)b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetgts4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a > (signed char)b) & 255u)
        | ((unsigned)((signed char)(a >> 8) > (signed char)(b >> 8)) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) > (signed char)(b >> 16)) & 255u) << 16
        | (unsigned)(((int)a >> 24) > ((int)b >> 24)) << 24;
}
__device__ unsigned __vcmpgtu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) > (int)(b & 255u) ? 255 : 0) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) > (int)(b >> 8 & 255u) ? 255 : 0) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) > (int)(b >> 16 & 255u) ? 255 : 0) & 255u) << 16
        | (unsigned)((int)(a >> 24) > (int)(b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetgtu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) > (int)(b & 255u)) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) > (int)(b >> 8 & 255u)) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) > (int)(b >> 16 & 255u)) & 255u) << 16
        | (unsigned)((int)(a >> 24) > (int)(b >> 24)) << 24;
}
__device__ unsigned __vcmples4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a <= (signed char)b ? 255 : 0) & 255u)
        | ((unsigned)((signed char)(a >> 8) <= (signed char)(b >> 8) ? 255 : 0) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) <= (signed char)(b >> 16) ? 255 : 0) & 255u) << 16
        | (unsigned)(((int)a >> 24) <= ((int)b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetles4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a <= (signed char)b) & 255u)
        | ((unsigned)((signed char)(a >> 8) <= (signed char)(b >> 8)) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) <= (signed char)(b >> 16)) & 255u) << 16
        | (unsigned)(((int)a >> 24) <= ((int)b >> 24)) << 24;
}
__device__ unsigned __vcmpleu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) <= (int)(b & 255u) ? 255 : 0) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) <= (int)(b >> 8 & 255u) ? 255 : 0) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) <= (int)(b >> 16 & 255u) ? 255 : 0) & 255u) << 16
        | (unsigned)((int)(a >> 24) <= (int)(b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetleu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) <= (int)(b & 255u)) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) <= (int)(b >> 8 & 255u)) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) <= (int)(b >> 16 & 255u)) & 255u) << 16
        | (unsigned)((int)(a >> 24) <= (int)(b >> 24)) << 24;
}
__device__ unsigned __vcmplts4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a < (signed char)b ? 255 : 0) & 255u)
        | ((unsigned)((signed char)(a >> 8) < (signed char)(b >> 8) ? 255 : 0) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) < (signed char)(b >> 16) ? 255 : 0) & 255u) << 16
        | (unsigned)(((int)a >> 24) < ((int)b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetlts4(unsigned a, unsigned b)
{
    return ((unsigned)((signed char)a < (signed char)b) & 255u)
        | ((unsigned)((signed char)(a >> 8) < (signed char)(b >> 8)) & 255u) << 8
        | ((unsigned)((signed char)(a >> 16) < (signed char)(b >> 16)) & 255u) << 16
        | (unsigned)(((int)a >> 24) < ((int)b >> 24)) << 24;
}
__device__ unsigned __vcmpltu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) < (int)(b & 255u) ? 255 : 0) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) < (int)(b >> 8 & 255u) ? 255 : 0) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) < (int)(b >> 16 & 255u) ? 255 : 0) & 255u) << 16
        | (unsigned)((int)(a >> 24) < (int)(b >> 24) ? 255 : 0) << 24;
}
__device__ unsigned __vsetltu4(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 255u) < (int)(b & 255u)) & 255u)
        | ((unsigned)((int)(a >> 8 & 255u) < (int)(b >> 8 & 255u)) & 255u) << 8
        | ((unsigned)((int)(a >> 16 & 255u) < (int)(b >> 16 & 255u)) & 255u) << 16
        | (unsigned)((int)(a >> 24) < (int)(b >> 24)) << 24;
}
__device__ unsigned __vadd2(unsigned a, unsigned b)
{
    return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u);
}
__device__ unsigned __vsub2(unsigned a, unsigned b)
{
    return ((a | 0x80008000u) - (b & 0x7fff7fffu)) ^ ((a ^ ~b) & 0x80008000u);
}
__device__ unsigned __vavgu2(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1 & 0x7fff7fffu);
}
__device__ unsigned __vhaddu2(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1 & 0x7fff7fffu);
}
__device__ unsigned __vabs2(unsigned a)
{
    return ((unsigned)(abs((int)(short)a)) & 65535u)
        | (unsigned)(abs((int)((int)a >> 16))) << 16;
}
__device__ unsigned __vabsss2(unsigned a)
{
    return ((unsigned)(min(abs((int)(short)a), 32767)) & 65535u)
        | (unsigned)(min(abs((int)((int)a >> 16)), 32767)) << 16;
}
__device__ unsigned __vneg2(unsigned a)
{
    return ((unsigned)(-(short)a) & 65535u)
        | (unsigned)(-((int)a >> 16)) << 16;
}
__device__ unsigned __vnegss2(unsigned a)
{
    return ((unsigned)(min(-(short)a, 32767)) & 65535u)
        | (unsigned)(min(-((int)a >> 16), 32767)) << 16;
}
__device__ unsigned __vabsdiffs2(unsigned a, unsigned b)
{
    return ((unsigned)(abs((short)a - (short)b)) & 65535u)
        | (unsigned)(abs(((int)a >> 16) - ((int)b >> 16))) << 16;
}
__device__ unsigned __vabsdiffu2(unsigned a, unsigned b)
{
    return ((unsigned)(abs((int)(a & 65535u) - (int)(b & 65535u))) & 65535u)
        | (unsigned)(abs((int)(a >> 16) - (int)(b >> 16))) << 16;
}
__device__ unsigned __vsads2(unsigned a, unsigned b)
{
    return (unsigned)(abs((short)a - (short)b)) + (unsigned)(abs(((int)a >> 16) - ((int)b >> 16)));
}
__device__ unsigned __vsadu2(unsigned a, unsigned b)
{
    return (unsigned)(abs((int)(a & 65535u) - (int)(b & 65535u))) + (unsigned)(abs((int)(a >> 16) - (int)(b >> 16)));
}
__device__ unsigned __vaddss2(unsigned a, unsigned b)
{
    return ((unsigned)(min(max((short)a + (short)b, -32768), 32767)) & 65535u)
        | (unsigned)(min(max(((int)a >> 16) + ((int)b >> 16), -32768), 32767)) << 16;
}
__device__ unsigned __vaddus2(unsigned a, unsigned b)
{
    return ((unsigned)(min((int)(a & 65535u) + (int)(b & 65535u), 65535)) & 65535u)
        | (unsigned)(min((int)(a >> 16) + (int)(b >> 16), 65535)) << 16;
}
__device__ unsigned __vsubss2(unsigned a, unsigned b)
{
    return ((unsigned)(min(max((short)a - (short)b, -32768), 32767)) & 65535u)
        | (unsigned)(min(max(((int)a >> 16) - ((int)b >> 16), -32768), 32767)) << 16;
}
__device__ unsigned __vsubus2(unsigned a, unsigned b)
{
    return ((unsigned)(max((int)(a & 65535u) - (int)(b & 65535u), 0)) & 65535u)
        | (unsigned)(max((int)(a >> 16) - (int)(b >> 16), 0)) << 16;
}
__device__ unsigned __vavgs2(unsigned a, unsigned b)
{
    return ((unsigned)(((short)a + (short)b + ((short)a + (short)b >= 0)) >> 1) & 65535u)
        | (unsigned)((((int)a >> 16) + ((int)b >> 16) + (((int)a >> 16) + ((int)b >> 16) >= 0)) >> 1) << 16;
}
__device__ unsigned __vmaxs2(unsigned a, unsigned b)
{
    return ((unsigned)(max((int)(short)a, (int)(short)b)) & 65535u)
        | (unsigned)(max((int)((int)a >> 16), (int)((int)b >> 16))) << 16;
}
__device__ unsigned __vmaxu2(unsigned a, unsigned b)
{
    return ((unsigned)(max((int)(a & 65535u), (int)(b & 65535u))) & 65535u)
        | (unsigned)(max((int)(a >> 16), (int)(b >> 16))) << 16;
}
__device__ unsigned __vmins2(unsigned a, unsigned b)
{
    return ((unsigned)(min((int)(short)a, (int)(short)b)) & 65535u)
        | (unsigned)(min((int)((int)a >> 16), (int)((int)b >> 16))) << 16;
}
__device__ unsigned __vminu2(unsigned a, unsigned b)
{
    return ((unsigned)(min((int)(a & 65535u), (int)(b & 65535u))) & 65535u)
        | (unsigned)(min((int)(a >> 16), (int)(b >> 16))) << 16;
}
__device__ unsigned __vcmpeq2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) == (int)(b & 65535u) ? 65535 : 0) & 65535u)
        | (unsigned)((int)(a >> 16) == (int)(b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vseteq2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) == (int)(b & 65535u)) & 65535u)
        | (unsigned)((int)(a >> 16) == (int)(b >> 16)) << 16;
}
__device__ unsigned __vcmpne2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) != (int)(b & 65535u) ? 65535 : 0) & 65535u)
        | (unsigned)((int)(a >> 16) != (int)(b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetne2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) != (int)(b & 65535u)) & 65535u)
        | (unsigned)((int)(a >> 16) != (int)(b >> 16)) << 16;
}
__device__ unsigned __vcmpges2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a >= (short)b ? 65535 : 0) & 65535u)
        | (unsigned)(((int)a >> 16) >= ((int)b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetges2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a >= (short)b) & 65535u)
        | (unsigned)(((int)a >> 16) >= ((int)b >> 16)) << 16;
}
__device__ unsigned __vcmpgeu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) >= (int)(b & 65535u) ? 65535 : 0) & 65535u)
        | (unsigned)((int)(a >> 16) >= (int)(b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetgeu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) >= (int)(b & 65535u)) & 65535u)
        | (unsigned)((int)(a >> 16) >= (int)(b >> 16)) << 16;
}
__device__ unsigned __vcmpgts2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a > (short)b ? 65535 : 0) & 65535u)
        | (unsigned)(((int)a >> 16) > ((int)b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetgts2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a > (short)b) & 65535u)
        | (unsigned)(((int)a >> 16) > ((int)b >> 16)) << 16;
}
__device__ unsigned __vcmpgtu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) > (int)(b & 65535u) ? 65535 : 0) & 65535u)
        | (unsigned)((int)(a >> 16) > (int)(b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetgtu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) > (int)(b & 65535u)) & 65535u)
        | (unsigned)((int)(a >> 16) > (int)(b >> 16)) << 16;
}
__device__ unsigned __vcmples2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a <= (short)b ? 65535 : 0) & 65535u)
        | (unsigned)(((int)a >> 16) <= ((int)b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetles2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a <= (short)b) & 65535u)
        | (unsigned)(((int)a >> 16) <= ((int)b >> 16)) << 16;
}
__device__ unsigned __vcmpleu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) <= (int)(b & 65535u) ? 65535 : 0) & 65535u)
        | (unsigned)((int)(a >> 16) <= (int)(b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetleu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) <= (int)(b & 65535u)) & 65535u)
        | (unsigned)((int)(a >> 16) <= (int)(b >> 16)) << 16;
}
__device__ unsigned __vcmplts2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a < (short)b ? 65535 : 0) & 65535u)
        | (unsigned)(((int)a >> 16) < ((int)b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetlts2(unsigned a, unsigned b)
{
    return ((unsigned)((short)a < (short)b) & 65535u)
        | (unsigned)(((int)a >> 16) < ((int)b >> 16)) << 16;
}
__device__ unsigned __vcmpltu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) < (int)(b & 65535u) ? 65535 : 0) & 65535u)
        | (unsigned)((int)(a >> 16) < (int)(b >> 16) ? 65535 : 0) << 16;
}
__device__ unsigned __vsetltu2(unsigned a, unsigned b)
{
    return ((unsigned)((int)(a & 65535u) < (int)(b & 65535u)) & 65535u)
        | (unsigned)((int)(a >> 16) < (int)(b >> 16)) << 16;
}

// ---- integers in words: two additions, minima, or maxima; with relu not below zero

__device__ int __viaddmax_s32(int a, int b, int c) { return max((int)((unsigned)a + (unsigned)b), c); }
__device__ int __viaddmin_s32(int a, int b, int c) { return min((int)((unsigned)a + (unsigned)b), c); }
__device__ int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
__device__ int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }
__device__ unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) { return max(a + b, c); }
__device__ unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return min(a + b, c); }
__device__ unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vadd2(a, b), c); }
__device__ unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2(__vadd2(a, b), c); }
__device__ unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viaddmax_s16x2(a, b, c), 0); }
__device__ unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viaddmin_s16x2(a, b, c), 0); }
__device__ unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vadd2(a, b), c); }
__device__ unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vadd2(a, b), c); }
__device__ int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
__device__ int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
__device__ int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
__device__ int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
__device__ unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) { return max(max(a, b), c); }
__device__ unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return min(min(a, b), c); }
__device__ unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vmaxs2(a, b), c); }
__device__ unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2(__vmins2(a, b), c); }
__device__ unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vimax3_s16x2(a, b, c), 0); }
__device__ unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vimin3_s16x2(a, b, c), 0); }
__device__ unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vmaxu2(a, b), c); }
__device__ unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vminu2(a, b), c); }
__device__ int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
__device__ int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
__device__ unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
__device__ unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
// Where both are equal, the first is chosen.
__device__ int __vibmax_s32(int a, int b, bool *first)
{
    *first = a >= b;
    return max(a, b);
}
__device__ int __vibmin_s32(int a, int b, bool *first)
{
    *first = a <= b;
    return min(a, b);
}
__device__ unsigned __vibmax_u32(unsigned a, unsigned b, bool *first)
{
    *first = a >= b;
    return max(a, b);
}
__device__ unsigned __vibmin_u32(unsigned a, unsigned b, bool *first)
{
    *first = a <= b;
    return min(a, b);
}
__device__ unsigned __vibmax_s16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    *high = (int)a >> 16 >= (int)b >> 16;
    *low = (short)a >= (short)b;
    return __vmaxs2(a, b);
}
__device__ unsigned __vibmin_s16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    *high = (int)a >> 16 <= (int)b >> 16;
    *low = (short)a <= (short)b;
    return __vmins2(a, b);
}
__device__ unsigned __vibmax_u16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    *high = a >> 16 >= b >> 16;
    *low = (a & 65535u) >= (b & 65535u);
    return __vmaxu2(a, b);
}
__device__ unsigned __vibmin_u16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    *high = a >> 16 <= b >> 16;
    *low = (a & 65535u) <= (b & 65535u);
    return __vminu2(a, b);
}
// The offset-th set bit from base upwards, or downwards if offset is negative; all ones without it.
__device__ unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return mask >> (base & 31) & 1u ? base : 0xffffffffu;
    int step = offset < 0 ? -1 : 1;
    int left = abs(offset);
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1u) != 0 && --left == 0)
            return (unsigned)at;
    return 0xffffffffu;
}
