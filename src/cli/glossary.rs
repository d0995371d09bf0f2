//! `glossary`: the terms of the page.

use std::io::Write;

use clap::Args;
use serde_json::json;

use super::{CliError, CliResult, Verdict};
use workbench::glossary::pictures::picture;
use workbench::glossary::teaching::lesson;
use workbench::glossary::{named, terms};

/// Explain a term, or list all terms of the glossary
#[derive(Args)]
pub(super) struct GlossaryArgs {
    /// A term, one of its other names, or an ID
    term: Option<String>,
    /// Print a JSON array with one object per term
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &GlossaryArgs, out: &mut dyn Write) -> CliResult {
    let found: Vec<_> = match &args.term {
        Some(name) => vec![named(name).ok_or_else(|| {
            CliError::Input(format!(
                "the glossary has no term `{name}`; `warpscope glossary` lists all"
            ))
        })?],
        None => terms().collect(),
    };
    if args.json {
        let rows: Vec<_> = found
            .iter()
            .map(|term| {
                json!({
                    "id": term.id,
                    "name": term.name,
                    "also": term.also,
                    "kind": term.kind.name(),
                    "text": term.text,
                    "source": term.source,
                    "see": term.see,
                    "picture": picture(term.id).unwrap_or_default(),
                    "lesson": lesson(term.id),
                })
            })
            .collect();
        serde_json::to_writer(&mut *out, &rows)?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    for term in found {
        writeln!(
            out,
            "{} ({})\n  {}\n  Source: {}",
            term.name,
            term.kind.name(),
            term.text,
            term.source
        )?;
        if !term.see.is_empty() {
            writeln!(out, "  See #{}", term.see)?;
        }
    }
    Ok(Verdict::Good)
}
