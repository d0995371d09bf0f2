//! What the runtime says of a GPU and of kernels on it: every expectation was measured on an H100.

use super::*;
use cuda::host::{HostValue, Number};
use engine::arch::CudaError;

const MEASURED: &str = include_str!("../../../../tests/facts/devices_h100.tsv");

/// The kernels that were measured.
const KERNELS: &str = "
__global__ void light(int *p) { p[threadIdx.x] = 1; }
__global__ void fixed(int *p) { __shared__ int s[4096]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void dyn(int *p) { extern __shared__ int d[]; d[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = d[threadIdx.x ^ 1]; }
__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void see(long long a, long long b, long long c) {}
int main() { int error, first = -7, second = -7; cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0);
";

/// The three numbers that a program passes to its last launch.
fn seen(statements: &str, arch: ArchId) -> Vec<i128> {
    let source = format!("{KERNELS}{statements} }}");
    let reading = read(&source, arch, LIMITS);
    let launch = reading.launches.last().expect("a launch");
    let number = |value: &HostValue| match value {
        HostValue::Number(Number::Int(number)) => *number,
        other => panic!("{other:?}: {statements}"),
    };
    launch.args.iter().map(|arg| number(&arg.value)).collect()
}

fn rows(kind: &str) -> Vec<Vec<&'static str>> {
    let rows = MEASURED.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[0] == kind)
        .map(|row| row[1..].to_vec())
        .collect()
}

fn code(name: &str) -> i128 {
    CudaError::named(name).map_or(0, |error| error.code().into())
}

#[test]
fn occupancy_calls_return_what_an_h100_returns() {
    let mut num_rows = 0;
    for row in rows("blocks") {
        let opts_in = row[0] == "opted";
        let kernel = if opts_in { "dyn" } else { row[0] };
        let before = if opts_in {
            "cudaFuncSetAttribute(dyn, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);"
        } else {
            ""
        };
        let statements = format!(
            "{before} error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&first, {kernel}, {}, {}); see<<<1, 1>>>(error, first, 0);",
            row[1], row[2]
        );
        let expected = [code(row[3]), row[4].parse().expect("a number"), 0];
        assert_eq!(seen(&statements, ArchId::Gh100), expected, "{row:?}");
        num_rows += 1;
    }
    for row in rows("best") {
        let statements = format!(
            "error = cudaOccupancyMaxPotentialBlockSize(&first, &second, {}, {}, {}); see<<<1, 1>>>(error, first, second);",
            row[0], row[1], row[2]
        );
        let number = |text: &str| text.parse().expect("a number");
        let expected = [code(row[3]), number(row[4]), number(row[5])];
        assert_eq!(seen(&statements, ArchId::Gh100), expected, "{row:?}");
        num_rows += 1;
    }
    assert_eq!(num_rows, 81);
}

#[test]
fn properties_and_attributes_are_those_of_an_h100() {
    let properties = rows("property");
    for row in &properties {
        let statements = format!("see<<<1, 1>>>(prop.{}, 0, 0);", row[0]);
        let expected: i128 = row[1].parse().expect("a number");
        assert_eq!(seen(&statements, ArchId::Gh100)[0], expected, "{row:?}");
    }
    let attributes = rows("attribute");
    for row in &attributes {
        let statements = format!(
            "error = cudaDeviceGetAttribute(&first, (cudaDeviceAttr){}, 0); see<<<1, 1>>>(error, first, 0);",
            row[0]
        );
        let expected: i128 = row[1].parse().expect("a number");
        assert_eq!(seen(&statements, ArchId::Gh100), [0, expected, 0], "{row:?}");
    }
    assert_eq!((properties.len(), attributes.len()), (28, 13));
}

#[test]
fn a_persistent_grid_is_read_on_every_architecture() {
    for arch in ArchId::ALL {
        let statements =
            "int sms, blocks = 0; cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, 256, 0);
            see<<<sms * blocks, 256>>>(sms, blocks, prop.multiProcessorCount - sms);";
        let [sms, blocks, difference] = seen(statements, arch)[..] else {
            panic!("three numbers");
        };
        let rules = &engine::arch::architecture(arch).occupancy;
        let most = i128::from(rules.max_warps_per_sm.value / 8).min(rules.max_blocks_per_sm.value.into());
        assert_eq!((blocks, difference), (most, 0), "{arch:?}");
        assert_eq!(
            sms,
            engine::arch::architecture(arch).chip.num_sms.value.into(),
            "{arch:?}"
        );
    }
}

#[test]
fn a_configuration_can_compare_and_shift() {
    let statements = "int n = 256; see<<<n >> 5, n > 100 ? 64 : 32>>>(n >> 4, n, 0);";
    let source = format!("{KERNELS}{statements} }}");
    let reading = read(&source, ArchId::Gv100, LIMITS);
    let launch = &reading.launches[0];
    assert_eq!(
        (launch.grid.clone(), launch.block.clone()),
        (Ok([8, 1, 1]), Ok([64, 1, 1]))
    );
    assert_eq!(seen(statements, ArchId::Gv100), [16, 256, 0]);
}

#[test]
fn what_no_number_is_known_of_is_a_guess() {
    let source = format!("{KERNELS} see<<<prop.totalGlobalMem >> 30, 1>>>(1, 2, 3); }}");
    let reading = read(&source, ArchId::Gv100, LIMITS);
    let launch = &reading.launches[0];
    let why = launch.grid.as_ref().expect_err("no grid");
    assert!(
        why.contains("no value of this member of `cudaGetDeviceProperties`"),
        "{why}"
    );
}
