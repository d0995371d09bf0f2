//! The root component: it owns the session, dispatches events to it, and performs its effects.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use serde::Deserialize;
use wasm_bindgen::JsCast;
use web_sys::{EventTarget, HtmlElement};
use yew::{Callback, Component, Context, Html, Properties, html};

use super::ask::{AskedLesson, consent, copy_by_hand};
use super::browser::{self, EmbedStart};
use super::canvas::Hovered;
use super::card::card;
use super::channel::{Channel, Heard};
use super::chapters::chapters;
use super::command_palette::command_palette;
use super::compiler;
use super::dropped;
use super::editor_state::EditorState;
use super::embed::player;
use super::export;
use super::film::{self, Filming};
use super::focus;
use super::glossary::glossary;
use super::handout::handout;
use super::header::{header, more_menu};
use super::help::{help, key_map, sources};
use super::inspector::inspector;
use super::launch::part_name;
use super::lesson::lesson;
use super::lessons::lessons;
use super::listener::Listener;
use super::memo::MemoParts;
use super::notes_window::notes_column;
use super::outputs::outputs;
use super::overflow::Edges;
use super::palette::Palette;
use super::pane::{Fitted, PaneState, inner, redraw_panes};
use super::pane_parts::StageState;
use super::presenter::{Spotlight, bar, covers, figure};
use super::rail::rail;
use super::recent::recent;
use super::releases::{self, News as ReleaseNews, Releases};
use super::share::share as share_dialog;
use super::stage::stage;
use super::storage::{self, LESSONS, RECENT, RESCUED, Unkept, VISITED};
use super::styled::styled;
use super::theme;
use super::ticker::Ticker;
use super::timer::{Timer, soon};
use super::transport::{strip_of, transport};
use super::worker_module::{self, Fallback, FromWorker};
use super::workers::{News, Workers};
use workbench::app::compiler::Response;
use workbench::app::embed::{self, Embed};
use workbench::app::film::FilmEdit;
use workbench::app::keys::{self, Key};
use workbench::app::lessons::Phase;
use workbench::app::recent as recent_list;
use workbench::app::with_notes;
use workbench::app::{
    Density, Effect, Event, GlossaryEdit, JobKind, LectureEdit, LessonEdit, Notice, Pane, Panel, PictureKey,
    Report, Session, SetUpPart, Side, StripKey, TeachingKey, Theme, update,
};
use workbench::lesson::{Ask, MAX_BYTES as LESSON_BYTES, Task};
use workbench::scene::{Role, Scene, Size, Target};
use workbench::share::{LessonAddress, Present, Reach, View};

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
    /// A key: its event, unless the tour or a lesson takes the key.
    Key(Option<TeachingKey>, Event),
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
    /// Another window of the lecture said something.
    Heard(Heard),
    /// The next frame of the film is due.
    Film,
    /// News of the page's releases.
    Release(ReleaseNews),
    /// The reader allows the request for a lesson, or not.
    Answered(bool),
    /// A text could not be copied, or its dialog was closed.
    Uncopied(Option<String>),
    /// Another tab stored a text under this name.
    Stored(&'static str),
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
    on_release: Callback<ReleaseNews>,
    /// The notice of a new release.
    release: releases::Notice,
    on_answer: Callback<bool>,
    on_copied: Callback<()>,
    palette: Rc<Palette>,
    panes: [PaneState; 4],
    /// What the fitted pictures show.
    fitted: Fitted,
    strip: Size,
    strip_run: Option<Rc<Scene>>,
    strip_run_key: Option<StripKey>,
    strip_marks: Option<Rc<Scene>>,
    /// The inputs of the strip's picture.
    strip_key: Option<(PictureKey, f32, u64)>,
    /// The current density and theme.
    look: (Density, Theme),
    /// The player, if the page is a frame in another page.
    embed: Option<Embed>,
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
    /// The pointer's position in the window, if the target under it is known from the picture.
    pointed: Option<(f64, f64)>,
    announcement: String,
    /// A part of the setup panel that takes the focus after it is shown.
    wanted_part: Option<SetUpPart>,
    /// The views whose tabs were last scrolled into view, and whether a scroll is pending.
    shown_views: Option<(View, Option<View>)>,
    are_tabs_due: bool,
    /// Whether the first view of `index.html`, which covers the page until it shows the same, is gone.
    is_uncovered: bool,
    /// Whether the run plays by itself as soon as the page is complete.
    is_first_visit: bool,
    /// The step of a lesson that the document shows.
    shown_lesson: Option<LessonState>,
    /// The marks on what scrolls.
    edges: Edges,
    ticker: Option<Ticker>,
    /// The lesson that waits for the reader's consent.
    asked: Option<AskedLesson>,
    /// The address of the lesson that the reader allowed last: Back and a reload of its steps load it at once.
    allowed: Option<String>,
    /// A text for the reader to copy.
    uncopied: Option<String>,
    /// The channel to the other windows of the lecture, while this window presents.
    channel: Option<Channel>,
    /// The film that is being made, and the timer of its next frame.
    filming: Option<(Filming, Option<Timer>)>,
    workers: Workers,
    /// Worker messages that are not read yet.
    news: VecDeque<(u32, FromWorker)>,
    /// The time at which messages were last read.
    read_ms: f64,
    _listeners: Vec<Listener>,
}

/// A step of a lesson, and the number of wrong answers while its question is open.
#[derive(PartialEq)]
struct LessonState {
    id: String,
    step: usize,
    tries: Option<usize>,
    is_ended: bool,
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
    /// The player, if the page is a frame in another page. Taken once.
    #[prop_or_default]
    embed: Rc<RefCell<Option<Embed>>>,
    /// Whether the page was never opened on this device, and may move.
    #[prop_or_default]
    is_first_visit: bool,
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
        if let Some(start) = browser::embed_start() {
            let embed = Embed::open(&mut session, &browser::fragment(), start == EmbedStart::Play);
            return Self {
                embed: Rc::new(RefCell::new(Some(embed))),
                ..Self::of(session, None)
            };
        }
        session.ui.theme = theme::kept();
        session.check_in_background();
        let mut effects = update(&mut session, browser::open_event());
        restore_rescued(&mut session);
        effects.retain(|effect| {
            matches!(
                effect,
                Effect::ReadLesson { .. }
                    | Effect::ReadCourses
                    | Effect::ReadClaims
                    | Effect::ReadGlossary
                    | Effect::ReadLecture(_)
            )
        });
        let kept = storage::kept(RECENT).unwrap_or_default();
        update(&mut session, Event::Recent(recent_list::read(&kept)));
        let progress = storage::kept(LESSONS).unwrap_or_default();
        let is_new = kept.is_empty() && progress.is_empty() && storage::kept(VISITED).is_none();
        update(&mut session, Event::Lesson(LessonEdit::Progress(progress)));
        // Without storage, no visit is known to be the first.
        let is_first_visit = is_new
            && session.ui.welcome.is_some()
            && session.ui.theme == Theme::System
            && storage::keep(VISITED, "1").is_ok()
            && !browser::reduces_motion();
        Self {
            effects: Rc::new(RefCell::new(effects)),
            is_first_visit,
            ..Self::of(session, None)
        }
    }

    /// A session; sizes where no browser measures them.
    pub(crate) fn of(session: Session, sizes: Option<(Size, Size)>) -> Self {
        Self {
            session: Rc::new(RefCell::new(Some(session))),
            sizes,
            effects: Rc::default(),
            embed: Rc::default(),
            is_first_visit: false,
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
        let edges = Edges::default();
        let mut root = Self {
            dispatch: link.callback(Message::App),
            on_hover: link.callback(|(pane, at)| Message::Hover(Some(pane), at)),
            on_strip_hover: link.callback(|at| Message::Hover(None, at)),
            on_strip: link.callback(move |at| Message::Strip(size(at))),
            on_response: link
                .callback(|(number, response)| Message::App(Event::Responded(number, Box::new(response)))),
            on_release: link.callback(Message::Release),
            release: releases::Notice::default(),
            on_answer: link.callback(Message::Answered),
            on_copied: link.callback(|()| Message::Uncopied(None)),
            palette: Rc::default(),
            panes: Default::default(),
            fitted: Fitted::new(),
            strip: Size::default(),
            strip_run: None,
            strip_run_key: None,
            strip_marks: None,
            strip_key: None,
            look: (Density::Normal, Theme::System),
            embed: ctx.props().embed.take(),
            editor: EditorState::of(&session),
            memo: MemoParts::default(),
            arrived: 0,
            steps: Vec::new(),
            is_step_due: false,
            counting: None,
            tip: None,
            hovered: None,
            pointed: None,
            announcement: String::new(),
            wanted_part: None,
            shown_views: None,
            are_tabs_due: false,
            is_uncovered: false,
            is_first_visit: ctx.props().is_first_visit,
            shown_lesson: None,
            _listeners: listeners(ctx, &edges),
            edges,
            ticker: None,
            asked: None,
            allowed: None,
            uncopied: None,
            channel: None,
            filming: None,
            workers: Workers::new(link.callback(|(id, said)| Message::Worker(id, said))),
            news: VecDeque::new(),
            read_ms: 0.0,
            session,
        };
        if let Some((stage, strip)) = ctx.props().sizes {
            (root.panes[0].size, root.strip, root.arrived) = (stage, strip, PARTS);
            root.redraw();
            return root;
        }
        worker_module::on_fallback(link.callback(|why| {
            Message::App(Event::Notice(match why {
                Fallback::None => Notice::NoWorkers,
                Fallback::Silent => Notice::SilentWorkers,
            }))
        }));
        root.follow_look();
        root.read_look();
        root.schedule(ctx, Step::Show);
        root.act(ctx, ctx.props().effects.take());
        root
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let message = match message {
            Message::Key(key, event) => Message::App(
                key.and_then(|key| self.session.teaching_event(key))
                    .unwrap_or(event),
            ),
            message => message,
        };
        match message {
            Message::Key(..) => return false,
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
            Message::Film => {
                self.film(ctx);
                return false;
            }
            Message::Stored(name) => {
                let text = storage::kept(name).unwrap_or_default();
                ctx.link().send_message(Message::App(if name == RECENT {
                    Event::Recent(recent_list::read(&text))
                } else {
                    Event::Lesson(LessonEdit::Progress(text))
                }));
                return false;
            }
            Message::Uncopied(text) => {
                self.uncopied = text;
                return true;
            }
            Message::Answered(allows) => {
                self.answer(ctx, allows);
                return true;
            }
            Message::ShowLink => {
                self.effect(ctx, Effect::ReplaceLink);
                return false;
            }
            Message::Release(news) => {
                if matches!(news, ReleaseNews::Reload) {
                    let effects = self.session.finish_edits();
                    self.act(ctx, effects);
                    self.effect(ctx, Effect::ReplaceLink);
                }
                self.release.read(news);
                return true;
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
            // The page around the frame changed the link.
            Message::App(Event::Open(link)) if self.embed.is_some() => {
                self.embed = Some(Embed::open(&mut self.session, &link, false));
            }
            Message::App(event) if self.embed.is_some() && !embed::accepts(&event) => return false,
            // These dialogs are not panels of the session.
            Message::App(Event::Close) if self.asked.is_some() => self.answer(ctx, false),
            Message::App(Event::Close) if self.uncopied.is_some() => self.uncopied = None,
            Message::App(event) => {
                // A reader who acts first keeps the run where it is.
                self.is_first_visit &= matches!(event, Event::Responded(..));
                // What is done shows at once.
                if !matches!(event, Event::Responded(..)) && self.arrived >= PARTS {
                    self.uncover();
                }
                // The question is about the link before.
                if matches!(
                    event,
                    Event::Open(_) | Event::Reopen(..) | Event::Visit(_) | Event::Start
                ) {
                    self.asked = None;
                }
                // Going to a cycle changes what is of the cycle alone.
                if !matches!(event, Event::Seek(_)) || self.session.is_comparing() {
                    self.memo.change();
                }
                let effects = update(&mut self.session, event);
                self.act(ctx, effects);
            }
            Message::Heard(Heard::Asked) => {
                if let Some(channel) = &self.channel {
                    channel.answer(&self.session);
                }
                return false;
            }
            Message::Heard(Heard::Event(event)) => {
                self.memo.change();
                let is_said = matches!(event, Event::Lecture(LectureEdit::Follow(_)));
                let effects = update(&mut self.session, event);
                self.act(ctx, effects);
                // What another window said is not said back.
                if let (true, Some(channel)) = (is_said, &mut self.channel) {
                    channel.heard(&self.session);
                }
            }
            Message::Stage(pane, size) => self.panes[pane.idx()].resize(size),
            Message::Strip(size) => self.strip = size,
            Message::Look => self.read_look(),
            Message::Hover(pane, at) => {
                let target = at.as_ref().map(|(target, ..)| (pane, *target));
                if target == self.hovered {
                    return false;
                }
                self.hovered = target;
                self.pointed = at.and_then(|(target, x, y)| {
                    // The focus of the keyboard has a position, too, beside its item.
                    (self.target_at(pane?, (x, y)) == Some(target)).then_some((x, y))
                });
                self.tip = at.and_then(|(target, x, y)| self.tip_of(pane, target, (x, y)));
                return true;
            }
        }
        // While the page is coming, each part of this is a task of its own.
        if self.arrived < PARTS {
            self.schedule(ctx, Step::Show);
            return false;
        }
        self.redraw();
        self.follow_pointer();
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
        if let Some(embed) = &self.embed {
            let strip = strip_of(
                session,
                self.strips(),
                &self.palette,
                (&self.on_strip, &self.on_strip_hover),
                dispatch,
            );
            return html! {
                <>
                    { player(session, embed, &stage_state, strip, dispatch) }
                    { self.floating() }
                    { self.live() }
                </>
            };
        }
        let (left, right) = (session.ui.left, session.right_side());
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
        let bench = html! {
            <div class="bench" data-left={side(left)} data-right={side(right)} data-lesson={self.lesson_kind()}
                data-present={self.present_kind()}
                data-ring={session.ringed_parts()} data-tour={session.ui.tour.is_some().then_some("true")}
                data-asked={self.lesson_state().and_then(|state| state.tries).map(|_| "true")}
                data-hiding={session.is_hiding().then_some("true")} data-veil={session.hides_run().then_some("true")}
                data-alone={session.shows_own_run_alone().then_some("true")}>
                { if self.arrived >= HEAD { self.memo.part("header", || header(session, dispatch)) } else { Html::default() } }
                { rail(session, &self.editor, (&self.memo, self.arrived), dispatch) }
                { session.ui.lessons.open.as_ref().map(|open| lesson(session, open, dispatch)).unwrap_or_default() }
                { self.presented() }
                { if self.arrived >= STAGE { stage(session, &stage_state, dispatch) } else { Html::default() } }
                { inspector(session, &self.palette, (&self.memo, self.arrived >= PARTS), dispatch) }
                { if self.arrived >= TRANSPORT { self.transport() } else { Html::default() } }
                { if session.hides_run() { html! { <section class="trans-veil" aria-label="Hidden run"><p>{ "The run appears after your answer." }</p></section> } } else { Html::default() } }
                { self.floating() }
                { self.live() }
            </div>
        };
        styled(style, bench)
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        self.step_soon(ctx);
        self.edges.change();
        if self.arrived < PARTS {
            self.schedule(ctx, Step::Arrive);
        } else if let Some(part) = self.wanted_part.take() {
            browser::focus_part(part_name(part));
        }
        if self.arrived >= PARTS && !self.awaits_first_view() {
            self.uncover();
        }
        // From the first render on: the windows of a lecture agree before a reader can act.
        self.tell(ctx);
        self.follow_lesson();
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
    /// The step of the open lesson, and what the reader did in it.
    fn lesson_state(&self) -> Option<LessonState> {
        let open = self.session.ui.lessons.open.as_ref()?;
        Some(LessonState {
            id: open.id.clone(),
            step: open.step,
            tries: match &open.phase {
                Phase::Asked(wrong) => Some(wrong.len()),
                Phase::Answered { .. } | Phase::Read => None,
            },
            is_ended: open.is_ended,
        })
    }

    /// Focuses the field of a new question, and shows the grade of an answer.
    fn follow_lesson(&mut self) {
        let now = self.lesson_state();
        if self.shown_lesson == now {
            return;
        }
        let before = std::mem::replace(&mut self.shown_lesson, now);
        let Some(now) = &self.shown_lesson else {
            return;
        };
        let is_new = before.is_none_or(|before| (before.id, before.step) != (now.id.clone(), now.step));
        if now.is_ended {
            browser::focus_lesson_end();
            return;
        }
        match (is_new, now.tries) {
            (true, Some(_)) => browser::focus_question(),
            (false, _) => browser::show_grade(now.tries.is_none()),
            (true, None) => {}
        }
    }

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
                    self.register(ctx);
                    if self.is_first_visit {
                        update(&mut self.session, Event::FirstVisit);
                        self.memo.change();
                    }
                    self.keep_time(ctx);
                }
                true
            }
            Some(Step::Follow) => true,
            None => false,
        }
    }

    /// Registers the page with its service worker. Nothing before needs the network after this, so the first visit
    /// takes no longer. A frame in another page has no release of its own.
    fn register(&self, ctx: &Context<Self>) {
        if self.embed.is_none() {
            let ready = self.on_release.reform(ReleaseNews::Ready);
            ctx.link().send_future(async move {
                Message::Release(ReleaseNews::Registered(Releases::register(ready).await))
            });
        }
    }

    /// The sentences for screen readers.
    fn live(&self) -> Html {
        html! { <div class="unseen" role="status" aria-live="polite" data-testid="announcement">{ &self.announcement }</div> }
    }

    /// The pictures of the strip: the run, and the marks over it.
    const fn strips(&self) -> (Option<&Rc<Scene>>, Option<&Rc<Scene>>) {
        (self.strip_run.as_ref(), self.strip_marks.as_ref())
    }

    fn transport(&self) -> Html {
        let scenes = self.strips();
        let strip = (&self.on_strip, &self.on_strip_hover);
        let width = self.strip.width;
        if self.session.ui.lecture.is_presenting() {
            return bar(
                &self.session,
                scenes,
                &self.palette,
                strip,
                (width, &self.dispatch),
            );
        }
        let look = (&self.palette, &self.memo);
        transport(&self.session, scenes, look, strip, (width, &self.dispatch))
    }

    /// Overlays: dialogs, menus, tooltips, and toasts.
    fn floating(&self) -> Html {
        let panel = match self.session.ui.panel {
            Some(Panel::Help) => help(&self.dispatch),
            Some(Panel::Sources) => sources(&self.session, &self.dispatch),
            Some(Panel::Export) => {
                html! { <nav aria-label="Export">{ export::export_menu(&self.dispatch) }</nav> }
            }
            Some(Panel::Outputs) => outputs(&self.session, &self.palette, &self.dispatch),
            Some(Panel::More) => {
                html! { <nav aria-label="More">{ more_menu(&self.session, &self.dispatch) }</nav> }
            }
            Some(Panel::Keys) => key_map(&self.dispatch),
            Some(Panel::Share) => share_dialog(&self.session, &self.dispatch),
            Some(Panel::Glossary) => glossary(&self.session, &self.dispatch),
            Some(Panel::Chapters) => chapters(&self.session, &self.dispatch),
            Some(Panel::Lessons | Panel::Guides) => lessons(&self.session, &self.dispatch),
            Some(Panel::Recent) => recent(&self.session, &self.dispatch),
            Some(Panel::Find | Panel::Palette) => command_palette(&self.session, &self.dispatch),
            Some(Panel::SetUp(_) | Panel::Explanation | Panel::Views | Panel::Steps) | None => {
                Html::default()
            }
        };
        let toast = self.session.ui.toast.as_ref().map(|text| {
            let offer = self.session.ui.offer.as_ref().map(|(name, event)| {
                let event = event.clone();
                let onclick = self.dispatch.reform(move |_| event.clone());
                html! { <button class="link" data-testid="toast-offer" {onclick}>{ name }</button> }
            });
            html! { <div class="toast"><span role="status" data-testid="toast">{ text }</span>{ offer }</div> }
        });
        // A lecture is not interrupted.
        let release = if self.session.ui.lecture.is_presenting() || self.filming.is_some() {
            Html::default()
        } else {
            self.release.html(&self.on_release)
        };
        let asked = self.asked.as_ref().map(|asked| consent(asked, &self.on_answer));
        let uncopied = self
            .uncopied
            .as_ref()
            .map(|text| copy_by_hand(text, &self.on_copied));
        let tip = self.tip.as_ref().map(tip);
        // Every part keeps its place while it is empty. yew matches children without keys from the end: a new part would
        // shift those before it, and an open dialog would open again, above the new one.
        let [asked, uncopied, toast, tip] = [asked, uncopied, toast, tip].map(Option::unwrap_or_default);
        html! {
            <>
                { covers(&self.session, &self.dispatch) }
                { panel }
                { asked }
                { uncopied }
                { card(&self.session, &self.numbered_areas(), &self.dispatch) }
                { toast }
                { release }
                { tip }
            </>
        }
    }

    /// What the presenter and the notes window show beside the stage.
    fn presented(&self) -> Html {
        let lecture = &self.session.ui.lecture;
        let handout = lecture.printing.then(|| handout(&self.session));
        let focus = self.tip.as_ref().map(|tip| (tip.x, tip.y));
        let spotlight = lecture.spotlight.then(|| html! { <Spotlight {focus}/> });
        let beside = match lecture.present {
            Present::Off => Html::default(),
            Present::On => figure(&self.session),
            Present::Notes => {
                html! { <>{ figure(&self.session) }{ notes_column(&self.session, &self.dispatch) }</> }
            }
        };
        html! { <>{ beside }{ spotlight.unwrap_or_default() }{ handout.unwrap_or_default() }</> }
    }

    /// How the window presents, for the styles and the keyboard.
    fn present_kind(&self) -> Option<&'static str> {
        match self.session.ui.lecture.present {
            Present::Off => None,
            Present::On => Some("on"),
            Present::Notes => Some("notes"),
        }
    }

    /// Opens or closes the channel to the other windows of the lecture, and says there what this window shows.
    fn tell(&mut self, ctx: &Context<Self>) {
        if !self.session.ui.lecture.is_presenting() {
            self.channel = None;
            return;
        }
        match &mut self.channel {
            Some(channel) => channel.follow(&self.session, browser::now_ms()),
            None => self.channel = Channel::open(&self.session, ctx.link().callback(Message::Heard)),
        }
    }

    /// Reads the theme's values and draws all pictures again.
    fn read_look(&mut self) {
        if let Some(window) = browser::window() {
            self.palette = Rc::new(Palette::read(&window));
            self.session.ui.is_system_dark = browser::is_system_dark();
            browser::show_bar_color(self.palette.color(Role::Paper1));
        }
    }

    /// What the explanation rings in the active pane, in CSS pixels of the window.
    fn numbered_areas(&self) -> Vec<[f64; 4]> {
        if self.session.ui.glossary.card.is_none() {
            return Vec::new();
        }
        let pane = &self.panes[self.session.active().idx()];
        let canvas = pane.canvas.cast::<HtmlElement>();
        let (Some(scene), Some(canvas)) = (&pane.scene, canvas) else {
            return Vec::new();
        };
        let place = canvas.get_bounding_client_rect();
        let factor = place.width() / f64::from(scene.size.width.max(1.0));
        let rings = self.session.numbered_areas(scene).into_iter();
        rings
            .map(|[left, top, right, bottom]| {
                let x = |px: f32| place.left() + f64::from(px) * factor;
                let y = |px: f32| place.top() + f64::from(px) * factor;
                [x(left), y(top), x(right), y(bottom)]
            })
            .collect()
    }

    /// The tooltip of a target at a position of the window; `None` for a target without one.
    fn tip_of(&self, pane: Option<Pane>, target: Target, (x, y): (f64, f64)) -> Option<Tip> {
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
    }

    /// The target in a pane's picture at a position of the window.
    fn target_at(&self, pane: Pane, (x, y): (f64, f64)) -> Option<Target> {
        let own = &self.panes[pane.idx()];
        let (scene, canvas) = (own.scene.as_ref()?, own.canvas.cast::<HtmlElement>()?);
        let place = canvas.get_bounding_client_rect();
        let factor = place.width() / f64::from(scene.size.width.max(1.0));
        scene.hit(
            ((x - place.left()) / factor) as f32,
            ((y - place.top()) / factor) as f32,
        )
    }

    /// Shows the tooltip of what is under the pointer now: the pictures may have moved on below it.
    fn follow_pointer(&mut self) {
        let (Some(tip), Some((pane, target))) = (&self.tip, self.hovered) else {
            return;
        };
        let at = self.pointed.unwrap_or((tip.x, tip.y));
        let now = match (pane, self.pointed) {
            (Some(pane), Some(at)) => self.target_at(pane, at),
            _ => Some(target),
        };
        let Some(now) = now else {
            (self.tip, self.hovered) = (None, None);
            return;
        };
        let y = tip.y;
        self.hovered = Some((pane, now));
        self.tip = self.tip_of(pane, now, at);
        // The text changes from cycle to cycle; its place stays.
        if let Some(tip) = &mut self.tip {
            tip.y = y;
        }
    }

    /// Draws the pictures of the session's current state.
    fn redraw(&mut self) {
        self.redraw_panes();
        self.redraw_strip();
    }

    /// Applies the session's density and theme. Returns whether they changed.
    fn follow_look(&mut self) -> bool {
        let look = (self.session.density(), self.session.shown_theme());
        if self.look == look {
            return false;
        }
        self.look = look;
        browser::show_density(look.0);
        browser::show_theme(look.1);
        true
    }

    fn redraw_panes(&mut self) {
        if self.follow_look() {
            self.read_look();
        }
        // A class sees the whole pictures: they are enlarged as far as their heights allow.
        let is_fitted = self.embed.is_some() || self.session.is_presented();
        let shown = if self.embed.is_some() { 1 } else { self.panes.len() };
        self.session.ui.widths = self.panes.each_ref().map(|pane| pane.width(&self.session));
        redraw_panes(
            &mut self.panes[..shown],
            &self.session,
            &self.palette,
            is_fitted.then_some(&mut self.fitted),
        );
        self.session.ui.widths = self.panes.each_ref().map(|pane| pane.width(&self.session));
    }

    /// Draws the strip's pictures, and updates the editor's annotations of the run.
    fn redraw_strip(&mut self) {
        if self.strip.width > 0.0 {
            let size = inner(self.strip, self.session.enlargement());
            let key = self.session.strip_run_key(size);
            if self.strip_run_key != Some(key) {
                self.strip_run = self.session.strip_run(size).map(Rc::new);
                self.strip_run_key = Some(key);
            }
            let key = self.session.strip_key(size);
            if self.strip_key != Some(key) {
                self.strip_marks = self.session.strip_marks(size).map(Rc::new);
                self.strip_key = Some(key);
            }
        }
        self.editor.follow(&self.session);
    }

    /// Simulates the requested runs, and runs the ticker only while something is pending.
    fn keep_time(&mut self, ctx: &Context<Self>) {
        let mut jobs = self.session.jobs();
        // Checks that nobody waits for leave the processor to the page while it loads, and the page's own thread to the page.
        let is_busy = self.arrived < PARTS || worker_module::is_on_page();
        if is_busy && !self.session.waits_for_checks() {
            jobs.retain(|job| job.kind != JobKind::Check);
        }
        self.workers.follow(&jobs);
        compiler::follow(&self.session.requests(), &self.on_response);
        // The moments of the run are searched in ticks, once the page is there.
        let is_seeking = self.arrived >= PARTS && self.embed.is_none() && self.session.seeks_moments();
        match (self.session.needs_ticks() || is_seeking, &self.ticker) {
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
            if self.session.is_answer_ready() {
                ctx.link()
                    .send_message(Message::App(Event::Lesson(LessonEdit::Ready)));
            }
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
                self.begin_playback(ctx);
                if report.finished {
                    note_run(&self.session, &report);
                    self.count_ahead(ctx);
                }
            }
            Some(News::Checked(number, report)) => {
                self.memo.change();
                self.session.checked(number, *report);
            }
            Some(News::Device(number, trace)) => {
                self.memo.change();
                self.session.device_done(number, *trace);
            }
            Some(News::Streams(number, record)) => {
                self.memo.change();
                self.session.streams_done(number, *record);
            }
            Some(News::Cause(number, record)) => {
                self.memo.change();
                self.session.cause_done(number, *record);
            }
            Some(News::Lost(number, why)) => {
                self.memo.change();
                self.session.lost(number, &why);
            }
            None => {}
        }
    }

    /// Plays a player's run as soon as it has arrived, if the reader pressed Play.
    fn begin_playback(&mut self, ctx: &Context<Self>) {
        let session = &self.session;
        if let Some(event) = self.embed.as_mut().and_then(|embed| embed.start(session)) {
            ctx.link().send_message(Message::App(event));
        }
    }

    /// Makes the next frame of the film, in a task of its own.
    fn film(&mut self, ctx: &Context<Self>) {
        let Some((mut filming, _)) = self.filming.take() else {
            return;
        };
        let event = match filming.step(&self.session, &self.palette) {
            film::Step::Next(pause) => {
                let made = filming.made;
                let link = ctx.link().clone();
                let timer = Timer::after(pause, move || link.send_message(Message::Film));
                self.filming = Some((filming, timer));
                Message::App(Event::Film(FilmEdit::Made(made)))
            }
            film::Step::Complete => {
                let Some(result) = filming.save() else {
                    // The recorder reports its file.
                    self.filming = Some((filming, None));
                    return;
                };
                ended(result)
            }
            film::Step::Failed(why) => ended(Err(why)),
        };
        ctx.link().send_message(event);
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

    /// A picture with the notes on it, for a file.
    fn noted(&self, scene: &Scene) -> Scene {
        with_notes(scene, self.session.active_view(), &self.session.ui.lecture.notes)
    }

    /// Reads a lesson that is part of the page, or that the reader allowed; opens the question about another one.
    fn read_lesson(&mut self, ctx: &Context<Self>, address: &LessonAddress, step: usize) {
        let (id, request) = (address.to_string(), address.request());
        let name = match address.reach(&browser::origin().unwrap_or_default()) {
            Reach::Page => {
                ctx.link().send_future(async move {
                    let text = browser::fetch_text(&request).await;
                    Message::App(Event::Lesson(LessonEdit::Arrived { id, step, text }))
                });
                return;
            }
            Reach::SameOrigin => "another page of this site",
            Reach::OtherOrigin(origin) => origin,
        };
        if self.allowed.as_ref() == Some(&request) {
            read_allowed(ctx, id, step, request);
        } else {
            let (name, address) = (name.to_owned(), request);
            self.asked = Some(AskedLesson {
                id,
                step,
                name,
                address,
            });
        }
    }

    /// Reads the lesson that waits for the reader's answer, or says that it was not read.
    fn answer(&mut self, ctx: &Context<Self>, allows: bool) {
        let Some(lesson) = self.asked.take() else { return };
        if allows {
            self.allowed = Some(lesson.address.clone());
            read_allowed(ctx, lesson.id, lesson.step, lesson.address);
        } else {
            let edit = LessonEdit::Refused(lesson.address);
            ctx.link().send_message(Message::App(Event::Lesson(edit)));
        }
    }

    fn act(&mut self, ctx: &Context<Self>, effects: Vec<Effect>) {
        for effect in effects {
            self.effect(ctx, effect);
        }
    }

    fn effect(&mut self, ctx: &Context<Self>, effect: Effect) {
        match effect {
            // A player leaves the address and the browser's storage alone.
            effect if self.embed.is_some() && !matches!(effect, Effect::Announce(_)) => {}
            Effect::LeaveLink(scenario) => browser::show_link(*scenario, false),
            Effect::Date => ctx
                .link()
                .send_message(Message::App(Event::Keep(browser::date_ms()))),
            Effect::KeepRecent(change) => {
                let mut list = recent_list::read(&storage::kept(RECENT).unwrap_or_default());
                change.apply(&mut list);
                let kept = storage::keep(RECENT, &recent_list::write(&list));
                ctx.link().send_message(stored(kept, || Event::Recent(list)));
            }
            Effect::KeepProgress(change) => {
                let text = change.applied(&storage::kept(LESSONS).unwrap_or_default());
                let kept = storage::keep(LESSONS, &text);
                ctx.link()
                    .send_message(stored(kept, || Event::Lesson(LessonEdit::Progress(text))));
            }
            Effect::ReadLesson { address, step } => self.read_lesson(ctx, &address, step),
            Effect::ReadLecture(id) => ctx.link().send_future(async move {
                let text = browser::fetch_text(&format!("lectures/{id}.toml")).await;
                Message::App(Event::Lecture(LectureEdit::Arrived { id, text }))
            }),
            Effect::Presenter(on) => browser::show_full_screen(on),
            Effect::NotesWindow(link) => {
                if !browser::open_notes(&link) {
                    let address = browser::address_with(&link);
                    let blocked = Event::Lecture(LectureEdit::Blocked(address));
                    ctx.link().send_message(Message::App(blocked));
                }
            }
            Effect::TurnPage(step) => {
                if let Some(channel) = &self.channel {
                    channel.turn(step);
                }
            }
            Effect::Print => soon(browser::print),
            Effect::FocusNote => soon(browser::focus_note),
            Effect::ReadGlossary => ctx.link().send_future(async {
                let text = browser::fetch_text("glossary.json").await;
                Message::App(Event::Glossary(GlossaryEdit::Listed(text)))
            }),
            Effect::ReadClaims => ctx.link().send_future(async {
                let text = browser::fetch_text("claims.json").await;
                Message::App(Event::Lesson(LessonEdit::Claims(text)))
            }),
            Effect::ReadCourses => ctx.link().send_future(async {
                let text = browser::fetch_text("lessons.json").await;
                Message::App(Event::Lesson(LessonEdit::Listed(text)))
            }),
            Effect::PushLink => browser::show_link(self.session.link(), true),
            Effect::StartLink => browser::show_start(),
            Effect::ReplaceLink => browser::show_link(self.session.link(), false),
            Effect::CopyLink => {
                let address = browser::address_with(&self.session.copied_link());
                ctx.link().send_future(async move {
                    match browser::copy(&address).await {
                        Ok(()) => Message::App(Event::Copied(Ok(address.chars().count()))),
                        Err(_) => Message::Uncopied(Some(address)),
                    }
                });
            }
            Effect::CopyText { text, said } => ctx.link().send_future(async move {
                match browser::copy(&text).await {
                    Ok(()) => Message::App(Event::Say(said)),
                    Err(_) => Message::Uncopied(Some(text)),
                }
            }),
            // A live region whose text stays the same says nothing: a space makes the second one another text.
            Effect::Announce(text) if self.announcement == text => self.announcement = text + "\u{a0}",
            Effect::Announce(text) => self.announcement = text,
            Effect::ShowTheme(theme) => theme::keep(theme),
            Effect::FocusLine(line) => {
                self.editor.request_line(line);
            }
            Effect::FocusDefinition => self.editor.definition += 1,
            Effect::SavePicture(name) => {
                if let Some(scene) = &self.panes[self.session.active().idx()].scene {
                    export::save_picture(&name, &self.noted(scene), &self.palette);
                }
            }
            Effect::SaveDrawing(name) => {
                if let Some(scene) = &self.panes[self.session.active().idx()].scene {
                    export::save_drawing(&name, &self.noted(scene), &self.palette);
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
            Effect::MakeFilm(plan) => {
                let link = ctx.link().clone();
                let saved = move |bytes| link.send_message(ended(Ok(bytes)));
                match Filming::start(*plan, saved) {
                    Ok(filming) => {
                        self.filming = Some((filming, None));
                        ctx.link().send_message(Message::Film);
                    }
                    Err(why) => ctx.link().send_message(ended(Err(why))),
                }
            }
            Effect::CancelFilm => self.filming = None,
            Effect::FocusPane(pane) => {
                let canvas = self.panes[pane.idx()].canvas.cast::<HtmlElement>();
                if browser::has_open_dialog() {
                    // A dialog that closes gives the focus back to its opener first.
                    soon(move || browser::focus(canvas));
                } else {
                    browser::focus(canvas);
                }
            }
            Effect::FocusPart(part) => self.wanted_part = Some(part),
            Effect::FullScreen => browser::toggle_full_screen(),
            Effect::SaveText { name, text } => export::save_text(&name, &text),
        }
    }
}

/// Reads a lesson from another place, which the reader allowed.
fn read_allowed(ctx: &Context<Root>, id: String, step: usize, address: String) {
    ctx.link().send_future(async move {
        let text = browser::fetch_foreign_text(&address, LESSON_BYTES).await;
        Message::App(Event::Lesson(LessonEdit::Arrived { id, step, text }))
    });
}

/// The event after a text was stored, or not: then what the session knows stays.
fn stored(kept: Result<(), Unkept>, event: impl FnOnce() -> Event) -> Message {
    Message::App(match kept {
        Ok(()) => event(),
        Err(Unkept::Denied) => Event::Notice(Notice::NoStorage),
        Err(Unkept::Full) => Event::Notice(Notice::FullStorage),
    })
}

/// The editor's text when the module stopped, and the link of the address then.
#[derive(Deserialize)]
struct Rescued {
    link: String,
    text: String,
}

/// Restores the editor's text that the address lacks, because the module stopped before the text was compiled.
fn restore_rescued(session: &mut Session) {
    let rescued = storage::take(RESCUED).and_then(|text| serde_json::from_str::<Rescued>(&text).ok());
    let Some(Rescued { link, text }) = rescued else {
        return;
    };
    if link.trim_start_matches('#') == browser::fragment() && text != session.shown_text() {
        update(session, Event::Edit(text));
        let said = "The text in the editor is the one before the error. Undo returns to the link's text.";
        update(session, Event::Say(said.to_owned()));
    }
}

/// The film has ended: its file is saved, or the reason why not.
fn ended(result: Result<u64, String>) -> Message {
    Message::App(Event::Film(FilmEdit::Ended(result)))
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
    styled(
        style,
        html! { <div class="tip" role="tooltip" data-testid="tooltip"><b>{ &tip.name }</b>{ reason }</div> },
    )
}

fn listeners(ctx: &Context<Root>, edges: &Edges) -> Vec<Listener> {
    let Some(window) = browser::window() else {
        return Vec::new();
    };
    let target: &EventTarget = window.as_ref();
    let open = ctx.link().callback(|()| Message::App(browser::open_event()));
    let look = ctx.link().callback(|()| Message::Look);
    let resized = look.clone();
    let link = ctx.link().clone();
    let is_embed = browser::embed_start().is_some();
    let mut list = vec![
        // Browsers also send it before "hashchange" when only the fragment changes. A link must be opened once: a
        // second time, it would take back what was typed into a lesson.
        Listener::on(target, "popstate", move |_| open.emit(())),
        Listener::on(target, "resize", move |_| resized.emit(())),
        Listener::on(target, "keydown", move |event| {
            if let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>()
                && let Some((key, app_event)) = if is_embed {
                    frame_key(&event)
                } else {
                    key_event(&event)
                }
            {
                event.prevent_default();
                if event.key() == " " {
                    focus::take_space();
                }
                link.send_message(Message::Key(key, app_event));
            }
        }),
    ];
    list.extend(edges.listener());
    list.extend(focus::listeners(target));
    if !is_embed {
        let link = ctx.link().clone();
        list.push(Listener::on(target, "storage", move |event| {
            // Without a key, all were removed.
            let key = js_sys::Reflect::get(&event, &"key".into()).unwrap_or_default();
            for name in [RECENT, LESSONS] {
                if storage::is_of(key.as_string().as_deref(), name) {
                    link.send_message(Message::Stored(name));
                }
            }
        }));
        list.extend(dropped::listeners(target, &ctx.link().callback(Message::App)));
        list.extend(lecture_listeners(target, ctx));
    }
    if let Ok(Some(dark)) = window.match_media("(prefers-color-scheme: dark)") {
        list.push(Listener::on(dark.as_ref(), "change", move |_| look.emit(())));
    }
    list
}

/// The event for a key press in a player, which takes keys after a click.
fn frame_key(event: &web_sys::KeyboardEvent) -> Option<(Option<TeachingKey>, Event)> {
    if browser::is_frame_active() {
        key_event(event).filter(|(_, event)| embed::accepts(event))
    } else {
        None
    }
}

/// Listeners for printing, and for the end of full screen.
fn lecture_listeners(target: &EventTarget, ctx: &Context<Root>) -> Vec<Listener> {
    let events = ctx.link().callback(|edit| Message::App(Event::Lecture(edit)));
    let (begin, end, left) = (events.clone(), events.clone(), events);
    vec![
        Listener::on(target, "beforeprint", move |_| {
            begin.emit(LectureEdit::Printing(true));
        }),
        Listener::on(target, "afterprint", move |_| {
            end.emit(LectureEdit::Printing(false));
        }),
        // Esc leaves full screen in the browser, without a key press.
        Listener::on(target, "fullscreenchange", move |_| {
            if !browser::is_full_screen() && browser::is_presenting() {
                left.emit(LectureEdit::Leave);
            }
        }),
    ]
}

/// The event for a key press, and its meaning in the tour and in lessons, unless the focused element handles the key.
fn key_event(event: &web_sys::KeyboardEvent) -> Option<(Option<TeachingKey>, Event)> {
    let name = event.key();
    let control = event.ctrl_key() || event.meta_key();
    if control && matches!(name.as_str(), "k" | "K") {
        return Some((None, Event::Panel(Panel::Palette)));
    }
    // After a click, the space bar plays wherever the pointer left the focus, except in a text.
    let is_free_space = name == " " && focus::is_by_pointer() && !browser::takes_text(event.target());
    if event.alt_key() || browser::is_text_field(event.target()) && !is_free_space {
        // Escape leaves a field of a lesson together with the lesson, but the editor alone.
        let key = browser::is_in(event.target(), ".lesson").then_some(TeachingKey::Leave);
        return (name == "Escape").then_some((key, Event::Close));
    }
    if browser::has_open_dialog() && name != "Escape" {
        return None;
    }
    let presses = matches!(name.as_str(), " " | "Enter") && browser::is_control(event.target());
    if presses && !is_free_space {
        return None;
    }
    // The keys that move a slider.
    let moves = name.starts_with("Arrow") || matches!(name.as_str(), "Home" | "End" | "PageUp" | "PageDown");
    if moves && browser::is_slider(event.target()) {
        return None;
    }
    let key = Key {
        name: &name,
        shift: event.shift_key(),
        control,
    };
    if browser::is_presenting() {
        return Some((None, keys::presenter_event(key)?));
    }
    let event = keys::event(key)?;
    Some((TeachingKey::of(&name).filter(|_| !control), event))
}
