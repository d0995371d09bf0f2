//! `docs/coverage.md`.

use super::{CLAIMS, Claim, ClaimKind, Coverage};

/// The guides, by the letter of their claims.
pub(super) const GUIDES: [(char, &str); 3] = [
    ('T', "Turing Tuning Guide"),
    ('V', "Volta Tuning Guide"),
    ('F', "Tuning CUDA Applications for Fermi"),
];

/// Returns the numbers of claims in one sentence.
pub(super) fn summary(coverage: &Coverage) -> String {
    let claims = &coverage.claims;
    let count = |is_counted: &dyn Fn(&Claim) -> bool| claims.iter().filter(|claim| is_counted(claim)).count();
    format!(
        "{} claims: {} have a lesson, {} have a test, {} have a lesson or a test. {} have only a scenario or a statement, \
         and {} are missing.",
        claims.len(),
        count(&|claim| coverage.lessons.contains_key(&claim.id)),
        count(&|claim| coverage.tests.contains_key(&claim.id)),
        count(&|claim| has_lesson_or_test(coverage, claim)),
        count(&|claim| !has_lesson_or_test(coverage, claim) && coverage.is_covered(claim)),
        count(&|claim| !coverage.is_covered(claim)),
    )
}

fn has_lesson_or_test(coverage: &Coverage, claim: &Claim) -> bool {
    coverage.lessons.contains_key(&claim.id) || coverage.tests.contains_key(&claim.id)
}

/// Returns the whole document.
pub(super) fn write(coverage: &Coverage) -> String {
    let mut text = format!(
        "# Claims of the tuning guides\n\n\
         `warpscope coverage` writes this file from `{CLAIMS}`, the lessons in `www/lessons`, the names of tests, and \
         [guides.md](guides.md). The text of a claim is a summary, not a quotation.\n\n\
         {}\n\n",
        summary(coverage)
    );
    missing(coverage, &mut text);
    only_tested(coverage, &mut text);
    for (letter, title) in GUIDES {
        table(coverage, letter, title, &mut text);
    }
    text
}

/// The claims that nothing covers.
fn missing(coverage: &Coverage, text: &mut String) {
    let missing: Vec<_> = coverage
        .claims
        .iter()
        .filter(|claim| !coverage.is_covered(claim))
        .collect();
    text.push_str(&format!("## Missing: {}\n\n", missing.len()));
    text.push_str("No lesson, scenario, test, or statement covers these claims.\n\n");
    for claim in missing {
        let note = if claim.note.is_empty() {
            String::new()
        } else {
            format!(" {}", claim.note)
        };
        text.push_str(&format!(
            "- {} ({}): {}{note}\n",
            claim.id,
            claim.kind.name(),
            claim.text
        ));
    }
    text.push('\n');
}

/// The claims that a reader of the page cannot see.
fn only_tested(coverage: &Coverage, text: &mut String) {
    let ids: Vec<_> = coverage
        .claims
        .iter()
        .filter(|claim| {
            coverage.tests.contains_key(&claim.id)
                && !coverage.lessons.contains_key(&claim.id)
                && claim.scenario.is_empty()
                && !coverage.stated.contains(&claim.id)
        })
        .map(|claim| claim.id.as_str())
        .collect();
    text.push_str(&format!("## Only a test: {}\n\n", ids.len()));
    text.push_str("These claims have neither a lesson nor a scenario: ");
    text.push_str(&if ids.is_empty() {
        "none".to_owned()
    } else {
        ids.join(", ")
    });
    text.push_str(".\n\n");
}

/// The table of one guide.
fn table(coverage: &Coverage, letter: char, title: &str, text: &mut String) {
    text.push_str(&format!("## {title}\n\n"));
    text.push_str("| claim | section | kind | text | lesson, scenario, or statement | tests |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- |\n");
    for claim in coverage
        .claims
        .iter()
        .filter(|claim| claim.id.starts_with(letter))
    {
        let note = if claim.note.is_empty() {
            String::new()
        } else {
            format!(" *{}*", claim.note)
        };
        text.push_str(&format!(
            "| {} | {} | {} | {}{note} | {} | {} |\n",
            claim.id,
            claim.section,
            claim.kind.name(),
            claim.text.replace('|', "\\|"),
            shown(coverage, claim),
            tests(coverage, claim),
        ));
    }
    text.push('\n');
    if letter == 'F' {
        text.pop();
    }
}

/// Where a reader sees a claim.
fn shown(coverage: &Coverage, claim: &Claim) -> String {
    let mut places: Vec<String> = coverage
        .lessons
        .get(&claim.id)
        .into_iter()
        .flatten()
        .map(|lesson| format!("[{}](../www/lessons/{}.toml)", lesson.title, lesson.id))
        .collect();
    if !claim.scenario.is_empty() {
        places.push(format!("`#{}`", claim.scenario));
    }
    if coverage.stated.contains(&claim.id) {
        places.push("[guides.md](guides.md)".to_owned());
    }
    if places.is_empty() && claim.kind != ClaimKind::Scope && !coverage.tests.contains_key(&claim.id) {
        places.push("**missing**".to_owned());
    }
    places.join("<br>")
}

/// The tests of a claim.
fn tests(coverage: &Coverage, claim: &Claim) -> String {
    let tests = coverage.tests.get(&claim.id).into_iter().flatten();
    let links: Vec<String> = tests
        .map(|test| format!("[`{}`](../{})", test.name, test.file))
        .collect();
    links.join("<br>")
}
