// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gp104 tu102 gh100
// by hand: enums of each size
enum Small : unsigned char { SA = 1, SB = 255 };
enum class Wide : long long { X = 0x7fffffffffll, Y };
enum Big { BA, BB = 0xFFFFFFFFu };
enum class Signed : signed char { N = -3 };
enum Low { LA = -3000000000ll, LB = 5 };
enum Wide2 { WA = 1, WB = 1ll << 40 };
struct Pair { Small a; unsigned char b; };
enum Flags { F1 = 1, F2 = F1 << 1, F3 = F2 | F1 };
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  o[0] = sizeof(Small) + 10 * sizeof(Pair) + 100 * sizeof(Wide) + 1000 * sizeof(Signed);
  Small s = (Small)(a[threadIdx.x & 63] + 1000);
  o[1] = s;
  o[2] = s == SB;
  Wide w = threadIdx.x & 1 ? Wide::X : Wide::Y;
  o[3] = (unsigned)((long long)w >> 8);
  unsigned long long big = BB;
  o[4] = (unsigned)(big >> 32);
  o[5] = (unsigned)big;
  Signed low_s = Signed::N;
  o[6] = (int)low_s * (int)threadIdx.x;
  Pair p = {SB, 7};
  o[7] = p.a * 256 + p.b;
  Flags f = (Flags)(low_s == Signed::N ? F3 : F1);
  o[8] = f + F2;
  o[9] = sizeof(Low) + 10 * sizeof(LB) + 100 * sizeof(WA);
  o[10] = (unsigned)((long long)LA >> 8);
  o[11] = BA - 1 < 0;
  Low low = threadIdx.x & 1 ? LA : LB;
  o[12] = (unsigned)(low / 1000);
}
