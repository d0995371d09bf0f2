//! The kernel library in the setup panel: a menu of families, and buttons for the variants of a family.

use web_sys::HtmlSelectElement;
use yew::{Callback, Html, TargetCast, html};

use super::icon::Icon;
use workbench::app::{Event, Session};
use workbench::library::{self, Family, LibraryKernel};

/// The menu of families. Choosing a family opens its first variant.
pub(super) fn menu(session: &Session, dispatch: &Callback<Event>) -> Html {
    let onchange = dispatch.reform(|event: yew::Event| {
        Event::Kernel(event.target_unchecked_into::<HtmlSelectElement>().value())
    });
    let chosen = session.setup().library_kernel().id;
    let family = library::family_of(chosen).filter(|_| is_of_library(session));
    let name = match family {
        Some(family) => family.title,
        None if is_of_library(session) => chosen,
        None => "Library",
    };
    // Without this entry the browser would show the first family as selected.
    let none = family.is_none().then(|| {
        html! { <option value="" selected={true} disabled={true}>{ name }</option> }
    });
    let none: Html = none.unwrap_or_default();
    let option = |entry: &Family| {
        let selected = family.is_some_and(|family| family.id == entry.id);
        html! { <option value={entry.opens} {selected}>{ entry.title }</option> }
    };
    html! {
        <span class="pick">
            <span>{ name }</span>{ Icon::Down.html() }
            <select data-testid="kernel-menu" aria-label="Kernel of the library" {onchange}>
                { none }{ for library::families().map(option) }
            </select>
        </span>
    }
}

/// How the page calls the source if it is not the library's text.
pub(super) fn source_tag(session: &Session) -> &'static str {
    if is_of_library(session) {
        "modified"
    } else {
        "own code"
    }
}

/// Whether the source is the library's text or an edit of it, that is, whether it still defines the library's
/// kernel. Other text is unrelated to the family that was open before.
fn is_of_library(session: &Session) -> bool {
    let kernel = session.setup().library_kernel();
    session.setup().source.is_none() || session.side().text.contains(kernel.entry)
}

/// The buttons for the variants of the selected kernel's family, and a note on what to observe.
pub(super) fn variants(session: &Session, dispatch: &Callback<Event>) -> Html {
    let kernel = session.setup().library_kernel();
    let own = session.setup().source.is_some();
    let look_at = (!own).then(|| note(session, kernel.look_at, dispatch));
    let family = library::family_of(kernel.id).filter(|_| is_of_library(session));
    let switch = family.map(|family| {
        let groups = family.groups();
        html! {
            <div class="variants" data-testid="variants">
                { for groups.iter().map(|group| row(family, group, kernel.id, own, dispatch)) }
            </div>
        }
    });
    html! { <>{ switch }{ look_at }</> }
}

/// The note on what to observe; its first words, the view, are a link to what it describes.
fn note(session: &Session, text: &'static str, dispatch: &Callback<Event>) -> Html {
    let view = session.note_view().map_or("", |view| view.name());
    let (link, rest) = text.split_at(view.len());
    let onclick = dispatch.reform(|_| Event::FollowNote);
    html! {
        <p class="hint" data-testid="look-at">
            <button class="link" data-testid="follow-note" title="Show it" {onclick}>{ link }</button>{ rest }
        </p>
    }
}

/// The variants of a group, after the group's name if it has one.
fn row(family: &Family, group: &str, chosen: &str, own: bool, dispatch: &Callback<Event>) -> Html {
    let name = (!group.is_empty()).then(|| html! { <span class="group">{ group.to_owned() }</span> });
    let class = if group.is_empty() { "chips alone" } else { "chips" };
    let label = format!("{} {group}", family.title);
    let chip = |kernel: &&LibraryKernel| {
        let id = kernel.id;
        let onclick = dispatch.reform(move |_| Event::Kernel(id.to_owned()));
        let pressed = (kernel.id == chosen && !own).to_string();
        html! {
            <button class="chip" aria-pressed={pressed} title={kernel.title}
                data-testid={format!("variant-{id}")} {onclick}>{ kernel.variant }</button>
        }
    };
    let members: Vec<&LibraryKernel> = family
        .kernels
        .iter()
        .filter(|kernel| kernel.group == group)
        .collect();
    html! { <>{ name }<div {class} role="group" aria-label={label.trim().to_owned()}>{ for members.iter().map(chip) }</div></> }
}
