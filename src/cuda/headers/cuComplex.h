// Complex numbers: the functions of CUDA's "cuComplex.h".

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

__device__ inline cuFloatComplex make_cuFloatComplex(float re, float im) { return make_float2(re, im); }
__device__ inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return make_double2(re, im); }
__device__ inline cuComplex make_cuComplex(float re, float im) { return make_float2(re, im); }
__device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
__device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_float2((float)z.x, (float)z.y);
}

#define __WS_COMPLEX(C, T, REAL, IMAG, CONJ, ADD, SUB, MUL, DIV, FMA, ABS, MAKE, FABS, SQRT) \
    __device__ inline T REAL(C z) { return z.x; } \
    __device__ inline T IMAG(C z) { return z.y; } \
    __device__ inline C CONJ(C z) { return MAKE(z.x, -z.y); } \
    __device__ inline C ADD(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); } \
    __device__ inline C SUB(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); } \
    __device__ inline C MUL(C a, C b) { return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
    /* Scaled by the magnitude of the divisor to avoid intermediate overflow. */ \
    __device__ inline C DIV(C a, C b) { \
        const T scale = 1 / (FABS(b.x) + FABS(b.y)); \
        const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
        const T whole = 1 / (bx * bx + by * by); \
        return MAKE((ax * bx + ay * by) * whole, (ay * bx - ax * by) * whole); \
    } \
    __device__ inline C FMA(C a, C b, C c) { \
        return MAKE((a.x * b.x + c.x) - a.y * b.y, (a.x * b.y + c.y) + a.y * b.x); \
    } \
    __device__ inline T ABS(C z) { \
        const T x = FABS(z.x), y = FABS(z.y); \
        const T large = x > y ? x : y, small = x > y ? y : x; \
        if (large == 0) return small; \
        const T ratio = small / large; \
        return large * SQRT(1 + ratio * ratio); \
    }
__WS_COMPLEX(cuFloatComplex, float, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCfmaf, cuCabsf,
             make_float2, fabsf, sqrtf)
__WS_COMPLEX(cuDoubleComplex, double, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv, cuCfma, cuCabs,
             make_double2, fabs, sqrt)
