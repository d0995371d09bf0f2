// CUB: the part that kernels use. NVIDIA CCCL documentation, "CUB".

#include "cub/block_scan.h"
#include "cub/block_data.h"
#include "cub/block_sort.h"
