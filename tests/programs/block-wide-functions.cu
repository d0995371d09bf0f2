// grid 1 block 64 n 3 m 9 a -3 50 11 49 58 39 -1 -3 5 49 15 -36 -37 42 5 0 20 18 41 -37 -48 -3 -22 -42 -49 8 43 53 28 21 -55 16 -10 -3 23 34 18 23 -40 19 -59 46 7 -52 -53 -56 -36 52 -30 16 -57 39 -1 -19 -4 15 47 -35 6 -31 21 -23 3 -60
// gk110 gp104 tu102 gh100
// by hand: functions of CUB for warps and blocks; values by a Python script
#include <cub/cub.cuh>

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};

__global__ void k(unsigned *out, const int *a, unsigned *g, int n, unsigned m) {
    const unsigned t = threadIdx.x;
    unsigned *o = out + t * 16;
    const int x = a[t];

    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ typename Reduce::TempStorage reduced;
    const int sum = Reduce(reduced).Sum(x);
    o[0] = t == 0 ? sum : 0;

    using Rake = cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING>;
    __shared__ typename Rake::TempStorage raked;
    const int largest = Rake(raked).Reduce(x, Larger());
    o[1] = t == 0 ? largest : 0;

    typedef cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY> Mixed;
    __shared__ Mixed::TempStorage mixed;
    int pair[2] = {x, (int)t};
    const int all = Mixed(mixed).Sum(pair);
    __syncthreads();
    const int some = Reduce(reduced).Reduce(x, cub::Min(), 40 + n);
    o[2] = t == 0 ? all * 1000 + some : 0;

    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage scanned;
    int before, total;
    Scan(scanned).ExclusiveSum(x, before, total);
    o[3] = before;
    o[4] = total;

    typedef cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS> Warps;
    __shared__ Warps::TempStorage by_warps;
    int through;
    Warps(by_warps).InclusiveScan(x, through, Larger());
    o[5] = through;

    int items[2] = {x, x * x};
    __syncthreads();
    Scan(scanned).ExclusiveSum(items, items);
    o[6] = items[0];
    o[7] = items[1];

    typedef cub::WarpScan<int> Warp;
    __shared__ Warp::TempStorage none[2];
    int in_warp;
    Warp(none[t / 32]).ExclusiveSum(x, in_warp);
    o[8] = in_warp;

    typedef cub::WarpReduce<int> Segments;
    __shared__ Segments::TempStorage no_more[2];
    const int is_head = t % 5 == 0;
    const int of_segment = Segments(no_more[t / 32]).HeadSegmentedSum(x, is_head);
    o[9] = is_head || t % 32 == 0 ? of_segment : 0;

    typedef cub::BlockRadixSort<int, 64, 1, unsigned> Sort;
    __shared__ Sort::TempStorage sorted;
    int keys[1] = {x};
    unsigned values[1] = {t};
    Sort(sorted).SortDescending(keys, values);
    o[10] = keys[0];
    o[11] = values[0];

    typedef cub::BlockExchange<int, 64, 2> Exchange;
    __shared__ Exchange::TempStorage exchanged;
    int moved[2] = {x, -x};
    Exchange(exchanged).StripedToBlocked(moved);
    o[12] = moved[0] * 1000 + moved[1];

    typedef cub::BlockAdjacentDifference<int, 64> Difference;
    __shared__ Difference::TempStorage compared;
    int one[1] = {x}, differences[1];
    Difference(compared).SubtractLeft(one, differences, Minus());
    o[13] = differences[0];

    typedef cub::BlockDiscontinuity<int, 64> Borders;
    __shared__ Borders::TempStorage marked;
    int signs[1] = {x < 0}, heads[1], tails[1];
    Borders(marked).FlagHeadsAndTails(heads, tails, signs, cub::Inequality());
    o[14] = heads[0] + tails[0] * 2;

    typedef cub::BlockHistogram<unsigned char, 64, 1, 16> Histogram;
    __shared__ Histogram::TempStorage counted;
    __shared__ unsigned bins[16];
    unsigned char low[1] = {(unsigned char)(x & 15)};
    Histogram(counted).Histogram(low, bins);
    __syncthreads();
    o[15] = bins[t % 16];
}
