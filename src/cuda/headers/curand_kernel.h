// The device interface of cuRAND: cuRAND Library Documentation, "Device API". Generators: XORWOW (Marsaglia, "Xorshift
// RNGs", 2003) and Philox4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011).

#define CURAND_KERNEL_H_

typedef struct curandStateXORWOW {
    unsigned d;
    unsigned v[5];
    int __has_normal;
    int __has_normal_double;
    float __normal;
    double __normal_double;
} curandStateXORWOW_t;

typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

typedef struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned STATE;
    int __has_normal;
    int __has_normal_double;
    float __normal;
    double __normal_double;
} curandStatePhilox4_32_10_t;

// Built-in tables, __ws_xorwow_sequences and __ws_xorwow_steps: the transitions of 2^67 numbers and of one number on the
// state, raised to powers of 4: 32 matrices of 160 rows of 5 words each.
__device__ inline void __xorwow_skip(unsigned *v, const unsigned *matrices, unsigned long long num) {
    for (; num != 0; num >>= 2, matrices += 800) {
        for (unsigned times = num & 3; times > 0; times--) {
            unsigned sum[5] = {0, 0, 0, 0, 0};
            for (int word = 0; word < 5; word++) {
                for (int bit = 0; bit < 32; bit++) {
                    if (v[word] >> bit & 1) {
                        const unsigned *row = matrices + (word * 32 + bit) * 5;
                        for (int idx = 0; idx < 5; idx++) sum[idx] ^= row[idx];
                    }
                }
            }
            for (int idx = 0; idx < 5; idx++) v[idx] = sum[idx];
        }
    }
}

__device__ inline void skipahead(unsigned long long num, curandStateXORWOW_t *state) {
    __xorwow_skip(state->v, __ws_xorwow_steps, num);
    state->d += 362437u * (unsigned)num;
}

__device__ inline void skipahead_sequence(unsigned long long num, curandStateXORWOW_t *state) {
    __xorwow_skip(state->v, __ws_xorwow_sequences, num);
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateXORWOW_t *state) {
    const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->__has_normal = 0;
    state->__has_normal_double = 0;
    state->__normal = 0.0f;
    state->__normal_double = 0.0;
}

__device__ inline unsigned curand(curandStateXORWOW_t *state) {
    const unsigned mixed = state->v[0] ^ state->v[0] >> 2;
    const unsigned last = state->v[4];
    for (int idx = 0; idx < 4; idx++) state->v[idx] = state->v[idx + 1];
    state->v[4] = last ^ last << 4 ^ mixed ^ mixed << 1;
    state->d += 362437u;
    return state->v[4] + state->d;
}

__device__ inline uint4 __philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; round++) {
        const unsigned high0 = __umulhi(0xd2511f53u, counter.x), low0 = 0xd2511f53u * counter.x;
        const unsigned high1 = __umulhi(0xcd9e8d57u, counter.z), low1 = 0xcd9e8d57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

__device__ inline void __philox_advance(curandStatePhilox4_32_10_t *state, unsigned long long num) {
    const unsigned long long before = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
    const unsigned long long after = before + num;
    state->ctr.x = (unsigned)after;
    state->ctr.y = (unsigned)(after >> 32);
    if (after < before && ++state->ctr.z == 0) ++state->ctr.w;
    state->output = __philox(state->ctr, state->key);
}

__device__ inline void skipahead(unsigned long long num, curandStatePhilox4_32_10_t *state) {
    state->STATE += (unsigned)(num & 3);
    num /= 4;
    if (state->STATE > 3) {
        num++;
        state->STATE -= 4;
    }
    __philox_advance(state, num);
}

__device__ inline void skipahead_sequence(unsigned long long num, curandStatePhilox4_32_10_t *state) {
    const unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + num;
    state->ctr.z = (unsigned)high;
    state->ctr.w = (unsigned)(high >> 32);
    state->output = __philox(state->ctr, state->key);
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStatePhilox4_32_10_t *state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    state->STATE = 0;
    state->__has_normal = 0;
    state->__has_normal_double = 0;
    state->__normal = 0.0f;
    state->__normal_double = 0.0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

__device__ inline unsigned curand(curandStatePhilox4_32_10_t *state) {
    const unsigned at = state->STATE++;
    const uint4 numbers = state->output;
    if (state->STATE == 4) {
        __philox_advance(state, 1);
        state->STATE = 0;
    }
    return at == 0 ? numbers.x : at == 1 ? numbers.y : at == 2 ? numbers.z : numbers.w;
}

__device__ inline uint4 curand4(curandStatePhilox4_32_10_t *state) {
    const uint4 a = state->output;
    __philox_advance(state, 1);
    const uint4 b = state->output;
    switch (state->STATE) {
        case 1: return make_uint4(a.y, a.z, a.w, b.x);
        case 2: return make_uint4(a.z, a.w, b.x, b.y);
        case 3: return make_uint4(a.w, b.x, b.y, b.z);
        default: return a;
    }
}

// (0, 1]: 2^-32 as a float, and half of it.
__device__ inline float __to_uniform(unsigned x) { return x * 2.3283064e-10f + (2.3283064e-10f / 2.0f); }

__device__ inline double __to_uniform_double(unsigned x, unsigned y) {
    const unsigned long long bits = (unsigned long long)x ^ (unsigned long long)y << (53 - 32);
    return bits * 1.1102230246251565e-16 + (1.1102230246251565e-16 / 2.0);
}

template <typename State> __device__ float curand_uniform(State *state) { return __to_uniform(curand(state)); }

__device__ inline double curand_uniform_double(curandStateXORWOW_t *state) {
    const unsigned x = curand(state);
    const unsigned y = curand(state);
    return __to_uniform_double(x, y);
}

__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return make_double2(__to_uniform_double(x.x, x.y), __to_uniform_double(x.z, x.w));
}

__device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
    return curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}

__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return make_float4(__to_uniform(x.x), __to_uniform(x.y), __to_uniform(x.z), __to_uniform(x.w));
}

// The Box-Muller transform of two uniform numbers to two normal numbers.
__device__ inline float2 __to_normal(unsigned x, unsigned y) {
    const float u = x * 2.3283064e-10f + (2.3283064e-10f / 2);
    const float v = y * (2.3283064e-10f * 6.2831855f) + ((2.3283064e-10f * 6.2831855f) / 2);
    const float s = sqrtf(-2.0f * logf(u));
    float2 result;
    __sincosf(v, &result.x, &result.y);
    result.x *= s;
    result.y *= s;
    return result;
}

__device__ inline double2 __to_normal_double(uint4 x) {
    const double u = __to_uniform_double(x.x, x.y);
    const unsigned long long bits = (unsigned long long)x.z ^ (unsigned long long)x.w << (53 - 32);
    const double v = bits * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
    const double s = sqrt(-2.0 * log(u));
    double2 result;
    sincospi(v, &result.x, &result.y);
    result.x *= s;
    result.y *= s;
    return result;
}

template <typename State> __device__ float2 curand_normal2(State *state) {
    const unsigned x = curand(state);
    const unsigned y = curand(state);
    return __to_normal(x, y);
}

__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    const float2 a = __to_normal(x.x, x.y);
    const float2 b = __to_normal(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

__device__ inline double2 curand_normal2_double(curandStateXORWOW_t *state) {
    uint4 x;
    x.x = curand(state);
    x.y = curand(state);
    x.z = curand(state);
    x.w = curand(state);
    return __to_normal_double(x);
}

__device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
    return __to_normal_double(curand4(state));
}

// Numbers are generated in pairs; the second number is kept for the next call.
template <typename State> __device__ float curand_normal(State *state) {
    if (state->__has_normal) {
        state->__has_normal = 0;
        return state->__normal;
    }
    const float2 pair = curand_normal2(state);
    state->__normal = pair.y;
    state->__has_normal = 1;
    return pair.x;
}

template <typename State> __device__ double curand_normal_double(State *state) {
    if (state->__has_normal_double) {
        state->__has_normal_double = 0;
        return state->__normal_double;
    }
    const double2 pair = curand_normal2_double(state);
    state->__normal_double = pair.y;
    state->__has_normal_double = 1;
    return pair.x;
}

template <typename State> __device__ float curand_log_normal(State *state, float mean, float stddev) {
    return expf(mean + stddev * curand_normal(state));
}

template <typename State> __device__ double curand_log_normal_double(State *state, double mean, double stddev) {
    return exp(mean + stddev * curand_normal_double(state));
}
