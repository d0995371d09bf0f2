//! The lower layers of Warpscope: architectures, access rules, instructions, the simulator and the
//! trace. A package of their own so that the page can compile them for speed and the rest for size;
//! `lib.rs` passes them on, and unit tests of all layers are the library's.

pub mod ids;
pub mod files;
pub mod arch;
pub mod access;
pub mod isa;
pub mod launch;
pub mod printf;
pub mod sim;
pub mod trace;
