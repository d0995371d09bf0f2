//! Measures the start of the built page at each of four addresses and prints one JSON array: files until the first
//! picture, milliseconds to the first picture and to the first response to a key, and the longest task.

use std::time::Duration;

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

/// Cold starts of each address. The result is the median, and the longest task of all starts.
const NUM_STARTS: usize = 5;
/// Idle time of a newly started browser, which builds its own window meanwhile.
const OWN_START: Duration = Duration::from_millis(1500);
/// The time limit of a start.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs before the page's own script: records tasks of over 50 ms, presses a key every 20 ms, and notes when the cycle
/// changes.
const WATCH: &str = "
    window.longTasks = [];
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) window.longTasks.push([entry.startTime, entry.duration]);
    }).observe({ type: 'longtask', buffered: true });
    window.answered = null;
    let first = null;
    const press = setInterval(() => {
        const cycle = document.querySelector('[data-testid=cycle]');
        const text = cycle && (cycle.value ?? cycle.textContent);
        first ??= text;
        if (text !== null && text !== first) {
            window.answered = performance.now();
            return clearInterval(press);
        }
        document.body?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    }, 20);";

/// The marks and the files, after both are complete; null before. Every file that the page requested counts.
const STARTED: &str = "
    const picture = performance.getEntriesByName('first-picture')[0]?.startTime;
    if (!picture || !window.answered) return null;
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? picture;
    const files = performance.getEntriesByType('resource').map(entry => entry.name);
    const shown = 'link' in document.documentElement.dataset ? picture : Math.min(paint, picture);
    const longest = Math.max(0, ...window.longTasks.filter(([start]) => start > shown).map(task => task[1]));
    return { picture, shown, answered: window.answered, files, longest };";

/// A kernel of 2 KB that is not in the library.
fn own_kernel() -> String {
    let mut source = String::from(
        "__global__ void smooth(float *out, const float *in, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = 0.0f;\n",
    );
    let mut tap = 1;
    while source.len() < 1_950 {
        let (whole, tenths) = (tap % 7, tap % 10);
        let line = format!("    if (i + {tap} < n) sum += in[i + {tap}] * {whole}.{tenths}f;\n");
        source.push_str(&line);
        tap += 1;
    }
    source + "    if (i < n) out[i] = sum;\n}\n"
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let host = Host::start()?;
    let own = own_link(&host).await?;
    let addresses = [
        ("the bare address", String::new()),
        (
            "a link to Banks",
            "v1;kernel=transpose-naive;view=banks;cycle=300".to_owned(),
        ),
        ("a link with an own kernel of 2 KB", own),
        (
            "a comparison of four",
            "v1;arch=gf100;kernel=transpose-naive;compare=gp104,gv100,tu102".to_owned(),
        ),
    ];
    let mut rows = Vec::new();
    for (what, fragment) in addresses {
        let mut starts = Vec::new();
        for _ in 0..NUM_STARTS {
            starts.push(start(&host, &fragment).await?);
        }
        let median = |name: &str| {
            let mut values: Vec<f64> = starts.iter().filter_map(|start| start[name].as_f64()).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let longest = starts
            .iter()
            .filter_map(|start| start["longest"].as_f64())
            .fold(0.0, f64::max);
        let row = json!({
            "what": what,
            "files": starts[0]["files"],
            "shown_ms": median("shown"),
            "picture_ms": median("picture"),
            "answer_ms": median("answered"),
            "longest_task_ms": longest,
        });
        eprintln!("{what}: {row}");
        rows.push(row);
    }
    println!("{}", Value::Array(rows));
    Ok(())
}

/// The link of a custom kernel, written by the page's API.
async fn own_link(host: &Host) -> Result<String, Error> {
    let browser = Browser::start(1440, 900).await?;
    browser.client.goto(&host.address("")).await?;
    browser.wait_until("return !!window.warpscope;").await?;
    let scenario = json!({ "source": own_kernel(), "args": "out:f32*1024:zero,in:f32*1024:lcg1,i32:1024", "grid": [4], "block": [256] });
    let link = browser
        .script(&format!("return warpscope.link.encode({scenario});"))
        .await?;
    browser.close().await?;
    Ok(link.as_str().ok_or("no link")?.trim_start_matches('#').to_owned())
}

/// One start with a new browser profile.
async fn start(host: &Host, fragment: &str) -> Result<Value, Error> {
    let browser = Browser::start(1440, 900).await?;
    browser.before_page(WATCH).await?;
    tokio::time::sleep(OWN_START).await;
    browser.client.goto(&host.address(fragment)).await?;
    let begin = std::time::Instant::now();
    loop {
        let started = browser.script(STARTED).await?;
        if !started.is_null() {
            browser.close().await?;
            return Ok(started);
        }
        if begin.elapsed() > PATIENCE {
            return Err(format!("`{fragment}` does not start").into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
