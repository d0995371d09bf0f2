//! Events that arrange the page: views, panes, and panels.

use super::*;
use crate::app::{CompareEdit, Density, Pane, Panel, Side, Theme};
use crate::share::{COLUMN_PX, SHARE};

/// Width of the inspector that an event opens, in pixels: the default of `tokens.css`.
const INSPECTOR_PX: u16 = 288;

/// Shows a view in the active pane. If the other pane has the view, the panes exchange their views.
pub(super) fn show(session: &mut Session, view: View) -> Vec<Effect> {
    let before = session.active_view();
    if before == view {
        return Vec::new();
    }
    let ui = &mut session.ui;
    // The menu in which the view was chosen.
    ui.panel
        .take_if(|panel| matches!(panel, Panel::Views | Panel::More));
    match session.active {
        Pane::Second if ui.split.is_some() => {
            if ui.view == view {
                ui.view = before;
            }
            ui.split = Some(view);
        }
        Pane::First | Pane::Second | Pane::Third | Pane::Fourth => {
            if ui.split == Some(view) {
                ui.split = Some(before);
            }
            ui.view = view;
        }
    }
    session.follow_playground();
    // The device's run can be longer than the run of the other views.
    session.follow_runs();
    vec![Effect::PushLink]
}

/// Splits the stage, or gives the whole stage to the active view.
pub(super) fn split(session: &mut Session, view: Option<View>) -> Vec<Effect> {
    if session.ui.split == view {
        return Vec::new();
    }
    if session.is_comparing() {
        // The stage shows two views of one run or one view of several runs, not both.
        compare::edit(session, CompareEdit::End);
    }
    let active = session.active();
    match view {
        Some(_) if view == Some(session.ui.view) => return Vec::new(),
        Some(_) => session.active = Pane::Second,
        None => {
            session.ui.view = session.active_view();
            session.ui.tables = [session.has_table(active), false];
            session.active = Pane::First;
        }
    }
    session.ui.split = view;
    session.follow_playground();
    vec![Effect::PushLink]
}

/// Splits the stage with the companion of the active view, or ends the split.
pub(super) fn split_or_whole(session: &mut Session) -> Vec<Effect> {
    let view = match session.ui.split {
        Some(_) => None,
        None => Some(session.companion()),
    };
    split(session, view)
}

/// Activates the next pane.
pub(super) fn activate_other(session: &mut Session) -> Vec<Effect> {
    if session.is_comparing() {
        let next = (session.active_side() + 1) % session.num_sides();
        session.choose_side(next);
    } else if session.ui.split.is_none() {
        return Vec::new();
    } else {
        session.active = session.active().other();
    }
    vec![Effect::FocusPane(session.active()), Effect::ReplaceLink]
}

/// Changes the layout of the page.
pub(super) fn arrange(session: &mut Session, event: &Event) -> Vec<Effect> {
    match event {
        Event::Activate(pane) => session.activate(*pane),
        Event::Share(percent) => session.ui.share = (*percent).clamp(SHARE.0, SHARE.1),
        Event::Table => {
            let idx = if session.is_comparing() {
                0
            } else {
                session.active().idx()
            };
            if let Some(table) = session.ui.tables.get_mut(idx) {
                *table = !*table;
            }
        }
        Event::Panel(panel) => {
            session.ui.panel = if session.ui.panel == Some(*panel) {
                None
            } else {
                session.ui.command_palette = command_palette::CommandPalette::default();
                session.ui.jump.open();
                Some(*panel)
            }
        }
        Event::Close => close(session),
        // In projector size the setup panel is hidden unless the user chose its width.
        Event::Left if session.ui.density == Density::Projector && session.ui.left == Side::Default => {
            session.ui.left = Side::Wide(320);
        }
        Event::Left => session.ui.left = turned(session.ui.left),
        Event::Right => {
            session.ui.right = match session.right_side() {
                Side::Closed => Side::Default,
                Side::Default | Side::Wide(_) => Side::Closed,
            };
            // Beside three and more panes the default is hidden.
            if session.ui.right == Side::Default && session.right_side() == Side::Closed {
                session.ui.right = Side::Wide(INSPECTOR_PX);
            }
        }
        Event::LeftSide(side) => session.ui.left = within(*side),
        Event::RightSide(side) => session.ui.right = within(*side),
        Event::Density => {
            session.ui.density = match session.ui.density {
                Density::Normal => Density::Projector,
                Density::Projector => Density::Normal,
            }
        }
        _ => {}
    }
    match session.ui.panel {
        Some(Panel::SetUp(part)) if *event == Event::Panel(Panel::SetUp(part)) => {
            vec![Effect::FocusPart(part), Effect::ReplaceLink]
        }
        _ => lessons::read_lists(session)
            .into_iter()
            .chain([Effect::ReplaceLink])
            .collect(),
    }
}

/// Closes what is on top: the glossary's card, a panel, the explanation, or the selected range.
fn close(session: &mut Session) {
    if session.ui.glossary.card.take().is_some() {
        return;
    }
    let panel = session.ui.panel.take();
    // The explanation's sheet closes with it.
    if matches!(panel, Some(Panel::Explanation) | None) && std::mem::take(&mut session.ui.state.why) > 0 {
        return;
    }
    if panel.is_none() {
        session.ui.state.settings.part = None;
        session.set_range(None);
        if let Some(welcome) = &mut session.ui.welcome {
            welcome.is_folded = false;
        }
    }
}

/// The side column hidden, or shown again.
fn turned(side: Side) -> Side {
    match side {
        Side::Closed => Side::Default,
        Side::Default | Side::Wide(_) => Side::Closed,
    }
}

/// The side column with a legal width.
fn within(side: Side) -> Side {
    match side {
        Side::Wide(px) => Side::Wide(px.clamp(COLUMN_PX.0, COLUMN_PX.1)),
        Side::Default | Side::Closed => side,
    }
}

/// Changes between light and dark. The theme that the system has, too, follows the system from then on.
pub(super) fn change_theme(session: &mut Session) -> Vec<Effect> {
    let system_is_dark = session.ui.is_system_dark;
    let was_dark = match session.shown_theme() {
        Theme::System => system_is_dark,
        Theme::Light => false,
        Theme::Dark => true,
    };
    // The reader's choice replaces the link's theme.
    session.ui.link_theme = Theme::System;
    session.ui.theme = match (was_dark, system_is_dark) {
        (true, false) | (false, true) => Theme::System,
        (true, true) => Theme::Light,
        (false, false) => Theme::Dark,
    };
    let name = if was_dark { "Light theme" } else { "Dark theme" };
    session.say(match session.ui.theme {
        Theme::System => format!("{name}, as in the system"),
        Theme::Light | Theme::Dark => name.to_owned(),
    });
    vec![Effect::ReplaceLink, Effect::ShowTheme(session.ui.theme)]
}
