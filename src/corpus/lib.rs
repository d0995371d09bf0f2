//! Reads corpus folders of kernels with outputs and counts measured on a GPU, and compares buffers with the expected
//! outputs. The command line and the compiler's tests use this package.

#![expect(clippy::disallowed_methods, reason = "a corpus is a folder of files")]

pub mod cases;
pub mod compare;

/// Whether tests take every row of tables that take minutes, not a share of them: `cargo xtask endure` does, by
/// `WARPSCOPE_ALL_ROWS`.
pub fn takes_all_rows() -> bool {
    std::env::var_os("WARPSCOPE_ALL_ROWS").is_some()
}
