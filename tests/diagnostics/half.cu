// What half does not do, and what an architecture lacks.
#include <cuda_fp16.h>
__global__ void mixes(half *h, float f, int i)
{
    h[0] = h[1] + f;
//~ 12 error: More than one operator `+` matches the operand types `half` and `float`.
//~ note: Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half precision.
    h[0] = h[1] * i;
//~ 12 error: More than one operator `*` matches the operand types `half` and `int`.
//~ note: Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half precision.
    bool less = h[1] < 0.0f;
//~ 17 error: More than one operator `<` matches the operand types `half` and `float`.
//~ note: Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half precision.
    f += h[0];
//~ 5 error: More than one operator `+` matches the operand types `float` and `half`.
//~ note: Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half precision.
    h[2] = i ? h[0] : f;
//~ 12 error: More than one operator `?:` matches the operand types `half` and `float`.
//~ note: Convert one operand: `float(…)` to compute in single precision, or `half(…)` to compute in half precision.
    h[0] = h[1] % h[2];
//~ 12 error: No operator `%` matches the operand types `half` and `half`. Use `fmodf` for floating-point numbers.
}
__global__ void converts(half *h, float f, int i)
{
    h[0] += f;
    h[1] = i;
    f = h[1] + half(f);
    double d = h[2];
    h[3] = d * f;
}
