//! A divider between two parts of the page, movable by pointer or keyboard.

use web_sys::DomRect;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, PointerEvent, Properties, component, html};

use super::held;

/// What a divider is in the document.
const SELECTOR: &str = "[role=separator]";

/// A movement of a divider.
#[derive(Clone, Debug)]
pub(crate) enum Dragged {
    /// To this screen position. The rectangle encloses both parts; the flag says whether the parts are stacked
    /// vertically.
    To {
        x: f64,
        y: f64,
        around: DomRect,
        stacked: bool,
    },
    /// By this many steps.
    By(i32),
    /// Back to the default position.
    Back,
}

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct DividerProps {
    pub name: &'static str,
    pub id: &'static str,
    pub class: &'static str,
    /// The value and the limits for assistive technology.
    pub now: (u32, u32, u32),
    pub on_drag: Callback<Dragged>,
}

/// The divider component.
#[component]
pub(crate) fn Divider(props: &DividerProps) -> Html {
    let onpointerdown = Callback::from(|event: PointerEvent| {
        if held::hold(&event, SELECTOR).is_some() {
            // The press selects no text.
            event.prevent_default();
        }
    });
    let drag = props.on_drag.clone();
    let onpointermove = Callback::from(move |event: PointerEvent| {
        if event.buttons() & 1 == 1
            && let Some(element) = held::element_at(&event, SELECTOR)
            && let Some(parent) = element.parent_element()
        {
            let own = element.get_bounding_client_rect();
            drag.emit(Dragged::To {
                x: f64::from(event.client_x()),
                y: f64::from(event.client_y()),
                around: parent.get_bounding_client_rect(),
                stacked: own.width() > own.height(),
            });
        }
    });
    let ondblclick = props.on_drag.reform(|_: MouseEvent| Dragged::Back);
    let drag = props.on_drag.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let moved = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => Dragged::By(1),
            "ArrowLeft" | "ArrowUp" => Dragged::By(-1),
            "Enter" => Dragged::Back,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        drag.emit(moved);
    });
    let (now, least, most) = props.now;
    html! {
        <div class={props.class} role="separator" tabindex="0" aria-label={props.name} data-testid={props.id}
            aria-valuenow={now.to_string()} aria-valuemin={least.to_string()} aria-valuemax={most.to_string()}
            title={format!("{}: drag, or use the arrow keys; double-click to reset", props.name)}
            {onpointerdown} {onpointermove} {ondblclick} {onkeydown}/>
    }
}
