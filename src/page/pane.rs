//! One pane of the stage: its picture, the inputs of that picture, and its size.

use std::rc::Rc;

use web_sys::Element;
use yew::{Callback, NodeRef};

use super::canvas::{Shown, paint_ahead};
use super::observer::SizeObserver;
use super::palette::Palette;
use workbench::app::{Pane, PictureKey, RunKey, Session, SideHead};
use workbench::scene::{Chart, Scene, Size};
use workbench::share::View;

/// The least size of a picture that should fit is 79 %, at which the smallest numbers have 8 px; a higher picture
/// scrolls.
const MAX_SHRUNK: f32 = 0.21;
const SHRINK_STEP: f32 = 0.07;

/// The canvas shrinks only if the new picture is lower by more than this share of its height.
const KEPT: f32 = 0.8;

/// The view and the run of each pane whose picture is fitted.
pub(crate) type Fitted = Vec<Option<(View, u64)>>;

/// Draws the pictures again, all smaller by one factor until their full heights fit, but not below the smallest legible
/// size. Other views or runs begin at the full size. Without `fitted`, the pictures have their full size.
pub(crate) fn redraw_panes(
    panes: &mut [PaneState],
    session: &Session,
    palette: &Rc<Palette>,
    fitted: Option<&mut Fitted>,
) {
    let shrink = |panes: &mut [PaneState], shrunk: f32| {
        for (pane, state) in Pane::ALL.into_iter().zip(panes) {
            state.shrunk = shrunk;
            state.redraw(session, pane, palette);
        }
    };
    let Some(fitted) = fitted else {
        return shrink(panes, 0.0);
    };
    let of: Fitted = Pane::ALL
        .into_iter()
        .take(panes.len())
        .map(|pane| {
            let view = session.view_in(pane)?;
            let side = if session.is_side_by_side() {
                pane.idx()
            } else {
                session.active_side()
            };
            Some((view, session.shown_side(side).side.derived.run_number()))
        })
        .collect();
    // A pane with a new size begins at the full size, and the others with it.
    let mut shrunk = panes.iter().map(|pane| pane.shrunk).fold(MAX_SHRUNK, f32::min);
    if *fitted != of {
        (shrunk, *fitted) = (0.0, of);
    }
    shrink(panes, shrunk);
    while shrunk < MAX_SHRUNK && panes.iter().any(|pane| pane.is_too_high(session)) {
        shrunk += SHRINK_STEP;
        shrink(panes, shrunk);
    }
}

/// The state of one pane.
#[derive(Default)]
pub(crate) struct PaneState {
    /// Size available to the picture, in CSS pixels.
    pub size: Size,
    pub scene: Option<Rc<Scene>>,
    /// The charts below the picture.
    pub charts: Vec<Rc<Chart>>,
    /// The view and the run of the charts.
    charts_of: Option<(View, RunKey, u64)>,
    /// By how much the picture is smaller than normal, so that its full height fits: 0 to [`MAX_SHRUNK`].
    shrunk: f32,
    /// The sentence above the picture.
    pub sentence: String,
    /// The sentence in place of a missing picture.
    pub empty: String,
    /// Whether the picture shows a program that differs from the current source text.
    pub stale: bool,
    /// The heading of a pane in a comparison.
    pub head: SideHead,
    /// The inputs from which the picture was made.
    key: Option<PictureKey>,
    /// The view, the pane, the run, and the available size of the picture.
    of: Option<(View, usize, u64, Size)>,
    pub canvas: NodeRef,
    /// The annotations painted over the picture.
    pub shown: Shown,
    pub frame: NodeRef,
    observed: Option<(Element, Option<SizeObserver>)>,
}

impl PaneState {
    /// Width available to a picture, in the picture's own pixels.
    pub(crate) fn width(&self, session: &Session) -> f32 {
        let size = inner(self.size, self.factor(session));
        if size.width > 0.0 { size.width } else { 832.0 }
    }

    /// CSS pixels per pixel of the picture.
    pub(crate) fn factor(&self, session: &Session) -> f32 {
        session.enlargement() * (1.0 - self.shrunk)
    }

    fn is_too_high(&self, session: &Session) -> bool {
        let height = |scene: &Rc<Scene>| scene.size.height * self.factor(session);
        self.scene
            .as_ref()
            .is_some_and(|scene| height(scene) > self.size.height + 1.0)
    }

    /// Takes a new size of the container.
    pub(crate) fn resize(&mut self, size: Size) {
        (self.size, self.shrunk) = (size, 0.0);
    }

    /// Draws the picture again if any of its inputs changed.
    pub(crate) fn redraw(&mut self, session: &Session, pane: Pane, palette: &Rc<Palette>) {
        let factor = self.factor(session);
        let size = inner(self.size, factor);
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
            let of = (view, side, shown.side.derived.run_number(), size);
            let former = self.scene.take().filter(|_| self.of == Some(of));
            let scene = shown.picture(view, size);
            self.scene = scene.map(|scene| Rc::new(as_high_as(scene, former.as_deref())));
            (self.key, self.of) = (Some(key), Some(of));
        }
        if let Some(scene) = &self.scene {
            paint_ahead(&self.shown, scene, palette, factor);
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

    /// Observes the size of the picture's container while that container exists.
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

/// Keeps the height of the previous picture unless the new picture is clearly lower, so that rows that appear
/// and disappear from cycle to cycle do not move the page.
fn as_high_as(mut scene: Scene, former: Option<&Scene>) -> Scene {
    let high = former.map_or(0.0, |former| former.size.height);
    let low = scene.size.height;
    if low < high && low > KEPT * high {
        scene.size.height = high;
    }
    scene
}

/// A size in the pixels of a picture that is enlarged.
pub(crate) fn inner(size: Size, factor: f32) -> Size {
    Size {
        width: (size.width / factor).floor(),
        height: (size.height / factor).floor(),
    }
}
