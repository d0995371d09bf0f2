//! The channel between the windows of a lecture. The browser passes messages among the windows of one site; nothing
//! leaves the device.

use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use web_sys::{BroadcastChannel, MessageEvent};

use super::listener::Listener;
use workbench::app::lecture::Shared;
use workbench::app::{Event, LectureEdit, Session};
use workbench::share::Present;
use yew::Callback;

/// The name of the channel.
const NAME: &str = "warpscope-lecture";
/// Milliseconds between two messages while the run plays.
const PLAY_PAUSE_MS: f64 = 250.0;

/// A message of a window.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Said {
    /// A window opened: the others say what they show.
    Hello,
    /// A window is open.
    Here,
    /// A window shows this.
    Show(Box<Shared>),
    /// The notes window shows the next or the previous chapter.
    Turn(i32),
    /// A window closed, or left the presenter.
    Bye,
}

/// The channel of this window.
pub(super) struct Channel {
    port: BroadcastChannel,
    /// What was said or heard last.
    last: Shared,
    /// When the last message was sent.
    sent_ms: f64,
    _listener: Listener,
}

/// A message from another window.
pub(super) enum Heard {
    /// The event that it causes.
    Event(Event),
    /// A window requests what this one shows.
    Asked,
}

impl Channel {
    /// Opens the channel. `heard` receives the messages of other windows.
    pub(super) fn open(session: &Session, heard: Callback<Heard>) -> Option<Self> {
        let port = BroadcastChannel::new(NAME).ok()?;
        let listener = Listener::on(port.as_ref(), "message", move |event| {
            let text = event
                .dyn_ref::<MessageEvent>()
                .and_then(|event| event.data().as_string());
            let Some(said) = text.and_then(|text| serde_json::from_str(&text).ok()) else {
                return;
            };
            let lecture = |edit: LectureEdit| Heard::Event(Event::Lecture(edit));
            match said {
                Said::Hello => {
                    heard.emit(lecture(LectureEdit::Attached(true)));
                    heard.emit(Heard::Asked);
                }
                Said::Here => heard.emit(lecture(LectureEdit::Attached(true))),
                Said::Show(shared) => heard.emit(lecture(LectureEdit::Follow(shared))),
                Said::Turn(step) => heard.emit(lecture(LectureEdit::Beside(step))),
                Said::Bye => heard.emit(lecture(LectureEdit::Attached(false))),
            }
        });
        let open = Self {
            port,
            last: session.shared(),
            sent_ms: 0.0,
            _listener: listener,
        };
        open.say(&Said::Hello);
        Some(open)
    }

    fn say(&self, said: &Said) {
        if let Ok(text) = serde_json::to_string(said) {
            // A closed channel has no listeners.
            let _ = self.port.post_message(&text.into());
        }
    }

    /// Answers a window that requests what this one shows. Only the presenter does.
    pub(super) fn answer(&self, session: &Session) {
        self.say(&Said::Here);
        if session.ui.lecture.present == Present::On {
            self.say(&Said::Show(Box::new(session.shared())));
        }
    }

    /// Requests that the notes window turns the page.
    pub(super) fn turn(&self, step: i32) {
        self.say(&Said::Turn(step));
    }

    /// Takes what this window shows as known, because another window said it.
    pub(super) fn heard(&mut self, session: &Session) {
        self.last = session.shared();
    }

    /// Says what this window shows, if that changed.
    pub(super) fn follow(&mut self, session: &Session, now_ms: f64) {
        let plays = session.playback.playing.is_some();
        if plays && self.last.playing.is_some() && now_ms - self.sent_ms < PLAY_PAUSE_MS {
            return;
        }
        let shared = session.shared();
        if shared != self.last {
            self.say(&Said::Show(Box::new(shared.clone())));
            self.last = shared;
            self.sent_ms = now_ms;
        }
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.say(&Said::Bye);
        self.port.close();
    }
}
