//! Partitions of device memory: NVIDIA, Optimizing Matrix Transpose in CUDA (2009), Partition Camping.

use engine::arch::ArchId;
use engine::launch::Role;
use engine::sim::{MachineOptions, RequestKind};
use engine::trace::Trace;

use super::runs::{floats, int, launch, run};

/// Each lane reads four words of a row of its own; rows are so many words apart.
const ROWS: &str = "__global__ void rows(float *out, const float *in, int pitch)
{
  int at = threadIdx.x;
  float sum = 0;
  for (int word = 0; word < 64; word += 16)
    sum += in[at * pitch + word];
  out[at] = sum;
}";

fn rows_apart(arch: ArchId, bytes: u32) -> Trace {
    let pitch = bytes / 4;
    let args = vec![floats(256, Role::Out), floats(256 * pitch, Role::In), int(pitch)];
    run(ROWS, arch, &launch(1, 256, 0, args), MachineOptions::default())
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
}
