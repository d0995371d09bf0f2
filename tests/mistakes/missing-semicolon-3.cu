// --arch tu102 --block 64 --args inout:f32*64:iota
struct Body {
    float mass, speed;
} // mistake

__global__ void accelerate(float *speeds)
{
    Body body = {2.0f, speeds[threadIdx.x]};
    speeds[threadIdx.x] = body.speed + 1.0f / body.mass;
}
