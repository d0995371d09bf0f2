//! The effects of the options above a picture: view settings, and commands.

use crate::run_option::ButtonId;
use crate::scene::{self, PlotKind, RequestStep, Setting};
use engine::trace::Direction;

/// A row of options above a picture.
pub type Control = scene::Control<Choice>;

/// One of the options of a control.
pub type ControlOption = scene::ControlOption<Choice>;

/// The effect of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Changes a view's settings.
    Set(Setting),
    /// Shows the playground instead of the run.
    Playground(bool),
    /// Shows a typed operation instead of the run's.
    Typed(bool),
    /// Shows another memory request.
    Request(RequestStep),
    /// Pauses or resumes the runs of all combinations.
    HoldSweep(bool),
    /// Pauses or resumes the runs of the findings' changes.
    HoldAdvice(bool),
    /// Measures the cause of the difference between long runs.
    MeasureCause,
    /// Presses the button of a run option.
    Option(ButtonId),
    /// Shows a plot in the Plots view.
    Plot(PlotKind),
    /// Launches the library's kernel at a size that fills a device, or as the library does.
    Full(bool),
    /// Shows this SM of the device's run in the other views, or one SM that runs all blocks alone.
    Sm(Option<u16>),
    /// The same for the selected SM: between both.
    SelectedSm,
    /// Shows the previous (backward) or next instruction on tensor cores.
    Product(Direction),
    /// Opens another kernel of the library, by its ID.
    Kernel(&'static str),
}

impl Choice {
    /// Whether the option is a command without an on state.
    pub const fn is_step(self) -> bool {
        matches!(
            self,
            Self::Request(_) | Self::Product(_) | Self::Kernel(_) | Self::SelectedSm | Self::MeasureCause
        )
    }
}

/// A row of options with names, effects, and whether each option is selected.
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
