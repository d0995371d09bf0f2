//! What host code calls of CUDA's runtime and of the C and C++ libraries.

use super::machine::{Location, Machine, Stop, Ty, Value, half_value};
use super::memory::{KNOWN, REASONS, Space, State, is_known};
use super::random::{Rand, Rand48};
use super::tree::{BinaryOp, Expr, ExprKind, TemplateArg, UnaryOp};

type Runs<T> = Result<T, Stop>;

/// Names of libraries that stand for numbers.
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
        "cudaMemcpyDeviceToHost" | "cudaHostAllocMapped" | "cudaErrorMemoryAllocation" => 2,
        "cudaMemcpyDeviceToDevice" => 3,
        "cudaMemcpyDefault" | "cudaHostAllocWriteCombined" => 4,
        "cudaErrorInvalidValue" => 1,
        "cudaErrorNotReady" => 600,
        "CLOCKS_PER_SEC" => 1_000_000,
        "warpSize" => 32,
        "SEEK_SET" => 0,
        _ => return None,
    };
    // `numeric_limits<T>::max` and the like are not among them.
    (of.is_none() || of == Some("std")).then(|| Value::int(value))
}

/// Functions that change nothing that a launch sees, whatever they return.
fn is_harmless(name: &str) -> bool {
    // Functions that the text does not define and whose names say that they check, print, or take the time.
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
        "print",
        "Print",
        "display",
        "show",
        "check",
        "Check",
        "CHECK",
        "assert",
        "verify",
        "Verify",
        "compare",
        "Compare",
        "__cuda",
        "cudaGetError",
        "cudaGetLast",
        "usage",
        "Usage",
        "findCuda",
    ];
    const NAMES: &[&str] = &[
        "strcmp",
        "strlen",
        "strncmp",
        "strstr",
        "strchr",
        "strerror",
        "strrchr",
        "strcasecmp",
        "memcmp",
        "isnan",
        "isinf",
        "isfinite",
        "isdigit",
        "gpuDeviceInit",
        "_ConvertSMVer2Cores",
        "to_string",
        "printf",
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
    /// A call of a function that the text does not define.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        template_args: &[TemplateArg],
        args: &[Expr],
    ) -> Runs<Value> {
        // A program may have its own wrappers of these under other names; here are the libraries' own.
        if let Some(value) = self.allocation(name, args)? {
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
        if let Some(value) = self.cuda_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.math_call(name, args)? {
            return Ok(value);
        }
        if let Some(make) = name.strip_prefix("make_")
            && let Some(ty @ Ty::Struct(_)) = self.builtin_record(make)
        {
            let mut values = Vec::new();
            for arg in args {
                values.push(self.eval(arg)?);
            }
            return Ok(self.record_value(ty, &values));
        }
        if is_harmless(name) {
            let mut first = None;
            for arg in args {
                let value = self.eval(arg)?;
                first.get_or_insert(value);
                // What these write of plain variables, such as a time or a count, is not known.
                if let ExprKind::Unary(UnaryOp::Address, inner) = &arg.kind
                    && let Some(at) = self.place(inner)?
                    && !name.starts_with("cudaFree")
                {
                    let state = self.reason(format!("`{name}` gives it"));
                    let size = self.size_of(at.ty);
                    self.step += 1;
                    self.memory.forget_range(at.address, size, state, self.step);
                }
            }
            if name.starts_with("cuda") || name.starts_with("__cuda") {
                return Ok(Value::int(0));
            }
            let state = self.reason(format!("`{name}` gives it"));
            return Ok(Value::unknown(state));
        }
        // An error check around a call: what the call does counts.
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
        let state = self.reason(format!("`{name}` at line {line} is not read"));
        self.forget_args(args, state)?;
        Ok(Value::unknown(state))
    }

    fn record_value(&mut self, ty: Ty, values: &[Value]) -> Value {
        let Ty::Struct(id) = ty else {
            return Value::unknown(REASONS);
        };
        let fields: Vec<(Ty, u64)> = self.records[id as usize]
            .fields
            .iter()
            .map(|field| (field.ty, field.offset))
            .collect();
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

    fn values(&mut self, args: &[Expr]) -> Runs<Vec<Value>> {
        args.iter().map(|arg| self.eval(arg)).collect()
    }

    // ---- Allocations

    fn allocation(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        let space = match name {
            "malloc" | "calloc" | "aligned_alloc" | "_mm_malloc" | "realloc" => Space::Host,
            "cudaMalloc" | "cudaMallocAsync" | "cudaMallocPitch" => Space::Device,
            "cudaMallocManaged" => Space::Managed,
            "cudaMallocHost" | "cudaHostAlloc" | "posix_memalign" => Space::Host,
            "make_unique" | "make_shared" => return Ok(None),
            _ => return Ok(None),
        };
        let void = self.pointer_to(Ty::Void);
        if matches!(
            name,
            "malloc" | "calloc" | "aligned_alloc" | "_mm_malloc" | "realloc"
        ) {
            let values = self.values(args)?;
            let size = match (name, &values[..]) {
                ("malloc", [size])
                | ("aligned_alloc", [_, size])
                | ("_mm_malloc", [size, _])
                | ("realloc", [_, size]) => size.clone(),
                ("calloc", [count, size]) => {
                    let size = self.convert(size.clone(), Ty::U64);
                    self.arithmetic(BinaryOp::Mul, count, &size)
                }
                _ => return Ok(None),
            };
            let size = self.convert(size, Ty::U64);
            if !size.is_known() || size.bits > 1 << 35 {
                return Ok(Some(Value::new(
                    void,
                    0,
                    if is_known(size.state) {
                        self.reason("the allocation is too large".to_owned())
                    } else {
                        size.state
                    },
                )));
            }
            let line = self.line;
            let address = self
                .memory
                .alloc(size.bits.max(1), Space::Host, String::new(), line);
            if name == "calloc" {
                self.memory.fill(address, size.bits, 0, KNOWN, self.step);
            }
            if let ("realloc", [old, _]) = (name, &values[..])
                && let Some((idx, _)) = self.memory.place(old.bits)
            {
                let length = self.memory.allocs[idx].size.min(size.bits);
                self.memory.copy(address, old.bits, length, self.step);
            }
            return Ok(Some(Value::new(void, address, KNOWN)));
        }
        let Some(first) = args.first() else {
            return Ok(None);
        };
        let target = self.eval(first)?;
        // `(void**)&p`: the place is that of p, whatever the cast.
        let mut place = self.target(&target);
        if let Some(at) = &mut place {
            at.ty = match at.ty {
                Ty::Pointer(_) => at.ty,
                _ => void,
            };
        }
        let size = if name == "cudaMallocPitch" {
            let [_, pitch, width, height] = args else {
                return Ok(None);
            };
            let pitch = self.eval(pitch)?;
            let (width, height) = (self.eval(width)?, self.eval(height)?);
            let width = self.convert(width, Ty::U64);
            // The pitch is a multiple of 512 bytes, as on every architecture since 3.x (an assumption: CUDA
            // documents only that rows are aligned).
            let padded = Value::new(Ty::U64, width.bits.next_multiple_of(512), width.state);
            if let Some(at) = self.target(&pitch) {
                self.store(Location { ty: Ty::U64, ..at }, padded.clone());
            }
            let height = self.convert(height, Ty::U64);
            self.arithmetic(BinaryOp::Mul, &padded, &height)
        } else {
            let idx = if name == "posix_memalign" { 2 } else { 1 };
            let Some(size) = args.get(idx) else {
                return Ok(None);
            };
            self.eval(size)?
        };
        let size = self.convert(size, Ty::U64);
        let Some(at) = place else {
            return Ok(Some(Value::int(0)));
        };
        if !size.is_known() || size.bits > 1 << 35 {
            let state = if is_known(size.state) {
                self.reason("the allocation is too large".to_owned())
            } else {
                size.state
            };
            self.store(at, Value::new(at.ty, 0, state));
            return Ok(Some(Value::int(0)));
        }
        let text = self.name_of(first);
        let line = self.line;
        let address = self.memory.alloc(size.bits.max(1), space, text, line);
        self.store(at, Value::new(at.ty, address, KNOWN));
        Ok(Some(Value::int(0)))
    }

    /// The variable whose address an expression takes.
    fn name_of(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Name { name, .. } => self.text(*name).to_owned(),
            ExprKind::Member { name, .. } => self.text(*name).to_owned(),
            ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) | ExprKind::Index(inner, _) => {
                self.name_of(inner)
            }
            _ => String::new(),
        }
    }

    // ---- Copies

    fn copy_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match name {
            "cudaMemcpy" | "cudaMemcpyAsync" | "memcpy" | "memmove" | "cudaMemcpyPeer" if args.len() >= 3 => {
                let (to, from) = (self.eval(&args[0])?, self.eval(&args[1])?);
                let size = self.eval(
                    &args[if name == "cudaMemcpyPeer" {
                        4.min(args.len() - 1)
                    } else {
                        2
                    }],
                )?;
                self.copy_bytes(&to, &from, size);
                Ok(Some(if name.starts_with("cuda") {
                    Value::int(0)
                } else {
                    to
                }))
            }
            "cudaMemcpy2D" | "cudaMemcpy2DAsync" if args.len() >= 6 => {
                let values = self.values(&args[..6])?;
                let [to, to_pitch, from, from_pitch, width, height] = &values[..] else {
                    return Ok(None);
                };
                let all = [to_pitch, from_pitch, width, height];
                if all.iter().all(|value| value.is_known()) && height.bits < 1 << 24 {
                    for row in 0..height.bits {
                        let to = Value {
                            bits: to.bits + row * to_pitch.bits,
                            ..to.clone()
                        };
                        let from = Value {
                            bits: from.bits + row * from_pitch.bits,
                            ..from.clone()
                        };
                        self.copy_bytes(&to, &from, width.clone());
                    }
                } else {
                    let state = self.reason("the size of a copy is not known".to_owned());
                    self.forget_at(to.bits, state, self.step);
                }
                Ok(Some(Value::int(0)))
            }
            "cudaMemset" | "cudaMemsetAsync" | "memset" if args.len() >= 3 => {
                let values = self.values(&args[..3])?;
                let (to, byte, size) = (&values[0], &values[1], &values[2]);
                self.step += 1;
                if to.is_known() && byte.is_known() && size.is_known() {
                    self.memory
                        .fill(to.bits, size.bits, byte.bits as u8, KNOWN, self.step);
                } else {
                    let state = to.state.max(byte.state).max(size.state);
                    self.forget_at(to.bits, state, self.step);
                }
                Ok(Some(if name == "memset" {
                    to.clone()
                } else {
                    Value::int(0)
                }))
            }
            "bzero" if args.len() == 2 => {
                let values = self.values(args)?;
                self.step += 1;
                self.memory
                    .fill(values[0].bits, values[1].bits, 0, values[1].state, self.step);
                Ok(Some(Value::void()))
            }
            "cudaMemcpyToSymbol" | "cudaMemcpyToSymbolAsync" if args.len() >= 3 => {
                let Some(at) = self.symbol(&args[0])? else {
                    return Ok(None);
                };
                let (from, size) = (self.eval(&args[1])?, self.eval(&args[2])?);
                let offset = match args.get(3) {
                    Some(offset) => self.eval(offset)?,
                    None => Value::int(0),
                };
                let to = Value::new(from.ty, at.address.wrapping_add(offset.bits), offset.state);
                self.copy_bytes(&to, &from, size);
                Ok(Some(Value::int(0)))
            }
            "cudaMemcpyFromSymbol" | "cudaMemcpyFromSymbolAsync" if args.len() >= 3 => {
                let to = self.eval(&args[0])?;
                let Some(at) = self.symbol(&args[1])? else {
                    return Ok(None);
                };
                let size = self.eval(&args[2])?;
                let offset = match args.get(3) {
                    Some(offset) => self.eval(offset)?,
                    None => Value::int(0),
                };
                let from = Value::new(to.ty, at.address.wrapping_add(offset.bits), offset.state);
                self.copy_bytes(&to, &from, size);
                Ok(Some(Value::int(0)))
            }
            "cudaGetSymbolAddress" if args.len() == 2 => {
                let pointer = self.eval(&args[0])?;
                let (target, symbol) = (self.target(&pointer), self.symbol(&args[1])?);
                if let (Some(at), Some(symbol)) = (target, symbol) {
                    let void = self.pointer_to(Ty::Void);
                    self.store(
                        Location { ty: void, ..at },
                        Value::new(void, symbol.address, KNOWN),
                    );
                }
                Ok(Some(Value::int(0)))
            }
            "cudaHostGetDevicePointer" if args.len() >= 2 => {
                let (pointer, from) = (self.eval(&args[0])?, self.eval(&args[1])?);
                if let Some(at) = self.target(&pointer) {
                    let void = self.pointer_to(Ty::Void);
                    self.store(Location { ty: void, ..at }, Value { ty: void, ..from });
                }
                Ok(Some(Value::int(0)))
            }
            _ => Ok(None),
        }
    }

    fn copy_bytes(&mut self, to: &Value, from: &Value, size: Value) {
        self.step += 1;
        let size = self.convert(size, Ty::U64);
        if let Some((idx, _)) = self.memory.place(from.bits)
            && self.memory.allocs[idx].space != Space::Host
        {
            self.note_read_back(from.bits);
        }
        if !size.is_known() || !is_known(to.state) {
            self.forget_at(to.bits, size.state.max(to.state).max(REASONS), self.step);
        } else if !is_known(from.state) || !matches!(from.ty, Ty::Pointer(_)) {
            let state = if is_known(from.state) {
                self.reason("what is copied is not known".to_owned())
            } else {
                from.state
            };
            self.memory.forget_range(to.bits, size.bits, state, self.step);
        } else if !self.memory.copy(to.bits, from.bits, size.bits, self.step) {
            let line = self.line;
            let state = self.reason(format!("the copy at line {line} leaves its allocation"));
            self.forget_at(to.bits, state, self.step);
        }
    }

    // ---- C

    fn c_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        Ok(Some(match (name, args.len()) {
            ("exit" | "_exit" | "abort" | "terminate" | "quick_exit", _) => {
                // `atexit` and the like do not matter.
                self.values(args)?;
                return Err(Stop::Exit);
            }
            ("rand" | "random", 0) => {
                let mut value = self.random();
                if name == "random" {
                    value.ty = Ty::I64;
                }
                value
            }
            ("srand" | "srandom", 1) => {
                let seed = self.eval(&args[0])?;
                let seed = self.convert(seed, Ty::U32);
                if !seed.is_known() {
                    self.note(format!(
                        "`{name}` gets a seed that changes from run to run; 1 is taken."
                    ));
                }
                self.rand = Some(Rand::new(if seed.is_known() { seed.bits as u32 } else { 1 }));
                self.random_was_seeded();
                Value::void()
            }
            ("drand48", 0) => {
                let value = self.rand48.drand();
                Value::new(Ty::F64, value.to_bits(), KNOWN)
            }
            ("lrand48", 0) => Value::new(Ty::I64, self.rand48.lrand().into(), KNOWN),
            ("srand48", 1) => {
                let seed = self.eval(&args[0])?;
                if !seed.is_known() {
                    self.note("`srand48` gets a seed that changes from run to run; 1 is taken.".to_owned());
                }
                self.rand48 = Rand48::new(if seed.is_known() { seed.bits as u32 } else { 1 });
                Value::void()
            }
            ("getopt" | "getopt_long", _) => Value::int(-1),
            ("checkCmdLineFlag" | "cutCheckCmdLineFlag", _) => Value::int(0),
            ("getCmdLineArgumentInt" | "getCmdLineArgumentFloat", _) => Value::int(0),
            (
                "atoi" | "atol" | "atof" | "atoll" | "strtol" | "strtoul" | "strtod" | "strtof" | "stoi"
                | "stof" | "stod",
                _,
            ) => {
                let values = self.values(args)?;
                let Some(value) = values.first() else {
                    return Ok(None);
                };
                let ty = match name {
                    "atof" | "strtod" | "stod" => Ty::F64,
                    "strtof" | "stof" => Ty::F32,
                    "atol" | "atoll" | "strtol" | "strtoul" => Ty::I64,
                    _ => Ty::I32,
                };
                let state = if is_known(value.state) {
                    match self.memory.load(value.bits, 1) {
                        Some((_, state)) if !is_known(state) => state,
                        _ => self.reason(format!("`{name}` gives it")),
                    }
                } else {
                    value.state
                };
                Value::new(ty, 0, state)
            }
            (
                "fread" | "fscanf" | "scanf" | "fgets" | "sscanf" | "read" | "getline" | "gets" | "sprintf"
                | "snprintf" | "strcpy" | "strcat" | "strncpy" | "sdkLoadPGM" | "sdkLoadPPM4ub",
                _,
            ) => {
                let state = self.reason(format!("`{name}` at line {} is not read", self.line));
                for arg in args {
                    let value = self.eval(arg)?;
                    self.step += 1;
                    if matches!(value.ty, Ty::Pointer(_)) {
                        match &arg.kind {
                            ExprKind::Unary(UnaryOp::Address, inner) => {
                                if let Some(at) = self.place(inner)? {
                                    let size = self.size_of(at.ty);
                                    self.memory.forget_range(at.address, size, state, self.step);
                                }
                            }
                            ExprKind::Str(_) => {}
                            _ => self.forget_at(value.bits, state, self.step),
                        }
                    }
                }
                Value::new(Ty::I32, 0, state)
            }
            ("qsort", _) => return Ok(None),
            ("free" | "cudaFree" | "cudaFreeHost", _) => {
                self.values(args)?;
                Value::int(0)
            }
            _ => return Ok(None),
        }))
    }

    fn random_was_seeded(&mut self) {
        // From here on the numbers are known again.
        self.step += 1;
    }

    // ---- CUDA

    fn cuda_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match (name, args) {
            ("cudaGetDeviceCount", [pointer]) => {
                let pointer = self.eval(pointer)?;
                if let Some(at) = self.target(&pointer) {
                    self.store(at, Value::int(1));
                }
                Ok(Some(Value::int(0)))
            }
            ("cudaGetDevice", [pointer]) => {
                let pointer = self.eval(pointer)?;
                if let Some(at) = self.target(&pointer) {
                    self.store(at, Value::int(0));
                }
                Ok(Some(Value::int(0)))
            }
            (
                "cudaLaunchKernel" | "cudaLaunchCooperativeKernel",
                [kernel, grid, block, passed, rest @ ..],
            ) => {
                let kernel = self.eval(kernel)?;
                let mut config = vec![self.eval(grid)?, self.eval(block)?];
                if let Some(shared) = rest.first() {
                    config.push(self.eval(shared)?);
                }
                let array = self.eval(passed)?;
                let void = self.pointer_to(Ty::Void);
                let mut args = Vec::new();
                let types = self.kernel_parameter_types(&kernel)?;
                for (idx, ty) in types.into_iter().enumerate() {
                    let at = Location {
                        address: array.bits + 8 * idx as u64,
                        ty: void,
                        state: array.state,
                    };
                    let pointer = self.load(at);
                    let state: State = if is_known(pointer.state) {
                        KNOWN
                    } else {
                        pointer.state
                    };
                    args.push(self.load(Location {
                        address: pointer.bits,
                        ty,
                        state,
                    }));
                }
                self.launch(&kernel, &config, args)?;
                Ok(Some(Value::int(0)))
            }
            _ => Ok(None),
        }
    }

    // ---- Algorithms

    fn algorithm(&mut self, name: &str, template_args: &[TemplateArg], args: &[Expr]) -> Runs<Option<Value>> {
        match (name, args) {
            (
                "min" | "max" | "fminf" | "fmaxf" | "fmin" | "fmax" | "MIN" | "MAX" | "imin" | "imax",
                [a, b],
            ) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let is_less = self.arithmetic(BinaryOp::Lt, &a, &b);
                if !is_less.is_known() {
                    return Ok(Some(Value::new(a.ty, 0, is_less.state.max(REASONS))));
                }
                let takes_first =
                    self.holds(&is_less) == matches!(name, "min" | "fminf" | "fmin" | "MIN" | "imin");
                let common = self.arithmetic(BinaryOp::Add, &a, &b).ty;
                let chosen = if takes_first { a } else { b };
                Ok(Some(self.convert(chosen, common)))
            }
            ("swap", [a, b]) => {
                let (Some(x), Some(y)) = (self.place(a)?, self.place(b)?) else {
                    return Ok(None);
                };
                let (left, right) = (self.load(x), self.load(y));
                self.store(x, right);
                self.store(y, left);
                Ok(Some(Value::void()))
            }
            ("move" | "forward" | "raw_pointer_cast" | "ref" | "cref", [value]) => {
                Ok(Some(self.eval(value)?))
            }
            ("make_unique" | "make_shared", _) => {
                let Some(TemplateArg::Type(ty)) = template_args.first() else {
                    return Ok(None);
                };
                let ty = self.resolve(ty)?;
                let (elem, count) = match (ty, args) {
                    (Ty::Array(elem, _), [count]) => (self.pointee(elem), self.eval(count)?),
                    (ty, []) => (ty, Value::int(1)),
                    _ => return Ok(None),
                };
                let pointer = self.pointer_to(elem);
                if !count.is_known() {
                    return Ok(Some(Value::new(pointer, 0, count.state)));
                }
                let size = self.size_of(elem) * count.bits;
                let line = self.line;
                let address = self.memory.alloc(size.max(1), Space::Host, String::new(), line);
                self.memory.fill(address, size, 0, KNOWN, self.step);
                Ok(Some(Value::new(pointer, address, KNOWN)))
            }
            ("fill" | "iota" | "generate" | "for_each" | "sequence", [first, last, value @ ..]) => {
                let (first, last) = (self.eval(first)?, self.eval(last)?);
                let value = match value.first() {
                    Some(value) => self.eval(value)?,
                    None => Value::int(0),
                };
                let Ty::Pointer(to) = first.ty else {
                    return Ok(None);
                };
                let ty = self.pointee(to);
                let width = self.size_of(ty).max(1);
                if !first.is_known() || !last.is_known() || last.bits < first.bits {
                    let state = first.state.max(last.state).max(REASONS);
                    self.forget_at(first.bits, state, self.step);
                    return Ok(Some(Value::void()));
                }
                let len = (last.bits - first.bits) / width;
                match name {
                    "fill" => self.fill_elements(first.bits, ty, len, Some(value)),
                    "iota" | "sequence" => {
                        let mut value = self.convert(value, ty);
                        for idx in 0..len {
                            self.store(
                                Location {
                                    address: first.bits + idx * width,
                                    ty,
                                    state: KNOWN,
                                },
                                value.clone(),
                            );
                            let next = self.arithmetic(BinaryOp::Add, &value, &Value::int(1));
                            value = self.convert(next, ty);
                        }
                    }
                    "generate" => {
                        for idx in 0..len {
                            let made = match value.ty {
                                Ty::Function => self.call_with_values(&value, Vec::new())?,
                                _ => Some(self.random()).filter(|_| {
                                    value.ty == Ty::Opaque && self.why(value.state).contains("`rand`")
                                }),
                            };
                            let made = match made {
                                Some(made) => made,
                                None => {
                                    let state =
                                        self.reason(format!("`generate` at line {} is not read", self.line));
                                    Value::new(ty, 0, state)
                                }
                            };
                            self.store(
                                Location {
                                    address: first.bits + idx * width,
                                    ty,
                                    state: KNOWN,
                                },
                                made,
                            );
                        }
                    }
                    _ => {
                        let state = self.reason(format!("`{name}` at line {} is not read", self.line));
                        self.forget_at(first.bits, state, self.step);
                    }
                }
                Ok(Some(Value::void()))
            }
            ("fill_n", [first, count, value]) => {
                let (first, count, value) = (self.eval(first)?, self.eval(count)?, self.eval(value)?);
                if let (Ty::Pointer(to), true) = (first.ty, first.is_known() && count.is_known()) {
                    let ty = self.pointee(to);
                    self.fill_elements(first.bits, ty, count.bits, Some(value));
                } else {
                    self.forget_at(first.bits, REASONS, self.step);
                }
                Ok(Some(Value::void()))
            }
            ("copy" | "copy_n", [first, last, to]) => {
                let (first, last, to) = (self.eval(first)?, self.eval(last)?, self.eval(to)?);
                let Ty::Pointer(elem) = first.ty else {
                    return Ok(None);
                };
                let size = if name == "copy" {
                    Value::new(
                        Ty::U64,
                        last.bits.wrapping_sub(first.bits),
                        first.state.max(last.state),
                    )
                } else {
                    let width = self.size_of(self.pointee(elem));
                    Value::new(Ty::U64, last.bits * width, last.state)
                };
                self.copy_bytes(&to, &first, size);
                Ok(Some(to))
            }
            (
                "accumulate" | "max_element" | "min_element" | "equal" | "all_of" | "any_of" | "size"
                | "inner_product",
                _,
            ) => {
                for arg in args {
                    self.eval(arg)?;
                }
                let state = self.reason(format!("`{name}` gives it"));
                Ok(Some(Value::unknown(state)))
            }
            ("data" | "begin" | "cbegin", [object]) => match self.place(object)? {
                Some(at) => Ok(Some(self.library_method(at, name, &[])?)),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// A call of a member function of a class of the library.
    pub(super) fn library_method(&mut self, at: Location, name: &str, args: &[Expr]) -> Runs<Value> {
        if let Ty::Array(elem, len) = at.ty {
            let first = Value::new(Ty::Pointer(elem), at.address, at.state);
            return match name {
                "size" => Ok(Value::new(Ty::U64, len, KNOWN)),
                "data" | "begin" | "cbegin" => Ok(first),
                "end" | "cend" => {
                    let width = self.size_of(self.pointee(elem));
                    Ok(Value {
                        bits: at.address + width * len,
                        ..first
                    })
                }
                "fill" if args.len() == 1 => {
                    let value = self.eval(&args[0])?;
                    let ty = self.pointee(elem);
                    self.fill_elements(at.address, ty, len, Some(value));
                    Ok(Value::void())
                }
                _ => self.element_or_unknown(at, name, args),
            };
        }
        if let Ty::Pointer(_) = at.ty {
            // A smart pointer.
            match name {
                "get" | "release" => return Ok(self.load(at)),
                "reset" => {
                    let value = match args.first() {
                        Some(value) => self.eval(value)?,
                        None => Value::int(0),
                    };
                    self.store(at, value);
                    return Ok(Value::void());
                }
                _ => {}
            }
        }
        let Ty::Vector(elem) = at.ty else {
            return self.element_or_unknown(at, name, args);
        };
        let (data, len, state) = self.vector_parts(at);
        let ty = self.pointee(elem);
        let width = self.size_of(ty);
        if state != KNOWN {
            let state = self.reason_or(state);
            self.forget_args(args, state)?;
            return Ok(Value::unknown(state));
        }
        let pointer = Ty::Pointer(elem);
        match (name, args) {
            ("size", []) => Ok(Value::new(Ty::U64, len, KNOWN)),
            ("empty", []) => Ok(Value::new(Ty::Bool, u64::from(len == 0), KNOWN)),
            ("data" | "begin" | "cbegin", []) => Ok(Value::new(pointer, data, KNOWN)),
            ("end" | "cend", []) => Ok(Value::new(pointer, data + len * width, KNOWN)),
            ("reserve" | "shrink_to_fit" | "capacity", _) => {
                self.values(args)?;
                Ok(Value::void())
            }
            ("clear", []) => {
                let value = self.vector_value(at.ty, data, 0);
                self.store(at, value);
                Ok(Value::void())
            }
            ("pop_back", []) => {
                let value = self.vector_value(at.ty, data, len.saturating_sub(1));
                self.store(at, value);
                Ok(Value::void())
            }
            ("push_back" | "emplace_back", [value]) => {
                let value = self.eval(value)?;
                // Room doubles; how much there is follows from the size of the allocation.
                let room = self
                    .memory
                    .place(data)
                    .map_or(0, |(idx, _)| self.memory.allocs[idx].size / width.max(1));
                let mut data = data;
                if len >= room || data == 0 {
                    let room = (len * 2).max(8);
                    let line = self.line;
                    let grown = self.memory.alloc(room * width, Space::Host, String::new(), line);
                    if data != 0 {
                        self.memory.copy(grown, data, len * width, self.step);
                    }
                    data = grown;
                }
                self.store(
                    Location {
                        address: data + len * width,
                        ty,
                        state: KNOWN,
                    },
                    value,
                );
                let value = self.vector_value(at.ty, data, len + 1);
                self.store(at, value);
                Ok(Value::void())
            }
            ("resize" | "assign", [count, value @ ..]) => {
                let count = self.eval(count)?;
                let value = match value.first() {
                    Some(value) => Some(self.eval(value)?),
                    None => None,
                };
                if !count.is_known() || !Self::is_integer(count.ty) {
                    let state = self.reason_or(count.state);
                    let size = self.size_of(at.ty);
                    self.memory.forget_range(at.address, size, state, self.step);
                    return Ok(Value::void());
                }
                let count = count.bits;
                let line = self.line;
                let grown = self
                    .memory
                    .alloc((count * width).max(1), Space::Host, String::new(), line);
                let kept = if name == "assign" { 0 } else { len.min(count) };
                self.fill_elements(grown, ty, count, value);
                if kept > 0 {
                    self.memory.copy(grown, data, kept * width, self.step);
                }
                let value = self.vector_value(at.ty, grown, count);
                self.store(at, value);
                Ok(Value::void())
            }
            _ => self.element_or_unknown(at, name, args),
        }
    }

    fn reason_or(&mut self, state: State) -> State {
        if state >= REASONS {
            state
        } else {
            self.reason("a length is not known".to_owned())
        }
    }

    fn element_or_unknown(&mut self, at: Location, name: &str, args: &[Expr]) -> Runs<Value> {
        let line = self.line;
        let state = self.reason(format!("`{name}` at line {line} is not read"));
        if matches!(name, "at" | "front" | "back")
            && let Some(at) = self.library_element(at, name, args)?
        {
            return Ok(self.load(at));
        }
        self.forget_args(args, state)?;
        if !matches!(at.ty, Ty::Opaque | Ty::Pointer(_)) {
            // A member function may change its object.
            let size = self.size_of(at.ty);
            self.step += 1;
            self.memory.forget_range(at.address, size, state, self.step);
        }
        Ok(Value::unknown(state))
    }

    // ---- Mathematics

    fn math_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        const ONE: &[&str] = &[
            "sqrt", "sin", "cos", "tan", "exp", "log", "log2", "log10", "floor", "ceil", "fabs", "round",
            "rint", "trunc", "asin", "acos", "atan", "exp2", "cbrt", "tanh", "sinh", "cosh", "log1p",
            "expm1", "erf", "rsqrt",
        ];
        const TWO: &[&str] = &[
            "pow", "fmod", "atan2", "hypot", "powf", "fmodf", "atan2f", "copysign", "ldexp",
        ];
        let plain = name.strip_suffix('f').filter(|plain| ONE.contains(plain));
        let (base, is_float) = match plain {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        match args {
            [value] if name == "abs" || name == "labs" || name == "llabs" => {
                let value = self.eval(value)?;
                if !value.is_known() {
                    return Ok(Some(value));
                }
                Ok(Some(if Self::is_float(value.ty) {
                    let result = self.float_of(&value).abs();
                    Value::new(value.ty, Self::from_float(value.ty, result), value.state)
                } else {
                    Value::new(
                        value.ty,
                        Self::wrap(value.ty, value.bits.cast_signed().wrapping_abs() as u64),
                        value.state,
                    )
                }))
            }
            [value] if ONE.contains(&base) => {
                let value = self.eval(value)?;
                let ty = if is_float || value.ty == Ty::F32 {
                    Ty::F32
                } else {
                    Ty::F64
                };
                if !value.is_known() {
                    let state = if is_known(value.state) {
                        self.reason(format!("`{name}` gives it"))
                    } else {
                        value.state
                    };
                    return Ok(Some(Value::new(ty, 0, state)));
                }
                let value = self.convert(value, ty);
                let x = self.float_of(&value);
                // What is rounded once from the double's result is what a good library gives for a float.
                let result = match base {
                    "sqrt" => libm::sqrt(x),
                    "sin" => libm::sin(x),
                    "cos" => libm::cos(x),
                    "tan" => libm::tan(x),
                    "exp" => libm::exp(x),
                    "log" => libm::log(x),
                    "log2" => libm::log2(x),
                    "log10" => libm::log10(x),
                    "floor" => libm::floor(x),
                    "ceil" => libm::ceil(x),
                    "fabs" => x.abs(),
                    "round" => libm::round(x),
                    "rint" => libm::rint(x),
                    "trunc" => libm::trunc(x),
                    "asin" => libm::asin(x),
                    "acos" => libm::acos(x),
                    "atan" => libm::atan(x),
                    "exp2" => libm::exp2(x),
                    "cbrt" => libm::cbrt(x),
                    "tanh" => libm::tanh(x),
                    "sinh" => libm::sinh(x),
                    "cosh" => libm::cosh(x),
                    "log1p" => libm::log1p(x),
                    "expm1" => libm::expm1(x),
                    "erf" => libm::erf(x),
                    _ => 1.0 / libm::sqrt(x),
                };
                Ok(Some(Value::new(ty, Self::from_float(ty, result), value.state)))
            }
            [a, b] if TWO.contains(&name) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let is_float = name.ends_with('f') || (a.ty == Ty::F32 && b.ty == Ty::F32);
                let ty = if is_float { Ty::F32 } else { Ty::F64 };
                let state = a.state.max(b.state);
                if !a.is_known() || !b.is_known() {
                    let state = if is_known(state) {
                        self.reason(format!("`{name}` gives it"))
                    } else {
                        state
                    };
                    return Ok(Some(Value::new(ty, 0, state)));
                }
                let (x, y) = (self.float_of(&a), self.float_of(&b));
                let result = match name.trim_end_matches('f') {
                    "pow" => libm::pow(x, y),
                    "atan2" => libm::atan2(x, y),
                    "hypot" => libm::hypot(x, y),
                    "copysign" => x.copysign(y),
                    "ldexp" => libm::ldexp(x, y as i32),
                    _ => libm::fmod(x, y),
                };
                Ok(Some(Value::new(ty, Self::from_float(ty, result), state)))
            }
            [value] if matches!(name, "__float2half" | "__float2half_rn" | "__double2half") => {
                let value = self.eval(value)?;
                Ok(Some(self.convert(value, Ty::F16)))
            }
            [value] if name == "__half2float" => {
                let value = self.eval(value)?;
                let float = f64::from(half_value(value.bits as u16) as f32);
                Ok(Some(Value::new(
                    Ty::F32,
                    Self::from_float(Ty::F32, float),
                    value.state,
                )))
            }
            [value] if name == "__int_as_float" => {
                let value = self.eval(value)?;
                Ok(Some(Value::new(
                    Ty::F32,
                    u64::from(value.bits as u32),
                    value.state,
                )))
            }
            [value] if name == "__longlong_as_double" => {
                let value = self.eval(value)?;
                Ok(Some(Value::new(Ty::F64, value.bits, value.state)))
            }
            _ => Ok(None),
        }
    }
}
