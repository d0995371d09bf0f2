//! What the windows of a lecture send each other.

use serde::{Deserialize, Serialize};

use super::{Stroke, chapters};
use crate::app::{Direction, Effect, Session};
use crate::share::{Present, QrPlace, decode, encode};

/// Limits of the strokes that a window takes from another one, and of the points of a stroke. Assumption: a picture with
/// more is covered.
const MAX_STROKES: usize = 500;
const MAX_POINTS: usize = 5_000;

/// What a window of a lecture shows.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Shared {
    /// The link; `None` from a frozen presenter, whose picture the other windows do not follow.
    pub link: Option<String>,
    /// Whether the run plays, and whether it plays backwards.
    pub playing: Option<bool>,
    /// Whether the screen is black.
    pub blank: bool,
    /// Whether the presenter is frozen.
    pub frozen: bool,
    /// Whether the presenter's spotlight is on.
    pub spotlight: bool,
    /// Whether strokes stay when the chapter changes.
    pub keeps: bool,
    /// The strokes on the picture.
    pub strokes: Vec<Stroke>,
}

impl Session {
    /// What this window sends to the other windows of the lecture.
    pub fn shared(&self) -> Shared {
        let lecture = &self.ui.lecture;
        let is_presenter = lecture.present == Present::On;
        let link = (!lecture.frozen).then(|| {
            let mut scenario = self.link();
            scenario.layout = stop_layout(&scenario);
            scenario.lecture.present = Present::Off;
            scenario.lecture.qr = QrPlace::Off;
            scenario.look.outputs = crate::share::OutputsLink::default();
            encode(&scenario)
        });
        Shared {
            link,
            playing: self.playback.playing.map(|way| way == Direction::Backward),
            blank: lecture.blank,
            frozen: if is_presenter {
                lecture.frozen
            } else {
                lecture.audience_frozen
            },
            spotlight: lecture.spotlight,
            keeps: lecture.keeps,
            strokes: lecture.strokes.clone(),
        }
    }
}

/// The part of the layout that belongs to the picture.
fn stop_layout(scenario: &crate::share::Scenario) -> crate::share::Layout {
    crate::share::Layout {
        tables: scenario.layout.tables,
        active: scenario.layout.active,
        share: scenario.layout.share,
        speed: scenario.layout.speed,
        ..crate::share::Layout::default()
    }
}

/// Shows what another window shows.
pub(super) fn follow(session: &mut Session, shared: Shared) -> Vec<Effect> {
    let lecture = &mut session.ui.lecture;
    if lecture.frozen {
        if shared.link.is_some() {
            lecture.ahead = Some(Box::new(shared));
        }
        return Vec::new();
    }
    lecture.audience_frozen = lecture.present == Present::Notes && shared.frozen;
    (lecture.blank, lecture.spotlight, lecture.keeps) = (shared.blank, shared.spotlight, shared.keeps);
    // Another program of the same origin can use the channel, too.
    lecture.strokes = shared.strokes;
    lecture.strokes.truncate(MAX_STROKES);
    for stroke in &mut lecture.strokes {
        stroke.truncate(MAX_POINTS);
    }
    let Some(link) = shared.link else {
        return Vec::new();
    };
    let (scenario, now) = (decode(&link).scenario, session.link());
    let speed = scenario.layout.speed;
    let lecture = scenario.lecture.clone();
    // The chapters first: a window shows them around the picture.
    session.ui.lecture.load(
        crate::share::Lecture {
            present: now.lecture.present,
            qr: now.lecture.qr,
            ..lecture
        },
        scenario.notes.clone(),
    );
    let strokes = std::mem::take(&mut session.ui.lecture.strokes);
    chapters::show(session, scenario);
    session.ui.lecture.strokes = strokes;
    session.ui.lecture.blank = shared.blank;
    session.playback.speed = crate::app::Speed::of(speed);
    if let Some(backward) = shared.playing {
        session.playback.playing = Some(if backward {
            Direction::Backward
        } else {
            Direction::Forward
        });
    }
    let mut effects = super::follow_link(session);
    effects.push(Effect::ReplaceLink);
    effects
}
