//! Constant memory: one request for each distinct address.

use serde::Serialize;

use super::{lanes_from, lanes_of};
use crate::arch::{Architecture, CoalescingRule};
use crate::ids::LaneMask;

/// One request of a constant load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ConstantRequest {
    /// The byte address.
    pub address: u32,
    /// The lanes that the request serves.
    pub lanes: LaneMask,
}

/// The requests of a warp's constant load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConstantAccess {
    /// The requests in service order, which is the order of their first lanes.
    pub requests: Vec<ConstantRequest>,
}

/// Returns the requests of a warp's constant load: one for each distinct address, per half-warp on 1.x (Programming
/// Guide 4.2, 5.3.2.4).
pub fn constant(arch: &Architecture, addresses: &[u32; 32], mask: LaneMask) -> ConstantAccess {
    let mut requests: Vec<ConstantRequest> = Vec::new();
    for group in groups(arch) {
        let first = requests.len();
        for lane in lanes_of(mask.0 & group) {
            let address = addresses[lane];
            let bit = 1 << lane;
            match requests[first..]
                .iter_mut()
                .find(|request| request.address == address)
            {
                Some(request) => request.lanes.0 |= bit,
                None => requests.push(ConstantRequest {
                    address,
                    lanes: LaneMask(bit),
                }),
            }
        }
    }
    ConstantAccess { requests }
}

/// Returns the number of requests of a warp's constant load.
pub fn constant_requests(arch: &Architecture, addresses: &[u32; 32], mask: LaneMask) -> u32 {
    let mut num = 0;
    for group in groups(arch) {
        let mut left = mask.0 & group;
        while left != 0 {
            let address = addresses[left.trailing_zeros() as usize];
            for lane in lanes_of(left) {
                if addresses[lane] == address {
                    left &= !(1 << lane);
                }
            }
            num += 1;
        }
    }
    num
}

/// Returns the groups of lanes whose addresses are compared with each other.
fn groups(arch: &Architecture) -> impl Iterator<Item = u32> {
    let lanes = match arch.memory.coalescing.value {
        CoalescingRule::HalfWarpStrict | CoalescingRule::HalfWarpSegments => 16,
        _ => 32,
    };
    (0..32 / lanes).map(move |group| lanes_from(group * lanes, lanes))
}
