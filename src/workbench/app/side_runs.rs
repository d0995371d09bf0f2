//! Runs beside the trace: the checks, the launch on a whole device, and the host program. Each is a job with an engine of
//! its own, which a worker or this thread executes.

use std::sync::Arc;

use serde::Serialize;

use super::jobs::{Job, JobKind, Report, next_number};

/// A run beside the trace in progress, on any thread.
pub trait SideEngine: Sized {
    /// The result of the run, which a worker sends as JSON.
    type Record: std::fmt::Debug + Serialize;
    /// The purpose of the run.
    const KIND: JobKind;

    /// Loads the inputs of a link.
    ///
    /// # Errors
    /// A sentence, if the run cannot start.
    fn start(link: &str) -> Result<Self, String>;

    /// Simulates for a slice of time. Returns the progress, and the record at the end.
    fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> (Report, Option<Self::Record>);
}

/// The progress of a run.
#[derive(Debug)]
pub(super) enum SideState<R> {
    /// Simulated up to this cycle.
    Runs(u64),
    /// Stopped by the user in this cycle.
    Stopped(u64),
    /// Failed, with the reason.
    Lost(String),
    /// Finished.
    Done(Arc<R>),
}

#[derive(Debug)]
struct SideRun<E: SideEngine> {
    number: u64,
    /// All inputs of the run, as a link.
    link: Arc<str>,
    state: SideState<E::Record>,
    /// The engine, if this thread simulates.
    engine: Option<Box<E>>,
}

impl<E: SideEngine> SideRun<E> {
    const fn is_open(&self) -> bool {
        matches!(self.state, SideState::Runs(_))
    }
}

/// The requested runs of one kind.
#[derive(Debug)]
pub(super) struct SideRuns<E: SideEngine> {
    runs: Vec<SideRun<E>>,
    revision: u64,
}

impl<E: SideEngine> Default for SideRuns<E> {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            revision: 0,
        }
    }
}

impl<E: SideEngine> SideRuns<E> {
    /// Requests the runs of these links and no others. Runs that are known continue.
    pub(super) fn request(&mut self, links: &[Arc<str>]) {
        self.runs.retain(|run| links.contains(&run.link));
        for link in links {
            if self.runs.iter().all(|run| run.link != *link) {
                self.runs.push(SideRun {
                    number: next_number(),
                    link: Arc::clone(link),
                    state: SideState::Runs(0),
                    engine: None,
                });
            }
        }
    }

    /// Requests the runs of these links and no others. Without links, it keeps the finished runs, for a return to the view.
    pub(super) fn request_or_keep(&mut self, links: &[Arc<str>]) {
        if links.is_empty() {
            self.runs.retain(|run| matches!(run.state, SideState::Done(_)));
        } else {
            self.request(links);
        }
    }

    /// Stops the unfinished runs in their current cycle.
    pub(super) fn stop(&mut self) {
        for run in &mut self.runs {
            if let SideState::Runs(cycle) = run.state {
                run.state = SideState::Stopped(cycle);
                run.engine = None;
            }
        }
    }

    /// The runs to perform.
    pub(super) fn jobs(&self) -> impl Iterator<Item = Job> {
        self.runs.iter().filter(|run| run.is_open()).map(|run| Job {
            number: run.number,
            link: Arc::clone(&run.link),
            program: None,
            goes_on: true,
            kind: E::KIND,
        })
    }

    fn settle(&mut self, number: u64, state: SideState<E::Record>) {
        if let Some(run) = self.runs.iter_mut().find(|run| run.number == number) {
            run.state = state;
            self.revision += 1;
        }
    }

    /// Handles the progress of a run.
    pub(super) fn receive(&mut self, number: u64, report: Report) {
        self.settle(number, SideState::Runs(report.cycles));
    }

    /// Handles the record of a run.
    pub(super) fn done(&mut self, number: u64, record: E::Record) {
        self.settle(number, SideState::Done(Arc::new(record)));
    }

    /// Handles the failure of a run, with the reason.
    pub(super) fn lose(&mut self, number: u64, why: &str) {
        self.settle(number, SideState::Lost(why.to_owned()));
    }

    /// Simulates the first unfinished run on this thread for a slice of time. Returns whether any is unfinished.
    pub(super) fn work(&mut self, slice_ms: f64, now_ms: impl Fn() -> f64) -> bool {
        let Some(run) = self.runs.iter_mut().find(|run| run.is_open()) else {
            return false;
        };
        let engine = match run.engine.take() {
            Some(engine) => Ok(engine),
            None => E::start(&run.link).map(Box::new),
        };
        run.state = match engine {
            Err(why) => SideState::Lost(why),
            Ok(mut engine) => match engine.work(slice_ms, now_ms) {
                (_, Some(record)) => SideState::Done(Arc::new(record)),
                (report, None) => {
                    run.engine = Some(engine);
                    SideState::Runs(report.cycles)
                }
            },
        };
        self.revision += 1;
        self.jobs().next().is_some()
    }

    /// A number that changes whenever a picture of a run changes.
    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    /// The state of a link's run; `None` if it is not requested.
    pub(super) fn state(&self, link: Option<&str>) -> Option<&SideState<E::Record>> {
        let link = link?;
        let run = self.runs.iter().find(|run| *run.link == *link)?;
        Some(&run.state)
    }

    /// The record of a link's run, once it has ended.
    pub(super) fn record(&self, link: Option<&str>) -> Option<&Arc<E::Record>> {
        match self.state(link)? {
            SideState::Done(record) => Some(record),
            _ => None,
        }
    }

    /// Why a link's run failed, if it did.
    pub(super) fn failure(&self, link: Option<&str>) -> Option<&str> {
        match self.state(link)? {
            SideState::Lost(why) => Some(why),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of ten cycles a slice, as long as its link says; a link without a number does not start.
    #[derive(Debug)]
    struct Count {
        cycles: u64,
        end: u64,
    }

    impl SideEngine for Count {
        type Record = u64;
        const KIND: JobKind = JobKind::Check;

        fn start(link: &str) -> Result<Self, String> {
            let end = link.parse().map_err(|_| format!("{link} is not a number"))?;
            Ok(Self { cycles: 0, end })
        }

        fn work(&mut self, _: f64, _: impl Fn() -> f64) -> (Report, Option<u64>) {
            self.cycles += 10;
            let report = Report {
                cycles: self.cycles,
                ..Report::default()
            };
            (report, (self.cycles >= self.end).then_some(self.end))
        }
    }

    fn requested(links: &[&str]) -> SideRuns<Count> {
        let mut runs = SideRuns::default();
        runs.request(&links.iter().map(|link| Arc::from(*link)).collect::<Vec<_>>());
        runs
    }

    #[test]
    fn this_thread_works_on_one_run_after_the_other() {
        let mut runs = requested(&["20", "no", "10"]);
        assert!(runs.work(1.0, || 0.0));
        assert!(matches!(runs.state(Some("20")), Some(SideState::Runs(10))));
        let mut slices = 1;
        while runs.work(1.0, || 0.0) {
            slices += 1;
        }
        assert_eq!(slices, 3);
        assert_eq!(runs.record(Some("20")).map(|record| **record), Some(20));
        assert_eq!(runs.failure(Some("no")), Some("no is not a number"));
        assert_eq!(runs.record(Some("10")).map(|record| **record), Some(10));
        assert_eq!(runs.revision(), 4);
    }

    #[test]
    fn a_worker_reports_by_number_and_unknown_numbers_change_nothing() {
        let mut runs = requested(&["20", "30"]);
        let numbers: Vec<u64> = runs.jobs().map(|job| job.number).collect();
        let report = Report {
            cycles: 7,
            ..Report::default()
        };
        runs.receive(numbers[1], report);
        assert!(matches!(runs.state(Some("30")), Some(SideState::Runs(7))));
        runs.done(numbers[1], 30);
        runs.lose(numbers[0], "no memory");
        let revision = runs.revision();
        runs.done(u64::MAX, 1);
        assert_eq!(runs.revision(), revision);
        assert_eq!(runs.record(Some("30")).map(|record| **record), Some(30));
        assert_eq!(runs.failure(Some("20")), Some("no memory"));
        assert_eq!(runs.jobs().count(), 0);
    }

    #[test]
    fn a_request_keeps_known_runs_and_drops_the_others() {
        let mut runs = requested(&["10", "50"]);
        assert!(runs.work(1.0, || 0.0));
        let number = runs.jobs().next().map(|job| job.number);
        runs.request_or_keep(&[]);
        assert_eq!(runs.jobs().count(), 0);
        assert!(runs.record(Some("10")).is_some());
        runs.request(&["10".into(), "50".into()]);
        assert_ne!(runs.jobs().next().map(|job| job.number), number);
        assert!(runs.record(Some("10")).is_some());
        runs.stop();
        assert!(matches!(runs.state(Some("50")), Some(SideState::Stopped(0))));
        runs.request(&[]);
        assert!(runs.state(Some("10")).is_none());
    }
}
