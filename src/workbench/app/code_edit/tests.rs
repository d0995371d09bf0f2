//! Texts with `|` at the cursor, or around the selection.

use super::*;
use crate::app::Fix;
use engine::ids::Span;
use proptest::prelude::*;

fn marked(text: &str) -> (String, Range<usize>) {
    let start = text.find('|').unwrap();
    let end = text.rfind('|').unwrap();
    let plain = text.replace('|', "");
    (plain, start..if end > start { end - 1 } else { start })
}

fn check(edit: impl Fn(&str, Range<usize>) -> Edit, before: &str, after: &str) {
    let (text, selection) = marked(before);
    let edit = edit(&text, selection);
    let mut new = edit.apply(&text);
    if edit.select.end > edit.select.start {
        new.insert(edit.select.end, '|');
    }
    new.insert(edit.select.start, '|');
    assert_eq!(new, after, "{before}");
}

#[test]
fn tab_indents_to_the_next_level() {
    check(indent, "|", "    |");
    check(indent, "ab|c", "ab  |c");
    check(indent, "if (x)\n  y;\n|z", "if (x)\n  y;\n  |z");
    check(indent, "if (x)\n\ty;\n|z", "if (x)\n\ty;\n\t|z");
    check(indent, "|a\n\n  b|\nc", "|  a\n\n    b|\nc");
    check(indent, "|a\nb\n|c", "|    a\n    b\n|c");
}

#[test]
fn shift_tab_removes_a_level() {
    check(outdent, "    a|", "a|");
    check(outdent, "  a|b", "a|b");
    check(outdent, "|a", "|a");
    check(outdent, "|        a\n  b\n\tc|", "|      a\nb\nc|");
}

#[test]
fn enter_keeps_the_indentation_and_indents_after_a_bracket() {
    check(enter, "    a;|", "    a;\n    |");
    check(enter, "  if (x) {|", "  if (x) {\n    |");
    check(enter, "{|}", "{\n    |\n}");
    check(enter, "  f(|a", "  f(\n    |a");
    check(enter, "a|b\nc|d", "a\n|d");
}

#[test]
fn a_closing_brace_aligns_with_its_opening_line() {
    let closed = |text: &str, selection| close_brace(text, selection).unwrap();
    check(closed, "  if (x) {\n    y;\n    |", "  if (x) {\n    y;\n  }|");
    check(closed, "{\n  // {\n      |", "{\n  // {\n}|");
    assert_eq!(close_brace("{ a", 3..3), None);
    assert_eq!(close_brace("  ", 2..2), None);
}

#[test]
fn comments_are_toggled_at_one_column() {
    check(toggle_comment, "  a|;", "  // a|;");
    check(toggle_comment, "|  a;\n\n    b;|", "|  // a;\n\n  //   b;|");
    check(toggle_comment, "|  // a;\n\n  //   b;|", "|  a;\n\n    b;|");
    check(toggle_comment, "//a|", "a|");
    check(toggle_comment, "|\n", "|\n");
}

#[test]
fn lines_are_moved_and_duplicated() {
    let up = |text: &str, selection| move_lines(text, selection, true).unwrap();
    let down = |text: &str, selection| move_lines(text, selection, false).unwrap();
    check(up, "a\nb|c\nd", "b|c\na\nd");
    check(down, "a\nb|c\nd", "a\nd\nb|c");
    check(down, "|a\nb|\nc", "c\n|a\nb|");
    assert_eq!(move_lines("a\nb", 0..0, true), None);
    assert_eq!(move_lines("a\nb", 3..3, false), None);
    check(duplicate_lines, "a|\nb", "a\na|\nb");
}

#[test]
fn brackets_match_except_in_comments_and_strings() {
    let text = "f(a[1], ')') { /* } */ }";
    let at = |what: &str| text.find(what).unwrap();
    assert_eq!(matching_brackets(text, at("(a")), Some((1, at(") {"))));
    assert_eq!(matching_brackets(text, at(") {") + 1), Some((1, at(") {"))));
    assert_eq!(matching_brackets(text, at("[1")), Some((at("[1"), at("]"))));
    assert_eq!(
        matching_brackets(text, at("{ /*")),
        Some((at("{ /*"), text.len() - 1))
    );
    assert_eq!(matching_brackets(text, at("} */")), None);
    assert_eq!(matching_brackets("(]", 0), None);
}

#[test]
fn capital_letters_make_the_search_case_sensitive() {
    let text = "int Tile; // tile TILE";
    assert_eq!(find(text, "tile").len(), 3);
    assert!(find(text, "Tile").into_iter().eq(std::iter::once(4..8)));
    assert_eq!(find("größe größe", "größe").len(), 2);
    assert!(find(text, "").is_empty() && find(text, "none").is_empty());
    let found = find(text, "tile");
    assert_eq!(
        (next_from(&found, 5), next_from(&found, 22), next_from(&[], 0)),
        (Some(1), Some(0), None)
    );
}

#[test]
fn all_matches_are_replaced_in_one_edit() {
    let edit = replace_all("a1 a2 a3;", "a", "bb").unwrap();
    assert_eq!(edit.apply("a1 a2 a3;"), "bb1 bb2 bb3;");
    assert_eq!(replace_all("b", "a", "c"), None);
}

#[test]
fn a_fix_applies_only_to_the_text_of_its_problem() {
    let problem = Problem {
        span: Some(Span {
            start: 4,
            end: 9,
            line: 1,
            column: 5,
        }),
        message: String::new(),
        fatal: true,
        fix: Some(Fix {
            was: "thred".to_owned(),
            text: "thread".to_owned(),
        }),
    };
    assert_eq!(
        fix("int thred;", &problem).unwrap().apply("int thred;"),
        "int thread;"
    );
    assert_eq!(fix("int  thred;", &problem), None);
    assert_eq!(fix("int", &problem), None);
}

#[test]
fn offsets_convert_both_ways_and_lines_have_starts() {
    let text = "aé😀b\nc";
    for (utf16, at) in [(0, 0), (1, 1), (2, 3), (4, 7), (5, 8), (6, 9)] {
        assert_eq!((to_bytes(text, utf16), to_utf16(text, at)), (at, utf16));
    }
    assert_eq!((line_at(text, 0), line_at(text, 9)), (1, 2));
    assert_eq!(
        (
            line_start_of(text, 1),
            line_start_of(text, 2),
            line_start_of(text, 99)
        ),
        (0, 9, 9)
    );
}

proptest! {
    #[test]
    fn no_key_panics_and_selections_lie_in_the_text(text in "[ \ta-c{}()/\né😀]{0,40}", one: usize, two: usize) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (one, two) = (places[one % places.len()], places[two % places.len()]);
        let selection = one.min(two)..one.max(two);
        let edits = [
            Some(indent(&text, selection.clone())),
            Some(outdent(&text, selection.clone())),
            Some(enter(&text, selection.clone())),
            close_brace(&text, selection.clone()),
            Some(toggle_comment(&text, selection.clone())),
            move_lines(&text, selection.clone(), true),
            move_lines(&text, selection.clone(), false),
            Some(duplicate_lines(&text, selection.clone())),
            replace_all(&text, "a", "bcd"),
        ];
        for edit in edits.into_iter().flatten() {
            let new = edit.apply(&text);
            prop_assert!(edit.select.start <= edit.select.end && edit.select.end <= new.len(), "{edit:?}");
            prop_assert!(new.is_char_boundary(edit.select.start) && new.is_char_boundary(edit.select.end));
        }
        matching_brackets(&text, one);
    }

    #[test]
    fn outdent_reverses_indent(lines in prop::collection::vec("[a-c]{1,5}", 2..6)) {
        let text = lines.join("\n");
        let deeper = indent(&text, 0..text.len());
        let new = deeper.apply(&text);
        prop_assert_eq!(outdent(&new, deeper.select).apply(&new), text.clone());
        let comment = toggle_comment(&text, 0..text.len());
        let new = comment.apply(&text);
        prop_assert_eq!(toggle_comment(&new, comment.select).apply(&new), text);
    }
}
