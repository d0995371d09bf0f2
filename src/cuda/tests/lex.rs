//! Tokens.

use cuda::lex::{Character, TokenKind, literal_bytes, parse_char, tokens};

fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
    tokens(text)
        .into_iter()
        .map(|token| (token.kind, token.text(text)))
        .collect()
}

#[test]
fn prefixes_belong_to_literals() {
    assert_eq!(
        kinds("u8\"a\" L'b' u 'c' R\"x(\")\\\n)x\" Ru\"d\""),
        [
            (TokenKind::Str, "u8\"a\""),
            (TokenKind::Char, "L'b'"),
            (TokenKind::Ident, "u"),
            (TokenKind::Char, "'c'"),
            (TokenKind::Str, "R\"x(\")\\\n)x\""),
            (TokenKind::Ident, "Ru"),
            (TokenKind::Str, "\"d\""),
        ]
    );
    assert_eq!(
        kinds("R\"(never closed"),
        [(TokenKind::Unknown, "R\"(never closed")]
    );
    assert_eq!(literal_bytes("R\"x(\")\\\n)x\"").unwrap(), b"\")\\\n");
    assert_eq!(
        literal_bytes("\"one\\\ntwo\\\r\nthree\"").unwrap(),
        b"onetwothree"
    );
    assert!(literal_bytes("L\"wide\"").is_err());
}

#[test]
fn characters_have_the_values_of_their_prefix() {
    assert_eq!(parse_char("'x'"), Ok(Character::Narrow(b'x' as i8)));
    assert_eq!(parse_char("u'\u{e9}'"), Ok(Character::Short(0xe9)));
    assert_eq!(parse_char("U'\\U0001F600'"), Ok(Character::Long(0x1_f600)));
    assert_eq!(parse_char("L'\\n'"), Ok(Character::Wide(10)));
    assert!(parse_char("u8'\u{e9}'").is_err());
    assert!(parse_char("u'\u{1f600}'").is_err());
    assert!(parse_char("'\u{e9}'").is_err());
}
