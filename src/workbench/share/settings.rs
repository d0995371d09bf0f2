//! The view settings in links: one table of keys.

use crate::scene::{
    Breakdown, Cells, CodePart, Counters, Drag, LaneRows, LaneZoom, MemoryPart, NumberFormat, Part, Period,
    Settings, Storage,
};
use engine::arch::ArchId;

/// Writes the pairs of the settings.
pub(super) fn write(settings: &Settings, put: &mut impl FnMut(&str, String)) {
    let defaults = Settings::default();
    if settings.format != defaults.format {
        put("format", settings.format.id().to_owned());
    }
    if settings.storage != defaults.storage {
        put("values", settings.storage.id().to_owned());
    }
    if settings.pairs {
        put("pairs", "on".to_owned());
    }
    if settings.page != 0 {
        put("page", settings.page.to_string());
    }
    if settings.counters != defaults.counters {
        put("counters", settings.counters.id().to_owned());
    }
    if settings.code != defaults.code {
        put("code", settings.code.id().to_owned());
    }
    if settings.breakdown != defaults.breakdown {
        put("by", settings.breakdown.id().to_owned());
    }
    if settings.period != defaults.period {
        put("of", settings.period.id().to_owned());
    }
    if settings.drag != defaults.drag {
        put("drag", settings.drag.id().to_owned());
    }
    if settings.lane_rows != defaults.lane_rows {
        put("rows", settings.lane_rows.id().to_owned());
    }
    if settings.lane_zoom != defaults.lane_zoom {
        put("weave", settings.lane_zoom.id().to_owned());
    }
    if settings.cache != defaults.cache {
        put("cache", settings.cache.id().to_owned());
    }
    if settings.sweep {
        put("sweep", "on".to_owned());
    }
    if let Some((set, way)) = settings.cache_line {
        put("way", format!("{set}.{way}"));
    }
    if let Some(sm) = settings.sm {
        put("smid", sm.to_string());
    }
    if let Some(arch) = settings.beside {
        put("beside", arch.text().to_owned());
    }
    if settings.cells != defaults.cells {
        put("cells", settings.cells.id().to_owned());
    }
    if let Some((row, column)) = settings.sum {
        put("sum", format!("{row}.{column}"));
    }
    if let Some(part) = settings.part {
        put("part", part.id());
    }
    super::plots::write(&settings.plot, put);
    super::streams::write(&settings.streams, put);
}

/// Reads a pair. `None`: the key does not belong to the settings.
///
/// # Errors
/// The valid values.
pub(super) fn read(settings: &mut Settings, key: &str, value: &str) -> Option<Result<(), String>> {
    Some(match key {
        "format" => pick(&NumberFormat::ALL, NumberFormat::id, value).map(|format| settings.format = format),
        "values" => pick(&Storage::ALL, Storage::id, value).map(|storage| settings.storage = storage),
        "pairs" => {
            let id = |on: bool| if on { "on" } else { "off" };
            pick(&[false, true], id, value).map(|pairs| settings.pairs = pairs)
        }
        "page" => match value.parse() {
            Ok(page) => {
                settings.page = page;
                Ok(())
            }
            Err(_) => Err("it must be a whole number from 0 to 255".to_owned()),
        },
        "counters" => pick(&Counters::ALL, Counters::id, value).map(|counters| settings.counters = counters),
        "code" => pick(&CodePart::ALL, CodePart::id, value).map(|code| settings.code = code),
        "by" => pick(&Breakdown::ALL, Breakdown::id, value).map(|by| settings.breakdown = by),
        "of" => pick(&Period::ALL, Period::id, value).map(|period| settings.period = period),
        "drag" => pick(&Drag::ALL, Drag::id, value).map(|drag| settings.drag = drag),
        "rows" => pick(&LaneRows::ALL, LaneRows::id, value).map(|rows| settings.lane_rows = rows),
        "weave" => pick(&LaneZoom::ALL, LaneZoom::id, value).map(|zoom| settings.lane_zoom = zoom),
        "cache" => pick(&MemoryPart::ALL, MemoryPart::id, value).map(|cache| settings.cache = cache),
        "sweep" => {
            let id = |on: bool| if on { "on" } else { "off" };
            pick(&[false, true], id, value).map(|sweep| settings.sweep = sweep)
        }
        "smid" => match value.parse() {
            Ok(sm) => {
                settings.sm = Some(sm);
                Ok(())
            }
            Err(_) => Err("it must be the number of an SM, from 0".to_owned()),
        },
        "beside" => value
            .parse()
            .map(|arch: ArchId| settings.beside = Some(arch))
            .map_err(|unknown| unknown.to_string()),
        "cells" => pick(&Cells::ALL, Cells::id, value).map(|cells| settings.cells = cells),
        "sum" => match value
            .split_once('.')
            .map(|(row, column)| (row.parse(), column.parse()))
        {
            Some((Ok(row), Ok(column))) => {
                settings.sum = Some((row, column));
                Ok(())
            }
            _ => Err("it must be a row and a column, for example 3.5".to_owned()),
        },
        "part" => match Part::read(value) {
            Some(part) => {
                settings.part = Some(part);
                Ok(())
            }
            None => Err("it must be scheduler.0, pipe.0.1, or block.2".to_owned()),
        },
        "way" => place(value).map(|place| settings.cache_line = Some(place)),
        _ => {
            return super::plots::read(&mut settings.plot, key, value)
                .or_else(|| super::streams::read(&mut settings.streams, key, value));
        }
    })
}

/// The item with this ID.
///
/// # Errors
/// The valid IDs.
pub(super) fn pick<T: Copy>(all: &[T], id: fn(T) -> &'static str, value: &str) -> Result<T, String> {
    all.iter()
        .copied()
        .find(|item| id(*item) == value)
        .ok_or_else(|| {
            let ids: Vec<&str> = all.iter().map(|item| id(*item)).collect();
            format!("it must be one of {}", ids.join(", "))
        })
}

/// A line's set and way, `3.12`.
///
/// # Errors
/// The valid form.
fn place(value: &str) -> Result<(u16, u16), String> {
    value
        .split_once('.')
        .and_then(|(set, way)| Some((set.parse().ok()?, way.parse().ok()?)))
        .ok_or_else(|| "it must be a set and a way, for example 3.12".to_owned())
}
