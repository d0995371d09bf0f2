// A tile of the matrix goes through shared memory, so that global
// memory is read and written along rows. Look at Banks: the column
// read in line 23 asks one bank for 32 words. Write [TILE][TILE + 1]
// in line 12 and the conflict is gone.
#define TILE 32
#define ROWS 8

__global__ void transpose_tiled(float *out, const float *in,
                                int width, int height)
{
    // one row of the tile is 32 words: one word in each bank
    __shared__ float tile[TILE][TILE];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
