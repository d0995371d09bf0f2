#include "../src/ops.cuh"
#define OFFSET 0.5f
