//! A stopwatch of the thread's CPU time, which excludes other processes. Systems that do not report CPU time per thread
//! use wall-clock time.

use std::time::{Duration, Instant};

/// Measures the time since its start.
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

/// Returns the CPU time of the thread in nanoseconds, if the system reports it.
///
/// Linux reports the time as the first number of a file. Linux updates the number when the thread yields the CPU, or
/// every few milliseconds, so this function sleeps first.
fn cpu_nanoseconds() -> Option<u64> {
    std::thread::sleep(Duration::from_micros(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok()
}
