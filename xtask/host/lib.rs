//! A server of static files on this machine, with the headers that the built page lists for its host.

mod host;

pub use host::Host;

/// An error, as a sentence.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
