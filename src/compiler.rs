//! The CUDA C compiler as a package over the engine's architectures and instructions.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::print_stdout,
        clippy::unwrap_used,
        reason = "tests read their tables from files"
    )
)]

use warpscope_engine::{arch, files, ids, isa, launch, printf, sim};

pub mod cuda;

#[cfg(test)]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the command line's, of which tests use a part"
)]
mod cli {
    //! The reader of corpus folders, for tests.
    pub(crate) mod corpus {
        pub(crate) mod cases;
        pub(crate) mod compare;
    }
}
