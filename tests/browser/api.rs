//! Tests of `window.warpscope` through JavaScript.

use js_sys::{Array, Float64Array, Function, Int32Array, JSON, Object, Promise, Reflect, Uint8Array};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use std::rc::Rc;
use std::sync::Arc;

use super::answers;
use page::api::{Backend, FinishedRun, Task};
use workbench::message::pack;

/// Compiles and runs on the page: tests have no file for a worker. The end-to-end tests drive the workers.
struct Here;

impl Backend for Here {
    fn compile(&self, source: String, options: String) -> Task<Result<Value, String>> {
        let options = serde_json::from_str(&options).expect("JSON");
        Box::pin(async move { workbench::api::compile(&source, options) })
    }

    fn run(
        &self,
        scenario: String,
        options: String,
        progress: Box<dyn Fn(f64, f64)>,
    ) -> Task<Result<FinishedRun, String>> {
        let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        let job = workbench::api::Job::start(&json(&scenario), json(&options));
        Box::pin(async move {
            let mut job = job?;
            let mut segments = Vec::new();
            loop {
                let step = job.advance(1 << 14);
                segments.append(&mut job.take_segments());
                progress(step.cycles as f64, step.issues as f64);
                if step.finished {
                    break;
                }
            }
            let (rest, finished) = job.finish();
            segments.extend(rest);
            let program = pack(finished.trace().program());
            Ok(FinishedRun {
                summary: finished.summary(),
                outputs: finished.outputs(),
                trace: Arc::new(workbench::api::rebuilt(finished.link(), &program, segments)?),
            })
        })
    }
}

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

fn warpscope() -> JsValue {
    let window = web_sys::window().expect("tests run in a page");
    if get(&window, "warpscope").is_undefined() {
        page::api::install_with(Rc::new(Here));
    }
    get(&window, "warpscope")
}

/// Calls a function of the API by its path.
fn call(path: &str, args: &[JsValue]) -> Result<JsValue, JsValue> {
    let mut owner = warpscope();
    let names: Vec<&str> = path.split('.').collect();
    let (name, folders) = names.split_last().expect("a name");
    for folder in folders {
        owner = get(&owner, folder);
    }
    let function: Function = get(&owner, name).dyn_into().expect("a function");
    function.apply(&owner, &args.iter().collect::<Array>())
}

fn js(text: &str) -> JsValue {
    JSON::parse(text).expect("JSON")
}

/// Returns the data of a value without its functions. JavaScript parses its own numbers exactly.
fn json(value: &JsValue) -> Value {
    let text = JSON::stringify(value).expect("data").as_string().expect("a text");
    serde_wasm_bindgen::from_value(js(&text)).expect("data")
}

async fn run(scenario: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    JsFuture::from(call("run", &[scenario, options])?.unchecked_into::<Promise>()).await
}

fn message(error: &JsValue) -> String {
    let error: &js_sys::Error = error.dyn_ref().expect("an Error");
    error.message().into()
}

#[wasm_bindgen_test]
fn the_object_has_exactly_the_typed_members() {
    let names: Vec<String> = Object::keys(warpscope().unchecked_ref())
        .iter()
        .filter_map(|name| name.as_string())
        .collect();
    // A native test compares these names with the type file.
    assert_eq!(names, workbench::api::MEMBERS);
    let types = include_str!("../../www/warpscope.d.ts");
    for name in &names {
        let is_function = get(&warpscope(), name).is_function();
        assert_eq!(types.contains(&format!("\n  {name}(")), is_function, "{name}");
    }
    assert_eq!(
        get(&warpscope(), "version").as_string().as_deref(),
        Some(env!("CARGO_PKG_VERSION"))
    );
}

#[wasm_bindgen_test]
async fn runs_match_the_native_numbers() {
    let mut lines = String::new();
    for link in answers::LINKS {
        let run = run(link.into(), JsValue::UNDEFINED).await.expect("it runs");
        let mut summary = json(&run);
        summary.as_object_mut().expect("an object").remove("outputs");
        let middle = (summary["cycles"].as_f64().expect("cycles") / 2.0).floor();
        let frame = call("frame", &[run.clone(), middle.into()]).expect("the cycle is there");
        let outputs: Vec<Vec<u8>> = get(&run, "outputs")
            .unchecked_into::<Array>()
            .iter()
            .map(|output| Uint8Array::new(&get(&get(&output, "values"), "buffer")).to_vec())
            .collect();
        lines += &answers::line(link, &summary, &json(&frame), &outputs);
    }
    assert_eq!(lines, include_str!("../runs/answers.txt"));
}

#[wasm_bindgen_test]
async fn long_runs_report_progress_and_yield_to_the_browser() {
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let list = std::rc::Rc::clone(&told);
    let call = wasm_bindgen::closure::Closure::<dyn Fn(f64, f64)>::new(move |cycles, _| {
        list.borrow_mut().push(cycles);
    });
    let options = js("{\"maxCycles\": 200000}");
    Reflect::set(&options, &"onProgress".into(), call.as_ref()).expect("an object");
    let source = "__global__ void spin(int *a) { for (int i = 0; i < 1000000; ++i) a[threadIdx.x] += i; }";
    let scenario = Object::new();
    for (key, value) in [("source", source), ("args", "inout:i32*32:zero")] {
        Reflect::set(&scenario, &key.into(), &value.into()).expect("an object");
    }
    let run = run(scenario.into(), options).await.expect("it runs");
    assert_eq!(json(&get(&run, "outcome"))["kind"], "cycle budget");
    assert_eq!(told.borrow().last(), Some(&200_000.0));
}

#[wasm_bindgen_test]
fn accesses_match_the_measurements() {
    let table = include_str!("../golden/warp_access_h200.csv");
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = rows.next().expect("a head");
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| *column == name)
            .expect("a column")
    };
    let mut num = 0;
    for row in rows {
        let first = column("off0");
        let offsets = row[first..first + 32]
            .iter()
            .map(|text| if text.is_empty() { "null" } else { text })
            .collect::<Vec<_>>()
            .join(",");
        let op = match row[column("op")] {
            "ld" => "load",
            "st" => "store",
            _ => "atomic",
        };
        let mask = u32::from_str_radix(row[column("mask")], 16).expect("a mask");
        let (space, width) = (row[column("space")], row[column("width_bits")]);
        let asked = js(&format!(
            "{{\"arch\":\"gh100\",\"space\":\"{space}\",\"op\":\"{op}\",\"widthBits\":{width},\"mask\":{mask},\"offsets\":[{offsets}]}}"
        ));
        let answer = json(&call("access", &[asked]).expect("an answer"));
        for name in ["wavefronts", "sectors", "requests"] {
            let measured = row[column(name)];
            if !measured.is_empty() && answer.get(name).is_some() {
                assert_eq!(answer[name].to_string(), measured, "{name} of {}", row[0]);
                num += 1;
            }
        }
    }
    assert!(num > 600, "{num}");
}

/// An array of numbers can be typed: JavaScript that computes addresses has them so.
#[wasm_bindgen_test]
fn accesses_from_typed_arrays_equal_those_from_plain_arrays() {
    let offsets: Vec<i32> = (0..32).map(|lane| 8 * lane).collect();
    let access = |offsets: JsValue| {
        let access = js(r#"{"arch":"tu102","space":"global","op":"load","widthBits":32}"#);
        Reflect::set(&access, &"offsets".into(), &offsets).expect("an object");
        json(&call("access", &[access]).expect("an access"))
    };
    let plain = access(
        offsets
            .iter()
            .map(|offset| JsValue::from(*offset))
            .collect::<Array>()
            .into(),
    );
    assert_eq!(plain["sectors"], 8, "{plain}");
    for typed in [
        Int32Array::from(&offsets[..]).into(),
        Float64Array::from(
            &offsets
                .iter()
                .map(|offset| f64::from(*offset))
                .collect::<Vec<_>>()[..],
        )
        .into(),
    ] {
        assert_eq!(access(typed), plain);
    }
}

#[wasm_bindgen_test]
async fn invalid_calls_throw_errors_with_sentences() {
    let error = call("access", &[js("{\"space\":\"shared\"}")]).expect_err("no offsets");
    assert!(message(&error).contains("offsets"), "{}", message(&error));
    let error = call("frame", &[JsValue::NULL, 3.into()]).expect_err("no run");
    assert!(message(&error).starts_with("frame: the first argument must be a run"));
    let error = run(js("{\"kernel\":\"nothing\"}"), JsValue::UNDEFINED)
        .await
        .expect_err("no kernel");
    assert!(
        message(&error).contains("no kernel with this name"),
        "{}",
        message(&error)
    );
    let compiled = call("compile", &["__global__ void k() { x; }".into()]).expect("a promise");
    let compiled = JsFuture::from(compiled.unchecked_into::<Promise>())
        .await
        .expect("an answer");
    assert_eq!(json(&compiled)["diagnostics"][0]["line"], 1);
}

#[wasm_bindgen_test]
fn links_encode_and_decode() {
    let link = call(
        "link.encode",
        &[js("{\"kernel\":\"saxpy\",\"grid\":[8],\"dlcm\":\"cg\"}")],
    )
    .expect("a link");
    assert_eq!(
        link.as_string().as_deref(),
        Some("#v1;kernel=saxpy;grid=8;dlcm=cg")
    );
    let decoded = json(&call("link.decode", &[link]).expect("a scenario"));
    assert_eq!(decoded["scenario"]["kernel"], "saxpy");
    let answer = json(&call("occupancy", &[js("{\"threadsPerBlock\":256}")]).expect("an answer"));
    assert_eq!(answer["warpsPerSm"], 32);
    assert_eq!(json(&call("architectures", &[]).expect("a list"))[0]["id"], "g80");
    assert!(
        json(&call("kernels", &[]).expect("a list"))
            .as_array()
            .is_some_and(|list| list.len() > 60)
    );
}

/// An argument of another program can contain itself, be deeply nested or huge, or throw when it is read.
#[wasm_bindgen_test]
async fn arguments_without_an_end_are_refused_in_words() {
    let cyclic = js("{}");
    Reflect::set(&cyclic, &"a".into(), &cyclic).expect("a property");
    let mut deep = js("{}");
    for _ in 0..100_000 {
        let outer = js("{}");
        Reflect::set(&outer, &"a".into(), &deep).expect("a property");
        deep = outer;
    }
    let depth = "The argument is nested more than 16 levels deep, or contains itself.";
    for argument in [&cyclic, &deep] {
        let refused = run(argument.clone(), JsValue::UNDEFINED)
            .await
            .expect_err("refused");
        assert_eq!(message(&refused), depth);
        for path in ["access", "occupancy", "link.encode", "link.decode"] {
            let refused = call(path, std::slice::from_ref(argument)).expect_err("refused");
            assert_eq!(message(&refused), depth, "{path}");
        }
    }
    let long = Array::new_with_length(u32::MAX);
    let refused = call("access", &[long.into()]).expect_err("refused");
    assert_eq!(message(&refused), "The argument has more than 20000 values.");
    let long = Uint8Array::new_with_length(1 << 28);
    let refused = call("access", &[long.into()]).expect_err("refused");
    assert_eq!(message(&refused), "The argument has more than 20000 values.");
    let text = JsValue::from("x".repeat(5 << 20));
    let refused = call("link.decode", std::slice::from_ref(&text)).expect_err("refused");
    assert_eq!(message(&refused), "The argument has more than 4 MB of text.");
    let compiled = call("compile", &[text, JsValue::UNDEFINED]).expect("a promise");
    let refused = JsFuture::from(compiled.unchecked_into::<Promise>())
        .await
        .expect_err("refused");
    assert_eq!(message(&refused), "compile: the source has at most 256 KB");
    let thrower = Function::new_no_args("return { get a() { throw new Error('mine'); } }")
        .call0(&JsValue::NULL)
        .expect("an object");
    assert_eq!(message(&call("access", &[thrower]).expect_err("thrown")), "mine");
    // The page answers as before.
    assert!(call("occupancy", &[js(r#"{"threadsPerBlock": 128}"#)]).is_ok());
}
