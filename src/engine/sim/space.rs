//! The memory space and offset of an address.

use crate::isa::{Space, window};

/// A location in one of the memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Address in global memory.
    Global(u64),
    /// Offset in the block's shared memory.
    Shared(u64),
    /// Offset in the thread's local memory.
    Local(u64),
}

/// The location of an address in a space; the windows decide the space of a generic address.
pub const fn place(space: Space, address: u64, pointer_bits: u32) -> Place {
    match space {
        Space::Global => Place::Global(address),
        Space::Shared => Place::Shared(address),
        Space::Local => Place::Local(address),
        Space::Generic => {
            let (shared, local) = if pointer_bits == 32 {
                (window::SHARED_32, window::LOCAL_32)
            } else {
                (window::SHARED, window::LOCAL)
            };
            if address.wrapping_sub(shared) < window::SIZE {
                Place::Shared(address - shared)
            } else if address.wrapping_sub(local) < window::SIZE {
                Place::Local(address - local)
            } else {
                Place::Global(address)
            }
        }
    }
}
