//! Partitions of device memory: NVIDIA, Optimizing Matrix Transpose in CUDA (2009), Partition Camping.

use engine::arch::ArchId;
use engine::launch::Role;
use engine::sim::{MachineOptions, RequestKind};
use engine::trace::Trace;

use super::runs::{floats, int, launch, run};

/// Each lane reads four words of its own row; the parameter is the stride of rows in words.
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

/// The same transactions take several times as long if all go to one partition, when the stride of rows is the total
/// width of the partitions. A stride that is one partition larger spreads the rows across all partitions.
#[test]
fn transactions_in_one_partition_are_serialized() {
    for (arch, num) in [(ArchId::G80, 6), (ArchId::Gt200, 8)] {
        let [camping, spread] = [256 * num, 256 * (num + 1)].map(|bytes| rows_apart(arch, bytes));
        let transactions = |trace: &Trace| trace.total().of_kind(RequestKind::GlobalLoad).transactions;
        assert_eq!(transactions(&camping), transactions(&spread), "{arch}");
        let [camping, spread] = [&camping, &spread].map(|trace| trace.num_cycles());
        assert!(camping > 2 * spread, "{arch}: {camping} and {spread} cycles");
    }
}
