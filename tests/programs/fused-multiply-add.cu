// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 tu102
// by hand: fmaf in four directions, with subnormal numbers, ties, cancellation, and infinities
__device__ unsigned h(unsigned x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ (x >> 16);
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  unsigned t = threadIdx.x;
  o += t * 16;
  for (unsigned i = 0; i < 4; i++) {
    unsigned r = h(a[t] + 1000 * i), e = 60 + r % 130, d = h(r) % 60;
    unsigned x = e << 23 | (h(r + 1) & 0x807fffffu);
    unsigned y = (127 - i * 20) << 23 | (h(r + 2) & 0x807fffffu);
    unsigned z = (e - i * 20 + 25 - d) << 23 | (h(r + 3) & 0x807fffffu);
    if (i == 3 && (t & 3) == 0) z = h(r + 4) & 0x807fffffu;
    if (i == 2 && (t & 3) == 1) { x = 12u << 23 | (x & 0x807fffffu); y = (100 - t) << 23; z = t; }
    if (i == 1 && (t & 3) == 2) { x &= 0xfffff000u; y &= 0xfffff000u;
      z = __float_as_uint(-(__uint_as_float(x) * __uint_as_float(y))); }
    if (t == 31) { x = i == 0 ? 0x7f800000u : 0x80000000u; y = i == 1 ? 0x7f800000u : 0x3f800000u;
      z = i == 2 ? 0 : i == 3 ? 0x80000000u : 0xff800000u; }
    float fx = __uint_as_float(x), fy = __uint_as_float(y), fz = __uint_as_float(z);
    o[i * 4] = __float_as_uint(i & 1 ? fmaf(fx, fy, fz) : __fmaf_rn(fx, fy, fz));
    o[i * 4 + 1] = __float_as_uint(__fmaf_rz(fx, fy, fz));
    o[i * 4 + 2] = __float_as_uint(__fmaf_ru(fx, fy, fz));
    o[i * 4 + 3] = __float_as_uint(__fmaf_rd(fx, fy, fz));
  }
}
