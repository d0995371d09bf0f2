//! The root component: it owns the session, dispatches events to it, and performs its effects.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventTarget, HtmlElement};
use yew::{Callback, Component, Context, Html, Properties, html};

use super::browser;
use super::card::card;
use super::compiler;
use super::dropped;
use super::export;
use super::find::find;
use super::finder::finder;
use super::glossary::glossary;
use super::header::{header, more_menu};
use super::help::{help, key_map, sources};
use super::inspector::inspector;
use super::lesson::{lesson, lessons};
use super::memo::MemoParts;
use super::outputs::outputs;
use super::palette::Palette;
use super::pane::PaneState;
use super::rail::{EditorState, part_name, rail};
use super::recent::recent;
use super::share::share as share_dialog;
use super::stage::{StageState, stage};
use super::ticker::Ticker;
use super::timer::{Timer, soon};
use super::transport::transport;
use super::worker_module::FromWorker;
use super::workers::{News, Workers};
use workbench::app::compiler::Response;
use workbench::app::keys::{self, Key};
use workbench::app::recent as recent_list;
use workbench::app::{
    Density, Effect, Event, GlossaryEdit, LessonEdit, Pane, Panel, PictureKey, Report, Session, SetUpPart,
    Side, StripKey, update,
};
use workbench::lesson::{Ask, Task};
use workbench::scene::{Scene, Size, Target};
use workbench::share::{self, View};

/// The storage key of the recent scenarios.
const RECENT: &str = "recent";
/// The storage key of the progress in lessons.
const LESSONS: &str = "lessons";
/// The number of parts in which the page loads, each in a task of its own: first the header and the stage, then the
/// parts beside them. The setup panel has its own order (`rail.rs`).
const PARTS: u8 = 8;
const HEAD: u8 = 1;
const STAGE: u8 = 2;
const TRANSPORT: u8 = 3;
/// Milliseconds per task for worker reports, and the minimum time between two such tasks.
const READ_MS: f64 = 6.0;
const READ_PAUSE_MS: f64 = 4.0;
/// Milliseconds between two tasks that count in advance.
const COUNT_PAUSE_MS: i32 = 40;
/// Milliseconds per frame for a search of the run.
const LOOK_MS: f64 = 5.0;

/// The messages of the root component.
pub(crate) enum Message {
    /// The next pending step may run.
    Step,
    /// The address may be updated.
    ShowLink,
    /// There is time to count in advance.
    Count,
    /// An event for the session.
    App(Event),
    /// The size of a pane.
    Stage(Pane, Size),
    /// The size of the strip.
    Strip(Size),
    /// The system's color scheme or the screen changed.
    Look,
    /// The pointer is over a target, at a screen position.
    Hover(Option<Pane>, Hovered),
    /// A worker's message.
    Worker(u32, FromWorker),
}

/// Work that runs in a task of its own, one at a time: the document is updated between two steps. The variants
/// are in order of urgency, but see `Root::next_step`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Reads worker reports.
    Read,
    /// Draws the strip's pictures while the page loads.
    Strip,
    /// Updates the document after the pictures.
    Follow,
    /// Draws the pictures.
    Show,
    /// Shows the next part of the page.
    Arrive,
}

impl Step {
    const ALL: [Self; 5] = [Self::Read, Self::Strip, Self::Follow, Self::Show, Self::Arrive];
}

/// A target under the pointer, and its screen position.
pub(crate) type Hovered = Option<(Target, f64, f64)>;

/// Height of a tooltip's line.
const LINE_PX: f64 = 16.0;

/// A tooltip: its target, position, and two lines.
struct Tip {
    x: f64,
    y: f64,
    name: String,
    reason: String,
}

/// The root component.
pub(crate) struct Root {
    session: Session,
    dispatch: Callback<Event>,
    on_hover: Callback<(Pane, Hovered)>,
    on_strip_hover: Callback<Hovered>,
    on_strip: Callback<(f32, f32)>,
    on_response: Callback<(u64, Response)>,
    palette: Rc<Palette>,
    panes: [PaneState; 4],
    strip: Size,
    strip_run: Option<Rc<Scene>>,
    strip_run_key: Option<StripKey>,
    strip_marks: Option<Rc<Scene>>,
    /// The inputs of the strip's picture.
    strip_key: Option<(PictureKey, f32, u64)>,
    /// The current density.
    density: Density,
    editor: EditorState,
    memo: MemoParts,
    /// The number of page parts that are shown.
    arrived: u8,
    /// The pending steps, and whether a task is scheduled for them.
    steps: Vec<Step>,
    is_step_due: bool,
    /// The timer of the next task that counts in advance.
    counting: Option<Timer>,
    tip: Option<Tip>,
    hovered: Option<(Option<Pane>, Target)>,
    announcement: String,
    /// A part of the setup panel that takes the focus after it is shown.
    wanted_part: Option<SetUpPart>,
    /// The views whose tabs were last scrolled into view, and whether a scroll is pending.
    shown_views: Option<(View, Option<View>)>,
    are_tabs_due: bool,
    /// Whether the first view of `index.html`, which covers the page until it shows the same, is gone.
    is_uncovered: bool,
    ticker: Option<Ticker>,
    workers: Workers,
    /// Worker messages that are not read yet.
    news: VecDeque<(u32, FromWorker)>,
    /// The time at which messages were last read.
    read_ms: f64,
    _listeners: Vec<Listener>,
}

/// An event listener that is removed on drop.
pub(super) struct Listener {
    target: EventTarget,
    name: &'static str,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    /// Adds a listener, which is removed on drop.
    pub(super) fn on(
        target: &EventTarget,
        name: &'static str,
        call: impl Fn(web_sys::Event) + 'static,
    ) -> Self {
        let closure: Closure<dyn FnMut(web_sys::Event)> = Closure::new(call);
        // Adding a function as a listener does not fail.
        let _ = target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
        Self {
            target: target.clone(),
            name,
            closure,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.closure.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback(self.name, function);
    }
}

/// The properties of the root component.
#[derive(Clone, Properties)]
pub(crate) struct RootProps {
    /// Taken once.
    session: Rc<RefCell<Option<Session>>>,
    /// Sizes of the stage's picture and of the strip, where no browser measures them. The page is complete at
    /// once then.
    #[prop_or_default]
    sizes: Option<(Size, Size)>,
    /// What the address opens beside the scenario: a lesson, the list of lessons, or the glossary. Taken once.
    #[prop_or_default]
    effects: Rc<RefCell<Vec<Effect>>>,
}

impl PartialEq for RootProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.session, &other.session) && self.sizes == other.sizes
    }
}

impl RootProps {
    /// A session with the address's scenario, compiled.
    pub(crate) fn opened() -> Self {
        let mut session = Session::remote();
        session.ui.theme = browser::kept_theme();
        browser::show_theme(session.ui.theme);
        let mut effects = update(&mut session, Event::Open(browser::fragment()));
        effects.retain(|effect| {
            matches!(
                effect,
                Effect::ReadLesson { .. } | Effect::ReadCourses | Effect::ReadGlossary
            )
        });
        let kept = browser::kept(RECENT).unwrap_or_default();
        update(&mut session, Event::Recent(recent_list::read(&kept)));
        let progress = browser::kept(LESSONS).unwrap_or_default();
        update(&mut session, Event::Lesson(LessonEdit::Progress(progress)));
        Self {
            effects: Rc::new(RefCell::new(effects)),
            ..Self::of(session, None)
        }
    }

    /// A session; sizes where no browser measures them.
    pub(crate) fn of(session: Session, sizes: Option<(Size, Size)>) -> Self {
        Self {
            session: Rc::new(RefCell::new(Some(session))),
            sizes,
            effects: Rc::default(),
        }
    }
}

impl Component for Root {
    type Message = Message;
    type Properties = RootProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let session = ctx.props().session.take().unwrap_or_else(Session::remote);
        let size = |(width, height)| Size { width, height };
        let mut root = Self {
            dispatch: link.callback(Message::App),
            on_hover: link.callback(|(pane, at)| Message::Hover(Some(pane), at)),
            on_strip_hover: link.callback(|at| Message::Hover(None, at)),
            on_strip: link.callback(move |at| Message::Strip(size(at))),
            on_response: link
                .callback(|(number, response)| Message::App(Event::Responded(number, Box::new(response)))),
            palette: Rc::default(),
            panes: Default::default(),
            strip: Size::default(),
            strip_run: None,
            strip_run_key: None,
            strip_marks: None,
            strip_key: None,
            density: Density::Normal,
            editor: EditorState::of(&session),
            memo: MemoParts::default(),
            arrived: 0,
            steps: Vec::new(),
            is_step_due: false,
            counting: None,
            tip: None,
            hovered: None,
            announcement: String::new(),
            wanted_part: None,
            shown_views: None,
            are_tabs_due: false,
            is_uncovered: false,
            ticker: None,
            workers: Workers::new(link.callback(|(id, said)| Message::Worker(id, said))),
            news: VecDeque::new(),
            read_ms: 0.0,
            _listeners: listeners(ctx),
            session,
        };
        if let Some((stage, strip)) = ctx.props().sizes {
            (root.panes[0].size, root.strip, root.arrived) = (stage, strip, PARTS);
            root.redraw();
            return root;
        }
        root.read_look();
        root.schedule(ctx, Step::Show);
        root.act(ctx, ctx.props().effects.take());
        root
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        match message {
            Message::Step => {
                self.is_step_due = false;
                let changes = self.step(ctx);
                // What changes the document is done when that has followed.
                if !changes {
                    self.step_soon(ctx);
                }
                return changes;
            }
            Message::Count => {
                self.count_ahead(ctx);
                return false;
            }
            Message::ShowLink => {
                self.effect(ctx, Effect::ReplaceLink);
                return false;
            }
            Message::App(Event::Tick(elapsed)) => {
                // The edited source may be compiled now.
                if self.session.is_edited() || self.session.is_comparing() {
                    self.memo.change();
                }
                let mut effects = update(&mut self.session, Event::Tick(elapsed));
                // Updating the browser's address is slow, and so does not run within a frame.
                let num = effects.len();
                effects.retain(|effect| *effect != Effect::ReplaceLink);
                if effects.len() < num {
                    let link = ctx.link().clone();
                    soon(move || link.send_message(Message::ShowLink));
                }
                self.act(ctx, effects);
                // A search runs between two frames, too.
                let until = browser::now_ms() + LOOK_MS;
                loop {
                    let (more, effects) = self.session.look_on();
                    self.act(ctx, effects);
                    if !more || browser::now_ms() >= until {
                        break;
                    }
                }
            }
            Message::Worker(id, said) => {
                self.news.push_back((id, said));
                self.schedule(ctx, Step::Read);
                return false;
            }
            Message::App(event) => {
                // What is done shows at once.
                if !matches!(event, Event::Responded(..)) && self.arrived >= PARTS {
                    self.uncover();
                }
                // Going to a cycle changes what is of the cycle alone.
                if !matches!(event, Event::Seek(_)) || self.session.is_comparing() {
                    self.memo.change();
                }
                let effects = update(&mut self.session, event);
                self.act(ctx, effects);
            }
            Message::Stage(pane, size) => self.panes[pane.idx()].size = size,
            Message::Strip(size) => self.strip = size,
            Message::Look => self.read_look(),
            Message::Hover(pane, at) => {
                let target = at.as_ref().map(|(target, ..)| (pane, *target));
                if target == self.hovered {
                    return false;
                }
                self.hovered = target;
                self.tip = at.and_then(|(target, x, y)| {
                    let session = &self.session;
                    let side = match pane {
                        Some(pane) if session.is_side_by_side() => pane.idx(),
                        _ => session.active_side(),
                    };
                    let tooltip = match target {
                        Target::Cycle(position) if pane.is_none() && session.is_comparing() => {
                            Some(session.clock_tooltip(position))
                        }
                        _ => session.shown_side(side).tooltip(target),
                    };
                    let (name, reason) = tooltip?;
                    // Panes with a line of differences are taller, so that all pictures end at the same height.
                    let y = y - LINE_PX * reason.lines().skip(1).count() as f64;
                    Some(Tip { x, y, name, reason })
                });
                return true;
            }
        }
        // While the page is coming, each part of this is a task of its own.
        if self.arrived < PARTS {
            self.schedule(ctx, Step::Show);
            return false;
        }
        self.redraw();
        self.keep_time(ctx);
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        let (session, dispatch) = (&self.session, &self.dispatch);
        let stage_state = StageState {
            panes: &self.panes,
            palette: &self.palette,
            on_hover: &self.on_hover,
            memo: &self.memo,
            is_coming: self.arrived < PARTS,
        };
        let (left, right) = (session.ui.left, session.ui.right);
        let side = |side: Side| match side {
            Side::Closed => "closed",
            Side::Default => "open",
            Side::Wide(_) => "own",
        };
        let width = |name: &str, side: Side| match side {
            Side::Wide(px) => format!("--own-{name}:{px}px;"),
            Side::Default | Side::Closed => String::new(),
        };
        let style = width("rail", left) + &width("inspector", right);
        html! {
            <div class="bench" data-left={side(left)} data-right={side(right)} data-lesson={self.lesson_kind()}
                data-hiding={session.is_hiding().then_some("true")} {style}>
                { if self.arrived >= HEAD { self.memo.part("header", || header(session, dispatch)) } else { Html::default() } }
                { rail(session, &self.editor, (&self.memo, self.arrived), dispatch) }
                { session.ui.lessons.open.as_ref().map(|open| lesson(open, dispatch)) }
                { if self.arrived >= STAGE { stage(session, &stage_state, dispatch) } else { Html::default() } }
                { inspector(session, &self.palette, (&self.memo, self.arrived >= PARTS), dispatch) }
                { if self.arrived >= TRANSPORT { self.transport() } else { Html::default() } }
                { session.is_hiding().then(|| html! { <section class="trans-veil" aria-label="Hidden run"><p>{ "The run appears after your answer." }</p></section> }) }
                { self.floating() }
                <div class="unseen" role="status" aria-live="polite" data-testid="announcement">{ &self.announcement }</div>
            </div>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        self.step_soon(ctx);
        if self.arrived < PARTS {
            self.schedule(ctx, Step::Arrive);
        } else if let Some(part) = self.wanted_part.take() {
            browser::focus_part(part_name(part));
        }
        if self.arrived >= PARTS && !self.awaits_first_view() {
            self.uncover();
        }
        let views = (self.session.ui.view, self.session.ui.split);
        if self.arrived >= STAGE && self.shown_views != Some(views) {
            self.shown_views = Some(views);
            self.are_tabs_due = self.arrived < PARTS;
            if !self.are_tabs_due {
                browser::show_chosen_tabs();
            }
        }
        for pane in Pane::ALL {
            self.panes[pane.idx()].watch(|| {
                ctx.link()
                    .callback(move |(width, height)| Message::Stage(pane, Size { width, height }))
            });
        }
    }
}

impl Root {
    /// What the open lesson's step needs beside its column: the editor for a task to change the kernel.
    fn lesson_kind(&self) -> Option<&'static str> {
        let open = self.session.ui.lessons.open.as_ref()?;
        Some(match open.ask().map(Ask::task) {
            Some(Task::Edit(_)) => "edit",
            _ => "read",
        })
    }

    /// Whether `index.html` shows the run of this session, and the page does not yet.
    fn awaits_first_view(&self) -> bool {
        let derived = self.session.derived();
        !browser::has_link() && (derived.is_compiling() || derived.is_running())
    }

    /// Takes the first view of `index.html` away, after what is painted in the present task.
    fn uncover(&mut self) {
        if !std::mem::replace(&mut self.is_uncovered, true) {
            soon(browser::uncover);
        }
    }

    /// Schedules a step, unless it is already pending.
    fn schedule(&mut self, ctx: &Context<Self>, step: Step) {
        if !self.steps.contains(&step) {
            self.steps.push(step);
        }
        self.step_soon(ctx);
    }

    /// Schedules the pending steps, each in a task of its own.
    fn step_soon(&mut self, ctx: &Context<Self>) {
        if !self.is_step_due && !self.steps.is_empty() {
            self.is_step_due = true;
            let link = ctx.link().clone();
            soon(move || link.send_message(Message::Step));
        }
    }

    /// Removes and returns the next pending step.
    fn next_step(&mut self) -> Option<Step> {
        let reads = browser::now_ms() - self.read_ms >= READ_PAUSE_MS;
        // The first picture is painted before the rest of the page loads, later pictures after it.
        let shows = self.panes[0].scene.is_none() || !self.steps.contains(&Step::Arrive);
        let may = |step: &Step| match step {
            Step::Read => reads,
            Step::Show => shows,
            _ => true,
        };
        let next = Step::ALL
            .into_iter()
            .find(|step| self.steps.contains(step) && may(step))?;
        self.steps.retain(|step| *step != next);
        Some(next)
    }

    /// Runs the next step. Returns whether to render.
    fn step(&mut self, ctx: &Context<Self>) -> bool {
        match self.next_step() {
            Some(Step::Read) => {
                self.read_news(ctx);
                false
            }
            // The first picture of all runs much code for the first time: a task for it, one for the strip,
            // and one for the document.
            Some(Step::Show) if self.arrived < PARTS => {
                self.redraw_panes();
                self.keep_time(ctx);
                self.schedule(ctx, Step::Strip);
                false
            }
            Some(Step::Strip) => {
                self.redraw_strip();
                self.schedule(ctx, Step::Follow);
                false
            }
            Some(Step::Show) => {
                self.redraw();
                self.keep_time(ctx);
                true
            }
            Some(Step::Arrive) if self.are_tabs_due => {
                // The browser has laid out the tabs by now.
                self.are_tabs_due = false;
                browser::show_chosen_tabs();
                self.schedule(ctx, Step::Arrive);
                false
            }
            Some(Step::Arrive) => {
                self.arrived += 1;
                if self.arrived == PARTS {
                    browser::note_complete();
                }
                true
            }
            Some(Step::Follow) => true,
            None => false,
        }
    }

    fn transport(&self) -> Html {
        let scenes = (self.strip_run.as_ref(), self.strip_marks.as_ref());
        let strip = (&self.on_strip, &self.on_strip_hover);
        let look = (&self.palette, &self.memo);
        transport(&self.session, scenes, look, strip, &self.dispatch)
    }

    /// Overlays: dialogs, menus, tooltips, and toasts.
    fn floating(&self) -> Html {
        let panel = match self.session.ui.panel {
            Some(Panel::Help) => help(&self.dispatch),
            Some(Panel::Sources) => sources(&self.session, &self.dispatch),
            Some(Panel::Export) => export::export_menu(&self.dispatch),
            Some(Panel::Outputs) => outputs(&self.session, &self.palette, &self.dispatch),
            Some(Panel::More) => more_menu(&self.session, &self.dispatch),
            Some(Panel::Keys) => key_map(&self.dispatch),
            Some(Panel::Share) => share_dialog(&self.session, &self.dispatch),
            Some(Panel::Glossary) => glossary(&self.session, &self.dispatch),
            Some(Panel::Lessons) => lessons(&self.session, &self.dispatch),
            Some(Panel::Recent) => recent(&self.session, &self.dispatch),
            Some(Panel::Find) => find(&self.session, &self.dispatch),
            Some(Panel::Palette) => finder(&self.session, &self.dispatch),
            Some(Panel::SetUp(_) | Panel::Explanation) | None => Html::default(),
        };
        let toast = self.session.ui.toast.as_ref().map(|text| {
            let offer = self.session.ui.offer.as_ref().map(|(name, event)| {
                let event = event.clone();
                let onclick = self.dispatch.reform(move |_| event.clone());
                html! { <button class="link" data-testid="toast-offer" {onclick}>{ name }</button> }
            });
            html! { <div class="toast"><span role="status" data-testid="toast">{ text }</span>{ offer }</div> }
        });
        html! { <>{ panel }{ card(&self.session, &self.dispatch) }{ toast }{ self.tip.as_ref().map(tip) }</> }
    }

    /// Reads the theme's values and draws all pictures again.
    fn read_look(&mut self) {
        if let Some(window) = browser::window() {
            self.palette = Rc::new(Palette::read(&window));
        }
    }

    /// Draws the pictures of the session's current state.
    fn redraw(&mut self) {
        self.redraw_panes();
        self.redraw_strip();
    }

    fn redraw_panes(&mut self) {
        let density = self.session.ui.density;
        if self.density != density {
            self.density = density;
            browser::show_density(density);
            self.read_look();
        }
        self.session.ui.widths = Pane::ALL.map(|pane| self.panes[pane.idx()].width(density));
        for pane in Pane::ALL {
            self.panes[pane.idx()].redraw(&self.session, pane, &self.palette);
        }
    }

    /// Draws the strip's pictures, and updates the editor's annotations of the run.
    fn redraw_strip(&mut self) {
        if self.strip.width > 0.0 {
            let key = self.session.strip_run_key(self.strip);
            if self.strip_run_key != Some(key) {
                self.strip_run = self.session.strip_run(self.strip).map(Rc::new);
                self.strip_run_key = Some(key);
            }
            let key = self.session.strip_key(self.strip);
            if self.strip_key != Some(key) {
                self.strip_marks = self.session.strip_marks(self.strip).map(Rc::new);
                self.strip_key = Some(key);
            }
        }
        self.editor.follow(&self.session);
    }

    /// Simulates the requested runs, and runs the ticker only while something is pending.
    fn keep_time(&mut self, ctx: &Context<Self>) {
        let jobs = self.session.jobs();
        self.workers.follow(&jobs);
        compiler::follow(&self.session.requests(), &self.on_response);
        match (self.session.needs_ticks(), &self.ticker) {
            (true, None) => {
                let link = ctx.link().clone();
                self.ticker = browser::window().map(|window| {
                    Ticker::start(window, move |elapsed| {
                        link.send_message(Message::App(Event::Tick(elapsed)));
                    })
                });
            }
            (false, Some(_)) => self.ticker = None,
            _ => {}
        }
    }

    /// Reads worker messages within one task's time limit; the rest and the render follow in other tasks. Otherwise,
    /// the messages that arrive while the page is busy would form one long task.
    fn read_news(&mut self, ctx: &Context<Self>) {
        let start = browser::now_ms();
        while let Some((id, said)) = self.news.pop_front() {
            self.read(ctx, id, said);
            self.read_ms = browser::now_ms();
            if self.read_ms - start >= READ_MS {
                break;
            }
        }
        if !self.news.is_empty() {
            self.schedule(ctx, Step::Read);
        }
        self.schedule(ctx, Step::Show);
    }

    /// Reads one worker message.
    fn read(&mut self, ctx: &Context<Self>, id: u32, said: FromWorker) {
        let jobs = self.session.jobs();
        match self.workers.take(id, said, &jobs) {
            Some(News::More(number, report, segment)) => {
                if report.finished {
                    self.memo.change();
                }
                self.session.receive(number, report, segment);
                if report.finished {
                    note_run(&self.session, &report);
                    self.count_ahead(ctx);
                }
            }
            Some(News::Checked(number, report)) => {
                self.memo.change();
                self.session.checked(number, *report);
            }
            Some(News::Lost(number, why)) => {
                self.memo.change();
                self.session.lost(number, &why);
            }
            None => {}
        }
    }

    /// Counts the index of a finished run in small slices, so that the first selected range shows its counters
    /// at once.
    fn count_ahead(&mut self, ctx: &Context<Self>) {
        self.counting = None;
        let Some(trace) = self.session.derived().trace() else {
            return;
        };
        let until = browser::now_ms() + LOOK_MS;
        while trace.count_ahead() {
            if browser::now_ms() >= until {
                let link = ctx.link().clone();
                let go_on = move || link.send_message(Message::Count);
                self.counting = Timer::after(COUNT_PAUSE_MS, go_on);
                return;
            }
        }
    }

    fn act(&mut self, ctx: &Context<Self>, effects: Vec<Effect>) {
        for effect in effects {
            self.effect(ctx, effect);
        }
    }

    fn effect(&mut self, ctx: &Context<Self>, effect: Effect) {
        match effect {
            Effect::LeaveLink(scenario) => browser::show_link(&share::encode(&scenario), false),
            Effect::Date => ctx
                .link()
                .send_message(Message::App(Event::Keep(browser::date_ms()))),
            Effect::KeepRecent(text) => browser::keep(RECENT, &text),
            Effect::KeepProgress(text) => browser::keep(LESSONS, &text),
            Effect::ReadLesson { id, step } => ctx.link().send_future(async move {
                let text = browser::fetch_text(&lesson_address(&id)).await;
                Message::App(Event::Lesson(LessonEdit::Arrived { id, step, text }))
            }),
            Effect::ReadGlossary => ctx.link().send_future(async {
                let text = browser::fetch_text("glossary.json").await;
                Message::App(Event::Glossary(GlossaryEdit::Listed(text)))
            }),
            Effect::ReadCourses => ctx.link().send_future(async {
                let text = browser::fetch_text("lessons.json").await;
                Message::App(Event::Lesson(LessonEdit::Listed(text)))
            }),
            Effect::PushLink => browser::show_link(&share::encode(&self.session.link()), true),
            Effect::ReplaceLink => browser::show_link(&share::encode(&self.session.link()), false),
            Effect::CopyLink => ctx.link().send_future(async {
                let address = browser::address();
                let copied = browser::copy(&address).await;
                Message::App(Event::Copied(copied.map(|()| address.chars().count())))
            }),
            Effect::CopyText { text, said } => ctx.link().send_future(async move {
                let copied = browser::copy(&text).await;
                Message::App(Event::Say(copied.map_or_else(|why| why, |()| said)))
            }),
            Effect::Announce(text) => self.announcement = text,
            Effect::ShowTheme(theme) => {
                browser::show_theme(theme);
                self.read_look();
            }
            Effect::FocusLine(line) => {
                self.editor.request_line(line);
            }
            Effect::FocusDefinition => self.editor.definition += 1,
            Effect::SavePicture(name) => {
                if let Some(scene) = &self.panes[self.session.active().idx()].scene {
                    export::save_picture(&name, scene, &self.palette);
                }
            }
            Effect::SaveDrawing(name) => {
                if let Some(scene) = &self.panes[self.session.active().idx()].scene {
                    export::save_drawing(&name, scene, &self.palette);
                }
            }
            Effect::SaveTrace(name) => {
                if let Some(trace) = self.session.derived().trace() {
                    let saved = name.clone();
                    let done = ctx
                        .link()
                        .callback(move |bytes| Message::App(Event::Saved(saved.clone(), bytes)));
                    export::save_trace(name, Arc::clone(trace), done);
                }
            }
            Effect::FocusPane(pane) => {
                if let Some(canvas) = self.panes[pane.idx()].canvas.cast::<HtmlElement>() {
                    // Without a picture the focus does not move.
                    let _ = canvas.focus();
                }
            }
            Effect::FocusPart(part) => self.wanted_part = Some(part),
            Effect::FullScreen => browser::toggle_full_screen(),
            Effect::SaveText { name, text } => export::save_text(&name, &text),
        }
    }
}

/// Records a run's time for benchmarks.
fn note_run(session: &Session, report: &Report) {
    let bytes = session.derived().trace().map_or(0, |trace| trace.total_bytes());
    browser::mark_with(
        "simulated",
        &[
            ("cycles", report.cycles as f64),
            ("issues", report.issues as f64),
            ("busyMs", report.busy_ms),
            ("traceBytes", bytes as f64),
        ],
    );
}

fn tip(tip: &Tip) -> Html {
    let reason = (!tip.reason.is_empty()).then(|| html! { <span>{ &tip.reason }</span> });
    let width = browser::window()
        .and_then(|window| window.inner_width().ok()?.as_f64())
        .unwrap_or(1440.0);
    let side = if tip.x + 280.0 > width {
        format!("right:{}px", width - tip.x + 14.0)
    } else {
        format!("left:{}px", tip.x + 14.0)
    };
    let style = format!("{side};top:{}px", tip.y + 18.0);
    html! { <div class="tip" role="tooltip" data-testid="tooltip" {style}><b>{ &tip.name }</b>{ reason }</div> }
}

fn listeners(ctx: &Context<Root>) -> Vec<Listener> {
    let Some(window) = browser::window() else {
        return Vec::new();
    };
    let target: &EventTarget = window.as_ref();
    let open = ctx
        .link()
        .callback(|()| Message::App(Event::Open(browser::fragment())));
    let moved = open.clone();
    let look = ctx.link().callback(|()| Message::Look);
    let resized = look.clone();
    let link = ctx.link().clone();
    let mut list = vec![
        Listener::on(target, "popstate", move |_| open.emit(())),
        Listener::on(target, "hashchange", move |_| moved.emit(())),
        Listener::on(target, "resize", move |_| resized.emit(())),
        Listener::on(target, "keydown", move |event| {
            if let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>()
                && let Some(app_event) = key_event(&event)
            {
                event.prevent_default();
                link.send_message(Message::App(app_event));
            }
        }),
    ];
    list.extend(dropped::listeners(target, &ctx.link().callback(Message::App)));
    if let Ok(Some(dark)) = window.match_media("(prefers-color-scheme: dark)") {
        list.push(Listener::on(dark.as_ref(), "change", move |_| look.emit(())));
    }
    list
}

/// The event for a key press, unless the focused element handles the key.
fn key_event(event: &web_sys::KeyboardEvent) -> Option<Event> {
    let name = event.key();
    let control = event.ctrl_key() || event.meta_key();
    if control && matches!(name.as_str(), "k" | "K") {
        return Some(Event::Panel(Panel::Palette));
    }
    if event.alt_key() || browser::is_text_field(event.target()) {
        return (name == "Escape").then_some(Event::Close);
    }
    if browser::has_open_dialog() && name != "Escape" {
        return None;
    }
    if matches!(name.as_str(), " " | "Enter") && browser::is_control(event.target()) {
        return None;
    }
    // The keys that move a slider.
    let moves = name.starts_with("Arrow") || matches!(name.as_str(), "Home" | "End" | "PageUp" | "PageDown");
    if moves && browser::is_slider(event.target()) {
        return None;
    }
    keys::event(Key {
        name: &name,
        shift: event.shift_key(),
        control,
    })
}

/// The address of a lesson's file: an id names a file of the page.
fn lesson_address(id: &str) -> String {
    if id.contains("://") {
        id.to_owned()
    } else {
        format!("lessons/{id}.toml")
    }
}
