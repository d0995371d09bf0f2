//! The first view as markup, made without a browser: the components' own, with the pictures that the page paints
//! on canvases as SVG. `cargo xtask build` puts it into `index.html`.

use std::sync::mpsc;

use yew::LocalServerRenderer;
use yew::platform::Runtime;

use super::root::{Root, RootProps};
use workbench::app::{Event, Session, update};
use workbench::scene::paint::colors::Colors;
use workbench::scene::paint::svg::{Fonts, shapes};
use workbench::scene::{Scene, Size};

/// Cycles that are simulated at a time.
const SLICE_CYCLES: u64 = 10_000;

/// The windows for which pictures are made, and the sizes that the page's styles give its parts there. At other
/// sizes of the window the first one is shown, which has room in all, or the next smaller one.
/// `tests/e2e/tests/first_view.rs` measures the sizes.
pub const WINDOWS: [Window; 5] = [
    Window::new((390, 844), None, (390.0, 550.0), (358.0, 63.0)),
    // The set up is a strip up to 1180.
    Window::new((1024, 768), Some(1180), (716.0, 504.0), (992.0, 85.0)),
    Window::new((1280, 800), Some(1439), (672.0, 536.0), (1248.0, 85.0)),
    Window::new((1440, 900), Some(1919), (832.0, 636.0), (1408.0, 85.0)),
    Window::new((1920, 945), None, (1312.0, 681.0), (1888.0, 85.0)),
];

/// A browser's window, and what the page's parts measure there, in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Width and height.
    pub size: (u32, u32),
    /// The greatest width at which its pictures are shown.
    pub until: Option<u32>,
    /// The stage's picture.
    pub stage: Size,
    /// The strip of the whole run.
    pub strip: Size,
}

impl Window {
    const fn new(size: (u32, u32), until: Option<u32>, stage: (f32, f32), strip: (f32, f32)) -> Self {
        Self {
            size,
            until,
            stage: Size {
                width: stage.0,
                height: stage.1,
            },
            strip: Size {
                width: strip.0,
                height: strip.1,
            },
        }
    }

    /// The styles that show picture `idx` of [`WINDOWS`] in place of the first one.
    fn style(&self, idx: usize) -> String {
        if idx == 0 {
            return String::new();
        }
        let until = self
            .until
            .map_or_else(String::new, |until| format!(" and (max-width:{until}.98px)"));
        let from = self.size.0;
        format!(
            ".at-{idx}{{display:none}}@media (min-width:{from}px){until}{{.at-0{{display:none}}.at-{idx}{{display:block}}}}"
        )
    }
}

/// The page with the default scenario as it opens, with pictures for [`WINDOWS`]: a style element with all rules that the
/// elements need besides the page's own, and the elements, which have no style attributes.
///
/// # Panics
/// If the default scenario makes no picture.
pub fn first_view() -> String {
    let mut session = opened();
    let colors = Colors::of_tokens();
    let picture = |class: &str, scenes: &[&Scene], stretch: &str| {
        let Size { width, height } = scenes[0].size;
        let shapes = shapes(scenes, &colors, Fonts::Styles);
        format!(
            "<svg class=\"{class}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\"{stretch}>{shapes}</svg>"
        )
    };
    let (mut stages, mut strips, mut style) = (String::new(), String::new(), String::new());
    for (idx, window) in WINDOWS.iter().enumerate() {
        session.ui.widths[0] = window.stage.width;
        let class = format!("first at-{idx}");
        let stage = (session.shown())
            .picture(session.ui.view, window.stage)
            .expect("a picture");
        stages += &picture(&class, &[&stage], "");
        let run = session.strip_run(window.strip).expect("a run");
        let marks = session.strip_marks(window.strip).expect("marks of the run");
        strips += &picture(&class, &[&run, &marks], "");
        style += &window.style(idx);
    }
    let past = session.inspection().and_then(|seen| seen.past);
    let past = past.map_or_else(String::new, |(scene, _)| {
        picture("past", &[&scene], " preserveAspectRatio=\"none\"")
    });
    let markup = without_handles(&components());
    let markup = fill_canvases(&markup, &[("past", &past), ("slider", &strips), ("img", &stages)]);
    let markup = with_classes(&markup, &mut style);
    format!("<style>{style}</style>{markup}")
}

/// Markup with a class in the place of each style attribute, whose rules go to `style`: the page's policy allows no such
/// attributes.
fn with_classes(markup: &str, style: &mut String) -> String {
    let mut values: Vec<&str> = Vec::new();
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        out.push_str(text);
        let (tag, after) = tag.split_at(tag_end(tag));
        rest = after;
        let Some((before, value, behind)) = attribute(tag, "style") else {
            out.push_str(tag);
            continue;
        };
        let idx = values
            .iter()
            .position(|known| *known == value)
            .unwrap_or_else(|| {
                values.push(value);
                // Like the attribute, the rule is above all others.
                let rule = value
                    .split(';')
                    .filter(|one| !one.is_empty())
                    .map(|one| format!("{one}!important"))
                    .collect::<Vec<_>>()
                    .join(";");
                *style += &format!(".v{}{{{rule}}}", values.len() - 1);
                values.len() - 1
            });
        let tag = format!("{before}{behind}");
        match attribute(&tag, "class") {
            Some((before, classes, behind)) => out += &format!("{before} class=\"{classes} v{idx}\"{behind}"),
            None => out += &format!("{before} class=\"v{idx}\"{behind}"),
        }
    }
    out + rest
}

/// A tag before an attribute, the attribute's value, and the tag behind the attribute; `None`: the tag has no such
/// attribute.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, behind) = rest.split_once('"')?;
    Some((before, value, behind))
}

/// A session as the page opens with no link, its run simulated.
fn opened() -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(String::new()));
    while session.work(SLICE_CYCLES) {}
    session
}

/// The components' markup, as in the last of [`WINDOWS`].
fn components() -> String {
    let window = WINDOWS[WINDOWS.len() - 1];
    let (send, receive) = mpsc::channel();
    // Components stay on the thread that the runtime starts for them.
    Runtime::default().spawn_pinned(move || async move {
        let props = RootProps::of(opened(), Some((window.stage, window.strip)));
        let markup = LocalServerRenderer::<Root>::with_props(props)
            .hydratable(false)
            .render()
            .await;
        // The receiver waits for this alone.
        let _ = send.send(markup);
    });
    receive.recv().expect("the rendering ends")
}

/// Attributes by which scripts and assistive technologies find elements: the page has them, its first view, which is
/// inert, has not.
const HANDLES: [&str; 8] = [
    "data-testid",
    "id",
    "title",
    "aria-label",
    "aria-controls",
    "tabindex",
    "data-part",
    "aria-valuetext",
];

/// Markup without [`HANDLES`].
fn without_handles(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        out.push_str(text);
        let end = tag_end(tag);
        let mut attributes = &tag[..end];
        while let Some(space) = attributes.find(' ') {
            let (before, attribute) = attributes.split_at(space);
            out.push_str(before);
            let length = attribute_length(attribute);
            let name = attribute[1..length].split('=').next().unwrap_or_default();
            if !HANDLES.contains(&name) {
                out.push_str(&attribute[..length]);
            }
            attributes = &attribute[length..];
        }
        out.push_str(attributes);
        rest = &tag[end..];
    }
    out + rest
}

/// Bytes of a tag with its brackets.
fn tag_end(tag: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

/// Bytes of an attribute with the space before it.
fn attribute_length(attribute: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in attribute.bytes().enumerate().skip(1) {
        match byte {
            b'"' => quoted = !quoted,
            b' ' | b'>' | b'/' if !quoted => return at,
            _ => {}
        }
    }
    attribute.len()
}

/// Puts pictures in the place of canvases, which a word of their tags identifies.
fn fill_canvases(markup: &str, pictures: &[(&str, &str)]) -> String {
    let mut parts = markup.split("<canvas");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (tag, rest) = part.split_once("</canvas>").unwrap_or((part, ""));
        let picture = pictures.iter().find(|(word, _)| tag.contains(word));
        out.push_str(picture.map_or("", |(_, picture)| picture));
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_left_out_and_all_else_stays() {
        let markup =
            r#"<a id="x" class="b &gt; c" title="1 > 0">a < b</a><br/><i data-testid="q" hidden>2</i>"#;
        assert_eq!(
            without_handles(markup),
            r#"<a class="b &gt; c">a < b</a><br/><i hidden>2</i>"#
        );
    }

    #[test]
    fn a_style_attribute_becomes_a_class() {
        let mut style = String::new();
        let markup = r#"<a style="left:1px;top:2px" href="x">a</a><b class="c" style="left:1px;top:2px"><i style="top:3px;">"#;
        assert_eq!(
            with_classes(markup, &mut style),
            r#"<a class="v0" href="x">a</a><b class="c v0"><i class="v1">"#
        );
        assert_eq!(
            style,
            ".v0{left:1px!important;top:2px!important}.v1{top:3px!important}"
        );
    }

    #[test]
    fn the_first_view_has_a_picture_for_each_window_and_no_canvas() {
        let markup = first_view();
        assert_eq!(markup.matches("<svg class=\"first").count(), 2 * WINDOWS.len());
        assert_eq!(markup.matches("<canvas").count(), 0);
        assert!(markup.contains("<h1>"), "the sentence is there");
        assert!(!markup.contains("data-testid"));
        assert!(
            !markup.contains("style=\""),
            "the policy allows no style attributes"
        );
    }
}
