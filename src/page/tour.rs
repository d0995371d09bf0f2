//! The tour of the page: the panel with the text of a stop.

use yew::{Callback, Html, MouseEvent, html};

use super::button::button;
use super::icon::Icon;
use workbench::app::{Event, Tour, TourEdit};

/// The panel of the open tour, above the inspector.
pub(crate) fn tour(tour: &Tour, dispatch: &Callback<Event>) -> Html {
    let (stop, step, num) = (tour.shown(), tour.step, tour.stops.len());
    let send = |edit: TourEdit| dispatch.reform(move |_: MouseEvent| Event::Tour(edit));
    html! {
        <section class="tour" aria-label="Tour" data-testid="tour">
            <div class="lesson-bar" role="progressbar" aria-label="Stops" aria-valuemin="1" aria-valuemax={num.to_string()}
                aria-valuenow={(step + 1).to_string()}>
                { for (0..num).map(|idx| html! { <i data-done={(idx <= step).to_string()}/> }) }
            </div>
            <div class="tour-head">
                <span class="label" data-testid="tour-step">{ format!("Tour · {} of {num}", step + 1) }</span><span class="grow"/>
                { button(Icon::Close, "Leave the tour (Esc)", "tour-leave", "", dispatch, Event::Tour(TourEdit::Leave)) }
            </div>
            <h2 data-testid="tour-title">{ &stop.title }</h2>
            <p>{ &stop.text }</p>
            <div class="tour-foot">
                <button class="btn line" data-testid="tour-back" title="Previous stop (B)" disabled={step == 0}
                    onclick={send(TourEdit::Back)}>{ "Back" }</button>
                <span class="grow"/>
                <button class="btn solid" data-testid="tour-next" title="Next stop (N)" onclick={send(TourEdit::Next)}>
                    { if tour.is_last() { "Finish" } else { "Next" } }
                </button>
            </div>
        </section>
    }
}
