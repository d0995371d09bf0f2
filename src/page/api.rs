//! `window.warpscope`: the API for programs beside the page, documented in `www/warpscope.d.ts`.
//!
//! [`workbench::api`] computes the answers; this module converts them to JavaScript values. A [`Backend`] compiles and
//! runs kernels, in workers on the page.

mod remote;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use js_sys::{Array, ArrayBuffer, Error, Function, JsString, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde_json::{Map, Number, Value};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::future_to_promise;

use super::browser;
use engine::isa::ElemType;
use engine::trace::Trace;
use workbench::api::{self, Answer, ArgumentBudget, Output};

/// The event that announces `window.warpscope`.
const READY: &str = "warpscope-ready";

type Result<T = JsValue> = std::result::Result<T, JsValue>;

/// A future on this thread.
pub type Task<T> = Pin<Box<dyn Future<Output = T>>>;

/// A finished run.
#[derive(Debug)]
pub struct FinishedRun {
    /// What `run` returns, without its outputs.
    pub summary: Value,
    /// The buffers that the kernel may write.
    pub outputs: Vec<Output>,
    /// The trace, for frames.
    pub trace: Arc<Trace>,
}

/// Compiles and runs kernels for the API.
pub trait Backend {
    /// Answers `compile`; `options` is JSON.
    fn compile(&self, source: String, options: String) -> Task<Answer>;

    /// Answers `run`; both arguments are JSON. `progress` receives the cycles and the issues so far.
    fn run(
        &self,
        scenario: String,
        options: String,
        progress: Box<dyn Fn(f64, f64)>,
    ) -> Task<std::result::Result<FinishedRun, String>>;
}

/// Installs `window.warpscope`, which runs kernels in workers, and dispatches the event `warpscope-ready`.
pub(crate) fn install() {
    install_with(Rc::new(remote::Workers));
}

/// Installs `window.warpscope` with another backend.
pub fn install_with(backend: Rc<dyn Backend>) {
    let Some(window) = browser::window() else {
        return;
    };
    // A window accepts new properties and events.
    if let Ok(api) = object(backend) {
        let _ = Reflect::set(&window, &"warpscope".into(), &Object::freeze(&api));
        if let Ok(event) = web_sys::Event::new(READY) {
            let _ = window.dispatch_event(&event);
        }
    }
}

/// The object for `window.warpscope`.
///
/// # Errors
/// When JavaScript refuses a property.
fn object(backend: Rc<dyn Backend>) -> Result<Object> {
    let api = Object::new();
    let put = |name: &str, value: JsValue| Reflect::set(&api, &name.into(), &value).map(|_| ());
    put("version", api::VERSION.into())?;
    put("architectures", no_argument(|| to_js(&api::architectures())))?;
    put("kernels", no_argument(|| to_js(&api::kernels())))?;
    let own = Rc::clone(&backend);
    put(
        "compile",
        two_arguments(move |source, options| {
            Ok(future_to_promise(compile(Rc::clone(&own), source, options)).into())
        }),
    )?;
    put(
        "run",
        two_arguments(move |scenario, options| {
            Ok(future_to_promise(run(Rc::clone(&backend), scenario, options)).into())
        }),
    )?;
    put("frame", two_arguments(frame))?;
    put(
        "access",
        one_argument(|asked| answer(api::access(from_js(asked)?))),
    )?;
    put(
        "occupancy",
        one_argument(|asked| answer(api::occupancy(from_js(asked)?))),
    )?;
    let link = Object::new();
    let encode = one_argument(|scenario| {
        let link = api::encode(&from_js(scenario)?).map_err(|message| error(&message))?;
        Ok(link.into())
    });
    let decode = one_argument(|link| answer(api::decode(&from_js(link)?)));
    Reflect::set(&link, &"encode".into(), &encode)?;
    Reflect::set(&link, &"decode".into(), &decode)?;
    put("link", Object::freeze(&link).into())?;
    Ok(api)
}

async fn compile(backend: Rc<dyn Backend>, source: JsValue, options: JsValue) -> Result {
    let source = source
        .dyn_ref::<JsString>()
        .ok_or_else(|| error("compile: the source must be a string"))?;
    // A unit of UTF-16 is at least one byte: a long string is not even copied.
    let check = |length: usize| api::check_source("compile", length).map_err(|message| error(&message));
    check(source.length() as usize)?;
    let source = String::from(source);
    check(source.len())?;
    answer(backend.compile(source, from_js(options)?.to_string()).await)
}

async fn run(backend: Rc<dyn Backend>, scenario: JsValue, options: JsValue) -> Result {
    let (options, on_progress) = without_progress(options)?;
    let progress = move |cycles: f64, issues: f64| {
        if let Some(call) = &on_progress {
            // An error in the caller's function does not end the run.
            let _ = call.call2(&JsValue::NULL, &cycles.into(), &issues.into());
        }
    };
    let (scenario, options) = (from_js(scenario)?.to_string(), from_js(options)?.to_string());
    let finished = backend.run(scenario, options, Box::new(progress)).await;
    result(finished.map_err(|message| error(&message))?)
}

/// Separates the options from their progress callback, which JSON cannot contain.
fn without_progress(options: JsValue) -> Result<(JsValue, Option<Function>)> {
    const NAME: &str = "onProgress";
    if !options.is_object() {
        return Ok((options, None));
    }
    let call = Reflect::get(&options, &NAME.into())?;
    if call.is_undefined() || call.is_null() {
        return Ok((options, None));
    }
    let call: Function = call
        .dyn_into()
        .map_err(|_| error("run: `onProgress` must be a function"))?;
    let rest = Object::assign(&Object::new(), options.unchecked_ref());
    Reflect::delete_property(&rest, &NAME.into())?;
    Ok((rest.into(), Some(call)))
}

/// A finished run, with its buffers and a function for frames. The data lives as long as the object.
fn result(finished: FinishedRun) -> Result {
    let object = to_js(&finished.summary)?;
    let outputs = Array::new();
    for output in &finished.outputs {
        outputs.push(&buffer(output)?);
    }
    Reflect::set(&object, &"outputs".into(), &outputs)?;
    let frame = one_argument(move |cycle| answer(api::frame(&finished.trace, cycle_of(&cycle)?)));
    Reflect::set(&object, &"frame".into(), &frame)?;
    Ok(object)
}

fn buffer(output: &Output) -> Result {
    let object = Object::new();
    let bytes = Uint8Array::from(output.bytes.as_slice());
    let buffer = bytes.buffer();
    let values: JsValue = match output.elem {
        ElemType::I8 => js_sys::Int8Array::new(&buffer).into(),
        ElemType::U8 => js_sys::Uint8Array::new(&buffer).into(),
        ElemType::I16 => js_sys::Int16Array::new(&buffer).into(),
        // Half-precision values as bits: not every browser has `Float16Array`.
        ElemType::U16 | ElemType::F16 => js_sys::Uint16Array::new(&buffer).into(),
        ElemType::I32 => js_sys::Int32Array::new(&buffer).into(),
        ElemType::U32 => js_sys::Uint32Array::new(&buffer).into(),
        ElemType::I64 => js_sys::BigInt64Array::new(&buffer).into(),
        ElemType::U64 => js_sys::BigUint64Array::new(&buffer).into(),
        ElemType::F32 => js_sys::Float32Array::new(&buffer).into(),
        ElemType::F64 => js_sys::Float64Array::new(&buffer).into(),
    };
    Reflect::set(&object, &"argument".into(), &(output.argument as f64).into())?;
    Reflect::set(&object, &"name".into(), &output.name.as_str().into())?;
    Reflect::set(&object, &"type".into(), &output.type_name().into())?;
    Reflect::set(&object, &"values".into(), &values)?;
    Ok(object.into())
}

/// `frame(run, cycle)`: calls the method of the run.
fn frame(run: JsValue, cycle: JsValue) -> Result {
    let wrong = || error("frame: the first argument must be a run, the result of `await warpscope.run(…)`");
    if !run.is_object() {
        return Err(wrong());
    }
    let call: Function = Reflect::get(&run, &"frame".into())?
        .dyn_into()
        .map_err(|_| wrong())?;
    call.call1(&run, &cycle)
}

fn cycle_of(value: &JsValue) -> Result<u64> {
    value
        .as_f64()
        .filter(|cycle| *cycle >= 0.0 && *cycle == cycle.trunc())
        .map(|cycle| cycle as u64)
        .ok_or_else(|| error("frame: the cycle must be a whole number of at least 0"))
}

fn answer(answer: Answer) -> Result {
    to_js(&answer.map_err(|message| error(&message))?)
}

fn error(message: &str) -> JsValue {
    Error::new(message).into()
}

fn to_js(value: &Value) -> Result {
    Ok(value.serialize(&Serializer::json_compatible())?)
}

/// Converts an argument. The conversion reads each property itself, because an argument can contain itself, have
/// millions of values, or throw when it is read.
fn from_js(value: JsValue) -> Result<Value> {
    value_of(&value, 0, &mut ArgumentBudget::default())
}

fn value_of(value: &JsValue, depth: usize, budget: &mut ArgumentBudget) -> Result<Value> {
    let refused = |reason: String| error(&reason);
    budget.count_value(depth).map_err(refused)?;
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Null);
    }
    if let Some(truth) = value.as_bool() {
        return Ok(truth.into());
    }
    if let Some(number) = value.as_f64() {
        return Ok(number_of(number));
    }
    if let Some(text) = value.dyn_ref::<JsString>() {
        budget.count_text(text.length() as usize).map_err(refused)?;
        return Ok(String::from(text).into());
    }
    if let Ok(number) = i64::try_from(value.clone()) {
        return Ok(number.into());
    }
    if let Ok(number) = u64::try_from(value.clone()) {
        return Ok(number.into());
    }
    if value.is_function() || !value.is_object() {
        return Err(error(api::ARGUMENT_KINDS));
    }
    // The names of a typed array's elements are as many strings: it is read as an array.
    if Array::is_array(value) || ArrayBuffer::is_view(value) {
        let length = Reflect::get(value, &"length".into())?
            .as_f64()
            .unwrap_or_default();
        budget.expect_values(length).map_err(refused)?;
        let item = |idx: u32| value_of(&Reflect::get_u32(value, idx)?, depth + 1, budget);
        return (0..length as u32)
            .map(item)
            .collect::<Result<Vec<Value>>>()
            .map(Value::from);
    }
    let object: &Object = value.unchecked_ref();
    let keys = Reflect::own_keys(object)?;
    budget.expect_values(keys.length().into()).map_err(refused)?;
    let mut fields = Map::new();
    for key in keys.iter() {
        // Symbols are no names of fields.
        let Some(name) = key.dyn_ref::<JsString>() else {
            continue;
        };
        budget.count_text(name.length() as usize).map_err(refused)?;
        let field = value_of(&Reflect::get(value, &key)?, depth + 1, budget)?;
        fields.insert(name.into(), field);
    }
    Ok(Value::Object(fields))
}

/// A number as JSON: whole numbers that a double represents exactly are integers.
fn number_of(number: f64) -> Value {
    const MAX_EXACT: f64 = 9_007_199_254_740_991.0;
    if number == number.trunc() && number.abs() <= MAX_EXACT {
        (number as i64).into()
    } else {
        // JSON has no NaN and no infinities.
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}

fn no_argument(call: impl Fn() -> Result + 'static) -> JsValue {
    Closure::<dyn Fn() -> Result>::new(call).into_js_value()
}

fn one_argument(call: impl Fn(JsValue) -> Result + 'static) -> JsValue {
    Closure::<dyn Fn(JsValue) -> Result>::new(call).into_js_value()
}

fn two_arguments(call: impl Fn(JsValue, JsValue) -> Result + 'static) -> JsValue {
    Closure::<dyn Fn(JsValue, JsValue) -> Result>::new(call).into_js_value()
}
