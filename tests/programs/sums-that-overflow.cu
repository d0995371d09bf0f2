// grid 1 block 1 n 2147483640 m 9 a -5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gt200 gf100 gk110 gp104 tu102 gh100
// by hand: sums and products taken apart, nested magnitudes, effects of initializers of constants, rotations
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  int y = (int)m;
  int m5 = a[0];
  long long s = (n - 2147483600) + y;
  long long t = (m5 + 2147483647) + 3;
  long long u = m5 - (-2147483647 - 1);
  o[0] = (unsigned)(s >> 32);
  o[1] = (unsigned)s;
  o[2] = (unsigned)(t >> 32);
  o[3] = (unsigned)(u >> 32);
  o[(n - 2147483640) + y - 5] = 13;
  o[(n - 2147483637) * 2 - 1] = 12;
  o[6] = ((n - 2147483600) + y) > 30;
  o[7] = (m5 + 2147483647) + 3 < 0;
  float f = -y;
  o[8] = fabsf(fabsf(f)) < 1.0f;
  o[9] = fabsf(fabsf(-f)) < 1.0f;
  int x = y;
  const int v = (x = 9) % 100;
  o[10] = x;
  o[11] = v;
  int z = y;
  const int w = (z = 5);
  o[12] = z + w;
  unsigned r = ((unsigned)n << 7) | ((unsigned)n >> 25);
  o[13] = ((r & m) ^ (~r & (unsigned)n)) | ((r & m) ^ (r & (unsigned)n) ^ (m & (unsigned)n));
  unsigned long long q = (unsigned long long)n * 2654435761u;
  q = (q << 40) | (q >> 24);
  o[14] = (unsigned)(q ^ (q >> 32));
  o[15] = y % 16 + (y & 255) / 8;
}
