//! The functions of the CUDA runtime and of the C and C++ libraries.

mod algorithms;
mod c;
mod containers;
pub(super) mod cuda;
pub(super) mod devices;
mod errors;
mod mathematics;
mod memory;
pub(crate) mod sobol;
mod strings;
mod text;
pub(super) mod textures;

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;
use engine::arch::CudaError;

/// Library constants.
pub(super) fn constant(text: &str, of: Option<&str>) -> Option<Value> {
    let value = match text {
        "RAND_MAX" => 0x7fff_ffff,
        "EXIT_SUCCESS"
        | "cudaSuccess"
        | "CUBLAS_STATUS_SUCCESS"
        | "cudaMemcpyHostToHost"
        | "cudaEventDefault"
        | "cudaStreamDefault"
        | "cudaHostAllocDefault" => 0,
        "EXIT_FAILURE"
        | "cudaMemcpyHostToDevice"
        | "cudaMemAttachGlobal"
        | "cudaStreamNonBlocking"
        | "cudaEventBlockingSync"
        | "cudaHostAllocPortable" => 1,
        "cudaMemcpyDeviceToHost" | "cudaHostAllocMapped" | "cudaEventDisableTiming" | "cudaMemAttachHost" => {
            2
        }
        "cudaFuncCachePreferNone" | "cudaSharedmemCarveoutMaxL1" => 0,
        "cudaFuncCachePreferShared" => 1,
        "cudaFuncCachePreferL1" => 2,
        "cudaFuncCachePreferEqual" => 3,
        "cudaFuncAttributeMaxDynamicSharedMemorySize" => 8,
        "cudaFuncAttributePreferredSharedMemoryCarveout" => 9,
        "cudaSharedmemCarveoutMaxShared" => 100,
        "cudaSharedmemCarveoutDefault" => -1,
        "cudaMemcpyDeviceToDevice" => 3,
        "cudaMemcpyDefault" | "cudaHostAllocWriteCombined" => 4,
        "CLOCKS_PER_SEC" => 1_000_000,
        "warpSize" => 32,
        "SEEK_SET" => 0,
        text => {
            let number = CudaError::named(text).map(|error| error.code().into());
            let number = number.or_else(|| devices::attribute_number(text).map(u64::cast_signed));
            number.or_else(|| sobol::constant(text))?
        }
    };
    // Functions such as `numeric_limits<T>::max` are handled elsewhere.
    (of.is_none() || of == Some("std")).then(|| Value::int(value))
}

/// Prefixes of undefined functions that check or print according to their names. A note states the assumption that
/// they have no side effects.
const ASSUMED_PREFIXES: &[&str] = &[
    "print", "Print", "display", "show", "check", "Check", "CHECK", "verify", "Verify", "compare", "Compare",
    "usage", "Usage",
];

/// Functions without side effects that a launch can observe, whatever they return.
fn has_no_side_effects(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "cudaEvent",
        "cudaStream",
        "cudaDevice",
        "cudaThread",
        "cudaFunc",
        "cudaProfiler",
        "cudaCtx",
        "cudaSet",
        "cudaPeek",
        "cudaMemPrefetch",
        "cudaMemAdvise",
        "cudaFree",
        "cudaHostUnregister",
        "cudaHostRegister",
        "cudaUnbind",
        "cudaDestroy",
        "cudaOccupancy",
        "nvtx",
        "sdk",
        "cut",
        "gettimeofday",
        "clock",
        "omp_",
        "__cuda",
        "cudaGetError",
        "cudaGetLast",
        "findCuda",
    ];
    const NAMES: &[&str] = &[
        "strerror",
        "memcmp",
        "isnan",
        "isinf",
        "isfinite",
        "isdigit",
        "gpuDeviceInit",
        "_ConvertSMVer2Cores",
        "to_string",
        "printf",
        "assert",
        "fprintf",
        "puts",
        "putchar",
        "fflush",
        "fputs",
        "fputc",
        "putc",
        "vprintf",
        "perror",
        "fclose",
        "free",
        "system",
        "usleep",
        "sleep",
        "fopen",
        "fwrite",
        "remove",
        "getenv",
        "time",
        "clock",
        "difftime",
        "setprecision",
        "setw",
        "move",
        "forward",
        "get_time",
        "getTime",
        "wtime",
        "mysecond",
        "rtclock",
        "seconds",
        "cpuSecond",
        "now",
        "wallclock",
        "get_clock",
        "gpuErrchk",
        "gpuAssert",
        "HANDLE_ERROR",
        "HandleError",
        "safeCall",
        "cudaCheckErrors",
        "cutilSafeCall",
        "cutilCheckMsg",
        "getLastCudaError",
        "__getLastCudaError",
        "gpuErrorCheck",
        "CUDA_CALL",
        "CUDA_CHECK_RETURN",
        "setlocale",
        "atexit",
        "signal",
        "percentDiff",
        "absVal",
        "cudaRuntimeGetVersion",
        "cudaDriverGetVersion",
        "cudaGetDeviceProperties",
        "cudaGetDevice",
        "cudaMemGetInfo",
        "cudaGetDeviceCount",
        "cudaChooseDevice",
        "cudaGetErrorString",
        "cudaGetErrorName",
        "cudaGetLastError",
        "cudaConfigureCall",
        "cudaGetSymbolSize",
        "polybench_start_instruments",
        "polybench_stop_instruments",
        "polybench_print_instruments",
        "GPU_argv_init",
        "polybench_timer_start",
        "polybench_timer_stop",
        "polybench_timer_print",
    ];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

impl Machine {
    /// A call of a function that the source does not define, after the checks of errors.
    pub(super) fn library_function(
        &mut self,
        name: &str,
        template_args: &[TemplateArg],
        args: &[Expr],
    ) -> Runs<Value> {
        if let Some(value) = self.handle_failure(name, args)? {
            return Ok(value);
        }
        // A program can define wrappers with other names; these are the library's own functions.
        if let Some(value) = self.allocation(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.texture_call(name, template_args, args)? {
            return Ok(value);
        }
        if let Some(value) = self.copy_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.c_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.algorithm(name, template_args, args)? {
            return Ok(value);
        }
        if let Some(value) = self.stream_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.device_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.cuda_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.sobol_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.math_call(name, args)? {
            return Ok(value);
        }
        if let Some(make) = name.strip_prefix("make_")
            && let Some(ty @ Ty::Struct(_)) = self.builtin_record(make)
        {
            let values = self.values(args)?;
            return Ok(self.record_value(ty, &values));
        }
        let has_no_side_effects = has_no_side_effects(name);
        let is_assumed =
            !has_no_side_effects && ASSUMED_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        if has_no_side_effects || is_assumed {
            let mut first = None;
            for arg in args {
                let value = self.eval(arg)?;
                first.get_or_insert(value);
                // The values that these functions write to plain variables, such as a time or a count, are unknown.
                if let ExprKind::Unary(UnaryOp::Address, inner) = &arg.kind
                    && let Some(at) = self.place(inner)?
                    && !name.starts_with("cudaFree")
                {
                    let state = self.reason(format!("it comes from `{name}`"));
                    let size = self.size_of(at.ty);
                    self.step += 1;
                    self.memory.forget_range(at.address, size, state, self.step);
                }
            }
            if name.starts_with("cuda") || name.starts_with("__cuda") {
                return Ok(Value::int(0));
            }
            if is_assumed && !args.is_empty() {
                self.assume(
                    format!("that `{name}` has no side effects"),
                    "the source does not define it",
                );
            }
            let state = self.reason(format!("it comes from `{name}`"));
            return Ok(Value::unknown(state));
        }
        // An error check around a call: only the inner call has an effect.
        let is_check = args.first().is_some_and(|arg| match &arg.kind {
            ExprKind::Call(callee, _) => {
                matches!(&callee.kind, ExprKind::Name { name, .. } if self.text(*name).starts_with("cu"))
            }
            _ => false,
        });
        if is_check {
            return self.eval(&args[0]);
        }
        let line = self.line;
        let state = self.reason(format!("`{name}` at line {line} is not evaluated"));
        self.forget_args(args, state)?;
        Ok(Value::unknown(state))
    }

    pub(in crate::host) fn record_value(&mut self, ty: Ty, values: &[Value]) -> Value {
        let Ty::Struct(id) = ty else {
            return Value::unknown(REASONS);
        };
        let fields = self.members(id);
        let size = self.size_of(ty) as usize;
        let (mut data, mut states) = (vec![0; size], vec![KNOWN; size]);
        for (value, (ty, offset)) in values.iter().zip(fields) {
            let value = self.convert(value.clone(), ty);
            let width = self.size_of(ty) as usize;
            let range = offset as usize..offset as usize + width;
            data[range.clone()].copy_from_slice(&value.bits.to_le_bytes()[..width]);
            states[range].fill(value.state);
        }
        Value {
            ty,
            bits: 0,
            state: KNOWN,
            parts: Some(std::rc::Rc::new((data, states))),
        }
    }

    /// The values of the arguments of a call. C++ does not define the order; g++ evaluates the last argument first.
    pub(in crate::host) fn values(&mut self, args: &[Expr]) -> Runs<Vec<Value>> {
        let mut values: Vec<Value> = args.iter().rev().map(|arg| self.eval(arg)).collect::<Runs<_>>()?;
        values.reverse();
        Ok(values)
    }
}
