// The device interface of cuRAND: cuRAND Library Documentation, "Device API". Generators: XORWOW (Marsaglia, "Xorshift
// RNGs", 2003), Philox4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011), and Sobol sequences
// in the order of the Gray code (Bratley and Fox, "Algorithm 659", 1988), whose direction vectors are an argument.

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

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

// `i` is the position in the sequence, `x` the number there, and `c` the scrambling constant, which is number 0.
typedef struct curandStateSobol32 {
    unsigned i, x, c;
    unsigned direction_vectors[32];
} curandStateSobol32_t;

typedef struct curandStateScrambledSobol32 {
    unsigned i, x, c;
    unsigned direction_vectors[32];
} curandStateScrambledSobol32_t;

typedef struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
} curandStateSobol64_t;

typedef struct curandStateScrambledSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
} curandStateScrambledSobol64_t;

// Each bit of the Gray code of the position selects a direction vector.
template <typename State, typename Word> __device__ void __sobol_skip(State *state, Word num) {
    state->i += num;
    const Word gray = state->i ^ state->i >> 1;
    Word x = state->c;
    for (int bit = 0; bit < 8 * (int)sizeof(Word); bit++) {
        if (gray >> bit & 1) x ^= state->direction_vectors[bit];
    }
    state->x = x;
}

template <typename State, typename Word>
__device__ void __sobol_init(State *state, const Word *vectors, Word scramble, Word offset) {
    for (int bit = 0; bit < 8 * (int)sizeof(Word); bit++) state->direction_vectors[bit] = vectors[bit];
    state->i = 0;
    state->c = scramble;
    __sobol_skip<State, Word>(state, offset);
}

// From one position to the next, the Gray code changes in the bit that is the lowest zero of the position.
template <typename State> __device__ unsigned __sobol_next32(State *state) {
    const unsigned x = state->x;
    state->x = x ^ state->direction_vectors[__ffs(~state->i) - 1 & 31];
    state->i++;
    return x;
}

template <typename State> __device__ unsigned long long __sobol_next64(State *state) {
    const unsigned long long x = state->x;
    state->x = x ^ state->direction_vectors[__ffsll(~state->i) - 1 & 63];
    state->i++;
    return x;
}

__device__ inline void curand_init(curandDirectionVectors32_t direction_vectors,
                                   unsigned offset, curandStateSobol32_t *state) {
    __sobol_init<curandStateSobol32_t, unsigned>(state, direction_vectors, 0, offset);
}

__device__ inline unsigned curand(curandStateSobol32_t *state) { return __sobol_next32(state); }

__device__ inline void skipahead(unsigned num, curandStateSobol32_t *state) {
    __sobol_skip<curandStateSobol32_t, unsigned>(state, num);
}

__device__ inline void curand_init(curandDirectionVectors32_t direction_vectors, unsigned scramble_c,
                                   unsigned offset, curandStateScrambledSobol32_t *state) {
    __sobol_init<curandStateScrambledSobol32_t, unsigned>(state, direction_vectors, scramble_c, offset);
}

__device__ inline unsigned curand(curandStateScrambledSobol32_t *state) { return __sobol_next32(state); }

__device__ inline void skipahead(unsigned num, curandStateScrambledSobol32_t *state) {
    __sobol_skip<curandStateScrambledSobol32_t, unsigned>(state, num);
}

__device__ inline void curand_init(curandDirectionVectors64_t direction_vectors,
                                   unsigned long long offset, curandStateSobol64_t *state) {
    __sobol_init<curandStateSobol64_t, unsigned long long>(state, direction_vectors, 0, offset);
}

__device__ inline unsigned long long curand(curandStateSobol64_t *state) { return __sobol_next64(state); }

__device__ inline void skipahead(unsigned long long num, curandStateSobol64_t *state) {
    __sobol_skip<curandStateSobol64_t, unsigned long long>(state, num);
}

__device__ inline void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long scramble_c,
                                   unsigned long long offset, curandStateScrambledSobol64_t *state) {
    __sobol_init<curandStateScrambledSobol64_t, unsigned long long>(state, direction_vectors, scramble_c, offset);
}

__device__ inline unsigned long long curand(curandStateScrambledSobol64_t *state) { return __sobol_next64(state); }

__device__ inline void skipahead(unsigned long long num, curandStateScrambledSobol64_t *state) {
    __sobol_skip<curandStateScrambledSobol64_t, unsigned long long>(state, num);
}

// (0, 1]: 2^-32 as a float, and half of it.
__device__ inline float __to_uniform(unsigned x) { return x * 2.3283064e-10f + (2.3283064e-10f / 2.0f); }

__device__ inline float __to_uniform(unsigned long long x) { return __to_uniform((unsigned)(x >> 32)); }

__device__ inline double __to_uniform_double(unsigned x) {
    return x * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}

__device__ inline double __to_uniform_double(unsigned long long x) {
    return (x >> 11) * 1.1102230246251565e-16 + (1.1102230246251565e-16 / 2.0);
}

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
    return __to_uniform_double(curand(state));
}

__device__ inline double curand_uniform_double(curandStateSobol32_t *state) {
    return __to_uniform_double(curand(state));
}

__device__ inline double curand_uniform_double(curandStateScrambledSobol32_t *state) {
    return __to_uniform_double(curand(state));
}

__device__ inline double curand_uniform_double(curandStateSobol64_t *state) {
    return __to_uniform_double(curand(state));
}

__device__ inline double curand_uniform_double(curandStateScrambledSobol64_t *state) {
    return __to_uniform_double(curand(state));
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

template <typename State> __device__ float2 __normal2(State *state) {
    const unsigned x = curand(state);
    const unsigned y = curand(state);
    return __to_normal(x, y);
}

__device__ inline float2 curand_normal2(curandStateXORWOW_t *state) { return __normal2(state); }

__device__ inline float2 curand_normal2(curandStatePhilox4_32_10_t *state) { return __normal2(state); }

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

// Numbers are generated in pairs; the second number is kept for the next call of the same function: 1 for a normal
// number, 2 for a log-normal one.
template <typename State> __device__ float curand_normal(State *state) {
    if (state->__has_normal == 1) {
        state->__has_normal = 0;
        return state->__normal;
    }
    const float2 pair = curand_normal2(state);
    state->__normal = pair.y;
    state->__has_normal = 1;
    return pair.x;
}

template <typename State> __device__ double curand_normal_double(State *state) {
    if (state->__has_normal_double == 1) {
        state->__has_normal_double = 0;
        return state->__normal_double;
    }
    const double2 pair = curand_normal2_double(state);
    state->__normal_double = pair.y;
    state->__has_normal_double = 1;
    return pair.x;
}

// Sobol sequences have one number for each normal number: the inverse of the normal distribution. The upper half of the
// numbers is mirrored to the lower half, which has more distinct floats.
__device__ inline float __inverse_normal(unsigned x) {
    const bool is_upper = x > 0x80000000u;
    const float p = __to_uniform(is_upper ? 0xffffffffu - x : x);
    const float y = 1.4142135f * erfcinvf(2.0f * p);
    return is_upper ? y : -y;
}

__device__ inline float __inverse_normal(unsigned long long x) { return __inverse_normal((unsigned)(x >> 32)); }

__device__ inline double __inverse_normal_double(unsigned x) {
    const bool is_upper = x > 0x80000000u;
    const double p = (is_upper ? 0xffffffffu - x : x) * 2.3283064365386963e-10 + (2.3283064365386963e-10 / 2.0);
    const double y = 1.4142135623730951 * erfcinv(2.0 * p);
    return is_upper ? y : -y;
}

__device__ inline double __inverse_normal_double(unsigned long long x) {
    const unsigned long long high = x >> 11;
    const bool is_upper = high > 0x10000000000000ull;
    const unsigned long long lower = is_upper ? 0x1fffffffffffffull - high : high;
    const double p = lower * 1.1102230246251565e-16 + (1.1102230246251565e-16 / 2.0);
    const double y = 1.4142135623730951 * erfcinv(2.0 * p);
    return is_upper ? y : -y;
}

__device__ inline float curand_normal(curandStateSobol32_t *state) { return __inverse_normal(curand(state)); }

__device__ inline float curand_normal(curandStateScrambledSobol32_t *state) { return __inverse_normal(curand(state)); }

__device__ inline float curand_normal(curandStateSobol64_t *state) { return __inverse_normal(curand(state)); }

__device__ inline float curand_normal(curandStateScrambledSobol64_t *state) { return __inverse_normal(curand(state)); }

__device__ inline double curand_normal_double(curandStateSobol32_t *state) {
    return __inverse_normal_double(curand(state));
}

__device__ inline double curand_normal_double(curandStateScrambledSobol32_t *state) {
    return __inverse_normal_double(curand(state));
}

__device__ inline double curand_normal_double(curandStateSobol64_t *state) {
    return __inverse_normal_double(curand(state));
}

__device__ inline double curand_normal_double(curandStateScrambledSobol64_t *state) {
    return __inverse_normal_double(curand(state));
}

template <typename State> __device__ float2 __log_normal2(State *state, float mean, float stddev) {
    const float2 pair = curand_normal2(state);
    return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));
}

template <typename State> __device__ double2 __log_normal2_double(State *state, double mean, double stddev) {
    const double2 pair = curand_normal2_double(state);
    return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));
}

template <typename State> __device__ float __log_normal(State *state, float mean, float stddev) {
    if (state->__has_normal == 2) {
        state->__has_normal = 0;
        return state->__normal;
    }
    const float2 pair = __log_normal2(state, mean, stddev);
    state->__normal = pair.y;
    state->__has_normal = 2;
    return pair.x;
}

template <typename State> __device__ double __log_normal_double(State *state, double mean, double stddev) {
    if (state->__has_normal_double == 2) {
        state->__has_normal_double = 0;
        return state->__normal_double;
    }
    const double2 pair = __log_normal2_double(state, mean, stddev);
    state->__normal_double = pair.y;
    state->__has_normal_double = 2;
    return pair.x;
}

__device__ inline float curand_log_normal(curandStateXORWOW_t *state, float mean, float stddev) {
    return __log_normal(state, mean, stddev);
}

__device__ inline double curand_log_normal_double(curandStateXORWOW_t *state, double mean, double stddev) {
    return __log_normal_double(state, mean, stddev);
}

__device__ inline float2 curand_log_normal2(curandStateXORWOW_t *state, float mean, float stddev) {
    return __log_normal2(state, mean, stddev);
}

__device__ inline double2 curand_log_normal2_double(curandStateXORWOW_t *state, double mean, double stddev) {
    return __log_normal2_double(state, mean, stddev);
}

__device__ inline float curand_log_normal(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
    return __log_normal(state, mean, stddev);
}

__device__ inline double curand_log_normal_double(curandStatePhilox4_32_10_t *state, double mean, double stddev) {
    return __log_normal_double(state, mean, stddev);
}

__device__ inline float2 curand_log_normal2(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
    return __log_normal2(state, mean, stddev);
}

__device__ inline double2 curand_log_normal2_double(curandStatePhilox4_32_10_t *state, double mean, double stddev) {
    return __log_normal2_double(state, mean, stddev);
}

__device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
    const float4 x = curand_normal4(state);
    return make_float4(expf(mean + stddev * x.x), expf(mean + stddev * x.y), expf(mean + stddev * x.z),
                       expf(mean + stddev * x.w));
}

// The states of Sobol sequences keep no number.
template <typename State> __device__ float curand_log_normal(State *state, float mean, float stddev) {
    return expf(mean + stddev * curand_normal(state));
}

template <typename State> __device__ double curand_log_normal_double(State *state, double mean, double stddev) {
    return exp(mean + stddev * curand_normal_double(state));
}
