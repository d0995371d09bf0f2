// Libraries of CUDA of which parts are there.
#include <thrust/device_vector.h>
#include <thrust/tuple.h>

struct Host {
    thrust::host_vector<float> values;
};
__global__ void has_container(int *a)
{
    thrust::device_vector<int> v;
//~ 5 error: Containers and device-wide algorithms of Thrust and CUB are not supported yet.
    a[0] = 1;
}
__global__ void has_type_of_container(int *a)
{
    typedef thrust::device_vector<int> Vector;
//~ 13 error: Containers and device-wide algorithms of Thrust and CUB are not supported yet.
    a[0] = 1;
}
__global__ void sorts(int *a)
{
    thrust::sort(a, a + 4);
//~ 5 error: The function `thrust::sort` is not declared.
//~ note: Define it above, with `__device__`, or include the header that declares it.
}
__global__ void has_no_header(int *a)
{
    typedef cub::BlockReduce<int, 32> Reduce;
//~ 13 error: Names of Thrust and CUB without their headers are not supported yet.
    a[0] = cub::LaneId();
//~ 12 error: Names of Thrust and CUB without their headers are not supported yet.
}
__global__ void fine(int *a)
{
    thrust::tuple<int, int> t(a[0], 1);
    a[0] = thrust::get<0>(t);
}
