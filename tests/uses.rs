//! What the code of kernels shows about their parameters.

#![cfg(not(target_arch = "wasm32"))]

use cuda::uses::ParamUse;
use cuda::{parse_kernel, uses_of};
use engine::arch::ArchId;
use engine::isa::CompileOptions;

/// The uses of the first kernel, as text: one line for each parameter.
fn text(source: &str, kernel: &str) -> Vec<String> {
    let mut all = Vec::new();
    for arch in [ArchId::Gf100, ArchId::Gp100, ArchId::Gh100] {
        let options = CompileOptions::default();
        let (unit, name) = parse_kernel(source, kernel, arch, &options).expect("a kernel that compiles");
        let uses = uses_of(&unit, &name, arch, &options).expect("a kernel that compiles");
        all.push(uses.params.iter().map(words).collect::<Vec<String>>());
    }
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    all.swap_remove(0)
}

fn words(used: &ParamUse) -> String {
    let mut words = Vec::new();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if used.bounds[axis] {
            words.push(format!("bounds {name}"));
        }
    }
    for (is_so, word) in [
        (used.bounds_loop, "bounds a loop"),
        (used.scales.contains(&true) || used.scales_other, "scales"),
        (used.divides, "divides"),
        (used.is_updated, "updated"),
        (used.indexes, "indexes"),
        (used.delimits, "delimits"),
        (used.counts, "counts"),
    ] {
        if is_so {
            words.push(word.to_owned());
        }
    }
    if used.indexed_elements > 0 {
        words.push(format!("an array of {}", used.indexed_elements));
    }
    if !used.below.is_empty() {
        words.push(format!("below {:?}", used.below));
    }
    words.join(", ")
}

#[test]
fn contents_that_index_are_known() {
    let source = "__global__ void k(const int *keys, int *counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { int key = keys[i]; if (key < bins) atomicAdd(&counts[key], 1); }
}";
    assert_eq!(
        text(source, "k"),
        ["indexes, below [3]", "updated", "bounds x", ""]
    );
    let source = "__global__ void k(const unsigned char *data, int *out) {
  __shared__ int part[64];
  part[threadIdx.x] = 0;
  __syncthreads();
  part[data[threadIdx.x]] = 1;
  __syncthreads();
  out[threadIdx.x] = part[threadIdx.x];
}";
    assert_eq!(text(source, "k"), ["indexes, an array of 64", ""]);
}

#[test]
fn offsets_delimit_and_values_do_not() {
    let source =
        "__global__ void k(int rows, const int *offsets, const int *columns, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) sum += x[columns[at]];
  y[r] = sum;
}";
    let uses = text(source, "k");
    assert_eq!(uses[0], "bounds x");
    assert!(uses[1].contains("indexes, delimits"), "{uses:?}");
    assert_eq!(uses[2..], ["indexes", "", ""]);
    // Keys that are compared and exchanged are no indices.
    let source = "__global__ void sort(int *keys, int j) {
  int i = threadIdx.x, other = i ^ j;
  if (other > i && keys[i] > keys[other]) { int t = keys[i]; keys[i] = keys[other]; keys[other] = t; }
}";
    assert!(!text(source, "sort")[0].contains("indexes"));
}

#[test]
fn sizes_of_a_product_bound_axes_and_loops() {
    let source = "__global__ void k(const float *a, const float *b, float *c, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) { float s = 0; for (int k = 0; k < K; k++) s += a[row * K + k] * b[k * N + col]; c[row * N + col] = s; }
}";
    let uses = text(source, "k");
    assert_eq!(uses[..4], ["", "", "", "bounds y"]);
    assert!(uses[4].starts_with("bounds x"), "{uses:?}");
    assert!(uses[5].starts_with("bounds a loop, scales"), "{uses:?}");
}
