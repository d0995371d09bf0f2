//! What the machine is that was measured.

use std::fs;

use crate::step::{command, output};

/// Rows of a name and a value; no names of hosts, no paths.
pub(super) fn describe(browser: &str) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let mut push = |name, value: Option<String>| {
        rows.extend(value.map(|value| (name, value)));
    };
    push("processor", processor());
    let threads = std::thread::available_parallelism();
    push("threads", threads.ok().map(|num| num.to_string()));
    push("memory", memory());
    push(
        "system",
        Some(format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)),
    );
    push("Rust", output(&mut command("rustc", &["--version"])).map(trimmed));
    push("browser", Some(browser_name(browser)));
    rows
}

fn trimmed(text: String) -> String {
    text.trim().to_owned()
}

/// The processor's model, as Linux knows it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split(':').nth(1)?.trim().to_owned())
}

fn memory() -> Option<String> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.0} GB", kilobytes / 1e6))
}

/// The product in a user agent: `HeadlessChrome/120.0.0.0`.
fn browser_name(agent: &str) -> String {
    let product = agent.split_whitespace().find(|word| word.contains("Chrom"));
    product.unwrap_or(agent).replace('/', " ")
}
