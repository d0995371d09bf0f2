//! Draws charts with plotters, in device pixels.

use js_sys::{Function, Reflect};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::browser;
use crate::browser::context;
use crate::palette::Palette;
use workbench::scene::chart::{Label, LabelKind, Layout};
use workbench::scene::{Align, Chart, Role, Series, SeriesKind, TextSize};

/// Measures the widths of texts.
pub(super) struct Ruler {
    context: CanvasRenderingContext2d,
}

impl Ruler {
    pub(super) fn new() -> Option<Self> {
        let canvas = browser::document()?.create_element("canvas").ok()?;
        let context = context(&canvas.dyn_into::<HtmlCanvasElement>().ok()?)?;
        Some(Self { context })
    }

    /// The width of a text in CSS pixels.
    pub(super) fn width(&self, text: &str, font: &str) -> f32 {
        self.context.set_font(font);
        let context: &JsValue = self.context.as_ref();
        let measure = Reflect::get(context, &"measureText".into()).ok();
        let measure = measure.and_then(|function| function.dyn_into::<Function>().ok());
        let metrics = measure.and_then(|function| function.call1(context, &text.into()).ok());
        let width = metrics.and_then(|metrics| Reflect::get(&metrics, &"width".into()).ok());
        width.and_then(|width| width.as_f64()).unwrap_or(0.0) as f32
    }
}

/// Draws a chart, as far as the canvas accepts it.
pub(super) fn draw(
    canvas: &HtmlCanvasElement,
    chart: &Chart,
    layout: &Layout,
    palette: &Palette,
    ratio: f64,
    place: Option<f64>,
) {
    let device = |px: f32| (f64::from(px) * ratio).round() as u32;
    // Setting the size clears the canvas.
    canvas.set_width(device(layout.size.width));
    canvas.set_height(device(layout.size.height));
    let (Some(context), Some(backend)) = (context(canvas), CanvasBackend::with_canvas_object(canvas.clone()))
    else {
        return;
    };
    let root = backend.into_drawing_area();
    let (left, top, right, bottom) = layout.plot;
    let corner = |px: f32| (f64::from(px) * ratio).round() as i32;
    let area = root.clone().shrink(
        (corner(left), corner(top)),
        (corner(right) - corner(left), corner(bottom) - corner(top)),
    );
    let range = |(least, greatest): (f64, f64)| least..greatest.max(least + 1.0);
    let Ok(plot) = ChartBuilder::on(&area).build_cartesian_2d(range(chart.x.range), range(chart.y.range))
    else {
        return;
    };
    let sheet = Sheet {
        root,
        plot,
        context,
        chart,
        layout,
        palette,
        ratio,
        ruler: Ruler::new(),
    };
    // A canvas that rejects strokes keeps its contents.
    let _ = sheet.paint(place);
}

type Area<'a> = DrawingArea<CanvasBackend, Shift>;
type Plot<'a> = ChartContext<'a, CanvasBackend, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Painted = Result<(), DrawingAreaErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

/// A chart during drawing.
struct Sheet<'a> {
    root: Area<'a>,
    plot: Plot<'a>,
    context: CanvasRenderingContext2d,
    chart: &'a Chart,
    layout: &'a Layout,
    palette: &'a Palette,
    ratio: f64,
    ruler: Option<Ruler>,
}

impl Sheet<'_> {
    fn paint(&self, place: Option<f64>) -> Painted {
        self.axes()?;
        for series in self.chart.series.iter().skip(1) {
            self.series(series, false)?;
        }
        if let Some(x) = place {
            self.cursor(x)?;
        }
        if let Some(series) = self.chart.series.first() {
            self.series(series, true)?;
        }
        for label in &self.layout.labels {
            self.label(label)?;
        }
        if let Some(at) = self.chart.marker {
            self.ring(at)?;
        }
        Ok(())
    }

    fn color(&self, role: Role) -> RGBColor {
        rgb(self.palette.color(role))
    }

    fn device(&self, px: f32) -> i32 {
        (f64::from(px) * self.ratio).round() as i32
    }

    /// A stroke in CSS pixels, at least one device pixel wide.
    fn stroke(&self, role: Role, px: f64) -> ShapeStyle {
        ShapeStyle {
            color: self.color(role).to_rgba(),
            filled: false,
            stroke_width: ((px * self.ratio).round() as u32).max(1),
        }
    }

    /// A horizontal or vertical line as a fill, which is sharp.
    fn rule(&self, from: (f32, f32), to: (f32, f32), role: Role) -> Painted {
        let thick = (self.ratio.round() as i32).max(1);
        let (x, y) = (self.device(from.0), self.device(from.1));
        let (right, bottom) = (self.device(to.0).max(x + thick), self.device(to.1).max(y + thick));
        let style = self.color(role).filled();
        self.root.draw(&Rectangle::new([(x, y), (right, bottom)], style))
    }

    fn axes(&self) -> Painted {
        let (left, top, right, bottom) = self.layout.plot;
        for tick in &self.layout.y_ticks {
            self.rule((left, tick.at), (right, tick.at), Role::Line1)?;
        }
        for tick in &self.layout.x_ticks {
            self.rule((tick.at, top), (tick.at, bottom), Role::Line1)?;
        }
        // The axis is dotted over the values that x cannot take.
        let mut reached = left;
        for stretch in &self.chart.illegal {
            let (from, to) = (self.layout.x(stretch.from), self.layout.x(stretch.to).min(right));
            self.rule((reached, bottom), (from, bottom), Role::Edge)?;
            let mut at = from + 2.0;
            while at < to {
                self.rule((at, bottom), (at + 1.5, bottom), Role::Edge)?;
                at += 4.0;
            }
            reached = to;
        }
        if reached < right {
            self.rule((reached, bottom), (right, bottom), Role::Edge)?;
        }
        for tick in &self.layout.x_ticks {
            self.rule((tick.at, bottom), (tick.at, bottom + 4.0), Role::Edge)?;
        }
        Ok(())
    }

    fn series(&self, series: &Series, main: bool) -> Painted {
        let (role, width) = match (series.kind, main) {
            (SeriesKind::FaintStep, _) => (Role::Ink3, 1.0),
            (_, true) => (Role::Ink1, 1.75),
            (_, false) => (Role::Ink2, 1.25),
        };
        let style = self.stroke(role, width);
        if series.kind == SeriesKind::Points {
            let radius = (2.0 * self.ratio).round() as i32;
            let dot = |point: &(f64, f64)| Circle::new(*point, radius, self.color(role).filled());
            for point in &series.points {
                self.plot.plotting_area().draw(&dot(point))?;
            }
            return Ok(());
        }
        let dashed = series.kind == SeriesKind::FaintStep || !main;
        self.context.save();
        if dashed {
            let dash = js_sys::Array::of2(&(3.0 * self.ratio).into(), &(3.0 * self.ratio).into());
            // A list of finite numbers is a valid dash.
            let _ = self.context.set_line_dash(&dash);
        }
        // Odd widths are sharp at half pixels.
        if style.stroke_width % 2 == 1 {
            let _ = self.context.translate(0.5, 0.5);
        }
        let path = PathElement::new(Layout::corners(series), style);
        let drawn = self.plot.plotting_area().draw(&path);
        self.context.restore();
        drawn
    }

    /// The readout's place: a vertical line, and a dot on each curve.
    fn cursor(&self, x: f64) -> Painted {
        let (_, top, _, bottom) = self.layout.plot;
        let at = self.layout.x(x);
        self.rule((at, top), (at, bottom), Role::Ink2)?;
        let radius = (2.5 * self.ratio).round() as i32;
        for series in &self.chart.series {
            if let Some(value) = series.value(x) {
                let dot = Circle::new((x, value), radius, self.color(Role::Ink1).filled());
                self.plot.plotting_area().draw(&dot)?;
            }
        }
        Ok(())
    }

    /// The ring around the current point.
    fn ring(&self, at: (f64, f64)) -> Painted {
        let radius = |px: f64| (px * self.ratio).round() as i32;
        let paper = Circle::new(at, radius(6.0), self.color(Role::Paper1).filled());
        self.plot.plotting_area().draw(&paper)?;
        let ring = Circle::new(at, radius(4.5), self.stroke(Role::Ink1, 2.0));
        self.plot.plotting_area().draw(&ring)
    }

    fn label(&self, label: &Label) -> Painted {
        let strong = matches!(label.kind, LabelKind::Main | LabelKind::Title);
        let role = match label.kind {
            LabelKind::Main | LabelKind::Title => Role::Ink1,
            LabelKind::Note => Role::Ink2,
            LabelKind::Name | LabelKind::Axis => Role::Ink3,
        };
        let across = match label.align {
            Align::Left => HPos::Left,
            Align::Center => HPos::Center,
            Align::Right => HPos::Right,
        };
        let px = f64::from(self.palette.px(TextSize::Label)) * self.ratio;
        let font = FontDesc::new(
            FontFamily::Name(self.palette.family(false)),
            px,
            if strong {
                FontStyle::Bold
            } else {
                FontStyle::Normal
            },
        );
        let color = self.color(role);
        if label.kind == LabelKind::Note {
            // A background, because other curves pass below the label.
            let font = self.palette.page_font(TextSize::Label, false, false);
            let measure =
                |text: &str, _: bool| self.ruler.as_ref().map_or(0.0, |ruler| ruler.width(text, &font));
            let (left, top, right, bottom) = label.area(self.palette.px(TextSize::Label), &measure);
            let corners = [(left - 2.0, top), (right + 2.0, bottom)];
            let corners = corners.map(|(x, y)| (self.device(x), self.device(y)));
            self.root
                .draw(&Rectangle::new(corners, self.color(Role::Paper1).filled()))?;
        }
        let style = TextStyle::from(font)
            .color(&color)
            .pos(Pos::new(across, VPos::Center));
        self.root
            .draw_text(&label.text, &style, (self.device(label.x), self.device(label.y)))
    }
}

/// A color in the tokens' notation; gray for any other notation.
fn rgb(text: &str) -> RGBColor {
    let digits = text.trim().trim_start_matches('#');
    let channel = |at: usize| {
        let pair = digits
            .get(at..at + 2)
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        pair.unwrap_or(0x80)
    };
    RGBColor(channel(0), channel(2), channel(4))
}
