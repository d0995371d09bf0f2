//! The CUDA runtime, except memory functions.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;

impl Machine {
    pub(in crate::host) fn cuda_call(&mut self, name: &str, args: &[Expr]) -> Runs<Option<Value>> {
        match (name, args) {
            ("cudaGetDeviceCount", [pointer]) => {
                let pointer = self.eval(pointer)?;
                if let Some(at) = self.target(&pointer) {
                    let num_gpus = i64::from(self.platform.num_gpus);
                    self.store(at, Value::int(num_gpus));
                }
                Ok(Some(Value::int(0)))
            }
            ("cudaGetDevice", [pointer]) => {
                let pointer = self.eval(pointer)?;
                if let Some(at) = self.target(&pointer) {
                    let gpu = i64::from(self.gpu);
                    self.store(at, Value::int(gpu));
                }
                Ok(Some(Value::int(0)))
            }
            (
                "cudaLaunchKernel" | "cudaLaunchCooperativeKernel",
                [kernel, grid, block, passed, rest @ ..],
            ) => {
                let kernel = self.eval(kernel)?;
                let mut config = vec![self.eval(grid)?, self.eval(block)?];
                for value in rest {
                    config.push(self.eval(value)?);
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
}
