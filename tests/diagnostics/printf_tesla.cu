// arch: gt200
__global__ void old(int i)
{
    printf("%d\n", i);
    assert(i > 0);
}
