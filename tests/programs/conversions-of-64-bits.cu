// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 tu102
// by hand: conversions between 64-bit integers and floats in four directions
__device__ unsigned h(unsigned x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ (x >> 16);
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  unsigned t = threadIdx.x;
  o += t * 16;
  unsigned long long u = ((unsigned long long)h(a[t]) << 32 | h(t + 77)) >> (t * 2);
  if (t % 5 == 0) u &= ~0ull << (40 - t);
  if (t % 5 == 1) u |= 0x80ull << (33 - t);
  long long s = t & 1 ? -(long long)(u >> 1) : (long long)(u >> 1);
  if (t == 0) { u = 0; s = 0; }
  if (t == 2) { u = ~0ull; s = 0x8000000000000000ll; }
  o[0] = __float_as_uint(__ull2float_rn(u));
  o[1] = __float_as_uint(__ull2float_rz(u));
  o[2] = __float_as_uint(__ull2float_ru(u)) ^ __float_as_uint(__ull2float_rd(u)) * 3;
  o[3] = __float_as_uint((float)s);
  o[4] = __float_as_uint(__ll2float_rz(s));
  o[5] = __float_as_uint(__ll2float_ru(s));
  o[6] = __float_as_uint(__ll2float_rd(s));
  unsigned bits = (t * 2 + 120 + h(t) % 12) << 23 | (h(t + 5) & 0x807fffffu);
  if (t == 3) bits = 0x7fc00000u;
  if (t == 4) bits = 0xff800000u;
  if (t == 6) bits = 0x5f800000u;
  if (t == 7) bits = 0xdf000000u;
  float f = __uint_as_float(bits);
  unsigned long long x = (unsigned long long)f;
  o[7] = (unsigned)x;
  o[8] = (unsigned)(x >> 32);
  long long y = (long long)f;
  o[9] = (unsigned)y;
  o[10] = (unsigned)(y >> 32);
  o[11] = (unsigned)__float2ll_rn(f) * 3u ^ (unsigned)__float2ll_ru(f) * 5u ^ (unsigned)__float2ll_rd(f);
  o[12] = (unsigned)__float2ull_rn(f) * 3u ^ (unsigned)__float2ull_ru(f) * 5u ^ (unsigned)__float2ull_rd(f);
  long long q = s / (long long)(h(t + 9) | 1u), r = s % (long long)(h(t + 9) >> t | 1u);
  o[13] = (unsigned)q;
  o[14] = (unsigned)(q >> 32);
  o[15] = (unsigned)r;
}
