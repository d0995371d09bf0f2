// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: types and functions of Thrust and of the standard library; values by a Python script
#include <thrust/complex.h>
#include <thrust/device_ptr.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/tuple.h>
#include <algorithm>
#include <array>
#include <tuple>
#include <cuda/std/utility>

struct pair {
    int only;
};

__device__ thrust::pair<int, int> both(int x) { return thrust::make_pair(x + 1, x * 2); }
__device__ std::tuple<int, int, unsigned> three(int x) { return std::make_tuple(x, -x, 7u); }

struct Later {
    __device__ bool operator()(const thrust::tuple<int, int> &x, const thrust::tuple<int, int> &y) const {
        return thrust::get<1>(x) == thrust::get<1>(y) ? thrust::get<0>(x) > thrust::get<0>(y)
                                                      : thrust::get<1>(x) > thrust::get<1>(y);
    }
};

__global__ void k(unsigned *out, const int *a, unsigned *g, int n, unsigned m) {
    const unsigned t = threadIdx.x;
    unsigned *o = out + t * 16;
    const int x = a[t];

    thrust::pair<int, int> p(x, n);
    o[0] = p.first + p.second * 3;
    int first, second, third;
    thrust::tie(first, second) = both(x);
    o[1] = first * 1000 + second;
    thrust::tuple<int, float, int> triple = thrust::make_tuple(x, 2.5f, n);
    thrust::get<2>(triple) += 4;
    o[2] = thrust::get<0>(triple) + (int)(thrust::get<1>(triple) * 4) + thrust::get<2>(triple) * 100;
    unsigned seven;
    std::tie(first, third, seven) = three(x);
    o[3] = first * 3 + third + seven;

    thrust::complex<float> z((float)x, 2.0f);
    z *= thrust::complex<float>(1.0f, -1.0f);
    z = 2.0f * z + 1.0f;
    o[4] = (int)z.real() * 1000 + (int)z.imag();
    o[5] = (int)thrust::norm(thrust::conj(z));

    thrust::default_random_engine engine(t * 3);
    o[6] = engine();
    engine.discard(t);
    o[7] = engine();
    thrust::uniform_int_distribution<int> dice(1, 6);
    o[8] = dice(engine);

    thrust::device_ptr<const int> elements(a);
    o[9] = elements[t + 1] + *(elements + 2) + thrust::raw_pointer_cast(elements)[3];
    thrust::maximum<int> larger;
    o[10] = larger(x, 30) + thrust::minus<int>()(x, n) * 2 + std::plus<>()(x, 1) * 100;
    o[11] = Later()(thrust::make_tuple(x, 1), thrust::make_tuple(5, 1));

    std::array<int, 4> items = {1, 2, 3, 4};
    items[t % 4] += x;
    int sum = 0;
    for (size_t idx = 0; idx < items.size(); idx++) sum = sum * 3 + items[idx];
    std::swap(items[0], items[3]);
    o[12] = sum;
    o[13] = items.front() * 100 + items.back();
    cuda::std::pair<int, float> q(x, 0.5f);
    o[14] = std::clamp(q.first, 0, 50) + (int)(q.second * 8);
    pair own;
    own.only = x;
    o[15] = own.only + (std::is_same<std::common_type<short, unsigned>::type, unsigned>::value ? 1000 : 0);
}
