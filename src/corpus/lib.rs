//! The reader of corpus folders: kernels whose outputs and counts were measured on a real GPU, and the
//! comparison of buffers with them. The command line and the compiler's tests use it.

#![allow(clippy::disallowed_methods, reason = "a corpus is a folder of files")]

pub mod cases;
pub mod compare;
