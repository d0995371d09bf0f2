//! Tables as comma-separated values (RFC 4180), whose cells no spreadsheet reads as formulas.

/// A row with its line break.
pub(crate) fn row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|text| cell(text.as_ref())).collect();
    cells.join(",") + "\n"
}

/// A cell. Names in a kernel are a stranger's text: spreadsheets evaluate a cell that begins with `=`, `+`, `-`, or `@`,
/// or with a tab or a carriage return before one of these. An apostrophe makes the cell text. Numbers stay numbers.
fn cell(text: &str) -> String {
    let is_formula = match text.chars().next() {
        // The last four are the full-width forms, which some spreadsheets read alike.
        Some('=' | '@' | '\t' | '\r' | '\u{ff1d}' | '\u{ff20}' | '\u{ff0b}' | '\u{ff0d}') => true,
        Some('+' | '-') => text.len() > 1 && !is_number(text),
        _ => false,
    };
    let text = if is_formula {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Whether a text is a number as the tables write it: `-1,024`, `+3.5%`, `-1e-9`, or `-inf`.
fn is_number(text: &str) -> bool {
    text.strip_suffix('%')
        .unwrap_or(text)
        .replace(',', "")
        .parse::<f64>()
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_numbers_stay_numbers() {
        for (text, expected) in [
            (
                "=HYPERLINK(\"https://evil.example\")",
                "\"'=HYPERLINK(\"\"https://evil.example\"\")\"",
            ),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-1+cmd", "'-1+cmd"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("-1,024", "\"-1,024\""),
            ("+3.5%", "+3.5%"),
            ("-1e-9", "-1e-9"),
            ("-inf", "-inf"),
            ("-", "-"),
            ("a=b", "a=b"),
            ("two\nlines", "\"two\nlines\""),
        ] {
            assert_eq!(cell(text), expected, "{text}");
        }
        assert_eq!(row(["a", "=b", "-3"]), "a,'=b,-3\n");
    }
}
