//! Data as bytes, for messages between threads.

use serde::Serialize;
use serde::de::DeserializeOwned;

use engine::isa::Program;

/// Serializes a program, without its source text.
pub fn pack(program: &Program) -> Vec<u8> {
    to_bytes(program)
}

/// Deserializes a program from [`pack`]; `source` is its source text.
///
/// # Errors
/// A sentence, if the bytes are not a program.
pub fn unpack(bytes: &[u8], source: &str) -> Result<Program, String> {
    let program: Program = from_bytes(bytes)?;
    Ok(Program {
        source: source.to_owned(),
        ..program
    })
}

/// Serializes a message.
pub fn to_bytes(data: &impl Serialize) -> Vec<u8> {
    // Serializing plain data does not fail.
    postcard::to_allocvec(data).unwrap_or_default()
}

/// Deserializes a message from [`to_bytes`].
///
/// # Errors
/// A sentence, if the bytes are not such a message.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("A message between threads is damaged ({error})."))
}
