//! One of the two halves of the stage: its picture, what that was made from, and its place.

use std::rc::Rc;

use web_sys::Element;
use yew::{Callback, NodeRef};

use super::canvas::{Shown, paint_ahead};
use super::observer::SizeObserver;
use super::palette::Palette;
use workbench::app::{Density, Pane, PictureKey, RunKey, Session, SideHead};
use workbench::scene::{Chart, Scene, Size};
use workbench::share::View;

/// How much larger pictures are drawn for a hall.
const PROJECTOR: f32 = 1.3;

/// Share of its height by which a picture is lower at least for its canvas to become so.
const KEPT: f32 = 0.8;

/// What a half of the stage shows.
#[derive(Default)]
pub(crate) struct PaneState {
    /// Of the place for the picture, in CSS pixels.
    pub size: Size,
    pub scene: Option<Rc<Scene>>,
    /// The plots under the picture.
    pub charts: Vec<Rc<Chart>>,
    /// The view and the run that they are of.
    charts_of: Option<(View, RunKey, u64)>,
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
    /// The view, the side, the run and the width that it is of.
    of: Option<(View, usize, u64, f32)>,
    pub canvas: NodeRef,
    /// What is painted on it.
    pub shown: Shown,
    pub frame: NodeRef,
    observed: Option<(Element, Option<SizeObserver>)>,
}

impl PaneState {
    /// Width of the picture that has room here, in CSS pixels.
    pub(crate) fn width(&self, density: Density) -> f32 {
        let size = inner(self.size, density);
        if size.width > 0.0 { size.width } else { 832.0 }
    }

    /// Makes the picture, if it is not the one that it would be.
    pub(crate) fn redraw(&mut self, session: &Session, pane: Pane, palette: &Rc<Palette>) {
        let size = inner(self.size, session.ui.density);
        let Some(view) = session.view_in(pane) else {
            (self.scene, self.key) = (None, None);
            return;
        };
        if size.width <= 0.0 {
            self.sentence = session.shown().sentence_in(view, None);
            self.empty = session.shown().empty_sentence_in(view);
            return;
        }
        let side = if session.is_side_by_side() {
            self.head = session.side_head(pane.idx());
            pane.idx()
        } else {
            session.active_side()
        };
        let shown = session.shown_side(side);
        let key = shown.picture_key(view, size);
        if self.key != Some(key) {
            let of = (view, side, shown.side.derived.run_number(), size.width);
            let former = self.scene.take().filter(|_| self.of == Some(of));
            let scene = shown.picture(view, size);
            self.scene = scene.map(|scene| Rc::new(as_high_as(scene, former.as_deref())));
            (self.key, self.of) = (Some(key), Some(of));
        }
        if let Some(scene) = &self.scene {
            paint_ahead(&self.shown, scene, palette, enlargement(session.ui.density));
        }
        let of = (view, shown.side.derived.run_key(), session.sweep_revision());
        if self.charts_of != Some(of) {
            self.charts = shown.charts(view).into_iter().map(Rc::new).collect();
            self.charts_of = Some(of);
        }
        self.sentence = shown.sentence_in(view, self.scene.as_deref());
        self.stale = shown.is_stale_in(view);
        self.empty = shown.empty_sentence_in(view);
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

/// A picture at least as high as the one before it was: rows that come and go from cycle to cycle do
/// not move the page. One that is a good part lower takes less room.
fn as_high_as(mut scene: Scene, former: Option<&Scene>) -> Scene {
    let high = former.map_or(0.0, |former| former.size.height);
    let low = scene.size.height;
    if low < high && low > KEPT * high {
        scene.size.height = high;
    }
    scene
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
