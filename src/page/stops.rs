//! The chapters on the strip.

use yew::{Callback, Html, MouseEvent, html};

use super::browser;
use super::styled::styled;
use engine::ids::Cycle;
use workbench::app::{Event, LectureEdit, Session};
use workbench::scene::StripScale;

/// Distance of two disks whose chapters have nearly the same cycle, in CSS pixels.
const APART_PX: f32 = 24.0;
/// Half the width of a disk on the strip.
const HALF_PX: f32 = 11.0;

/// The callback of a button that edits the lecture.
pub(super) fn send(dispatch: &Callback<Event>, edit: LectureEdit) -> Callback<MouseEvent> {
    dispatch.reform(move |_: MouseEvent| Event::Lecture(edit.clone()))
}

/// The numbered disks of the chapters of the shown run, over a strip of this width.
pub(crate) fn stops(session: &Session, width: f32, dispatch: &Callback<Event>) -> Html {
    let chapters = session.chapters_on_strip();
    if chapters.is_empty() || width <= 0.0 {
        return Html::default();
    }
    let (num, now) = session.strip_clock();
    let enlargement = session.enlargement();
    let scale = StripScale::of(num, Cycle(now), session.ui.state.strip, width / enlargement);
    let mut shown: Vec<(usize, u64, f32)> = chapters
        .into_iter()
        .filter(|(_, cycle)| (scale.start..scale.end).contains(cycle))
        .map(|(idx, cycle)| (idx, cycle, enlargement * scale.x(Cycle(cycle))))
        .collect();
    shown.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut last = f32::MIN;
    let disk = |(idx, cycle, x): (usize, u64, f32)| {
        // Disks move apart; their lines stay at the cycle.
        let at = x.max(last + APART_PX).min(width - HALF_PX).max(HALF_PX);
        last = at;
        let title = &session.ui.lecture.chapters[idx].title;
        let name = format!(
            "Chapter {}: {title}, cycle {}",
            idx + 1,
            workbench::scene::thousands(cycle)
        );
        let is_current = session.ui.lecture.at == Some(idx);
        let (sign, off) = if x < at { ("-", at - x) } else { ("", x - at) };
        let style = format!(
            "left:{}px;--shift:{sign}{}px",
            browser::tenths(at),
            browser::tenths(off)
        );
        let button = html! {
            <button class="stop" aria-label={name.clone()} title={name} aria-current={is_current.then_some("step")}
                data-testid={format!("stop-{}", idx + 1)}
                onclick={send(dispatch, LectureEdit::Go(idx))}>{ idx + 1 }</button>
        };
        styled(style, button)
    };
    html! { <div class="stops" role="group" aria-label="Chapters">{ for shown.into_iter().map(disk) }</div> }
}
