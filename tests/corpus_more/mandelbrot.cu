// Each thread iterates one point of the plane until it escapes: lanes leave the loop at different times.
__global__ void mandelbrot(unsigned char *image, int width, int height, float x0, float y0, float step, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = x0 + px * step, cy = y0 + py * step;
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (x * x + y * y < 4.0f && n < limit) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        ++n;
    }
    image[py * width + px] = (unsigned char)(n & 255);
}
