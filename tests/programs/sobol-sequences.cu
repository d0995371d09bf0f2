// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: Sobol sequences of cuRAND; values by cuRAND 10 on the host
#include <curand_kernel.h>

__global__ void k(unsigned *out, const int *a, unsigned *g, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    // The direction vectors of the second dimension.
    unsigned v[32];
    unsigned long long w[64];
    v[0] = 1u << 31;
    w[0] = 1ull << 63;
    for (int i = 1; i < 32; i++) v[i] = v[i - 1] ^ v[i - 1] >> 1;
    for (int i = 1; i < 64; i++) w[i] = w[i - 1] ^ w[i - 1] >> 1;

    curandStateSobol32 s;
    curand_init(v, t * 3, &s);
    o[0] = curand(&s);
    o[1] = curand(&s) ^ s.i;
    o[2] = (unsigned)(curand_uniform(&s) * 1000000.0f);
    skipahead(1000u + t, &s);
    o[3] = curand(&s) + (unsigned)sizeof(s);
    o[4] = curand(&s);
    o[5] = (unsigned)(curand_uniform_double(&s) * 1e9);

    curandStateScrambledSobol32_t c;
    curand_init(v, 0x12345678u * (t + 1), 5 + n, &c);
    o[6] = curand(&c);
    o[7] = curand(&c);
    o[8] = (unsigned)(curand_uniform(&c) * 1000.0f);

    curandStateSobol64 l;
    curand_init(w, 0x123456789ull * t, &l);
    unsigned long long x = curand(&l);
    o[9] = (unsigned)(x >> 32) ^ (unsigned)x;
    o[10] = (unsigned)(curand_uniform(&l) * 1000000.0f);

    curandStateScrambledSobol64_t d;
    curand_init(w, 0x9e3779b97f4a7c15ull * (t + 1), 77ull, &d);
    skipahead(0xffffffffffull, &d);
    x = curand(&d);
    o[11] = (unsigned)(x >> 32) ^ (unsigned)x;
    o[12] = (unsigned)(curand_uniform_double(&d) * 1e9);
    o[13] = c.c ^ (unsigned)d.i;
}
