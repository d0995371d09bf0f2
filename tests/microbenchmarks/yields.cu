// Loops of many forms, to see where the compiler puts YIELD: see yields.py.
typedef unsigned long long u64;
#define K extern "C" __global__ void

// Spin locks and flags.
K lock_while(int *m, int *x) { while (atomicCAS(m, 0, 1) != 0); __threadfence(); x[1]++; __threadfence(); atomicExch(m, 0); }
K lock_empty_exchange(int *m, int *x) { while (atomicExch(m, 1) != 0); __threadfence(); x[1]++; __threadfence(); atomicExch(m, 0); }
K lock_do_count(int *m, int *x) { int n = 0; do n++; while (atomicCAS(m, 0, 1) != 0); x[threadIdx.x] = n; atomicExch(m, 0); }
K lock_shared(int *x) { __shared__ int m; if (threadIdx.x == 0) m = 0; __syncthreads(); while (atomicCAS(&m, 0, 1) != 0); *x += 1; __threadfence_block(); atomicExch(&m, 0); }
K lock_sleep(int *m, int *x) { while (atomicCAS(m, 0, 1) != 0) __nanosleep(100); x[1]++; __threadfence(); atomicExch(m, 0); }
K lock_backoff(int *m, int *x) { unsigned ns = 8; while (atomicCAS(m, 0, 1) == 1) { __nanosleep(ns); if (ns < 256) ns *= 2; } x[1]++; __threadfence(); atomicExch(m, 0); }
K lock_flag(int *m, int *x) { bool done = false; while (!done) { if (atomicCAS(m, 0, 1) == 0) { x[1]++; __threadfence(); atomicExch(m, 0); done = true; } } }
K lock_tries(int *m, int *x) { for (int i = 0; i < 1000; i++) if (atomicCAS(m, 0, 1) == 0) { x[1]++; __threadfence(); atomicExch(m, 0); break; } }
K lock_test_first(int *m, int *x) { for (;;) { while (*(volatile int *)m) {} if (atomicCAS(m, 0, 1) == 0) break; } x[1]++; __threadfence(); atomicExch(m, 0); }
K lock_rounds(int *m, volatile int *x, int n) { for (int r = 0; r < n; r++) { while (atomicCAS(m, 0, 1) != 0); __threadfence(); *x = *x + 1; __threadfence(); atomicExch(m, 0); } }
K lock_ticket(unsigned *m, int *x) { unsigned mine = atomicAdd(m, 1); while (*(volatile unsigned *)(m + 1) != mine); x[1]++; __threadfence(); atomicAdd(m + 1, 1); }
K flag_volatile(volatile int *f, int *x) { while (*f == 0); *x = 1; }
K flag_volatile_body(volatile int *f, int *x) { int n = 0; while (*f == 0) n++; *x = n; }
K flag_atomic_or(int *f, int *x) { while (atomicOr(f, 0) == 0); *x = 1; }
K flag_atomic_add(int *f, int *x) { while (atomicAdd(f, 0) < 32); *x = 1; }
K flag_shared(int *x) { __shared__ volatile int f; if (threadIdx.x == 0) f = 0; __syncthreads(); if (threadIdx.x == 0) f = 1; else while (f == 0); *x = 1; }
K flag_uniform_then_barrier(volatile int *f, int *x) { if (threadIdx.x == 0) while (*f == 0); __syncthreads(); x[threadIdx.x] = 1; }
K flag_limit(volatile int *f, int *x, int n) { int i; for (i = 0; i < n; i++) if (*f) break; *x = i; }
K flag_limit64(volatile int *f, int *x, long long n) { long long i; for (i = 0; i < n; i++) if (*f) break; *x = (int)i; }
K flag_limit_fixed(volatile int *f, int *x) { int i;
#pragma unroll 1
    for (i = 0; i < 1000; i++) if (*f) break; *x = i; }
K flag_clock(volatile int *f, int *x) { long long s = clock64(); while (*f == 0 && clock64() - s < 1000); *x = 1; }
K grid_arrive(unsigned *c, int *x) { __syncthreads(); if (threadIdx.x == 0) { __threadfence(); atomicAdd(c, 1); while (*(volatile unsigned *)c < gridDim.x); __threadfence(); } __syncthreads(); x[blockIdx.x] = 1; }

// Loops of compare-and-swap.
K cas_do(int *p) { int old = *p, seen; do { seen = old; old = atomicCAS(p, seen, seen * 3 + 1); } while (old != seen); }
K cas_while(int *p) { int old = *p; while (true) { int seen = atomicCAS(p, old, old + 1); if (seen == old) break; old = seen; } }
K cas_for(int *p) { for (int old = *p;;) { int seen = atomicCAS(p, old, old ^ 5); if (seen == old) return; old = seen; } }
K cas_double(double *p, double x) { u64 *q = (u64 *)p, old = *q, seen; do { seen = old; old = atomicCAS(q, seen, __double_as_longlong(x + __longlong_as_double(seen))); } while (seen != old); }
K cas_float_max(float *p, float x) { int *q = (int *)p, old = *q; while (__int_as_float(old) < x) { int seen = old; old = atomicCAS(q, seen, __float_as_int(x)); if (old == seen) break; } }
K cas_shared(int *out) { __shared__ int w[32]; w[threadIdx.x] = 0; __syncthreads(); int *p = w + threadIdx.x % 4, old = *p, seen; do { seen = old; old = atomicCAS(p, seen, seen + 3); } while (old != seen); __syncthreads(); out[threadIdx.x] = w[threadIdx.x]; }
K cas_count(int *p, int *out) { int old = *p, seen, n = 0; do { seen = old; old = atomicCAS(p, seen, seen * 3 + 1); n++; } while (old != seen); out[threadIdx.x] = n; }
K cas_count_limit(int *p, int *out) { int old = *p, seen, n = 0;
#pragma unroll 1
    do { seen = old; old = atomicCAS(p, seen, seen * 3 + 1); n++; } while (old != seen && n < 100); out[threadIdx.x] = n; }
K cas_rounds(int *p, int n) { for (int r = 0; r < n; r++) { int old = *(volatile int *)p, seen; do { seen = old; old = atomicCAS(p, seen, seen * 3 + 1); } while (old != seen); } }
K cas_stack(int *head, int *next) { int i = threadIdx.x, old; do { old = *(volatile int *)head; next[i] = old; __threadfence(); } while (atomicCAS(head, old, i) != old); }
K cas_probe(int *table, const int *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int k = in[i]; unsigned h = k * 2654435761u; while (true) { int was = atomicCAS(table + (h & 1023), -1, k); if (was == -1 || was == k) break; h++; } }
K cas_probe_for(int *table, const int *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int k = in[i]; for (unsigned t = 0; t < 1024; t++) { int was = atomicCAS(table + ((k + t) & 1023), -1, k); if (was == -1 || was == k) break; } }
K cas_chain(int *p, int n) { int old = 0; for (int r = 0; r < n; r++) old = atomicCAS(p, old, old + 1) + 1; if (old == 0x12345) *p = old; }
K cas_chain64(int *p, long long n) { int old = 0; for (long long r = 0; r < n; r++) old = atomicCAS(p, old, old + 1) + 1; if (old == 0x12345) *p = old; }
K cas_chain_fixed(int *p) { int old = 0;
#pragma unroll 1
  for (int r = 0; r < 64; r++) old = atomicCAS(p, old, old + 1) + 1; if (old == 0x12345) *p = old; }
K union_find(int *parent, const int *a, const int *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int x = a[i], y = b[i]; while (true) { while (x != parent[x]) x = parent[x]; while (y != parent[y]) y = parent[y]; if (x == y) break; if (x < y) { int t = x; x = y; y = t; } if (atomicCAS(parent + x, x, y) == x) break; } }

// Counted loops with atomics.
K count_add(int *p, int n) { for (int i = 0; i < n; i++) atomicAdd(p + i, 1); }
K count_add64(int *p, long long n) { for (long long i = 0; i < n; i++) atomicAdd(p + i, 1); }
K count_add_down(int *p, int n) { while (n-- > 0) atomicAdd(p, n); }
K count_add_returns(int *p, int n) { int old = 1; for (int i = 0; i < n; i++) old = atomicAdd(p, old); if (old == 0x1234) *p = 1; }
K count_add_returns64(int *p, long long n) { int old = 1; for (long long i = 0; i < n; i++) old = atomicAdd(p, old); if (old == 0x1234) *p = 1; }
K count_exchange(int *p, int n) { int old = 1; for (int i = 0; i < n; i++) old = atomicExch(p, old + 1); if (old == 0x1234) *p = 1; }
K count_shared_add(int *out, int n) { __shared__ int w[32]; w[threadIdx.x] = 0; __syncthreads(); for (int i = 0; i < n; i++) atomicAdd(w + i % 7, 1); __syncthreads(); out[threadIdx.x] = w[threadIdx.x]; }
K count_shared_add64(int *out, long long n) { __shared__ int w[32]; w[threadIdx.x] = 0; __syncthreads(); for (long long i = 0; i < n; i++) atomicAdd(w + i % 7, 1); __syncthreads(); out[threadIdx.x] = w[threadIdx.x]; }
K count_shared_float(float *out, int n) { __shared__ float w[32]; w[threadIdx.x] = 0; __syncthreads(); for (int i = 0; i < n; i++) atomicAdd(w + 3, 1.f); __syncthreads(); out[threadIdx.x] = w[threadIdx.x]; }
K shared_float_once(float *out) { __shared__ float w[32]; w[threadIdx.x] = 0; __syncthreads(); atomicAdd(w + threadIdx.x % 3, 1.f); __syncthreads(); out[threadIdx.x] = w[threadIdx.x]; }
K shared_double_once(double *out) { __shared__ double w[32]; w[threadIdx.x] = 0; __syncthreads(); atomicAdd(w + threadIdx.x % 3, 1.); __syncthreads(); out[threadIdx.x] = w[threadIdx.x]; }
K histogram_stride(int *bins, const int *in, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(bins + (in[i] & 255), 1); }
K histogram_shared(int *bins, const int *in, int n) { __shared__ int b[256]; for (int i = threadIdx.x; i < 256; i += blockDim.x) b[i] = 0; __syncthreads(); for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(b + (in[i] & 255), 1); __syncthreads(); for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(bins + i, b[i]); }
K histogram_stride64(int *bins, const int *in, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) atomicAdd(bins + (in[i] & 255), 1); }
K queue(int *next, int n, int *out) { int i; while ((i = atomicAdd(next, 1)) < n) out[i] = i * i; }
K queue_shared(int *next, int n, int *out) { __shared__ int i; while (true) { if (threadIdx.x == 0) i = atomicAdd(next, 1); __syncthreads(); if (i >= n) break; out[i * 32 + threadIdx.x] = i; __syncthreads(); } }
K nested_add(int *p, int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) atomicAdd(p + i * m + j, 1); }
K divergent_add(int *p, const int *len) { int n = len[threadIdx.x]; for (int i = 0; i < n; i++) atomicAdd(p + i, 1); }
K divergent_add_returns(int *p, const int *len) { int n = len[threadIdx.x], s = 0; for (int i = 0; i < n; i++) s += atomicAdd(p + i, 1); p[threadIdx.x] = s; }
K doubling_add(int *p, int n) { for (int i = 1; i < n; i *= 2) atomicAdd(p + i, 1); }
K halving_add(int *p, int n) { for (int i = n; i > 0; i >>= 1) atomicAdd(p + i, 1); }
K list_add(int *p, const int *next, int i) { while (i != -1) { atomicAdd(p + i, 1); i = next[i]; } }
K continue_add(int *p, const int *in, int n) { for (int i = 0; i < n; i++) { if (in[i] < 0) continue; atomicAdd(p + in[i], 1); } }
K break_add(int *p, const int *in, int n) { for (int i = 0; i < n; i++) { if (in[i] < 0) break; atomicAdd(p + in[i], 1); } }
K warp_leader(int *p, int n) { for (int i = 0; i < n; i++) { unsigned m = __activemask(); if (__ffs(m) - 1 == (int)(threadIdx.x & 31)) atomicAdd(p, __popc(m)); } }

// Loads that others must see.
K count_volatile(volatile int *p, int *out, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; *out = s; }
K count_volatile64(volatile int *p, int *out, long long n) { int s = 0; for (long long i = 0; i < n; i++) s += p[i]; *out = s; }
K count_ldcg(const int *p, int *out, int n) { int s = 0; for (int i = 0; i < n; i++) s += __ldcg(p + i); *out = s; }
K list_volatile(volatile int *next, int *out, int i) { int n = 0; while (i != -1) { i = next[i]; n++; } *out = n; }
K volatile_shared(int *out, int n) { __shared__ volatile int w[32]; w[threadIdx.x] = threadIdx.x; __syncthreads(); int s = 0; for (int i = 0; i < n; i++) s += w[i % 7]; out[threadIdx.x] = s; }
K volatile_store(volatile int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
K volatile_store_while(volatile int *p, const int *q) { int i = 0; while (q[i] != 0) { p[i] = 1; i++; } }
K lookback(volatile int *flags, volatile int *sums, int *out) { int s = 0, i = blockIdx.x - 1; while (i >= 0) { int f; while ((f = flags[i]) == 0); s += sums[i]; if (f == 2) break; i--; } out[blockIdx.x] = s; }

// Loops without either.
K plain_sum(const int *p, int *out, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; *out = s; }
K plain_while(const int *p, int *out) { int i = 0; while (p[i] != 0) i++; *out = i; }
K plain_list(const int *next, int *out, int i) { int n = 0; while (i != -1) { i = next[i]; n++; } *out = n; }
K plain_collatz(const int *in, int *out) { unsigned x = in[threadIdx.x], n = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; n++; } out[threadIdx.x] = n; }
K plain_mandel(float *out) { float x = 0, y = 0, a = threadIdx.x * .1f; int n = 0; while (x * x + y * y < 4 && n < 256) { float t = x * x - y * y + a; y = 2 * x * y + .3f; x = t; n++; } out[threadIdx.x] = n; }
K plain_store_while(int *p, const int *q) { int i = 0; while (q[i] != 0) { p[i] = 1; i++; } }
K plain_search(const int *p, int *out, int n, int x) { int lo = 0, hi = n; while (lo < hi) { int mid = (lo + hi) / 2; if (p[mid] < x) lo = mid + 1; else hi = mid; } *out = lo; }
K plain_barrier(int *p, int n) { for (int i = 0; i < n; i++) { p[threadIdx.x] += i; __syncthreads(); } }
K plain_barrier_while(int *p) { while (p[0]) { p[threadIdx.x] -= 1; __syncthreads(); } }
K plain_vote(const int *p, int *out) { int i = 0; while (__any_sync(~0u, p[i * 32 + threadIdx.x])) i++; *out = i; }
K sleep_count(int *out, int n) { for (int i = 0; i < n; i++) __nanosleep(100); *out = 1; }
K sleep_flag(int *f, int *out) { while (*(volatile int *)f == 0) __nanosleep(100); *out = 1; }
K fence_count(int *p, int n) { for (int i = 0; i < n; i++) { p[i] = i; __threadfence(); } }
K forever(int *p) { for (;;) atomicAdd(p, 1); }
K forever_plain(volatile int *p) { for (;;) *p = 1; }

// The same with conditions that differ between lanes.
#define T int t = blockIdx.x * blockDim.x + threadIdx.x
K d_flag_volatile(volatile int *f, int *x) { T; while (f[t] == 0); x[t] = 1; }
K d_flag_volatile_body(volatile int *f, int *x) { T; int n = 0; while (f[t] == 0) n++; x[t] = n; }
K d_flag_ldcg(int *f, int *x) { T; int n = 0; while (__ldcg(f + t) == 0) n++; x[t] = n; }
K d_flag_ldcg_store(int *f, int *x) { T; while (__ldcg(f + t) == 0) x[t]++; }
K d_flag_limit(volatile int *f, int *x, int n) { T; int i; for (i = 0; i < n; i++) if (f[t]) break; x[t] = i; }
K d_flag_limit64(volatile int *f, int *x, long long n) { T; long long i; for (i = 0; i < n; i++) if (f[t]) break; x[t] = (int)i; }
K d_flag_clock(volatile int *f, int *x) { T; long long s = clock64(); while (f[t] == 0 && clock64() - s < 1000); x[t] = 1; }
K d_flag_sleep(volatile int *f, int *x) { T; while (f[t] == 0) __nanosleep(100); x[t] = 1; }
K d_list_add(int *p, const int *next) { T; int i = t; while (i != -1) { atomicAdd(p + i, 1); i = next[i]; } }
K d_list_volatile(volatile int *next, int *out) { T; int i = t, n = 0; while (i != -1) { i = next[i]; n++; } out[t] = n; }
K d_list_plain(const int *next, int *out) { T; int i = t, n = 0; while (i != -1) { i = next[i]; n++; } out[t] = n; }
K d_list_plain_nc(const int *__restrict__ next, int *__restrict__ out) { T; int i = t, n = 0; while (i != -1) { i = next[i]; n++; } out[t] = n; }
K d_list_store(const int *next, int *out) { T; int i = t; while (i != -1) { out[i] = 1; i = next[i]; } }
K d_while_store(int *p, const int *q) { T; int i = t; while (q[i] != 0) { p[i] = 1; i++; } }
K d_while_plain(int *p, const int *q) { T; int i = t; while (q[i] != 0) { i++; } p[t] = i; }
K d_search(const int *p, const int *q, int *out, int n) { T; int x = q[t], lo = 0, hi = n; while (lo < hi) { int mid = (lo + hi) / 2; if (p[mid] < x) lo = mid + 1; else hi = mid; } out[t] = lo; }
K d_lookback(volatile int *flags, volatile int *sums, int *out) { T; int s = 0, i = t - 1; while (i >= 0) { int f; while ((f = flags[i]) == 0); s += sums[i]; if (f == 2) break; i--; } out[t] = s; }
K d_halving_add(int *p, int n) { T; for (int i = n - t; i > 0; i >>= 1) atomicAdd(p + i, 1); }
K d_doubling_add(int *p, int n) { T; for (int i = 1 + t; i < n; i *= 2) atomicAdd(p + i, 1); }
K d_break_add(int *p, const int *in, int n) { T; for (int i = 0; i < n; i++) { if (in[i * 32 + t] < 0) break; atomicAdd(p + in[i], 1); } }
K d_while_add(int *p, const int *in) { T; int i = t; while (in[i] != 0) { atomicAdd(p + in[i], 1); i += 32; } }
K d_while_add_returns(int *p, const int *in) { T; int i = t, s = 0; while (in[i] != 0) { s += atomicAdd(p + in[i], 1); i += 32; } p[t] = s; }
K d_until_add(int *p) { T; while (atomicAdd(p + t, 1) < 100); }
K d_until_add_work(int *p, int *q) { T; int v; while ((v = atomicAdd(p + t, 1)) < 100) q[v] = t; }
K d_until_sub(int *p) { T; while (atomicSub(p + t, 1) > 0); }
K d_until_max(int *p, int *q) { T; int i = 0; while (atomicMax(p + t, q[i]) < 7) i++; }
K d_until_cas_other(int *p, int *q) { T; int i = t; while (true) { atomicCAS(p + i, 0, 1); if (q[i]) break; i = i * 5 + 1; } }
K d_collatz_add(int *p, const int *in) { T; unsigned x = in[t]; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; atomicAdd(p, 1); } }
K d_collatz_volatile(volatile int *p, const int *in, int *out) { T; unsigned x = in[t], s = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; s += p[x & 31]; } out[t] = s; }
K d_collatz_plain(int *p, const int *in, int *out) { T; unsigned x = in[t], s = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; s += p[x & 31]; } out[t] = s; }
K d_collatz_store(int *p, const int *in) { T; unsigned x = in[t]; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; p[x & 31] = x; } }
K d_collatz_vstore(volatile int *p, const int *in) { T; unsigned x = in[t]; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; p[x & 31] = x; } }
K d_collatz_shared(const int *in, int *out) { T; __shared__ int w[32]; w[threadIdx.x & 31] = t; __syncthreads(); unsigned x = in[t], s = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; s += w[x & 31]; } out[t] = s; }
K d_collatz_fence(int *p, const int *in) { T; unsigned x = in[t]; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; p[x & 31] = x; __threadfence(); } }
K d_cas_chain(int *p, const int *len) { T; int n = len[t]; int old = 0; for (int r = 0; r < n; r++) old = atomicCAS(p, old, old + 1) + 1; if (old == 0x12345) *p = old; }
K d_cas_for_break(int *p, const int *len) { T; int n = len[t]; for (int r = 0; r < n; r++) if (atomicCAS(p, r, r + 1) == r) break; }
K d_cas_for_break_fixed(int *p) { T;
#pragma unroll 1
    for (int r = 0; r < 100; r++) if (atomicCAS(p + t, r, r + 1) == r) break; }
K d_cas_do_limit(int *p) { T; int r = 0;
#pragma unroll 1
    do { r++; } while (atomicCAS(p + t, 0, r) != 0 && r < 100); }
K d_cas_do_limit2(int *p) { T; int r = 0; do { r++; } while (r < 100 && atomicCAS(p + t, 0, r) != 0); }
K d_cas_while_limit(int *p) { T; int r = 0;
#pragma unroll 1
    while (r < 100 && atomicCAS(p + t, 0, r) != 0) r++; }
K d_cas_while_limit_work(int *p, int *q) { T; int r = 0;
#pragma unroll 1
    while (r < 100 && atomicCAS(p + t, 0, r) != 0) { q[t] += r; r++; } }
K d_cas_found(int *p, int *q) { T; int r = 0; bool ok = false;
#pragma unroll 1
    while (!ok && r < 100) { ok = atomicCAS(p + t, 0, r) == 0; r++; } q[t] = r; }
K d_exch_limit(int *p, int *q) { T; int r = 0;
#pragma unroll 1
    while (r < 100 && atomicExch(p + t, 1) != 0) r++; q[t] = r; }
K d_exch_for_break(int *p, int *q) { T;
#pragma unroll 1
    for (int r = 0; r < 100; r++) { if (atomicExch(p + t, 1) == 0) { q[t] = r; break; } } }
K d_add_for_break(int *p, int *q) { T;
#pragma unroll 1
    for (int r = 0; r < 100; r++) { if (atomicAdd(p + t, 1) == 0) { q[t] = r; break; } } }
K d_vol_for_break(volatile int *p, int *q) { T;
#pragma unroll 1
    for (int r = 0; r < 100; r++) { if (p[t] == 0) { q[t] = r; break; } } }
K d_plain_for_break(int *p, int *q) { T;
#pragma unroll 1
    for (int r = 0; r < 100; r++) { if (p[t + r] == 0) { q[t] = r; break; } } }
K d_nested_spin(int *p, int n) { T; for (int i = 0; i < n; i++) { while (atomicExch(p + t, 1)); atomicAdd(p + 1000, 1); } }
K d_nested_spin_two(int *p, int n) { T; for (int i = 0; i < n; i++) { while (atomicExch(p + t, 1)); atomicAdd(p + 1000, 1); while (atomicExch(p + t + 1, 1)); } }
K d_outer_flag(int *m, int *x) { T; bool go = true; while (go) { if (atomicExch(m, 1) == 0) { for (int i = 0; i < 10; i++) x[i] += t; __threadfence(); atomicExch(m, 0); go = false; } } }
K d_outer_flag_n(int *m, int *x, int n) { T; bool go = true; while (go) { if (atomicExch(m, 1) == 0) { for (int i = 0; i < n; i++) x[i * 7] += t; __threadfence(); atomicExch(m, 0); go = false; } } }
K d_two_spins_nested(int *m, int *x) { T; while (true) { while (*(volatile int *)(m + t)); if (atomicCAS(m, 0, 1) == 0) break; } x[1]++; __threadfence(); atomicExch(m, 0); }
K d_spin_vote(volatile int *f, int *x) { T; while (!__all_sync(~0u, f[t])); x[t] = 1; }
K d_spin_syncwarp(volatile int *f, int *x) { T; while (f[t] == 0) __syncwarp(); x[t] = 1; }
K d_spin_barrier(volatile int *f, int *x) { T; while (f[t] == 0) __syncthreads(); x[t] = 1; }
K d_spin_shared(int *x) { T; __shared__ volatile int f[32]; f[t & 31] = 0; __syncthreads(); if (t % 2) f[t & 30] = 1; while (f[t & 31] == 0); x[t] = 1; }
K d_if_spin_uniform(volatile int *f, int *x, int n) { if (n > 3) while (*f == 0); *x = 1; }
K d_if_spin_divergent(volatile int *f, int *x) { T; if (t > 3) while (*f == 0); *x = 1; }
K d_if_plain_divergent(int *f, int *x) { T; if (t > 3) { int i = 0; while (f[i] == 0) i++; x[t] = i; } }
K d_if_count_divergent(int *f, int *x, int n) { T; if (t > 3) { int s = 0; for (int i = 0; i < n; i++) s += atomicAdd(f + i, 1); x[t] = s; } }
K d_early_exit(volatile int *f, int *x, int n) { T; if (t >= n) return; while (*f == 0); x[t] = 1; }
