//! The section of peak rates.

use std::fmt::Write;

use super::words::{percent, short};
use crate::validation::peaks::Peak;
use engine::arch::{ArchId, architecture};

/// Writes the peak rates beside the simulated ones.
pub(super) fn write_markdown(peaks: &[(Peak, f64)], out: &mut String) {
    let near = peaks.iter().filter(|(peak, ours)| peak.is_near(*ours)).count();
    let _ = write!(
        out,
        "\n## Peak rates\n\n\
         Rates that kernels reach on the simulator (`ops.cu` and `peaks.cu` of `tests/microbenchmarks`, and copies of host\n\
         programs), beside those that sources cite (`tests/validation/peaks.csv`). Rates of L2, device memory, and links are\n\
         for all SMs together, the others for one SM. {near} of {} are within 2 % of the cited ones; the others have a reason.\n\n\
         | architecture | quantity | cited | simulated | error | unit | source | reason |\n\
         | --- | --- | ---: | ---: | ---: | --- | --- | --- |\n",
        peaks.len()
    );
    for arch in ArchId::ALL {
        for (peak, ours) in peaks.iter().filter(|(peak, _)| peak.architecture == arch) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                architecture(arch).name,
                peak.quantity,
                short(peak.rate),
                short(*ours),
                percent(peak.error(*ours)),
                peak.unit,
                peak.source,
                peak.reason
            );
        }
    }
}
