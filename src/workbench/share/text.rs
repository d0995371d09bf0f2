//! The kernel's source as one value of a link: deflated, then in base64 with the URL alphabet.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

use engine::files;

/// Size limit of a link's source text in bytes. A short compressed value can expand to a text of any
/// length.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// Limit of all texts of a link together, in bytes, whether unpacked or repeated by a chapter. A chapter of 350
/// characters can unpack to 256 KB. Assumption: 16 sources of the largest size are enough for a lecture.
const MAX_TOTAL: usize = 4 << 20;
/// Limit of files in a source. Assumption: four times what a drop accepts.
pub(crate) const MAX_FILES: usize = 256;

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
    /// All texts of the link together exceed the limit.
    #[error("the sources of the link have more than {} MB in total", MAX_TOTAL >> 20)]
    TooLongInTotal,
    /// The text has more files than the limit.
    #[error("it has more than {} files", MAX_FILES)]
    TooManyFiles,
    /// The unpacked data are not text.
    #[error("it is not UTF-8 text")]
    NotText,
}

/// The text as a value.
pub(super) fn pack(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(compress_to_vec(text.as_bytes(), LEVEL))
}

/// The bytes of text that a link may still unpack.
#[derive(Debug)]
pub(super) struct TextBudget(usize);

impl Default for TextBudget {
    fn default() -> Self {
        Self(MAX_TOTAL)
    }
}

impl TextBudget {
    /// The text of a value.
    ///
    /// # Errors
    /// Why the text is rejected.
    pub(super) fn unpack(&mut self, value: &str) -> Result<String, Damage> {
        if self.0 == 0 {
            return Err(Damage::TooLongInTotal);
        }
        let text = unpack(value)?;
        if files::split(&text).len() > MAX_FILES {
            return Err(Damage::TooManyFiles);
        }
        self.take(&text)?;
        Ok(text)
    }

    /// Counts a text.
    ///
    /// # Errors
    /// The total exceeds the limit. No later text is accepted, so that the work for a link stays bounded.
    pub(super) fn take(&mut self, text: &str) -> Result<(), Damage> {
        let left = self.0.checked_sub(text.len());
        self.0 = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Damage::TooLongInTotal)
    }
}

/// The text of a value.
fn unpack(value: &str) -> Result<String, Damage> {
    let packed = URL_SAFE_NO_PAD
        .decode(value.trim_end_matches('='))
        .map_err(|_| Damage::NotBase64)?;
    let bytes = decompress_to_vec_with_limit(&packed, MAX_BYTES).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => Damage::TooLong,
        _ => Damage::NotDeflate,
    })?;
    String::from_utf8(bytes).map_err(|_| Damage::NotText)
}
