// CUB: all that kernels use of it. NVIDIA CCCL documentation, "CUB".

#include "cub/block_scan.h"
#include "cub/block_data.h"
#include "cub/block_sort.h"
