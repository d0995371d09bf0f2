//! Every lesson, done as a reader does it: with the mouse, with keys alone, on a phone, and in projector size.
//!
//! A twelfth of the lessons are done, each in one of the four ways; with `WARPSCOPE_LESSONS=all`, each lesson in all ways
//! (`cargo xtask lessons`), and with a part of an ID, such as `experiments/`, only these lessons. With `WARPSCOPE_SHOTS`, a folder gets a picture of every step.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use serde::Deserialize;
use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';
const TAB: char = '\u{e004}';
const DOWN: char = '\u{e015}';

/// A lesson, as `warpscope lesson answers` prints it.
#[derive(Deserialize)]
struct Lesson {
    path: PathBuf,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    title: String,
    task: String,
    right: Option<f64>,
    kind: Option<String>,
    replace: Vec<(String, String)>,
    wrong: Option<f64>,
}

/// The lessons of the page with their answers, which take long to compute: once for all tests.
fn lessons() -> Result<&'static [Lesson], Error> {
    static LESSONS: OnceLock<Result<Vec<Lesson>, String>> = OnceLock::new();
    let found = LESSONS.get_or_init(|| answers().map_err(|error| error.to_string()));
    found.as_deref().map_err(|error| error.as_str().into())
}

fn answers() -> Result<Vec<Lesson>, Error> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/lessons");
    let output = Command::new(std::env::var("WARPSCOPE")?)
        .args(["lesson", "answers", folder])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

impl Lesson {
    /// The id, `course/name`.
    fn id(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let course = self.path.parent().and_then(|folder| folder.file_name());
        format!("{}/{name}", course.unwrap_or_default().to_string_lossy())
    }
}

/// A way to do lessons.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Mouse,
    Keys,
    Phone,
    Projector,
}

impl Way {
    const ALL: [Self; 4] = [Self::Mouse, Self::Keys, Self::Phone, Self::Projector];

    fn name(self) -> &'static str {
        match self {
            Self::Mouse => "mouse",
            Self::Keys => "keys",
            Self::Phone => "phone",
            Self::Projector => "projector",
        }
    }

    fn size(self) -> (u32, u32) {
        match self {
            Self::Mouse | Self::Keys => (1440, 900),
            Self::Phone => (390, 844),
            Self::Projector => (1024, 768),
        }
    }
}

/// What is wrong with the shown step: an array of complaints.
const COMPLAINTS: &str = r"
    const wrong = [];
    const see = (name, element) => {
        if (!element) return wrong.push(`${name} is missing`);
        const r = element.getBoundingClientRect();
        if (r.width < 2 || r.height < 2) return wrong.push(`${name} is empty`);
        if (r.left < 0 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
            return wrong.push(`${name} is outside: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`);
        for (const y of [r.top + 2, r.bottom - 2]) {
            const at = document.elementFromPoint(r.left + r.width / 2, y);
            if (!at || !(element.contains(at) || at.contains(element))) {
                wrong.push(`${name} is covered by ${at?.outerHTML.slice(0, 80)}`);
                break;
            }
        }
    };
    const find = selector => document.querySelector(selector);
    const answered = find('[data-testid=lesson-grade]') !== null;
    if (find('.lesson .question')) {
        if (answered) see('the grade', find('[data-testid=lesson-grade]'));
        else if (find('[data-grade=wrong]')) see('the reason', [...document.querySelectorAll('[data-grade=wrong]')].at(-1));
        else {
            see('the question', find('.lesson .question'));
            see('the field', find('[data-testid=lesson-number], .option:last-of-type, [data-testid=lesson-check]')
                ?? find('.lesson .answer, .ask > .label'));
        }
    }
    const ended = find('[data-testid=lesson-end]') !== null;
    // The last lesson of the ladder has none after it.
    if (ended) see('the way on', find('[data-testid=lesson-open-next]') ?? find('[data-testid=lesson-list]'));
    else see('Next', find('[data-testid=lesson-next]'));
    if (answered && !ended && !find('[data-testid=lesson-next]').classList.contains('solid')) wrong.push('Next is not the primary control');
    for (const canvas of document.querySelectorAll('.pane canvas[data-rings]')) {
        const frame = canvas.parentElement.getBoundingClientRect(), place = canvas.getBoundingClientRect();
        if (frame.height < 2) continue;
        const rings = canvas.dataset.rings.split(';').map(text => text.split(' ').map(Number));
        const [x, y, w, h] = rings[0];
        if (place.left + x < frame.left - 3 || place.left + x + w > frame.right + 3) wrong.push(`the ring is beside the picture: ${rings[0]}`);
        if (place.top + y < frame.top - 3 || place.top + y + Math.min(h, frame.height) > frame.bottom + 3)
            wrong.push(`the ring is above or below what is visible: ${rings[0]} of ${Math.round(frame.height)} px`);
    }
    // The drawn lines are below the field that takes the text. The text of the end is not about the last step's lines.
    const line = find('.editor .code-line[data-ring]'), editor = find('.editor');
    if (line && !answered && !ended && editor.checkVisibility()) {
        const [r, frame] = [line, editor].map(element => element.getBoundingClientRect());
        if (r.top < frame.top - 3 || r.bottom > Math.min(frame.bottom, innerHeight) + 3) wrong.push('the ringed line is out of sight in the editor');
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
    return wrong.concat(window.mistakes ?? []);";

/// Collects errors of the page.
const MISTAKES: &str = "window.mistakes = [];
    addEventListener('error', event => window.mistakes.push(event.message));
    addEventListener('unhandledrejection', event => window.mistakes.push(String(event.reason)));
    const say = console.error;
    console.error = (...words) => { window.mistakes.push(words.join(' ')); say(...words); };";

/// A reader: a browser, and how the reader uses it.
struct Reader {
    browser: Browser,
    way: Way,
    complaints: Vec<String>,
    num_shots: usize,
}

impl Reader {
    async fn focus(&self) -> Result<String, Error> {
        let focus = "const at = document.activeElement; return at.dataset.testid ?? at.tagName;";
        let focus = self.browser.script(focus).await?;
        Ok(focus.as_str().unwrap_or_default().to_owned())
    }

    async fn type_text(&self, text: &str) -> Result<(), Error> {
        for key in text.chars() {
            self.browser.press(key).await?;
        }
        Ok(())
    }

    /// Presses Tab until an element that a selector names has the focus.
    async fn tab_to(&self, selector: &str) -> Result<(), Error> {
        let is_there = format!("return document.activeElement.matches('{selector}');");
        for _ in 0..200 {
            if self.browser.script(&is_there).await? == Value::Bool(true) {
                return Ok(());
            }
            if self.focus().await? == "editor" {
                self.browser.press(ESCAPE).await?;
            }
            self.browser.press(TAB).await?;
        }
        Err(format!("Tab does not come to {selector}").into())
    }

    /// Notes what is wrong with the shown step.
    async fn look(&mut self, place: &str) -> Result<(), Error> {
        let found = self.browser.script(COMPLAINTS).await?;
        for text in found.as_array().into_iter().flatten().filter_map(Value::as_str) {
            self.complaints.push(format!("{place}: {text}"));
        }
        if let Ok(folder) = std::env::var("WARPSCOPE_SHOTS") {
            self.num_shots += 1;
            let name = format!(
                "{}-{:03}-{}.png",
                self.way.name(),
                self.num_shots,
                place.replace(['/', ' '], "-")
            );
            std::fs::write(
                PathBuf::from(folder).join(name),
                self.browser.client.screenshot().await?,
            )?;
        }
        Ok(())
    }

    /// Activates a button: with the mouse, or with its key.
    async fn activate(&self, testid: &str, key: char) -> Result<(), Error> {
        if self.way == Way::Keys {
            self.browser.press(key).await
        } else {
            self.browser.click(testid).await
        }
    }

    async fn answer(&self, step: &Step, right: f64) -> Result<(), Error> {
        let by_keys = self.way == Way::Keys;
        match step.task.as_str() {
            "number" => {
                if by_keys {
                    assert_eq!(self.focus().await?, "lesson-number", "{}", step.title);
                } else {
                    self.browser.click("lesson-number").await?;
                }
                self.type_text(&right.to_string()).await?;
                self.activate("lesson-check", ENTER).await
            }
            "choice" => {
                let idx = right.to_string().parse::<usize>()? - 1;
                if by_keys {
                    self.tab_to("[name=lesson-choice]").await?;
                    let focus = self.focus().await?;
                    let from: usize = focus.trim_start_matches("lesson-option-").parse()?;
                    if from == idx {
                        self.browser.press(' ').await?;
                    }
                    let num = self
                        .browser
                        .script("return document.querySelectorAll('.option').length;")
                        .await?;
                    let num = usize::try_from(num.as_u64().unwrap_or(1))?;
                    for _ in 0..(idx + num - from) % num {
                        self.browser.press(DOWN).await?;
                    }
                } else {
                    self.browser.click(&format!("lesson-option-{idx}")).await?;
                }
                self.activate("lesson-check", ENTER).await
            }
            "click" => {
                self.click_item(step.kind.as_deref().unwrap_or_default(), right)
                    .await
            }
            _ => Ok(()),
        }
    }

    /// Selects an item of the picture. Its tooltip says where it is.
    async fn click_item(&self, kind: &str, number: f64) -> Result<(), Error> {
        let canvas = self.browser.find("stage-canvas").await?;
        if self.way == Way::Keys {
            self.tab_to("[data-testid=stage-canvas]").await?;
        } else {
            self.browser
                .script("document.querySelector('[data-testid=stage-canvas]').focus();")
                .await?;
        }
        let wanted = format!("{kind} {number}");
        for _ in 0..400 {
            self.browser.press('.').await?;
            let tip = self.browser.find("tooltip").await?;
            let name = self
                .browser
                .script("return document.querySelector('[data-testid=tooltip] b').textContent;")
                .await?;
            let name = name.as_str().unwrap_or_default().to_lowercase();
            if name.split([',', '.', ':']).next() != Some(&*wanted) {
                continue;
            }
            if self.way == Way::Keys {
                return self.browser.press(ENTER).await;
            }
            // The tooltip is 14 px right of the item's middle, or left of it, and 18 px below its foot.
            let at = "const tip = document.querySelector('[data-testid=tooltip]'), r = tip.getBoundingClientRect(),
                c = document.querySelector('[data-testid=stage-canvas]').getBoundingClientRect();
                const x = tip.style.left ? r.left - 14 : r.right + 14;
                return [Math.round(x - c.left - c.width / 2), Math.round(r.top - 18 - 3 - c.top - c.height / 2)];";
            drop(tip);
            let at = self.browser.script(at).await?;
            let at = |idx: usize| at[idx].as_f64().unwrap_or_default();
            let click = MouseActions::new("mouse".to_owned())
                .then(PointerAction::MoveToElement {
                    element: canvas,
                    duration: None,
                    x: at(0),
                    y: at(1),
                })
                .then(PointerAction::Down {
                    button: MOUSE_BUTTON_LEFT,
                })
                .then(PointerAction::Up {
                    button: MOUSE_BUTTON_LEFT,
                });
            self.browser.client.perform_actions(click).await?;
            return Ok(());
        }
        Err(format!("no item of the picture is called {wanted}").into())
    }

    /// Changes the kernel as the reference does, and checks it when its run has ended.
    async fn solve(&self, step: &Step) -> Result<(), Error> {
        let source = self
            .browser
            .script("return document.querySelector('.editor textarea').value;")
            .await?;
        let mut text = source.as_str().unwrap_or_default().to_owned();
        for (from, to) in &step.replace {
            assert!(
                text.contains(from),
                "{}: the editor does not show `{from}`",
                step.title
            );
            text = text.replace(from, to);
        }
        if self.way == Way::Keys {
            self.tab_to(".editor textarea").await?;
        } else {
            self.browser
                .script("document.querySelector('.editor textarea').focus();")
                .await?;
        }
        self.browser.script("document.activeElement.select();").await?;
        self.browser
            .dev_tools("Input.insertText", json!({ "text": text }))
            .await?;
        if self.way == Way::Keys {
            self.browser.press(ESCAPE).await?;
            self.tab_to("[data-testid=lesson-check]").await?;
        }
        let start = Instant::now();
        while !self.browser.has("lesson-grade").await? {
            if start.elapsed() > Duration::from_secs(30) {
                let text = self.browser.text("lesson-ask").await?;
                return Err(format!("{}: the reference is not accepted: {text}", step.title).into());
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
            if !self.browser.has("lesson-grade").await? {
                self.activate("lesson-check", ENTER).await?;
            }
        }
        Ok(())
    }

    /// Waits until an answer is graded as right. The device's run can take longer than other runs.
    async fn wait_for_grade(&self) -> Result<(), Error> {
        let graded =
            "return document.querySelector('[data-grade=right]')?.textContent.startsWith('✓') ?? false;";
        let start = Instant::now();
        while self.browser.script(graded).await? != Value::Bool(true) {
            if start.elapsed() > Duration::from_mins(2) {
                let text = self.browser.text("lesson-ask").await?;
                return Err(format!("no right grade: {text}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Waits until the step is shown and its runs have ended.
    async fn arrive(&self, step: &Step) -> Result<(), Error> {
        self.browser
            .wait_for("lesson-title", |text| text == step.title)
            .await?;
        self.browser
            .wait_for("cycle-of", |text| text.starts_with("of "))
            .await?;
        // Two frames: the picture is drawn, and its rings are scrolled into view.
        self.browser
            .script("window.drawn = 0; requestAnimationFrame(() => requestAnimationFrame(() => window.drawn = 1));")
            .await?;
        self.browser.wait_until("return window.drawn === 1;").await
    }

    async fn do_lesson(&mut self, lesson: &Lesson, first: &mut bool, host: &Host) -> Result<(), Error> {
        let id = lesson.id();
        let density = if self.way == Way::Projector {
            "density=projector;"
        } else {
            ""
        };
        let link = format!("v1;{density}lesson={id}");
        if std::mem::take(first) {
            self.browser.open(&host.address(&link)).await?;
        } else {
            self.browser
                .script(&format!("location.hash = '#{link}';"))
                .await?;
        }
        for (idx, step) in lesson.steps.iter().enumerate() {
            let place = format!("{} {id} step {}", self.way.name(), idx + 1);
            self.arrive(step)
                .await
                .map_err(|error| format!("{place}: {error}"))?;
            self.look(&place).await?;
            if let Some(wrong) = step.wrong.filter(|_| idx % 2 == 0) {
                self.answer(step, wrong).await?;
                self.browser
                    .wait_until("return (document.querySelector('[data-grade=wrong]')?.textContent.length ?? 0) > 12;")
                    .await
                    .map_err(|error| format!("{place}, wrong answer: {error}"))?;
                self.look(&format!("{place} wrong")).await?;
            }
            match (step.task.as_str(), step.right) {
                ("edit", _) => self.solve(step).await?,
                (_, Some(right)) => self.answer(step, right).await?,
                _ => {}
            }
            if step.task != "read" {
                self.wait_for_grade()
                    .await
                    .map_err(|error| format!("{place}, right answer: {error}"))?;
                self.arrive(step).await?;
                self.look(&format!("{place} right")).await?;
            }
            self.activate("lesson-next", 'n').await?;
        }
        // The end: the page after the last step, the list says so, and the device keeps it.
        self.browser.find("lesson-end").await?;
        self.look(&format!("{} {id} end", self.way.name())).await?;
        self.activate("lesson-list", ESCAPE).await?;
        self.browser.find("lessons").await?;
        let kept = format!(
            "const kept = localStorage.getItem('warpscope:' + location.pathname + ':lessons');
            return JSON.parse(kept)?.['{id}']?.finished === true;"
        );
        self.browser.wait_until(&kept).await?;
        let row = format!("lesson-{}", id.replacen('/', "-", 1));
        let is_listed = format!(
            "return document.querySelector('[data-testid=\"{row}\"]')?.textContent.endsWith('✓ finished') ?? false;"
        );
        self.browser.wait_until(&is_listed).await?;
        self.activate("dialog-close", ESCAPE).await?;
        Ok(())
    }
}

/// Whether the short walk of a way has this lesson of the list: neighbors are of one course, and are done in different ways.
fn is_short(idx: usize, way: Way) -> bool {
    let num = Way::ALL.len();
    Way::ALL[idx % num] == way && (idx / num).is_multiple_of(12)
}

/// Does the lessons that belong to a way.
async fn walk(way: Way) -> Result<(), Error> {
    let chosen = std::env::var("WARPSCOPE_LESSONS").unwrap_or_default();
    let in_all_ways = |id: &str| chosen == "all" || !chosen.is_empty() && id.contains(&chosen);
    let host = Host::start()?;
    let (width, height) = way.size();
    let browser = Browser::start(width, height).await?;
    browser.resize(width, height).await?;
    browser.before_page(MISTAKES).await?;
    let mut reader = Reader {
        browser,
        way,
        complaints: Vec::new(),
        num_shots: 0,
    };
    let all = lessons()?;
    assert!(all.len() >= 40, "{} lessons", all.len());
    let mut first = true;
    for (idx, lesson) in all.iter().enumerate() {
        if in_all_ways(&lesson.id()) || chosen.is_empty() && is_short(idx, way) {
            // After a failure, the page is opened again, so that one run lists all failures.
            if let Err(error) = reader.do_lesson(lesson, &mut first, &host).await {
                reader.complaints.push(error.to_string());
                first = true;
            }
        }
    }
    reader.browser.close().await?;
    assert!(reader.complaints.is_empty(), "\n{}", reader.complaints.join("\n"));
    Ok(())
}

#[tokio::test]
async fn lessons_are_done_with_the_mouse() -> Result<(), Error> {
    walk(Way::Mouse).await
}

#[tokio::test]
async fn lessons_are_done_with_keys_alone() -> Result<(), Error> {
    walk(Way::Keys).await
}

#[tokio::test]
async fn lessons_are_done_on_a_phone() -> Result<(), Error> {
    walk(Way::Phone).await
}

#[tokio::test]
async fn lessons_are_done_in_projector_size() -> Result<(), Error> {
    walk(Way::Projector).await
}
