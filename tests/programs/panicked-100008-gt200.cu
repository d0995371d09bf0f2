// grid 2 block 32 n 8 m 3044854765 a 5 1 54 -71 -26 1 4 2 -70 5 6 4 84 7 0 6 3 6 -90 1 7 -20 4 6 6 28 -16 4 5 0 32 0 3 92 70 0 4 3 2 3 1 3 2 -81 4 5 -96 0 0 0 7 87 38 4 2 1 4 98 -24 1 7 1 71 4
// gt200 gf100 gp104 tu102 gh100
// seed 100008, gt200 fmad=false: Panicked("src/cuda/../cuda/opt/prune.rs:160: index out of bounds: the len is  but the index is ")
struct S0 { short m0; unsigned long long m1; };
__device__ signed char f0(const int *a, int v0) {
  if (v0 == 1) {
    v0 = (v0 >> (((a[false] > 7) ? (!33554432) : ((int)((unsigned)v0 * (unsigned)v0))) & 31)) & 4095;
    return 4;
  }
  else {
    v0 = (v0 ^ ((((int)threadIdx.x) == 6) ? (((int)threadIdx.x & 31) & v0) : (v0 + v0))) & 4095;
    int v1 = v0;
  }
  return (v0 - v0) - (v0 % 966ull);
}
__device__ int f1(unsigned *o, const int *a, int &v0, unsigned char v1) {
  if (a[((int)threadIdx.x) & 63] <= v0)
    o[1] = v1;
  else
    return 7;
  v0 = (a[((int)threadIdx.x) & 63] * ((int)threadIdx.x)) + a[((int)threadIdx.x & 31)];
  if ((((int)threadIdx.x) & 7) > 1)
    return 4;
  return (6u * a[6ll]) + (v0 - 5);
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int i0 = ((int)threadIdx.x) & 15;
  int v1 = i0 == 3;
  int v2 = (int)threadIdx.x;
  for (int i3 = 0; i3 < 5; i3++) {
    if (i0 < i0) {
      if (i0 > 3)
        v1 = (int)((unsigned)i0 << (((int)((unsigned)(v1 = (int)((unsigned)v1 - 1u)) + (unsigned)n)) & 31));
      else {
        v2 = (v2 ^ (((int)((unsigned)v2 - (unsigned)v1)) | ((v2 == i0) ? v2 : v2))) & 4095;
        return;
      }
    }
    v2 += ((int)((unsigned)i0 - (unsigned)(~((int)threadIdx.x & 31)))) & 255;
    if (i0 > 0) {
      v2 -= ((int)((unsigned)(v2 != ((int)threadIdx.x)) << ((i3 >> (i0 & 31)) & 31))) & 255;
      return;
    }
    o[i0 & 15] += (unsigned)(7u + 9u);
  }
  if (v2 >= 4)
    return;
  else if (f0(a, ((int)((unsigned)v1 - (unsigned)v2)) & 4095) >= 3)
    return;
  switch (((int)threadIdx.x)) {
  case 0:
    v1 = f0(a, (v2) & 4095);
    atomicMax((int *)&g[16 + ((v2 / ((i0 & 15) + 1)) & 3)], (int)(634));
    v2 = (f1(o, a, v2, v1 & v1)) & 4095;
    break;
  case -1: default:
    (v1 = (int)((unsigned)v1 + 1u));
  case 3:
    break;
    ;
  }
  int v4 = f0(a, (i0) & 4095);
  int v5 = f0(a, (bool)(v4));
  int v6 = f0(a, (a[(unsigned char)1] * o[i0 & 15]) & 4095);
  o[15] ^= ((((((17u) * 31u + (unsigned)i0) * 31u + (unsigned)v1) * 31u + (unsigned)v2) * 31u + (unsigned)v4) * 31u + (unsigned)v5) * 31u + (unsigned)v6;
}
