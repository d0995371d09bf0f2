//! What wrong programs get from the CUDA runtime: every expectation is of a table that does not come from the code.

use super::*;
use cuda::host::{HostError, HostValue, Number};
use engine::arch::{CudaError, architecture};

/// Measured results of the runtime.
const MEASURED: &str = include_str!("../../../../tests/facts/runtime_errors.tsv");

/// Documented limits of launches.
const DOCUMENTED: &str = include_str!("../../../../tests/facts/launch_limits.tsv");

/// The kernels and variables of the measured programs.
const START: &str = "#include <cstdlib>
#include <cassert>
__global__ void k(int *o) { if (o) o[threadIdx.x & 31] = 1; }
__global__ void __launch_bounds__(128) bounded(int *o) { if (o) o[threadIdx.x & 31] = 1; }
__global__ void dyn(int *o) { extern __shared__ int d[]; d[threadIdx.x] = 1; __syncthreads(); o[threadIdx.x & 31] = d[31 - threadIdx.x]; }
__global__ void st(int *o) { extern __shared__ int d[]; __shared__ volatile int s[1]; s[0] = o[0]; d[threadIdx.x] = 1; __syncthreads(); o[threadIdx.x & 31] = d[31 - threadIdx.x] + s[0]; }
__global__ void far(int *o) { o[1ll << 33] = 1; }
__global__ void mis(char *o) { *(int *)(o + 1) = 1; }
__global__ void trap() { __trap(); }
__global__ void as(int x) { assert(x); }
__global__ void sh(int n, int *o) { __shared__ int s[4]; s[n] = 1; o[0] = s[n & 3]; }
__global__ void see(int *o, int result, int peeked, int last, int again) {}
__device__ int T[32];
int main() {
  int *d, *e, *m, *p, h[64] = {0}, *q = (int *)malloc(4096), x;
  cudaMalloc(&d, 4096); cudaMalloc(&e, 4096); cudaMallocManaged(&m, 4096); cudaMallocHost(&p, 4096);
  cudaStream_t s; cudaEvent_t f, g, n; float t; size_t z;
  cudaEventCreate(&f); cudaEventCreate(&g);
  void *a[] = {&d};
";

/// The kernels of the launches at and beyond limits.
const LAUNCHES: &str = "__global__ void k(int *o) { if (o) o[0] = 1; }
__global__ void dyn(int *o) { extern __shared__ int d[]; d[threadIdx.x] = 1; o[0] = d[0]; }
__global__ void st(int *o) { extern __shared__ int d[]; __shared__ volatile int s[1]; s[0] = o[0]; d[1] = 1; o[0] = d[1] + s[0]; }
__global__ void see(int *o, int result, int peeked, int last, int again) {}
int main() {
  int *d;
  cudaMalloc(&d, 4096);
  void *a[] = {&d};
";

/// The numbers that the last launch of `see` receives, and the errors of the program.
fn seen(source: &str, arch: ArchId) -> (Vec<i128>, Reading) {
    seen_within(source, arch, LIMITS)
}

fn seen_within(source: &str, arch: ArchId, limits: Limits) -> (Vec<i128>, Reading) {
    let reading = read(source, arch, limits);
    let launch = reading.launches.iter().rfind(|launch| launch.kernel == "see");
    let launch = launch.unwrap_or_else(|| panic!("no launch of see: {source}"));
    let numbers = launch.args[1..].iter().map(|arg| match &arg.value {
        HostValue::Number(Number::Int(number)) => *number,
        other => panic!("{other:?} for {}: {source}", arg.parameter),
    });
    (numbers.collect(), reading)
}

fn code(name: &str) -> i128 {
    match name {
        "cudaSuccess" => 0,
        name => CudaError::named(name)
            .unwrap_or_else(|| panic!("{name}"))
            .code()
            .into(),
    }
}

/// The rows of a table without comments and the names of the columns.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect()).collect()
}

/// A program that passes the result of its last statement and the last error to `see`. Only the sizes of `see` decide whether it
/// runs, so that it also shows an error that stays.
fn program(kind: &str, statements: &str) -> String {
    program_of(START, kind, statements)
}

fn program_of(start: &str, kind: &str, statements: &str) -> String {
    let (before, last) = statements.rsplit_once("; ").unwrap_or(("", statements));
    let (before, last) = match kind {
        "launch" => (statements, "0"),
        _ => (before, last),
    };
    format!(
        "{start}  {before};
  int result = {last};
  int peeked = cudaPeekAtLastError(), last = cudaGetLastError(), again = cudaGetLastError();
  see<<<1, 1>>>(d, result, peeked, last, again);
}}"
    )
}

#[test]
fn calls_return_what_the_runtime_returns() {
    let (mut num_wrong, mut failures) = (0, Vec::new());
    for row in rows(MEASURED) {
        let [kind, statements, returned, documented] = row[..] else {
            panic!("{row:?}");
        };
        let expected = code(if documented.is_empty() {
            returned
        } else {
            documented
        });
        let source = program(kind, statements);
        let (numbers, _) = seen(&source, ArchId::Gh100);
        let is_sticky = kind == "fault" && expected != 0 && !statements.ends_with("PeekAtLastError()");
        let right = match kind {
            "launch" => vec![0, expected, expected, 0],
            "header" => vec![expected, 0, 0, 0],
            _ if is_sticky => vec![expected; 4],
            // The last error of an earlier failing launch, and of a fault that another call has returned.
            _ if statements.contains("; ") => vec![expected, numbers[1], numbers[2], numbers[3]],
            _ => vec![expected, expected, expected, 0],
        };
        num_wrong += usize::from(expected != 0);
        if numbers != right {
            failures.push(format!("{statements}: {numbers:?}, not {right:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(num_wrong >= 150, "{num_wrong}");
}

/// The limits of an architecture, as documented.
struct Documented {
    grid: [u64; 3],
    block: [u64; 3],
    threads: u64,
    shared: u64,
    most_shared: u64,
    is_cooperative: bool,
}

fn documented(arch: ArchId) -> Documented {
    let capability = architecture(arch).compute_capability.to_string();
    let rows = rows(DOCUMENTED);
    let row = rows.iter().find(|row| row[0] == capability);
    let row = row.unwrap_or_else(|| panic!("no limits of {capability}"));
    let number = |idx: usize| row[idx].parse::<u64>().expect("a number");
    Documented {
        grid: [1, 2, 3].map(number),
        block: [4, 5, 6].map(number),
        threads: number(7),
        shared: number(8) << 10,
        most_shared: number(9) << 10,
        is_cooperative: number(10) == 1,
    }
}

/// The wrong launches of an architecture, as statements, with what `cudaGetLastError` returns after the last.
fn wrong_launches(limits: &Documented) -> Vec<(String, CudaError)> {
    use CudaError::{CooperativeLaunchTooLarge, InvalidConfiguration, InvalidValue, NotSupported};
    let mut wrong = Vec::new();
    for axis in 0..3 {
        let dims = |extent: u64| {
            let mut dims = [1; 3];
            dims[axis] = extent;
            format!("dim3({}u, {}u, {}u)", dims[0], dims[1], dims[2])
        };
        for extent in [0, limits.grid[axis] + 1, u64::from(u32::MAX)] {
            wrong.push((format!("k<<<{}, 32>>>(d)", dims(extent)), InvalidConfiguration));
        }
        for extent in [0, limits.block[axis] + 1, u64::from(u32::MAX)] {
            wrong.push((format!("k<<<1, {}>>>(d)", dims(extent)), InvalidConfiguration));
        }
    }
    let half = limits.threads / 2;
    for block in [
        format!("dim3({half}, 3)"),
        format!("dim3({half}, 1, 4)"),
        format!("dim3(8, {half}, 2)"),
    ] {
        wrong.push((format!("k<<<1, {block}>>>(d)"), InvalidConfiguration));
    }
    let opt_in = |kernel: &str, bytes: u64| {
        format!("cudaFuncSetAttribute({kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes})")
    };
    let launch = |kernel: &str, bytes: u64| format!("{kernel}<<<1, 32, {bytes}>>>(d)");
    let (shared, most) = (limits.shared, limits.most_shared);
    for bytes in [shared + 4, most + 4, 1 << 30] {
        wrong.push((launch("dyn", bytes), InvalidValue));
    }
    // Static and dynamic memory together.
    wrong.push((launch("st", shared), InvalidValue));
    wrong.push((
        format!("{}; {}", opt_in("dyn", most + 4), launch("dyn", most + 4)),
        InvalidValue,
    ));
    wrong.push((opt_in("dyn", most + 4), InvalidValue));
    wrong.push((opt_in("st", most), InvalidValue));
    if most > shared {
        let bytes = shared + 1024;
        wrong.push((
            format!("{}; {}", opt_in("dyn", bytes), launch("dyn", bytes + 4)),
            InvalidValue,
        ));
        // The limit of another kernel.
        wrong.push((
            format!("{}; {}", opt_in("st", bytes), launch("dyn", bytes)),
            InvalidValue,
        ));
    }
    let cooperative = if limits.is_cooperative {
        CooperativeLaunchTooLarge
    } else {
        NotSupported
    };
    wrong.push((
        "cudaLaunchCooperativeKernel((void *)k, dim3(60000), dim3(256), a, 0, 0)".to_owned(),
        cooperative,
    ));
    wrong
}

/// The launches at the limits, which succeed.
fn right_launches(limits: &Documented) -> Vec<String> {
    let [x, y, z] = limits.grid;
    let mut right = vec![
        format!("k<<<dim3(1, {y}), 1>>>(0)"),
        format!("k<<<dim3(1, 1, {z}), 1>>>(0)"),
        format!("k<<<{x}u, 1>>>(0)"),
        format!("k<<<1, {}>>>(d)", limits.threads),
        format!("k<<<1, dim3(1, {})>>>(d)", limits.block[1]),
        format!("k<<<1, dim3(1, 1, {})>>>(d)", limits.block[2]),
        format!("dyn<<<1, 32, {}>>>(d)", limits.shared - 256),
    ];
    if limits.most_shared > limits.shared {
        let bytes = limits.most_shared;
        right.push(format!(
            "cudaFuncSetAttribute(dyn, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes}); dyn<<<1, 32, {bytes}>>>(d)"
        ));
    }
    right
}

#[test]
fn launches_beyond_the_documented_limits_fail_and_change_nothing() {
    let (mut num_wrong, mut failures) = (0, Vec::new());
    // Whether a launch fails does not depend on what its kernel does.
    let within = Limits {
        kernel_steps: 0,
        ..LIMITS
    };
    for arch in ArchId::ALL {
        let limits = documented(arch);
        for (statements, error) in wrong_launches(&limits) {
            num_wrong += 1;
            let (numbers, reading) = seen_within(&program_of(LAUNCHES, "launch", &statements), arch, within);
            let code = i128::from(error.code());
            let launch = reading.launches.last().expect("a launch");
            let HostValue::Buffer(contents) = &launch.args[0].value else {
                panic!("no buffer: {statements}");
            };
            let is_unchanged = contents.is_untouched();
            if numbers != [0, code, code, 0] || !is_unchanged {
                failures.push(format!(
                    "{arch} {statements}: {numbers:?}, not {code}; unchanged: {is_unchanged}"
                ));
            }
        }
        for statements in right_launches(&limits) {
            let (numbers, _) = seen_within(&program_of(LAUNCHES, "launch", &statements), arch, within);
            if numbers != [0; 4] {
                failures.push(format!("{arch} {statements}: {numbers:?}, not a success"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(num_wrong >= 300, "{num_wrong}");
}

/// `cudaGetLastError` returns the last error, whatever succeeded since (Runtime API 13.0, Error Handling).
#[test]
fn the_last_error_is_that_of_the_last_call_that_failed() {
    let failing = [
        ("k<<<0, 32>>>(d)", 9),
        ("cudaMemcpy(d, h, 8192, cudaMemcpyHostToDevice)", 1),
        ("cudaMemcpy(d, h, 64, (cudaMemcpyKind)7)", 21),
        ("cudaMalloc(&e, 1ull << 50)", 2),
        ("cudaSetDevice(9)", 101),
        ("cudaMemcpy2D(d, 16, h, 64, 64, 2, cudaMemcpyHostToDevice)", 12),
        ("cudaEventRecord(0)", 400),
        ("cudaHostUnregister(q)", 713),
    ];
    let succeeding = [
        "k<<<1, 32>>>(d)",
        "cudaDeviceSynchronize()",
        "cudaMemset(d, 0, 64)",
        "cudaFree(0)",
    ];
    for (first, _) in failing {
        for (second, code) in failing {
            let source = program("launch", &format!("{first}; {second}"));
            assert_eq!(
                seen(&source, ArchId::Tu102).0,
                [0, code, code, 0],
                "{first}; {second}"
            );
        }
        for success in succeeding {
            let code = failing
                .iter()
                .find(|(text, _)| *text == first)
                .map_or(0, |(_, code)| *code);
            let source = program("launch", &format!("{first}; {success}"));
            assert_eq!(
                seen(&source, ArchId::Gv100).0,
                [0, code, code, 0],
                "{first}; {success}"
            );
            // An error that was read is gone.
            let source = program("launch", &format!("{first}; cudaGetLastError(); {success}"));
            assert_eq!(seen(&source, ArchId::Gv100).0, [0; 4], "{first}; {success}");
        }
    }
}

fn errors(body: &str) -> Vec<HostError> {
    reading(&format!("{START}{body}}}")).errors
}

#[test]
fn errors_that_the_program_does_not_look_at_are_named() {
    let [error] = &errors("  k<<<0, 32>>>(d);\n  cudaDeviceSynchronize();\n")[..] else {
        panic!("one error");
    };
    assert_eq!(
        error.sentence(),
        "This launch fails with invalid configuration argument, and the program does not look."
    );
    assert_eq!(
        error.why,
        "the grid has size 0 in x; each dimension must be at least 1"
    );
    let [error] = &errors("  cudaMemcpy(d, h, 128, cudaMemcpyDeviceToHost);\n")[..] else {
        panic!("one error");
    };
    assert_eq!(
        error.sentence(),
        "This call of cudaMemcpy fails with invalid argument, and the program does not look."
    );
    assert!(error.why.contains("is memory of the host"), "{}", error.why);
    for looks in [
        "k<<<0, 32>>>(d); if (cudaGetLastError() != cudaSuccess) return 1;",
        "k<<<0, 32>>>(d); checkCudaErrors(cudaGetLastError());",
        "k<<<0, 32>>>(d); getLastCudaError(\"k\");",
        "cudaError_t r = cudaMemcpy(d, h, 128, cudaMemcpyDeviceToHost); if (r) return 1;",
        "k<<<0, 32>>>(d); int r = cudaPeekAtLastError();",
    ] {
        let errors = errors(looks);
        assert!(errors.len() == 1 && errors[0].is_looked_at, "{looks}: {errors:?}");
    }
}

#[test]
fn results_of_calls_lead_the_program() {
    let launches = |body: &str| {
        let reading = reading(&format!(
            "#define CHECK(c) do {{ cudaError_t e = (c); if (e != cudaSuccess) exit(1); }} while (0)\n{START}{body}}}"
        ));
        let kernels = reading
            .launches
            .iter()
            .map(|launch| (launch.kernel.clone(), launch.error.is_some()));
        kernels.collect::<Vec<_>>()
    };
    let failed = ("k".to_owned(), true);
    let ran = ("k".to_owned(), false);
    assert_eq!(
        launches("k<<<1, 2000>>>(d); CHECK(cudaGetLastError()); k<<<1, 32>>>(d);"),
        std::slice::from_ref(&failed)
    );
    assert_eq!(
        launches("k<<<1, 2000>>>(d); k<<<1, 32>>>(d);"),
        [failed.clone(), ran.clone()]
    );
    // An error of a launch is no result of the call that waits.
    assert_eq!(
        launches("k<<<1, 2000>>>(d); CHECK(cudaDeviceSynchronize()); k<<<1, 32>>>(d);"),
        [failed, ran.clone()]
    );
    assert_eq!(
        launches("CHECK(cudaMemcpy(d, h, 64, cudaMemcpyDeviceToHost)); k<<<1, 32>>>(d);"),
        []
    );
    assert_eq!(
        launches("if (cudaMalloc(&d, 1ull << 50) == cudaErrorMemoryAllocation) k<<<1, 32>>>(e);"),
        [ran]
    );
}

#[test]
fn a_fault_stays() {
    let source = format!("{START}  far<<<1, 1>>>(d);\n  cudaDeviceSynchronize();\n  k<<<1, 32>>>(d);\n}}");
    let reading = reading(&source);
    let [first, second] = &reading.launches[..] else {
        panic!("two launches: {:?}", reading.notes);
    };
    assert!(first.error.is_none());
    let error = second.error.as_ref().expect("an error");
    assert_eq!(error.error, CudaError::IllegalAddress);
    assert!(
        error.why.contains("the kernel launched at line 20 faults"),
        "{}",
        error.why
    );
}
