//! The command line: the library with files and flags around it.

pub mod corpus;
pub mod tesla_reference;
