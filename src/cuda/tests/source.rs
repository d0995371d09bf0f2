//! Places in a source.

use cuda::source::Source;

#[test]
fn columns_count_characters() {
    let line = "aé€𝄞 ".repeat(40);
    let text = format!("{line}\n\n{line}");
    let source = Source::new(&text);
    for (start, _) in text.char_indices().chain([(text.len(), ' ')]) {
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let span = source.span(start as u32, start as u32);
        let column = before[line_start..].chars().count() as u32 + 1;
        assert_eq!(
            (span.line, span.column),
            (before.matches('\n').count() as u32 + 1, column)
        );
    }
    assert_eq!(Source::new("").span(0, 0).column, 1);
}
