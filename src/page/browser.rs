//! Access to the browser: address, clipboard, files, stored theme.

use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, CanvasRenderingContext2d, Document, Element, HtmlAnchorElement, HtmlCanvasElement, HtmlElement,
    Performance, Response, ScrollIntoViewOptions, ScrollLogicalPosition, Url, WheelEvent, Window,
};

use super::held;
use workbench::app::{Density, Event, Theme};
use workbench::share::{self, Scenario, take_long_texts};

/// Pixels per line of the wheel, for browsers that report lines.
const WHEEL_LINE_PX: f64 = 33.0;

/// The window, where there is one.
#[cfg(target_arch = "wasm32")]
pub(crate) fn window() -> Option<Window> {
    web_sys::window()
}

/// No window: natively every call of JavaScript panics.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn window() -> Option<Window> {
    None
}

/// Its document.
pub(crate) fn document() -> Option<Document> {
    window()?.document()
}

/// The part of the address after the `#`.
pub(crate) fn fragment() -> String {
    window()
        .and_then(|window| window.location().hash().ok())
        .map(|hash| hash.trim_start_matches('#').to_owned())
        .unwrap_or_default()
}

/// Whether the address had a link when the page was opened: `www/ahead.js` notes it before anything is shown.
pub(crate) fn has_link() -> bool {
    document()
        .and_then(|document| document.document_element())
        .is_some_and(|root| root.has_attribute("data-link"))
}

/// Puts an empty element for the page into the body, under the first view of `index.html`.
pub(crate) fn page_root() -> Option<Element> {
    let (document, root) = (document()?, document()?.create_element("div").ok()?);
    root.set_id("page");
    let body = document.body()?;
    // Before the first view: a search in the document finds the page's elements first.
    let _ = body.insert_before(&root, body.first_child().as_ref()).ok()?;
    Some(root)
}

/// The first element that a selector matches.
fn find(selector: &str) -> Option<Element> {
    document()?.query_selector(selector).ok()?
}

/// Takes the first view of `index.html` away.
pub(crate) fn uncover() {
    if let Some(cover) = find(".boot") {
        cover.remove();
    }
}

/// Whether the address requests `window.warpscope` without the page.
pub(crate) fn wants_api_alone() -> bool {
    window()
        .and_then(|window| window.location().search().ok())
        .is_some_and(|search| {
            search
                .trim_start_matches('?')
                .split('&')
                .any(|pair| pair == "api")
        })
}

/// How the page starts as a frame in another page; `www/embed.js` notes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmbedStart {
    /// The reader pressed Play.
    Play,
    /// The frame came into view.
    Show,
}

/// How the page starts as a frame in another page; `None`: it is the workbench.
pub(crate) fn embed_start() -> Option<EmbedStart> {
    let root = document()?.document_element()?;
    match root.get_attribute("data-embed")?.as_str() {
        "play" => Some(EmbedStart::Play),
        _ => Some(EmbedStart::Show),
    }
}

/// Whether the reader clicked into the frame, which then takes keys; `www/embed.js` notes it.
pub(crate) fn is_frame_active() -> bool {
    document()
        .and_then(|document| document.document_element())
        .is_some_and(|root| root.has_attribute("data-active"))
}

/// The page's address without its query and its link.
pub(crate) fn page_address() -> String {
    let page = address();
    page.split(['#', '?']).next().unwrap_or_default().to_owned()
}

/// The address of the workbench with a link, from a frame in another page: `embed.html` stands beside the workbench.
pub(crate) fn workbench_address(link: &str) -> String {
    let page = page_address();
    let folder = &page[..=page.rfind('/').unwrap_or_default()];
    format!("{folder}#{}", link.trim_start_matches('#'))
}

/// Whether the page is in a frame of a sandbox without an origin.
pub(crate) fn is_sandboxed() -> bool {
    origin().as_deref() == Some("null")
}

/// The origin of the page; `null` in a sandbox without one.
pub(crate) fn origin() -> Option<String> {
    Reflect::get(&js_sys::global(), &"origin".into())
        .ok()?
        .as_string()
}

/// Opens an address in a new tab, which cannot reach this page. Returns whether the browser did.
pub(crate) fn open_tab(address: &str) -> bool {
    let tab = window().and_then(|window| window.open_with_url_and_target(address, "_blank").ok().flatten());
    if let Some(tab) = &tab {
        // A tab of another site accepts this, too.
        let _ = tab.set_opener(&JsValue::NULL);
    }
    tab.is_some()
}

/// Puts a link into the address, as a new history entry or in place of the current entry. The entry holds the texts that
/// no link holds: it survives a reload, Back, and the restoration of a tab.
pub(crate) fn show_link(mut scenario: Scenario, new_entry: bool) {
    let Some(history) = window().and_then(|window| window.history().ok()) else {
        return;
    };
    let texts = take_long_texts(&mut scenario);
    let link = share::encode(&scenario);
    let link = link.trim_start_matches('#');
    let address = format!("#{link}");
    let state = if texts.is_empty() {
        JsValue::NULL
    } else {
        serde_json::to_string(&texts).unwrap_or_default().into()
    };
    // Browsers reject very frequent changes; the next update succeeds.
    let _ = if new_entry && fragment() != link {
        history.push_state_with_url(&state, "", Some(&address))
    } else {
        history.replace_state_with_url(&state, "", Some(&address))
    };
}

/// Puts the address of the page's start, which has no link, as a new history entry.
pub(crate) fn show_start() {
    let Some(window) = window().filter(|_| !fragment().is_empty()) else {
        return;
    };
    let location = window.location();
    let parts = (location.pathname(), location.search(), window.history());
    if let (Ok(path), Ok(search), Ok(history)) = parts {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&format!("{path}{search}")));
    }
}

/// The event that opens the address: its link, and the texts of its history entry.
pub(crate) fn open_event() -> Event {
    let state = window().and_then(|window| window.history().ok()?.state().ok()?.as_string());
    let texts: Option<Vec<Option<String>>> = state.and_then(|state| serde_json::from_str(&state).ok());
    match texts {
        Some(texts) => Event::Reopen(fragment(), texts),
        None => Event::Open(fragment()),
    }
}

/// The page's address with another link.
pub(crate) fn address_with(link: &str) -> String {
    let page = address();
    let page = page.split('#').next().unwrap_or_default();
    format!("{page}#{}", link.trim_start_matches('#'))
}

/// The whole address, for sharing.
pub(crate) fn address() -> String {
    window()
        .and_then(|window| window.location().href().ok())
        .unwrap_or_default()
}

/// The name of the page's release: the build writes it into `<html>`. `None` while the page is being worked on.
pub(crate) fn release() -> Option<String> {
    document()?.document_element()?.get_attribute("data-release")
}

/// Loads the page again, at its address.
pub(crate) fn reload() {
    if let Some(window) = window() {
        // The page may always load itself.
        let _ = window.location().reload();
    }
}

/// The address of a file of the page's own release: the next release may have another file of this name, and the
/// service worker keeps both. Other addresses stay as they are.
fn with_release(address: &str) -> String {
    match release() {
        Some(release) if !address.contains("://") => format!("{address}?release={release}"),
        _ => address.to_owned(),
    }
}

/// Size limit of a file that is part of the page. Assumption: the largest one, the glossary, has 284 KB and stays far below.
const OWN_FILE_BYTES: usize = 8 << 20;

/// Reads a text file of the page.
///
/// # Errors
/// Why not, with what to do.
pub(crate) async fn fetch_text(address: &str) -> Result<String, String> {
    let unread = |reason: &str| format!("{address} cannot be read: {reason}");
    let window = window().ok_or_else(|| unread("there is no window."))?;
    let response = JsFuture::from(window.fetch_with_str(&with_release(address))).await;
    let response = response.map_err(|_| unread("the server does not answer. Check the connection."))?;
    read_text(response.unchecked_into(), OWN_FILE_BYTES)
        .await
        .map_err(|reason| unread(&reason))
}

/// Reads a text file of at most `limit` bytes from another place than the page, after the reader allowed it. The request
/// names neither the reader nor the page: no cookies, no referrer, and no redirection to a third place.
///
/// # Errors
/// Why not, with what to do.
pub(crate) async fn fetch_foreign_text(address: &str, limit: usize) -> Result<String, String> {
    let unread = |reason: &str| format!("{address} cannot be read: {reason}");
    let window = window().ok_or_else(|| unread("there is no window."))?;
    let options = Object::new();
    for (name, value) in [
        ("credentials", "omit"),
        ("referrerPolicy", "no-referrer"),
        ("redirect", "error"),
        // An author who changes a lesson sees the change.
        ("cache", "no-cache"),
    ] {
        // Plain objects accept any property.
        let _ = Reflect::set(&options, &name.into(), &value.into());
    }
    let response = match invoke(&window, "fetch", &Array::of2(&address.into(), &options)) {
        Ok(promise) => JsFuture::from(promise.unchecked_into::<Promise>()).await,
        Err(error) => Err(error),
    };
    let response = response.map_err(|_| {
        unread("the server does not answer, redirects, or does not allow other sites to read the file.")
    })?;
    read_text(response.unchecked_into(), limit)
        .await
        .map_err(|reason| unread(&reason))
}

/// Calls a method of a JavaScript object.
fn invoke(object: &JsValue, name: &str, arguments: &Array) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(object, &name.into())?.dyn_into()?;
    method.apply(object, arguments)
}

/// The text of a response. Stops reading at the limit.
async fn read_text(response: Response, limit: usize) -> Result<String, String> {
    if !response.ok() {
        return Err(format!("the server answers {}.", response.status()));
    }
    let body = Reflect::get(&response, &"body".into()).unwrap_or_default();
    if !body.is_object() {
        return Ok(String::new());
    }
    let closed = |_| "the connection was closed. Try again.".to_owned();
    let reader = invoke(&body, "getReader", &Array::new()).map_err(closed)?;
    let mut bytes = Vec::new();
    loop {
        let part = invoke(&reader, "read", &Array::new()).map_err(closed)?;
        let part = JsFuture::from(part.unchecked_into::<Promise>())
            .await
            .map_err(closed)?;
        let of_part = |name: &str| Reflect::get(&part, &name.into()).unwrap_or_default();
        if of_part("done").is_truthy() {
            break;
        }
        let part: Uint8Array = of_part("value").unchecked_into();
        if bytes.len() + part.length() as usize > limit {
            // The rest is not read.
            let _ = invoke(&reader, "cancel", &Array::new());
            return Err(format!("it is larger than {} KB.", limit / 1024));
        }
        bytes.extend(part.to_vec());
    }
    // As `Response.text` does.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    String::from_utf8(bytes.to_vec()).map_err(|_| "it is not text in UTF-8.".to_owned())
}

/// Copies text to the clipboard.
///
/// # Errors
/// That the browser has none, or denies it.
pub(crate) async fn copy(text: &str) -> Result<(), String> {
    let refused = || "The browser denies access to the clipboard. Copy the selected text.".to_owned();
    let clipboard = window().ok_or_else(refused)?.navigator().clipboard();
    if clipboard.is_undefined() {
        return Err(refused());
    }
    JsFuture::from(clipboard.write_text(text))
        .await
        .map(|_| ())
        .map_err(|_| refused())
}

/// Applies a theme.
pub(crate) fn show_theme(theme: Theme) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        // Setting an attribute of a fixed name cannot fail.
        let _ = match theme.id() {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        };
    }
}

/// Gives the browser's own bars a color: the theme may be another one than the system's.
pub(crate) fn show_bar_color(color: &str) {
    let bars = document().and_then(|document| document.query_selector_all("meta[name=theme-color]").ok());
    let bars = bars
        .iter()
        .flat_map(|list| (0..list.length()).filter_map(move |idx| list.get(idx)));
    for bar in bars.filter_map(|bar| bar.dyn_into::<Element>().ok()) {
        // Setting an attribute of a fixed name cannot fail.
        let _ = bar.set_attribute("content", color);
    }
}

/// Applies a display density: normal or projector size.
pub(crate) fn show_density(density: Density) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        // Setting an attribute of a fixed name cannot fail.
        let _ = match density {
            Density::Normal => root.remove_attribute("data-density"),
            Density::Projector => root.set_attribute("data-density", "projector"),
        };
    }
}

/// The drawing context of a canvas.
pub(crate) fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// Saves the contents of a blob as a file.
pub(crate) fn save_blob(name: &str, blob: &Blob) {
    if let Ok(url) = Url::create_object_url_with_blob(blob) {
        save_url(name, &url);
        // The download keeps its own reference to the blob.
        let _ = Url::revoke_object_url(&url);
    }
}

/// Yields to the browser, which then handles pending events.
pub(crate) async fn turn() -> Result<(), JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        let asked = window().map(|window| window.set_timeout_with_callback(&resolve));
        if !matches!(asked, Some(Ok(_))) {
            // The promise resolves once.
            let _ = reject.call0(&JsValue::NULL);
        }
    });
    JsFuture::from(promise).await.map(|_| ())
}

fn save_url(name: &str, url: &str) {
    let anchor = document().and_then(|document| document.create_element("a").ok());
    if let Some(anchor) = anchor.and_then(|anchor| anchor.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(url);
        anchor.set_download(name);
        anchor.click();
    }
}

/// A length with one decimal, in CSS syntax, formatted from whole numbers. All lengths share this code, which keeps
/// the formatting of floating-point numbers out of the page's first part.
#[inline(always)]
pub(crate) fn tenths(length: f32) -> String {
    let tenths = (length * 10.0).round() as u32;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Marks the document as complete, for tests and benchmarks.
pub(crate) fn note_complete() {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        // Setting an attribute of a fixed name cannot fail.
        let _ = root.set_attribute("data-complete", "");
    }
}

/// Device pixels per CSS pixel.
pub(crate) fn pixel_ratio() -> f64 {
    window()
        .map_or(1.0, |window| window.device_pixel_ratio())
        .max(1.0)
}

/// Adds a mark to the browser's performance timeline, for benchmarks and developer tools.
pub(crate) fn mark(name: &str) {
    if let Some(clock) = window().and_then(|window| window.performance()) {
        // The page does not depend on the mark.
        let _ = clock.mark(name);
    }
}

/// Adds a mark with named numbers to the browser's performance timeline.
pub(crate) fn mark_with(name: &str, numbers: &[(&str, f64)]) {
    let Some(clock) = window().and_then(|window| window.performance()) else {
        return;
    };
    let detail = Object::new();
    for (name, number) in numbers {
        // Plain objects accept any property.
        let _ = Reflect::set(&detail, &(*name).into(), &(*number).into());
    }
    let options = Object::new();
    let _ = Reflect::set(&options, &"detail".into(), &detail);
    let mark = Reflect::get(&clock, &"mark".into()).ok();
    // The page does not depend on the mark.
    let _ = mark
        .and_then(|mark| mark.dyn_into::<Function>().ok())
        .map(|mark| mark.call2(&clock, &name.into(), &options));
}

thread_local! {
    /// The performance clock of the page or of a worker, which has no window.
    static CLOCK: Option<Performance> =
        Reflect::get(&js_sys::global(), &"performance".into()).ok().and_then(|clock| clock.dyn_into().ok());
}

/// Milliseconds of a monotonic clock.
pub(crate) fn now_ms() -> f64 {
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, Performance::now))
}

/// The number of hardware threads.
pub(crate) fn cores() -> usize {
    window().map_or(1, |window| {
        window.navigator().hardware_concurrency().max(1.0) as usize
    })
}

/// Whether the target of a key press is a field with keys of its own: a text, a menu, or a choice.
pub(crate) fn is_text_field(target: Option<web_sys::EventTarget>) -> bool {
    let Some(element) = target.and_then(|target| target.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => element.get_attribute("type").as_deref() != Some("range"),
        _ => false,
    }
}

/// Whether the target of a key press is a field in which a space is a letter.
pub(crate) fn takes_text(target: Option<web_sys::EventTarget>) -> bool {
    let Some(element) = target.and_then(|target| target.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(
            element.get_attribute("type").as_deref(),
            Some("range" | "checkbox" | "radio" | "button" | "submit" | "file")
        ),
        _ => false,
    }
}

/// Whether the focused element is a slider.
pub(crate) fn is_slider(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| element.get_attribute("type").as_deref() == Some("range"))
}

/// Scrolls rows of tabs so that the selected tab is visible, in the middle if possible.
pub(crate) fn show_chosen_tabs() {
    let Some(tabs) =
        document().and_then(|document| document.query_selector_all(".tab[aria-selected=true]").ok())
    else {
        return;
    };
    for idx in 0..tabs.length() {
        let tab = tabs.get(idx).and_then(|tab| tab.dyn_into::<HtmlElement>().ok());
        let Some((tab, row)) = tab.and_then(|tab| Some((tab.clone(), tab.parent_element()?))) else {
            continue;
        };
        let (tab, row) = (
            tab.get_bounding_client_rect(),
            (row.get_bounding_client_rect(), row),
        );
        let off = (tab.left() + tab.right() - row.0.left() - row.0.right()) / 2.0;
        row.1.set_scroll_left(row.1.scroll_left() + off as i32);
    }
}

/// Scrolls one row of tabs so that its selected tab is completely visible.
pub(crate) fn show_chosen_tab(row: &Element) {
    let Ok(Some(tab)) = row.query_selector("[aria-selected=true]") else {
        return;
    };
    let (seen, tab) = (row.get_bounding_client_rect(), tab.get_bounding_client_rect());
    if tab.left() < seen.left() || tab.right() > seen.right() {
        let off = (tab.left() + tab.right() - seen.left() - seen.right()) / 2.0;
        row.set_scroll_left(row.scroll_left() + off as i32);
    }
}

/// Scrolls a row sideways on a vertical wheel, as far as the row scrolls.
pub(crate) fn scroll_along(event: WheelEvent) {
    // The root component listens: the row is the closest one to the pointer.
    let pointed = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let row = pointed.and_then(|pointed| pointed.closest("[role=tablist]").ok().flatten());
    let Some(row) = row.filter(|_| event.delta_x() == 0.0 && !event.ctrl_key()) else {
        return;
    };
    let px = match event.delta_mode() {
        WheelEvent::DOM_DELTA_PIXEL => event.delta_y(),
        _ => event.delta_y() * WHEEL_LINE_PX,
    };
    let before = row.scroll_left();
    row.set_scroll_left(before + px as i32);
    if row.scroll_left() != before {
        event.prevent_default();
    }
}

/// Shows a part of the page and focuses its first control.
pub(crate) fn focus_part(part: &str) {
    let Some(part) = find(&format!("[data-part={part}]")) else {
        return;
    };
    if part.tag_name() == "DETAILS" {
        // Setting an attribute of a fixed name cannot fail.
        let _ = part.set_attribute("open", "");
    }
    part.scroll_into_view();
    let control = part
        .query_selector("button[tabindex='0'], select, input, textarea, button")
        .ok()
        .flatten();
    if let Some(control) = control.and_then(|control| control.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot take the focus leaves it unchanged.
        let _ = control.focus();
    }
}

/// Focuses a tab of the tab list in which a key was pressed.
pub(crate) fn focus_tab(event: &web_sys::KeyboardEvent, idx: usize) {
    focus_among(event, "[role=tab]", idx);
}

/// Focuses one of the elements that match `selector` in the list in which a key was pressed.
pub(crate) fn focus_among(event: &web_sys::KeyboardEvent, selector: &str, idx: usize) {
    let list = held::element_at(event, "[role=tablist], [role=radiogroup]");
    let tabs = list.and_then(|list| list.query_selector_all(selector).ok());
    let tab = tabs.and_then(|tabs| tabs.item(idx as u32)?.dyn_into::<HtmlElement>().ok());
    if let Some(tab) = tab {
        // A missing tab leaves the focus unchanged.
        let _ = tab.focus();
    }
}

/// The focused element.
pub(crate) fn focused() -> Option<HtmlElement> {
    document()?.active_element()?.dyn_into::<HtmlElement>().ok()
}

/// Focuses an element, if it still exists.
pub(crate) fn focus(element: Option<HtmlElement>) {
    if let Some(element) = element.filter(|element| element.is_connected()) {
        // An element that cannot take the focus leaves it unchanged.
        let _ = element.focus();
    }
}

/// Width of the page in CSS pixels.
pub(crate) fn page_width() -> f64 {
    window()
        .and_then(|window| window.inner_width().ok()?.as_f64())
        .unwrap_or(1440.0)
}

/// The date in milliseconds since 1970.
pub(crate) fn date_ms() -> f64 {
    js_sys::Date::now()
}

/// Focuses the field of a lesson's question. On a touch screen, the keyboard would cover the question.
pub(crate) fn focus_question() {
    if matches("(pointer: coarse)") || has_open_dialog() {
        return;
    }
    let field = ".lesson .answer input, .lesson [data-testid=lesson-check]";
    focus(find(field).and_then(|field| field.dyn_into().ok()));
}

/// Focuses the way on from the end of a lesson: the button that had the focus is gone.
pub(crate) fn focus_lesson_end() {
    let on = find(".lesson-foot .solid").or_else(|| find("[data-testid=lesson-list]"));
    focus(on.and_then(|on| on.dyn_into().ok()));
}

/// Scrolls the last grade of a lesson's question into view. If the field that had the focus is gone, Next gets it.
pub(crate) fn show_grade(is_answered: bool) {
    let Some(document) = document() else { return };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    if let Ok(grades) = document.query_selector_all(".lesson .grade")
        && let Some(last) = grades.item(grades.length().wrapping_sub(1))
        && let Ok(last) = last.dyn_into::<Element>()
    {
        last.scroll_into_view_with_scroll_into_view_options(&options);
    }
    let is_lost = document
        .active_element()
        .is_none_or(|element| element.tag_name() == "BODY");
    if is_answered && is_lost {
        let next = find("[data-testid=lesson-next]");
        focus(next.and_then(|next| next.dyn_into().ok()));
    }
}

/// Whether a media query holds.
fn matches(query: &str) -> bool {
    let list = window().and_then(|window| window.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}

/// Whether the system's theme is dark.
pub(crate) fn is_system_dark() -> bool {
    matches("(prefers-color-scheme: dark)")
}

/// Whether the reader prefers pages that do not move.
pub(crate) fn reduces_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// Whether an element is in an element that a selector names.
pub(crate) fn is_in(target: Option<web_sys::EventTarget>, selector: &str) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    element.is_some_and(|element| matches!(element.closest(selector), Ok(Some(_))))
}

/// Whether a dialog is open, which then handles the keys, wherever the focus is.
pub(crate) fn has_open_dialog() -> bool {
    find("dialog[open]").is_some()
}

/// Whether the space bar activates an element.
pub(crate) fn is_control(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| {
        matches!(
            element.tag_name().as_str(),
            "BUTTON" | "A" | "INPUT" | "SELECT" | "SUMMARY"
        )
    })
}

/// Enters or leaves full screen for the workbench.
pub(crate) fn show_full_screen(on: bool) {
    if is_full_screen() != on {
        toggle_full_screen();
    }
}

/// Whether the page is on the full screen.
pub(crate) fn is_full_screen() -> bool {
    document().is_some_and(|document| document.fullscreen_element().is_some())
}

/// Whether this window presents, as far as the keyboard knows.
pub(crate) fn is_presenting() -> bool {
    find("#page .bench[data-present]").is_some()
}

/// Opens the notes window with a link. Returns whether the browser allowed it.
pub(crate) fn open_notes(link: &str) -> bool {
    let features = "popup,width=1100,height=760";
    window()
        .and_then(|window| {
            window
                .open_with_url_and_target_and_features(&address_with(link), "warpscope-notes", features)
                .ok()
                .flatten()
        })
        .is_some()
}

/// Focuses the text of the shown note, and selects it.
pub(crate) fn focus_note() {
    let field = find("[data-testid=note-text]");
    if let Some(field) = field.and_then(|field| field.dyn_into::<web_sys::HtmlInputElement>().ok()) {
        // An element that cannot take the focus leaves it unchanged.
        let _ = field.focus();
        field.select();
    }
}

/// Prints the page.
pub(crate) fn print() {
    if let Some(window) = window() {
        // A browser may refuse to print; then nothing changes.
        let _ = window.print();
    }
}

/// The time of day, in the reader's own format.
pub(crate) fn time_of_day() -> String {
    String::from(js_sys::Date::new_0().to_locale_time_string("default"))
}

/// The page's address with a link, without its protocol.
pub(crate) fn short_address(link: &str) -> String {
    let address = address_with(link);
    address
        .split_once("://")
        .map_or(address.clone(), |(_, rest)| rest.to_owned())
}

/// The text of a file.
pub(crate) async fn text_of(file: &web_sys::File) -> Result<String, String> {
    let text = JsFuture::from(file.text()).await;
    text.ok()
        .and_then(|text| text.as_string())
        .ok_or_else(|| "The browser cannot read the file.".to_owned())
}

/// Toggles full screen for the workbench. The styles then show the picture, its headline, and the transport.
pub(crate) fn toggle_full_screen() {
    let Some(document) = document() else { return };
    if document.fullscreen_element().is_some() {
        attempt(document.as_ref(), "exitFullscreen");
    } else if let Some(bench) = find("#page .bench") {
        attempt(bench.as_ref(), "requestFullscreen");
    }
}

/// Calls a method that a browser may refuse, for example full screen without a click before: then nothing changes. A
/// refusal is an error or a rejected promise; neither reaches the console.
fn attempt(object: &JsValue, method: &str) {
    let Ok(method) = Reflect::get(object, &method.into()).and_then(JsCast::dyn_into::<Function>) else {
        return;
    };
    let Ok(promise) = method.call0(object).and_then(JsCast::dyn_into::<Promise>) else {
        return;
    };
    wasm_bindgen_futures::spawn_local(async move {
        let _ = JsFuture::from(promise).await;
    });
}

/// Left, top, right, and bottom of an event's element, in CSS pixels of the window.
pub(crate) fn bounds(target: Option<web_sys::EventTarget>) -> [f64; 4] {
    let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    element.map_or([0.0; 4], |element| {
        let place = element.get_bounding_client_rect();
        [place.left(), place.top(), place.right(), place.bottom()]
    })
}

/// Left, top, right, and bottom of the first element that a selector matches, in CSS pixels of the window.
pub(crate) fn bounds_of(selector: &str) -> [f64; 4] {
    bounds(find(selector).map(Into::into))
}
