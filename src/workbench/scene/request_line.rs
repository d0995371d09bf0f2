//! The first line of a picture of one memory request: which request it is, and whether that is one of the playhead's
//! cycle. A click leads to the request's cycle.

use super::kit::Face;
use super::requests::{ordinal, shown_request};
use super::{Item, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::thousands;
use engine::trace::{AccessFamily, Frame};

/// Height of the line.
const LINE: f32 = 18.0;

/// What the line says, longest first, and the cycle to which it leads.
struct RequestLine {
    texts: [String; 3],
    elsewhere: Option<u64>,
}

/// Draws a picture of a request with the line above it.
pub(super) fn with_request_line(
    (frame, view): (&Frame, &ViewState),
    family: AccessFamily,
    size: Size,
    draw: impl FnOnce(Size) -> Scene,
) -> Scene {
    let Some(line) = request_line(frame, view, family) else {
        return draw(size);
    };
    let mut scene = draw(Size {
        height: size.height - LINE,
        ..size
    });
    for item in &mut scene.items {
        item.shape.move_by(0.0, LINE);
    }
    scene.size.height += LINE;
    scene.note.clone_from(&line.texts[0]);
    put(&mut scene, &line);
    scene
}

/// The line for the shown request; `None` without a request.
fn request_line(frame: &Frame, view: &ViewState, family: AccessFamily) -> Option<RequestLine> {
    let idx = shown_request(frame, view, family)?;
    let row = frame.record().access(idx)?;
    let place = ordinal(frame, idx)?;
    let (now, start) = (frame.cycle(), thousands(row.started.0));
    if row.started <= now && now <= row.done {
        let text = format!("Request {place}, in progress since cycle {start}");
        let short = format!("Request {place}, in progress");
        return Some(RequestLine {
            texts: [text, short.clone(), short],
            elsewhere: None,
        });
    }
    let playhead = thousands(now.0);
    Some(RequestLine {
        texts: [
            format!(
                "Request {place}, of cycle {start}. The playhead is at cycle {playhead}: go to cycle {start}"
            ),
            format!("Request of cycle {start} (playhead {playhead}): go there"),
            format!("Of cycle {start}, not {playhead}"),
        ],
        elsewhere: Some(row.started.0),
    })
}

/// Puts the line above the moved picture.
fn put(scene: &mut Scene, line: &RequestLine) {
    let margin = if scene.size.width < 520.0 { 12.0 } else { 20.0 };
    let room = scene.size.width - 2.0 * margin;
    let (role, target) = match line.elsewhere {
        Some(cycle) => (Role::Ink1, Some(Target::Cycle(cycle))),
        None => (Role::Ink3, None),
    };
    let face = Face::text(TextSize::Label, role);
    let fits = |text: &&String| face.width(text) <= room;
    let text = line.texts.iter().find(fits).unwrap_or(&line.texts[2]);
    let width = face.width(text);
    let mut item = |shape, role, texture, target| {
        scene.items.push(Item {
            shape,
            role,
            texture,
            target,
        });
    };
    item(
        Shape::Text {
            x: margin,
            y: LINE / 2.0 + 1.0,
            text: text.clone(),
            size: face.size,
            mono: face.mono,
            strong: face.strong,
            align: face.align,
        },
        role,
        Texture::Solid,
        None,
    );
    if target.is_some() {
        let (y, h) = (LINE - 2.0, 1.0);
        let w = width;
        item(
            Shape::Rect { x: margin, y, w, h },
            Role::Line2,
            Texture::Solid,
            None,
        );
        let (y, h) = (0.0, LINE);
        item(
            Shape::Rect { x: margin, y, w, h },
            Role::Paper1,
            Texture::Fade(0.0),
            target,
        );
    }
}
