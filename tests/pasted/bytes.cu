// Turns lower-case letters into capitals, and counts them.
__global__ void capitals(const char *text, char *out, int *numLetters, int len)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < len) {
    char c = text[i];
    if (c >= 'a' && c <= 'z') {
      c -= 'a' - 'A';
      atomicAdd(numLetters, 1);
    }
    out[i] = c;
  }
}
