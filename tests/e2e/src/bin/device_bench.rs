//! Measures launches that fill a device in the built page and prints one JSON array: for each launch, architecture, and
//! number of cores that the page sees, seconds until the Device view is complete, the longest pause of the page, and the most
//! memory of the browser's process that has the page and its workers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

/// Runs of each launch. The result is the median, and the most memory of all runs.
const NUM_RUNS: usize = 3;
/// Idle time of a newly started browser, which builds its own window meanwhile.
const OWN_START: Duration = Duration::from_millis(1500);
/// The time limit of a run.
const PATIENCE: Duration = Duration::from_mins(2);
/// The pause between two looks at the memory.
const LOOK: Duration = Duration::from_millis(50);

/// The launches: a name, and the link without the architecture.
const LAUNCHES: [(&str, &str); 3] = [
    (
        "vector add, 2^20 elements",
        "kernel=vector-add;grid=4096;block=256;args=in:f32*1048576:lcg1,in:f32*1048576:lcg2,out:f32*1048576:zero,i32:1048576",
    ),
    (
        "transpose, 1024 x 1024",
        "kernel=transpose-tiled;grid=32x32;block=32x8;args=out:f32*1048576:zero,in:f32*1048576:lcg1,i32:1024,i32:1024",
    ),
    (
        "product, 512 x 512",
        "kernel=matmul-tiled;grid=32x32;block=16x16;args=out:f32*262144:zero,in:f32*262144:lcg3,in:f32*262144:lcg4,i32:512",
    ),
];

/// Runs before the page's own scripts: the number of cores that the page sees, and the longest pause of its thread.
const WATCH: &str = "
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => CORES });
    window.longestPause = 0;
    let last = performance.now();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
        const now = performance.now();
        if (document.body) window.longestPause = Math.max(window.longestPause, now - last);
        last = now;
        setTimeout(() => channel.port2.postMessage(''), 1);
    };
    channel.port2.postMessage('');";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let host = Host::start()?;
    let mut rows = Vec::new();
    for (what, launch) in LAUNCHES {
        for arch in ["gv100", "tu102"] {
            for cores in [1, 2, 4] {
                let link = format!("v1;{launch};arch={arch};view=device");
                let mut runs = Vec::new();
                for _ in 0..NUM_RUNS {
                    runs.push(run(&host, &link, cores).await?);
                }
                let of = |name: &str| {
                    let mut values: Vec<f64> = runs.iter().filter_map(|run| run[name].as_f64()).collect();
                    values.sort_by(f64::total_cmp);
                    values
                };
                let most = |name: &str| of(name).last().copied();
                let row = json!({
                    "what": what,
                    "arch": arch,
                    "cores": cores,
                    "seconds": of("seconds").get(NUM_RUNS / 2),
                    "pause_ms": most("pause_ms"),
                    "memory_mb": most("memory_mb"),
                    "own_mb": most("own_mb"),
                    "headline": runs[0]["headline"],
                });
                eprintln!("{row}");
                rows.push(row);
            }
        }
    }
    println!("{}", Value::Array(rows));
    Ok(())
}

/// One run with a new browser profile.
async fn run(host: &Host, link: &str, cores: u32) -> Result<Value, Error> {
    let browser = Browser::start(1440, 900).await?;
    browser
        .before_page(&WATCH.replace("CORES", &cores.to_string()))
        .await?;
    tokio::time::sleep(OWN_START).await;
    let memory = Memory::watch();
    let start = Instant::now();
    browser.client.goto(&host.address(link)).await?;
    let headline = loop {
        let script = "return document.querySelector('[data-testid=headline]')?.textContent;";
        let text = browser.script(script).await?;
        if let Some(text) = text.as_str().filter(|text| text.contains("blocks run on")) {
            break text.to_owned();
        }
        if start.elapsed() > PATIENCE {
            return Err(format!("{link} does not end").into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let seconds = start.elapsed().as_secs_f64();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let pause = browser.script("return window.longestPause;").await?;
    let (memory_mb, own_mb) = memory.most();
    browser.close().await?;
    Ok(json!({
        "seconds": seconds,
        "pause_ms": pause,
        "memory_mb": memory_mb,
        "own_mb": own_mb,
        "headline": headline,
    }))
}

/// The most memory of any renderer process of this program's browsers, watched by a thread. Linux only; elsewhere nothing is found.
struct Memory {
    most: Arc<[AtomicU64; 2]>,
    ends: Arc<AtomicBool>,
}

impl Memory {
    fn watch() -> Self {
        let memory = Self {
            most: Arc::default(),
            ends: Arc::default(),
        };
        let (most, ends) = (Arc::clone(&memory.most), Arc::clone(&memory.ends));
        std::thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                for (resident, own) in renderers() {
                    most[0].fetch_max(resident, Ordering::Relaxed);
                    most[1].fetch_max(own, Ordering::Relaxed);
                }
                std::thread::sleep(LOOK);
            }
        });
        memory
    }

    /// MB so far: all resident pages, and those that are not of a file.
    fn most(&self) -> (Option<u64>, Option<u64>) {
        let megabytes = |kilobytes: &AtomicU64| {
            let kilobytes = kilobytes.load(Ordering::Relaxed);
            (kilobytes > 0).then_some(kilobytes / 1024)
        };
        (megabytes(&self.most[0]), megabytes(&self.most[1]))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
    }
}

/// KB of each renderer among this program's descendants.
fn renderers() -> Vec<(u64, u64)> {
    let mut children: HashMap<u32, Vec<(u32, bool, u64, u64)>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let Ok(status) = std::fs::read_to_string(entry.path().join("status")) else {
            continue;
        };
        let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let is_renderer = String::from_utf8_lossy(&arguments).contains("--type=renderer");
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            number.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0)
        };
        let process = (id, is_renderer, field("VmRSS:"), field("RssAnon:"));
        children
            .entry(u32::try_from(field("PPid:")).unwrap_or(0))
            .or_default()
            .push(process);
    }
    let mut found = Vec::new();
    let mut open = vec![std::process::id()];
    while let Some(parent) = open.pop() {
        for &(id, is_renderer, resident, own) in children.get(&parent).into_iter().flatten() {
            open.push(id);
            if is_renderer {
                found.push((resident, own));
            }
        }
    }
    found
}
