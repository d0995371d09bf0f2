//! Files that the page exports.

use super::{Effect, Session};
use crate::share::View;

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// The picture, at twice its size.
    Png,
    /// The picture, as SVG.
    Svg,
    /// The table of the view.
    Table,
    /// The counters, in the format of `trace --format counters`.
    Counters,
    /// Warp cycles by state, in the format of `trace --format csv`.
    States,
    /// Counters, stalls, occupancy, and outputs, in the format of `run --json`.
    Json,
    /// All events, in Chrome's trace format.
    Chrome,
}

impl ExportKind {
    /// All kinds, in the order of the menu.
    pub const ALL: [Self; 7] = [
        Self::Png,
        Self::Svg,
        Self::Table,
        Self::Counters,
        Self::States,
        Self::Json,
        Self::Chrome,
    ];

    /// The ID in the page's test IDs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Table => "table",
            Self::Counters => "counters",
            Self::States => "states",
            Self::Json => "json",
            Self::Chrome => "chrome",
        }
    }

    /// The contents and the format.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Png => ("Picture", "PNG, twice the size"),
            Self::Svg => ("Picture", "SVG"),
            Self::Table => ("Table of this view", "CSV"),
            Self::Counters => ("Counters", "CSV"),
            Self::States => ("Warp cycles by state", "CSV"),
            Self::Json => ("Counters, stalls, outputs", "JSON"),
            Self::Chrome => ("Trace for Perfetto", "Chrome JSON"),
        }
    }
}

/// The files of an export, or a message that says why there are none.
pub(super) fn export(session: &mut Session, kind: ExportKind) -> Vec<Effect> {
    let is_picture = matches!(kind, ExportKind::Png | ExportKind::Svg);
    if is_picture && !session.has_picture() {
        let view = session.active_view();
        session.say(if view == View::Checks {
            "The Checks view has no picture. Export its table.".to_owned()
        } else {
            format!("The {} view has no picture yet.", view.name())
        });
        return Vec::new();
    }
    match kind {
        ExportKind::Png => return vec![Effect::SavePicture(session.file_name("png"))],
        ExportKind::Svg => return vec![Effect::SaveDrawing(session.file_name("svg"))],
        ExportKind::Table => {
            return vec![Effect::SaveText {
                name: session.file_name("csv"),
                text: session.csv(),
            }];
        }
        ExportKind::Counters | ExportKind::States | ExportKind::Json | ExportKind::Chrome => {}
    }
    if session.derived().is_running() {
        session.say("The run has not ended yet. Export its numbers after it ends.");
        return Vec::new();
    }
    let Some(trace) = session.derived().trace().cloned() else {
        session.say("There is no run to export.");
        return Vec::new();
    };
    let name = |what: &str| {
        let scenario = session.setup();
        format!("warpscope-{}-{}-{what}", scenario.kernel, scenario.arch.text())
    };
    match kind {
        ExportKind::Chrome => vec![Effect::SaveTrace(name("trace.json"))],
        ExportKind::Counters => vec![Effect::SaveText {
            name: name("counters.csv"),
            text: trace.counters_csv(),
        }],
        ExportKind::States => vec![Effect::SaveText {
            name: name("states.csv"),
            text: trace.states_csv(),
        }],
        ExportKind::Json => vec![Effect::SaveText {
            name: name("run.json"),
            text: format!("{:#}\n", serde_json::Value::Array(vec![trace.run_json()])),
        }],
        ExportKind::Png | ExportKind::Svg | ExportKind::Table => Vec::new(),
    }
}

/// A file's size as text: `312 KB`, `4.1 MB`.
pub(super) fn size_text(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Panel, update};
    use super::*;

    fn finished(link: &str) -> Session {
        let mut session = Session::new();
        update(&mut session, Event::Open(link.to_owned()));
        while session.work(10_000) {}
        session
    }

    #[test]
    fn pictures_and_traces_are_left_to_the_browser() {
        let mut session = finished("v1;kernel=saxpy");
        update(&mut session, Event::Panel(Panel::Export));
        assert_eq!(
            update(&mut session, Event::Export(ExportKind::Chrome)),
            [Effect::SaveTrace("warpscope-saxpy-tu102-trace.json".to_owned())]
        );
        assert_eq!(session.ui.panel, None, "the menu is closed");
        assert!(matches!(
            update(&mut session, Event::Export(ExportKind::Png)).as_slice(),
            [Effect::SavePicture(name)] if name.strip_suffix(".png").is_some()
        ));
        assert!(matches!(
            update(&mut session, Event::Export(ExportKind::Svg)).as_slice(),
            [Effect::SaveDrawing(name)] if name.strip_suffix(".svg").is_some()
        ));
        update(&mut session, Event::Saved("a.json".to_owned(), 4_190_000));
        assert_eq!(session.ui.toast.as_deref(), Some("Saved a.json · 4.1 MB"));
    }

    #[test]
    fn every_view_exports_its_picture_and_its_table() {
        for view in View::ALL {
            let compare = if view == View::Compare { ";compare=g80" } else { "" };
            let link = format!("v1;kernel=mistake-race;view={}{compare}", view.id());
            let mut session = finished(&link);
            let effects = update(&mut session, Event::Export(ExportKind::Table));
            let [Effect::SaveText { text, .. }] = effects.as_slice() else {
                panic!("{view:?}: {effects:?}");
            };
            assert!(text.lines().count() > 1, "{view:?}: {text}");
            let columns = text.lines().next().map_or(0, |line| line.split(',').count());
            assert!(columns > 1, "{view:?}: {text}");
            for kind in [ExportKind::Png, ExportKind::Svg] {
                let effects = update(&mut session, Event::Export(kind));
                assert_eq!(effects.len(), usize::from(view != View::Checks), "{view:?}");
            }
        }
    }

    #[test]
    fn an_export_without_a_run_shows_a_sentence() {
        let mut session = finished("v1;kernel=reduce-shuffle;arch=g80");
        assert!(update(&mut session, Event::Export(ExportKind::Json)).is_empty());
        assert_eq!(session.ui.toast.as_deref(), Some("There is no run to export."));
    }
}
