//! A film of some cycles of the shown view: its form, its limits, and its frames.

use super::{Effect, Session};
use crate::scene::{Scene, Size, counted, thousands};
use crate::share::View;
use engine::ids::Cycle;

/// Frames of a film, at most.
pub const MAX_FRAMES: u64 = 400;
/// Cycles before and after the shown one, without a selected range.
const BEFORE: u64 = 16;
const AFTER: u64 = 64;
/// Bits per second of a `WebM` file, at most, for the browser's recorder.
pub const WEBM_BITS: u32 = 2_500_000;

/// The format of a film.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmFormat {
    /// Animated GIF.
    #[default]
    Gif,
    /// `WebM`, which the browser's `MediaRecorder` writes while the film plays.
    Webm,
}

impl FilmFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Gif, Self::Webm];

    /// The name of the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gif => "GIF",
            Self::Webm => "WebM",
        }
    }

    /// The extension of the file, and the ID in the page's test IDs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Webm => "webm",
        }
    }
}

/// The choices of the Film form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmForm {
    /// The first and the last cycle, where the reader typed them.
    from: Option<u64>,
    to: Option<u64>,
    /// Cycles between two frames.
    pub every: u64,
    /// Frames per second.
    pub speed: u8,
    /// The format.
    pub format: FilmFormat,
    /// Width and height in pixels.
    pub size: (u16, u16),
    /// Frames made, while a film is made.
    pub made: Option<usize>,
}

impl FilmForm {
    /// The sizes of films, in pixels.
    pub const SIZES: [(u16, u16); 2] = [(640, 360), (960, 540)];
    /// The speeds of films, in frames per second. A GIF counts in hundredths of a second.
    pub const SPEEDS: [u8; 4] = [2, 4, 8, 20];
}

impl Default for FilmForm {
    fn default() -> Self {
        Self {
            from: None,
            to: None,
            every: 1,
            speed: 8,
            format: FilmFormat::default(),
            size: Self::SIZES[0],
            made: None,
        }
    }
}

/// An event of the Film form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilmEdit {
    /// The text of the first cycle.
    From(String),
    /// The text of the last cycle.
    To(String),
    /// The text of the cycles between two frames.
    Every(String),
    /// Sets the frames per second.
    Speed(u8),
    /// Sets the format.
    Format(FilmFormat),
    /// Sets the size.
    Size(u16, u16),
    /// Makes the film.
    Make,
    /// Ends it without a file.
    Cancel,
    /// The page made this many frames.
    Made(usize),
    /// The page saved the file, with its bytes, or says why not.
    Ended(Result<u64, String>),
}

/// A film to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmPlan {
    /// The name of the file.
    pub name: String,
    /// The cycle of each frame.
    pub cycles: Vec<u64>,
    /// Frames per second.
    pub speed: u8,
    /// The format.
    pub format: FilmFormat,
    /// Width and height in pixels.
    pub size: (u16, u16),
}

/// One frame: the picture and the words around it.
#[derive(Clone, Debug)]
pub struct FilmFrame {
    /// The picture.
    pub scene: Scene,
    /// The headline of the cycle.
    pub headline: String,
    /// The cycle, in words.
    pub cycle: String,
    /// The scenario.
    pub name: String,
}

impl FilmPlan {
    /// Hundredths of a second for which frame `idx` is shown. The rounding errors do not add up.
    pub fn delay(&self, idx: usize) -> u16 {
        let speed = usize::from(self.speed.max(1));
        let until = |idx: usize| (200 * idx + speed) / (2 * speed);
        (until(idx + 1) - until(idx)) as u16
    }
}

impl Session {
    /// The first and the last cycle of the film: those typed, or the selected range, or some around the shown cycle.
    pub fn film_range(&self) -> (u64, u64) {
        let (form, last) = (&self.ui.sharing.film, self.last_cycle());
        let default = match self.range() {
            Some((Cycle(from), Cycle(to))) => (from, to.saturating_sub(1)),
            None => (self.cycle().saturating_sub(BEFORE), self.cycle() + AFTER),
        };
        let from = form.from.unwrap_or(default.0).min(last);
        let to = form.to.unwrap_or(default.1).clamp(from, last.max(from));
        (from, to)
    }

    /// The film as the form describes it, or why it cannot be made.
    ///
    /// # Errors
    /// There is no run, the view has no picture of one run, or the film has too many frames.
    pub fn film_plan(&self) -> Result<FilmPlan, String> {
        let form = &self.ui.sharing.film;
        let view = self.active_view();
        if self.derived().trace().is_none() {
            return Err("There is no run to film.".to_owned());
        }
        if matches!(view, View::Compare | View::Checks) || self.shown_playground().is_some() {
            return Err(format!(
                "The {} view has no film: select a view of the run.",
                view.name()
            ));
        }
        let (from, to) = self.film_range();
        let num = (to - from) / form.every + 1;
        if num > MAX_FRAMES {
            return Err(format!(
                "{}: a film has at most {MAX_FRAMES}. Select fewer cycles, or every {}th cycle.",
                counted(num, "frame"),
                (to - from) / (MAX_FRAMES - 1) + 1
            ));
        }
        let setup = self.setup();
        Ok(FilmPlan {
            name: format!(
                "warpscope-{}-{}-{}-cycles-{from}-{to}.{}",
                setup.kernel,
                setup.arch.text(),
                view.id(),
                form.format.id()
            ),
            cycles: (0..num).map(|idx| from + idx * form.every).collect(),
            speed: form.speed,
            format: form.format,
            size: form.size,
        })
    }

    /// What the film will be: frames, seconds, and the size of a `WebM` file, or why there is none.
    pub fn film_sentence(&self) -> String {
        let plan = match self.film_plan() {
            Ok(plan) => plan,
            Err(why) => return why,
        };
        let num = plan.cycles.len();
        if let Some(made) = self.ui.sharing.film.made {
            return format!("{made} of {} made", counted(num as u64, "frame"));
        }
        let tenths = 10 * num / usize::from(plan.speed);
        let seconds = format!("{}.{} s", tenths / 10, tenths % 10);
        let size = match plan.format {
            FilmFormat::Gif => format!(
                "about {}",
                super::export::size_text(gif_bytes(self.active_view(), num, plan.size))
            ),
            FilmFormat::Webm => {
                let bytes = num as u64 * u64::from(WEBM_BITS / 8) / u64::from(plan.speed);
                format!(
                    "at most {}, recorded while it plays",
                    super::export::size_text(bytes)
                )
            }
        };
        format!(
            "{} at {} per second: {seconds}, {size}",
            counted(num as u64, "frame"),
            plan.speed
        )
    }

    /// A frame of the film: the active view at a cycle, for a picture of this size.
    pub fn film_frame(&self, cycle: u64, size: Size) -> Option<FilmFrame> {
        let view = self.active_view();
        let mut shown = self.shown();
        if cycle != shown.cycle {
            shown.cycle = cycle;
            // These belong to the shown cycle.
            (
                shown.state.access,
                shown.state.wavefront,
                shown.state.timeline_start,
            ) = (None, None, None);
        }
        let scene = shown.picture(view, size)?;
        Some(FilmFrame {
            headline: shown.sentence_in(view, Some(&scene)),
            cycle: format!(
                "cycle {} of {}",
                thousands(cycle),
                thousands(self.last_cycle() + 1)
            ),
            name: format!("{} on {}", self.name(), self.arch().name),
            scene,
        })
    }
}

/// Bytes of a GIF, roughly: measured on 41 cycles of saxpy (Banks: of transpose-tiled) at 640 x 360, in thousandths of
/// a byte per pixel. A frame holds what changes, which differs from kernel to kernel.
fn gif_bytes(view: View, frames: usize, (width, height): (u16, u16)) -> u64 {
    let per_frame = match view {
        View::Timeline => 33,
        View::Sm => 26,
        View::Banks => 18,
        View::Source => 13,
        View::Registers => 11,
        View::Caches => 9,
        View::Carveout => 7,
        View::Divergence => 6,
        View::Coalescing
        | View::Stalls
        | View::Occupancy
        | View::Compare
        | View::Checks
        | View::Plots
        | View::Device
        | View::Streams
        | View::Arithmetic
        | View::Tensor
        | View::Findings => 4,
    };
    u64::from(width) * u64::from(height) * per_frame * frames as u64 / 1_000
}

/// Applies an event of the form.
pub(super) fn edit(session: &mut Session, edit: FilmEdit) -> Vec<Effect> {
    let number = |text: &str| text.trim().replace(',', "").parse::<u64>().ok();
    let form = &mut session.ui.sharing.film;
    match edit {
        FilmEdit::From(text) => form.from = number(&text),
        FilmEdit::To(text) => form.to = number(&text),
        FilmEdit::Every(text) => form.every = number(&text).unwrap_or(1).max(1),
        FilmEdit::Speed(speed) => form.speed = speed,
        FilmEdit::Format(format) => form.format = format,
        FilmEdit::Size(width, height) => form.size = (width, height),
        FilmEdit::Make => match session.film_plan() {
            Ok(plan) => {
                session.ui.sharing.film.made = Some(0);
                return vec![Effect::MakeFilm(Box::new(plan))];
            }
            Err(why) => session.say(why),
        },
        FilmEdit::Cancel => {
            form.made = None;
            session.say("The film was canceled.");
            return vec![Effect::CancelFilm];
        }
        FilmEdit::Made(num) => form.made = form.made.map(|_| num),
        FilmEdit::Ended(result) => {
            form.made = None;
            match result {
                Ok(bytes) => session.say(format!("Saved the film · {}", super::export::size_text(bytes))),
                Err(why) => session.say(why),
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::golden::opened;
    use crate::app::{Event, update};

    #[test]
    fn a_film_has_the_selected_range_or_cycles_around_the_shown_one() {
        let mut session = opened("v1;kernel=saxpy;view=timeline;cycle=100");
        let plan = session.film_plan().unwrap();
        assert_eq!(plan.name, "warpscope-saxpy-tu102-timeline-cycles-84-164.gif");
        assert_eq!(
            (plan.cycles.len(), plan.cycles[0], plan.cycles[80]),
            (81, 84, 164)
        );
        update(
            &mut session,
            Event::Open("v1;kernel=saxpy;view=timeline;range=10-19".to_owned()),
        );
        let plan = session.film_plan().unwrap();
        assert_eq!(plan.cycles.first(), Some(&10));
        let range = session.range().unwrap();
        assert_eq!(plan.cycles.last().map(|last| last + 1), Some(range.1.0));
    }

    #[test]
    fn a_film_with_too_many_frames_says_how_to_have_fewer() {
        let mut session = opened("v1;kernel=saxpy;view=sm");
        let make = |session: &mut Session, edit| update(session, Event::Film(edit));
        make(&mut session, FilmEdit::From("0".to_owned()));
        make(&mut session, FilmEdit::To("999,999".to_owned()));
        let why = session.film_plan().unwrap_err();
        assert!(why.contains("a film has at most 400"), "{why}");
        let every = why
            .split("every ")
            .nth(1)
            .unwrap()
            .split("th")
            .next()
            .unwrap()
            .to_owned();
        make(&mut session, FilmEdit::Every(every));
        let plan = session.film_plan().unwrap();
        assert!((300..=400).contains(&plan.cycles.len()), "{}", plan.cycles.len());
        let effects = make(&mut session, FilmEdit::Make);
        assert_eq!(effects, [Effect::MakeFilm(Box::new(plan))]);
        assert!(session.film_sentence().starts_with("0 of "));
        assert_eq!(make(&mut session, FilmEdit::Cancel), [Effect::CancelFilm]);
    }

    #[test]
    fn frames_show_their_own_cycles() {
        let session = opened("v1;kernel=saxpy;view=sm;cycle=100");
        let size = Size {
            width: 608.0,
            height: 280.0,
        };
        let frame = session.film_frame(120, size).unwrap();
        assert!(frame.cycle.starts_with("cycle 120 of "));
        let there = opened("v1;kernel=saxpy;view=sm;cycle=120");
        assert_eq!(frame.scene, there.shown().picture(View::Sm, size).unwrap());
    }

    #[test]
    fn delays_add_up_to_the_time_of_all_frames() {
        let plan = |speed| FilmPlan {
            name: String::new(),
            cycles: Vec::new(),
            speed,
            format: FilmFormat::Gif,
            size: (1, 1),
        };
        let delays: Vec<u16> = (0..8).map(|idx| plan(8).delay(idx)).collect();
        assert_eq!(delays, [13, 12, 13, 12, 13, 12, 13, 12]);
        assert_eq!((0..20).map(|idx| plan(20).delay(idx)).sum::<u16>(), 100);
    }
}
