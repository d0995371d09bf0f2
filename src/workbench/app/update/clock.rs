//! Events that move the clock.

use super::*;
use crate::app::playback::Pace;
use crate::app::{Direction, Speed, TYPING_PAUSE_MS};

/// Pauses, or plays forward.
pub(super) fn play_or_pause(session: &mut Session) -> Vec<Effect> {
    let direction = session.playback.playing.unwrap_or(Direction::Forward);
    play(session, direction)
}

/// Plays in a direction, or pauses if the session already plays in this direction.
pub(super) fn play(session: &mut Session, direction: Direction) -> Vec<Effect> {
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

/// Plays faster, or slower for a negative `step`.
pub(super) fn change_speed(session: &mut Session, step: i32) -> Vec<Effect> {
    let last = session.clock_end();
    let now = if session.auto_pace() == Pace::Class
        || session.is_in_class() && session.playback.speed == Speed::Auto
    {
        f64::from(Speed::CLASS.cycles_per_second())
    } else {
        session.playback.speed.rate(last)
    };
    let speed = session.playback.speed.beside(step, now);
    session.playback.speed = speed;
    let text = format!("Speed: {}", speed.description());
    session.say(text);
    vec![Effect::ReplaceLink]
}

/// Moves by this many cycles.
pub(super) fn step(session: &mut Session, by: i64) -> Vec<Effect> {
    if session.is_comparing() {
        let position = session.clock().saturating_add_signed(by);
        return session.show_position(position);
    }
    // A longer run left the position after the end of a shorter one of the device.
    let cycle = session.cycle().min(session.clock_end()).saturating_add_signed(by);
    session.go(Some(cycle), "")
}

/// Moves to the last known cycle.
pub(super) fn seek_end(session: &mut Session) -> Vec<Effect> {
    if session.is_comparing() {
        let end = session.clock_end();
        return session.show_position(end);
    }
    let last = session.clock_end();
    session.go(Some(last), "")
}

/// Advances the playback and the timers by some milliseconds.
pub(super) fn tick(session: &mut Session, elapsed: f64) -> Vec<Effect> {
    let mut effects = Vec::new();
    for derived in session.derived_all_mut() {
        derived.ingest();
    }
    let was_playing = session.playback.playing.is_some();
    let (pace, stop) = (session.auto_pace(), session.stop_of_auto());
    let moved = session.on_clock(|playback, last, complete| {
        let elapsed = elapsed * pace.factor(playback.speed, last);
        let moved = playback.tick(elapsed, last, complete);
        // A frame does not pass what is played slowly.
        playback.stop_at(stop);
        moved
    });
    // A run that plays by itself leaves the address alone.
    if moved && session.playback.playing.is_some() && !session.ui.plays_by_itself {
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
            session.ui.offer = None;
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
