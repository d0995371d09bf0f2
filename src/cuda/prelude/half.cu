// Functions on half.

// a / b from a single-precision estimate, as in nvcc 13. The estimate of a small quotient is corrected once, because
// the last bits of the estimate can decide how a subnormal half is rounded.
__device__ __ws_half __ws_half_div(__ws_half a, __ws_half b)
{
    float x = a, y = b;
    float inverse = __ws_mufu_rcp(y);
    float estimate = __fmul_rn(x, inverse);
    __ws_half quotient = estimate;
    unsigned int size = __ws_half_bits(quotient) & 0x7fffu;
    // Less than 2^-13 / 16 + 15 * 2^-24, and not 0.
    if (size < 0x8fu && size > 0u) {
        float rest = __fmaf_rn(-y, estimate, x);
        quotient = __fmaf_rn(inverse, rest, estimate);
    }
    return quotient;
}
// The division in single precision, which is accurate enough.
__device__ __ws_bfloat16 __ws_half_div(__ws_bfloat16 a, __ws_bfloat16 b) { return __fdividef(a, b); }
