//! The file tabs above the editor, and the problems in other files.

use web_sys::{Element, HtmlInputElement};
use yew::{
    Callback, Html, KeyboardEvent, MouseEvent, Properties, TargetCast, component, html, use_effect_with,
    use_node_ref,
};

use super::browser;
use super::button::button;
use super::dropped;
use super::editor_state::EditorState;
use super::icon::Icon;
use workbench::app::{Event, FileEdit, FileTab};
use workbench::scene::{Target, capital, counted};

/// Limit of listed problems in other files.
const LISTED: usize = 5;

/// Buttons that add a file and open files of the device.
pub(super) fn tools(dispatch: &Callback<Event>) -> Html {
    let dispatch_files = dispatch.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        if let Some(list) = input.files() {
            dropped::read_list(&list, dispatch_files.clone());
        }
        // Allows the user to choose the same file again.
        input.set_value("");
    });
    html! {
        <>
            { button(Icon::Plus, "New file", "file-add", "file-tool", dispatch, Event::File(FileEdit::Add)) }
            <label class="btn file-tool" title="Open files, or drop them onto the page">
                { Icon::Open.html() }
                <input type="file" multiple=true aria-label="Open files" data-testid="file-open" {onchange}
                    accept=".cu,.cuh,.h,.hpp,.hh,.hxx,.inl,.inc,.ipp,.tpp,.def,.c,.cc,.cpp,.cxx,.zip"/>
            </label>
        </>
    }
}

/// The tabs, if the source has several files.
pub(super) fn tabs(editor: &EditorState, dispatch: &Callback<Event>) -> Html {
    let tabs = &editor.tabs;
    let num_more = editor.num_files_without_tab;
    let more = (num_more > 0)
        .then(|| html! { <span class="file-label">{ format!("and {}", counted(num_more as u64, "more file")) }</span> });
    if tabs.is_empty() {
        return Html::default();
    }
    if let Some((idx, tab)) = tabs.iter().enumerate().find(|(_, tab)| tab.is_renamed) {
        let on_name = dispatch.reform(move |name| Event::File(FileEdit::Rename(idx, name)));
        return html! {
            <div class="file-row">
                <span class="file-label">{ "Name" }</span>
                <NameField key={tab.name.clone()} name={tab.name.clone()} {on_name}/>
            </div>
        };
    }
    let shown = tabs.iter().position(|tab| tab.is_shown).unwrap_or(0);
    let all = tabs
        .iter()
        .enumerate()
        .map(|(idx, tab)| self::tab(idx, tab, dispatch));
    let onkeydown = on_key(shown, tabs.len(), dispatch);
    html! {
        <div class="file-row">
            <TabList shown={(shown, tabs[shown].name.clone())} {onkeydown}>{ for all }{ more }</TabList>
            { tools_of(tabs, shown, dispatch) }
        </div>
    }
}

/// The commands for the shown file.
fn tools_of(tabs: &[FileTab], shown: usize, dispatch: &Callback<Event>) -> Html {
    let can_be_main = shown > 0 && engine::files::is_unit(&tabs[shown].name);
    let make_main = can_be_main.then(|| {
        let event = Event::File(FileEdit::MakeMain(shown));
        let name = "Make this the main file: launch its kernels";
        button(Icon::Main, name, "file-main", "file-tool", dispatch, event)
    });
    let rename = Event::File(FileEdit::Name(shown));
    let remove = (tabs.len() > 1).then(|| {
        let event = Event::File(FileEdit::Remove(shown));
        button(
            Icon::Close,
            "Remove this file (Delete)",
            "file-remove",
            "file-tool",
            dispatch,
            event,
        )
    });
    html! {
        <>
            { make_main }
            { button(Icon::Pen, "Rename this file (F2)", "file-rename", "file-tool", dispatch, rename) }
            { remove }
        </>
    }
}

fn on_key(shown: usize, num: usize, dispatch: &Callback<Event>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let edit = match event.key().as_str() {
            "ArrowRight" => FileEdit::Show((shown + 1) % num),
            "ArrowLeft" => FileEdit::Show((shown + num - 1) % num),
            "Home" => FileEdit::Show(0),
            "End" => FileEdit::Show(num - 1),
            "Delete" => FileEdit::Remove(shown),
            "F2" => FileEdit::Name(shown),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        match edit {
            FileEdit::Show(idx) => browser::focus_tab(&event, idx),
            // Move the focus to the adjacent tab, so that it is not lost.
            FileEdit::Remove(idx) if num > 1 => {
                browser::focus_tab(&event, if idx + 1 == num { idx - 1 } else { idx + 1 });
            }
            _ => {}
        }
        dispatch.emit(Event::File(edit));
    })
}

fn tab(idx: usize, tab: &FileTab, dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(move |_| Event::File(FileEdit::Show(idx)));
    let ondblclick = dispatch.reform(move |_: MouseEvent| Event::File(FileEdit::Name(idx)));
    let main = if idx == 0 { ", main file" } else { "" };
    let problems = match tab.num_problems {
        0 => String::new(),
        num => format!(", {}", counted(num as u64, "problem")),
    };
    let name = format!("{}{main}{problems}", tab.name);
    let mark = match (tab.num_problems, tab.is_current) {
        (0, false) => Html::default(),
        (0, true) => {
            html! { <i class="file-live" title="The selected warp executes code of this file">{ "▶" }</i> }
        }
        (num, _) => html! { <i class="file-problems" data-fatal={tab.is_broken.to_string()}>{ num }</i> },
    };
    html! {
        <button key={tab.name.clone()} role="tab" class="tab" aria-selected={tab.is_shown.to_string()}
            aria-label={name.clone()} title={name} tabindex={if tab.is_shown { "0" } else { "-1" }}
            data-testid={format!("file-{}", tab.name)} {onclick} {ondblclick}>
            { &tab.label }{ mark }
        </button>
    }
}

/// The problems in other files. A click shows the file.
pub(super) fn elsewhere(editor: &EditorState, dispatch: &Callback<Event>) -> Html {
    if editor.elsewhere.is_empty() {
        return Html::default();
    }
    let shown = editor.elsewhere.iter().take(LISTED).map(|(place, line, message)| {
        let line = *line;
        let onclick = dispatch.reform(move |_| Event::Select(Target::Line(line)));
        html! {
            <div class="problem elsewhere">
                <button data-testid="problem-elsewhere" {onclick}><span>{ place }</span><span>{ capital(message) }</span></button>
            </div>
        }
    });
    let more = editor.elsewhere.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| html! { <p class="dim">{ format!("and {more} more in other files") }</p> });
    html! { <div class="problems" role="log" aria-label="Problems in other files">{ for shown }{ more }</div> }
}

#[derive(PartialEq, Properties)]
struct TabListProps {
    /// The index and the name of the shown file.
    shown: (usize, String),
    onkeydown: Callback<KeyboardEvent>,
    children: Html,
}

/// The tab list. A change of the selected tab or of its position scrolls the tab into view.
#[component]
fn TabList(props: &TabListProps) -> Html {
    let node = use_node_ref();
    let list = node.clone();
    use_effect_with(props.shown.clone(), move |_| {
        if let Some(list) = list.cast::<Element>() {
            browser::show_chosen_tab(&list);
        }
    });
    html! {
        <div ref={node} class="file-tabs" role="tablist" aria-label="Files" onkeydown={props.onkeydown.clone()}
            onwheel={Callback::from(browser::scroll_along)}>{ props.children.clone() }</div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct NameFieldProps {
    name: String,
    on_name: Callback<String>,
}

/// The field that renames a file. Enter or leaving the field applies the name; Escape keeps the old name.
#[component]
fn NameField(props: &NameFieldProps) -> Html {
    let node = use_node_ref();
    let input = node.clone();
    use_effect_with((), move |()| {
        if let Some(input) = input.cast::<HtmlInputElement>() {
            // A visible field can take the focus.
            let _ = input.focus();
            let end = input.value().rfind('.').unwrap_or(0) as u32;
            let _ = input.set_selection_range(0, end);
        }
    });
    let on_name = props.on_name.clone();
    let onkeydown = {
        let (on_name, old) = (on_name.clone(), props.name.clone());
        Callback::from(move |event: KeyboardEvent| {
            event.stop_propagation();
            let input = event.target_unchecked_into::<HtmlInputElement>();
            match event.key().as_str() {
                "Enter" => on_name.emit(input.value()),
                "Escape" => {
                    // Leaving the field applies its text.
                    input.set_value(&old);
                    on_name.emit(old.clone());
                }
                _ => {}
            }
        })
    };
    let onblur =
        on_name.reform(|event: yew::FocusEvent| event.target_unchecked_into::<HtmlInputElement>().value());
    html! {
        <input ref={node} class="field file-name" value={props.name.clone()} aria-label="File name" maxlength="120"
            autocomplete="off" spellcheck="false" autocapitalize="off" data-testid="file-name" {onkeydown} {onblur}/>
    }
}
