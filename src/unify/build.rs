//! Makes Cargo select the features of build dependencies.

fn main() {}
