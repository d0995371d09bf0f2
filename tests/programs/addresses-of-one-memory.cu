// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: choices between addresses in local and constant memory, comparisons, and distances
__constant__ int row[5] = {11, 12, 13, 14, 15};
__constant__ int other[5] = {21, 22, 23, 24, 25};
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  int x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8};
  int i = a[threadIdx.x & 63] & 3;
  const int *p = (n & 1) ? x : y;
  o[0] = p[i];
  const int *r = &x[i], *e = x + 4;
  int s = 0;
  for (; r < e; r++) s = s * 10 + *r;
  o[1] = s;
  o[2] = e - (x + i);
  int u = 1, v = 2;
  int &w = (threadIdx.x & 1) ? u : v;
  w = 7;
  o[3] = u * 10 + v;
  int *q = (threadIdx.x & 2) ? &y[i] : nullptr;
  if (q) *q = 9;
  o[4] = y[0] + 10 * y[1] + 100 * y[2] + 1000 * y[3];
  o[5] = q == y + i;
  const int *c = (threadIdx.x & 1) ? row : other;
  o[6] = c[i];
  const int *d = i ? row : row + 1;
  o[7] = d[i];
  int k = 0;
  for (const int *z = row; z != row + 4; z++) k += *z * (threadIdx.x + 1);
  o[8] = k;
  const int *at = (m & 1) ? x + i : y;
  while (at != ((m & 1) ? x : y - i + i)) at--;
  o[9] = *at;
}
