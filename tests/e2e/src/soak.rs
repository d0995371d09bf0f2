//! A long use of the page: random actions of a person, then play, in one tab. Nothing may go wrong in the console, and
//! memory and workers stay bounded.

use std::fmt;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, WheelAction,
    WheelActions,
};
use fantoccini::elements::Element;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Browser, Engine, Error, Host, RECORD_ERRORS};

/// The size of the page in pixels.
const SIZE: (u32, u32) = (1280, 850);
/// The number of actions between two looks at errors, memory, and workers.
const BATCH: u64 = 10;
/// The number of actions between two printed rows of figures, so that hours of work show how far they are.
const PROGRESS: u64 = 500;
/// The number of actions in the account of an error.
const ACCOUNT: usize = 30;
/// The time between two looks while the page plays.
const PLAY_BATCH: Duration = Duration::from_secs(10);
/// The time limit for the page to answer a script. Long tasks of the page are shorter.
const ANSWER: Duration = Duration::from_secs(30);
/// The most workers at once, without those that the browser runs by itself: four for the runs of a comparison, each
/// with up to four helpers for the SMs of a device, and one for the compiler.
pub const MAX_WORKERS: usize = 4 * 5 + 1;
/// The most memory of a browser, its page, and its driver, in MB.
/// Assumption: twice what the page used in ten minutes of scripted use (326 MB of heap) and its browser (400 MB).
pub const MAX_MEGABYTES: u64 = 1_500;

/// What a soak does.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The engine.
    pub engine: Engine,
    /// The number of random actions.
    pub num_actions: u64,
    /// The duration of play after the actions.
    pub play: Duration,
    /// Equal seeds have equal actions, as far as the page is equally fast.
    pub seed: u64,
}

/// What a soak measured.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The engine.
    pub engine: Engine,
    /// The number of actions.
    pub num_actions: u64,
    /// The number of actions that met no target: nothing to click, or another element above it.
    pub num_missed: u64,
    /// The number of starts of a run by Play.
    pub num_plays: u64,
    /// The duration of all.
    pub duration: Duration,
    /// What went wrong, each with the actions before.
    pub errors: Vec<String>,
    /// JavaScript's heap in bytes, at the start, the most, and at the end; only Chromium reports it.
    pub heap: Option<Range>,
    /// The memory of all processes of the browser, in bytes.
    pub memory: Range,
    /// The most workers at once.
    pub most_workers: usize,
    /// The workers at the end.
    pub last_workers: usize,
}

/// A measured value over time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    /// After the page has loaded.
    pub start: u64,
    /// The most of all looks.
    pub most: u64,
    /// After the last action.
    pub end: u64,
}

impl Range {
    fn add(&mut self, value: u64) {
        if self.start == 0 {
            self.start = value;
        }
        self.most = self.most.max(value);
        self.end = value;
    }
}

impl Figures {
    /// The head of the table whose rows are printed figures.
    pub const HEAD: &str = "\
| engine | actions | of these without a target | plays | minutes | errors | heap at start, most, end (MB) | memory at start, most, end (MB) | workers: most, end |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

    /// What exceeds a limit, or went wrong.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints = self.errors.clone();
        if self.memory.most > MAX_MEGABYTES * 1_000_000 {
            complaints.push(format!(
                "{} MB of memory, more than {MAX_MEGABYTES}",
                self.memory.most / 1_000_000
            ));
        }
        if self.most_workers > MAX_WORKERS {
            complaints.push(format!("{} workers, more than {MAX_WORKERS}", self.most_workers));
        }
        complaints
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |range: &Range| {
            let [start, most, end] = [range.start, range.most, range.end].map(|bytes| bytes / 1_000_000);
            format!("{start}, {most}, {end}")
        };
        write!(
            f,
            "| {} | {} | {} | {} | {:.1} | {} | {} | {} | {}, {} |",
            self.engine.name(),
            self.num_actions,
            self.num_missed,
            self.num_plays,
            self.duration.as_secs_f64() / 60.0,
            self.errors.len(),
            self.heap.as_ref().map_or_else(|| "unknown".into(), range),
            range(&self.memory),
            self.most_workers,
            self.last_workers,
        )
    }
}

/// Random numbers from a seed: `SplitMix64`, by Steele, Lea, and Flood.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is above 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// A fraction below 1.
    fn fraction(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> 32).unwrap_or_default();
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }
}

/// What the page offers for links.
#[derive(Deserialize)]
struct Offers {
    kernels: Vec<String>,
    archs: Vec<String>,
    views: Vec<String>,
    lessons: Vec<String>,
}

const OFFERS: &str = "const done = arguments[0];
    (async () => {
        const lessons = await (await fetch('lessons.json')).json();
        done({
            kernels: warpscope.kernels().map(kernel => kernel.id),
            archs: warpscope.architectures().map(arch => arch.id),
            views: 'findings stalls checks sm timeline banks coalescing caches carveout registers arithmetic tensor source divergence occupancy device streams plots'.split(' '),
            lessons: lessons.flatMap(course => course.lessons.map(lesson => `${course.id}/${lesson.id}`)),
        });
    })().catch(error => done({ error: String(error) }));";

/// The visible and enabled controls, without those that leave the page: dialogs of the system and new windows.
const CONTROLS: &str = "
    const away = ['file-open', 'chapters-open', 'chapters-print', 'embed-open', 'handout', 'film-make'];
    return [...document.querySelectorAll('button, select, summary, input:not([type=file]), [role=tab], [role=option]')]
        .filter(element => !element.disabled && !away.includes(element.dataset.testid) && element.type !== 'file'
            && element.checkVisibility({ visibilityProperty: true }));";

/// Keys of the page, in any state. `x` is left out in the presenter, where it opens a window.
const KEYS: &str = " bisenfm0+-<>hljk;t$|\\ayxz123456789g%*oq&/wvdu[]rc?.,pP";
const ESCAPE: char = '\u{e00c}';
const ARROWS: [char; 6] = [
    '\u{e012}', '\u{e013}', '\u{e014}', '\u{e015}', '\u{e010}', '\u{e011}',
];
const CONTROL: char = '\u{e009}';

/// Texts that are typed into the editor: with and without mistakes.
const EDITS: [&str; 7] = [
    "int x = 1; ",
    "// a comment\n",
    "x",
    "}",
    "__syncthreads();",
    "for (int i = 0; i < 4; ++i) ",
    "\u{e003}\u{e003}\u{e003}",
];

/// Whole kernels.
const KERNELS: [&str; 3] = [
    "__global__ void one(float *a) { a[threadIdx.x] *= 2.0f; }",
    "__global__ void two(int *a) { __shared__ int s[256]; s[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = s[255 - threadIdx.x]; }",
    "__global__ void three(int *a) { while (a[threadIdx.x] < 100) a[threadIdx.x] += threadIdx.x + 1; }",
];

/// A tab under a soak.
struct Tab {
    browser: Browser,
    host: Host,
    random: Random,
    offers: Offers,
    /// Workers of the browser itself.
    idle_workers: usize,
    /// The last actions, for the account of an error.
    account: Vec<String>,
    figures: Figures,
}

/// Does the actions and the play of a plan on the built page.
///
/// # Errors
/// The browser does not start, or the page does not answer any more. Errors of the page are in the figures.
pub async fn soak(plan: Plan) -> Result<Figures, Error> {
    let start = Instant::now();
    let host = Host::start()?;
    host.before_page(RECORD_ERRORS);
    let browser = Browser::start_engine(plan.engine, SIZE.0, SIZE.1).await?;
    let idle_workers = browser.num_workers();
    browser.open(&host.address("")).await?;
    let offers = browser.client.execute_async(OFFERS, Vec::new()).await?;
    let offers: Offers =
        serde_json::from_value(offers.clone()).map_err(|error| format!("{error}: {offers}"))?;
    let mut tab = Tab {
        browser,
        host,
        random: Random(plan.seed),
        offers,
        idle_workers,
        account: Vec::new(),
        figures: Figures {
            engine: plan.engine,
            num_actions: plan.num_actions,
            num_missed: 0,
            num_plays: 0,
            duration: Duration::ZERO,
            errors: Vec::new(),
            heap: None,
            memory: Range::default(),
            most_workers: 0,
            last_workers: 0,
        },
    };
    tab.look().await?;
    for idx in 0..plan.num_actions {
        if tab.act().await.is_err() {
            // Nothing to click, something in front of it, or a dialog of the browser, which the driver closes.
            tab.figures.num_missed += 1;
        }
        if idx % BATCH == BATCH - 1 {
            tab.look().await?;
        }
        if idx % PROGRESS == PROGRESS - 1 {
            tab.figures.num_actions = idx + 1;
            tab.figures.duration = start.elapsed();
            eprintln!("{}", tab.figures);
        }
    }
    tab.figures.num_actions = plan.num_actions;
    if !plan.play.is_zero() {
        tab.play(plan.play).await?;
    }
    // The state after all: the first page again.
    tab.reload("").await?;
    tab.look().await?;
    tab.figures.duration = start.elapsed();
    let figures = tab.figures;
    tab.browser.close().await?;
    Ok(figures)
}

impl Tab {
    /// Does one random action. An error is a missed action.
    async fn act(&mut self) -> Result<(), Error> {
        match self.random.below(100) {
            0..30 => self.press_keys().await,
            30..58 => self.click().await,
            58..68 => self.follow_link().await,
            68..82 => self.drag().await,
            82..86 => self.turn_wheel().await,
            86..94 => self.edit().await,
            94..96 => self.undo().await,
            96..98 => self.open_lesson().await,
            98 => {
                self.note("back");
                Ok(self.browser.client.back().await?)
            }
            _ => {
                self.look().await?;
                self.note("reload");
                Ok(self.browser.client.refresh().await?)
            }
        }
    }

    fn note(&mut self, action: impl Into<String>) {
        if self.account.len() == ACCOUNT {
            self.account.remove(0);
        }
        self.account.push(action.into());
    }

    async fn press_keys(&mut self) -> Result<(), Error> {
        let keys: Vec<char> = KEYS.chars().collect();
        for _ in 0..=self.random.below(3) {
            let mut key = match self.random.below(4) {
                0 => ARROWS[self.random.below(ARROWS.len())],
                1 if self.random.below(3) == 0 => ESCAPE,
                _ => keys[self.random.below(keys.len())],
            };
            if key == 'x' && self.browser.has("notes-window").await? {
                key = ESCAPE;
            }
            self.note(format!("key {key:?}"));
            self.browser.press(key).await?;
        }
        Ok(())
    }

    async fn click(&mut self) -> Result<(), Error> {
        let controls = self.browser.script(CONTROLS).await?;
        let controls: Vec<Value> = serde_json::from_value(controls)?;
        if controls.is_empty() {
            return Err("nothing to click".into());
        }
        let control = controls[self.random.below(controls.len())].clone();
        let name = "const one = arguments[0]; return one.dataset.testid ?? one.textContent.slice(0, 40);";
        let name = self.browser.client.execute(name, vec![control.clone()]).await?;
        self.note(format!("click {name}"));
        let element: Element = Element::from_element_id(
            self.browser.client.clone(),
            element_id(&control).ok_or("no element")?.into(),
        );
        Ok(element.click().await?)
    }

    async fn follow_link(&mut self) -> Result<(), Error> {
        let Self { random, offers, .. } = self;
        let mut pick = |items: &[String]| items[random.below(items.len())].clone();
        let (kernel, arch, view) = (pick(&offers.kernels), pick(&offers.archs), pick(&offers.views));
        let mut link = format!("v1;kernel={kernel};arch={arch};view={view}");
        if random.below(2) == 0 {
            write!(link, ";cycle={}", random.below(5_000))?;
        }
        if random.below(5) == 0 {
            let others = [random.below(offers.archs.len()), random.below(offers.archs.len())];
            write!(
                link,
                ";compare={},{}",
                offers.archs[others[0]], offers.archs[others[1]]
            )?;
        }
        self.note(format!("link {link}"));
        self.go(&link).await
    }

    async fn go(&self, link: &str) -> Result<(), Error> {
        self.browser
            .script(&format!("location.hash = {};", json!(link)))
            .await?;
        Ok(())
    }

    /// Drags with the mouse on a picture, the strip, or a divider.
    async fn drag(&mut self) -> Result<(), Error> {
        let target = self.random.pick(&[
            "[data-testid^=stage-canvas]",
            "[data-testid=strip]",
            "[role=separator]",
            ".insp, .left",
        ]);
        let place = format!(
            "const all = [...document.querySelectorAll({})].filter(one => one.checkVisibility());
             const box = all[0]?.getBoundingClientRect();
             return box ? [box.x, box.y, box.width, box.height] : null;",
            json!(target)
        );
        let place: Option<[f64; 4]> = serde_json::from_value(self.browser.script(&place).await?)?;
        let [x, y, width, height] = place.ok_or("nothing to drag")?;
        let point = |random: &mut Random| {
            let at =
                |start: f64, length: f64, random: &mut Random| (start + length * random.fraction()).floor();
            let (x, y) = (at(x, width, random), at(y, height, random));
            (
                x.clamp(0.0, f64::from(SIZE.0 - 1)),
                y.clamp(0.0, f64::from(SIZE.1 - 1)),
            )
        };
        let (from, to) = (point(&mut self.random), point(&mut self.random));
        self.note(format!("drag {target} from {from:?} to {to:?}"));
        let move_to = |(x, y): (f64, f64), ms| PointerAction::MoveTo {
            duration: Some(Duration::from_millis(ms)),
            x,
            y,
        };
        let drag = MouseActions::new("mouse".to_owned())
            .then(move_to(from, 0))
            .then(PointerAction::Down {
                button: MOUSE_BUTTON_LEFT,
            })
            .then(move_to(to, 60))
            .then(PointerAction::Up {
                button: MOUSE_BUTTON_LEFT,
            });
        Ok(self.browser.client.perform_actions(drag).await?)
    }

    async fn turn_wheel(&mut self) -> Result<(), Error> {
        let x = i64::try_from(self.random.below(SIZE.0 as usize))?;
        let y = i64::try_from(self.random.below(SIZE.1 as usize))?;
        let delta_y = if self.random.below(2) == 0 { -240 } else { 240 };
        self.note(format!("wheel {delta_y} at {x}, {y}"));
        let mut wheel = WheelActions::new("wheel".to_owned());
        wheel.push(WheelAction::Scroll {
            duration: None,
            x,
            y,
            delta_x: 0,
            delta_y,
        });
        Ok(self.browser.client.perform_actions(wheel).await?)
    }

    /// Types into the kernel, or replaces it.
    async fn edit(&mut self) -> Result<(), Error> {
        if self.random.below(4) == 0 {
            let kernel = self.random.pick(&KERNELS);
            self.note(format!("paste {kernel}"));
            let paste = format!(
                "const field = document.querySelector('[data-testid=editor]');
                 field.focus();
                 field.select();
                 document.execCommand('insertText', false, {});",
                json!(kernel)
            );
            self.browser.script(&paste).await?;
            return Ok(());
        }
        let text = self.random.pick(&EDITS);
        self.note(format!("type {text:?}"));
        let at = self.random.fraction();
        let place = format!(
            "const field = document.querySelector('[data-testid=editor]');
             const at = Math.floor(field.value.length * {at});
             field.focus();
             field.setSelectionRange(at, at);"
        );
        self.browser.script(&place).await?;
        let mut keys = KeyActions::new("keys".to_owned());
        for key in text.chars() {
            let value = if key == '\n' { '\u{e007}' } else { key };
            keys = keys.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        Ok(self.browser.client.perform_actions(keys).await?)
    }

    async fn undo(&mut self) -> Result<(), Error> {
        self.note("undo");
        let keys = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: CONTROL })
            .then(KeyAction::Down { value: 'z' })
            .then(KeyAction::Up { value: 'z' })
            .then(KeyAction::Up { value: CONTROL });
        Ok(self.browser.client.perform_actions(keys).await?)
    }

    async fn open_lesson(&mut self) -> Result<(), Error> {
        let lessons: Vec<&String> = self.offers.lessons.iter().collect();
        let link = format!(
            "v1;lesson={};step={}",
            self.random.pick(&lessons),
            1 + self.random.below(4)
        );
        self.note(format!("link {link}"));
        self.go(&link).await
    }

    /// Opens a link in a new page of the tab.
    async fn reload(&mut self, link: &str) -> Result<(), Error> {
        self.look().await?;
        self.browser.client.goto("about:blank").await?;
        self.browser.open(&self.host.address(link)).await
    }

    /// Plays a run from its start again and again, with looks in between.
    async fn play(&mut self, duration: Duration) -> Result<(), Error> {
        self.reload("v1;view=sm").await?;
        self.note("play");
        let until = Instant::now() + duration;
        while Instant::now() < until {
            let label = "return document.querySelector('[data-testid=play]').getAttribute('aria-label');";
            if self.browser.script(label).await? != "Pause" {
                // The last cycle is shown: from the start, in the next view.
                let views: Vec<&String> = self.offers.views.iter().collect();
                let view = self.random.pick(&views).clone();
                self.go(&format!("v1;view={view}")).await?;
                self.browser
                    .wait_for("cycle-of", |text| text.starts_with("of "))
                    .await?;
                self.browser.click("play").await?;
                self.figures.num_plays += 1;
            }
            tokio::time::sleep(PLAY_BATCH.min(until - Instant::now().min(until))).await;
            self.look().await?;
        }
        Ok(())
    }

    /// Reads errors, memory, and workers.
    async fn look(&mut self) -> Result<(), Error> {
        self.close_other_windows().await?;
        let state = "return {
            // While the page starts, the place for the reason of a failed start is there, and empty.
            banner: document.querySelector('[data-testid=banner], .refused')?.textContent || null,
            heap: performance.memory?.usedJSHeapSize ?? null };";
        let state = tokio::time::timeout(ANSWER, self.browser.script(state))
            .await
            .map_err(|_| format!("the page does not answer after {:#?}", self.account))??;
        let mut errors = self.browser.errors().await?;
        if let Some(banner) = state["banner"].as_str() {
            errors.push(format!("banner: {banner}"));
        }
        if !errors.is_empty() {
            let account = self.account.join("; ");
            for error in errors {
                eprintln!("{}: {error}\n    after: {account}", self.figures.engine.name());
                self.figures.errors.push(error);
            }
        }
        if state["banner"].is_string() {
            // Further actions would meet a page that has stopped.
            self.browser.client.goto("about:blank").await?;
            self.browser.open(&self.host.address("")).await?;
        }
        if let Some(heap) = state["heap"].as_u64() {
            self.figures.heap.get_or_insert_default().add(heap);
        }
        self.figures.memory.add(self.browser.memory());
        let workers = self.browser.num_workers().saturating_sub(self.idle_workers);
        self.figures.most_workers = self.figures.most_workers.max(workers);
        self.figures.last_workers = workers;
        Ok(())
    }

    /// Closes windows that an action opened, such as the presenter's notes, and removes files that one saved.
    async fn close_other_windows(&self) -> Result<(), Error> {
        let client = &self.browser.client;
        let windows = client.windows().await?;
        if windows.len() > 1 {
            for window in &windows[1..] {
                client.switch_to_window(window.clone()).await?;
                client.close_window().await?;
            }
            client.switch_to_window(windows[0].clone()).await?;
        }
        for entry in std::fs::read_dir(self.browser.downloads())?.flatten() {
            // Folders are the browser's own.
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                std::fs::remove_file(entry.path()).ok();
            }
        }
        Ok(())
    }
}

/// The identifier of an element in WebDriver's notation.
fn element_id(element: &Value) -> Option<String> {
    // The key of the WebDriver standard, section Elements.
    Some(
        element
            .get("element-6066-11e4-a52e-4f735466cecf")?
            .as_str()?
            .to_owned(),
    )
}
