// Conversions between all the number types.
__global__ void conversions(const float *f, const double *d, const int *v, float *fo, double *dd, int *io, long long *lo, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    fo[4 * i + 0] = (float)v[i];
    fo[4 * i + 1] = (float)d[i];
    fo[4 * i + 2] = (float)(unsigned char)(int)(f[i] * 100.0f);
    fo[4 * i + 3] = (float)((long long)v[i] * 12345678901ll);
    dd[2 * i + 0] = f[i];
    dd[2 * i + 1] = (double)(unsigned int)v[i] / 3.0;
    io[4 * i + 0] = (int)(f[i] * 1.0e6f);
    io[4 * i + 1] = __float2int_rn(f[i] * 10.0f);
    io[4 * i + 2] = (int)floorf(f[i] * 10.0f) + (int)ceilf(f[i] * 7.0f) * 100;
    io[4 * i + 3] = (int)(unsigned int)(d[i] * 1000.0);
    lo[2 * i + 0] = (long long)(d[i] * 1.0e12);
    lo[2 * i + 1] = (long long)truncf(f[i] * 50.0f) + llrint(d[i] * 4.0);
}

__global__ void min_max_abs(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i], y = b[i];
    out[6 * i + 0] = fminf(x, y);
    out[6 * i + 1] = fmaxf(x, -y);
    out[6 * i + 2] = fabsf(x) - fabsf(y);
    out[6 * i + 3] = x > y ? copysignf(x, y) : rintf(y * 8.0f);
    out[6 * i + 4] = fmaf(x, y, -x);
    out[6 * i + 5] = __saturatef(x + 0.5f);
}

// A few steps of a logistic map and of Newton's method in double precision.
__global__ void newton(const double *x, double *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], r = v > 1.0 ? v : 1.0;
    for (int k = 0; k < 8; ++k)
        r = 0.5 * (r + v / r);
    root[2 * i] = r;
    root[2 * i + 1] = sqrt(v) - r;
}

// Gravity of a few bodies: shared tiles, rsqrt.
__global__ void nbody(const float4 *body, float4 *acc, int n, float soft)
{
    __shared__ float4 tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = body[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float d2 = dx * dx + dy * dy + dz * dz + soft;
            float inv = rsqrtf(d2);
            float f = tile[k].w * inv * inv * inv;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0.0f);
}

// Softmax of rows, a block a row.
__global__ void softmax(const float *in, float *out, int cols)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    const float *row = in + blockIdx.x * cols;
    float top = -3.402823466e+38f;
    for (int c = t; c < cols; c += blockDim.x)
        top = fmaxf(top, row[c]);
    s[t] = top;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0.0f;
    for (int c = t; c < cols; c += blockDim.x)
        sum += expf(row[c] - top);
    s[t] = sum;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    for (int c = t; c < cols; c += blockDim.x)
        out[blockIdx.x * cols + c] = expf(row[c] - top) / s[0];
}
