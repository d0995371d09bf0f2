//! The CUDA runtime, except memory functions.

use crate::host::SharedPreference;
use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;
use engine::arch::CudaError;

/// The structs of `cudaLaunchKernelEx`, as the CUDA headers declare them for host code.
pub(in crate::host) const DECLARATIONS: &str = include_str!("../launches.h");

/// Whether a text uses what [`DECLARATIONS`] declares.
pub(in crate::host) fn has_config(text: &str) -> bool {
    ["cudaLaunchConfig", "cudaLaunchAttribute"]
        .iter()
        .any(|name| text.contains(name))
}

/// `cudaLaunchAttributeCooperative`
const COOPERATIVE: u64 = 2;
/// The most attributes of a launch that are read: CUDA 13 defines fewer.
const MAX_ATTRIBUTES: u64 = 64;

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
                let args = self.passed_by_address(&kernel, &array)?;
                let is_cooperative = name == "cudaLaunchCooperativeKernel";
                let result = self.launch(&kernel, &config, args, is_cooperative)?;
                self.look_at_result();
                Ok(Some(result))
            }
            ("cudaLaunchKernelEx" | "cudaLaunchKernelExC", [config, kernel, passed @ ..]) => {
                let config = self.eval(config)?;
                let kernel = self.eval(kernel)?;
                let values = self.values(passed)?;
                let args = match (name, &*values) {
                    ("cudaLaunchKernelExC", [array]) => self.passed_by_address(&kernel, array)?,
                    _ => values,
                };
                let (config, is_cooperative) = self.launch_config(&config);
                let result = self.launch(&kernel, &config, args, is_cooperative)?;
                self.look_at_result();
                Ok(Some(result))
            }
            ("cudaFuncSetAttribute", [kernel, attribute, value]) => {
                let kernel = self.eval(kernel)?;
                let (attribute, value) = (self.eval(attribute)?, self.eval(value)?);
                if let Some((error, why)) = self.attribute_failure(&kernel, &attribute, &value) {
                    return Ok(Some(self.fail(error, name, why)));
                }
                if !attribute.is_known() || attribute.bits == 9 {
                    let is_known = attribute.is_known() && value.is_known();
                    let percent = is_known.then(|| value.bits.cast_signed() as i32);
                    self.prefer(&kernel, percent.map(SharedPreference::Percent));
                }
                Ok(Some(Value::int(0)))
            }
            ("cudaFuncSetCacheConfig", [kernel, preference]) => {
                let kernel = self.eval(kernel)?;
                let preference = self.eval(preference)?;
                if preference.is_known() && preference.bits > 3 {
                    let why = format!("{} is no preference", preference.bits);
                    return Ok(Some(self.fail(CudaError::InvalidValue, name, why)));
                }
                let preferred = preference.is_known().then_some(match preference.bits {
                    1 => SharedPreference::Shared,
                    2 => SharedPreference::L1,
                    3 => SharedPreference::Equal,
                    _ => SharedPreference::None,
                });
                self.prefer(&kernel, preferred);
                Ok(Some(Value::int(0)))
            }
            _ => Ok(None),
        }
    }

    /// The arguments of a kernel, from an array with the address of each.
    fn passed_by_address(&mut self, kernel: &Value, array: &Value) -> Runs<Vec<Value>> {
        let void = self.pointer_to(Ty::Void);
        let mut args = Vec::new();
        let types = self.kernel_parameter_types(kernel)?;
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
        Ok(args)
    }

    /// Grid, block, bytes of dynamic shared memory, and stream of a `cudaLaunchConfig_t`, and whether its attributes make
    /// the launch cooperative. The other attributes do not change what Warpscope shows.
    fn launch_config(&mut self, config: &Value) -> (Vec<Value>, bool) {
        let members = ["gridDim", "blockDim", "dynamicSmemBytes", "stream"];
        let values = members
            .map(|member| self.behind_pointer(config, &[member], 0))
            .to_vec();
        let attributes = self.behind_pointer(config, &["attrs"], 0);
        let num = self.behind_pointer(config, &["numAttrs"], 0);
        let mut is_cooperative = false;
        let Ty::Pointer(attribute) = attributes.ty else {
            return (values, false);
        };
        let bytes = self.size_of(self.pointee(attribute));
        let num = if num.is_known() {
            num.bits.min(MAX_ATTRIBUTES)
        } else {
            0
        };
        for idx in 0..num {
            let id = self.behind_pointer(&attributes, &["id"], idx * bytes);
            let value = self.behind_pointer(&attributes, &["val", "cooperative"], idx * bytes);
            is_cooperative |= id.is_known() && id.bits == COOPERATIVE && value.bits as u32 != 0;
        }
        (values, is_cooperative)
    }

    /// Sets a kernel's preference of the split of shared memory and L1; `None`: the host code's value is unknown.
    fn prefer(&mut self, kernel: &Value, preferred: Option<SharedPreference>) {
        let Some(preferred) = preferred else {
            self.note("The preferred carveout is unknown, and is left as it is.".to_owned());
            return;
        };
        if let Some(name) = self.kernel_name(kernel) {
            self.preferences.retain(|(other, _)| *other != name);
            self.preferences.push((name, preferred));
        }
    }
}
