//! A chart on a canvas, with its table, its downloads, and a readout.

mod draw;

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlCanvasElement};
use yew::{
    Callback, Component, Context, Html, KeyboardEvent, MouseEvent, NodeRef, PointerEvent, Properties, html,
};

use self::draw::{Ruler, draw};
use super::browser;
use super::observer::SizeObserver;
use super::palette::Palette;
use super::styled::styled;
use super::twin::table;
use workbench::app::Event;
use workbench::scene::chart::{Layout, estimate};
use workbench::scene::{Chart, Role, Sets, Size, TextSize};

/// The least and the greatest height of a chart in CSS pixels, and its height divided by its width between these.
const HEIGHTS: (f32, f32, f32) = (196.0, 340.0, 0.52);
/// Height of a chart's title and of the texts below it, in CSS pixels.
const TEXTS: f32 = 150.0;
/// Width and height of a saved chart in CSS pixels, and its device pixels per CSS pixel.
const FILE: (Size, f64) = (
    Size {
        width: 560.0,
        height: 360.0,
    },
    2.0,
);

/// The properties of a chart.
#[derive(Clone, Properties)]
pub(crate) struct ChartProps {
    pub chart: Rc<Chart>,
    pub palette: Rc<Palette>,
    pub dispatch: Callback<Event>,
    /// Whether the chart starts as a table instead of a picture.
    #[prop_or_default]
    pub as_table: bool,
    /// Height that is left for the chart with its texts, in CSS pixels.
    #[prop_or_default]
    pub room: f32,
}

impl PartialEq for ChartProps {
    fn eq(&self, other: &Self) -> bool {
        (Rc::ptr_eq(&self.chart, &other.chart) || self.chart == other.chart)
            && Rc::ptr_eq(&self.palette, &other.palette)
            && self.as_table == other.as_table
            && self.room == other.room
    }
}

/// Events of a chart.
pub(crate) enum Message {
    /// The chart has this width.
    Width(f32),
    /// The pointer is at this position of the canvas, or has left.
    Point(Option<f32>),
    /// Moves to the next or previous point.
    Beside(bool),
    /// Moves to the first or last point.
    End(bool),
    /// A click, or the Enter key.
    Set,
    /// Switches between table and picture.
    Table,
}

/// The chart component.
pub(crate) struct ChartView {
    canvas: NodeRef,
    frame: NodeRef,
    width: f32,
    /// The x value of the readout.
    place: Option<f64>,
    table: bool,
    observer: Option<SizeObserver>,
}

impl Component for ChartView {
    type Message = Message;
    type Properties = ChartProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            canvas: NodeRef::default(),
            frame: NodeRef::default(),
            width: 0.0,
            place: None,
            table: false,
            observer: None,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let chart = &ctx.props().chart;
        match message {
            Message::Width(width) if width != self.width => self.width = width,
            Message::Width(_) => return false,
            Message::Point(at) => {
                let layout = layout(chart, self.size(ctx), &ctx.props().palette);
                let place = at.and_then(|px| chart.place(layout.x_at(px)));
                if place == self.place {
                    return false;
                }
                self.place = place;
            }
            Message::Beside(forward) => self.place = chart.beside(self.place, forward),
            Message::End(last) => self.place = chart.place(if last { f64::MAX } else { f64::MIN }),
            Message::Set => {
                if let Some(x) = self.place.filter(|_| chart.sets != Sets::Nothing) {
                    ctx.props().dispatch.emit(Event::Plot(chart.sets, x));
                }
                return false;
            }
            Message::Table => self.table = !self.table,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let chart = &props.chart;
        let shows_table = self.table || props.as_table;
        html! {
            <figure class="plot" data-testid={format!("plot-{}", chart.id)}>
                <figcaption class="plot-head">
                    <h2>{ &chart.title }</h2>
                    { self.tools(ctx, shows_table) }
                </figcaption>
                <div class="plot-frame" ref={self.frame.clone()} hidden={shows_table}>{ self.picture(ctx) }</div>
                { if shows_table { table(&chart.table()) } else { self.reading(chart) } }
                <p class="label plot-source">{ &chart.source }</p>
            </figure>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let props = ctx.props();
        if first && let Some(frame) = self.frame.cast::<Element>() {
            let call = ctx.link().callback(|(width, _)| Message::Width(width));
            self.observer = SizeObserver::watch(&frame, call);
        }
        if let Some(canvas) = self
            .canvas
            .cast::<HtmlCanvasElement>()
            .filter(|_| self.width > 0.0)
        {
            let layout = layout(&props.chart, self.size(ctx), &props.palette);
            draw(
                &canvas,
                &props.chart,
                &layout,
                &props.palette,
                browser::pixel_ratio(),
                self.place,
            );
        }
    }
}

impl ChartView {
    /// Size of the picture, in CSS pixels: wide pages have high charts, and so have pages with room below.
    fn size(&self, ctx: &Context<Self>) -> Size {
        let (least, most, of_width) = HEIGHTS;
        let room = (ctx.props().room - TEXTS).min(self.width);
        Size {
            width: self.width,
            height: (self.width * of_width).max(room).round().clamp(least, most),
        }
    }

    fn tools(&self, ctx: &Context<Self>, shows_table: bool) -> Html {
        let props = ctx.props();
        let (chart, palette) = (Rc::clone(&props.chart), Rc::clone(&props.palette));
        let png = Callback::from(move |_: MouseEvent| save_picture(&chart, &palette));
        let chart = Rc::clone(&props.chart);
        let csv = Callback::from(move |_: MouseEvent| {
            super::export::save_text(&format!("warpscope-{}.csv", chart.id), &chart.csv());
        });
        let turn = ctx.link().callback(|_: MouseEvent| Message::Table);
        let tool = |name: &'static str, what: String, onclick: Callback<MouseEvent>| {
            let id = format!("plot-{}-{}", props.chart.id, name.to_lowercase());
            html! { <button class="btn plot-tool" title={what.clone()} aria-label={what} data-testid={id} {onclick}>{ name }</button> }
        };
        let of = |what: &str| format!("{what}: {}", props.chart.title);
        let other = if shows_table { "Picture" } else { "Table" };
        html! {
            <span class="plot-tools">
                { tool("PNG", of("Save as PNG"), png) }
                { tool("CSV", of("Save as CSV"), csv) }
                { (!props.as_table).then(|| tool(other, of(if shows_table { "Show the picture" } else { "Show as a table" }), turn)) }
            </span>
        }
    }

    fn picture(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let onpointermove =
            link.callback(|event: PointerEvent| Message::Point(Some(event.offset_x() as f32)));
        let onpointerleave = link.callback(|_: PointerEvent| Message::Point(None));
        let onclick = link.callback(|_: MouseEvent| Message::Set);
        let keys = link.clone();
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            let message = match event.key().as_str() {
                "ArrowRight" | "ArrowUp" => Message::Beside(true),
                "ArrowLeft" | "ArrowDown" => Message::Beside(false),
                "Home" => Message::End(false),
                "End" => Message::End(true),
                "Enter" => Message::Set,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            keys.send_message(message);
        });
        let chart = &ctx.props().chart;
        let size = self.size(ctx);
        let style = format!("width:{}px;height:{}px", size.width, size.height);
        let label = format!("{}. Arrow keys read its points.", chart.title);
        let id = format!("plot-{}-canvas", chart.id);
        let sets = (chart.sets != Sets::Nothing).to_string();
        let canvas = html! {
            <canvas ref={self.canvas.clone()} tabindex="0" role="img" aria-label={label} data-testid={id}
                data-sets={sets} {onpointermove} {onpointerleave} {onclick} {onkeydown}/>
        };
        styled(style, canvas)
    }

    /// The chart's readout at the pointer, or else at the current point.
    fn reading(&self, chart: &Chart) -> Html {
        let place = self.place.or(chart.marker.map(|marker| marker.0));
        let (first, others) = place.map(|x| chart.reading(x)).unwrap_or_default();
        html! {
            <p class="plot-reading" aria-live="polite" data-testid={format!("plot-{}-reading", chart.id)}>
                <b>{ first }</b>{ " " }<span class="dim">{ others }</span>
            </p>
        }
    }
}

fn layout(chart: &Chart, size: Size, palette: &Palette) -> Layout {
    let width = size.width.max(1.0);
    measured(chart, Size { width, ..size }, palette, false)
}

/// A layout with text widths measured by the browser.
fn measured(chart: &Chart, size: Size, palette: &Palette, captioned: bool) -> Layout {
    let px = palette.px(TextSize::Label);
    let ruler = Ruler::new();
    let measure = |text: &str, strong: bool| match &ruler {
        Some(ruler) => ruler.width(text, &palette.page_font(TextSize::Label, false, strong)),
        None => estimate(text, px, strong),
    };
    Layout::new(chart, size, px, captioned, &measure)
}

/// Saves a chart with its title and its source, larger than on the page and at twice its resolution.
fn save_picture(chart: &Chart, palette: &Palette) {
    let canvas = browser::document()
        .and_then(|document| document.create_element("canvas").ok())
        .and_then(|canvas| canvas.dyn_into::<HtmlCanvasElement>().ok());
    let Some(canvas) = canvas else { return };
    let layout = measured(chart, FILE.0, palette, true);
    draw(&canvas, chart, &layout, palette, FILE.1, None);
    let name = format!("warpscope-{}.png", chart.id);
    super::export::save_canvas(name, &canvas, palette.color(Role::Paper1));
}
