//! The built page in Chromium, Firefox, and WebKitGTK: one job a test, with the same steps in every engine.
//!
//! Runs, files, and links are equal to the last bit among the engines, and equal to the command line's. Pictures are
//! compared without their texts, because fonts differ: [`Picture::differences`] states the tolerance. The texts of
//! pictures are those of the exported SVG, which is equal byte for byte.

#[path = "../../runs/answers.rs"]
mod answers;

use std::process::Command;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use serde_json::Value;
use warpscope_e2e::picture::{CELL, Picture};
use warpscope_e2e::{Browser, Engine, Error, Host, RECORD_ERRORS};

const KEY_CONTROL: char = '\u{e009}';
const KEY_ENTER: char = '\u{e007}';
const KEY_RIGHT: char = '\u{e014}';
const KEY_END: char = '\u{e010}';

/// The size of the page in pixels.
const SIZE: (u32, u32) = (1440, 900);

/// A page opened at a link in an engine. The host records the page's errors.
async fn open(engine: Engine, link: &str) -> Result<(Host, Browser), Error> {
    let host = Host::start()?;
    host.before_page(RECORD_ERRORS);
    let browser = Browser::start_engine(engine, SIZE.0, SIZE.1).await?;
    browser.open(&host.address(link)).await?;
    Ok((host, browser))
}

/// Closes the browser after a test without errors in its console.
async fn close(browser: Browser) -> Result<(), Error> {
    let errors = browser.errors().await?;
    assert!(errors.is_empty(), "{}: {errors:#?}", browser.engine().name());
    browser.close().await
}

/// The standard output of the command line.
fn native(args: &[&str]) -> Result<String, Error> {
    let output = Command::new(std::env::var("WARPSCOPE")?).args(args).output()?;
    if !output.status.success() {
        return Err(format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Waits until the shown run has finished.
async fn finished(browser: &Browser) -> Result<(), Error> {
    browser
        .wait_for("cycle-of", |text| text.starts_with("of "))
        .await?;
    Ok(())
}

/// Removes the focus from a field, so that keys reach the page.
async fn to_page(browser: &Browser) -> Result<(), Error> {
    browser
        .script("document.activeElement.blur(); return true;")
        .await?;
    Ok(())
}

#[tokio::test]
async fn every_engine_starts_opens_a_link_reloads_and_goes_back() -> Result<(), Error> {
    for engine in Engine::chosen()? {
        let (host, browser) = open(engine, "").await?;
        assert!(browser.client.title().await?.contains("Warpscope"));
        assert_eq!(browser.text("scenario-name").await?, "transpose-tiled");
        assert_eq!(browser.text("cycle").await?, "1,250");
        let cycles = browser.text("cycle-of").await?;

        // A link with a cycle, in a new page.
        browser.client.goto("about:blank").await?;
        browser
            .open(&host.address("v1;arch=gp104;kernel=saxpy;view=timeline;cycle=120"))
            .await?;
        assert_eq!(browser.text("scenario-name").await?, "saxpy");
        assert_eq!(browser.text("cycle").await?, "120");
        assert!(!browser.has("link-warnings").await?);
        to_page(&browser).await?;
        browser.press(KEY_RIGHT).await?;
        browser.wait_for("cycle", |text| text == "121").await?;

        // A reload shows the same cycle.
        browser
            .wait_until("return location.hash.includes('cycle=121');")
            .await?;
        browser.client.refresh().await?;
        browser.find("stage-canvas").await?;
        finished(&browser).await?;
        browser.wait_for("cycle", |text| text == "121").await?;
        assert!(browser.text("arch-chosen").await?.contains("GP104"));

        // Back, after a change with the mouse.
        browser.click("arch-tu102").await?;
        browser
            .wait_for("arch-chosen", |text| text.contains("TU102"))
            .await?;
        finished(&browser).await?;
        browser.client.back().await?;
        browser
            .wait_for("arch-chosen", |text| text.contains("GP104"))
            .await?;
        finished(&browser).await?;

        // The bare address shows the same run as at first.
        browser.client.goto("about:blank").await?;
        browser.open(&host.address("v1")).await?;
        assert_eq!(browser.text("cycle-of").await?, cycles);
        close(browser).await?;
    }
    Ok(())
}

/// A kernel of one line: the editor indents no line by itself.
const KERNEL: &str = "__global__ void seven(int *a) { a[threadIdx.x] = 7 * threadIdx.x + blockIdx.x; }";

/// Selects the whole kernel and types another with the keyboard.
async fn type_kernel(browser: &Browser, text: &str) -> Result<(), Error> {
    // The field is transparent above the drawn text: Firefox's driver calls it not interactable.
    browser
        .script("document.querySelector('[data-testid=editor]').focus();")
        .await?;
    let mut keys = KeyActions::new("keys".to_owned())
        .then(KeyAction::Down { value: KEY_CONTROL })
        .then(KeyAction::Down { value: 'a' })
        .then(KeyAction::Up { value: 'a' })
        .then(KeyAction::Up { value: KEY_CONTROL });
    for key in text.chars() {
        keys = keys
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
    }
    Ok(browser.client.perform_actions(keys).await?)
}

#[tokio::test]
async fn every_engine_runs_an_own_kernel_a_comparison_and_a_device() -> Result<(), Error> {
    for engine in Engine::chosen()? {
        let (host, browser) = open(engine, "").await?;
        type_kernel(&browser, KERNEL).await?;
        let typed = browser.text("editor").await?;
        assert_eq!(typed, KERNEL, "{engine:?}");
        browser.wait_for("scenario-name", |text| text == "seven").await?;
        finished(&browser).await?;
        assert!(!browser.has("problem").await?);

        // A mistake is marked in its line, and its repair is a paste of the whole text.
        type_kernel(&browser, "x").await?;
        browser.find("problem").await?;
        let paste = format!("return document.execCommand('insertText', false, {KERNEL:?});");
        browser
            .script("document.querySelector('[data-testid=editor]').select();")
            .await?;
        assert_eq!(browser.script(&paste).await?, true);
        browser
            .wait_until("return document.querySelector('[data-testid=problem]') === null;")
            .await?;
        browser.wait_for("scenario-name", |text| text == "seven").await?;

        // The address has the kernel: a reload keeps it.
        browser
            .wait_until("return location.hash.includes('source=');")
            .await?;
        browser.client.refresh().await?;
        browser.wait_for("scenario-name", |text| text == "seven").await?;
        finished(&browser).await?;

        // Compare.
        browser.find("stage-canvas").await?;
        browser
            .wait_until("return document.querySelector('html[data-complete]') !== null;")
            .await?;
        to_page(&browser).await?;
        browser.press('a').await?;
        // Both runs are complete: before, End goes to the end of what is simulated.
        browser
            .wait_for("side-state-2", |text| {
                text.ends_with(" in all") || text.starts_with("finished")
            })
            .await?;
        browser.press(KEY_END).await?;
        for side in ["side-state", "side-state-2"] {
            browser
                .wait_for(side, |text| text.starts_with("finished at cycle"))
                .await?;
        }

        // Device: all blocks on all SMs.
        browser.client.goto("about:blank").await?;
        browser
            .open(&host.address("v1;kernel=vector-add;grid=200;cycle=10"))
            .await?;
        to_page(&browser).await?;
        browser.press('q').await?;
        browser
            .wait_for("headline", |text| text == "200 blocks run on all 68 SMs.")
            .await?;
        close(browser).await?;
    }
    Ok(())
}

#[tokio::test]
async fn every_engine_grades_an_answer_of_a_lesson() -> Result<(), Error> {
    for engine in Engine::chosen()? {
        let (_host, browser) = open(engine, "").await?;
        browser.click("header-lessons").await?;
        browser.find("lesson-memory-column-read").await?.click().await?;
        browser
            .wait_for("lesson-title", |text| text == "A row write uses all banks")
            .await?;
        browser.click("lesson-next").await?;
        browser
            .wait_for("lesson-title", |text| text == "A column read uses one bank")
            .await?;
        for (answer, grade) in [
            ("128", "[data-grade=wrong]"),
            ("4096", "[data-testid=lesson-grade]"),
        ] {
            let field = browser.find("lesson-number").await?;
            field.click().await?;
            field.clear().await?;
            for key in answer.chars() {
                browser.press(key).await?;
            }
            browser.press(KEY_ENTER).await?;
            browser
                .wait_until(&format!("return document.querySelector('{grade}') !== null;"))
                .await?;
        }
        let grade = browser.text("lesson-grade").await?;
        assert!(grade.starts_with("✓ 4,096 wavefronts"), "{engine:?}: {grade}");
        // A reload stays in the lesson, at the answered step.
        browser
            .wait_until("return location.hash.includes('lesson=memory/column-read');")
            .await?;
        browser.client.refresh().await?;
        browser
            .wait_for("lesson-title", |text| text == "A column read uses one bank")
            .await?;
        close(browser).await?;
    }
    Ok(())
}

/// The scenario of exports: its counters include quotients, and its warps diverge.
const EXPORTED: &str = "v1;arch=gv100;kernel=divergence;view=banks;cycle=300";

/// The exported files that are equal in every engine, with the ends of their names.
const FILES: [(&str, &str); 6] = [
    ("table", ".csv"),
    ("counters", "-counters.csv"),
    ("states", "-states.csv"),
    ("json", "-run.json"),
    ("chrome", "-trace.json"),
    ("svg", ".svg"),
];

#[tokio::test]
async fn every_engine_exports_the_same_files_as_the_command_line() -> Result<(), Error> {
    let mut first: Option<Vec<(String, Vec<u8>)>> = None;
    for engine in Engine::chosen()? {
        let (_host, browser) = open(engine, EXPORTED).await?;
        same_stage(&browser).await?;
        let mut files = Vec::new();
        for (id, end) in FILES {
            browser.click("header-export").await?;
            browser.click(&format!("export-{id}")).await?;
            files.push(browser.download(end).await?);
        }
        for (format, idx) in [("counters", 1), ("csv", 2)] {
            let expected = native(&["trace", "--link", EXPORTED, "--format", format])?;
            assert!(
                files[idx].1 == expected.as_bytes(),
                "{engine:?}: {} differs from the command line's",
                files[idx].0
            );
        }
        match &first {
            None => first = Some(files),
            Some(first) => {
                for (file, first) in files.iter().zip(first) {
                    assert_eq!(file.0, first.0, "{engine:?}");
                    assert!(
                        file.1 == first.1,
                        "{engine:?}: {} differs from Chromium's",
                        file.0
                    );
                }
            }
        }

        // A picture has twice the pixels of the stage.
        browser.click("header-export").await?;
        browser.click("export-png").await?;
        let (_, png) = browser.download(".png").await?;
        let picture = Picture::of_png(&png)?;
        assert_eq!((picture.width, picture.height), (2 * STAGE.0, 2 * STAGE.1));

        // The shared link is the address of what is shown.
        browser.click("header-share").await?;
        let link = browser.text("share-link").await?;
        assert!(link.ends_with(&format!("#{EXPORTED}")), "{link}");
        // While the panel is open, the address has it, too.
        let address = browser.client.current_url().await?;
        assert_eq!(address.as_str(), format!("{link};panel=share"));
        close(browser).await?;
    }
    Ok(())
}

/// Runs a link through `window.warpscope`: the run without its outputs, a frame in the middle, and the bytes of the
/// outputs.
const RUN: &str = "const [link, done] = arguments;
    const bytes = values => Array.from(new Uint8Array(values.buffer));
    warpscope.run(link).then(run => {
        const frame = warpscope.frame(run, Math.floor(run.cycles / 2));
        const { outputs, ...summary } = run;
        done(JSON.stringify({ summary, frame, outputs: outputs.map(output => bytes(output.values)) }));
    }, error => done(JSON.stringify({ error: String(error) })));";

/// Further scenarios whose counters are compared to the last bit: quotients with long fractions.
const COUNTED: [&str; 4] = [
    "#v1;arch=tu102;kernel=transpose-naive",
    "#v1;arch=gf100;kernel=matmul-tiled",
    "#v1;arch=gt200;kernel=mixed-math",
    "#v1;arch=gh100;kernel=reduce-shuffle",
];

#[tokio::test]
async fn every_engine_computes_the_runs_of_the_command_line_to_the_last_bit() -> Result<(), Error> {
    let recorded = include_str!("../../runs/answers.txt");
    let mut counted = Vec::new();
    for link in COUNTED {
        let text = native(&["run", "--json", "--no-checks", "--link", link])?;
        let object: Value = serde_json::from_str(&text)?;
        counted.push(object[0].clone());
    }
    for engine in Engine::chosen()? {
        let (_host, browser) = open(engine, "").await?;
        let run = async |link: &str| {
            let text = browser.client.execute_async(RUN, vec![link.into()]).await?;
            let answer: Value = serde_json::from_str(text.as_str().unwrap_or_default())?;
            match answer.get("error") {
                Some(error) => Err(Error::from(format!("{link}: {error}"))),
                None => Ok(answer),
            }
        };
        let mut lines = String::new();
        for link in answers::LINKS {
            let answer = run(link).await?;
            let outputs: Vec<Vec<u8>> = serde_json::from_value(answer["outputs"].clone())?;
            lines += &answers::line(link, &answer["summary"], &answer["frame"], &outputs);
        }
        assert_eq!(lines, recorded, "{engine:?}");
        for (link, expected) in COUNTED.iter().zip(&counted) {
            let summary = &run(link).await?["summary"];
            let counters = expected["counters"].as_object().ok_or("no counters")?;
            assert!(counters.len() > 20, "{link}: {} counters", counters.len());
            for (name, value) in counters {
                let here = summary["counters"][name].as_f64().map(f64::to_bits);
                let there = value.as_f64().map(f64::to_bits);
                assert_eq!(here, there, "{engine:?}: {name} of {link}: {value}");
            }
            assert_eq!(summary["cycles"], expected["cycles"], "{engine:?}: {link}");
        }
        close(browser).await?;
    }
    Ok(())
}

/// The views whose pictures are compared, with a scenario for each.
const PICTURES: [&str; 5] = [
    "v1;arch=gf100;kernel=matmul-tiled;view=sm;cycle=900",
    "v1;kernel=transpose-tiled;view=banks;cycle=1400",
    "v1;kernel=transpose-tiled;view=timeline;cycle=700",
    "v1;arch=gv100;kernel=matmul-tiled;view=occupancy;cycle=400",
    "v1;arch=gp104;kernel=saxpy;view=registers;cycle=200",
];

/// Paints no text, so that only shapes are compared.
pub(crate) const NO_TEXT: &str = "CanvasRenderingContext2D.prototype.fillText = () => {};";

/// The size of the stage in pixels, equal in every engine whatever its fonts.
const STAGE: (usize, usize) = (900, 560);

/// Gives the stage the same size in every engine.
async fn same_stage(browser: &Browser) -> Result<(), Error> {
    let (width, height) = STAGE;
    browser
        .script(&format!(
            "const style = document.querySelector('#stage-panel .canvas').style;
             style.position = 'fixed';
             style.left = style.top = '0';
             style.overflow = 'hidden';
             style.scrollbarGutter = 'auto';
             style.width = '{width}px';
             style.height = '{height}px';"
        ))
        .await?;
    browser
        .wait_until(&format!(
            "const frame = document.querySelector('#stage-panel .canvas');
             const canvas = frame.querySelector('canvas');
             return frame.clientWidth === {width} && frame.clientHeight === {height}
                 && Math.round(canvas.width / devicePixelRatio) === {width};"
        ))
        .await
}

#[tokio::test]
async fn every_engine_draws_the_same_pictures() -> Result<(), Error> {
    let mut first: Option<Vec<Picture>> = None;
    for engine in Engine::chosen()? {
        let host = Host::start()?;
        host.before_page(NO_TEXT);
        let browser = Browser::start_engine(engine, SIZE.0, SIZE.1).await?;
        let mut pictures = Vec::new();
        for link in PICTURES {
            browser.client.goto("about:blank").await?;
            browser
                .open(&host.address(&format!("{link};theme=light")))
                .await?;
            same_stage(&browser).await?;
            pictures.push(settled_picture(&browser, CANVAS).await?);
        }
        match &first {
            None => first = Some(pictures),
            Some(first) => {
                for ((link, picture), first) in PICTURES.iter().zip(&pictures).zip(first) {
                    let differences = picture.differences(first)?;
                    assert!(differences.is_empty(), "{engine:?}: {link}: {differences:?}");
                }
            }
        }
        browser.close().await?;
    }
    // A missing shape of three by three cells would differ wherever there is one: the picture is not mere paper.
    for (link, picture) in PICTURES.iter().zip(first.iter().flatten()) {
        let mut found = 0;
        for y in (0..picture.height - 5 * CELL).step_by(3 * CELL) {
            for x in (0..picture.width - 5 * CELL).step_by(3 * CELL) {
                let part = picture.part((x, y), (5 * CELL, 5 * CELL));
                let mut without = part.clone();
                without.erase((CELL, CELL), (3 * CELL, 3 * CELL));
                found += usize::from(!part.differences(&without)?.is_empty());
            }
        }
        assert!(found > 20, "{link}: {found} shapes");
    }
    Ok(())
}

/// The pixels of the stage's canvas.
const CANVAS: &str = "return arguments[0].toDataURL('image/png');";

/// The stage's picture when it no longer changes, as a script returns it for the canvas.
pub(crate) async fn settled_picture(browser: &Browser, script: &str) -> Result<Picture, Error> {
    let canvas = browser.find("stage-canvas").await?;
    let mut last = Vec::new();
    for _ in 0..100 {
        let data = browser
            .client
            .execute(script, vec![serde_json::to_value(&canvas)?])
            .await?;
        let data = data
            .as_str()
            .and_then(|data| data.split_once(','))
            .ok_or("no data")?;
        let bytes = data.1.as_bytes().to_vec();
        if bytes == last {
            return Picture::of_png(&BASE64.decode(data.1)?);
        }
        last = bytes;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
    Err("the picture changes all the time".into())
}
