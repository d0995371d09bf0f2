//! A corpus of kernels with outputs and counts measured on a real GPU.

pub mod cases;
pub mod compare;
