//! What lies between the host and the GPUs: copy engines, work queues, the costs of calls and copies, PCIe, and NVLink.

use super::Architecture;
use super::sourced::{Sourced, assumed, vendor, web};

/// The host's side of a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Host {
    /// Copy engines; 0: a copy and a kernel never run together. One engine serves both directions in turn.
    pub copy_engines: Sourced<u8>,
    /// Hardware work queues of a context.
    pub work_queues: Sourced<u8>,
    /// Time of the host for a launch, in nanoseconds.
    pub launch_call_ns: Sourced<u32>,
    /// Time from a launch until the host knows that an empty kernel has ended, in nanoseconds.
    pub launch_and_wait_ns: Sourced<u32>,
    /// Time of the host for an asynchronous copy, in nanoseconds.
    pub copy_call_ns: Sourced<u32>,
    /// Time of the host for any other call, in nanoseconds.
    pub other_call_ns: Sourced<u32>,
    /// Time between two operations of a stream on the GPU, in nanoseconds.
    pub gap_ns: Sourced<u32>,
    /// The same between two streams, through an event, in nanoseconds.
    pub event_gap_ns: Sourced<u32>,
    /// Time of a copy in addition to the time of its bytes, in nanoseconds.
    pub copy_latency_ns: Sourced<u32>,
    /// Bandwidth of copies from or to page-locked host memory, in GB/s in each direction.
    pub pinned_gb_per_s: Sourced<f64>,
    /// Bandwidth of copies from or to pageable host memory, in GB/s.
    pub pageable_gb_per_s: Sourced<f64>,
    /// Bandwidth of the PCIe link in each direction, in GB/s.
    pub pcie_gb_per_s: Sourced<f64>,
    /// NVLink; `None` if the product has none.
    pub nvlink: Option<NvLink>,
    /// How processes share the GPU.
    pub sharing: Sharing,
}

/// The NVLinks of a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NvLink {
    /// Links.
    pub num_links: Sourced<u8>,
    /// Bandwidth of a link in each direction, in GB/s.
    pub link_gb_per_s: Sourced<f64>,
    /// Share of that bandwidth that a large copy reaches.
    pub efficiency: Sourced<f64>,
    /// Share of that bandwidth that loads of kernels from another GPU's memory reach.
    pub access_efficiency: Sourced<f64>,
    /// Bandwidth of the loads of one SM from another GPU's memory, in GB/s.
    pub sm_load_gb_per_s: Sourced<f64>,
    /// Links between each two of the eight GPUs of a DGX-1, if there is one with this GPU.
    pub mesh: Option<&'static [[u8; 8]; 8]>,
    /// Whether there are computers that connect this GPU by NVSwitch.
    pub has_switch: bool,
}

/// How processes share a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharing {
    /// Time for which a process has the GPU while others wait, in nanoseconds.
    pub slice_ns: Sourced<u32>,
    /// Time of a switch from a process to another, in nanoseconds.
    pub switch_ns: Sourced<u32>,
    /// Whether a switch interrupts running blocks. Otherwise it waits until they end.
    pub preempts: Sourced<bool>,
    /// Clients of the Multi-Process Service; 0: the chip does not support it.
    pub mps_clients: Sourced<u8>,
    /// Whether clients submit to the GPU themselves and have their own address spaces.
    pub mps_is_direct: Sourced<bool>,
    /// Work queues of a client of the service.
    pub mps_queues: Sourced<u8>,
}

const AS_MEASURED: &str =
    "as measured on an H100: no source for this chip was read, and the host has a large part in it";
const MPS: &str = "Multi-Process Service documentation, 2.3.5 and 3.2";
/// Why the bandwidth of a link to the host is an assumption.
pub(super) const LINK: &str =
    "lanes times rate times encoding; the generation of the slot was not read in a document";
/// The source of the bandwidth of links of generation 3.
pub(super) const LINK_GEN3: &str =
    "deviceQuery outputs, articles on the P100, V100, and RTX 2080 Ti: PCIe 3.0 with 16 lanes";
/// Sources of times and bandwidths.
pub(super) const LATENCIES: &str = "ReFrame reference values of CSCS, kernel latency";
pub(super) const BANDWIDTHS: &str = "ReFrame reference values of CSCS, memory bandwidth";
pub(super) const BEST_PRACTICES: &str = "Best Practices Guide, 10.1.1";

impl Host {
    /// The host's side of a chip with the times of GH100, for a compute capability (350: 3.5), a number of copy engines, and
    /// the bandwidths of the link and of page-locked memory.
    pub(super) const fn of(
        capability: u16,
        copy_engines: Sourced<u8>,
        pcie: Sourced<f64>,
        pinned: Option<Sourced<f64>>,
    ) -> Self {
        let pinned = match pinned {
            Some(pinned) => pinned,
            None => assumed(
                0.8 * pcie.value,
                "80 % of the PCIe link, as on later cards; no measurement of this card was read",
            ),
        };
        Self {
            copy_engines,
            work_queues: if capability >= 350 {
                vendor(32, "Programming Guide 12.6, Table 24")
            } else {
                web(1, "simpleHyperQ of the CUDA samples, README")
            },
            launch_call_ns: assumed(3119, AS_MEASURED),
            launch_and_wait_ns: assumed(7927, AS_MEASURED),
            copy_call_ns: assumed(1292, AS_MEASURED),
            other_call_ns: assumed(151, AS_MEASURED),
            gap_ns: assumed(1760, AS_MEASURED),
            event_gap_ns: assumed(2144, AS_MEASURED),
            copy_latency_ns: assumed(4900, AS_MEASURED),
            pinned_gb_per_s: pinned,
            pageable_gb_per_s: assumed(
                0.5 * pinned.value,
                "half of page-locked memory; hosts differ from 0.3 to 0.9",
            ),
            pcie_gb_per_s: pcie,
            nvlink: None,
            sharing: Sharing::of(capability),
        }
    }
}

impl NvLink {
    /// Links whose loads by kernels were not measured.
    pub(super) const fn of(
        num_links: Sourced<u8>,
        link_gb_per_s: Sourced<f64>,
        efficiency: Sourced<f64>,
    ) -> Self {
        const LOADS: &str = "as measured on an H200: no source for this chip was read";
        Self {
            num_links,
            link_gb_per_s,
            efficiency,
            access_efficiency: assumed(0.833, LOADS),
            sm_load_gb_per_s: assumed(34.5, LOADS),
            mesh: None,
            has_switch: false,
        }
    }
}

impl Sharing {
    /// How processes share a chip of a compute capability, with the times of GH100.
    pub(super) const fn of(capability: u16) -> Self {
        Self {
            slice_ns: assumed(2_090_600, AS_MEASURED).note("NVIDIA's open kernel modules set 1,024 µs"),
            switch_ns: assumed(153_000, AS_MEASURED),
            preempts: if capability >= 600 {
                web(
                    true,
                    "Pascal GP100 white paper, as quoted: preemption at an instruction",
                )
            } else {
                assumed(
                    false,
                    "before Pascal, no document read describes an interruption of a running block",
                )
            },
            mps_clients: if capability >= 700 {
                vendor(48, "Volta Tuning Guide, Multi-Process Service")
            } else if capability >= 350 {
                vendor(16, MPS)
            } else {
                vendor(0, MPS)
            },
            mps_is_direct: vendor(capability >= 700, "Volta Tuning Guide, Multi-Process Service"),
            mps_queues: if capability >= 700 {
                vendor(2, MPS)
            } else {
                assumed(
                    8,
                    "the default of one process, for all clients of the server together",
                )
            },
        }
    }
}

impl Architecture {
    /// The host's side of the GPU.
    pub const fn host(&self) -> Host {
        self.host
    }

    /// SMs that a client of the Multi-Process Service can use with a percentage of the threads.
    ///
    /// Measured on an H100 (`tests/golden/clients_h100.csv`): whole TPCs, rounded down, and at least 8 SMs.
    pub fn sms_of_percent(&self, percent: u32) -> u16 {
        let num_sms = self.chip.num_sms.value;
        let per_tpc = self.floor().sms_per_tpc.value.max(1);
        let share = u32::from(num_sms) * percent.min(100) / 100;
        let whole = u16::try_from(share).unwrap_or(num_sms) / per_tpc * per_tpc;
        whole.max(8).min(num_sms)
    }
}
