//! The plots of a run and of the architectures: roofline, throughput over warps, bandwidth over bytes in flight, and
//! figures over the years. Each is a picture with a text twin, and its points and roofs cite their sources.

mod bandwidth;
mod canvas;
mod experiments;
mod roofline;
mod settings;
mod simulated;
#[cfg(test)]
mod tests;
mod throughput;
mod wording;
mod years;

use super::inspector::Inspection;
use super::kit::Sheet;
use super::{Control, ControlOption, Scene, Setting, Size, Table, ViewState};
use engine::arch::{ArchId, architecture};
use engine::trace::{Frame, TrafficLevel, WorkKind};

pub use experiments::{EXPERIMENT_ROWS, EXPERIMENTS, Experiment, ExperimentRow, written as experiments_text};
pub use settings::{PlotKind, PlotPoint, PlotScope, PlotSetting, PlotSettings, level_id, work_id};
use settings::{level_name, work_name};
pub use simulated::{SIMULATED, SimulatedRow, THROUGHPUT_CLASSES, ThroughputClass};

use canvas::Plot;
use wording::number;

/// Equal stretches of a run.
pub(super) const STRETCHES: usize = 8;

/// A plot with its words.
struct Drawn {
    plot: Plot,
    headline: String,
    note: String,
    table: Table,
    also: Vec<(String, Table)>,
}

/// The Plots view.
pub fn plots(frame: &Frame, state: &ViewState, size: Size) -> Scene {
    let drawn = drawn(frame, state);
    let mut sheet = Sheet::default();
    let y = canvas::draw(&mut sheet, &drawn.plot, 4.0, size, state.settings.plot.point);
    let size = Size {
        width: size.width,
        height: size.height.max(y + 4.0),
    };
    let scene = sheet.finish(size, drawn.headline, drawn.table);
    Scene {
        note: drawn.note,
        also: drawn.also,
        ..scene
    }
}

fn drawn(frame: &Frame, state: &ViewState) -> Drawn {
    match state.settings.plot.kind {
        PlotKind::Roofline => roofline::drawn(frame, state),
        PlotKind::Throughput => throughput::drawn(frame, state),
        PlotKind::Bandwidth => bandwidth::drawn(frame, state),
        PlotKind::Years => years::drawn(frame, state),
        PlotKind::Experiments => experiments::drawn(frame, state),
    }
}

/// Explains the selected point or roof, or the plot.
pub fn inspect_plots(frame: &Frame, state: &ViewState) -> Inspection {
    match state.settings.plot.kind {
        PlotKind::Roofline => roofline::inspect(frame, state),
        PlotKind::Throughput => throughput::inspect(frame, state),
        PlotKind::Bandwidth => bandwidth::inspect(frame, state),
        PlotKind::Years => years::inspect(frame, state),
        PlotKind::Experiments => experiments::inspect(frame, state),
    }
}

/// Name and values of a point or a roof.
pub fn plot_tooltip(frame: &Frame, state: &ViewState, point: PlotPoint) -> (String, String) {
    let mut state = *state;
    state.settings.plot.point = Some(point);
    let seen = inspect_plots(frame, &state);
    let why = seen.why_text();
    (seen.title, if why.is_empty() { seen.place } else { why })
}

/// The options of the view.
pub fn plot_controls(frame: Option<&Frame>, settings: &PlotSettings) -> Vec<Control> {
    let option = |name: String, setting: PlotSetting, chosen: bool| ControlOption {
        name,
        choice: Setting::Plot(setting),
        chosen,
    };
    let mut rows = vec![Control {
        id: "plot",
        label: "Plot",
        options: PlotKind::ALL
            .map(|kind| {
                option(
                    kind.name().to_owned(),
                    PlotSetting::Kind(kind),
                    kind == settings.kind,
                )
            })
            .to_vec(),
    }];
    let Some(frame) = frame else { return rows };
    match settings.kind {
        PlotKind::Roofline => {
            rows.push(Control {
                id: "per",
                label: "Of",
                options: PlotScope::ALL
                    .map(|scope| {
                        option(
                            scope.name().to_owned(),
                            PlotSetting::Scope(scope),
                            scope == settings.scope,
                        )
                    })
                    .to_vec(),
            });
            rows.push(level_control(frame, settings));
            rows.push(work_control(frame, settings));
        }
        PlotKind::Years => rows.push(Control {
            id: "figure",
            label: "Figure",
            options: years::FIGURES
                .iter()
                .enumerate()
                .map(|(idx, figure)| {
                    option(
                        figure.name.to_owned(),
                        PlotSetting::Figure(idx as u8),
                        idx == usize::from(settings.figure),
                    )
                })
                .collect(),
        }),
        PlotKind::Throughput => rows.push(Control {
            id: "class",
            label: "Instruction",
            options: THROUGHPUT_CLASSES
                .iter()
                .enumerate()
                .filter(|(idx, class)| {
                    frame.arch().cost(class.class).is_some() || *idx == usize::from(settings.class)
                })
                .map(|(idx, class)| {
                    option(
                        class.name.to_owned(),
                        PlotSetting::Class(idx as u8),
                        idx == usize::from(settings.class),
                    )
                })
                .collect(),
        }),
        PlotKind::Bandwidth => rows.push(level_control(frame, settings)),
        PlotKind::Experiments => rows.push(Control {
            id: "experiment",
            label: "Experiment",
            options: EXPERIMENTS
                .iter()
                .enumerate()
                .map(|(idx, experiment)| {
                    option(
                        experiment.name.to_owned(),
                        PlotSetting::Experiment(idx as u8),
                        idx == usize::from(settings.experiment),
                    )
                })
                .collect(),
        }),
    }
    if settings.kind != PlotKind::Years {
        rows.push(with_control(frame, settings));
    }
    rows
}

fn level_control(frame: &Frame, settings: &PlotSettings) -> Control {
    let work = frame.trace().work();
    let shown = roofline::level(frame, settings);
    let levels = TrafficLevel::ALL.into_iter().rev();
    let options = levels
        .filter(|level| work.total.at(*level) > 0 || *level == shown)
        .map(|level| ControlOption {
            name: super::capital(level_name(level)),
            choice: Setting::Plot(PlotSetting::Level(Some(level))),
            chosen: level == shown,
        });
    Control {
        id: "bytes",
        label: "Bytes of",
        options: options.collect(),
    }
}

fn work_control(frame: &Frame, settings: &PlotSettings) -> Control {
    let shown = roofline::work_kind(frame, settings);
    let options = WorkKind::ALL
        .into_iter()
        .filter(|kind| kind.peak_per_cycle(frame.arch()).is_some() || *kind == shown)
        .map(|kind| ControlOption {
            name: work_name(kind).to_owned(),
            choice: Setting::Plot(PlotSetting::Work(Some(kind))),
            chosen: kind == shown,
        });
    Control {
        id: "ops",
        label: "Operations",
        options: options.collect(),
    }
}

fn with_control(frame: &Frame, settings: &PlotSettings) -> Control {
    let own = frame.arch().id;
    let shown = settings.with.filter(|id| *id != own);
    let none = ControlOption {
        name: "None".to_owned(),
        choice: Setting::Plot(PlotSetting::With(None)),
        chosen: shown.is_none(),
    };
    let others = ArchId::ALL.into_iter().filter(|id| *id != own);
    let options = others.map(|id| ControlOption {
        name: architecture(id).name.to_owned(),
        choice: Setting::Plot(PlotSetting::With(Some(id))),
        chosen: shown == Some(id),
    });
    Control {
        id: "with",
        label: "Beside",
        options: std::iter::once(none).chain(options).collect(),
    }
}

/// The id of a figure of the years plot in links.
pub fn figure_id(idx: u8) -> &'static str {
    years::figure(idx).id
}

/// The index of the figure with this id.
///
/// # Errors
/// The valid ids.
pub fn figure_of(id: &str) -> Result<u8, String> {
    let idx = years::FIGURES.iter().position(|figure| figure.id == id);
    idx.and_then(|idx| u8::try_from(idx).ok()).ok_or_else(|| {
        let ids: Vec<&str> = years::FIGURES.iter().map(|figure| figure.id).collect();
        format!("it must be one of {}", ids.join(", "))
    })
}

/// The id of a class of the throughput plot in links.
pub fn class_id(idx: u8) -> &'static str {
    throughput::class(idx).id
}

/// The index of the class with this id.
///
/// # Errors
/// The valid ids.
pub fn class_of(id: &str) -> Result<u8, String> {
    let idx = THROUGHPUT_CLASSES.iter().position(|class| class.id == id);
    idx.and_then(|idx| u8::try_from(idx).ok()).ok_or_else(|| {
        let ids = THROUGHPUT_CLASSES.map(|class| class.id);
        format!("it must be one of {}", ids.join(", "))
    })
}

/// The id of an experiment in links.
pub fn experiment_id(idx: u8) -> &'static str {
    experiments::experiment(idx).id
}

/// The index of the experiment with this id.
///
/// # Errors
/// The valid ids.
pub fn experiment_of(id: &str) -> Result<u8, String> {
    let idx = EXPERIMENTS.iter().position(|experiment| experiment.id == id);
    idx.and_then(|idx| u8::try_from(idx).ok()).ok_or_else(|| {
        let ids = EXPERIMENTS.map(|experiment| experiment.id);
        format!("it must be one of {}", ids.join(", "))
    })
}
