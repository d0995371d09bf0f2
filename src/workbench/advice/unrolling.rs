//! Unrolls a loop of the kernel's source with a pragma.

/// The source with `#pragma unroll` before the innermost loop around a line (from 1), and the loop's line; `None` if the
/// line is in no `for` loop, or if the loop has a pragma already.
pub(super) fn with_unrolling(text: &str, line: u32, times: u32) -> Option<(String, u32)> {
    let lines: Vec<&str> = text.lines().collect();
    let at = (line as usize).checked_sub(1)?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines.get(at)?);
    let is_loop = |line: &str| {
        let code = line.trim_start();
        code.starts_with("for (") || code.starts_with("for(")
    };
    let head = (0..=at)
        .rev()
        .find(|idx| is_loop(lines[*idx]) && (*idx == at || indent(lines[*idx]) < own))?;
    // A line between, at the loop's indentation or less, ends the loop.
    let within = (head + 1..=at).all(|idx| {
        let code = lines[idx].trim();
        code.is_empty() || code == "{" || indent(lines[idx]) > indent(lines[head])
    });
    if !within || head > 0 && lines[head - 1].trim_start().starts_with("#pragma") {
        return None;
    }
    let pragma = format!("{}#pragma unroll {times}", &lines[head][..indent(lines[head])]);
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    changed.insert(head, pragma);
    let mut changed = changed.join("\n");
    if text.ends_with('\n') {
        changed.push('\n');
    }
    Some((changed, head as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::with_unrolling;

    const TEXT: &str =
        "void f() {\n    for (int i = 0; i < 8; i++) {\n        a[i] = i;\n    }\n    b = 1;\n}\n";

    #[test]
    fn the_loop_around_the_line_gets_a_pragma() {
        let (changed, line) = with_unrolling(TEXT, 3, 4).unwrap();
        assert_eq!(line, 2);
        assert!(
            changed.contains("{\n    #pragma unroll 4\n    for (int i"),
            "{changed}"
        );
        assert_eq!(changed.len(), TEXT.len() + "    #pragma unroll 4\n".len());
        assert_eq!(with_unrolling(TEXT, 2, 4).unwrap().1, 2);
    }

    #[test]
    fn code_outside_a_loop_and_a_loop_with_a_pragma_stay() {
        assert_eq!(with_unrolling(TEXT, 5, 4), None);
        assert_eq!(with_unrolling(TEXT, 1, 4), None);
        let (changed, _) = with_unrolling(TEXT, 3, 4).unwrap();
        assert_eq!(with_unrolling(&changed, 4, 4), None);
        assert_eq!(with_unrolling(TEXT, 99, 4), None);
    }
}
