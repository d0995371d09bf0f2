//! The text of string literals.

use cuda::lex::{Encoding, Strings};

fn text(parts: &[&str]) -> Result<(Encoding, Vec<u32>), String> {
    let mut strings = Strings::default();
    for part in parts {
        strings.push(part)?;
    }
    let text = strings.text()?;
    assert_eq!(text.len(), text.elements().count());
    Ok((text.encoding, text.elements().collect()))
}

#[test]
fn prefixes_give_the_elements_their_width() {
    let smile = [0xf0, 0x9f, 0x98, 0x80];
    assert_eq!(text(&["\"\u{1f600}\""]), Ok((Encoding::Narrow, smile.into())));
    assert_eq!(text(&["u8\"\\U0001F600\""]), Ok((Encoding::Narrow, smile.into())));
    assert_eq!(
        text(&["u\"a\u{1f600}\""]),
        Ok((Encoding::Short, vec![0x61, 0xd83d, 0xde00]))
    );
    assert_eq!(
        text(&["L\"\u{e9}\\xffff\\101\""]),
        Ok((Encoding::Wide, vec![0xe9, 0xffff, 0x41]))
    );
    assert_eq!(text(&["UR\"(\\n)\""]), Ok((Encoding::Long, vec![0x5c, 0x6e])));
}

#[test]
fn adjacent_strings_have_one_width() {
    assert_eq!(
        text(&["\"a\\xe9\"", "L\"b\""]),
        Ok((Encoding::Wide, vec![0x61, 0xe9, 0x62]))
    );
    assert!(text(&["u\"a\"", "L\"b\""]).is_err());
    assert!(text(&["\"\\x100\""]).is_err());
    assert!(text(&["u\"\\x10000\""]).is_err());
    assert!(text(&["\"\\u12\""]).is_err());
}
