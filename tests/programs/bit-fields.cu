// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: bit-fields: layout, signs, promotion, assignment, unions, shared memory, constructors
struct Flags { unsigned valid : 1; unsigned kind : 3; unsigned count : 12; unsigned rest : 16; };
struct Mixed { char tag; int low : 5; int high : 20; short after; long long wide : 40; unsigned char last : 3; };
struct Packed { unsigned short r : 5, g : 6, b : 5; };
struct Gaps { unsigned a : 3; unsigned : 5; unsigned b : 8; unsigned : 0; unsigned c : 4; bool on : 1; };
struct Across { unsigned a : 20; unsigned b : 20; unsigned c : 24; };
struct Bytes { unsigned char x : 3; char y : 6; signed char z : 2; };
union Color { unsigned all; struct { unsigned r : 8, g : 8, b : 8, a : 8; }; };
union Nibble { unsigned char byte; unsigned char low : 4; };
struct Made {
  int x : 6, y : 10;
  unsigned z : 4 = 9;
  __device__ Made(int v) : x(v), y(v * 2) {}
  __device__ int sum() const { return x + y + z; }
  __device__ void bump() { x++; y += 3; --z; }
};
enum Mode { OFF, SLOW, FAST };
struct State { Mode mode : 2; unsigned level : 6; };
template <int N> struct Sized { unsigned v : N; unsigned w : 32 - N; };
__device__ Flags table[2] = {{1, 2, 3, 4}, {0, 7, 4095, 65535}};
__device__ unsigned bits_of(Flags f) { return f.valid + f.kind * 10 + f.count * 100; }
__device__ Flags with(unsigned kind) { Flags f = {}; f.kind = kind; f.count = 5; return f; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ Flags shared[2];
  __shared__ unsigned next;
  o += threadIdx.x * 16;
  int v = a[threadIdx.x & 63];
  Flags f = {1, 5, (unsigned)v & 4095u, 7};
  o[0] = f.valid + f.kind * 10 + f.count * 100 + f.rest * 1000000 + sizeof(Flags);
  Mixed x;
  x.tag = 'a'; x.low = v; x.high = v * 1000; x.after = (short)v; x.wide = (long long)v << 33 >> 2; x.last = v;
  o[1] = x.low + x.high * 3 + x.after + (unsigned)(x.wide >> 8) + x.last * 7 + sizeof(Mixed) * 1000;
  Packed p = {(unsigned short)v, (unsigned short)(v * 2), (unsigned short)(v + 1)};
  unsigned short raw;
  memcpy(&raw, &p, 2);
  o[2] = raw + sizeof(Packed) * 100000;
  Gaps gaps = {5, (unsigned)v & 255u, 3, true};
  gaps.b ^= 0x55; gaps.c <<= 1; gaps.on = v > 30;
  o[3] = gaps.a + gaps.b * 10 + gaps.c * 10000 + gaps.on * 1000000 + sizeof(Gaps);
  Across w = {(unsigned)v, (unsigned)(v * 77), (unsigned)(v * 1234567)};
  w.a += 3; w.b++; w.c -= w.b;
  o[4] = w.a ^ w.b ^ w.c + sizeof(Across);
  Bytes b = {(unsigned char)v, (char)v, (signed char)v};
  o[5] = b.x + b.y * 100 + b.z * 10000 + sizeof(Bytes) * 1000000;
  Color c; c.all = 0x11223344u * (v & 3); c.g = v; c.a |= 0x40;
  o[6] = c.all;
  Nibble nib; nib.byte = (unsigned char)(v * 3); nib.low = 5;
  o[7] = nib.byte + sizeof(Nibble) * 1000;
  Made made(v & 15); made.bump();
  Made copy = made; copy.x = -7; copy = copy; int old = copy.y++;
  o[8] = made.sum() + copy.sum() * 1000 + old;
  State s = {FAST, 3}; s.level += v; if (s.mode == FAST) s.mode = SLOW;
  o[9] = s.mode + s.level * 10 + sizeof(State) * 1000;
  Sized<7> z; z.v = v; z.w = v * 3;
  o[10] = z.v + z.w;
  if (threadIdx.x == 0) { shared[0] = table[1]; shared[1] = with(6); shared[0].kind = 4; next = 0; }
  __syncthreads();
  o[11] = bits_of(shared[0]) + bits_of(shared[1]) + table[threadIdx.x & 1].rest;
  o[12] = (f.kind - 6 < 0) + (f.kind - 6 > 0) * 2 + (-f.kind < 0) * 4 + (f.count > -1) * 8 + ((f.rest = 70000) == 4464) * 16;
  Flags *q = &f;
  unsigned char t = q->kind = 11;
  (q++)->count = 9; q--;
  o[13] = t + q->count * 10 + (q->valid ? q->kind : q->rest) * 1000;
  Flags many[3] = {{0, 1, 2, 3}, {1, 2, 3}, {}};
  int sum = 0;
  for (auto &e : many) { e.count *= 3; e.valid = !e.valid; sum = sum * 10 + e.valid + e.kind + e.count; }
  auto [valid, kind, count, rest] = many[1];
  o[14] = sum * 10 + valid + kind + count + rest;
  const Flags fixed = {0, 3, 100, 1};
  auto get = [=] { return fixed.kind + fixed.count; };
  o[15] = get() + (int)fixed.rest;
}
