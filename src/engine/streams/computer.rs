//! Computers with one to eight GPUs: which links connect them, and which way a copy takes.

use serde::{Deserialize, Serialize};

use super::calls::CopyEnd;
use crate::arch::Architecture;

/// A computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Computer {
    /// One GPU on PCIe.
    #[default]
    OneGpu,
    /// Two GPUs behind one PCIe switch.
    TwoPcie,
    /// Two GPUs that NVLink connects with all their links.
    TwoNvLink,
    /// Eight GPUs in a hybrid cube mesh of NVLink, two behind each PCIe switch: DGX-1.
    CubeMesh,
    /// Eight GPUs behind NVSwitch.
    NvSwitch,
}

/// A link in one direction, which operations share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Link {
    /// From the host to a GPU, over the GPU's PCIe link.
    Down(u8),
    /// From a GPU to the host.
    Up(u8),
    /// From the host to a PCIe switch.
    SwitchDown(u8),
    /// From a PCIe switch to the host.
    SwitchUp(u8),
    /// The NVLinks from a GPU to another.
    NvLink(u8, u8),
    /// All NVLinks from a GPU to the switch.
    ToSwitch(u8),
    /// All NVLinks from the switch to a GPU.
    FromSwitch(u8),
    /// Device memory of a GPU, for copies within it.
    Memory(u8),
}

/// The way of a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The links.
    pub links: Vec<Link>,
    /// The most that the copy itself reaches, in GB/s.
    pub gb_per_s: f64,
    /// The time in addition to the time of its bytes, in nanoseconds.
    pub latency_ns: u64,
    /// Bytes at the start that travel at `first_gb_per_s`, because their two halves of the way do not overlap.
    pub first_bytes: u64,
    /// See `first_bytes`.
    pub first_gb_per_s: f64,
}

impl Computer {
    /// All computers, in the order of the page.
    pub const ALL: [Self; 5] = [
        Self::OneGpu,
        Self::TwoPcie,
        Self::TwoNvLink,
        Self::CubeMesh,
        Self::NvSwitch,
    ];

    /// The id in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::OneGpu => "one",
            Self::TwoPcie => "pcie2",
            Self::TwoNvLink => "nvlink2",
            Self::CubeMesh => "dgx1",
            Self::NvSwitch => "nvswitch8",
        }
    }

    /// The display name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::OneGpu => "one GPU",
            Self::TwoPcie => "2 GPUs, PCIe",
            Self::TwoNvLink => "2 GPUs, NVLink",
            Self::CubeMesh => "8 GPUs, DGX-1",
            Self::NvSwitch => "8 GPUs, NVSwitch",
        }
    }

    /// The document that states how the GPUs are connected.
    pub const fn source(self) -> &'static str {
        match self {
            Self::OneGpu | Self::TwoPcie => "assumption: GPUs behind one PCIe switch",
            Self::TwoNvLink => "Volta Tuning Guide, NVLink",
            Self::CubeMesh => "nvidia-smi topo -m of a DGX-1, published listings",
            Self::NvSwitch => "nvidia-smi topo -m of systems with NVSwitch, published listings",
        }
    }

    /// Whether computers of this kind have this chip.
    pub fn exists_with(self, arch: &Architecture) -> bool {
        match self {
            Self::OneGpu | Self::TwoPcie => true,
            Self::TwoNvLink => arch.host().nvlink.is_some(),
            Self::CubeMesh => arch.host().nvlink.is_some_and(|nvlink| nvlink.mesh.is_some()),
            Self::NvSwitch => arch.host().nvlink.is_some_and(|nvlink| nvlink.has_switch),
        }
    }

    /// This computer, or the nearest one that exists with the chip: of two GPUs, or one.
    #[must_use]
    pub fn with(self, arch: &Architecture) -> Self {
        if self.exists_with(arch) {
            self
        } else {
            Self::TwoPcie
        }
    }

    /// The number of GPUs.
    pub const fn num_gpus(self) -> u8 {
        match self {
            Self::OneGpu => 1,
            Self::TwoPcie | Self::TwoNvLink => 2,
            Self::CubeMesh | Self::NvSwitch => 8,
        }
    }

    /// NVLinks that connect two GPUs directly.
    pub fn links_between(self, arch: &Architecture, a: u8, b: u8) -> u8 {
        let nvlink = arch.host().nvlink;
        let (row, column) = (usize::from(a) % 8, usize::from(b) % 8);
        match self {
            _ if a == b => 0,
            Self::OneGpu | Self::TwoPcie => 0,
            Self::TwoNvLink | Self::NvSwitch => nvlink.map_or(0, |nvlink| nvlink.num_links.value),
            Self::CubeMesh => nvlink
                .and_then(|nvlink| nvlink.mesh)
                .map_or(0, |mesh| mesh[row][column]),
        }
    }

    /// Whether a GPU can access the memory of another (`cudaDeviceCanAccessPeer`): over NVLink, or behind the same PCIe
    /// switch. Peer access needs compute capability 2.0 (Programming Guide 4.2, 3.2.6.4).
    pub fn can_access(self, arch: &Architecture, a: u8, b: u8) -> bool {
        let has_switch = self == Self::TwoPcie || (self == Self::CubeMesh && a / 2 == b / 2);
        a != b
            && a.max(b) < self.num_gpus()
            && arch.compute_capability.number() >= 200
            && (self.links_between(arch, a, b) > 0 || has_switch)
    }

    /// For each GPU, a bit per GPU whose memory it can access.
    pub fn peers(self, arch: &Architecture) -> Vec<u64> {
        let num = self.num_gpus();
        (0..num)
            .map(|a| {
                (0..num)
                    .map(|b| u64::from(self.can_access(arch, a, b)) << b)
                    .sum()
            })
            .collect()
    }

    /// The bandwidth of a link, in GB/s.
    pub fn link_gb_per_s(self, arch: &Architecture, link: Link) -> f64 {
        let host = arch.host();
        let nvlinks = |num: u8| {
            host.nvlink.map_or(0.0, |nvlink| {
                f64::from(num) * nvlink.link_gb_per_s.value * nvlink.efficiency.value
            })
        };
        match link {
            Link::Down(_) | Link::Up(_) | Link::SwitchDown(_) | Link::SwitchUp(_) => {
                host.pinned_gb_per_s.value
            }
            Link::NvLink(a, b) => nvlinks(self.links_between(arch, a, b)),
            Link::ToSwitch(_) | Link::FromSwitch(_) => {
                nvlinks(host.nvlink.map_or(0, |link| link.num_links.value))
            }
            // A copy reads and writes (measured on an H100: 1,466 GB/s, 88 % of half the bandwidth of device memory).
            Link::Memory(_) => arch.chip.dram_gb_per_s.value * 0.44,
        }
    }

    /// The links that a kernel's loads from another GPU's memory take, from that GPU to its own, or its stores, from its own
    /// GPU to the other. Peer access is enabled.
    pub fn peer_links(self, arch: &Architecture, from: u8, to: u8) -> Vec<Link> {
        self.route(arch, CopyEnd::Gpu(from), CopyEnd::Gpu(to), 0, true)
            .links
    }

    /// The bandwidth that the loads and stores of kernels reach on a link, in GB/s.
    pub fn access_gb_per_s(self, arch: &Architecture, link: Link) -> f64 {
        let copies = self.link_gb_per_s(arch, link);
        match arch.host().nvlink {
            Some(nvlink) if !matches!(link, Link::Up(_) | Link::Down(_)) => {
                copies * nvlink.access_efficiency.value / nvlink.efficiency.value
            }
            _ => copies,
        }
    }

    fn down(self, gpu: u8) -> Vec<Link> {
        match self {
            Self::CubeMesh | Self::TwoPcie => vec![Link::SwitchDown(gpu / 2), Link::Down(gpu)],
            _ => vec![Link::Down(gpu)],
        }
    }

    fn up(self, gpu: u8) -> Vec<Link> {
        match self {
            Self::CubeMesh | Self::TwoPcie => vec![Link::Up(gpu), Link::SwitchUp(gpu / 2)],
            _ => vec![Link::Up(gpu)],
        }
    }

    /// The way of a copy; `is_peer`: peer access between the two GPUs is enabled.
    pub fn route(self, arch: &Architecture, from: CopyEnd, to: CopyEnd, bytes: u64, is_peer: bool) -> Route {
        let host = arch.host();
        let plain = |links: Vec<Link>, latency_ns: u64| Route {
            gb_per_s: links
                .iter()
                .map(|link| self.link_gb_per_s(arch, *link))
                .fold(f64::INFINITY, f64::min),
            links,
            latency_ns,
            first_bytes: 0,
            first_gb_per_s: 1.0,
        };
        let latency = u64::from(host.copy_latency_ns.value);
        match (from, to) {
            (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) if a == b => plain(vec![Link::Memory(a)], 5_800),
            (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) if is_peer && self.links_between(arch, a, b) > 0 => {
                let links = match self {
                    Self::NvSwitch => vec![Link::ToSwitch(a), Link::FromSwitch(b)],
                    _ => vec![Link::NvLink(a, b)],
                };
                plain(links, PEER_LATENCY_NS)
            }
            // Behind one PCIe switch, without the host.
            (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) if is_peer => {
                plain(vec![Link::Up(a), Link::Down(b)], PEER_LATENCY_NS)
            }
            (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) => self.staged(arch, a, b, bytes),
            (CopyEnd::Gpu(gpu), end) | (end, CopyEnd::Gpu(gpu)) => {
                let links = if to == CopyEnd::Gpu(gpu) {
                    self.down(gpu)
                } else {
                    self.up(gpu)
                };
                let mut route = plain(links, latency);
                if end == CopyEnd::Pageable {
                    // Measured on an H100: to 64 KB, 7.3 µs and 46 % of the bandwidth for larger copies.
                    let small = bytes <= 64 << 10;
                    route.gb_per_s = host.pageable_gb_per_s.value * if small { 0.46 } else { 1.0 };
                    route.latency_ns = if small { 7_300 } else { 12_000 };
                }
                route
            }
            _ => plain(Vec::new(), latency),
        }
    }

    /// A copy between GPUs without peer access: through a buffer of the host. The first megabyte travels twice, one
    /// way after the other; later ones overlap. Fitted to `peer_copy_off` of two H200s.
    fn staged(self, arch: &Architecture, a: u8, b: u8, bytes: u64) -> Route {
        let pinned = arch.host().pinned_gb_per_s.value;
        Route {
            links: self.up(a).into_iter().chain(self.down(b)).collect(),
            gb_per_s: 0.7 * pinned,
            latency_ns: if bytes <= 32 << 10 { 15_700 } else { 20_800 },
            first_bytes: bytes.min(1 << 20),
            first_gb_per_s: pinned / 2.0,
        }
    }
}

/// Latency of a copy between GPUs with peer access, in nanoseconds: `peer_copy_on` of two H200s (8,200 on two H100s).
const PEER_LATENCY_NS: u64 = 10_000;
