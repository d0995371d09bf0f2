// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: strings: escapes, neighbors, arrays and structs of them, as arguments, and in expressions
__constant__ char escapes[] = "a\ncd\0\"\\\t\x41\101";
__constant__ char joined[] = "ab" "cd" "";
__constant__ char table[3][5] = {"ab", "cdef", {"x"}};
struct Four { int b[4]; };
__device__ Four four(int s) { Four q = {{s, 1, 2, 3}}; return q; }
struct Entry { char name[4]; int value; };
__constant__ Entry entries[2] = {{"ab", 3}, {"cde", 4}};
__device__ int size = sizeof("abc");
__constant__ int first[2] = {"b"[0], 7};
__constant__ unsigned char bytes[] = "\377z";
__constant__ char in_braces[] = {"abcd"};
__device__ int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
__device__ int choose(const char *s, int v) { return s ? v : -1; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  int t = threadIdx.x;
  o += t * 16;
  o[0] = escapes[t % 10] + 256 * sizeof(escapes);
  o[1] = joined[t % 5] + 256 * sizeof(joined);
  o[2] = table[t % 3][t % 5];
  o[3] = entries[t & 1].name[t & 3] + 1000 * entries[t & 1].value;
  o[4] = size * 1000 + first[0] * 10 + first[1];
  o[5] = length("hello") * 100 + length("hello" + (n & 3));
  o[6] = choose("hello", 7) + choose(0, 5);
  const char *s = t & 1 ? "odd" : "even";
  o[7] = s[t % 3] + length(s) * 1000;
  char local[8] = "x\\y";
  local[3] = '!';
  o[8] = local[t & 7];
  o[9] = bytes[t % 3] + '\x7f' + '\n' + '\0' + '\\' + '\a';
  o[10] = "0123456789abcdef"[t & 15];
  int row[3] = {n, t, 5};
  int (&r)[3] = row;
  r[1] += 10;
  o[12] = four(t).b[0] + four(n).b[t & 3] * 100;
  o[13] = row[t % 3];
  o[11] = in_braces[t % 5] + sizeof(in_braces) + ("same" == 0);
}
