//! Partitions of device memory: NVIDIA, Optimizing Matrix Transpose in CUDA (2009), Partition Camping.

use warpscope::arch::ArchId;
use warpscope::launch::Role;
use warpscope::sim::{MachineOptions, RequestKind};
use warpscope::trace::Trace;

use super::runs::{floats, int, launch, run};

/// Each warp reads 16 rows of 32 words that are so many words apart.
const ROWS: &str = "__global__ void rows(float *out, const float *in, int pitch)
{
  int at = threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int row = 0; row < 16; row++)
    sum += in[(at / 32 * 16 + row) * pitch + at % 32];
  out[at] = sum;
}";

fn rows_apart(arch: ArchId, bytes: u32) -> Trace {
    let pitch = bytes / 4;
    let args = vec![floats(512, Role::Out), floats(256 * pitch, Role::In), int(pitch)];
    run(ROWS, arch, &launch(1, 512, 0, args), MachineOptions::default())
}

/// The same transactions take several times as long where all are in one partition: rows that are as far apart
/// as the partitions are wide together. With one width more they are in all of them in turn.
#[test]
fn transactions_of_one_partition_wait_for_each_other() {
    for (arch, num) in [(ArchId::G80, 6), (ArchId::Gt200, 8)] {
        let [camping, spread] = [256 * num, 256 * (num + 1)].map(|bytes| rows_apart(arch, bytes));
        let transactions = |trace: &Trace| trace.total().of_kind(RequestKind::GlobalLoad).transactions;
        assert_eq!(transactions(&camping), transactions(&spread), "{arch}");
        let [camping, spread] = [&camping, &spread].map(|trace| trace.num_cycles());
        assert!(camping > 2 * spread, "{arch}: {camping} and {spread} cycles");
    }
    let [one, other] = [2048, 2304].map(|bytes| rows_apart(ArchId::Gf100, bytes).num_cycles());
    assert!(one.abs_diff(other) * 50 < one, "{one} and {other} cycles");
}
