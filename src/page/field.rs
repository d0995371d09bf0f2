//! A text field that keeps its text while the user types. During a run the page renders many times a second,
//! and a controlled field would lose letters.

use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::{Callback, Component, Context, Html, KeyboardEvent, Properties, TargetCast, html};

use super::styled::styled;

/// The properties of the field.
#[derive(Clone, Properties)]
pub(crate) struct TextFieldProps {
    pub class: &'static str,
    pub value: String,
    pub id: String,
    pub name: String,
    #[prop_or_default]
    pub is_invalid: bool,
    #[prop_or_default]
    pub title: Option<&'static str>,
    /// Width in characters of the field's font.
    #[prop_or_default]
    pub width_chars: Option<usize>,
    #[prop_or_default]
    pub max_length: Option<&'static str>,
    /// The on-screen keyboard of phones.
    #[prop_or_default]
    pub input_mode: Option<&'static str>,
    /// Whether Enter moves the focus out of the field.
    #[prop_or_default]
    pub leaves: bool,
    /// Whether the field has several lines.
    #[prop_or_default]
    pub is_long: bool,
    /// What the text sets. A field with another target is another field.
    pub sets: String,
    /// Receives the complete text.
    pub on_text: Callback<String>,
}

impl PartialEq for TextFieldProps {
    fn eq(&self, other: &Self) -> bool {
        self.class == other.class
            && self.value == other.value
            && self.id == other.id
            && self.sets == other.sets
            && self.name == other.name
            && self.is_invalid == other.is_invalid
    }
}

/// The field component.
pub(crate) struct TextField;

impl Component for TextField {
    type Message = ();
    type Properties = TextFieldProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let onchange = props
            .on_text
            .reform(|event: yew::Event| event.target_unchecked_into::<HtmlInputElement>().value());
        if props.is_long {
            let onchange = props
                .on_text
                .reform(|event: yew::Event| event.target_unchecked_into::<HtmlTextAreaElement>().value());
            return html! {
                <textarea class={props.class} rows="3" value={props.value.clone()} data-testid={props.id.clone()}
                    aria-label={props.name.clone()} placeholder={props.title} {onchange}/>
            };
        }
        let leaves = props.leaves;
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            if leaves && event.key() == "Enter" {
                // The text is submitted on blur.
                let _ = event.target_unchecked_into::<HtmlInputElement>().blur();
            }
        });
        let field = html! {
            <input class={props.class} value={props.value.clone()} data-testid={props.id.clone()}
                aria-label={props.name.clone()} autocomplete="off" spellcheck="false"
                aria-invalid={props.is_invalid.to_string()} title={props.title}
                maxlength={props.max_length} inputmode={props.input_mode} {onchange} {onkeydown}/>
        };
        match props.width_chars {
            // The field has 6 pixels on each side.
            Some(chars) => styled(format!("width:calc({chars}ch + 12px)"), field),
            None => field,
        }
    }
}
