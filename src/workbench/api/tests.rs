use std::collections::BTreeSet;

use super::*;
use engine::arch::ArchId;

const TYPES: &str = include_str!("../../../www/warpscope.d.ts");
const MEASURED: &str = include_str!("../../../tests/golden/warp_access_h200.csv");

fn run(scenario: Value, options: Value) -> Finished {
    let mut job = Job::start(&scenario, options).unwrap();
    while !job.advance(1000).finished {}
    job.finish().1
}

/// The member names of an interface in the type file.
fn members(interface: &str) -> Vec<&'static str> {
    let start = TYPES.find(&format!("interface {interface} {{")).unwrap();
    let body = &TYPES[start..];
    let body = &body[..body.find("\n}").unwrap()];
    body.lines()
        .skip(1)
        .filter(|line| line.starts_with("  ") && !line.starts_with("   ") && !line.contains('*'))
        .filter_map(|line| {
            line.trim()
                .trim_start_matches("readonly ")
                .split(['(', ':', '?'])
                .next()
        })
        .filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric))
        .collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[track_caller]
fn typed(interface: &str, value: &Value) {
    let members: BTreeSet<&str> = members(interface).into_iter().collect();
    assert_eq!(keys(value), members, "{interface}");
}

#[test]
fn the_types_have_the_members_of_the_object() {
    assert_eq!(members("Warpscope"), MEMBERS);
    assert_eq!(members("LinkFunctions"), ["encode", "decode"]);
    for arch in ArchId::ALL {
        assert!(TYPES.contains(&format!("\"{arch}\"")), "{arch}");
    }
}

#[test]
fn answers_have_the_fields_of_their_types() {
    typed("Architecture", &architectures()[0]);
    typed("SourcedValue", &architectures()[0]["values"][0]);
    typed("LibraryKernel", &kernels()[0]);
    let compiled = compile("__global__ void k(int *a) { a[0] = 1; }", json!({})).unwrap();
    typed("Compilation", &compiled);
    typed("Program", &compiled["program"]);
    let wrong = compile("__global__ void k(int *a) { a[0] = b; }", json!({})).unwrap();
    assert_eq!(wrong["program"], Value::Null);
    typed("Diagnostic", &wrong["diagnostics"][0]);
    let finished = run(json!({ "kernel": "vector-add" }), json!({}));
    let mut summary = finished.summary();
    // The page adds these as JavaScript arrays and functions.
    summary["outputs"] = Value::Null;
    summary["frame"] = Value::Null;
    typed("Run", &summary);
    let frame = finished.frame(20).unwrap();
    typed("Frame", &frame);
    typed("WarpInFrame", &frame["warps"][0]);
    let issued = (0..finished.trace().num_cycles())
        .map(|cycle| finished.frame(cycle).unwrap()["issued"][0].clone())
        .find(|issued| !issued.is_null())
        .unwrap();
    typed("Issued", &issued);
    let offsets: Vec<u32> = (0..32).map(|lane| 4 * lane).collect();
    for (space, interface) in [
        ("shared", "SharedAccess"),
        ("global", "GlobalAccess"),
        ("constant", "ConstantAccess"),
    ] {
        typed(
            interface,
            &access(json!({ "space": space, "offsets": offsets })).unwrap(),
        );
    }
    typed(
        "Occupancy",
        &occupancy(json!({ "threadsPerBlock": 256 })).unwrap(),
    );
    typed("DecodedLink", &decode(&json!("#v1;kernel=saxpy")).unwrap());
}

#[test]
fn eight_byte_banks_are_accepted_only_where_they_exist() {
    let stride: Vec<u64> = (0..32).map(|lane| 24 * lane).collect();
    let asked = |arch: &str, size: u32| {
        access(json!({ "arch": arch, "space": "shared", "offsets": stride, "bankSize": size }))
    };
    let counts = |size| asked("gk110", size).unwrap();
    assert_eq!(
        (&counts(4)["wavefronts"], &counts(4)["bankSize"]),
        (&json!(2), &json!(4))
    );
    assert_eq!(
        (&counts(8)["wavefronts"], &counts(8)["bankSize"]),
        (&json!(1), &json!(8))
    );
    assert!(asked("gv100", 8).unwrap_err().contains("bankSize"));
    assert!(asked("gk110", 6).unwrap_err().contains("4 or 8"));
}

/// The golden table was measured on an H200.
#[test]
fn access_costs_match_the_measurements() {
    let mut rows = MEASURED.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = rows.next().unwrap();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let mut num = 0;
    for row in rows {
        let op = match row[column("op")] {
            "ld" => "load",
            "st" => "store",
            _ => "atomic",
        };
        let first = column("off0");
        let offsets: Vec<Option<u64>> = row[first..first + 32]
            .iter()
            .map(|text| text.parse().ok())
            .collect();
        let answer = access(json!({
            "arch": "gh100",
            "space": row[column("space")],
            "op": op,
            "widthBits": row[column("width_bits")].parse::<u32>().unwrap(),
            "mask": u32::from_str_radix(row[column("mask")], 16).unwrap(),
            "offsets": offsets,
        }))
        .unwrap();
        for name in ["wavefronts", "sectors", "requests"] {
            let measured = row[column(name)];
            let counts_it = answer.get(name).is_some();
            if !measured.is_empty() && counts_it {
                assert_eq!(answer[name].to_string(), measured, "{name} of {}", row[0]);
                num += 1;
            }
        }
    }
    assert!(num > 600, "{num}");
}

#[test]
fn a_run_has_the_counters_of_its_trace_and_the_kernel_s_outputs() {
    let finished = run(
        json!({ "kernel": "saxpy", "arch": "gf100", "dlcm": "cg" }),
        json!({}),
    );
    let summary = finished.summary();
    assert_eq!(summary["outcome"]["kind"], "finished");
    assert_eq!(summary["link"], "#v1;arch=gf100;kernel=saxpy;dlcm=cg");
    assert_eq!(summary["cycles"], finished.trace().num_cycles());
    for counter in finished.trace().counters() {
        assert_eq!(
            summary["counters"][&counter.name],
            json!(counter.value),
            "{}",
            counter.name
        );
    }
    let outputs = finished.outputs();
    assert_eq!(outputs.len(), 1);
    assert_eq!(
        (outputs[0].name.as_str(), outputs[0].type_name().as_str()),
        ("y", "f32")
    );
    assert_eq!(outputs[0].bytes.len(), 4 * 4096);
    let frame = finished.frame(0).unwrap();
    assert_eq!(frame["cycle"], 0);
    assert!(
        finished
            .frame(finished.trace().num_cycles())
            .unwrap_err()
            .contains("the cycles 0 to")
    );
}

#[test]
fn frames_agree_with_the_trace() {
    let finished = run(json!("#v1;kernel=reduce-sum"), json!({ "arch": "gp104" }));
    let trace = finished.trace();
    for cycle in (0..trace.num_cycles()).step_by(97) {
        let frame = finished.frame(cycle).unwrap();
        let selected = frame["warps"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|warp| warp["state"] == "Selected")
            .count();
        let slots: BTreeSet<u64> = frame["issued"]
            .as_array()
            .unwrap()
            .iter()
            .map(|i| i["slot"].as_u64().unwrap())
            .collect();
        assert_eq!(selected, slots.len(), "cycle {cycle}");
        for warp in frame["warps"].as_array().unwrap() {
            assert!(!warp["reason"].as_str().unwrap().is_empty(), "{warp}");
            let (since, until) = (warp["since"].as_u64().unwrap(), warp["until"].as_u64().unwrap());
            assert!(since <= cycle && cycle < until, "{warp}");
        }
    }
}

#[test]
fn a_cycle_limit_ends_a_run() {
    let finished = run(json!("#v1"), json!({ "maxCycles": 300 }));
    assert_eq!(finished.summary()["outcome"]["kind"], "cycle budget");
    assert_eq!(finished.summary()["cycles"], 300);
}

#[test]
fn a_checked_run_reports_invalid_accesses() {
    let source = "__global__ void last(int *a) { __shared__ int s; s = threadIdx.x; *a = s; }";
    let scenario = json!({ "source": source, "block": 32, "args": "out:i32*1:zero" });
    let summary = run(scenario.clone(), json!({ "check": true })).summary();
    let finding = &summary["findings"][0];
    assert_eq!(finding["tool"], "racecheck");
    assert_eq!(finding["kind"], "write-after-write");
    let sites = finding["sites"].as_array().unwrap();
    assert_eq!(sites.len(), 2);
    for site in sites {
        assert_eq!(site["place"]["array"], "s");
        assert_eq!(site["line"], 1);
        let cycle = site["cycle"].as_u64().unwrap();
        assert!(cycle < summary["cycles"].as_u64().unwrap());
    }
    let unchecked = run(scenario, Value::Null).summary();
    assert_eq!(unchecked["findings"], Value::Null);
    assert_eq!(unchecked["cycles"], summary["cycles"], "checks change nothing");
}

/// The findings have the fields that the types declare.
#[test]
fn findings_are_typed() {
    let source = "__global__ void last(int *a) { *a = threadIdx.x; }";
    let scenario = json!({ "source": source, "block": 32, "args": "out:i32*1:zero" });
    let summary = run(scenario, json!({ "check": true })).summary();
    let finding = &summary["findings"][0];
    let site = &finding["sites"][0];
    for (name, object) in [("Finding", finding), ("Site", site), ("Place", &site["place"])] {
        let start = TYPES.find(&format!("export interface {name} {{")).unwrap();
        let block = TYPES[start..].split("\n}").next().unwrap();
        let mut typed: Vec<&str> = block
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split_once(':'))
            .map(|(field, _)| field)
            .filter(|field| !field.contains(['*', ' ', '/']))
            .collect();
        typed.sort_unstable();
        let got: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(typed, got, "{name}");
    }
}

#[test]
fn custom_source_runs_with_its_launch() {
    let source = "__global__ void twice(int *a) { a[threadIdx.x] *= 2; }";
    let scenario = json!({ "source": source, "block": 64, "args": "inout:i32*64:iota" });
    let finished = run(scenario.clone(), Value::Null);
    let outputs = finished.outputs();
    assert_eq!(outputs[0].bytes[4 * 63], 126);
    let link = encode(&scenario).unwrap();
    let decoded = decode(&json!(link)).unwrap();
    assert_eq!(decoded["scenario"]["source"], source);
    assert_eq!(decoded["scenario"]["block"], "64");
    assert_eq!(
        encode(&decoded["scenario"]).unwrap(),
        link,
        "what is decoded encodes to the same"
    );
}

#[test]
fn errors_are_sentences_that_name_the_place() {
    let error = |answer: Answer| answer.unwrap_err();
    let start = |scenario: Value, options: Value| Job::start(&scenario, options).unwrap_err();
    for (message, part) in [
        (error(compile("", json!({ "arch": "voodoo" }))), "voodoo"),
        (error(compile("", json!({ "options": { "fmda": true } }))), "fmda"),
        (error(access(json!({ "space": "shared" }))), "offsets"),
        (
            error(access(json!({ "space": "texture", "offsets": [0] }))),
            "texture",
        ),
        (
            error(access(json!({ "space": "shared", "offsets": [2] }))),
            "lane 0",
        ),
        (
            error(access(json!({ "space": "shared", "offsets": [] }))),
            "no lane",
        ),
        (error(access(json!(7))), "an object"),
        (error(occupancy(json!({ "threadsPerBlock": 4096 }))), "4096"),
        (
            error(occupancy(json!({ "threadsPerBlock": 32, "carveout": 101 }))),
            "percent",
        ),
        (error(decode(&json!(3))), "string"),
        (encode(&json!({ "grid": "0" })).unwrap_err(), "grid"),
        (
            start(json!({ "kernel": "nothing" }), json!({})),
            "no kernel with this name",
        ),
        (
            start(json!({ "arch": "g80", "kernel": "reduce-shuffle" }), json!({})),
            "needs compute capability 3.0",
        ),
        (start(json!({ "block": 2048 }), json!({})), "2048"),
        (start(json!({}), json!({ "maxCycle": 3 })), "maxCycle"),
    ] {
        assert!(message.contains(part), "{message}");
        let name = message.split(':').next().unwrap();
        assert!(
            MEMBERS.contains(&name) || name.starts_with("link."),
            "it begins with the function: {message}"
        );
    }
}

#[test]
fn occupancy_names_the_limiting_resource() {
    let asked = json!({ "threadsPerBlock": 256, "staticShared": 16 << 10 });
    let answer = occupancy(asked).unwrap();
    assert_eq!(answer["blocksPerSm"], 4);
    assert!(
        answer["limiters"].as_array().unwrap().contains(&json!("warps")),
        "{answer}"
    );
}
