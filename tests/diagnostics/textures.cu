// Textures: what there is of them, and what is left out.
typedef unsigned char byte;
typedef texture<float, 1> Values;
//~ 27 error: A typedef of a texture reference type is not supported; write the type where the texture is declared.
texture<float> values;
texture<int4, cudaTextureType1D, cudaReadModeElementType> quads;
texture<float, 2> image;
texture<float, cudaTextureType3D, cudaReadModeElementType> volume;
texture<byte, 1, cudaReadModeNormalizedFloat> pixels;
texture<byte, 1> bytes;
texture<float3, 1> triples;
//~ 9 error: Textures of `float3` are not supported yet.
texture<double> doubles;
//~ 9 error: Textures of `double` are not supported yet.
texture<float, 4> four;
//~ 16 error: Expected the number of dimensions, such as `2` or `cudaTextureType2D`, not `4`.
texture<float, 1, 7> wrong_mode;
//~ 19 error: Expected `cudaReadModeElementType` or `cudaReadModeNormalizedFloat`, not `7`.
using Numbers = texture<float, 1>;
//~ 7 error: A typedef of a texture reference type is not supported; write the type where the texture is declared.
texture<float, 1, cudaReadModeElementType, 1> too_many;
//~ 42 error: Expected `>` after the type of the texture or surface, not `,`.
texture<float 1> no_comma;
//~ 15 error: Expected `>` after the type of the texture or surface, not `1`.
texture<> of_nothing;
//~ 9 error: Expected a type, not `>`.
texture bare;
//~ 9 error: Expected `<` after `texture` or `surface`, not `bare`.
texture<float> *far;
//~ 17 error: A texture reference cannot be an array or a pointer.
texture<float> several[2];
//~ 16 error: A texture reference cannot be an array or a pointer.
texture<flaot> misspelt;
//~ 9 error: The type `flaot` is not declared; did you mean `float`?
texture<float> filled = 1.0f;
//~ 16 error: A texture reference has no initializer; the launch binds it to memory.
__device__ texture<float> on_device;
surface<void, 2> sheet;
cudaTextureObject_t of_host;

__global__ void as_parameter(texture<float> t, float *out) { out[0] = tex1Dfetch(t, 0); }
//~ 30 error: A texture or surface reference is declared outside functions; pass a `cudaTextureObject_t` or a `cudaSurfaceObject_t` to a function.

__global__ void in_function(float *out)
{
    texture<float> inside;
//~ 5 error: A texture or surface reference is declared outside functions; pass a `cudaTextureObject_t` or a `cudaSurfaceObject_t` to a function.
    out[0] = tex1Dfetch(inside, 0);
}

__global__ void fetches(float *out, const float *in, cudaTextureObject_t object, int4 *four)
{
    int i = threadIdx.x;
    out[i] = tex1Dfetch(values);
//~ 14 error: `tex1Dfetch` takes 2 arguments, not 1.
    out[i] = tex1Dfetch(values, i, 0);
//~ 14 error: `tex1Dfetch` takes 2 arguments, not 3.
    out[i] = tex1Dfetch();
//~ 14 error: `tex1Dfetch` takes 2 arguments, not 0.
    out[i] = tex1Dfetch(in, i);
//~ 25 error: `tex1Dfetch` takes a texture, not `const float *`; read through a pointer with `[…]`.
    out[i] = tex1Dfetch(i, values);
//~ 25 error: A texture object has no element type: write `tex1Dfetch<float>(…)`.
//~ 28 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    out[i] = tex1Dfetch(values, in);
//~ 33 error: A value of type `const float *` cannot be used as `int` as the element to fetch.
    out[i] = tex1Dfetch(quads, i);
//~ 14 error: A value of type `int4` cannot be used as `float` in this assignment.
    out[i] = tex1Dfetch(missing, i);
//~ 25 error: The variable `missing` is not declared.
//~ note: Declare it with its type before this line, or make it a parameter.
    out[i] = tex1Dfetch(image, i);
    out[i] = tex1Dfetch(object, i);
//~ 25 error: A texture object has no element type: write `tex1Dfetch<float>(…)`.
    out[i] = tex1Dfetch<byte>(object, i);
//~ 25 error: Textures of `unsigned char` are not supported yet.
    out[i] = tex1Dfetch<float3>(object, i);
//~ 25 error: Textures of `float3` are not supported yet.
    out[i] = tex1Dfetch<int4>(object, i);
//~ 14 error: A value of type `int4` cannot be used as `float` in this assignment.
    out[i] = tex1Dfetch<float>(in, i);
//~ 32 error: `tex1Dfetch` takes a texture, not `const float *`; read through a pointer with `[…]`.
    out[i] = tex1Dfetch<int>(values, i);
//~ 30 error: `values` is a texture of `float`, which cannot be fetched as `int`.
    out[i] = tex1Dfetch<float>(object);
//~ 14 error: `tex1Dfetch` takes 2 arguments, not 1.
    out[i] = tex1Dfetch<float>();
//~ 14 error: `tex1Dfetch` takes 2 arguments, not 0.
    out[i] = tex1Dfetch<flaot>(object, i);
//~ 25 error: The type `flaot` is not declared; did you mean `float`?
    out[i] = tex1Dfetch<float(object, i);
//~ 30 error: Expected `>` after the type that is fetched, not `(`.
    four[i] = tex1Dfetch<int4>(object, i);
    out[i] = tex1dfetch(values, i);
//~ 25 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
}

__global__ void filters(float *out, cudaTextureObject_t object)
{
    out[0] = tex1D(values, 0.5f);
    out[1] = tex2D(values, 0.5f, 0.5f);
//~ 20 error: `tex2D` does not match the dimensions of this texture, which is declared 1D.
    out[2] = tex3D(volume, 0.5f, 0.5f, 0.5f);
    out[3] = tex1D<float>(object, 0.5f);
    out[4] = tex2D<float>(object, 0.5f, 0.5f);
    out[5] = tex3D<float4>(object, 0.5f, 0.5f, 0.5f).x;
    out[6] = tex2DLayered<float>(object, 0.5f, 0.5f, 1);
    out[7] = tex2Dgather<float4>(object, 0.5f, 0.5f).x;
    out[8] = tex2DLod<float>(object, 0.5f, 0.5f, 0.0f);
    surf2Dwrite(1.0f, object, 0, 0);
}

__global__ void writes(cudaTextureObject_t object, float *out)
{
    tex1Dfetch(values, 0) = 1.0f;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    tex1Dfetch<float>(object, 0) = 1.0f;
//~ 5 error: This expression must be a modifiable lvalue: a variable or memory.
    values = 0;
//~ 5 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    values[0] = 1.0f;
//~ 5 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    *values = 1.0f;
//~ 6 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    object = 0;
    object[0] = 1.0f;
//~ 5 error: `[]` needs an array or a pointer; this is `unsigned long long`.
    out[3] = *object;
//~ 14 error: `*` needs a pointer; this is `unsigned long long`.
    out[0] = values;
//~ 14 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    out[1] = values[0];
//~ 14 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    out[2] = object;
    const float *in = values;
//~ 23 error: `values` is a texture or surface, which only functions such as `tex2D` and `surf2Dread` access.
    float *to = &tex1Dfetch(values, 0);
//~ 18 error: The operand of `&` must be an lvalue: a variable or memory.
    unsigned long long handle = object;
}

__global__ void named_alike(float *texture, int tex2D) { texture[0] = texture[tex2D]; }
__global__ void forgets_the_type(float *out, texture t) { out[0] = 1.0f; }
//~ 54 error: Expected `<` after `texture` or `surface`, not `t`.
