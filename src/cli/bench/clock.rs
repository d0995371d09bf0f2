//! Time that this thread had a processor, where the system tells it: what else runs beside does not
//! count. Elsewhere the clock on the wall.

use std::time::{Duration, Instant};

/// Measures from its start.
pub(super) struct Stopwatch {
    wall: Instant,
    cpu: Option<u64>,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self {
            cpu: cpu_nanoseconds(),
            wall: Instant::now(),
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64();
        match (self.cpu, cpu_nanoseconds()) {
            (Some(start), Some(end)) if end > start => (end - start) as f64 / 1e9,
            _ => wall,
        }
    }
}

/// Linux tells it as the first number of a file, and counts it when a thread gives its processor up, or
/// else at ticks some milliseconds apart: so it gives it up first.
fn cpu_nanoseconds() -> Option<u64> {
    std::thread::sleep(Duration::from_micros(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok()
}
