// Vector operators and functions of the CUDA samples: "Common/helper_math.h" of
// github.com/NVIDIA/cuda-samples.

#define HELPER_MATH_H
#define __WS_FN __device__ inline

#define __WS_EACH2(T, S, OP) \
    __WS_FN T##2 operator OP(T##2 a, T##2 b) { return make_##T##2(a.x OP b.x, a.y OP b.y); } \
    __WS_FN void operator OP##=(T##2 &a, T##2 b) { a.x OP##= b.x; a.y OP##= b.y; } \
    __WS_FN T##2 operator OP(T##2 a, S b) { return make_##T##2(a.x OP b, a.y OP b); } \
    __WS_FN T##2 operator OP(S a, T##2 b) { return make_##T##2(a OP b.x, a OP b.y); } \
    __WS_FN void operator OP##=(T##2 &a, S b) { a.x OP##= b; a.y OP##= b; }
#define __WS_EACH3(T, S, OP) \
    __WS_FN T##3 operator OP(T##3 a, T##3 b) { return make_##T##3(a.x OP b.x, a.y OP b.y, a.z OP b.z); } \
    __WS_FN void operator OP##=(T##3 &a, T##3 b) { a.x OP##= b.x; a.y OP##= b.y; a.z OP##= b.z; } \
    __WS_FN T##3 operator OP(T##3 a, S b) { return make_##T##3(a.x OP b, a.y OP b, a.z OP b); } \
    __WS_FN T##3 operator OP(S a, T##3 b) { return make_##T##3(a OP b.x, a OP b.y, a OP b.z); } \
    __WS_FN void operator OP##=(T##3 &a, S b) { a.x OP##= b; a.y OP##= b; a.z OP##= b; }
#define __WS_EACH4(T, S, OP) \
    __WS_FN T##4 operator OP(T##4 a, T##4 b) { \
        return make_##T##4(a.x OP b.x, a.y OP b.y, a.z OP b.z, a.w OP b.w); \
    } \
    __WS_FN void operator OP##=(T##4 &a, T##4 b) { a.x OP##= b.x; a.y OP##= b.y; a.z OP##= b.z; a.w OP##= b.w; } \
    __WS_FN T##4 operator OP(T##4 a, S b) { return make_##T##4(a.x OP b, a.y OP b, a.z OP b, a.w OP b); } \
    __WS_FN T##4 operator OP(S a, T##4 b) { return make_##T##4(a OP b.x, a OP b.y, a OP b.z, a OP b.w); } \
    __WS_FN void operator OP##=(T##4 &a, S b) { a.x OP##= b; a.y OP##= b; a.z OP##= b; a.w OP##= b; }

#define __WS_ARITHMETIC(T, S) \
    __WS_EACH2(T, S, +) __WS_EACH2(T, S, -) __WS_EACH2(T, S, *) \
    __WS_EACH3(T, S, +) __WS_EACH3(T, S, -) __WS_EACH3(T, S, *) \
    __WS_EACH4(T, S, +) __WS_EACH4(T, S, -) __WS_EACH4(T, S, *)
__WS_ARITHMETIC(float, float)
__WS_ARITHMETIC(int, int)
__WS_ARITHMETIC(uint, uint)
__WS_EACH2(float, float, /)
__WS_EACH3(float, float, /)
__WS_EACH4(float, float, /)

// Conversions: a scalar to all components, and between vector lengths.
#define __WS_MAKE(T, S) \
    __WS_FN T##2 make_##T##2(S s) { return make_##T##2(s, s); } \
    __WS_FN T##2 make_##T##2(T##3 a) { return make_##T##2(a.x, a.y); } \
    __WS_FN T##2 make_##T##2(T##4 a) { return make_##T##2(a.x, a.y); } \
    __WS_FN T##3 make_##T##3(S s) { return make_##T##3(s, s, s); } \
    __WS_FN T##3 make_##T##3(T##2 a) { return make_##T##3(a.x, a.y, S(0)); } \
    __WS_FN T##3 make_##T##3(T##2 a, S s) { return make_##T##3(a.x, a.y, s); } \
    __WS_FN T##3 make_##T##3(T##4 a) { return make_##T##3(a.x, a.y, a.z); } \
    __WS_FN T##4 make_##T##4(S s) { return make_##T##4(s, s, s, s); } \
    __WS_FN T##4 make_##T##4(T##3 a) { return make_##T##4(a.x, a.y, a.z, S(0)); } \
    __WS_FN T##4 make_##T##4(T##3 a, S w) { return make_##T##4(a.x, a.y, a.z, w); }
__WS_MAKE(float, float)
__WS_MAKE(int, int)
__WS_MAKE(uint, uint)

#define __WS_CONVERT(T, S, F) \
    __WS_FN T##2 make_##T##2(F##2 a) { return make_##T##2(S(a.x), S(a.y)); } \
    __WS_FN T##3 make_##T##3(F##3 a) { return make_##T##3(S(a.x), S(a.y), S(a.z)); } \
    __WS_FN T##4 make_##T##4(F##4 a) { return make_##T##4(S(a.x), S(a.y), S(a.z), S(a.w)); }
__WS_CONVERT(float, float, int)
__WS_CONVERT(float, float, uint)
__WS_CONVERT(int, int, float)
__WS_CONVERT(int, int, uint)
__WS_CONVERT(uint, uint, int)

#define __WS_NEGATE(T) \
    __WS_FN T##2 operator-(T##2 a) { return make_##T##2(-a.x, -a.y); } \
    __WS_FN T##3 operator-(T##3 a) { return make_##T##3(-a.x, -a.y, -a.z); } \
    __WS_FN T##4 operator-(T##4 a) { return make_##T##4(-a.x, -a.y, -a.z, -a.w); }
__WS_NEGATE(float)
__WS_NEGATE(int)

// Component-wise operations.
#define __WS_MAP(NAME, T, F) \
    __WS_FN T##2 NAME(T##2 a) { return make_##T##2(F(a.x), F(a.y)); } \
    __WS_FN T##3 NAME(T##3 a) { return make_##T##3(F(a.x), F(a.y), F(a.z)); } \
    __WS_FN T##4 NAME(T##4 a) { return make_##T##4(F(a.x), F(a.y), F(a.z), F(a.w)); }
#define __WS_ZIP(NAME, T, F) \
    __WS_FN T##2 NAME(T##2 a, T##2 b) { return make_##T##2(F(a.x, b.x), F(a.y, b.y)); } \
    __WS_FN T##3 NAME(T##3 a, T##3 b) { return make_##T##3(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z)); } \
    __WS_FN T##4 NAME(T##4 a, T##4 b) { return make_##T##4(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w)); }
__WS_FN float fracf(float v) { return v - floorf(v); }
__WS_MAP(floorf, float, floorf)
__WS_MAP(fracf, float, fracf)
__WS_MAP(fabs, float, fabsf)
__WS_MAP(abs, int, abs)
__WS_ZIP(fminf, float, fminf)
__WS_ZIP(fmaxf, float, fmaxf)
__WS_ZIP(fmodf, float, fmodf)
__WS_ZIP(min, int, min)
__WS_ZIP(max, int, max)
__WS_ZIP(min, uint, min)
__WS_ZIP(max, uint, max)

__WS_FN float lerp(float a, float b, float t) { return a + t * (b - a); }
__WS_FN float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
__WS_FN int clamp(int f, int a, int b) { return max(a, min(f, b)); }
__WS_FN uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }
__WS_FN float smoothstep(float a, float b, float x) {
    const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
__WS_FN float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__WS_FN float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__WS_FN float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__WS_FN int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
__WS_FN int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__WS_FN int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__WS_FN uint dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
__WS_FN uint dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__WS_FN uint dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__WS_FN float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__WS_FN float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }

#define __WS_LENGTH(V) \
    __WS_FN V lerp(V a, V b, float t) { return a + t * (b - a); } \
    __WS_FN float length(V v) { return sqrtf(dot(v, v)); } \
    __WS_FN V normalize(V v) { return v * rsqrtf(dot(v, v)); } \
    __WS_FN V clamp(V v, V a, V b) { return fmaxf(a, fminf(v, b)); } \
    __WS_FN V clamp(V v, float a, float b) { return clamp(v, make_##V(a), make_##V(b)); } \
    __WS_FN V smoothstep(V a, V b, V x) { \
        const V y = clamp((x - a) / (b - a), 0.0f, 1.0f); \
        return y * y * (make_##V(3.0f) - make_##V(2.0f) * y); \
    }
__WS_LENGTH(float2)
__WS_LENGTH(float3)
__WS_LENGTH(float4)
