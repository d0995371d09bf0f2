//! The settings of the Plots view in links: one table of keys.

use super::settings::pick;
use crate::scene::{
    PlotKind, PlotPoint, PlotScope, PlotSettings, class_id, class_of, experiment_id, experiment_of,
    figure_id, figure_of, level_id, work_id,
};
use engine::arch::ArchId;
use engine::trace::{TrafficLevel, WorkKind};

/// Writes the pairs of the settings.
pub(super) fn write(settings: &PlotSettings, put: &mut impl FnMut(&str, String)) {
    let defaults = PlotSettings::default();
    if settings.kind != defaults.kind {
        put("plot", settings.kind.id().to_owned());
    }
    if settings.scope != defaults.scope {
        put("per", settings.scope.id().to_owned());
    }
    if let Some(level) = settings.level {
        put("bytes", level_id(level).to_owned());
    }
    if let Some(kind) = settings.work {
        put("ops", work_id(kind).to_owned());
    }
    if let Some(arch) = settings.with {
        put("with", arch.text().to_owned());
    }
    if settings.class != defaults.class {
        put("class", class_id(settings.class).to_owned());
    }
    if settings.figure != defaults.figure {
        put("figure", figure_id(settings.figure).to_owned());
    }
    if settings.experiment != defaults.experiment {
        put("experiment", experiment_id(settings.experiment).to_owned());
    }
    if let Some(point) = settings.point {
        put("x", point.text());
    }
}

/// Reads a pair. `None`: the key does not belong to these settings.
///
/// # Errors
/// The valid values.
pub(super) fn read(settings: &mut PlotSettings, key: &str, value: &str) -> Option<Result<(), String>> {
    Some(match key {
        "plot" => pick(&PlotKind::ALL, PlotKind::id, value).map(|kind| settings.kind = kind),
        "per" => pick(&PlotScope::ALL, PlotScope::id, value).map(|scope| settings.scope = scope),
        "bytes" => pick(&TrafficLevel::ALL, level_id, value).map(|level| settings.level = Some(level)),
        "ops" => pick(&WorkKind::ALL, work_id, value).map(|kind| settings.work = Some(kind)),
        "with" => value
            .parse()
            .map(|arch: ArchId| settings.with = Some(arch))
            .map_err(|unknown| unknown.to_string()),
        "class" => class_of(value).map(|class| settings.class = class),
        "figure" => figure_of(value).map(|figure| settings.figure = figure),
        "experiment" => experiment_of(value).map(|experiment| settings.experiment = experiment),
        "x" => match PlotPoint::read(value) {
            Some(point) => {
                settings.point = Some(point);
                Ok(())
            }
            None => Err(
                "it must be a point, for example run-device, stretch-3, range, roof-l2, peak-fp32, simulated-2-16, or an architecture"
                    .to_owned(),
            ),
        },
        _ => return None,
    })
}
