//! `link`: encodes scenarios as links and decodes links.

use std::io::Write;

use clap::Subcommand;

use super::files::without_common_folder;
use super::scenario::{ScenarioFlags, fragment};
use super::{CliResult, Verdict};
use workbench::share;

/// Convert between a scenario and a link, which is the part of the page's URL after the `#`
#[derive(Subcommand)]
pub(super) enum Command {
    /// Print the link of a scenario that flags describe
    Encode(Box<ScenarioFlags>),
    /// Print the scenario of a link as JSON; exits with 1 if a part of the link is invalid
    Decode {
        /// The link: a complete URL, or the part after its `#`
        link: String,
    },
}

pub(super) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    match command {
        Command::Encode(flags) => {
            let (mut scenario, _) = flags.scenario()?;
            scenario.source = scenario.source.as_deref().map(without_common_folder);
            writeln!(out, "{}", share::encode(&scenario))?;
            Ok(Verdict::Good)
        }
        Command::Decode { link } => {
            let decoded = share::decode(fragment(link));
            let warnings: Vec<String> = decoded.warnings.iter().map(ToString::to_string).collect();
            let object = serde_json::json!({ "scenario": decoded.scenario, "warnings": warnings });
            serde_json::to_writer_pretty(&mut *out, &object)?;
            writeln!(out)?;
            Ok(if warnings.is_empty() {
                Verdict::Good
            } else {
                Verdict::Bad
            })
        }
    }
}
