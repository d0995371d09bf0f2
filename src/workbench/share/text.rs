//! Kernel text as one value of a link: deflated, then base64 with the alphabet for URLs.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

/// A kernel text of a link has at most this many bytes: a short value can stand for a text of any
/// length.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// The best compression that the deflater has.
const LEVEL: u8 = 10;

/// What is wrong with a packed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Characters that base64 does not have, or a length that it cannot have.
    #[error("it is not base64")]
    NotBase64,
    /// The compressed data end too early or make no sense.
    #[error("its compressed data are cut off or damaged")]
    NotDeflate,
    /// Unpacked, it would be over the limit.
    #[error("it is longer than {} KiB", MAX_BYTES / 1024)]
    TooLong,
    /// Unpacked, it is no text.
    #[error("it is not UTF-8 text")]
    NotText,
}

/// The text as a value.
pub(super) fn pack(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(compress_to_vec(text.as_bytes(), LEVEL))
}

/// The text of a value.
pub(super) fn unpack(value: &str) -> Result<String, Damage> {
    let packed = URL_SAFE_NO_PAD
        .decode(value.trim_end_matches('='))
        .map_err(|_| Damage::NotBase64)?;
    let bytes = decompress_to_vec_with_limit(&packed, MAX_BYTES).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => Damage::TooLong,
        _ => Damage::NotDeflate,
    })?;
    String::from_utf8(bytes).map_err(|_| Damage::NotText)
}
