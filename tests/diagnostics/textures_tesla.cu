// arch: g80
// A reference is all that the first generations have.
texture<float> values;
texture<int2> pairs;

__global__ void by_reference(float *out) { out[0] = tex1Dfetch(values, 1) + tex1Dfetch(pairs, 2).y; }
__global__ void by_object(float *out, cudaTextureObject_t object)
{
    out[0] = tex1Dfetch<float>(object, 1);
//~ 32 error: A texture object needs compute capability 3.0; Tesla G80 has 1.0.
    out[1] = tex1Dfetch<float>(values, 1);
}
__device__ float tex3D(float x) { return x; }
__global__ void own(float *out) { out[0] = tex3D(out[1]) + text(out[2]); }
//~ 60 error: The function `text` is not declared.
//~ note: Define it above, with `__device__`, or include the header that declares it.
