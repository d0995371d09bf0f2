//! Results of kernels for later launches, program arguments, and library functions.

use super::*;
use cuda::host::read_with_args;
use engine::launch::addresses::{Owner, Target, Word};

const TWICE: &str = "
__device__ int num_calls;
__global__ void twice(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
  if (i == 0) num_calls += 1;
}
__global__ void add_calls(int *out) { out[threadIdx.x] += num_calls; }
";

fn iota(scale: Option<f64>, offset: Option<f64>) -> Fill {
    Fill {
        scale,
        offset,
        ..Fill::of(Pattern::Iota)
    }
}

fn ints(len: u32, fill: Fill, role: Role) -> Argument {
    Argument::Buffer {
        elem: ElemType::I32,
        len,
        fill,
        role,
        start: 0,
    }
}

/// The values of the number buffer that the kernel `see` receives.
fn seen(source: &str) -> Vec<f64> {
    let source =
        format!("#include <random>\n#include <cstring>\n__global__ void see(const double *x) {{}}\n{source}");
    let launch = only(&source);
    assert_eq!(launch.guesses, []);
    let Argument::Buffer { elem, len, fill, .. } = &launch.launch.args[0] else {
        panic!("no buffer");
    };
    let bytes = fill.bytes(*elem, *len);
    bytes
        .chunks_exact(8)
        .map(|chunk| f64::from_le_bytes(chunk.try_into().expect("8 bytes")))
        .collect()
}

/// A program whose kernel receives `x`, which `body` writes.
fn seen_of(body: &str) -> Vec<f64> {
    seen(&format!(
        "struct Line {{ double a, b; double operator()(double t) const {{ return a * t + b; }} }};
int main() {{
  double x[16] = {{0}}, *device;
  {body}
  cudaMalloc(&device, sizeof(x));
  cudaMemcpy(device, x, sizeof(x), cudaMemcpyHostToDevice);
  see<<<1, 1>>>(device);
}}"
    ))
}

#[test]
fn a_launch_receives_the_results_of_earlier_launches() {
    let source = format!(
        "{TWICE}
int main() {{
  int h[64], *a, *b;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&b, sizeof(h));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  for (int round = 0; round < 2; round++) {{
    twice<<<2, 32>>>(b, a, 64);
    twice<<<2, 32>>>(a, b, 64);
  }}
  cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
  add_calls<<<1, h[4]>>>(b);
}}"
    );
    let reading = reading(&source);
    let last = converted(&source, reading.launches.last().expect("a launch"));
    assert_eq!(last.guesses, []);
    assert_eq!(last.launch.block, [64, 1, 1]);
    assert_eq!(last.launch.args[0], ints(64, iota(Some(8.0), None), Role::InOut));
    assert_eq!(last.launch.symbols[0].symbol, "num_calls");
    assert_eq!(last.launch.symbols[0].fill, Fill::of(Pattern::Const(4.0)));
    let first = converted(&source, &reading.launches[1]);
    assert_eq!(first.read_back, [0]);
}

#[test]
fn undefined_behavior_in_a_kernel_makes_its_results_unknown() {
    let source = "
__global__ void past(int *out) { out[threadIdx.x + 1] = 1; }
__global__ void use(const int *in) {}
int main() {
  int *d;
  cudaMalloc(&d, 32 * sizeof(int));
  past<<<1, 32>>>(d);
  use<<<1, 32>>>(d);
}";
    let reading = reading(source);
    let last = converted(source, &reading.launches[1]);
    assert_eq!(last.guesses.len(), 1);
    assert!(
        last.guesses[0].why.contains("undefined (OutOfBounds at line 2)"),
        "{}",
        last.guesses[0].why
    );
}

#[test]
fn a_kernel_beyond_the_step_limit_has_no_result() {
    let source = "
__global__ void spin(int *out) { for (int i = 0; i < 1000000; i++) out[threadIdx.x] += i; }
__global__ void use(const int *in) {}
int main() {
  int *d;
  cudaMalloc(&d, 32 * sizeof(int));
  cudaMemset(d, 0, 32 * sizeof(int));
  spin<<<1, 32>>>(d);
  use<<<1, 32>>>(d);
}";
    let reading = reading(source);
    let last = converted(source, &reading.launches[1]);
    assert_eq!(
        last.guesses[0].why,
        "it is a result of the launch at line 8, which takes too many steps to be run"
    );
}

#[test]
fn program_arguments_are_evaluated() {
    let source = format!(
        "{TWICE}
int main(int argc, char **argv) {{
  if (argc != 4 || strcmp(argv[1], \"-n\") != 0) return 1;
  int n = atoi(argv[2]), threads = strtol(argv[3], NULL, 0), *d;
  cudaMalloc(&d, n * sizeof(int));
  twice<<<n / threads, threads>>>(d, d + 0, 0);
}}"
    );
    let args: Vec<String> = ["-n", "96", "0x20"].map(str::to_owned).to_vec();
    let reading = read_with_args(&source, ArchId::Tu102, LIMITS, &args);
    let launch = &reading.launches[0];
    assert_eq!(
        (launch.grid.clone(), launch.block.clone()),
        (Ok([3, 1, 1]), Ok([32, 1, 1]))
    );
    assert_eq!(
        read_with_args(&source, ArchId::Tu102, LIMITS, &args[..2])
            .launches
            .len(),
        0
    );
}

#[test]
fn the_mersenne_twister_matches_libstdcxx() {
    let values = seen_of(
        "std::mt19937 g(7);
  std::uniform_int_distribution<int> d(0, 99);
  std::uniform_real_distribution<float> f(-1.f, 1.f);
  std::uniform_real_distribution<double> dd(0, 10);
  for (int i = 0; i < 4; i++) x[i] = d(g);
  for (int i = 4; i < 7; i++) x[i] = f(g);
  for (int i = 7; i < 9; i++) x[i] = dd(g);",
    );
    // -0x1.f88d3p-4, 0x1.e9b344p-1, and 0x1.c9a82p-2.
    let floats = [
        f64::from(-0x1f_88d3) / 16_777_216.0,
        f64::from(0x01e9_b344) / 33_554_432.0,
        f64::from(0x1_c9a82) / 4_194_304.0,
    ];
    let expected = [
        7.0,
        22.0,
        77.0,
        31.0,
        floats[0],
        floats[1],
        floats[2],
        9.779_895_163_270_61,
        5.384_958_717_757_867,
    ];
    assert_eq!(values[..9], expected);
}

#[test]
fn the_default_engine_matches_libstdcxx() {
    let values = seen_of(
        "std::default_random_engine e(3);
  std::uniform_int_distribution<int> q(1, 6);
  std::uniform_real_distribution<float> f(-1.f, 1.f);
  std::uniform_real_distribution<double> dd(0, 10);
  for (int i = 0; i < 6; i++) x[i] = q(e);
  for (int i = 6; i < 9; i++) x[i] = f(e);
  for (int i = 9; i < 11; i++) x[i] = dd(e);",
    );
    assert_eq!(values[..6], [1.0, 3.0, 2.0, 3.0, 4.0, 4.0]);
    let floats: Vec<f32> = values[6..9].iter().map(|value| *value as f32).collect();
    assert_eq!(floats, [-0.717_732_3_f32, -0.926_811_7, -0.924_221_6]);
    assert_eq!(values[9..11], [1.505_062_324_484_303_3, 4.928_960_383_609_129]);
}

#[test]
fn function_objects_and_row_pointers_are_evaluated() {
    let values = seen_of(
        "Line line = {2.0, 1.0};
  double (*rows)[4] = (double (*)[4])x;
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) rows[i][j] = line(4 * i + j);",
    );
    let expected: Vec<f64> = (0..16).map(|i| f64::from(2 * i + 1)).collect();
    assert_eq!(values, expected);
}

#[test]
fn shifts_beyond_the_width_match_the_processor() {
    let values = seen_of(
        "int count = 36; unsigned u = 256; x[0] = 255 << count; x[1] = u >> count; x[2] = 1LL << count;",
    );
    assert_eq!(values[..3], [4080.0, 16.0, 68_719_476_736.0]);
}

#[test]
fn alternative_operator_tokens_are_parsed() {
    let values = seen_of("int n = 3; if (n > 2 and not (n == 5 or n == 4)) x[0] = n;");
    assert_eq!(values[0], 3.0);
}

#[test]
fn an_unsupported_statement_can_return() {
    let source = format!(
        "{TWICE}
int size(int n) {{
  if (n @ 3) return 7;
  return 32;
}}
int main() {{
  int *d, n = size(5);
  cudaMalloc(&d, 256);
  add_calls<<<1, n>>>(d);
}}"
    );
    let reading = reading(&source);
    assert!(
        reading.launches[0].block.is_err(),
        "{:?}",
        reading.launches[0].block
    );
}

#[test]
fn assumptions_are_guesses() {
    let source = format!(
        "{TWICE}
void checkEverything(int *);
int main() {{
  int *d;
  cudaMalloc(&d, 256);
  checkEverything(d);
  twice<<<1, 32>>>(d, d, 0);
}}"
    );
    let launch = only(&source);
    let whats: Vec<&str> = launch.guesses.iter().map(|guess| guess.what.as_str()).collect();
    assert!(
        whats.contains(&"that `checkEverything` has no side effects"),
        "{whats:?}"
    );
}

#[test]
fn addresses_in_a_device_variable_are_passed() {
    let source = "
__constant__ float *rows[2];
__global__ void use(float *out) { out[threadIdx.x] = rows[0][threadIdx.x]; }
int main() {
  float *d, *h[2];
  cudaMalloc(&d, 256);
  h[0] = d; h[1] = d;
  cudaMemcpyToSymbol(rows, h, sizeof(h));
  use<<<1, 32>>>(d);
}";
    let launch = only(source);
    assert_eq!(launch.guesses, []);
    let first = || {
        Word::Address(Target {
            of: Owner::Argument(0),
            offset: 0,
        })
    };
    let words = Pattern::Words(vec![first(), first()]);
    assert_eq!(launch.launch.symbols[0].fill, Fill::of(words));
}

#[test]
fn a_launch_that_cuda_refuses_changes_nothing_and_is_no_guess() {
    let program = |config: &str| {
        format!(
            "__global__ void fill(float *o, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = 1; }}
__global__ void copy(float *o) {{ o[64 + threadIdx.x] = o[threadIdx.x]; }}
int main() {{
  int n = 100;
  float *d;
  cudaMalloc(&d, 512);
  cudaMemset(d, 0, 512);
  fill<<<{config}>>>(d, n);
  copy<<<1, 32>>>(d);
}}"
        )
    };
    let zeros = floats(128, Fill::of(Pattern::Zero), Role::InOut);
    for (config, grid, block) in [
        ("n / 256, 256", [0, 1, 1], [256, 1, 1]),
        ("1, n / 256", [1, 1, 1], [0, 1, 1]),
        ("1, 2048", [1, 1, 1], [2048, 1, 1]),
        ("n - 101, 32", [u32::MAX, 1, 1], [32, 1, 1]),
        ("1, dim3(64, 64)", [1, 1, 1], [64, 64, 1]),
    ] {
        let source = program(config);
        let reading = reading(&source);
        let launches: Vec<Converted> = (reading.launches.iter())
            .map(|launch| converted(&source, launch))
            .collect();
        assert_eq!(launches.len(), 2, "{config}");
        for launch in &launches {
            assert_eq!(launch.guesses, [], "{config}");
        }
        assert_eq!((launches[0].launch.grid, launches[0].launch.block), (grid, block));
        assert_eq!(launches[1].launch.args, std::slice::from_ref(&zeros), "{config}");
    }
}

#[test]
fn extended_lambdas_are_passed_with_their_captures() {
    let source = "
template <typename F> __global__ void each(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
int main() {
  int n = 20;
  float a = 1.5f, *x;
  cudaMalloc(&x, 80);
  each<<<1, 32>>>(n, [=] __device__ (int i) { x[i] = a * i; });
}";
    let launch = only(source);
    assert_eq!(launch.guesses, []);
    let captured = vec![
        Word::Address(Target {
            of: Owner::Argument(2),
            offset: 0,
        }),
        // The number, and four bytes that nothing writes.
        Word::Bits(0xcdcd_cdcd_0000_0000 | u64::from(1.5f32.to_bits())),
    ];
    assert_eq!(
        launch.launch.args,
        [
            int(20),
            Argument::Words(captured),
            floats(20, Fill::of(Pattern::Unset), Role::Out),
        ]
    );
}

#[test]
fn a_lambda_without_captures_and_a_named_one_are_passed() {
    let source = "
template <typename F> __global__ void map(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }
int main() {
  const int num = 3;
  short first = 5;
  int *d;
  cudaMalloc(&d, 128);
  map<<<1, 32>>>(d, [] __device__ (int i) -> int { return i * i; });
  auto sum = [first, num] __host__ __device__ (int i) { return i + first + num; };
  map<<<1, 32>>>(d, sum);
}";
    let reading = reading(source);
    let args: Vec<Vec<Argument>> = (reading.launches.iter())
        .map(|launch| converted(source, launch))
        .map(|launch| {
            assert_eq!(launch.guesses, []);
            launch.launch.args
        })
        .collect();
    let [first, second] = args.as_slice() else {
        panic!("two launches, not {}", args.len());
    };
    assert_eq!(first[1], Argument::Bytes(vec![0]));
    let Argument::Bytes(bytes) = &second[1] else {
        panic!("{:?}", second[1]);
    };
    assert_eq!((bytes.len(), bytes[0], bytes[4]), (8, 5, 3));
}
