#include <cooperative_groups/reduce.h>
