//! `coverage`: which claims of the tuning guides have lessons, scenarios, and tests.

mod document;
mod map;
mod scan;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::{CliError, CliResult, Verdict};
use workbench::share::decode;

/// List the claims of NVIDIA's tuning guides with the lessons and tests that cover them
///
/// Reads the claims in tests/claims/claims.csv, the lessons in www/lessons, the statements in docs/guides.md, and the
/// names of tests in tests and src. A test covers the claims that its name starts with: `claim_t13_v14_…`. Writes
/// docs/coverage.md.
#[derive(Args)]
pub(super) struct CoverageArgs {
    /// The root folder of the source tree
    #[arg(default_value = ".")]
    root: PathBuf,
    /// Write nothing; exit with 1 if docs/coverage.md needs an update
    #[arg(long)]
    check: bool,
    /// Write nothing; print the claims with their lessons, views, terms, and tests as JSON, which the page shows
    #[arg(long, conflicts_with = "check")]
    json: bool,
}

/// The list of claims.
const CLAIMS: &str = "tests/claims/claims.csv";
/// The document that the command writes.
const DOCUMENT: &str = "docs/coverage.md";
/// The document with the statements of the guides that no run can show.
const GUIDES: &str = "docs/guides.md";

/// A claim of a guide, in our own words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    /// The guide's letter and a number, such as `T13`.
    id: String,
    section: String,
    kind: ClaimKind,
    text: String,
    /// What other sources say, or why no run shows the claim.
    note: String,
    /// The link of a scenario that shows the claim, for claims without a lesson.
    scenario: String,
}

/// What a claim is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum ClaimKind {
    /// A number or a property of the hardware.
    Fact,
    /// A behavior that the simulator must reproduce.
    Rule,
    /// Advice.
    Rec,
    /// A named interface.
    Api,
    /// A tool.
    Tool,
    /// The scope of the document.
    Scope,
}

impl ClaimKind {
    fn name(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Rule => "rule",
            Self::Rec => "advice",
            Self::Api => "interface",
            Self::Tool => "tool",
            Self::Scope => "scope",
        }
    }
}

/// A lesson that covers claims.
#[derive(Clone, Debug)]
struct LessonRef {
    /// `course/lesson`, as links name it.
    id: String,
    title: String,
}

/// A test that covers claims.
#[derive(Clone, Debug)]
struct TestRef {
    /// The path of its file, from the root.
    file: String,
    name: String,
}

/// All claims, and what covers them, by the ID of the claim.
struct Coverage {
    claims: Vec<Claim>,
    lessons: BTreeMap<String, Vec<LessonRef>>,
    tests: BTreeMap<String, Vec<TestRef>>,
    /// Claims that [`GUIDES`] states.
    stated: BTreeSet<String>,
}

impl Coverage {
    fn read(root: &Path) -> Result<Self, CliError> {
        let claims = read_claims(&root.join(CLAIMS))?;
        let coverage = Self {
            claims,
            lessons: scan::lessons(&root.join("www/lessons"))?,
            tests: scan::tests(root)?,
            stated: scan::statements(&scan::read(&root.join(GUIDES))?),
        };
        coverage.check()?;
        Ok(coverage)
    }

    /// Checks that every ID exists, and that a claim has a scenario only in place of a lesson.
    fn check(&self) -> Result<(), CliError> {
        let known: BTreeSet<&str> = self.claims.iter().map(|claim| claim.id.as_str()).collect();
        let lessons = self.lessons.iter().map(|(id, of)| (id, of[0].id.clone()));
        let tests = self.tests.iter().map(|(id, of)| (id, of[0].name.clone()));
        let stated = self.stated.iter().map(|id| (id, GUIDES.to_owned()));
        for (id, place) in lessons.chain(tests).chain(stated) {
            if !known.contains(id.as_str()) {
                return Err(CliError::Input(format!(
                    "{place}: `{id}` is not a claim of {CLAIMS}"
                )));
            }
        }
        for claim in self.claims.iter().filter(|claim| !claim.scenario.is_empty()) {
            if self.lessons.contains_key(&claim.id) {
                return Err(CliError::Input(format!(
                    "{CLAIMS}: {} has a lesson; delete its scenario",
                    claim.id
                )));
            }
            if let Some(warning) = decode(&claim.scenario).warnings.first() {
                return Err(CliError::Input(format!(
                    "{CLAIMS}: {}: the link `{}`: {warning}",
                    claim.id, claim.scenario
                )));
            }
        }
        Ok(())
    }

    /// Whether a lesson, a scenario, a test, or a statement covers a claim.
    fn is_covered(&self, claim: &Claim) -> bool {
        self.lessons.contains_key(&claim.id)
            || self.tests.contains_key(&claim.id)
            || self.stated.contains(&claim.id)
            || !claim.scenario.is_empty()
    }
}

fn read_claims(path: &Path) -> Result<Vec<Claim>, CliError> {
    let text = scan::read(path)?;
    let claims: Vec<Claim> = csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| CliError::Input(format!("{}: {error}", path.display())))?;
    let mut seen = BTreeSet::new();
    for claim in &claims {
        if !scan::is_id(&claim.id) || !seen.insert(&claim.id) {
            return Err(CliError::Input(format!(
                "{}: `{}` is invalid or occurs twice",
                path.display(),
                claim.id
            )));
        }
    }
    Ok(claims)
}

pub(super) fn run(args: &CoverageArgs, out: &mut dyn Write) -> CliResult {
    let coverage = Coverage::read(&args.root)?;
    if args.json {
        serde_json::to_writer(&mut *out, &map::guides(&coverage, &args.root)?)?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    let text = document::write(&coverage);
    let path = args.root.join(DOCUMENT);
    writeln!(out, "{}", document::summary(&coverage))?;
    if !args.check {
        std::fs::write(&path, text).map_err(|source| CliError::WriteFile { path, source })?;
        return Ok(Verdict::Good);
    }
    if scan::read(&path)? == text {
        return Ok(Verdict::Good);
    }
    writeln!(
        out,
        "{DOCUMENT} needs an update: run `cargo run -- coverage`, and read the difference."
    )?;
    Ok(Verdict::Bad)
}

#[cfg(test)]
mod tests;
