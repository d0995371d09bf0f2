// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: the device interface of cuRAND; values by cuRAND 10 on the host
#include <curand_kernel.h>

__global__ void k(unsigned *out, const int *a, unsigned *g, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    curandState s;
    curand_init(1234ULL + n, t, t & 1, &s);
    o[0] = curand(&s);
    o[1] = curand(&s);
    o[2] = (unsigned)(curand_uniform(&s) * 1000000.0f);
    o[3] = sizeof(s.v);
    o[5] = curand(&s);
    skipahead(0ULL, &s);
    o[6] = curand(&s);
    curand_init(0x123456789abcdefULL, 17ULL, 1ULL, &s);
    o[7] = curand(&s);
    curandStatePhilox4_32_10_t p;
    curand_init(77ULL, t, t * 5, &p);
    o[4] = sizeof(p.ctr);
    o[8] = curand(&p);
    o[9] = (unsigned)(curand_uniform(&p) * 1000000.0f);
    uint4 u = curand4(&p);
    o[10] = u.x ^ u.y;
    o[11] = u.z + u.w;
    o[12] = curand(&p);
    skipahead(0xfffffffffffULL, &p);
    o[13] = curand(&p);
    skipahead_sequence(0x1ffffffffULL, &p);
    o[14] = curand(&p);
    float4 f = curand_uniform4(&p);
    o[15] = (unsigned)(f.x * 1000.0f) + (unsigned)(f.y * 1000.0f) + (unsigned)(f.z * 1000.0f) + (unsigned)(f.w * 1000.0f);
}
