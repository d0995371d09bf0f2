// Conway's game of life on a torus.
__global__ void life(const unsigned char *now, unsigned char *next, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0)
                alive += now[(y + dy + height) % height * width + (x + dx + width) % width] & 1;
    next[y * width + x] = alive == 3 || (alive == 2 && (now[y * width + x] & 1));
}

__constant__ float filter[25];

// A 5 x 5 convolution with its weights in constant memory and a halo in shared memory.
__global__ void convolve(const float *in, float *out, int width, int height)
{
    __shared__ float tile[12][20];
    int x0 = blockIdx.x * 16 - 2, y0 = blockIdx.y * 8 - 2;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 12 * 20; i += 128) {
        int x = x0 + i % 20, y = y0 + i / 20;
        tile[i / 20][i % 20] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 5; ++j)
#pragma unroll
        for (int i = 0; i < 5; ++i)
            sum += filter[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
    out[y * width + x] = sum;
}

// Heat flows to the four neighbours; double buffering in shared memory.
__global__ void heat(float *grid, int steps)
{
    __shared__ float t[2][18][18];
    int x = threadIdx.x, y = threadIdx.y;
    int cur = 0;
    for (int b = 0; b < 2; ++b)
        for (int j = y; j < 18; j += 16)
            for (int i = x; i < 18; i += 16)
                t[b][j][i] = 0.0f;
    __syncthreads();
    t[0][y + 1][x + 1] = grid[y * 16 + x];
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        float (*a)[18] = t[cur];
        float v = a[y + 1][x + 1];
        float around = a[y][x + 1] + a[y + 2][x + 1] + a[y + 1][x] + a[y + 1][x + 2];
        t[1 - cur][y + 1][x + 1] = v + 0.2f * (around - 4.0f * v);
        cur = 1 - cur;
        __syncthreads();
    }
    grid[y * 16 + x] = t[cur][y + 1][x + 1];
}

// Levenshtein distance of two words, one thread a pair; a row of the table in local memory.
__global__ void edit_distance(const char *a, const char *b, int *out, int len)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const char *p = a + i * len, *q = b + i * len;
    int row[17];
    for (int k = 0; k <= len; ++k)
        row[k] = k;
    for (int y = 1; y <= len; ++y) {
        int diagonal = row[0];
        row[0] = y;
        for (int x = 1; x <= len; ++x) {
            int cost = p[y - 1] == q[x - 1] ? 0 : 1;
            int best = min(min(row[x] + 1, row[x - 1] + 1), diagonal + cost);
            diagonal = row[x];
            row[x] = best;
        }
    }
    out[i] = row[len];
}

// Binary search of every key in a sorted table.
__global__ void search(const int *table, int n, const int *keys, int *where, int num)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num)
        return;
    int key = keys[i], lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (table[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    where[i] = lo < n && table[lo] == key ? lo : -1;
}
