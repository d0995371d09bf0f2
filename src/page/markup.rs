//! Pictures in SVG as elements of the page.
//!
//! The page's policy lets no text become markup (`require-trusted-types-for`), since the text can be a stranger's: the
//! glossary comes from a file, and names in a scene come from a link. This module reads the small part of SVG that
//! Warpscope's own pictures have, and drops everything else.

use yew::virtual_dom::{VNode, VTag};
use yew::{AttrValue, Html};

/// The elements of pictures.
const ELEMENTS: [&str; 9] = [
    "g", "line", "path", "polygon", "polyline", "rect", "svg", "text", "title",
];
/// The attributes of their elements. None of them loads or runs anything.
const ATTRIBUTES: [&str; 26] = [
    "aria-hidden",
    "d",
    "dominant-baseline",
    "fill",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "opacity",
    "points",
    "rx",
    "shape-rendering",
    "stroke",
    "stroke-dasharray",
    "stroke-width",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];
/// Elements in elements, at most: pictures have three levels. Deeper ones are left out.
const MAX_DEPTH: usize = 16;

/// A picture in SVG as elements. Elements and attributes that pictures do not have are left out.
pub(crate) fn picture(svg: &str) -> Html {
    let mut parents: Vec<VTag> = Vec::new();
    let mut done: Vec<VNode> = Vec::new();
    // Open elements that are too deep.
    let mut left_out = 0_usize;
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = rest[..start].trim();
        if let Some(parent) = parents.last_mut()
            && !text.is_empty()
        {
            parent.add_child(VNode::from(unescaped(text)));
        }
        rest = &rest[start + 1..];
        let Some(end) = rest.find('>') else {
            break;
        };
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if !tag.starts_with('/') {
            if parents.len() < MAX_DEPTH {
                parents.push(element(tag.trim_end_matches('/')));
            } else {
                left_out += 1;
            }
        }
        if tag.starts_with('/') || tag.ends_with('/') {
            if left_out > 0 {
                left_out -= 1;
            } else {
                close(&mut parents, &mut done);
            }
        }
    }
    while !parents.is_empty() {
        close(&mut parents, &mut done);
    }
    done.into_iter().collect()
}

/// Ends the innermost element.
fn close(parents: &mut Vec<VTag>, done: &mut Vec<VNode>) {
    let Some(tag) = parents.pop() else {
        return;
    };
    match parents.last_mut() {
        Some(parent) => parent.add_child(tag.into()),
        None => done.push(tag.into()),
    }
}

/// An element without its children, of the text between its angle brackets. An unknown element becomes a group.
fn element(tag: &str) -> VTag {
    let (name, mut rest) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
    let known = ELEMENTS.iter().find(|element| **element == name);
    let mut element = VTag::new(*known.unwrap_or(&"g"));
    while let Some((name, after)) = rest.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else {
            break;
        };
        rest = after;
        if let Some(name) = ATTRIBUTES.iter().find(|known| **known == name.trim()) {
            element.add_attribute(name, AttrValue::from(unescaped(value)));
        }
    }
    element
}

/// Text without the escapes of markup.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use yew::platform::Runtime;
    use yew::{LocalServerRenderer, Properties, component};

    use super::*;
    use workbench::app::{Event, Session, update};
    use workbench::scene::Size;
    use workbench::scene::paint::colors::Colors;
    use workbench::scene::paint::svg::svg;

    /// A picture's text reaches the page as the scene has it.
    #[test]
    fn escapes_of_pictures_become_letters() {
        let text = "a block's <b> & \"c\"";
        let scene = workbench::scene::Scene {
            headline: text.to_owned(),
            ..workbench::scene::Scene::default()
        };
        let drawing = svg(&scene, &Colors::of_tokens());
        let (_, rest) = drawing.split_once("<title>").unwrap();
        let (title, _) = rest.split_once("</title>").unwrap();
        assert_eq!(unescaped(title), text);
    }

    #[derive(PartialEq, Properties)]
    struct ShownProps {
        svg: String,
    }

    #[component]
    fn Shown(props: &ShownProps) -> Html {
        picture(&props.svg)
    }

    /// The markup of a picture's elements.
    fn shown(svg: &str) -> String {
        let (send, receive) = std::sync::mpsc::channel();
        let svg = svg.to_owned();
        Runtime::default().spawn_pinned(move || async move {
            let renderer = LocalServerRenderer::<Shown>::with_props(ShownProps { svg });
            let _ = send.send(renderer.hydratable(false).render().await);
        });
        receive.recv().expect("the rendering ends")
    }

    /// A picture without the space between its elements, and with the long form of empty elements.
    fn normal(svg: &str) -> String {
        let mut out = svg
            .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "")
            .replace(">\n", ">");
        for name in ELEMENTS {
            let mut from = 0;
            while let Some(start) = out[from..].find(&format!("<{name} ")).map(|at| at + from) {
                let end = start + out[start..].find('>').expect("a tag ends");
                if out[..end].ends_with('/') {
                    out.replace_range(end - 1..=end, &format!("></{name}>"));
                }
                from = end;
            }
        }
        out
    }

    #[test]
    fn pictures_of_the_glossary_are_kept_whole() {
        for id in [
            "warp",
            "bank",
            "bank-conflict",
            "sector",
            "divergence",
            "latency",
            "mio",
        ] {
            let svg = workbench::glossary::pictures::picture(id).expect(id);
            assert_eq!(shown(&svg), normal(&svg), "{id}");
        }
    }

    #[test]
    fn pictures_of_scenes_are_kept_whole() {
        let size = Size {
            width: 900.0,
            height: 460.0,
        };
        let mut session = Session::new();
        update(
            &mut session,
            Event::Open("#v1;kernel=transpose-tiled;cycle=900".to_owned()),
        );
        while session.work(10_000) {}
        for view in workbench::share::View::ALL {
            if let Some(scene) = session.shown().picture(view, size) {
                let svg = svg(&scene, &Colors::of_tokens());
                let (shown, expected) = (shown(&svg), normal(&svg));
                for (shown, expected) in shown.split('<').zip(expected.split('<')) {
                    let plain = |text: &str| {
                        unescaped(text.trim())
                            .replace("&#x27;", "'")
                            .replace("&#x2F;", "/")
                    };
                    assert_eq!(plain(shown), plain(expected), "{}", view.name());
                }
            }
        }
    }

    #[test]
    fn nothing_else_gets_into_the_page() {
        let hostile = "<svg onload=\"x()\"><script>x()</script><a href=\"javascript:x()\">a</a>\
                       <rect style=\"background:url(x)\" width=\"1\" onclick=\"x()\"/><image href=\"https://a.org/\"/></svg></svg><";
        let shown = shown(hostile);
        assert_eq!(
            shown,
            "<svg><g>x()</g><g>a</g><rect width=\"1\"></rect><g></g></svg>"
        );
        let deep = "<g>".repeat(100_000);
        assert_eq!(self::shown(&deep).matches("<g>").count(), MAX_DEPTH);
    }
}
