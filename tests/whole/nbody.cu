// Bodies that attract each other: an array of structs, parameters in a struct by value, and two kernels a time step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct Body {
  float3 pos;
  float mass;
  float3 vel;
  int id;
};

struct Params {
  int num_bodies;
  float dt;
  float softening;
  double gravity;
};

__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator*(float s, float3 v) { return make_float3(s * v.x, s * v.y, s * v.z); }

__global__ void accelerate(Body *bodies, Params p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.num_bodies) return;
  const float3 me = bodies[i].pos;
  float3 force = {0.0f, 0.0f, 0.0f};
  for (int j = 0; j < p.num_bodies; ++j) {
    const float3 other = bodies[j].pos;
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float r2 = dx * dx + dy * dy + dz * dz + p.softening;
    const float inv = 1.0f / (r2 * sqrtf(r2));
    force = force + (bodies[j].mass * inv) * make_float3(dx, dy, dz);
  }
  const float g = (float)p.gravity * p.dt;
  bodies[i].vel = bodies[i].vel + g * force;
}

__global__ void move(Body *bodies, Params p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.num_bodies) bodies[i].pos = bodies[i].pos + p.dt * bodies[i].vel;
}

static float randomBetween(float low, float high) {
  return low + (high - low) * (rand() / (float)RAND_MAX);
}

int main(int argc, const char **argv) {
  Params params;
  params.num_bodies = 96;
  params.dt = 0.01f;
  params.softening = 1e-3f;
  params.gravity = 6.674e-2;
  int steps = 3;
  if (argc == 2) steps = atoi(argv[1]);

  Body *h_bodies = (Body *)calloc(params.num_bodies, sizeof(Body));
  srand(1);
  for (int i = 0; i < params.num_bodies; ++i) {
    Body &b = h_bodies[i];
    b.pos = make_float3(randomBetween(-1, 1), randomBetween(-1, 1), randomBetween(-1, 1));
    b.mass = 1.0f + i % 5;
    b.vel.x = b.vel.y = 0.0f;
    b.vel.z = i & 1 ? 0.125f : -0.125f;
    b.id = 1000 + i;
  }

  Body *d_bodies;
  const size_t bytes = sizeof(Body) * params.num_bodies;
  if (cudaMalloc(&d_bodies, bytes) != cudaSuccess) {
    fprintf(stderr, "out of memory\n");
    return 1;
  }
  cudaMemcpy(d_bodies, h_bodies, bytes, cudaMemcpyHostToDevice);

  const int threads = 32;
  const int blocks = (params.num_bodies + threads - 1) / threads;
  for (int s = 0; s < steps; ++s) {
    accelerate<<<blocks, threads>>>(d_bodies, params);
    move<<<blocks, threads>>>(d_bodies, params);
  }
  cudaMemcpy(h_bodies, d_bodies, bytes, cudaMemcpyDeviceToHost);

  double energy = 0;
  for (int i = 0; i < params.num_bodies; ++i) {
    const Body b = h_bodies[i];
    energy += 0.5 * b.mass * (b.vel.x * b.vel.x + b.vel.y * b.vel.y + b.vel.z * b.vel.z);
  }
  printf("%d bodies, kinetic energy %.6f\n", params.num_bodies, energy);
  cudaFree(d_bodies);
  free(h_bodies);
  return 0;
}
