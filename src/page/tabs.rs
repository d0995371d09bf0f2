//! The row of tabs above a view, the sections of the tab on the stage, and the menu of views without content.

use yew::{Callback, Html, KeyboardEvent, html};

use super::icon::Icon;
use super::menu::menu;
use super::pane_id::id;
use workbench::app::tabs::ShownTab;
use workbench::app::{Badge, Event, Pane, Panel, Session};
use workbench::share::View;

/// What the row of tabs of a pane shows, apart from the pane's own state.
pub(super) type TabsKey = (Vec<Vec<ShownTab>>, Vec<(View, String)>, [Option<Badge>; 2]);

/// The key of a pane's row.
pub(super) fn tabs_key(session: &Session, pane: Pane, view: View) -> TabsKey {
    let more = session.views_under_more(view).into_iter();
    (
        session.shown_tabs(pane, view),
        more.map(|(view, why)| (view, why.to_owned())).collect(),
        [session.findings_badge(), session.check_badge()],
    )
}

/// The row of tabs of a pane.
pub(super) fn tabs(session: &Session, pane: Pane, view: View, dispatch: &Callback<Event>) -> Html {
    let groups = session.shown_tabs(pane, view);
    let all: Vec<&ShownTab> = groups.iter().flatten().collect();
    let idx = all.iter().position(|tab| tab.views.contains(&view));
    let onkeydown = on_keys(
        idx.unwrap_or(0),
        all.iter().map(|tab| tab.opens).collect(),
        dispatch,
    );
    let tab = |tab: &ShownTab| {
        let selected = tab.views.contains(&view);
        let opens = if selected { view } else { tab.opens };
        let onclick = dispatch.reform(move |_| Event::View(opens));
        html! {
            <button class="tab" role="tab" aria-selected={selected.to_string()} aria-controls={id(pane, "stage-panel")}
                tabindex={if selected { "0" } else { "-1" }} title={title(tab)} data-testid={id(pane, &tab_id(tab))} {onclick}>
                { tab.name }{ for tab.all.iter().filter_map(|view| badge(session, *view, "")) }
            </button>
        }
    };
    let group = |(idx, tabs): (usize, &Vec<ShownTab>)| {
        let gap = (idx > 0).then(|| html! { <span class="gap"/> });
        html! { <>{ gap }{ for tabs.iter().map(tab) }</> }
    };
    html! {
        <div class="tab-row">
            <div class="tabs" role="tablist" aria-label="Views" {onkeydown}
                onwheel={Callback::from(super::browser::scroll_along)}>
                { for groups.iter().enumerate().map(group) }
            </div>
            { more(session, pane, view, dispatch) }
            { splitter(session, pane, dispatch) }
        </div>
    }
}

/// The test ID of a tab: of its view, or of its views.
fn tab_id(tab: &ShownTab) -> String {
    match tab.all {
        [only] => format!("tab-{}", only.id()),
        [first, ..] => format!("views-{}", first.id()),
        [] => String::new(),
    }
}

/// The names of a tab's sections.
fn title(tab: &ShownTab) -> Option<String> {
    let names: Vec<&str> = tab.views.iter().map(|view| view.name()).collect();
    (names.len() > 1).then(|| names.join(", "))
}

/// Handles the keys of a list of tabs: the arrow keys show the next and the previous view.
fn on_keys(idx: usize, views: Vec<View>, dispatch: &Callback<Event>) -> Callback<KeyboardEvent> {
    let (num, turn) = (views.len(), dispatch.clone());
    Callback::from(move |event: KeyboardEvent| {
        let next = match event.key().as_str() {
            "ArrowRight" => (idx + 1) % num,
            "ArrowLeft" => (idx + num - 1) % num,
            "Home" => 0,
            "End" => num - 1,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        turn.emit(Event::View(views[next]));
        super::browser::focus_tab(&event, next);
    })
}

/// The badge of a view, if it has one.
fn badge(session: &Session, view: View, id_prefix: &str) -> Option<Html> {
    match view {
        View::Findings => {
            let badge = session.findings_badge()?;
            Some(html! {
                <span class="count" title={badge.name.clone()} data-testid={format!("{id_prefix}findings-count")}>{ badge.text }</span>
            })
        }
        View::Checks => {
            let badge = session.check_badge()?;
            Some(html! {
                <span class="count wrong" title={badge.name.clone()} data-testid={format!("{id_prefix}checks-count")}>
                    <span aria-hidden="true">{ badge.text }</span><span class="unseen">{ badge.name }</span>
                </span>
            })
        }
        _ => None,
    }
}

/// The sections of the tab on the stage, if it has several.
pub(super) fn sections(session: &Session, pane: Pane, view: View, dispatch: &Callback<Event>) -> Html {
    let tabs = session.shown_tabs(pane, view);
    let shown = tabs.iter().flatten().find(|tab| tab.views.contains(&view));
    let Some(ShownTab { name, views, .. }) = shown.filter(|tab| tab.views.len() > 1) else {
        return Html::default();
    };
    let idx = views.iter().position(|one| *one == view).unwrap_or(0);
    let onkeydown = on_keys(idx, views.clone(), dispatch);
    let section = |one: &View| {
        let one = *one;
        let selected = one == view;
        let onclick = dispatch.reform(move |_| Event::View(one));
        html! {
            <button role="tab" aria-selected={selected.to_string()} aria-controls={id(pane, "stage-panel")}
                tabindex={if selected { "0" } else { "-1" }} data-testid={id(pane, &format!("tab-{}", one.id()))} {onclick}>
                { one.name() }{ badge(session, one, "section-") }
            </button>
        }
    };
    html! {
        <div class="sections" role="tablist" aria-label={format!("Sections of {name}")} data-testid={id(pane, "sections")} {onkeydown}>
            { for views.iter().map(section) }
        </div>
    }
}

/// The button and the menu of views without content, if there are any.
fn more(session: &Session, pane: Pane, view: View, dispatch: &Callback<Event>) -> Html {
    let views = session.views_under_more(view);
    if views.is_empty() {
        return Html::default();
    }
    // The sides of a comparison share one row.
    let is_here = session.is_comparing() || session.active() == pane;
    let open = is_here && session.ui.panel == Some(Panel::Views);
    let onclick = dispatch.reform(|_| Event::Panel(Panel::Views));
    let item = |(one, reason): &(View, &str)| {
        let one = *one;
        let onclick = dispatch.reform(move |_| Event::View(one));
        html! {
            <button class="btn" role="menuitem" data-testid={id(pane, &format!("more-{}", one.id()))} {onclick}>
                <span>{ one.name() }</span><small>{ *reason }</small>
            </button>
        }
    };
    let menu = open.then(|| {
        let items = html! { <>{ for views.iter().map(item) }</> };
        menu("Views without content for this run", "views", items, dispatch)
    });
    html! {
        <div class="more-views">
            <button class="btn" title="Views without content for this run" aria-haspopup="menu"
                aria-expanded={open.to_string()} data-testid={id(pane, "more-views")} {onclick}>{ "More" }{ Icon::Down.html() }</button>
            { menu }
        </div>
    }
}

/// Splits the stage, or closes a pane.
fn splitter(session: &Session, pane: Pane, dispatch: &Callback<Event>) -> Html {
    // Choosing the option ends a comparison, which a click beside the tabs must not do.
    if session.is_comparing() {
        return Html::default();
    }
    if session.ui.split.is_none() {
        let onclick = dispatch.reform(|_| Event::SplitOrWhole);
        return html! {
            <button class="btn split" title="Another view beside this one (\\)" data-testid="split" {onclick}>
                { Icon::Split.html() }<span>{ "Split" }</span>
            </button>
        };
    }
    // Closing a pane leaves the stage to the other pane.
    let other = pane.other();
    let onclick = dispatch.reform(move |_| Event::In(other, Box::new(Event::SplitOrWhole)));
    html! {
        <button class="btn split" aria-label="Close this view" title="Close this view" data-testid={id(pane, "unsplit")} {onclick}>
            { Icon::Close.html() }
        </button>
    }
}
