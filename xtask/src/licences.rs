//! The licences of all dependencies, against a list of those that suit MIT OR Apache-2.0.

use serde_json::Value;

use crate::step::{cargo, output};

const ALLOWED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Also suit programs that only run in tests and are not distributed.
const ALLOWED_IN_TESTS: [&str; 4] = ["CC0-1.0", "CDLA-Permissive-2.0", "ISC", "MPL-2.0"];

/// Checks every package of the main workspace and of the workspaces of tests. Returns the number of packages.
pub(crate) fn check(main: &str, of_tests: &[&str]) -> Result<usize, String> {
    let mut refused = Vec::new();
    let mut num_packages = 0;
    for manifest in std::iter::once(main).chain(of_tests.iter().copied()) {
        let further: &[&str] = if manifest == main { &[] } else { &ALLOWED_IN_TESTS };
        let args = [
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--manifest-path",
            manifest,
        ];
        let text = output(&mut cargo(&args)).ok_or_else(|| format!("cargo metadata fails on {manifest}"))?;
        let metadata: Value =
            serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
        for package in metadata["packages"].as_array().into_iter().flatten() {
            num_packages += 1;
            let name = package["name"].as_str().unwrap_or("?");
            let version = package["version"].as_str().unwrap_or("?");
            match package["license"].as_str() {
                Some(licence) if is_allowed(licence, further) => {}
                Some(licence) => refused.push(format!("{name} {version}: {licence}")),
                None => refused.push(format!("{name} {version}: names no licence")),
            }
        }
    }
    if refused.is_empty() {
        Ok(num_packages)
    } else {
        Err(format!(
            "licences that are not on the list:\n  {}",
            refused.join("\n  ")
        ))
    }
}

/// Whether an SPDX expression can be met from the list and these further licences: an `OR` needs one side, an `AND` both.
fn is_allowed(expression: &str, further: &[&str]) -> bool {
    let expression = strip_parentheses(expression.trim());
    if let Some((left, right)) = split(expression, " OR ").or_else(|| split(expression, "/")) {
        return is_allowed(left, further) || is_allowed(right, further);
    }
    if let Some((left, right)) = split(expression, " AND ") {
        return is_allowed(left, further) && is_allowed(right, further);
    }
    ALLOWED.contains(&expression) || further.contains(&expression)
}

/// Takes away parentheses that enclose the whole expression.
fn strip_parentheses(expression: &str) -> &str {
    match expression
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(inner) if depth_stays_positive(inner) => strip_parentheses(inner.trim()),
        _ => expression,
    }
}

fn depth_stays_positive(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

/// Splits at the first such operator outside parentheses.
fn split<'a>(expression: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    expression.match_indices(operator).find_map(|(at, _)| {
        let (left, right) = (&expression[..at], &expression[at + operator.len()..]);
        (left.matches('(').count() == left.matches(')').count()).then_some((left, right))
    })
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn either_side_of_an_or_suffices() {
        assert!(is_allowed("GPL-3.0 OR MIT", &[]));
        assert!(is_allowed("MIT/Apache-2.0", &[]));
        assert!(!is_allowed("GPL-3.0 OR LGPL-2.1", &[]));
    }

    #[test]
    fn both_sides_of_an_and_are_needed() {
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", &[]));
        assert!(!is_allowed("(MIT OR Apache-2.0) AND GPL-3.0", &[]));
        assert!(is_allowed("(MIT) AND (Zlib)", &[]));
        assert!(is_allowed("Apache-2.0 AND ISC", &["ISC"]));
        assert!(!is_allowed("Apache-2.0 AND ISC", &[]));
    }
}
