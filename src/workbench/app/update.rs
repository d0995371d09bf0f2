//! The effects of events on a session. Pure: effects on the browser are returned as data.

mod clock;
mod layout;
mod selection;
mod setup;
mod window;

use super::host::Then;
use super::welcome::Welcome;
use super::{
    Choice, EDIT_PAUSE_MS, Effect, Event, ExportKind, History, LINK_PAUSE_MS, LectureEdit, LessonEdit,
    Session, TourEdit, checks, command_palette, compare, explain, export, fault, files, film, form, gestures,
    glossary, jump, lecture, lessons, outputs, run, sharing, text, tour, welcome,
};
use crate::scene::{PlotSetting, Target};
use crate::share::{self, Scenario, View};
use clock::{change_speed, play, play_or_pause, seek_end, step, tick};
use layout::{activate_other, arrange, change_theme, show, split, split_or_whole};
use selection::{follow_note, select, select_beside};
use setup::{kernel, plot, press};
use window::{drag, scroll, zoom};

/// Applies an event to the session, and returns the effects that the browser performs.
pub fn update(session: &mut Session, event: Event) -> Vec<Effect> {
    let typed = match event {
        // Undo also covers text that the user typed a moment ago.
        Event::Undo | Event::Redo if session.edit_ms.take().is_some() => text::compile(session),
        _ => Vec::new(),
    };
    // The address may be some frames behind: Back must return to the last state that the user saw.
    let behind = session.link_ms.is_some() && !matches!(event, Event::Tick(_) | Event::Responded(..));
    let before = behind.then(|| session.link());
    let mut effects = typed;
    effects.extend(handle(session, event));
    welcome::end_elsewhere(session);
    session.follow_sweep();
    session.follow_advice();
    session.follow_checks();
    session.follow_devices();
    session.follow_streams();
    session.follow_tabs();
    session.follow_cause();
    if let Some(before) = before
        && (effects.contains(&Effect::PushLink) || effects.contains(&Effect::StartLink))
    {
        effects.insert(0, Effect::LeaveLink(Box::new(before)));
    }
    effects
}

/// Ends typing in a playground and a pending search, unless the event belongs to them.
fn end_pending(session: &mut Session, event: &Event) {
    if !matches!(
        event,
        Event::Tick(_) | Event::Playground(_) | Event::Operation(_) | Event::Responded(..)
    ) {
        session.end_typing();
    }
    // Any other action cancels a pending search.
    let goes_on = matches!(
        event,
        Event::Tick(_)
            | Event::Jump(_)
            | Event::Gesture(_)
            | Event::Point(_)
            | Event::Keep(_)
            | Event::Responded(..)
    );
    if !goes_on {
        session.ui.jump.stop();
    }
}

/// Applies one event.
fn handle(session: &mut Session, event: Event) -> Vec<Effect> {
    end_pending(session, &event);
    welcome::fold(session, &event);
    welcome::stop_playing(session, &event);
    if session.is_hiding() && lessons::gives_away(session, &event) {
        session.say("Answer the question first, or show the answer.");
        return Vec::new();
    }
    if lecture::is_frozen_for(session, &event) {
        return lecture::refuse(session, event);
    }
    match event {
        Event::Open(link) => open(session, &link, Vec::new()),
        Event::Reopen(link, texts) => open(session, &link, texts),
        Event::Notice(notice) => {
            session.ui.notices.show(notice);
            Vec::new()
        }
        Event::Responded(number, response) => session.responded(number, *response),
        Event::Tick(elapsed) => tick(session, elapsed),
        Event::FollowNote => follow_note(session),
        Event::PlayPause => play_or_pause(session),
        Event::Play(direction) => play(session, direction),
        Event::Step(by) => step(session, by),
        Event::Seek(cycle) => session.show_cycle(cycle),
        Event::SeekEnd => seek_end(session),
        Event::Jump(jump) => jump::jump(session, jump),
        Event::NextIssue => {
            let cycle = session.derived().next_issue(session.cycle());
            session.go(cycle, "Nothing issues after this cycle.")
        }
        Event::NextStall => {
            let cycle = session.derived().next_stall(session.cycle());
            session.go(cycle, "All schedulers that issue keep issuing after this cycle.")
        }
        Event::NextOfWarp => {
            let cycle = session.derived().next_of_warp(session.cycle(), session.slot());
            session.go(cycle, "This warp slot does not change after this cycle.")
        }
        Event::Speed(speed) => {
            session.playback.speed = speed;
            vec![Effect::ReplaceLink]
        }
        Event::SpeedBy(step) => change_speed(session, step),
        Event::Arch(arch) => session.change(|setup| {
            setup.arch = arch;
            setup.machine.carveout_kib = None;
        }),
        Event::Kernel(id) => kernel(session, &id),
        Event::Edit(text) => {
            session.write_shown(&text);
            session.edit_ms = Some(EDIT_PAUSE_MS);
            Vec::new()
        }
        Event::File(edit) => match (lecture::in_files(&edit), lessons::in_files(&edit)) {
            (Some(chapters), _) => lecture::edit(session, chapters),
            (_, Some(lesson)) => lessons::edit(session, lesson),
            (None, None) => files::edit(session, edit),
        },
        Event::Lecture(edit) => lecture::edit(session, edit),
        Event::Launch(field, text) => form::enter(session, field, text),
        Event::Form(choice) => form::choose(session, choice),
        Event::Outputs(choice) => outputs::choose(session, choice),
        Event::Check(choice) => checks::choose(session, choice),
        Event::OwnKernel => welcome::own_kernel(session),
        Event::Sharing(edit) => sharing::edit(session, edit),
        Event::SaveText { name, text } => vec![Effect::SaveText { name, text }],
        Event::Film(edit) => film::edit(session, edit),
        Event::Glossary(edit) => glossary::edit(session, edit),
        Event::GoToFault => fault::go(session),
        Event::Explain(edit) => explain::edit(session, edit),
        Event::Lesson(edit) => {
            // The lesson keeps the reader's scenario, not the tour's.
            if matches!(edit, LessonEdit::Arrived { .. }) {
                tour::leave(session);
            }
            lessons::edit(session, edit)
        }
        Event::Tour(edit) => {
            if edit == TourEdit::Start && session.ui.lessons.open.is_some() {
                lessons::edit(session, LessonEdit::Leave);
            }
            tour::edit(session, edit)
        }
        Event::FirstVisit => welcome::play(session),
        Event::GoToDefinition => vec![Effect::FocusDefinition],
        Event::Say(text) => {
            session.say(text);
            Vec::new()
        }
        Event::Option(button) | Event::Choose(Choice::Option(button)) => {
            session.change(|setup| press(setup, button))
        }
        Event::Carveout(kib) => session.change(|setup| setup.machine.carveout_kib = kib),
        Event::View(view) => show(session, view),
        Event::Split(view) => split(session, view),
        Event::SplitOrWhole => split_or_whole(session),
        Event::Compare(edit) => compare::edit(session, edit),
        Event::OtherPane => activate_other(session),
        Event::In(pane, event) => {
            session.activate(pane);
            update(session, *event)
        }
        Event::PaletteText(_) | Event::PaletteBeside(_) | Event::PaletteTake(_) => {
            match command_palette::update(session, event) {
                Some(event) => update(session, event),
                None => Vec::new(),
            }
        }
        Event::Recent(list) => {
            session.ui.recent = list;
            Vec::new()
        }
        Event::Keep(now_ms) => session.keep(now_ms),
        Event::Forget(idx) => session.forget(idx),
        Event::Visit(link) => {
            open(session, &link, Vec::new());
            vec![Effect::PushLink]
        }
        Event::Start => {
            session.ui.panel = None;
            open(session, "", Vec::new());
            vec![Effect::StartLink]
        }
        Event::Rename(name) => rename(session, &name),
        Event::Choose(Choice::Request(step)) => session.step_request(step),
        Event::Choose(Choice::Playground(on)) => session.show_playground(on),
        Event::Choose(Choice::HoldSweep(held)) => {
            session.hold_sweep(held);
            Vec::new()
        }
        Event::Choose(Choice::MeasureCause) => {
            session.request_cause();
            Vec::new()
        }
        Event::Choose(Choice::HoldAdvice(held)) => {
            session.hold_advice(held);
            Vec::new()
        }
        Event::Choose(Choice::Plot(kind)) => {
            session.ui.state.settings.plot.set(PlotSetting::Kind(kind));
            show(session, View::Plots)
        }
        Event::Choose(Choice::Full(full)) => session.fill_device(full),
        Event::Choose(Choice::Sm(sm)) => session.show_sm(sm),
        Event::Choose(Choice::SelectedSm) => session.show_selected_sm(),
        Event::Choose(Choice::Product(direction)) => session.step_product(direction),
        Event::Choose(Choice::Kernel(id)) => update(session, Event::Kernel(id.to_owned())),
        Event::Playground(edit) => session.edit_playground(edit),
        Event::Choose(Choice::Typed(on)) => session.show_typed(on),
        Event::Operation(text) => session.edit_operation(text),
        Event::Choose(Choice::Set(setting)) => {
            session.ui.state.settings.set(setting);
            vec![Effect::ReplaceLink]
        }
        Event::Plot(sets, x) => plot(session, sets, x),
        Event::Point(target) => point(session, target),
        Event::Select(target) => {
            if let Some(effects) = lecture::click(session, target) {
                return effects;
            }
            let mut effects = select(session, target);
            effects.extend(lessons::click(session, target));
            effects
        }
        Event::Scroll(rows, top) => scroll(session, rows, top),
        Event::SelectBeside(step) => select_beside(session, step),
        Event::Zoom { factor, around } => zoom(session, factor, around),
        Event::Gesture(gesture) => gestures::gesture(session, gesture),
        Event::Drag(pixels) => {
            drag(session, pixels);
            session.link_ms.get_or_insert(LINK_PAUSE_MS);
            Vec::new()
        }
        Event::CopyLink => vec![Effect::ReplaceLink, Effect::CopyLink],
        Event::Copy(text, said) => vec![Effect::CopyText {
            text,
            said: said.to_owned(),
        }],
        Event::Copied(Ok(length)) => {
            session.say(if session.has_long_text() {
                "Link copied without the source, which is longer than a link holds".to_owned()
            } else {
                format!("Link copied · {length} characters")
            });
            Vec::new()
        }
        Event::Copied(Err(why)) => {
            session.say(why);
            Vec::new()
        }
        Event::Undo => travel(session, History::undo, "Nothing to undo."),
        Event::Redo => travel(session, History::redo, "Nothing to redo."),
        // A lesson keeps its column on a full screen.
        Event::FullScreen if session.ui.lessons.open.is_some() => vec![Effect::FullScreen],
        Event::FullScreen => lecture::edit(session, LectureEdit::Present),
        Event::Stop | Event::GoOn => {
            let goes_on = event == Event::GoOn;
            session.let_go_on(goes_on);
            vec![Effect::Announce(session.run_sentence())]
        }
        Event::SavePicture => export::export(session, ExportKind::Png),
        Event::SaveTable => export::export(session, ExportKind::Table),
        Event::Export(kind) => {
            session.ui.panel = None;
            export::export(session, kind)
        }
        Event::Saved(name, bytes) => {
            let text = format!("Saved {name} · {}", export::size_text(bytes));
            session.say(text);
            Vec::new()
        }
        Event::Theme => change_theme(session),
        Event::Dismiss => {
            session.ui.warnings.clear();
            session.ui.notices.dismiss();
            Vec::new()
        }
        Event::Close => match lecture::close(session) {
            Some(effects) => effects,
            None => arrange(session, &Event::Close),
        },
        Event::Activate(_)
        | Event::Share(_)
        | Event::Table
        | Event::Panel(_)
        | Event::Left
        | Event::Right
        | Event::LeftSide(_)
        | Event::RightSide(_)
        | Event::Density => arrange(session, &event),
    }
}

/// Names the scenario; an empty name and the kernel's own name remove the scenario's name.
fn rename(session: &mut Session, name: &str) -> Vec<Effect> {
    let name = name.trim().to_owned();
    let is_default = name.is_empty() || name == session.kernel_name();
    session.commit(|session| session.ui.name = (!is_default).then_some(name))
}

/// Announces the tooltip of a target.
fn point(session: &Session, target: Target) -> Vec<Effect> {
    let tooltip = session.shown().tooltip(target);
    let text = tooltip.map(|(name, reason)| format!("{name}. {reason}"));
    text.map(Effect::Announce).into_iter().collect()
}

/// Loads the scenario of a link, with the texts that no link holds.
fn open(session: &mut Session, link: &str, texts: Vec<Option<String>>) -> Vec<Effect> {
    let (mut scenario, warnings) = run::read_link(link);
    share::put_long_texts(&mut scenario, texts);
    session.ui.warnings = warnings;
    let is_start = link.trim_start_matches('#').is_empty();
    if is_start {
        scenario.cycle = welcome::START_CYCLE;
    }
    let now = session.link();
    if session.opened {
        session.history.follow(now, &scenario);
    }
    session.opened = true;
    let (lesson, stop) = (scenario.lesson.clone(), scenario.tour);
    session.load(scenario);
    session.ui.welcome = is_start.then(|| Welcome::of(session));
    let mut effects = session.follow_host(Then::Find);
    effects.extend(lessons::follow_link(session, lesson));
    effects.extend(lecture::follow_link(session));
    tour::follow_link(session, stop);
    effects
}

/// Moves through the history in one direction.
fn travel(
    session: &mut Session,
    step: fn(&mut History, Scenario) -> Option<Scenario>,
    none: &str,
) -> Vec<Effect> {
    let now = session.link();
    if let Some(scenario) = step(&mut session.history, now) {
        // Navigation is not part of the scenario: the views and the layout stay. A stage that was split before a
        // comparison is split again.
        // Compare without other sides has nothing to show.
        let view = match session.ui.view {
            View::Compare if scenario.compare.is_none() => scenario.view,
            view => view,
        };
        let layout = share::Layout {
            panel: session.ui.panel,
            ..session.link().layout
        };
        let split = if session.is_comparing() {
            scenario.split
        } else {
            session.ui.split
        };
        let lecture = scenario.lecture.presented_as(&session.ui.lecture.link());
        session.load(Scenario {
            view,
            split,
            layout,
            lecture,
            ..scenario
        });
        // An undone launch is not applied again while the source is edited.
        session.follow_host(Then::Keep);
        let mut effects = lecture::follow_link(session);
        effects.push(Effect::PushLink);
        effects
    } else {
        session.say(none);
        Vec::new()
    }
}
