#pragma once
#include "detail/inner.cuh"

__device__ float scaled(float x, float factor) {
    return inner(x) * factor;
}
