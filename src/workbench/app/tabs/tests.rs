use super::*;
use crate::api;
use crate::app::command_palette::Found;
use crate::app::keys::{Key, VIEW_KEYS, event};
use crate::app::{Event, update};
use crate::share::{Scenario, decode, encode};
use serde_json::json;

/// A session of a link whose run has ended.
fn open(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Visit(link.to_owned()));
    while session.work(10_000) {}
    update(&mut session, Event::Tick(1.0));
    session
}

/// The views under More, each with its reason.
fn under_more(link: &str) -> Vec<(View, String)> {
    let session = open(link);
    let more = session.views_under_more(View::Sm);
    more.into_iter()
        .map(|(view, why)| (view, why.to_owned()))
        .collect()
}

fn has(more: &[(View, String)], view: View, reason: &str) -> bool {
    more.iter().any(|(one, why)| *one == view && why == reason)
}

#[test]
fn there_are_twelve_tabs_and_compare_and_every_view_has_one() {
    let tabs: Vec<Tab> = View::GROUPS.iter().copied().flatten().copied().collect();
    let names: Vec<&str> = tabs.iter().map(|tab| tab[0].name()).collect();
    assert_eq!(
        names,
        [
            "Findings",
            "SM",
            "Timeline",
            "Banks",
            "Coalescing",
            "Caches",
            "Registers",
            "Source",
            "Divergence",
            "Occupancy",
            "Device",
            "Plots",
            "Compare"
        ]
    );
    for view in View::ALL {
        let num = tabs.iter().filter(|tab| tab.contains(&view)).count();
        assert_eq!(num, 1, "{view:?}");
    }
    assert_eq!(View::Carveout.tab_name(), Some("Caches"));
    assert_eq!(View::Caches.tab_name(), None);
}

/// Each view opens from its tab or from More, by its letter, its link, the palette, and the API.
#[test]
fn every_view_has_each_of_its_ways() {
    let session = open("#v1");
    let row: Vec<ShownTab> = session
        .shown_tabs(Pane::First, View::Sm)
        .into_iter()
        .flatten()
        .collect();
    let more = session.views_under_more(View::Sm);
    for view in View::ALL {
        let in_row = row.iter().any(|tab| tab.views.contains(&view));
        let in_menu = more.iter().any(|(one, _)| *one == view);
        // The comparison has a button until it has a tab.
        assert_eq!(in_row != in_menu, view != View::Compare, "tab of {view:?}");

        let (_, letter) = VIEW_KEYS.into_iter().find(|(one, _)| *one == view).unwrap();
        let key = Key {
            name: letter,
            shift: false,
            control: false,
        };
        assert_eq!(event(key), Some(Event::View(view)), "letter of {view:?}");

        let link = format!("#v1;view={}", view.id());
        let opened = open(&link);
        assert_eq!(opened.ui.view, view, "link of {view:?}");
        let shown: Vec<ShownTab> = opened
            .shown_tabs(Pane::First, view)
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(
            shown.iter().filter(|tab| tab.views.contains(&view)).count(),
            1,
            "the tab of the view on the stage: {view:?}"
        );
        let scenario = Scenario {
            view,
            ..Scenario::default()
        };
        assert_eq!(decode(&encode(&scenario)).scenario.view, view);

        let mut searched = Session::new();
        update(&mut searched, Event::PaletteText(view.name().to_owned()));
        let finds = |found: &Found| found.event == Event::View(view);
        assert!(searched.found().iter().any(finds), "palette: {view:?}");

        let encoded = api::encode(&json!({ "view": view.id() }));
        assert_eq!(encoded, Ok(encode(&scenario)), "API: {view:?}");
    }
}

#[test]
fn a_view_without_content_is_under_more_with_the_reason() {
    let saxpy = under_more("#v1;kernel=saxpy;arch=tu102");
    assert!(has(
        &saxpy,
        View::Banks,
        "The kernel makes no access to shared memory."
    ));
    assert!(has(
        &saxpy,
        View::Tensor,
        "The kernel has no tensor instructions."
    ));
    assert!(has(&saxpy, View::Streams, "The program has one kernel."));
    assert!(has(&saxpy, View::Divergence, "No branch diverges in this run."));
    assert!(!saxpy.iter().any(|(view, _)| *view == View::Carveout));
    let pascal = under_more("#v1;kernel=divergence;arch=gp104");
    assert!(has(&pascal, View::Tensor, "Pascal GP104 has no tensor cores."));
    assert!(has(
        &pascal,
        View::Carveout,
        "Pascal GP104 has one size of shared memory."
    ));
    assert!(!pascal.iter().any(|(view, _)| *view == View::Divergence));
    let tensor = under_more("#v1;kernel=product-tensor;arch=tu102");
    assert!(!tensor.iter().any(|(view, _)| *view == View::Tensor));
}

#[test]
fn a_typed_access_a_typed_operation_and_several_processes_are_content() {
    let without = |link: &str, view: View| under_more(link).iter().any(|(one, _)| *one == view);
    assert!(!without("#v1;kernel=saxpy;play=shared;view=banks", View::Banks));
    assert!(!without("#v1;kernel=saxpy;processes=2", View::Streams));
}

#[test]
fn the_tab_of_the_view_on_the_stage_stays_in_the_row() {
    let session = open("#v1;kernel=saxpy;view=tensor");
    let tabs: Vec<ShownTab> = session
        .shown_tabs(Pane::First, View::Tensor)
        .into_iter()
        .flatten()
        .collect();
    let registers = tabs.iter().find(|tab| tab.name == "Registers").unwrap();
    assert_eq!(registers.views, [View::Registers, View::Arithmetic, View::Tensor]);
    assert!(
        !session
            .views_under_more(View::Tensor)
            .iter()
            .any(|(view, _)| *view == View::Tensor)
    );
}

#[test]
fn a_tab_opens_the_view_that_the_pane_showed_last() {
    let mut session = open("#v1");
    let opens = |session: &Session, pane: Pane| {
        let tabs = session.shown_tabs(pane, View::Sm);
        let findings = tabs.iter().flatten().find(|tab| tab.name == "Findings");
        findings.unwrap().opens
    };
    assert_eq!(opens(&session, Pane::First), View::Findings);
    update(&mut session, Event::View(View::Stalls));
    update(&mut session, Event::View(View::Sm));
    assert_eq!(opens(&session, Pane::First), View::Stalls);
    assert_eq!(opens(&session, Pane::Second), View::Findings);
}

#[test]
fn tabs_stay_until_the_changed_run_has_ended() {
    let mut session = open("#v1;kernel=saxpy");
    let names = |session: &Session| -> Vec<&'static str> {
        let tabs = session.shown_tabs(Pane::First, View::Sm);
        tabs.iter().flatten().map(|tab| tab.name).collect()
    };
    let before = names(&session);
    assert!(!before.contains(&"Banks"));
    update(&mut session, Event::Kernel("transpose-tiled".to_owned()));
    assert_eq!(names(&session), before, "the run has not ended");
    while session.work(10_000) {}
    update(&mut session, Event::Tick(1.0));
    assert!(names(&session).contains(&"Banks"));
}
