//! `link`: scenarios as links, and what a link says.

use std::io::Write;

use clap::Subcommand;

use super::files::without_common_folder;
use super::scenario::ScenarioFlags;
use super::{CliResult, Verdict};
use workbench::share;

/// Links: a scenario as the part of the page's address after the `#`, and back
#[derive(Subcommand)]
pub(super) enum Command {
    /// The link of a scenario that flags describe
    Encode(Box<ScenarioFlags>),
    /// The scenario of a link, as JSON; exits with 1 if a part of the link could not be used
    Decode {
        /// The link: a whole address, or what stands after its `#`
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

/// What stands after the `#` of an address, or the whole text.
pub(super) fn fragment(link: &str) -> &str {
    link.split_once('#').map_or(link, |(_, fragment)| fragment)
}
