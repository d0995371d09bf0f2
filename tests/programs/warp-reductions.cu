// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gh100
// by hand: reductions of a warp as functions and as inline PTX, of all lanes and of some
__global__ void k(unsigned *out, const int *in, unsigned *total, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    int v = in[t];
    unsigned all = 0xffffffffu, u = (unsigned)v * 2654435761u, odd = t & 1 ? 0xaaaaaaaau : 0x55555555u;
    o[0] = __reduce_add_sync(all, u);
    o[1] = __reduce_add_sync(all, v);
    o[2] = __reduce_min_sync(all, u);
    o[3] = __reduce_min_sync(all, v);
    o[4] = __reduce_max_sync(all, u);
    o[5] = __reduce_max_sync(all, v);
    o[6] = __reduce_and_sync(all, u | 1u);
    o[7] = __reduce_or_sync(all, u & 0xff00u);
    o[8] = __reduce_xor_sync(all, u);
    if (t & 1) o[9] = __reduce_add_sync(odd, v); else o[9] = __reduce_add_sync(odd, v);
    o[10] = __reduce_min_sync(odd, v);
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(o[11]) : "r"(u));
    asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(o[12]) : "r"(v), "r"(odd));
    asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(o[13]) : "r"(u), "r"(odd));
    o[14] = 0;
    o[15] = 0;
    if (t < 12) o[14] = __reduce_max_sync(0xfffu, u);
}
