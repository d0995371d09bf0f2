// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: strings of wide characters: their elements, sizes, prefixes, escapes, neighbors, and addresses
__constant__ wchar_t wide[] = L"w\u00e9\x1F600";
__constant__ char16_t halves[] = u"a\U0001F600z";
__constant__ char32_t full[8] = U"\U0001F600" "\101" U"\\";
__constant__ char16_t table[2][4] = {u"ab", {u"cde"}};
__constant__ wchar_t raw[] = LR"(\n")";
__constant__ char narrow[] = "\u00e9\U0001F600";
struct Entry { wchar_t name[4]; int value; };
__constant__ Entry entries[2] = {{L"ab", 3}, {L"cde", 4}};
template <class C> __device__ int length(const C *s) { int n = 0; while (s[n]) n++; return n; }
__device__ int which(const wchar_t *) { return 1; }
__device__ int which(const char16_t *) { return 2; }
__device__ int which(const char32_t *) { return 3; }
__device__ int which(const char *) { return 4; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  int t = threadIdx.x;
  o += t * 16;
  o[0] = wide[t % 4] + sizeof(wide) * 0x1000000;
  o[1] = halves[t % 5] + sizeof(halves) * 0x10000;
  o[2] = full[t & 7] + sizeof(full) * 0x1000000;
  o[3] = table[t & 1][t >> 1 & 3];
  o[4] = raw[t % 4] + sizeof(raw) * 256;
  o[5] = (unsigned char)narrow[t % 7] + sizeof(narrow) * 256;
  o[6] = entries[t & 1].name[t >> 1 & 3] + 1000 * entries[t & 1].value;
  const wchar_t *s = t & 1 ? L"odd" : L"even";
  o[7] = s[t % 3] + length(s) * 1000;
  char16_t local[6] = u"x\ty";
  local[3] = u'!';
  o[8] = local[t % 6];
  o[9] = L"0123456789abcdef"[t & 15] + u"\xffff"[0] + U"\xfffff"[0];
  o[10] = which(L"") * 1000 + which(u"") * 100 + which(U"") * 10 + which(u8"");
  o[11] = sizeof(L"ab" "c") + sizeof(u"") * 100 + sizeof("a" U"b") * 1000;
  o[12] = length(u"hello") * 100 + length(U"hi");
  o[13] = (L"same" == 0) + (n > 0 ? U"yes" : U"no")[t & 1];
}
