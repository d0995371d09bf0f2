// A sparse matrix in rows (CSR) times a vector.
__global__ void spmv(int numRows, const int *rowOffsets, const int *columns, const float *values, const float *x, float *y)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < numRows) {
    float sum = 0.0f;
    int end = rowOffsets[row + 1];
    for (int at = rowOffsets[row]; at < end; at++)
      sum += values[at] * x[columns[at]];
    y[row] = sum;
  }
}
