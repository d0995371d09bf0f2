//! Measures the built page in Chromium and prints one JSON object: the first picture with a cold cache, frames during
//! playback, simulation in workers, seeks in a long run, memory, and the tasks that block the main thread.
//!
//! `WARPSCOPE_KERNELS` holds the kernels to simulate: a JSON list of `{ "id", "link" }`.

use std::time::Duration;

use serde_json::{Map, Value, json};
use warpscope_e2e::{Browser, Error, Host, first_of_tab};

/// The number of cold starts. The result is the median, and the longest task of all starts.
const NUM_STARTS: usize = 5;

/// The number of times each link is opened. The result is the longest task.
const NUM_OPENINGS: usize = 3;

/// Idle time of a newly started browser, which builds its own window in a process that also loads pages. That work is
/// not the page's.
const OWN_START: Duration = Duration::from_millis(1500);

/// A full SM: 64 warps with memory stalls, barriers, and bank conflicts; one cycle per frame.
const PLAYED: &str = "v1;arch=gv100;kernel=transpose-tiled;grid=4x4;args=out:f32*16384:zero,in:f32*16384:lcg1,i32:128,i32:128;speed=60";

/// A run of 64 warps and 1.24 million cycles, with barriers, shared memory, and divergence.
const MILLION: &str =
    "v1;arch=gv100;kernel=reduce-interleaved;grid=4000;args=in:i32*1024000:lcg2,out:i32*4000:zero";

/// The same kernel on four architectures.
const FOUR: &str = "v1;arch=gf100;kernel=transpose-naive;compare=gp104,gv100,tu102";

/// Links that are opened with new browser profiles, and their names in the output.
const OPENED: [(&str, &str); 4] = [
    ("opening a link", PLAYED),
    (
        "opening a link of a view with plots",
        "v1;kernel=matmul-tiled;view=occupancy",
    ),
    ("opening a comparison of four", FOUR),
    ("opening a link of a long run, to its end", MILLION),
];

/// Kernels between which the page switches.
const SWITCHED: [&str; 6] = [
    "v1;kernel=saxpy",
    "v1;kernel=matmul-tiled;arch=gp104",
    "v1;kernel=reduce-shuffle;arch=gv100",
    "v1;kernel=transpose-padded;arch=gf100",
    "v1;kernel=pointer-chase;arch=tu102",
    "v1;kernel=histogram-private;arch=gp100",
];

/// 64 warps whose lanes spin on one lock; every picture shows the maximum number of issues.
const LOCKS: &str = "v1;arch=gv100;kernel=lock-spin;grid=32;block=64;args=mutex:i32*1:zero,total:i32*1:zero,in:i32*2048:lcg2;view=divergence;weave=far;speed=60";

/// All views by their IDs in links.
const VIEWS: [&str; 11] = [
    "sm",
    "timeline",
    "stalls",
    "banks",
    "coalescing",
    "caches",
    "carveout",
    "registers",
    "source",
    "divergence",
    "occupancy",
];

/// The name of the picture of [`LOCKS`] in the output.
const OF_LOCKS: &str = "divergence of a spin lock, zoomed out";

/// The key in WebDriver's notation.
const KEY_HOME: char = '\u{e011}';

/// Duration of playback in each view.
const PLAYING: Duration = Duration::from_secs(4);

/// Number of seeks in each view.
const NUM_SEEKS: usize = 40;

/// Runs before the page's own script: records tasks that block the page for more than 50 ms, and the program's
/// memory.
const WATCH: &str = "
    window.longTasks = [];
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
    }).observe({ type: 'longtask', buffered: true });
    window.memories = [];
    for (const name of ['instantiate', 'instantiateStreaming']) {
        const own = WebAssembly[name].bind(WebAssembly);
        WebAssembly[name] = async (...args) => {
            const made = await own(...args);
            const memory = (made.instance ?? made).exports?.memory;
            if (memory) window.memories.push(memory);
            return made;
        };
    }";

/// Measures the work of every animation frame: the callbacks and their microtasks.
const WATCH_FRAMES: &str = "
    const request = window.requestAnimationFrame.bind(window);
    window.frameTimes = [];
    window.requestAnimationFrame = callback => request(time => {
        const start = performance.now();
        callback(time);
        Promise.resolve().then(() => Promise.resolve()).then(() => window.frameTimes.push(performance.now() - start));
    });";

/// Milliseconds from the start of the navigation to the mark after the first picture of a run; null before the
/// mark.
const FIRST_PICTURE: &str = "return performance.getEntriesByName('first-picture')[0]?.startTime ?? null;";

/// The page's record of a finished run; null before the end.
const SIMULATED: &str = "return performance.getEntriesByName('simulated').at(-1)?.detail ?? null;";

/// Seeks all over the run by pressing the strip, from one task to the next: update, scene, and paint. The
/// milliseconds are stored in `window.seekTimes`.
const SEEK: &str = "
    window.seekTimes = null;
    (async num => {
        const strip = document.querySelector('[data-testid=strip]'), box = strip.getBoundingClientRect();
        const turn = () => new Promise(next => {
            const channel = new MessageChannel();
            channel.port1.onmessage = next;
            channel.port2.postMessage(0);
        });
        const times = [];
        for (let idx = 0; idx < num; idx++) {
            // Odd steps, so that no alignment with the checkpoints is favored.
            const clientX = box.left + (idx * 0.618034 % 1) * box.width;
            const start = performance.now();
            strip.dispatchEvent(new PointerEvent('pointerdown', { clientX, clientY: box.top + 20, bubbles: true, buttons: 1 }));
            await turn();
            times.push(performance.now() - start);
            strip.dispatchEvent(new PointerEvent('pointerup', { clientX, clientY: box.top + 20, bubbles: true }));
            await new Promise(next => setTimeout(next, 30));
        }
        window.seekTimes = times;
    })(NUM).catch(error => { window.seekTimes = String(error); });";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let host = Host::start()?;
    let mut starts = Vec::new();
    let mut busy = Map::new();
    for _ in 0..NUM_STARTS {
        let (first, longest) = cold_start(&host).await?;
        starts.push(first);
        let worst = busy.get("cold load").and_then(Value::as_f64).unwrap_or(0.0);
        busy.insert("cold load".to_owned(), json!(longest.max(worst)));
    }
    starts.sort_by(f64::total_cmp);
    for (what, link) in OPENED {
        busy.insert(what.to_owned(), json!(opening(&host, what, link).await?));
    }

    let browser = watched().await?;
    let user_agent = browser.script("return navigator.userAgent;");
    let user_agent = user_agent.await?;
    browser.open(&host.address(PLAYED)).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    longest_task(&browser).await?;
    browser.script(WATCH_FRAMES).await?;
    let mut views = Map::new();
    for view in VIEWS.into_iter().chain([OF_LOCKS]) {
        if view == OF_LOCKS {
            simulated(&browser, LOCKS).await?;
            longest_task(&browser).await?;
        } else {
            choose(&browser, view).await?;
        }
        browser.press(KEY_HOME).await?;
        browser.press(' ').await?;
        browser.script("window.frameTimes.length = 0;").await?;
        tokio::time::sleep(PLAYING).await;
        let times = browser.script("return window.frameTimes;").await?;
        browser.press(' ').await?;
        views.insert(view.to_owned(), percentiles(&times)?);
        let longest = longest_task(&browser).await?.as_f64().unwrap_or(0.0);
        eprintln!("frames of {view}: done, longest task {longest:.0} ms");
        let worst = busy
            .get("playing each view")
            .and_then(Value::as_f64)
            .unwrap_or(0.0);
        busy.insert("playing each view".to_owned(), json!(longest.max(worst)));
    }
    for link in SWITCHED {
        simulated(&browser, link).await?;
    }
    busy.insert("switching kernels".to_owned(), longest_task(&browser).await?);
    let long = long_run(&browser, &mut busy).await?;
    let kernels = kernels(&browser).await?;
    browser.close().await?;

    println!(
        "{}",
        json!({
            "browser": user_agent,
            "first_picture_ms": starts[NUM_STARTS / 2],
            "frames_ms": views,
            "longest_task_ms": busy,
            "long_run": long,
            "kernels": kernels,
        })
    );
    Ok(())
}

/// A browser that records long tasks.
async fn watched() -> Result<Browser, Error> {
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(WATCH).await?;
    tokio::time::sleep(OWN_START).await;
    Ok(browser)
}

/// The longest task while a link opens, up to one second after the end of its runs, over several new browser
/// profiles.
async fn opening(host: &Host, what: &str, link: &str) -> Result<f64, Error> {
    let mut worst: f64 = 0.0;
    for _ in 0..NUM_OPENINGS {
        let browser = watched().await?;
        browser.client.goto(&host.address(link)).await?;
        ended(&browser, link).await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let longest = longest_task(&browser).await?.as_f64().unwrap_or(0.0);
        eprintln!("{what}: longest task {longest:.0} ms");
        worst = worst.max(longest);
        browser.close().await?;
    }
    Ok(worst)
}

/// Milliseconds to the first picture in a new browser profile, and the longest task.
async fn cold_start(host: &Host) -> Result<(f64, f64), Error> {
    let browser = watched().await?;
    browser.client.goto(&host.address("")).await?;
    for _ in 0..200 {
        if let Some(time) = browser.script(FIRST_PICTURE).await?.as_f64() {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let longest = longest_task(&browser).await?.as_f64().unwrap_or(0.0);
            eprintln!("a cold start: first picture after {time:.0} ms, longest task {longest:.0} ms");
            browser.close().await?;
            return Ok((time, longest));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err("no picture within 10 s".into())
}

/// Shows a view without focusing its tab, so that keys reach the page.
async fn choose(browser: &Browser, view: &str) -> Result<(), Error> {
    let click = |testid: &str| format!("document.querySelector('[data-testid={testid}]')?.click();");
    let (tab, section) = (format!("views-{}", first_of_tab(view)), format!("tab-{view}"));
    let in_menu = format!("more-{view}");
    if !browser.has(&section).await? {
        browser.script(&click("more-views")).await?;
        if browser.has(&in_menu).await? {
            return browser.script(&click(&in_menu)).await.map(|_| ());
        }
        browser.script(&click("more-views")).await?;
        browser.script(&click(&tab)).await?;
    }
    browser.script(&click(&section)).await.map(|_| ())
}

/// The longest task since the last call; 0 if no task took more than 50 ms, the browser's reporting limit.
async fn longest_task(browser: &Browser) -> Result<Value, Error> {
    let script =
        "const longest = Math.max(0, ...window.longTasks); window.longTasks.length = 0; return longest;";
    browser.script(script).await
}

/// Opens a link in the current page and waits for the end of its run. Returns the worker's record.
async fn simulated(browser: &Browser, link: &str) -> Result<Value, Error> {
    let link = serde_json::to_string(link)?;
    let script = format!("performance.clearMarks('simulated'); location.hash = '#' + {link};");
    browser.script(&script).await?;
    ended(browser, &link).await
}

/// Waits for the end of a link's run. Returns the worker's record.
async fn ended(browser: &Browser, link: &str) -> Result<Value, Error> {
    for _ in 0..1_200 {
        let run = browser.script(SIMULATED).await?;
        if !run.is_null() {
            return Ok(run);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("{link} does not end within two minutes").into())
}

/// Million warp instructions per second of each kernel in a worker: the better of two separated runs.
async fn kernels(browser: &Browser) -> Result<Value, Error> {
    let list: Vec<Value> = match std::env::var("WARPSCOPE_KERNELS") {
        Ok(list) => serde_json::from_str(&list)?,
        Err(_) => Vec::new(),
    };
    let mut speeds = Map::new();
    // Opening the link of the current run starts nothing, so a single kernel has one run.
    for _ in 0..list.len().min(2) {
        for kernel in &list {
            let (Some(id), Some(link)) = (kernel["id"].as_str(), kernel["link"].as_str()) else {
                return Err(format!("not a kernel: {kernel}").into());
            };
            let run = simulated(browser, link).await?;
            let number = |key: &str| run[key].as_f64().unwrap_or(f64::NAN);
            let speed = number("issues") / number("busyMs") / 1e3;
            let before = speeds.get(id).and_then(Value::as_f64).unwrap_or(0.0);
            speeds.insert(id.to_owned(), json!(speed.max(before)));
        }
    }
    Ok(Value::Object(speeds))
}

/// A long run: its cost, and the time of seeks to any cycle.
async fn long_run(browser: &Browser, busy: &mut Map<String, Value>) -> Result<Value, Error> {
    let mut run = simulated(browser, MILLION).await?;
    eprintln!("the long run: {run}");
    busy.insert("a long run".to_owned(), longest_task(browser).await?);
    let mut seeks = Map::new();
    for view in VIEWS {
        choose(browser, view).await?;
        tokio::time::sleep(Duration::from_millis(300)).await;
        browser
            .script(&SEEK.replace("NUM", &NUM_SEEKS.to_string()))
            .await?;
        let times = loop {
            let times = browser.script("return window.seekTimes;").await?;
            if !times.is_null() {
                break times;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        eprintln!("seeks in {view}: done");
        seeks.insert(view.to_owned(), percentiles(&times)?);
    }
    busy.insert("seeking in it".to_owned(), longest_task(browser).await?);
    run["seeks_ms"] = Value::Object(seeks);
    let memory = "return window.memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);";
    run["memory_bytes"] = browser.script(memory).await?;
    Ok(run)
}

fn percentiles(times: &Value) -> Result<Value, Error> {
    let mut times: Vec<f64> = times
        .as_array()
        .ok_or_else(|| format!("no times: {times}"))?
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        times
            .get((times.len() * percent / 100).min(times.len().saturating_sub(1)))
            .copied()
    };
    Ok(json!({ "num": times.len(), "median": at(50), "p95": at(95), "most": times.last() }))
}
