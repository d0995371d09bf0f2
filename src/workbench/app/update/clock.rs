//! Events that move the clock.

use super::*;
use crate::app::{Direction, TYPING_PAUSE_MS};

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

/// Moves by this many cycles.
pub(super) fn step(session: &mut Session, by: i64) -> Vec<Effect> {
    if session.is_comparing() {
        let position = session.clock().saturating_add_signed(by);
        return session.show_position(position);
    }
    let cycle = session.cycle().saturating_add_signed(by);
    session.go(Some(cycle), "")
}

/// Moves to the last known cycle.
pub(super) fn seek_end(session: &mut Session) -> Vec<Effect> {
    if session.is_comparing() {
        let end = session.clock_end();
        return session.show_position(end);
    }
    let last = session.last_cycle();
    session.go(Some(last), "")
}

/// Advances the playback and the timers by some milliseconds.
pub(super) fn tick(session: &mut Session, elapsed: f64) -> Vec<Effect> {
    let mut effects = Vec::new();
    for derived in session.derived_all_mut() {
        derived.ingest();
    }
    let was_playing = session.playback.playing.is_some();
    let quiet = session.quiet_cycles();
    let moved = session.on_clock(|playback, last, complete| {
        let elapsed = elapsed * playback.haste(quiet, last);
        playback.tick(elapsed, last, complete)
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
