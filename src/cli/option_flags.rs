//! The flags of a run's options, one for each row of the table.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use workbench::run_option::RUN_OPTIONS;

/// The given options, as keys and values of a link.
#[derive(Debug, Default)]
pub(super) struct OptionFlags(pub(super) Vec<(&'static str, String)>);

impl Args for OptionFlags {
    fn augment_args(command: Command) -> Command {
        RUN_OPTIONS.iter().fold(command, |command, option| {
            let heading = if option.is_of_compiler {
                "Compilation"
            } else {
                "Machine"
            };
            command.arg(
                Arg::new(option.key)
                    .long(option.flag)
                    .value_name("VALUE")
                    .help(option.help)
                    .help_heading(heading),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = RUN_OPTIONS.iter().filter_map(|option| {
            let value = matches.get_one::<String>(option.key)?;
            Some((option.key, value.clone()))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
