//! Runs of the JavaScript API: the worker simulates the whole run and sends its trace and results to the page.

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::JsValue;

use super::clock::now_ms;
use super::message::{get, set};
use engine::trace::Segment;
use workbench::api::Job;
use workbench::app::Report;
use workbench::message::pack;

/// Cycles between two reads of the clock.
const SLICE_CYCLES: u64 = 256;

/// A run of the API.
pub(crate) struct ApiRun {
    job: Job,
    busy_ms: f64,
    report: Report,
}

impl ApiRun {
    /// Starts the run that a message describes.
    ///
    /// # Errors
    /// What is wrong with the scenario, the options, the kernel, or the launch.
    pub(crate) fn start(api: &JsValue) -> Result<Self, String> {
        let json = |name: &str| {
            let text = get(api, name).as_string().unwrap_or_default();
            serde_json::from_str(&text).unwrap_or_default()
        };
        let job = Job::start(&json("scenario"), json("options"))?;
        Ok(Self {
            job,
            busy_ms: 0.0,
            report: Report::default(),
        })
    }

    /// Simulates for one slice of time. Returns the progress.
    pub(crate) fn work(&mut self, slice_ms: f64) -> Report {
        let start = now_ms();
        let progress = loop {
            let progress = self.job.advance(SLICE_CYCLES);
            if progress.finished || now_ms() - start >= slice_ms {
                break progress;
            }
        };
        self.busy_ms += now_ms() - start;
        self.report = Report {
            cycles: progress.cycles,
            issues: progress.issues,
            busy_ms: self.busy_ms,
            finished: progress.finished,
        };
        self.report
    }

    /// The trace since the last call.
    pub(crate) fn segments(&mut self) -> Vec<Segment> {
        self.job.take_segments()
    }

    /// The last progress, the rest of the trace, and the message with the results of the finished run.
    pub(crate) fn finish(self, number: f64) -> (Report, Vec<Segment>, Object) {
        let (segments, finished) = self.job.finish();
        let message = Object::new();
        set(&message, "number", number);
        set(&message, "summary", finished.summary().to_string());
        set(&message, "link", finished.link());
        set(
            &message,
            "program",
            Uint8Array::from(pack(finished.trace().program()).as_slice()),
        );
        let outputs = Array::new();
        for output in finished.outputs() {
            let object = Object::new();
            set(&object, "argument", output.argument as f64);
            set(&object, "name", output.name.as_str());
            set(&object, "type", output.type_name());
            set(&object, "bytes", Uint8Array::from(output.bytes.as_slice()));
            outputs.push(&object);
        }
        set(&message, "outputs", outputs);
        (self.report, segments, message)
    }
}
