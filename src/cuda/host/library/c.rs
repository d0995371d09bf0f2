//! The C library.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::random::{Rand, Rand48};
use crate::host::tree::*;
use crate::host::value::*;

impl Machine {
    pub(in crate::host) fn c_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        Ok(Some(match (name, args.len()) {
            ("exit" | "_exit" | "abort" | "terminate" | "quick_exit", _) => {
                // `atexit` and similar functions have no effect on launches.
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
                        "`{name}` gets a seed that differs in each run; seed 1 is used."
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
                    self.note("`srand48` gets a seed that differs in each run; seed 1 is used.".to_owned());
                }
                self.rand48 = Rand48::new(if seed.is_known() { seed.bits as u32 } else { 1 });
                Value::void()
            }
            ("getopt" | "getopt_long", _) => Value::int(-1),
            ("checkCmdLineFlag" | "cutCheckCmdLineFlag", _) => Value::int(0),
            ("getCmdLineArgumentInt" | "getCmdLineArgumentFloat", _) => Value::int(0),
            (
                "atoi" | "atol" | "atof" | "atoll" | "strtol" | "strtoul" | "strtoull" | "strtoll" | "strtod"
                | "strtof" | "stoi" | "stol" | "stoul" | "stoull" | "stof" | "stod",
                _,
            ) => return self.number_of_text(name, args).map(Some),
            ("strcmp" | "strncmp" | "strcasecmp" | "strlen" | "strchr" | "strrchr" | "strstr", _) => {
                return self.text_call(name, args).map(Some);
            }
            (
                "fread" | "fscanf" | "scanf" | "fgets" | "sscanf" | "read" | "getline" | "gets" | "sprintf"
                | "snprintf" | "strcpy" | "strcat" | "strncpy" | "sdkLoadPGM" | "sdkLoadPPM4ub",
                _,
            ) => {
                let state = self.reason(format!("`{name}` at line {} is not evaluated", self.line));
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
            ("cudaFree" | "cudaFreeHost", 1) | ("cudaFreeAsync", 2) => {
                let pointer = self.eval(&args[0])?;
                if let Some((error, why)) = self.free_failure(name, &pointer) {
                    self.fail(error, name, why)
                } else {
                    self.freed(&pointer);
                    Value::int(0)
                }
            }
            ("free", _) => {
                for pointer in &self.values(args)? {
                    self.freed(pointer);
                }
                Value::int(0)
            }
            _ => return Ok(None),
        }))
    }

    pub(in crate::host) fn random_was_seeded(&mut self) {
        // From here on the random numbers are known again.
        self.step += 1;
    }
}
