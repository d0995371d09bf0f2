//! The calls that a program makes.

use super::*;
use cuda::host::{HostValue, Platform, read_on};
use engine::streams::{CallKind, CopyEnd};

const STREAMS: &str = "
__global__ void add(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += n; }
int main() {
  const int n = 1 << 16, parts = 3;
  float *host, *device, *pageable = (float *)malloc(n * 4);
  cudaMallocHost(&host, n * sizeof(float));
  cudaMalloc(&device, n * sizeof(float));
  cudaStream_t streams[parts];
  for (int i = 0; i < parts; i++) cudaStreamCreate(&streams[i]);
  cudaStream_t free_stream;
  cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreate(&done);
  for (int i = 0; i < parts; i++) {
    cudaMemcpyAsync(device, host, n, cudaMemcpyHostToDevice, streams[i]);
    add<<<n / 256, 256, 0, streams[i]>>>(device, 1);
  }
  cudaEventRecord(done, streams[1]);
  cudaStreamWaitEvent(free_stream, done, 0);
  add<<<1, 32, 0, free_stream>>>(device, 2);
  cudaMemcpy(pageable, device, 64, cudaMemcpyDeviceToHost);
  cudaStreamSynchronize(streams[2]);
  cudaDeviceSynchronize();
}
";

#[test]
fn calls_have_their_streams_sizes_and_events() {
    let reading = reading(STREAMS);
    let names: Vec<&str> = reading.streams.iter().map(|stream| &*stream.name).collect();
    assert_eq!(
        names,
        ["", "streams[0]", "streams[1]", "streams[2]", "free_stream"]
    );
    assert!(reading.streams[4].is_non_blocking && !reading.streams[1].is_non_blocking);
    let calls: Vec<(u32, CallKind)> = reading
        .calls
        .iter()
        .map(|call| (call.stream, call.kind))
        .collect();
    let copy = |bytes, from, to, is_async| CallKind::Copy {
        bytes,
        from,
        to,
        is_async,
    };
    let down = copy(1 << 16, CopyEnd::Pinned, CopyEnd::Gpu(0), true);
    let expected = [
        (0, CallKind::Allocate),
        (0, CallKind::Allocate),
        (1, down),
        (1, CallKind::Launch(0)),
        (2, down),
        (2, CallKind::Launch(0)),
        (3, down),
        (3, CallKind::Launch(0)),
        (2, CallKind::Record(1)),
        (4, CallKind::StreamWait(1)),
        (4, CallKind::Launch(1)),
        (0, copy(64, CopyEnd::Gpu(0), CopyEnd::Pageable, false)),
        (3, CallKind::WaitStream),
        (0, CallKind::WaitDevice),
    ];
    assert_eq!(calls, expected, "{:?}", reading.calls);
    assert_eq!(reading.distinct.len(), 2);
    assert_eq!(reading.distinct[0].grid, Ok([256, 1, 1]));
    assert_eq!(reading.calls[2].line, 15);
}

#[test]
fn several_gpus_have_their_own_memory_and_peers() {
    let source = "
__global__ void k(float *x) { *x = 1; }
int main() {
  int num, can;
  cudaGetDeviceCount(&num);
  float *data[8];
  for (int i = 0; i < num; i++) {
    cudaSetDevice(i);
    cudaMalloc(&data[i], 1 << 20);
    k<<<1, 32>>>(data[i]);
  }
  cudaSetDevice(0);
  cudaDeviceCanAccessPeer(&can, 0, 1);
  if (can) cudaDeviceEnablePeerAccess(1, 0);
  cudaMemcpyPeerAsync(data[1], 1, data[0], 0, 1 << 20, 0);
  cudaSetDevice(7);
}
";
    let platform = |peers: u64| Platform {
        num_gpus: 2,
        peers: vec![peers, 1],
    };
    let calls = |peers: u64| read_on(source, ArchId::Gv100, LIMITS, &[], &platform(peers));
    let with = calls(2);
    let gpus: Vec<u8> = with.calls.iter().map(|call| call.gpu).collect();
    assert_eq!(gpus, [0, 0, 1, 1, 0, 0]);
    assert_eq!(with.calls[4].kind, CallKind::EnablePeer(1));
    let copy = CallKind::Copy {
        bytes: 1 << 20,
        from: CopyEnd::Gpu(0),
        to: CopyEnd::Gpu(1),
        is_async: true,
    };
    assert_eq!(with.calls[5].kind, copy);
    assert_eq!(calls(0).calls.len(), 5);
    let says = |text: &str| with.notes.iter().any(|note| note.text.contains(text));
    assert!(
        says("GPU 7 does not exist; the computer has 2"),
        "{:?}",
        with.notes
    );
}

/// The same launch with the memory of its own GPU and of another one: two kinds, with the GPU of each argument.
#[test]
fn launches_name_the_gpu_whose_memory_an_argument_points_to() {
    let source = "
__global__ void k(float *x) { *x = 1; }
int main() {
  float *own, *far, *shared;
  cudaSetDevice(1);
  cudaMalloc(&far, 256);
  cudaSetDevice(0);
  cudaMalloc(&own, 256);
  cudaMallocManaged(&shared, 256);
  k<<<1, 32>>>(own);
  k<<<1, 32>>>(far + 8);
  k<<<1, 32>>>(shared);
  cudaSetDevice(1);
  k<<<1, 32>>>(far);
}
";
    let platform = Platform {
        num_gpus: 2,
        peers: vec![2, 1],
    };
    let reading = read_on(source, ArchId::Gv100, LIMITS, &[], &platform);
    let kinds: Vec<CallKind> = (reading.calls.iter())
        .map(|call| call.kind)
        .filter(|kind| matches!(kind, CallKind::Launch(_)))
        .collect();
    assert_eq!(kinds, [0, 1, 0, 0].map(CallKind::Launch));
    let gpus: Vec<(u8, Option<u8>)> = (reading.distinct.iter())
        .map(|launch| match &launch.args[0].value {
            HostValue::Buffer(contents) => (launch.gpu, contents.gpu),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(gpus, [(0, Some(0)), (0, Some(1))]);
}

#[test]
fn launches_with_other_numbers_are_told_apart_and_long_loops_share_the_last_kind() {
    let source = "
__global__ void k(float *x, int n) { x[n] = 1; }
int main() {
  float *x;
  cudaMalloc(&x, 4096);
  for (int i = 0; i < 100; i++) k<<<1, 32>>>(x, i);
  for (int i = 0; i < 100; i++) k<<<2, 32>>>(x, 5);
}
";
    let reading = reading(source);
    assert_eq!(reading.calls.len(), 201);
    assert_eq!(reading.distinct.len(), 9);
    assert_eq!(reading.calls[100].kind, CallKind::Launch(7));
    assert_eq!(reading.calls[200].kind, CallKind::Launch(8));
}

/// The template arguments of launches as the compiler finds them: one instance can have several names.
#[test]
fn launches_name_instances_that_compile() {
    for (declared, launch, expected) in [
        (
            "namespace ns { struct Row { static constexpr int v = 1; }; } template <class T> __global__ void k(int *o) { *o = T::v; }",
            "k<ns::Row><<<1, 32>>>(o);",
            "k<ns::Row>",
        ),
        (
            "namespace ns { enum class Mode { A, B = 7 }; enum Old { X = 3 }; template <Mode M, Old O> __global__ void k(int *o) { *o = (int)M + O; } }",
            "ns::k<ns::Mode::B, ns::X><<<1, 32>>>(o);",
            "ns::k<7, 3>",
        ),
        (
            "struct Outer { struct Inner { static constexpr int v = 4; }; }; template <class T> __global__ void k(int *o) { *o = T::v; }",
            "k<Outer::Inner><<<1, 32>>>(o);",
            "k<Outer::Inner>",
        ),
        (
            "template <class T> struct Box { struct In { static constexpr int v = 9; }; }; template <class T> __global__ void k(int *o) { *o = T::v; }",
            "k<Box<int>::In><<<1, 32>>>(o);",
            "k<Box<int>::In>",
        ),
        (
            "template <class T> __global__ void k(T *o) { *o = T(3); }",
            "k<long long><<<1, 32>>>((long long *)o);",
            "k<long long>",
        ),
        (
            "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\ntemplate <class T> __global__ void k(T *o) { *o = T(3); }",
            "k<half><<<1, 32>>>((half *)o);",
            "k<half>",
        ),
        (
            "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\ntemplate <class T> __global__ void k(T *o) { *o = T(3); }",
            "k<nv_bfloat16><<<1, 32>>>((nv_bfloat16 *)o);",
            "k<__nv_bfloat16>",
        ),
        (
            "namespace ns { template <class T> struct Sub { __device__ T operator()(T a, T b) const { return a - b; } }; } template <class Op> __global__ void k(int *o, Op op) { *o = op(3, 1); }",
            "k<<<1, 32>>>(o, ns::Sub<int>());",
            "k<ns::Sub<int>>",
        ),
        (
            "__device__ int twice(int x) { return 2 * x; } template <int (*F)(int)> __global__ void k(int *o) { *o = F(3); }",
            "k<twice><<<1, 32>>>(o);",
            "k<twice>",
        ),
        (
            "namespace ns { __device__ int thrice(int x) { return 3 * x; } } template <class R, R (*F)(R)> __global__ void k(R *o) { *o = F(3); }",
            "k<int, &ns::thrice><<<1, 32>>>(o);",
            "k<int, ns::thrice>",
        ),
        (
            "template <int... N> __global__ void k(int *o) { int s = 0; ((s += N), ...); *o = s; }",
            "k<1, 2, 3><<<1, 32>>>(o);",
            "k<1, 2, 3>",
        ),
        (
            "template <class... T> struct list {}; template <class L> struct len; template <class... T> struct len<list<T...>> { static constexpr int v = sizeof...(T); }; template <class L> __global__ void k(int *o) { *o = len<L>::v; }",
            "k<list<int, float>><<<1, 32>>>(o);",
            "k<list<int, float>>",
        ),
        (
            "template <class T> struct V { static constexpr int v = 5; }; template <template <class> class C> __global__ void k(int *o) { *o = C<int>::v; }",
            "k<V><<<1, 32>>>(o);",
            "k<V>",
        ),
    ] {
        let source = format!("{declared}\nint main() {{ int *o; cudaMalloc(&o, 512); {launch} }}");
        let reading = reading(&source);
        assert_eq!(reading.launches.len(), 1, "{source}");
        let kernel = &reading.launches[0].kernel;
        let options = engine::isa::CompileOptions::default();
        let compiled = cuda::compile(&source, Some(kernel), engine::arch::ArchId::Gh100, &options);
        let compiled = compiled.unwrap_or_else(|errors| panic!("{source}: {kernel}: {errors:?}"));
        assert_eq!(compiled.program.name, expected, "{source}: {kernel}");
    }
}
