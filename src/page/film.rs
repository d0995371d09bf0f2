//! Makes a film: each frame is a task of its own, so that the page stays usable.
//!
//! A frame is painted on a canvas that is not on the page. A GIF takes the canvas's pixels; `WebM` is what the browser's
//! `MediaRecorder` records of the canvas while the film plays.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BlobEvent, CanvasRenderingContext2d, HtmlCanvasElement, MediaRecorder, MediaRecorderOptions};

use super::browser;
use super::export::save_parts;
use super::paint;
use super::palette::Palette;
use workbench::app::Session;
use workbench::app::film::{FilmFormat, FilmFrame, FilmPlan, WEBM_BITS};
use workbench::gif_film::GifFilm;
use workbench::scene::{Align, Item, Role, Shape, Size, TextSize, Texture};

/// Pixels around the picture: above it the headline, below it the cycle.
const SIDE_PX: f32 = 16.0;
const TOP_PX: f32 = 40.0;
const FOOT_PX: f32 = 36.0;
/// A picture that is too high is made smaller, down to this factor; what is still too high is cut off.
const MIN_SCALE: f32 = 0.65;
const SCALE_STEP: f32 = 0.07;
/// The media type of `WebM`.
const WEBM: &str = "video/webm";

/// Whether the browser records `WebM`.
pub(crate) fn can_record() -> bool {
    let has_recorder = browser::window().is_some()
        && Reflect::has(&js_sys::global(), &"MediaRecorder".into()).unwrap_or(false);
    has_recorder && MediaRecorder::is_type_supported(WEBM)
}

/// What to do after a step.
pub(crate) enum Step {
    /// The next step follows after this many milliseconds.
    Next(i32),
    /// The film is complete; the file arrives later, or now.
    Complete,
    /// The film has ended without a file, for this reason.
    Failed(String),
}

/// A film that is being made.
pub(crate) struct Filming {
    plan: FilmPlan,
    /// Frames made.
    pub made: usize,
    canvas: HtmlCanvasElement,
    picture: HtmlCanvasElement,
    /// The size of the pictures relative to the workbench's.
    scale: f32,
    target: Target,
    /// When the first frame was shown.
    start_ms: f64,
}

enum Target {
    Gif(Option<GifFilm>),
    Webm(Recorder),
}

/// A recorder of a canvas.
struct Recorder {
    media: MediaRecorder,
    is_kept: Rc<Cell<bool>>,
    _on_data: Closure<dyn FnMut(BlobEvent)>,
    _on_stop: Closure<dyn FnMut()>,
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.media.set_ondataavailable(None);
        self.media.set_onstop(None);
        if self.media.state() != web_sys::RecordingState::Inactive {
            // An active recorder stops.
            let _ = self.media.stop();
        }
    }
}

fn new_canvas() -> Option<HtmlCanvasElement> {
    browser::document()?
        .create_element("canvas")
        .ok()?
        .dyn_into::<HtmlCanvasElement>()
        .ok()
}

impl Filming {
    /// Prepares a film. `saved` receives the bytes of the file when it is saved.
    ///
    /// # Errors
    /// The browser has no canvas or no recorder.
    pub(crate) fn start(plan: FilmPlan, saved: impl Fn(u64) + 'static) -> Result<Self, String> {
        let (canvas, picture) = new_canvas()
            .zip(new_canvas())
            .ok_or("The browser has no canvas for the film.")?;
        let (width, height) = plan.size;
        canvas.set_width(width.into());
        canvas.set_height(height.into());
        let target = match plan.format {
            FilmFormat::Gif => {
                // The first context of a canvas decides how the browser stores its pixels.
                let options = Object::new();
                let _ = Reflect::set(&options, &"willReadFrequently".into(), &JsValue::TRUE);
                let _ = canvas.get_context_with_context_options("2d", &options);
                Target::Gif(GifFilm::new(width, height).ok())
            }
            FilmFormat::Webm => Target::Webm(
                Recorder::of(&canvas, &plan, saved).ok_or("This browser records no WebM. Select GIF.")?,
            ),
        };
        Ok(Self {
            plan,
            made: 0,
            canvas,
            picture,
            scale: 1.0,
            target,
            start_ms: 0.0,
        })
    }

    /// Makes the next frame, or ends the film after the last one.
    pub(crate) fn step(&mut self, session: &Session, palette: &Palette) -> Step {
        let Some(cycle) = self.plan.cycles.get(self.made).copied() else {
            if let Target::Webm(recorder) = &self.target {
                recorder.is_kept.set(true);
                // The file arrives as the recorder's data.
                let _ = recorder.media.stop();
            }
            return Step::Complete;
        };
        if let (Target::Webm(recorder), 0) = (&self.target, self.made) {
            if recorder.media.start().is_err() {
                return Step::Failed("The browser refuses to record. Select GIF.".to_owned());
            }
            self.start_ms = browser::now_ms();
        }
        let Some(frame) = self.frame(session, cycle) else {
            return Step::Failed("The film ended: its picture is no longer there.".to_owned());
        };
        if self.paint(&frame, palette).is_none() {
            return Step::Failed("The browser has no memory for the film.".to_owned());
        }
        let pause = match &mut self.target {
            Target::Gif(gif) => {
                let delay = self.plan.delay(self.made);
                let pixels = pixels(&self.canvas, self.plan.size);
                let pushed = gif
                    .as_mut()
                    .zip(pixels)
                    .map(|(gif, pixels)| gif.push(&pixels, delay));
                if !matches!(pushed, Some(Ok(()))) {
                    return Step::Failed("The browser has no memory for the film.".to_owned());
                }
                0
            }
            Target::Webm(_) => {
                let due = self.start_ms + 1_000.0 * (self.made + 1) as f64 / f64::from(self.plan.speed);
                (due - browser::now_ms()).max(0.0) as i32
            }
        };
        self.made += 1;
        Step::Next(pause)
    }

    /// The file of a GIF, which the browser saves. Returns its bytes; `None` for `WebM`, whose file arrives later.
    pub(crate) fn save(&mut self) -> Option<Result<u64, String>> {
        let Target::Gif(gif) = &mut self.target else {
            return None;
        };
        let file = gif.take().and_then(|gif| gif.finish().ok());
        Some(match file {
            Some(bytes) => {
                let parts = Array::of1(&Uint8Array::from(bytes.as_slice()));
                save_parts(&self.plan.name, "image/gif", &parts)
                    .ok_or_else(|| "The browser saves no file.".to_owned())
            }
            None => Err("The browser has no memory for the film.".to_owned()),
        })
    }

    /// The frame of a cycle. The first one decides how large the pictures are.
    fn frame(&mut self, session: &Session, cycle: u64) -> Option<FilmFrame> {
        let (width, height) = self.plan.size;
        let room = (
            f32::from(width) - 2.0 * SIDE_PX,
            f32::from(height) - TOP_PX - FOOT_PX,
        );
        loop {
            let size = Size {
                width: (room.0 / self.scale).floor(),
                height: (room.1 / self.scale).floor(),
            };
            let frame = session.film_frame(cycle, size)?;
            let fits = frame.scene.size.height <= size.height + 1.0;
            if fits || self.made > 0 || self.scale <= MIN_SCALE {
                return Some(frame);
            }
            self.scale = (self.scale - SCALE_STEP).max(MIN_SCALE);
        }
    }

    /// Paints a frame with its headline above and its cycle below.
    fn paint(&self, frame: &FilmFrame, palette: &Palette) -> Option<()> {
        let (width, height) = self.plan.size;
        let (width, height) = (f32::from(width), f32::from(height));
        let scene = &frame.scene;
        let mut painter = paint::begin(&self.picture, scene.size, f64::from(self.scale), palette)?;
        painter.item(&paper(scene.size));
        painter.scene(scene);
        let headline = cut(
            &browser::context(&self.canvas)?,
            &frame.headline,
            f64::from(width - 2.0 * SIDE_PX),
            palette,
        );
        let size = Size { width, height };
        let mut painter = paint::begin(&self.canvas, size, 1.0, palette)?;
        painter.item(&paper(size));
        let context: CanvasRenderingContext2d = browser::context(&self.canvas)?;
        // A canvas with pixels can be drawn.
        let _ =
            context.draw_image_with_html_canvas_element(&self.picture, f64::from(SIDE_PX), f64::from(TOP_PX));
        let foot = height - FOOT_PX;
        painter.item(&Item {
            shape: Shape::Rect {
                x: 0.0,
                y: foot,
                w: width,
                h: FOOT_PX,
            },
            role: Role::Paper2,
            texture: Texture::Solid,
            target: None,
        });
        painter.item(&words(&headline, SIDE_PX, TOP_PX / 2.0, true, Align::Left));
        let middle = foot + FOOT_PX / 2.0;
        painter.item(&words(&frame.cycle, SIDE_PX, middle, true, Align::Left));
        painter.item(&words(&frame.name, width - SIDE_PX, middle, false, Align::Right));
        Some(())
    }
}

/// The text of a headline, shortened to a width.
fn cut(context: &CanvasRenderingContext2d, text: &str, room: f64, palette: &Palette) -> String {
    context.set_font(&format!(
        "600 {}px {}",
        TextSize::Read.px(),
        palette.family(false)
    ));
    let fits = |text: &str| context.measure_text(text).is_ok_and(|size| size.width() <= room);
    if fits(text) {
        return text.to_owned();
    }
    let mut start = text.to_owned();
    while !start.is_empty() && !fits(&format!("{start}…")) {
        start.pop();
    }
    start + "…"
}

fn words(text: &str, x: f32, y: f32, strong: bool, align: Align) -> Item {
    Item {
        shape: Shape::Text {
            x,
            y,
            text: text.to_owned(),
            size: TextSize::Read,
            mono: false,
            strong,
            align,
        },
        role: Role::Ink1,
        texture: Texture::Solid,
        target: None,
    }
}

fn paper(size: Size) -> Item {
    Item {
        shape: Shape::Rect {
            x: 0.0,
            y: 0.0,
            w: size.width,
            h: size.height,
        },
        role: Role::Paper1,
        texture: Texture::Solid,
        target: None,
    }
}

/// The pixels of a canvas.
fn pixels(canvas: &HtmlCanvasElement, (width, height): (u16, u16)) -> Option<Vec<u8>> {
    let context = browser::context(canvas)?;
    let data = context
        .get_image_data(0.0, 0.0, f64::from(width), f64::from(height))
        .ok()?;
    Some(data.data().0)
}

impl Recorder {
    /// A recorder that saves its file when it is kept and stops.
    fn of(canvas: &HtmlCanvasElement, plan: &FilmPlan, saved: impl Fn(u64) + 'static) -> Option<Self> {
        // A stream exists only of a canvas with a context.
        browser::context(canvas)?;
        let stream = canvas.capture_stream().ok()?;
        let options = MediaRecorderOptions::new();
        options.set_mime_type(WEBM);
        options.set_video_bits_per_second(WEBM_BITS);
        let recorder =
            MediaRecorder::new_with_media_stream_and_media_recorder_options(&stream, &options).ok()?;
        let (is_kept, parts) = (Rc::new(Cell::new(false)), Rc::new(RefCell::new(Vec::new())));
        let into = Rc::clone(&parts);
        let on_data: Closure<dyn FnMut(BlobEvent)> = Closure::new(move |event: BlobEvent| {
            into.borrow_mut().extend(event.data());
        });
        let (kept, name) = (Rc::clone(&is_kept), plan.name.clone());
        let on_stop: Closure<dyn FnMut()> = Closure::new(move || {
            if kept.get() {
                let parts: Array = parts.borrow().iter().map(JsValue::from).collect();
                saved(save_parts(&name, WEBM, &parts).unwrap_or_default());
            }
        });
        recorder.set_ondataavailable(Some(on_data.as_ref().unchecked_ref()));
        recorder.set_onstop(Some(on_stop.as_ref().unchecked_ref()));
        Some(Self {
            media: recorder,
            is_kept,
            _on_data: on_data,
            _on_stop: on_stop,
        })
    }
}
