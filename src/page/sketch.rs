//! A small picture within text: a scene on a canvas of its own size.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::{Component, Context, Html, NodeRef, Properties, html};

use super::browser;
use super::paint;
use super::palette::Palette;
use super::styled::styled;
use workbench::scene::Scene;

/// The properties of a small picture.
#[derive(Clone, Properties)]
pub(crate) struct SketchProps {
    pub scene: Rc<Scene>,
    pub palette: Rc<Palette>,
}

impl PartialEq for SketchProps {
    fn eq(&self, other: &Self) -> bool {
        self.scene == other.scene && Rc::ptr_eq(&self.palette, &other.palette)
    }
}

/// The component of a small picture.
pub(crate) struct Sketch {
    canvas: NodeRef,
}

impl Component for Sketch {
    type Message = ();
    type Properties = SketchProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            canvas: NodeRef::default(),
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let size = ctx.props().scene.size;
        let style = format!("width:{}px;height:{}px", size.width, size.height);
        styled(
            style,
            html! { <canvas class="past" ref={self.canvas.clone()} aria-hidden="true"/> },
        )
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        let props = ctx.props();
        if let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>()
            && let Some(mut painter) =
                paint::begin(&canvas, props.scene.size, browser::pixel_ratio(), &props.palette)
        {
            painter.scene(&props.scene);
        }
    }
}
