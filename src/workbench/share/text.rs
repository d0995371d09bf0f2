//! The kernel's source as one value of a link: deflated, then in base64 with the URL alphabet.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

/// Size limit of a link's source text in bytes. A short compressed value can expand to a text of any
/// length.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// The highest compression level.
const LEVEL: u8 = 10;

/// Why a packed text is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Characters or a length that base64 does not allow.
    #[error("it is not base64")]
    NotBase64,
    /// The compressed data end early or are invalid.
    #[error("its compressed data are truncated or damaged")]
    NotDeflate,
    /// The unpacked text exceeds the limit.
    #[error("it is longer than {} KB", MAX_BYTES / 1024)]
    TooLong,
    /// The unpacked data are not text.
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
