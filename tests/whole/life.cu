// Conway's Game of Life on a torus, from a pattern in a string, for a number of generations.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  40
#define HEIGHT 24
#define CELLS  (WIDTH * HEIGHT)

static const char *glider =
    ".O."
    "..O"
    "OOO";

typedef struct {
    int width, height;
    unsigned char *front, *back;
} World;

__global__ void generation(const unsigned char *now, unsigned char *next, int width, int height, unsigned int *alive)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= width * height)
        return;
    int x = cell % width, y = cell / width;
    int left = (x + width - 1) % width, right = (x + 1) % width;
    int up = (y + height - 1) % height * width, down = (y + 1) % height * width, row = y * width;
    int around = now[up + left] + now[up + x] + now[up + right] + now[row + left] + now[row + right]
               + now[down + left] + now[down + x] + now[down + right];
    unsigned char lives = around == 3 || (around == 2 && now[cell]);
    next[cell] = lives;
    if (lives)
        atomicAdd(alive, 1);
}

static void place(unsigned char *cells, const char *pattern, int w, int at_x, int at_y)
{
    size_t length = strlen(pattern);
    for (size_t i = 0; i < length; i++) {
        int x = (at_x + i % w) % WIDTH, y = (at_y + i / w) % HEIGHT;
        if (pattern[i] == 'O')
            cells[y * WIDTH + x] = 1;
    }
}

int main(int argc, char *argv[])
{
    int generations = 4;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
            generations = atoi(argv[++i]);

    unsigned char host[CELLS];
    memset(host, 0, sizeof host);
    place(host, glider, 3, 2, 2);
    place(host, glider, 3, 38, 22);
    place(host, "OOO", 3, 20, 10);

    World world = { WIDTH, HEIGHT, NULL, NULL };
    unsigned int *d_alive, alive;
    cudaMalloc((void **)&world.front, CELLS);
    cudaMalloc((void **)&world.back, CELLS);
    cudaMalloc((void **)&d_alive, sizeof(unsigned int));
    cudaMemcpy(world.front, host, CELLS, cudaMemcpyHostToDevice);

    int threads = 192;
    while (generations-- > 0) {
        cudaMemset(d_alive, 0, sizeof(unsigned int));
        generation<<<(CELLS + threads - 1) / threads, threads>>>(world.front, world.back, world.width, world.height, d_alive);
        cudaMemcpy(&alive, d_alive, sizeof(unsigned int), cudaMemcpyDeviceToHost);
        unsigned char *swap = world.front;
        world.front = world.back;
        world.back = swap;
    }
    cudaMemcpy(host, world.front, CELLS, cudaMemcpyDeviceToHost);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            putchar(host[y * WIDTH + x] ? 'O' : '.');
        putchar('\n');
    }
    cudaFree(world.front);
    cudaFree(world.back);
    cudaFree(d_alive);
    return alive == 13 ? 0 : 1;
}
