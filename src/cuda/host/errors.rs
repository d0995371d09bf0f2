//! Errors that calls of the CUDA runtime return to the program: the last error, errors that stay, and whether the program
//! looks at them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;
use engine::arch::CudaError;
use engine::isa::Program;

/// A call of the runtime that fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostError {
    /// The line of the call, from 1.
    pub line: u32,
    /// The function of the runtime, or the kernel of a launch.
    pub call: String,
    /// Whether the call is a launch.
    pub is_launch: bool,
    /// What the call returns, or what `cudaGetLastError` returns after a launch.
    pub error: CudaError,
    /// The reason, as a clause: "the grid has size 0 in x".
    pub why: String,
    /// Whether the program reads the error: the call's result, or the last error after it.
    pub is_looked_at: bool,
}

impl HostError {
    /// The error as a sentence, which also states whether the program ignores it.
    pub fn sentence(&self) -> String {
        let what = if self.is_launch {
            "launch".to_owned()
        } else {
            format!("call of {}", self.call)
        };
        // A text that is a sentence stands in parentheses.
        let error = match self.error {
            CudaError::InvalidValue
            | CudaError::MemoryAllocation
            | CudaError::InvalidConfiguration
            | CudaError::InvalidPitchValue
            | CudaError::InvalidSymbol
            | CudaError::InvalidMemcpyDirection
            | CudaError::InvalidDevice
            | CudaError::InvalidResourceHandle
            | CudaError::MisalignedAddress
            | CudaError::LaunchFailure
            | CudaError::CooperativeLaunchTooLarge => self.error.text().to_owned(),
            error => format!("{} ({})", error.name(), error.text()),
        };
        let end = if self.is_looked_at {
            "."
        } else {
            ", and the program does not look."
        };
        format!("This {what} fails with {error}{end}")
    }
}

/// Maximum number of recorded failing calls: as many as recorded launches. Further ones are not listed; a note says so.
const MAX_ERRORS: usize = KEPT;

/// The runtime's state of errors, and of what calls need to detect them.
#[derive(Debug, Default)]
pub(super) struct Errors {
    /// The error that `cudaGetLastError` returns, and whether it is known.
    last: Option<CudaError>,
    last_state: State,
    /// An error that stays, and its reason.
    sticky: Option<(CudaError, String)>,
    /// A fault of a kernel that runs, which the next call that waits returns.
    pending: Option<(CudaError, String)>,
    /// Whether the next call is a statement of its own, so that its result is not read; and whether the current one is.
    is_statement: bool,
    is_discarded: bool,
    /// Dynamic shared memory that kernels may use, by the kernel's name.
    pub(super) dynamic_limits: Vec<(String, u32)>,
    /// Whether a call sets the limit of an unknown kernel, or an unknown limit.
    pub(super) is_limit_unknown: bool,
    /// Events that have been recorded, and events without times.
    pub(super) recorded: BTreeSet<u64>,
    pub(super) untimed: BTreeSet<u64>,
    /// Enabled accesses: GPU and peer.
    pub(super) peers: BTreeSet<(u8, u64)>,
    /// Compiled kernels, for their resources; `None` if a kernel does not compile.
    pub(super) programs: BTreeMap<String, Option<Rc<Program>>>,
}

/// Calls that wait for kernels, and so return their faults.
fn waits(name: &str) -> bool {
    matches!(
        name,
        "cudaDeviceSynchronize"
            | "cudaThreadSynchronize"
            | "cudaStreamSynchronize"
            | "cudaEventSynchronize"
            | "cudaMemcpy"
            | "cudaMemcpy2D"
            | "cudaMemcpyToSymbol"
            | "cudaMemcpyFromSymbol"
            | "cudaFree"
    )
}

/// Calls that succeed though the GPU has faulted (measured on an H200, `tests/facts/runtime_errors.tsv`), because they
/// do not reach it.
fn reaches_no_gpu(name: &str) -> bool {
    matches!(
        name,
        "cudaGetDeviceCount" | "cudaGetDevice" | "cudaRuntimeGetVersion" | "cudaDriverGetVersion"
    )
}

impl Machine {
    /// Notes that a statement is a call of the runtime whose result is not read.
    pub(super) fn note_statement(&mut self, expr: &Expr) {
        let mut expr = expr;
        while let ExprKind::Cast(_, inner) = &expr.kind {
            expr = inner;
        }
        self.errors.is_statement = match &expr.kind {
            ExprKind::Call(callee, _) => {
                matches!(&callee.kind, ExprKind::Name { name, .. } if self.text(*name).starts_with("cuda"))
            }
            _ => false,
        };
    }

    /// A call of a function that the source does not define.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        template_args: &[TemplateArg],
        args: &[Expr],
    ) -> Runs<Value> {
        let is_discarded = std::mem::take(&mut self.errors.is_statement);
        let outer = std::mem::replace(&mut self.errors.is_discarded, is_discarded);
        let value = match self.error_call(name, args)? {
            Some(value) => value,
            None => self.library_function(name, template_args, args)?,
        };
        self.errors.is_discarded = outer;
        Ok(value)
    }

    /// Calls about errors, and calls after an error that stays.
    fn error_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match (name, args) {
            ("cudaGetLastError" | "cudaThreadGetLastError", []) => return Ok(Some(self.last_error(true))),
            ("cudaPeekAtLastError", []) => return Ok(Some(self.last_error(false))),
            ("cudaGetErrorString" | "cudaGetErrorName", [error]) => {
                let is_name = name == "cudaGetErrorName";
                return self.error_text(name, error, is_name).map(Some);
            }
            ("cudaDeviceReset" | "cudaThreadExit", []) => {
                self.errors.pending = None;
                self.errors.last = None;
                self.errors.last_state = KNOWN;
                // Measured: the GPU stays unusable for the process after a fault.
                if let Some((error, _)) = &mut self.errors.sticky {
                    *error = CudaError::DevicesUnavailable;
                }
                return Ok(Some(Value::int(0)));
            }
            // The error checks of NVIDIA's samples (`helper_cuda.h`) end the program.
            ("checkCudaErrors", [result]) => {
                let value = self.eval(result)?;
                if value.is_known() && value.bits != 0 && self.conditions.is_empty() {
                    return Err(Stop::Exit);
                }
                if !self.source.contains("helper_cuda") {
                    let what = format!("that `{name}` has no side effects");
                    self.assume(what, "the source does not define it");
                }
                return Ok(Some(value));
            }
            ("getLastCudaError" | "__getLastCudaError", [..]) => {
                for arg in args {
                    self.eval(arg)?;
                }
                let value = self.last_error(true);
                if value.is_known() && value.bits != 0 && self.conditions.is_empty() {
                    return Err(Stop::Exit);
                }
                return Ok(Some(Value::void()));
            }
            _ => {}
        }
        if !name.starts_with("cuda") {
            // A check that the source does not define: it is assumed to read the last error.
            let word = name.to_ascii_lowercase();
            if word.contains("check") || word.contains("error") {
                self.look();
            }
            return Ok(None);
        }
        if reaches_no_gpu(name) {
            return Ok(None);
        }
        if let Some((error, _)) = self.errors.sticky {
            for arg in args {
                self.eval(arg)?;
            }
            self.look_at_result();
            return Ok(Some(Value::int(error.code().into())));
        }
        if waits(name)
            && self.conditions.is_empty()
            && let Some((error, why)) = self.errors.pending.take()
        {
            for arg in args {
                self.eval(arg)?;
            }
            return Ok(Some(self.fail(error, name, why)));
        }
        Ok(None)
    }

    /// The program looks at the result of the current call, unless the call is a statement.
    pub(super) fn look_at_result(&mut self) {
        if !self.errors.is_discarded {
            self.look();
        }
    }

    /// The program looks at the errors so far.
    fn look(&mut self) {
        for error in &mut self.reading.errors {
            error.is_looked_at = true;
        }
    }

    fn last_error(&mut self, resets: bool) -> Value {
        self.look();
        if let Some((error, _)) = &self.errors.sticky {
            return Value::int(error.code().into());
        }
        let code = self.errors.last.map_or(0, CudaError::code);
        let value = Value::new(Ty::I32, i64::from(code).cast_unsigned(), self.errors.last_state);
        if resets {
            match self.conditions.first() {
                None => (self.errors.last, self.errors.last_state) = (None, KNOWN),
                Some(line) if self.errors.last.is_some() => {
                    let text = format!("the condition at line {line} is unknown");
                    self.errors.last_state = self.reason(text);
                }
                Some(_) => {}
            }
        }
        value
    }

    fn error_text(&mut self, call: &str, error: &Expr, is_name: bool) -> Runs<Value> {
        let line = error.line;
        let error = self.eval(error)?;
        let text = match (error.bits.cast_signed() as i32, error.is_known()) {
            (0, true) if is_name => "cudaSuccess",
            (0, true) => "no error",
            (code, true) => match CudaError::of_code(code) {
                Some(error) if is_name => error.name(),
                Some(error) => error.text(),
                None => return Ok(Value::unknown(self.reason(format!("it comes from `{call}`")))),
            },
            (_, false) => return Ok(Value::unknown(self.reason(format!("it comes from `{call}`")))),
        };
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.eval(&Expr {
            kind: ExprKind::Str(bytes),
            line,
        })
    }

    /// Records that a call of the runtime fails, and returns its result.
    pub(super) fn fail(&mut self, error: CudaError, call: &str, why: String) -> Value {
        let (line, is_looked_at) = (self.line, !self.errors.is_discarded);
        self.failed(HostError {
            line,
            call: call.to_owned(),
            is_launch: false,
            error,
            why,
            is_looked_at,
        })
    }

    /// Records that a function which the CUDA headers define returns an error: the runtime does not know of it.
    pub(super) fn fail_in_header(&mut self, error: CudaError, call: &str, why: String) -> Value {
        let known = (self.errors.last, self.errors.last_state);
        let value = self.fail(error, call, why);
        (self.errors.last, self.errors.last_state) = known;
        value
    }

    /// Records that a launch fails, and returns the result.
    pub(super) fn fail_launch(&mut self, failure: HostError) -> Value {
        if self.errors.sticky.is_some() {
            return Value::int(failure.error.code().into());
        }
        self.failed(failure)
    }

    fn failed(&mut self, failure: HostError) -> Value {
        let error = failure.error;
        let code = i64::from(error.code()).cast_unsigned();
        if let Some(line) = self.conditions.first() {
            // Whether the call is made is unknown.
            let state = self.reason(format!("the condition at line {line} is unknown"));
            self.errors.last = Some(error);
            self.errors.last_state = state;
            return Value::new(Ty::I32, code, state);
        }
        (self.errors.last, self.errors.last_state) = (Some(error), KNOWN);
        if error.is_sticky() {
            self.errors.sticky = Some((error, failure.why.clone()));
        }
        let mut known = self.reading.errors.iter_mut();
        let is_same = |known: &&mut HostError| {
            (known.line, known.is_launch, known.error) == (failure.line, failure.is_launch, error)
        };
        if let Some(known) = known.find(is_same) {
            known.is_looked_at = failure.is_looked_at;
        } else if self.reading.errors.len() < MAX_ERRORS {
            self.reading.errors.push(failure);
        } else {
            self.note(format!(
                "More than {MAX_ERRORS} calls of the CUDA runtime fail; later ones are left out. Check the first."
            ));
        }
        Value::new(Ty::I32, code, KNOWN)
    }

    /// The error that an earlier fault of a kernel gives every later launch, with the reason.
    pub(super) fn earlier_fault(&self) -> Option<(CudaError, String)> {
        let pending = self
            .errors
            .pending
            .as_ref()
            .filter(|_| self.conditions.is_empty());
        self.errors.sticky.as_ref().or(pending).cloned()
    }

    /// Records that a kernel faults: the next call that waits returns the error.
    pub(super) fn kernel_faults(&mut self, error: CudaError, line: u32) {
        if self.conditions.is_empty() && self.muted == 0 && self.errors.pending.is_none() {
            let why = format!("the kernel launched at line {line} faults");
            self.errors.pending = Some((error, why));
        }
    }

    /// Marks the recorded launches whose errors the program reads.
    pub(super) fn finish_errors(&mut self) {
        for launch in &mut self.reading.launches {
            let Some(failure) = &mut launch.error else {
                continue;
            };
            let same = |error: &&HostError| {
                error.is_launch && error.line == failure.line && error.error == failure.error
            };
            failure.is_looked_at = self
                .reading
                .errors
                .iter()
                .find(same)
                .is_none_or(|error| error.is_looked_at);
        }
    }
}
