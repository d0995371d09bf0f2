//! Launches extracted from small programs.

mod calls;
mod devices;
mod errors;
mod results;

use cuda::host::{Converted, HostLaunch, Limits, Reading, SharedPreference, read};
use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Pattern, Role};

const LIMITS: Limits = Limits {
    steps: 2_000_000,
    loop_steps: 1_000_000,
    bytes: 8 << 20,
    kernel_steps: 1_000_000,
};

fn reading(source: &str) -> Reading {
    read(source, ArchId::Tu102, LIMITS)
}

/// The converted launch; unknown values are 77.
fn converted(source: &str, launch: &HostLaunch) -> Converted {
    let options = CompileOptions::default();
    let compiled = cuda::compile(source, Some(&launch.kernel), ArchId::Tu102, &options);
    let program = compiled.expect("a kernel that compiles").program;
    let made_up = |_: &_, _: &_| Argument::Scalar {
        ty: ElemType::U32,
        bits: 77,
    };
    launch.convert(&program.params, &program.symbols, made_up)
}

/// The only launch of a program.
fn only(source: &str) -> Converted {
    let reading = reading(source);
    assert_eq!(reading.launches.len(), 1, "{:?}", reading.notes);
    converted(source, &reading.launches[0])
}

fn int(bits: u64) -> Argument {
    Argument::Scalar {
        ty: ElemType::I32,
        bits,
    }
}

fn floats(len: u32, fill: Fill, role: Role) -> Argument {
    Argument::Buffer {
        elem: ElemType::F32,
        len,
        fill,
        role,
        start: 0,
    }
}

const ADD: &str = "__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
";

/// Checks the launch of the three vector addition programs.
fn assert_adds(source: &str) {
    let converted = only(source);
    assert_eq!(converted.guesses, []);
    let launch = converted.launch;
    assert_eq!(
        (launch.grid, launch.block, launch.dynamic_shared),
        ([4, 1, 1], [256, 1, 1], 0)
    );
    let two_i = Fill {
        scale: Some(2.0),
        ..Fill::of(Pattern::Iota)
    };
    let one = Fill::of(Pattern::Const(1.5));
    assert_eq!(
        launch.args,
        [
            floats(1000, two_i, Role::In),
            floats(1000, one, Role::In),
            floats(1000, Fill::of(Pattern::Unset), Role::Out),
            int(1000),
        ]
    );
    assert_eq!(converted.read_back, [2]);
}

#[test]
fn a_c_style_program_is_evaluated() {
    assert_adds(&format!(
        "#include <stdio.h>
#define N 1000
#define THREADS 256
{ADD}
int main(int argc, char **argv) {{
  int n = argc > 1 ? atoi(argv[1]) : N;
  size_t bytes = n * sizeof(float);
  float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
  float *d_a, *d_b, *d_c;
  for (int i = 0; i < n; i++) {{ a[i] = 2.0f * i; b[i] = 1.5f; }}
  cudaMalloc((void **)&d_a, bytes);
  cudaMalloc((void **)&d_b, bytes);
  cudaMalloc((void **)&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  printf(\"%f\\n\", c[1]);
  free(a);
}}"
    ));
}

#[test]
fn a_program_with_vectors_and_templates_is_evaluated() {
    assert_adds(&format!(
        "#include <vector>
#include <iostream>
#include <algorithm>
{ADD}
template <typename T> class DeviceArray {{
  T *data_ = nullptr;
  size_t size_;
public:
  explicit DeviceArray(size_t size) : size_(size) {{ cudaMalloc(&data_, size * sizeof(T)); }}
  void upload(const std::vector<T> &from) {{ cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice); }}
  void download(std::vector<T> &to) {{ cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost); }}
  T *get() {{ return data_; }}
}};
template <typename T> T ceil_div(T a, T b) {{ return (a + b - 1) / b; }}
int main() {{
  constexpr int n = 1000;
  std::vector<float> a(n), b(n, 1.5f), c(n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(2 * i);
  DeviceArray<float> da(n), db(n), dc(n);
  da.upload(a);
  db.upload(b);
  const dim3 block(256), grid(ceil_div<int>(n, block.x));
  add<<<grid, block>>>(da.get(), db.get(), dc.get(), n);
  dc.download(c);
  std::cout << c[1] << std::endl;
}}"
    ));
}

#[test]
fn a_program_with_error_macros_is_evaluated() {
    assert_adds(&format!(
        "#include <stdio.h>
#define CHECK(call) do {{ cudaError_t e = (call); if (e != cudaSuccess) {{ \\
    fprintf(stderr, \"%s:%d %s\", __FILE__, __LINE__, cudaGetErrorString(e)); exit(EXIT_FAILURE); }} }} while (0)
{ADD}
void fill(float *p, int n, float step, float first) {{
  for (int i = 0; i < n; ++i) p[i] = first + step * i;
}}
int main(int argc, char *argv[]) {{
  int deviceCount;
  CHECK(cudaGetDeviceCount(&deviceCount));
  if (deviceCount == 0) {{ printf(\"no device\"); return 1; }}
  int n = 1000;
  float *h[3], *d[3];
  for (int k = 0; k < 3; k++) {{
    CHECK(cudaMallocHost(&h[k], n * sizeof(float)));
    CHECK(cudaMalloc(&d[k], n * sizeof(float)));
  }}
  fill(h[0], n, 2, 0);
  fill(h[1], n, 0, 1.5);
  for (int k = 0; k < 2; k++) CHECK(cudaMemcpy(d[k], h[k], n * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t start;
  CHECK(cudaEventCreate(&start));
  dim3 threads(256, 1, 1);
  dim3 blocks((n + threads.x - 1) / threads.x);
  add<<<blocks, threads, 0, 0>>>(d[0], d[1], d[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h[2], d[2], n * sizeof(float), cudaMemcpyDeviceToHost));
  return 0;
}}"
    ));
}

const SCALE: &str = "__global__ void scale(float *x, float by, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] *= by;
}
";

#[test]
fn random_numbers_match_glibc() {
    // The first numbers of `rand()` without a seed, and of `drand48()` after `srand48(1)`, in glibc 2.36.
    let source = "__global__ void k(int a, int b, int c, double d) {}
int main() { int a = rand(), b = rand(); srand(42); int c = rand(); srand48(1); k<<<1, 1>>>(a, b, c, drand48()); }";
    let converted = only(source);
    assert_eq!(
        converted.launch.args[..3],
        [int(1_804_289_383), int(846_930_886), int(71_876_166)]
    );
    let Argument::Scalar { bits, .. } = converted.launch.args[3] else {
        panic!("a number");
    };
    assert!((f64::from_bits(bits) - 0.041_630_344_771_878).abs() < 1e-12);
}

#[test]
fn an_exit_after_a_usage_message_does_not_stop_the_evaluation() {
    let source = format!(
        "{SCALE}
int main(int argc, char **argv) {{
  if (argc != 3) {{ printf(\"usage\"); exit(1); }}
  int n = atoi(argv[1]);
  float *d;
  cudaMalloc(&d, 64 * sizeof(float));
  cudaMemset(d, 0, 64 * sizeof(float));
  scale<<<2, 64>>>(d, 2.0f, n);
}}"
    );
    let reading = reading(&source);
    assert_eq!(reading.notes.len(), 1);
    let converted = converted(&source, &reading.launches[0]);
    assert_eq!(converted.launch.grid, [2, 1, 1]);
    assert_eq!(
        converted.launch.args[0],
        floats(64, Fill::of(Pattern::Zero), Role::InOut)
    );
    let guesses: Vec<(&str, &str)> = (converted.guesses.iter())
        .map(|guess| (guess.what.as_str(), guess.why.as_str()))
        .collect();
    assert_eq!(guesses, [("`n`", "it comes from the command line")]);
}

#[test]
fn unsupported_code_makes_everything_that_it_can_modify_unknown() {
    let source = format!(
        "{SCALE}
int main() {{
  float h[64]; int n = 64; float by = 3;
  for (int i = 0; i < 64; i++) h[i] = 1;
  load_from_disk(h, &n);
  float *d;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(d, by, n);
}}"
    );
    let converted = only(&source);
    let what: Vec<&str> = converted
        .guesses
        .iter()
        .map(|guess| guess.what.as_str())
        .collect();
    assert_eq!(what, ["contents of `d`", "`n`"]);
    assert_eq!(
        converted.guesses[0].why,
        "`load_from_disk` at line 9 is not evaluated"
    );
    assert_eq!(
        converted.launch.args[1],
        Argument::Scalar {
            ty: ElemType::F32,
            bits: 0x4040_0000
        }
    );
}

#[test]
fn both_branches_of_an_unknown_condition_are_followed() {
    let source = format!(
        "{SCALE}
int main() {{
  int a = 1, b = 2;
  if (getenv(\"FAST\")) {{ a = 5; }} else {{ a = 6; }}
  float *d;
  cudaMalloc(&d, 256);
  if (getenv(\"MORE\")) scale<<<1, 32>>>(d, b, b);
  scale<<<1, 64>>>(d, b, a);
}}"
    );
    let reading = reading(&source);
    assert_eq!(reading.launches.len(), 2);
    assert_eq!(reading.launches[0].condition, Some(11));
    let second = converted(&source, &reading.launches[1]);
    let what: Vec<&str> = second.guesses.iter().map(|guess| guess.what.as_str()).collect();
    assert_eq!(what, ["contents of `d`", "`n`"]);
}

#[test]
fn outputs_of_a_launch_that_does_not_run_are_unknown() {
    let source = format!(
        "{ADD}
int main() {{
  float *a, *b, *c;
  cudaMallocManaged(&a, 400); cudaMallocManaged(&b, 400); cudaMallocManaged(&c, 400);
  for (int i = 0; i < 100; i++) {{ a[i] = i; b[i] = 1; }}
  for (int round = 0; round < 50; round++) add<<<1, 100>>>(a, b, c, 100);
  cudaDeviceSynchronize();
  add<<<1, 100>>>(c, b, a, 100);
  return a[0];
}}"
    );
    let ran = converted(&source, &reading(&source).launches[4]);
    assert_eq!((ran.guesses, ran.read_back), (Vec::new(), vec![2]));
    let no_kernels = Limits {
        kernel_steps: 0,
        ..LIMITS
    };
    let reading = read(&source, ArchId::Tu102, no_kernels);
    assert_eq!((reading.launches.len(), reading.num_launches), (5, 51));
    assert_eq!(reading.launches[3].num_more, 46);
    assert_eq!(converted(&source, &reading.launches[0]).guesses, []);
    let last = converted(&source, &reading.launches[4]);
    let whys: Vec<&str> = last.guesses.iter().map(|guess| guess.why.as_str()).collect();
    assert_eq!(
        whys,
        ["it is a result of the launch at line 10, which is not run"]
    );
    assert_eq!(last.read_back, [2]);
}

#[test]
fn templates_constants_and_symbols_are_evaluated() {
    let source = "
__constant__ float weights[4];
template <typename T, int N> __global__ void blur(T *out, const T *in, dim3 size) { out[threadIdx.x] = in[threadIdx.x] * weights[N]; }
enum { WIDTH = 8, HEIGHT };
struct Image { int w, h; unsigned char *pixels; };
template <typename T> void start(T *out, T *in, int threads) { blur<T, 3><<<dim3(WIDTH, HEIGHT), threads, 2 * sizeof(T)>>>(out, in, dim3(1, 2)); }
int main() {
  float w[4] = {0.5f, 0.25f};
  cudaMemcpyToSymbol(weights, w, sizeof(w));
  double *in, *out;
  cudaMalloc(&in, 32 * sizeof(*in));
  cudaMalloc(&out, 32 * sizeof(*out));
  cudaMemset(in, 0, 32 * sizeof(double));
  start(out, in, 32);
}";
    let reading = reading(source);
    let launch = &reading.launches[0];
    assert_eq!(launch.kernel, "blur<double, 3>");
    let converted = converted(source, launch);
    assert_eq!(converted.guesses, []);
    let launch = converted.launch;
    assert_eq!(
        (launch.grid, launch.block, launch.dynamic_shared),
        ([8, 9, 1], [32, 1, 1], 16)
    );
    assert_eq!(
        launch.args[2],
        Argument::Bytes(vec![1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0])
    );
    assert_eq!(launch.symbols[0].symbol, "weights");
    assert_eq!(launch.symbols[0].fill, Fill::of(Pattern::List(vec![0.5, 0.25])));
}

#[test]
fn a_loop_beyond_the_step_limit_stops_with_a_note() {
    let source = format!(
        "{SCALE}
int main() {{
  int sum = 0, n = 7;
  for (long i = 0; i < 1000000000; i++) sum += i;
  float *d;
  cudaMalloc(&d, 256);
  scale<<<1, n>>>(d, 1, sum);
}}"
    );
    let converted = only(&source);
    assert_eq!(converted.launch.block, [7, 1, 1]);
    assert_eq!(converted.guesses.len(), 1);
    assert_eq!(
        converted.guesses[0].why,
        "the loop at line 8 takes more than 1000000 steps"
    );
}

#[test]
fn function_pointers_and_lambdas_are_called() {
    let source = format!(
        "{SCALE}
typedef void (*Kernel)(float *, float, int);
int main() {{
  std::vector<float> h(32);
  std::generate(h.begin(), h.end(), [&]() {{ return 4.0f; }});
  float *d = nullptr;
  cudaMalloc(&d, h.size() * sizeof(float));
  cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  void (*kernels[2])(float *, float, int) = {{scale, scale}};
  auto launch = [&](Kernel k, int threads) {{ k<<<1, threads>>>(d, 2.f, (int)h.size()); }};
  launch(kernels[1], 32);
}}"
    );
    let converted = only(&source);
    assert_eq!(converted.guesses, []);
    assert_eq!(
        converted.launch.args[0],
        floats(32, Fill::of(Pattern::Const(4.0)), Role::InOut)
    );
}

/// The integer arguments of a program's only launch.
fn ints(body: &str) -> Vec<u64> {
    let source = format!(
        "__global__ void put(int *p, int a, int b, int c) {{ *p = a + b + c; }}
{body}"
    );
    let converted = only(&source);
    assert_eq!(converted.guesses, []);
    let bits = |arg: &Argument| match arg {
        Argument::Scalar { bits, .. } => *bits,
        _ => u64::MAX,
    };
    converted.launch.args[1..].iter().map(bits).collect()
}

#[test]
fn arguments_are_evaluated_in_the_order_of_gxx() {
    let found = ints(
        "int next(int *n) { return ++*n; }
int pack(int a, int b, int c) { return 100 * a + 10 * b + c; }
int pick(int a, int b) { return a; }
double pick(double a, double b) { return b; }
int main() {
  int *d, n = 0, m = 0;
  cudaMalloc(&d, 4);
  int packed = pack(next(&n), next(&n), next(&n));
  int picked = pick(m++, 5) + pick(next(&m), 7);
  put<<<1, 1>>>(d, packed, picked, m);
}",
    );
    assert_eq!(found, [321, 2, 2]);
}

#[test]
fn kernels_in_namespaces_have_qualified_names() {
    let source = "namespace a { namespace { __global__ void set(int *p) { *p = 1; } } }
namespace b::c { template <class T> __global__ void set(T *p) { *p = 2; } }
extern \"C\" { __global__ void clear(int *p) { *p = 0; } }
int main() {
  int *d;
  cudaMalloc(&d, 4);
  a::set<<<1, 1>>>(d);
  b::c::set<<<1, 1>>>(d);
  clear<<<1, 1>>>(d);
  { using namespace a; set<<<1, 1>>>(d); }
}";
    let reading = reading(source);
    let kernels: Vec<&str> = reading.launches.iter().map(|launch| &*launch.kernel).collect();
    assert_eq!(kernels, ["a::set", "b::c::set<int>", "clear"]);
    assert!(
        reading
            .notes
            .iter()
            .any(|note| note.line == 10 && note.text.starts_with("The kernel of this launch"))
    );
    for launch in &reading.launches {
        assert_eq!(converted(source, launch).guesses, []);
    }
}

#[test]
fn constructors_are_selected_by_type_and_can_delegate() {
    let found = ints(
        "struct Pair {
  int first, second;
  Pair(int a, int b) : first(a), second(b) {}
  explicit Pair(double x) : Pair((int)x, 7) {}
  explicit Pair(const std::vector<int> &v) : Pair(v[0], v[1]) {}
};
int main() {
  int *d;
  cudaMalloc(&d, 4);
  std::vector<int> v = {3, 4};
  Pair p(v), q(2.5);
  put<<<1, 1>>>(d, p.first + 10 * p.second, q.first, q.second);
}",
    );
    assert_eq!(found, [43, 2, 7]);
}

#[test]
fn strings_have_lengths_and_bytes() {
    let found = ints(
        "int main() {
  int *d;
  cudaMalloc(&d, 4);
  std::string text = \"ab\", other(\"x\");
  for (int i = 0; i < 3; i++) text += other + 'y';
  text.push_back('z');
  std::string copy = text;
  copy[0] = 'q';
  const char *c = text.c_str();
  text[1] = 'w';
  int sum = 0;
  for (char letter : text.substr(1, 2)) sum += letter;
  put<<<1, 1>>>(d, text.length() + strlen(copy.c_str()), c[0] + c[1] + (copy == \"qbxyxyxyz\"), sum);
}",
    );
    assert_eq!(found, [18, 97 + 119 + 1, 119 + 120]);
}

#[test]
fn algorithms_modify_elements() {
    let found = ints(
        "int main() {
  int *d;
  cudaMalloc(&d, 4);
  std::vector<int> v(5);
  std::iota(v.begin(), v.end(), 1);
  std::for_each(v.begin(), v.end(), [](int &x) { x = x * x; });
  std::reverse(v.begin() + 1, v.end());
  put<<<1, 1>>>(d, v[0], v[1], v[4]);
}",
    );
    assert_eq!(found, [1, 25, 4]);
}

/// The preferences that a program sets with `cudaFuncSetAttribute` and `cudaFuncSetCacheConfig`, kernel by kernel.
#[test]
fn preferences_of_shared_memory_are_read_for_each_kernel() {
    let source = "__global__ void a(float *x) { x[0] = 1; }
template <int N> __global__ void b(float *x) { x[0] = N; }
__global__ void c(float *x) { x[0] = 1; }
__global__ void d(float *x) { x[0] = 1; }
int main() {
    float *x;
    cudaMalloc(&x, 64);
    int carveout = 50;
    cudaFuncSetAttribute(a, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
    cudaFuncSetAttribute(a, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncSetAttribute(b<2>, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
    cudaFuncSetCacheConfig(c, cudaFuncCachePreferL1);
    a<<<1, 1>>>(x);
    b<1><<<1, 1>>>(x);
    b<2><<<1, 1>>>(x);
    c<<<1, 1>>>(x);
    d<<<1, 1>>>(x);
    cudaFuncSetCacheConfig(c, cudaFuncCachePreferShared);
    c<<<1, 1>>>(x);
}";
    let reading = read(source, ArchId::Gv100, Limits::PAGE);
    let found: Vec<_> = reading.launches.iter().map(|launch| launch.preferred).collect();
    let expected = [
        Some(SharedPreference::Percent(50)),
        None,
        Some(SharedPreference::Percent(100)),
        Some(SharedPreference::L1),
        None,
        Some(SharedPreference::Shared),
    ];
    assert_eq!(found, expected, "{:?}", reading.notes);
}
