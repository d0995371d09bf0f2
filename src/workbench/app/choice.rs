//! What the rows of options over a picture do: they set a view, or they are commands.

use crate::scene::{self, RequestStep, Setting};
use engine::arch::BankSize;
use engine::sim::LoadCaching;

/// A row of options over a picture.
pub type Control = scene::Control<Choice>;

/// One of the options of a control.
pub type ControlOption = scene::ControlOption<Choice>;

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Sets a view.
    Set(Setting),
    /// Shows the playground in place of this run.
    Playground(bool),
    /// Shows another memory request.
    Request(RequestStep),
    /// Stops the runs of all combinations, or lets them go on.
    HoldSweep(bool),
    /// Chooses whether global loads go through L1 (`-dlcm`).
    Dlcm(LoadCaching),
    /// Sets the size of the banks of shared memory.
    BankSize(BankSize),
    /// Opens another kernel of the library, by its id.
    Kernel(&'static str),
}

impl Choice {
    /// Whether nothing stays chosen.
    pub const fn is_step(self) -> bool {
        matches!(self, Self::Request(_) | Self::Kernel(_))
    }
}

/// A row of choices: names, what each does, and whether it is chosen.
pub(super) fn control(
    id: &'static str,
    label: &'static str,
    options: impl IntoIterator<Item = (&'static str, Choice, bool)>,
) -> Control {
    let option = |(name, choice, chosen): (&str, Choice, bool)| ControlOption {
        name: scene::capital(name),
        choice,
        chosen,
    };
    Control {
        id,
        label,
        options: options.into_iter().map(option).collect(),
    }
}
