// a linked list in managed memory: sum 6
struct Node { int value; Node *next; };
__global__ void sum(const Node *n, int *out) { int s = 0; for (; n; n = n->next) s += n->value; *out = s; }
int main() {
  Node *n; int *out; cudaMallocManaged(&n, 3 * sizeof(Node)); cudaMallocManaged(&out, 4);
  for (int i = 0; i < 3; i++) { n[i].value = i + 1; n[i].next = i < 2 ? n + i + 1 : nullptr; }
  sum<<<1, 1>>>(n, out);
  cudaDeviceSynchronize();
}
