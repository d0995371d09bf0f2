//! One of the two halves of the stage: its picture, what that was made from, and its place.

use std::rc::Rc;

use web_sys::Element;
use yew::{Callback, NodeRef};

use super::observer::SizeObserver;
use crate::app::{Density, Pane, PictureKey, Session, SideHead};
use crate::scene::{Scene, Size};

/// How much larger pictures are drawn for a hall.
const PROJECTOR: f32 = 1.3;

/// What a half of the stage shows.
#[derive(Default)]
pub(crate) struct PaneState {
    /// Of the place for the picture, in CSS pixels.
    pub size: Size,
    pub scene: Option<Rc<Scene>>,
    /// What is said over the picture.
    pub sentence: String,
    /// What stands in its place while there is none.
    pub empty: String,
    /// Whether the picture is of a program that the text no longer is.
    pub stale: bool,
    /// What stands over a side of a comparison.
    pub head: SideHead,
    /// What the picture was made from.
    key: Option<PictureKey>,
    pub canvas: NodeRef,
    pub frame: NodeRef,
    observed: Option<(Element, Option<SizeObserver>)>,
}

impl PaneState {
    /// Makes the picture, if it is not the one that it would be.
    pub(crate) fn redraw(&mut self, session: &mut Session, pane: Pane) {
        let size = inner(self.size, session.layout.density);
        session.widths[pane.idx()] = if size.width > 0.0 { size.width } else { 832.0 };
        let Some(view) = session.view_in(pane) else {
            (self.scene, self.key) = (None, None);
            return;
        };
        if size.width <= 0.0 {
            self.sentence = session.sentence_in(view, None);
            self.empty = session.empty_sentence_in(view);
            return;
        }
        let side = if session.is_side_by_side() {
            self.head = session.side_head(pane.idx());
            pane.idx()
        } else {
            session.active_side()
        };
        session.with_side(side, |session| {
            let key = session.picture_key(view, size);
            if self.key != Some(key) {
                self.scene = session.picture(view, size).map(Rc::new);
                self.key = Some(key);
            }
            self.sentence = session.sentence_in(view, self.scene.as_deref());
            self.stale = session.is_stale_in(view);
            self.empty = session.empty_sentence_in(view);
        });
    }

    /// Watches the size of the place for the picture, as long as there is one.
    pub(crate) fn watch(&mut self, call: impl FnOnce() -> Callback<(f32, f32)>) {
        let frame = self.frame.cast::<Element>();
        if self.observed.as_ref().map(|(element, _)| element) == frame.as_ref() {
            return;
        }
        self.observed = frame.map(|element| {
            let observer = SizeObserver::watch(&element, call());
            (element, observer)
        });
    }
}

/// CSS pixels of the page for a pixel of the pictures.
pub(crate) fn enlargement(density: Density) -> f32 {
    match density {
        Density::Normal => 1.0,
        Density::Projector => PROJECTOR,
    }
}

fn inner(size: Size, density: Density) -> Size {
    let factor = enlargement(density);
    Size {
        width: (size.width / factor).floor(),
        height: (size.height / factor).floor(),
    }
}
