//! What lies between the host and the GPUs: copy engines, work queues, the costs of calls and copies, PCIe, and NVLink.

use super::sourced::{Sourced, assumed, derived, measured, repository, vendor, web};
use super::{ArchId, Architecture};

/// The host's side of a GPU.
#[derive(Clone, Copy, Debug)]
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
#[derive(Clone, Copy, Debug)]
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
}

/// How processes share a GPU.
#[derive(Clone, Copy, Debug)]
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

/// The source of measurements of calls, copies, and streams.
const HOST: &str = "H100, host.cu";
/// The source of measurements of processes.
const CLIENTS: &str = "H100, clients.cu and slices.cu";
const AS_MEASURED: &str =
    "as measured on an H100: no source for this chip was read, and the host has a large part in it";
const MPS: &str = "Multi-Process Service documentation, 2.3.5 and 3.2";
const CSCS: &str = "ReFrame reference values of CSCS, kernel latency";

impl Architecture {
    /// The host's side of the GPU.
    pub fn host(&self) -> Host {
        let id = self.id;
        let [launch, wait] = launch_ns(id);
        let ns = |value| as_measured(id, value, HOST);
        Host {
            copy_engines: copy_engines(id),
            work_queues: work_queues(self),
            launch_call_ns: launch,
            launch_and_wait_ns: wait,
            copy_call_ns: ns(1292),
            other_call_ns: ns(151),
            gap_ns: ns(1760),
            event_gap_ns: ns(2144),
            copy_latency_ns: ns(4900),
            pinned_gb_per_s: pinned(id),
            pageable_gb_per_s: pageable(id),
            pcie_gb_per_s: pcie(id),
            nvlink: nvlink(id),
            sharing: sharing(self),
        }
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

/// A time in nanoseconds that was measured on GH100, and that other chips are assumed to share.
fn as_measured(id: ArchId, value: u32, source: &'static str) -> Sourced<u32> {
    if id == ArchId::Gh100 {
        measured(value, source)
    } else {
        assumed(value, AS_MEASURED)
    }
}

fn copy_engines(id: ArchId) -> Sourced<u8> {
    match id {
        ArchId::G80 => vendor(0, "Programming Guide 4.2, 3.2.5.2"),
        ArchId::Gt200 => derived(
            1,
            "Programming Guide 4.2, 3.2.5.2",
            "it overlaps copies with kernels, but not two copies",
        ),
        ArchId::Gf100 => web(1, "OpenGL Insights, chapter 29, abstract")
            .note("taken for the GTX 480; some devices of 2.x have two (Programming Guide 4.2, 3.2.5.4)"),
        ArchId::Gf104 => web(1, "OpenGL Insights, chapter 29, abstract")
            .note("taken for the GTX 460; some devices of 2.x have two (Programming Guide 4.2, 3.2.5.4)"),
        ArchId::Gk110 => web(2, "deviceQuery outputs, Tesla K40c"),
        ArchId::Gm204 => assumed(
            2,
            "as on the chips before and after it; no output of deviceQuery was read",
        ),
        ArchId::Gp100 => web(3, "deviceQuery outputs, Tesla P100"),
        ArchId::Gp104 => derived(2, "deviceQuery outputs, GTX 1080 Ti", "taken over from GP102"),
        ArchId::Gv100 => assumed(3, "as on GP100; a V100 in a POWER9 computer reports 4"),
        ArchId::Tu102 => assumed(2, "as on the GeForce chips before and after it"),
        ArchId::Ga100 => web(3, "deviceQuery outputs, A100 SXM4"),
        ArchId::Ga102 => web(2, "deviceQuery outputs, RTX 3090"),
        ArchId::Ad102 => web(2, "deviceQuery outputs, RTX 4090"),
        ArchId::Gh100 => measured(3, HOST),
    }
}

fn work_queues(arch: &Architecture) -> Sourced<u8> {
    if arch.compute_capability.number() >= 350 {
        vendor(32, "Programming Guide 12.6, Table 24")
    } else {
        web(1, "simpleHyperQ of the CUDA samples, README")
    }
}

fn launch_ns(id: ArchId) -> [Sourced<u32>; 2] {
    match id {
        ArchId::Gp100 => [repository(2200, CSCS), repository(6600, CSCS)],
        ArchId::Gv100 => [repository(1830, CSCS), repository(7150, CSCS)],
        ArchId::Ga100 => [repository(2700, CSCS), repository(9650, CSCS)],
        ArchId::Gh100 => [
            measured(4916, "H200, device.cu")
                .note("streams_ms: 95 further launches take 467 µs; 3,119 ns on an H100"),
            derived(9724, HOST, "4,808 ns besides the call, as on an H100"),
        ],
        _ => [assumed(3119, AS_MEASURED), assumed(7927, AS_MEASURED)],
    }
}

fn pcie(id: ArchId) -> Sourced<f64> {
    const WHY: &str =
        "lanes times rate times encoding; the generation of the slot was not read in a document";
    match id {
        ArchId::G80 => assumed(4.0, WHY),
        ArchId::Gt200 | ArchId::Gf100 | ArchId::Gf104 => assumed(8.0, WHY),
        ArchId::Gk110 | ArchId::Gm204 | ArchId::Gp104 => assumed(15.75, WHY),
        ArchId::Gp100 | ArchId::Gv100 | ArchId::Tu102 => web(
            15.75,
            "deviceQuery outputs, articles on the P100, V100, and RTX 2080 Ti: PCIe 3.0 with 16 lanes",
        ),
        ArchId::Ga100 => vendor(31.5, "A100 white paper"),
        ArchId::Ga102 | ArchId::Ad102 => assumed(31.5, WHY),
        ArchId::Gh100 => measured(63.0, "H100, host.cu, nvidia-smi"),
    }
}

fn pinned(id: ArchId) -> Sourced<f64> {
    const GEN3: &str = "Best Practices Guide, 10.1.1";
    match id {
        ArchId::Gk110 => repository(11.3, "bandwidthTest outputs, Tesla K80"),
        ArchId::Gm204 | ArchId::Gp104 => vendor(12.0, GEN3),
        ArchId::Gp100 => repository(11.9, "ReFrame reference values of CSCS, memory bandwidth"),
        ArchId::Gv100 => repository(13.2, "ReFrame reference values of CSCS, memory bandwidth"),
        ArchId::Tu102 => repository(12.3, "bandwidthTest outputs, RTX 2080 Ti"),
        ArchId::Ga100 => repository(25.5, "ReFrame reference values of CSCS, memory bandwidth"),
        ArchId::Ga102 | ArchId::Ad102 => assumed(25.5, "as on the A100, which has the same PCIe link"),
        ArchId::Gh100 => measured(55.3, HOST),
        _ => assumed(
            0.8 * pcie(id).value,
            "80 % of the PCIe link, as on later cards; no measurement of this card was read",
        ),
    }
}

fn pageable(id: ArchId) -> Sourced<f64> {
    match id {
        ArchId::Gk110 => repository(9.1, "bandwidthTest outputs, Tesla K80"),
        ArchId::Ga100 => repository(10.0, "bandwidthTest outputs, DGX A100"),
        ArchId::Gh100 => measured(16.9, HOST),
        _ => assumed(
            0.5 * pinned(id).value,
            "half of page-locked memory; hosts differ from 0.3 to 0.9",
        ),
    }
}

fn nvlink(id: ArchId) -> Option<NvLink> {
    let (num_links, link_gb_per_s, efficiency) = match id {
        ArchId::Gp100 => (
            vendor(4, "V100 white paper"),
            vendor(20.0, "V100 white paper"),
            repository(0.92, "Tartan, logs of a DGX-1 with P100"),
        ),
        ArchId::Gv100 => (
            vendor(6, "Volta Tuning Guide, NVLink"),
            vendor(25.0, "Volta Tuning Guide, NVLink"),
            derived(0.96, "Jia et al. 2018", "47.99 GB/s over two links"),
        ),
        ArchId::Tu102 => (
            web(2, "Turing white paper, copy of its text"),
            web(25.0, "Turing white paper, copy of its text"),
            assumed(0.96, "as on GV100, which has the same links"),
        ),
        ArchId::Ga100 => (
            vendor(12, "A100 white paper"),
            vendor(25.0, "A100 white paper"),
            repository(0.94, "ReFrame reference values of CSCS, memory bandwidth").note("282 GB/s"),
        ),
        ArchId::Ga102 => (
            web(4, "GA102 white paper, quotation"),
            web(14.0625, "GA102 white paper, quotation"),
            assumed(0.94, "as on GA100"),
        ),
        ArchId::Gh100 => (
            measured(18, HOST),
            web(25.0, "H100 white paper, copy of its text"),
            measured(0.883, HOST).note("397.4 of 450 GB/s"),
        ),
        _ => return None,
    };
    let loads = |value: f64, why: &'static str| {
        if id == ArchId::Gh100 {
            measured(value, "H200, device.cu").note(why)
        } else {
            assumed(value, "as measured on an H200: no source for this chip was read")
        }
    };
    Some(NvLink {
        access_efficiency: loads(0.833, "peer_load_gb_s: 374.8 of 450 GB/s with 132 SMs"),
        sm_load_gb_per_s: loads(
            34.5,
            "peer_load_gb_s: one block of 1,024 threads, 16 bytes a load",
        ),
        num_links,
        link_gb_per_s,
        efficiency,
    })
}

fn sharing(arch: &Architecture) -> Sharing {
    let since = |number| arch.compute_capability.number() >= number;
    let ns = |value| as_measured(arch.id, value, CLIENTS);
    Sharing {
        slice_ns: ns(2_090_600).note("NVIDIA's open kernel modules set 1,024 µs"),
        switch_ns: ns(153_000),
        preempts: if since(600) {
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
        mps_clients: if since(700) {
            vendor(48, "Volta Tuning Guide, Multi-Process Service")
        } else if since(350) {
            vendor(16, MPS)
        } else {
            vendor(0, MPS)
        },
        mps_is_direct: vendor(since(700), "Volta Tuning Guide, Multi-Process Service"),
        mps_queues: if since(700) {
            vendor(2, MPS)
        } else {
            assumed(
                8,
                "the default of one process, for all clients of the server together",
            )
        },
    }
}
