//! The IDs of the parts of panes.

use workbench::app::Pane;

/// The test ID of a part of a pane.
pub(super) fn id(pane: Pane, name: &str) -> String {
    match pane {
        Pane::First => name.to_owned(),
        Pane::Second | Pane::Third | Pane::Fourth => format!("{name}-{}", pane.idx() + 1),
    }
}
