//! The effects of events on a session. Pure: effects on the browser are returned as data.

use super::host::{HostCode, Then};
use super::session::selected;
use super::{
    Choice, CompareEdit, Density, Direction, EDIT_PAUSE_MS, Effect, Event, ExportKind, FormChoice, History,
    LINK_PAUSE_MS, LaunchField, Pane, Panel, Session, Side, Switch, TYPING_PAUSE_MS, Theme, checks, compare,
    export, files, find, form, gestures, jump, outputs, run, text,
};
use crate::library;
use crate::playground::Swizzle;
use crate::scene::{CodePart, PaneRows, Sets, Target, ViewState, ZOOM, legal_carveout};
use crate::share::{COLUMN_PX, SHARE, Scenario, Setup, View};
use engine::ids::{Cycle, SlotIdx};
use engine::sim::{LoadCaching, SchedulerPolicy};

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
    session.follow_sweep();
    session.follow_checks();
    if let Some(before) = before
        && effects.contains(&Effect::PushLink)
    {
        effects.insert(0, Effect::LeaveLink(Box::new(before)));
    }
    effects
}

fn handle(session: &mut Session, event: Event) -> Vec<Effect> {
    let last = session.last_cycle();
    if !matches!(
        event,
        Event::Tick(_) | Event::Playground(_) | Event::Responded(..)
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
    match event {
        Event::Open(link) => open(session, &link),
        Event::Responded(number, response) => session.responded(number, *response),
        Event::Tick(elapsed) => tick(session, elapsed),
        Event::PlayPause => {
            let direction = session.playback.playing.unwrap_or(Direction::Forward);
            play(session, direction)
        }
        Event::Play(direction) => play(session, direction),
        Event::Step(by) if session.is_comparing() => {
            let position = session.clock().saturating_add_signed(by);
            session.show_position(position)
        }
        Event::SeekEnd if session.is_comparing() => {
            let end = session.clock_end();
            session.show_position(end)
        }
        Event::Step(by) => {
            let cycle = session.cycle().saturating_add_signed(by);
            session.go(Some(cycle), "")
        }
        Event::Seek(cycle) => session.show_cycle(cycle),
        Event::SeekEnd => session.go(Some(last), ""),
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
        Event::File(edit) => files::edit(session, edit),
        Event::Launch(field, text) => form::enter(session, field, text),
        Event::Form(choice) => form::choose(session, choice),
        Event::Outputs(choice) => outputs::choose(session, choice),
        Event::Check(choice) => checks::choose(session, choice),
        Event::GoToDefinition => vec![Effect::FocusDefinition],
        Event::Say(text) => {
            session.say(text);
            Vec::new()
        }
        Event::Toggle(switch) => session.change(|setup| toggle(setup, switch)),
        Event::Carveout(kib) => session.change(|setup| setup.machine.carveout_kib = kib),
        Event::View(view) => show(session, view),
        Event::Split(view) => split(session, view),
        Event::SplitOrWhole => {
            let view = match session.ui.split {
                Some(_) => None,
                None => Some(session.companion()),
            };
            split(session, view)
        }
        Event::Compare(edit) => compare::edit(session, edit),
        Event::OtherPane if session.is_comparing() => {
            let next = (session.active_side() + 1) % session.num_sides();
            session.choose_side(next);
            vec![Effect::FocusPane(session.active()), Effect::ReplaceLink]
        }
        Event::OtherPane => {
            if session.ui.split.is_none() {
                return Vec::new();
            }
            session.active = session.active().other();
            vec![Effect::FocusPane(session.active()), Effect::ReplaceLink]
        }
        Event::In(pane, event) => {
            session.activate(pane);
            update(session, *event)
        }
        Event::Find(_) | Event::FindBeside(_) | Event::FindTake(_) => match find::find(session, event) {
            Some(event) => update(session, event),
            None => Vec::new(),
        },
        Event::Recent(list) => {
            session.ui.recent = list;
            Vec::new()
        }
        Event::Keep(now_ms) => session.keep(now_ms),
        Event::Forget(idx) => session.forget(idx),
        Event::Visit(link) => {
            open(session, &link);
            vec![Effect::PushLink]
        }
        Event::Rename(name) => {
            let name = name.trim().to_owned();
            let is_default = name.is_empty() || name == session.kernel_name();
            session.commit(|session| session.ui.name = (!is_default).then_some(name))
        }
        Event::Choose(Choice::Request(step)) => session.step_request(step),
        Event::Choose(Choice::Playground(on)) => session.show_playground(on),
        Event::Choose(Choice::HoldSweep(held)) => {
            session.hold_sweep(held);
            Vec::new()
        }
        Event::Choose(Choice::Dlcm(caching)) => update(session, Event::Form(FormChoice::Caching(caching))),
        Event::Choose(Choice::BankSize(size)) => update(session, Event::Form(FormChoice::BankSize(size))),
        Event::Choose(Choice::Kernel(id)) => update(session, Event::Kernel(id.to_owned())),
        Event::Playground(edit) => session.edit_playground(edit),
        Event::Choose(Choice::Set(setting)) => {
            session.ui.state.settings.set(setting);
            vec![Effect::ReplaceLink]
        }
        Event::Plot(sets, x) => plot(session, sets, x),
        Event::Point(target) => {
            let tooltip = session.shown().tooltip(target);
            let text = tooltip.map(|(name, reason)| format!("{name}. {reason}"));
            text.map(Effect::Announce).into_iter().collect()
        }
        Event::Select(target) => select(session, target),
        Event::Scroll(rows, top) => {
            match rows {
                PaneRows::Lines => session.ui.state.top_line = Some(top),
                PaneRows::Instructions => session.ui.state.top_pc = Some(top),
            }
            session.link_ms.get_or_insert(LINK_PAUSE_MS);
            Vec::new()
        }
        Event::SelectBeside(step) if session.active_view() == View::Checks => {
            session.choose_finding_beside(step)
        }
        Event::SelectBeside(step) if session.active_view() == View::Source => {
            choose_beside(session, step);
            vec![Effect::ReplaceLink]
        }
        Event::SelectBeside(step) => {
            let slot = session.derived().slot_beside(session.slot(), step);
            select(session, Target::Warp { slot })
        }
        Event::Zoom { factor, .. } if session.active_view() == View::Divergence => {
            let settings = &mut session.ui.state.settings;
            settings.lane_zoom = settings.lane_zoom.zoomed(factor < 1.0);
            vec![Effect::ReplaceLink]
        }
        Event::Zoom { factor, around } => {
            let around = around.unwrap_or(session.cycle());
            zoom(session, factor, around);
            session.link_ms.get_or_insert(LINK_PAUSE_MS);
            Vec::new()
        }
        Event::Gesture(gesture) => gestures::gesture(session, gesture),
        Event::Drag(pixels) => {
            drag(session, pixels);
            session.link_ms.get_or_insert(LINK_PAUSE_MS);
            Vec::new()
        }
        Event::CopyLink => vec![Effect::ReplaceLink, Effect::CopyLink],
        Event::Copied(Ok(length)) => {
            session.say(format!("Link copied · {length} characters"));
            Vec::new()
        }
        Event::Copied(Err(why)) => {
            session.say(why);
            Vec::new()
        }
        Event::Undo => travel(session, History::undo, "Nothing to undo."),
        Event::Redo => travel(session, History::redo, "Nothing to redo."),
        Event::FullScreen => vec![Effect::FullScreen],
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
        Event::Theme => {
            session.ui.theme = match session.ui.theme {
                Theme::System => Theme::Light,
                Theme::Light => Theme::Dark,
                Theme::Dark => Theme::System,
            };
            session.say(match session.ui.theme {
                Theme::System => "Colours as the system has them",
                Theme::Light => "Light",
                Theme::Dark => "Dark",
            });
            vec![Effect::ShowTheme(session.ui.theme)]
        }
        Event::Dismiss => {
            session.ui.warnings.clear();
            Vec::new()
        }
        Event::Activate(_)
        | Event::Share(_)
        | Event::Table
        | Event::Panel(_)
        | Event::Close
        | Event::Left
        | Event::Right
        | Event::LeftSide(_)
        | Event::RightSide(_)
        | Event::Density => {
            arrange(session, &event);
            match session.ui.panel {
                Some(Panel::SetUp(part)) if event == Event::Panel(Panel::SetUp(part)) => {
                    vec![Effect::FocusPart(part), Effect::ReplaceLink]
                }
                _ => vec![Effect::ReplaceLink],
            }
        }
    }
}

/// Changes the layout of the page.
fn arrange(session: &mut Session, event: &Event) {
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
                session.ui.finder = find::Finder::default();
                session.ui.jump.open();
                Some(*panel)
            }
        }
        Event::Close if session.ui.panel.take().is_none() => {
            session.set_range(None);
        }
        // In projector size the setup panel is hidden unless the user chose its width.
        Event::Left if session.ui.density == Density::Projector && session.ui.left == Side::Default => {
            session.ui.left = Side::Wide(320);
        }
        Event::Left => session.ui.left = turned(session.ui.left),
        Event::Right => session.ui.right = turned(session.ui.right),
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
}

/// The side column hidden, or shown again.
fn turned(side: Side) -> Side {
    match side {
        Side::Closed => Side::Default,
        Side::Default | Side::Wide(_) => Side::Closed,
    }
}

fn within(side: Side) -> Side {
    match side {
        Side::Wide(px) => Side::Wide(px.clamp(COLUMN_PX.0, COLUMN_PX.1)),
        Side::Default | Side::Closed => side,
    }
}

/// Shows a view in the active pane. If the other pane has the view, the panes exchange their views.
fn show(session: &mut Session, view: View) -> Vec<Effect> {
    let before = session.active_view();
    if before == view {
        return Vec::new();
    }
    let ui = &mut session.ui;
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
    vec![Effect::PushLink]
}

/// Splits the stage, or gives the whole stage to the active view.
fn split(session: &mut Session, view: Option<View>) -> Vec<Effect> {
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

fn open(session: &mut Session, link: &str) -> Vec<Effect> {
    let (scenario, warnings) = run::read_link(link);
    session.ui.warnings = warnings;
    let now = session.link();
    if session.opened {
        session.history.follow(now, &scenario);
    }
    session.opened = true;
    session.load(scenario);
    session.follow_host(Then::Find)
}

fn play(session: &mut Session, direction: Direction) -> Vec<Effect> {
    if session.playback.playing == Some(direction) {
        session.playback.pause();
        return vec![
            Effect::ReplaceLink,
            Effect::Announce(session.sentence_of_picture()),
        ];
    }
    session.ui.state.timeline_start = None;
    session.follow_cycle();
    session.follow_warp_in_code();
    session.on_clock(|playback, last, complete| playback.play(direction, last, complete));
    Vec::new()
}

fn tick(session: &mut Session, elapsed: f64) -> Vec<Effect> {
    let mut effects = Vec::new();
    for derived in session.derived_all_mut() {
        derived.ingest();
    }
    let was_playing = session.playback.playing.is_some();
    let moved = session.on_clock(|playback, last, complete| playback.tick(elapsed, last, complete));
    if moved && session.playback.playing.is_some() {
        session.link_ms.get_or_insert(LINK_PAUSE_MS);
    }
    if was_playing && session.playback.playing.is_none() {
        effects.push(Effect::ReplaceLink);
        effects.push(Effect::Announce(session.sentence_of_picture()));
    }
    if session.ui.toast.is_some() {
        session.toast_ms -= elapsed;
        if session.toast_ms <= 0.0 {
            session.ui.toast = None;
        }
    }
    if let Some(left) = &mut session.link_ms {
        *left -= elapsed;
        if *left <= 0.0 {
            session.link_ms = None;
            effects.push(Effect::ReplaceLink);
        }
    }
    if let Some(left) = &mut session.keep_ms {
        *left -= elapsed;
        if *left <= 0.0 {
            session.keep_ms = None;
            effects.push(Effect::Date);
        }
    }
    if let Some(since) = &mut session.typed_ms {
        *since += elapsed;
        if *since > TYPING_PAUSE_MS && session.edit_ms.is_none() {
            session.typed_ms = None;
        }
    }
    if let Some(left) = &mut session.edit_ms {
        *left -= elapsed;
        if *left <= 0.0 {
            session.edit_ms = None;
            effects.extend(text::compile(session));
        }
    }
    effects
}

fn kernel(session: &mut Session, id: &str) -> Vec<Effect> {
    let Some(kernel) = library::kernel(id) else {
        return Vec::new();
    };
    session.edit_ms = None;
    let side = session.side_mut();
    side.drafts.clear();
    side.host = HostCode::default();
    let effects = session.commit(|session| {
        session.ui.name = None;
        session.change_setup(|setup| {
            let Setup {
                arch,
                compile,
                machine,
                ..
            } = *setup;
            *setup = Setup {
                kernel: kernel.id.to_owned(),
                arch,
                compile,
                machine,
                ..Setup::of(&Scenario::default())
            };
        });
    });
    kernel.source.clone_into(&mut session.side_mut().text);
    session.seek(0);
    session.ui.range = None;
    session.ui.state = ViewState {
        settings: session.ui.state.settings,
        ..selected(0)
    };
    effects
}

/// Sets the parameter that a chart varies along its x axis.
fn plot(session: &mut Session, sets: Sets, x: f64) -> Vec<Effect> {
    let x = x.max(0.0) as u32;
    match sets {
        Sets::Nothing => Vec::new(),
        Sets::BlockThreads => {
            // A block keeps its y and z dimensions while they divide the number of threads.
            let [width, _, depth] = session.setup().launch().block;
            let slice = (width * depth).max(1);
            let block = if x.is_multiple_of(slice) {
                format!("{width}x{}x{depth}", x / slice)
            } else {
                x.to_string()
            };
            form::enter(session, LaunchField::Block, block)
        }
        Sets::SharedKib => {
            let program = session.derived().program();
            let fixed = program.map_or(0, |program| program.static_shared_bytes);
            let dynamic = (x * 1024).saturating_sub(fixed);
            form::enter(session, LaunchField::DynamicShared, dynamic.to_string())
        }
        Sets::Carveout => {
            let kib = legal_carveout(session.arch(), x);
            session.change(|setup| setup.machine.carveout_kib = Some(kib))
        }
    }
}

fn toggle(setup: &mut Setup, switch: Switch) {
    match switch {
        Switch::FastMath => setup.compile.fast_math = !setup.compile.fast_math,
        Switch::NoFusedMultiplyAdd => setup.compile.fmad = !setup.compile.fmad,
        Switch::FlushToZero => setup.compile.ftz = !setup.compile.ftz,
        Switch::FastDivision => setup.compile.prec_div = !setup.compile.prec_div,
        Switch::FastRoot => setup.compile.prec_sqrt = !setup.compile.prec_sqrt,
        Switch::Pointers32Bit => setup.compile.pointers_32_bit = !setup.compile.pointers_32_bit,
        Switch::CacheGlobal => {
            setup.machine.load_caching = match setup.machine.load_caching {
                LoadCaching::Cg => LoadCaching::Default,
                LoadCaching::Default | LoadCaching::Ca => LoadCaching::Cg,
            };
        }
        Switch::RoundRobin => {
            setup.machine.policy = match setup.machine.policy {
                SchedulerPolicy::Lrr => SchedulerPolicy::Chip,
                SchedulerPolicy::Chip | SchedulerPolicy::Gto | SchedulerPolicy::TwoLevel => {
                    SchedulerPolicy::Lrr
                }
            };
        }
        Switch::Adversarial => setup.machine.adversarial = !setup.machine.adversarial,
    }
}

fn select(session: &mut Session, target: Target) -> Vec<Effect> {
    match target {
        Target::Warp { slot } => {
            session.ui.state.slot = Some(SlotIdx(slot));
            session.leave_range();
        }
        Target::WarpAt { slot, cycle } => {
            session.ui.state.slot = Some(SlotIdx(slot));
            session.leave_range();
            session.hold_timeline();
            return update(session, Event::Seek(cycle));
        }
        Target::LaneAt { slot, lane, cycle } => {
            session.ui.state.slot = Some(SlotIdx(slot));
            // In the current cycle a click selects or deselects a lane; in another cycle it moves there.
            if cycle == session.cycle() {
                session.ui.state.lane = other_than(session.ui.state.lane, lane);
            } else {
                session.ui.state.lane = Some(lane);
                return update(session, Event::Seek(cycle));
            }
        }
        Target::Cycle(cycle) => {
            session.hold_timeline();
            return update(session, Event::Seek(cycle));
        }
        Target::Register { reg, .. } => {
            session.ui.state.register = other_than(session.ui.state.register, reg);
        }
        Target::Value { reg, lane, .. } => {
            let both = (session.ui.state.register, session.ui.state.lane) == (Some(reg), Some(lane));
            session.ui.state.register = (!both).then_some(reg);
            session.ui.state.lane = (!both).then_some(lane);
        }
        Target::Predicate { lane, .. } => session.ui.state.lane = other_than(session.ui.state.lane, lane),
        Target::SharedWord { offset, .. } => {
            session.ui.state.word = other_than(session.ui.state.word, offset);
        }
        Target::Wavefront(pass) => session.ui.state.wavefront = Some(pass),
        Target::Lane(lane) => {
            session.ui.state.lane = other_than(session.ui.state.lane, lane);
        }
        Target::Access(access) => {
            let row = session.derived().trace().and_then(|trace| trace.access(access));
            if session.active_view() == View::Timeline
                && let Some(row) = row
            {
                session.ui.state.slot = Some(row.slot);
                session.leave_range();
                session.hold_timeline();
                update(session, Event::Seek(row.issued.0));
            }
            session.ui.state.access = Some(access);
            session.ui.state.wavefront = None;
        }
        Target::Combination(idx) => return session.take_combination(idx.into()),
        Target::CacheLine { set, way } => {
            let settings = &mut session.ui.state.settings;
            settings.cache_line = other_than(settings.cache_line, (set, way));
        }
        Target::HitColumn(cycle) => {
            return update(session, Event::Seek(cycle));
        }
        Target::Mark(mark) => {
            session.ui.state.filter = other_than(session.ui.state.filter, mark);
        }
        Target::CodeLine(line) => {
            let again = session.ui.state.line == Some(line) && session.ui.state.pc.is_none();
            choose_code(session, (!again).then_some(line), None);
        }
        Target::CodePc(pc) => {
            let again = session.ui.state.pc == Some(pc);
            choose_code(session, None, (!again).then_some(pc));
        }
        Target::Line(line) => return session.focus_line(line),
        Target::Instruction(pc) => {
            let line = session.derived().line_of(pc);
            return line.map_or_else(Vec::new, |line| session.focus_line(line));
        }
        Target::Side(idx) => session.choose_side(idx.into()),
        Target::Arch(arch) => return update(session, Event::Arch(arch)),
        Target::Swizzle => return session.take_layout(0, Swizzle::Xor),
        Target::Padding(pad) if session.shown_playground().is_some() => {
            return session.take_layout(pad.into(), Swizzle::None);
        }
        Target::Padding(words) => return pad(session, words),
        // A GPU without a configurable carveout keeps its split.
        Target::Carveout(kib) if session.arch().occupancy.carveouts_kib.value.len() > 1 => {
            return session.change(|setup| setup.machine.carveout_kib = Some(kib.into()));
        }
        Target::Scheduler(_)
        | Target::Pipe { .. }
        | Target::Queue { .. }
        | Target::Registers { .. }
        | Target::Bank(_)
        | Target::Word(_)
        | Target::Fetch(_)
        | Target::Generation(_)
        | Target::L1Line(_)
        | Target::SharedBlock(_)
        | Target::Parameter(_)
        | Target::Carveout(_)
        | Target::Counter(_)
        | Target::MemoryLevel(_) => {}
    }
    vec![Effect::ReplaceLink]
}

/// The selection after a click: a second click on the same item deselects it.
fn other_than<T: PartialEq>(selected: Option<T>, clicked: T) -> Option<T> {
    (selected.as_ref() != Some(&clicked)).then_some(clicked)
}

/// Selects a line or an instruction; any other pane with code scrolls to the selection.
fn choose_code(session: &mut Session, line: Option<u32>, pc: Option<u32>) {
    let view = &mut session.view_state();
    (view.line, view.pc) = (line, pc);
    view.follows_warp = false;
    if line.is_some() {
        view.top_pc = None;
    }
    if pc.is_some() {
        view.top_line = None;
    }
}

/// Selects the line or the instruction this many rows below the selected one.
fn choose_beside(session: &mut Session, step: i32) {
    let Some(trace) = session.derived().trace() else {
        return;
    };
    let code = &trace.program().code;
    let slot = SlotIdx(session.slot());
    let current = trace.run_at(slot, Cycle(session.cycle())).map(|run| run.pc.0);
    let last = code.len().saturating_sub(1) as u32;
    let view = &session.view_state();
    let instructions = view.settings.code == CodePart::Instructions;
    let (mut line, mut pc) = (None, None);
    if view.pc.is_some() || instructions {
        let now = view.pc.or(current);
        pc = Some(now.map_or(0, |now| now.saturating_add_signed(step).min(last)));
    } else {
        // Lines with code, followed by the code without a line.
        let mut lines: Vec<u32> = code.iter().map(|instruction| instruction.span.line).collect();
        lines.sort_by_key(|line| line.wrapping_sub(1));
        lines.dedup();
        let at_current = current.and_then(|pc| Some(code.get(pc as usize)?.span.line));
        let now = view.line.or(at_current).unwrap_or(1).wrapping_sub(1);
        let at = lines.partition_point(|line| line.wrapping_sub(1) < now);
        let exact = lines.get(at).is_some_and(|line| line.wrapping_sub(1) == now);
        let at = at as i32 + if step > 0 && !exact { step - 1 } else { step };
        line = lines
            .get(at.clamp(0, lines.len().saturating_sub(1) as i32) as usize)
            .copied();
    }
    (session.ui.state.top_line, session.ui.state.top_pc) = (None, None);
    choose_code(session, line, pc);
}

/// Pads the rows of the shared-memory tile that the Banks view shows.
fn pad(session: &mut Session, words: u8) -> Vec<Effect> {
    if let Some(text) = session.padded(words) {
        session.side_mut().text = text;
        text::compile(session)
    } else {
        session.say("This array has no rows to pad.");
        Vec::new()
    }
}

/// Zooms the timeline around a cycle.
fn zoom(session: &mut Session, factor: f64, around: u64) {
    let Some((before, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    let px = (f64::from(before.px) / factor).clamp(f64::from(ZOOM.0), f64::from(ZOOM.1));
    session.ui.state.cycle_px = Some(px as f32);
    let offset = (f64::from(before.x(around) - before.x0) / px) as u64;
    if session.ui.state.timeline_start.is_some() || around != session.cycle() {
        session.ui.state.timeline_start = Some(Cycle(around.saturating_sub(offset).min(cycles)));
    }
}

/// Scrolls the Timeline's window without changing the current cycle.
fn drag(session: &mut Session, pixels: f64) {
    let Some((scale, cycles)) = session.derived().timeline_scale(session) else {
        return;
    };
    if session.active_view() != View::Timeline {
        return;
    }
    let shown = scale.end - scale.start;
    session.dragged += pixels / f64::from(scale.px);
    let whole = session.dragged.trunc();
    session.dragged -= whole;
    let start = (scale.start as f64 - whole).max(0.0) as u64;
    session.ui.state.timeline_start = Some(Cycle(start.min(cycles.saturating_sub(shown))));
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
        let (view, layout) = (session.ui.view, session.link().layout);
        let split = if session.is_comparing() {
            scenario.split
        } else {
            session.ui.split
        };
        session.load(Scenario {
            view,
            split,
            layout,
            ..scenario
        });
        // An undone launch is not applied again while the source is edited.
        session.follow_host(Then::Keep);
        vec![Effect::PushLink]
    } else {
        session.say(none);
        Vec::new()
    }
}
