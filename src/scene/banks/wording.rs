//! How banks share out the words, in words.

use crate::arch::{BankRule, Banks};

/// When banks come again, and what one gives at a time.
pub(in crate::scene) fn repetition(banks: Banks) -> String {
    let words = banks.row_bytes() / 4;
    let gives = match banks.rule {
        BankRule::WarpMulticastWide => "one word of 64 bits at a time",
        BankRule::WarpMulticastRows => "one word at a time, or words i and i + 32 of 64 aligned ones",
        _ => "one word at a time",
    };
    format!("Every {words} words the banks repeat, and a bank gives {gives}")
}

/// Why an access has no conflict.
pub(in crate::scene) const fn freedom(banks: Banks) -> &'static str {
    match banks.rule {
        BankRule::WarpMulticastWide => "No two of them need different 64-bit words of one bank",
        BankRule::WarpMulticastRows => "The words that they need of one bank come together",
        _ => "No two of them need different words of one bank",
    }
}

/// The way from an address to its bank, as rows of facts.
pub(in crate::scene) fn bank_rows(banks: Banks, noun: &str, address: u32) -> [(String, String); 2] {
    let of = match banks.words() {
        1 => "word".to_owned(),
        words => format!("word / {words}"),
    };
    [
        (format!("word = {noun} / 4"), (address / 4).to_string()),
        (
            format!("bank = {of} mod {}", banks.num),
            banks.bank(address).to_string(),
        ),
    ]
}
