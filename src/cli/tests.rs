use clap::CommandFactory;

use super::*;

/// Returns the output of a command line and its verdict.
fn warpscope(args: &[&str]) -> (String, Verdict) {
    let mut out = Vec::new();
    let args = std::iter::once("warpscope").chain(args.iter().copied());
    let verdict = run(args.map(OsString::from), &mut out).unwrap();
    (String::from_utf8(out).unwrap(), verdict)
}

fn failure(args: &[&str]) -> String {
    let args = std::iter::once("warpscope").chain(args.iter().copied());
    run(args.map(OsString::from), &mut Vec::new())
        .unwrap_err()
        .to_string()
}

#[test]
fn the_command_line_is_well_formed() {
    Cli::command().debug_assert();
}

/// Every command, option, and value has a help text.
#[test]
fn help_is_complete() {
    fn check(command: &clap::Command) {
        assert!(
            command.get_about().is_some(),
            "{} has no help",
            command.get_name()
        );
        for arg in command.get_arguments() {
            let name = arg.get_id().as_str();
            assert!(
                arg.get_help().is_some() || name == "help",
                "{name} of {}",
                command.get_name()
            );
        }
        command.get_subcommands().for_each(check);
    }
    check(&Cli::command());
    assert!(warpscope(&["--help"]).0.contains("Usage"));
}

#[test]
fn architectures_are_listed_and_shown_with_sources() {
    let (list, _) = warpscope(&["arch", "list"]);
    assert_eq!(list.lines().count(), engine::arch::ArchId::ALL.len());
    let (turing, _) = warpscope(&["arch", "show", "tu102"]);
    assert!(turing.contains("issue.schedulers = 4"), "{turing}");
    assert!(turing.contains("Turing Tuning Guide"));
    let (json, _) = warpscope(&["arch", "show", "g80", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["compute_capability"], "1.0");
    assert!(failure(&["arch", "show", "voodoo"]).contains("voodoo"));
}

#[test]
fn links_encode_flags_and_decode_back() {
    let args = [
        "link", "encode", "--kernel", "saxpy", "--arch", "gf100", "--grid", "8", "--dlcm", "cg",
    ];
    let (link, _) = warpscope(&args);
    assert_eq!(link.trim(), "#v1;arch=gf100;kernel=saxpy;grid=8;dlcm=cg");
    let (json, verdict) = warpscope(&[
        "link",
        "decode",
        &format!("https://example.org/a/{}", link.trim()),
    ]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["scenario"]["machine"]["load_caching"], "cg");
    assert_eq!(verdict, Verdict::Good);
    assert_eq!(warpscope(&["link", "decode", "#v1;grid=0"]).1, Verdict::Bad);
    assert!(failure(&["link", "encode", "--grid", "none"]).contains("grid=none"));
}

/// The golden table includes the output columns, so the command reproduces the file.
#[test]
fn the_occupancy_table_matches_cuda_occupancy_h() {
    let path = "../../tests/golden/occupancy.csv";
    let (table, _) = warpscope(&["occupancy", path]);
    assert_eq!(table, std::fs::read_to_string(path).unwrap());
}

#[test]
fn flags_describe_one_launch_for_occupancy() {
    let (table, _) = warpscope(&["occupancy", "--cc", "7.5", "--threads-per-block", "256"]);
    assert!(
        table.ends_with("7.5,256,16,0,0,-1,4,4,16,16,-1,4096,0\n"),
        "{table}"
    );
    assert!(failure(&["occupancy", "--cc", "4.2", "--threads-per-block", "64"]).contains("4.2"));
}

/// A flag selects Kepler's bank size; other chips refuse it. `run` has the same flag.
#[test]
fn a_flag_selects_eight_byte_banks() {
    let offsets: Vec<String> = (0..32).map(|lane| (24 * lane).to_string()).collect();
    let columns: Vec<String> = (0..32).map(|lane| format!("off{lane}")).collect();
    let table = format!(
        "id,space,op,width_bits,mask,{}\nstride6,shared,ld,32,ffffffff,{}\n",
        columns.join(","),
        offsets.join(",")
    );
    let path = std::env::temp_dir().join(format!("warpscope-banks-{}.csv", std::process::id()));
    std::fs::write(&path, table).unwrap();
    let path = path.to_str().unwrap();
    let wavefronts = |size| {
        let (table, _) = warpscope(&["access", "--arch", "gk110", "--bank-size", size, path]);
        table.lines().nth(1).unwrap().to_owned()
    };
    assert!(wavefronts("4").starts_with("stride6,2,"), "{}", wavefronts("4"));
    assert!(wavefronts("8").starts_with("stride6,1,"), "{}", wavefronts("8"));
    let refused = failure(&["access", "--arch", "gv100", "--bank-size", "8", path]);
    assert!(refused.contains("only compute capability 3.x"), "{refused}");
    std::fs::remove_file(path).unwrap();
    let (link, _) = warpscope(&["link", "encode", "--arch", "gh100", "--sm", "5"]);
    assert!(link.contains(";sm=5"), "{link}");
    assert!(failure(&["link", "encode", "--sm", "none"]).contains("sm=none"));
    let (link, _) = warpscope(&["link", "encode", "--arch", "gk110", "--bank-size", "8"]);
    assert_eq!(link.trim(), "#v1;arch=gk110;banksize=8");
}

/// Counts every access of the measured table through the command line.
#[test]
fn access_counts_match_the_hardware_counters() {
    let path = "../../tests/golden/warp_access_h200.csv";
    for arch in ["gv100", "tu102"] {
        let (got, _) = warpscope(&["access", "--arch", arch, path]);
        let measured = std::fs::read_to_string(path).unwrap();
        let mut num_rows = 0;
        for (got, measured) in got.lines().zip(measured.lines()).skip(1) {
            let cells: Vec<&str> = measured.split(',').collect();
            let (id, wavefronts, sectors, requests) = (cells[0], cells[5], cells[7], cells[8]);
            assert_eq!(got, format!("{id},{wavefronts},{sectors},{requests}"), "{arch}");
            num_rows += 1;
        }
        assert_eq!(num_rows, 553);
    }
    let (fermi, _) = warpscope(&["access", "--arch", "gf100", path]);
    assert!(fermi.starts_with("id,wavefronts,sectors,requests,transactions,bytes\n"));
}

/// Without `--run`, too, the options of compilation decide which code is printed.
#[test]
fn check_compiles_with_the_options() {
    let sass = |options: &[&str]| {
        let args = [
            "check",
            "../../tests/corpus/saxpy.cu",
            "--arch",
            "gf100",
            "--emit",
            "sass",
        ];
        warpscope(&[&args[..], options].concat()).0
    };
    assert!(
        sass(&[]).contains("FFMA") && sass(&[]).contains("LD.E"),
        "{}",
        sass(&[])
    );
    let apart = sass(&["--fmad", "off"]);
    assert!(apart.contains("FMUL") && !apart.contains("FFMA"), "{apart}");
    let narrow = sass(&["--m32", "on"]);
    assert!(!narrow.contains("LD.E"), "{narrow}");
}

#[test]
fn check_reports_diagnostics_with_their_lines() {
    let (text, verdict) = warpscope(&["check", "../../tests/corpus/saxpy.cu", "--arch", "g80,tu102"]);
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(
        text.contains("../../tests/corpus/saxpy.cu: g80: saxpy("),
        "{text}"
    );
    assert!(text.contains("registers per thread"), "{text}");
    let (text, verdict) = warpscope(&["check", "../../tests/diagnostics/half.cu"]);
    assert_eq!(verdict, Verdict::Bad);
    assert!(
        text.starts_with("../../tests/diagnostics/half.cu:5:12: error: "),
        "{text}"
    );
    let (json, _) = warpscope(&[
        "check",
        "--json",
        "../../tests/corpus/saxpy.cu",
        "../../tests/diagnostics/half.cu",
    ]);
    let verdicts: Vec<bool> = json
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["compiles"] == true)
        .collect();
    assert_eq!(verdicts, [true, false]);
    assert!(failure(&["check", "no/such/file.cu"]).contains("no/such/file.cu"));
}

#[test]
fn a_file_runs_on_several_architectures() {
    let args = "run ../../tests/corpus/vector_add.cu --arch g80,gf100,tu102 --grid 4 --block 256 \
                --args in:f32*1000:lcg1,in:f32*1000:lcg2,out:f32*1000:zero,i32:1000 --json";
    let (json, verdict) = warpscope(&args.split_whitespace().collect::<Vec<_>>());
    assert_eq!(verdict, Verdict::Good, "{json}");
    let runs: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(runs.len(), 3);
    for run in runs {
        // The checksum from the measured corpus for this launch.
        assert_eq!(run["outputs"][0]["crc32"], "ec04c5cf");
        assert_eq!(run["outcome"]["kind"], "finished");
    }
}

/// A kernel whose outputs are halves of its inputs, a NaN, and an infinity, run with these arguments; `PID` keeps
/// the files of tests that run at once apart.
fn outputs_of_a_run(name: &str, further: &[&str]) -> (serde_json::Value, std::path::PathBuf) {
    let folder = std::env::temp_dir().join(format!("warpscope-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("halve.cu");
    let text = "__global__ void halve(float *out, const float *in, int *ids) {\n\
                  int i = threadIdx.x;\n\
                  out[i] = i == 2 ? 1.0f / 0.0f : i == 3 ? in[0] * __int_as_float(0x7fc00000) : in[i] * 0.5f;\n\
                  ids[i] = -i;\n\
                }\n";
    std::fs::write(&source, text).unwrap();
    let mut args = vec![
        "run",
        source.to_str().unwrap(),
        "--json",
        "--no-checks",
        "--block",
        "4",
    ];
    args.extend(["--args", "out:f32*4:zero,in:f32*4:iota,inout:i32*4:zero"]);
    args.extend(further);
    let (json, verdict) = warpscope(&args);
    assert_eq!(verdict, Verdict::Good, "{json}");
    (serde_json::from_str(&json).unwrap(), folder)
}

#[test]
fn json_has_the_values_of_outputs() {
    let (runs, folder) = outputs_of_a_run("values", &[]);
    let outputs = &runs[0]["outputs"];
    assert_eq!(outputs[0]["name"], "out");
    assert_eq!(outputs[0]["type"], "f32");
    assert_eq!(outputs[0]["bytes"], 16);
    assert_eq!(outputs[1]["argument"], 2);
    assert_eq!(outputs[1]["values"], serde_json::json!([0, -1, -2, -3]));
    let values = outputs[0]["values"].as_array().unwrap();
    assert_eq!(values[..3], [serde_json::json!(0.0), 0.5.into(), "inf".into()]);
    // 9.0 returns the canonical NaN.
    assert_eq!(values[3], "nan(0x7fffffff)");
    let (runs, _) = outputs_of_a_run("values", &["--outputs", "2"]);
    assert_eq!(runs[0]["outputs"][1]["values"], serde_json::json!([0, -1]));
    let (runs, _) = outputs_of_a_run("values", &["--outputs", "0"]);
    assert!(runs[0]["outputs"][1].get("values").is_none());
    let source = folder.join("halve.cu");
    let args = [
        "run",
        source.to_str().unwrap(),
        "--block",
        "4",
        "--outputs",
        "3",
        "--args",
    ];
    let (text, _) = warpscope(&[&args[..], &["out:f32*4:zero,in:f32*4:iota,out:i32*4:zero"]].concat());
    assert!(text.contains(": 0 0.5 inf …\n"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn outputs_are_saved_as_their_bytes() {
    let ids: Vec<u8> = [0_i32, -1, -2, -3]
        .iter()
        .flat_map(|id| id.to_le_bytes())
        .collect();
    let saved = std::env::temp_dir().join(format!("warpscope-saved-{}", std::process::id()));
    let (runs, folder) = outputs_of_a_run("save", &["--save", saved.to_str().unwrap()]);
    let file = |run: usize, output: usize| runs[run]["outputs"][output]["file"].as_str().unwrap().to_owned();
    assert_eq!(std::path::Path::new(&file(0, 1)), saved.join("ids.bin"));
    assert_eq!(std::fs::read(saved.join("ids.bin")).unwrap(), ids);
    assert_eq!(std::fs::read(file(0, 0)).unwrap()[4..8], 0.5_f32.to_le_bytes());
    assert!(!saved.join("in.bin").exists());
    // A folder for each architecture, where there are several.
    let args = ["--save", saved.to_str().unwrap(), "--arch", "gf100,tu102"];
    let (runs, _) = outputs_of_a_run("save", &args);
    for (run, arch) in ["gf100", "tu102"].iter().enumerate() {
        let path = saved.join(arch).join("ids.bin");
        assert_eq!(runs[run]["outputs"][1]["file"].as_str(), path.to_str());
        assert_eq!(std::fs::read(path).unwrap(), ids, "{arch}");
    }
    // A file where the folder should be.
    let source = folder.join("halve.cu");
    let (source, taken) = (source.to_str().unwrap(), saved.join("ids.bin"));
    let args = ["run", "--kernel", "saxpy", "--save", taken.to_str().unwrap()];
    let message = failure(&args);
    assert!(
        message.starts_with(&format!("cannot write {}: ", taken.display())),
        "{message}"
    );
    assert!(failure(&["run", source, "--save"]).contains("--save <DIR>"));
    std::fs::remove_dir_all(folder).unwrap();
    std::fs::remove_dir_all(saved).unwrap();
}

#[test]
fn the_first_scenario_runs_and_prints_a_summary() {
    let (text, verdict) = warpscope(&["run", "--arch", "tu102", "--counters"]);
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(text.contains("transpose_tiled on"), "{text}");
    assert!(text.contains("outcome     finished"), "{text}");
    assert!(
        text.contains("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
        "{text}"
    );
}

#[test]
fn a_refused_launch_states_the_reason() {
    let (text, verdict) = warpscope(&["run", "--kernel", "saxpy", "--arch", "g80", "--block", "1024"]);
    assert_eq!(verdict, Verdict::Bad);
    assert!(text.contains("1024 threads in"), "{text}");
}

#[test]
fn traces_export_in_every_format() {
    for format in ["json", "csv", "counters", "perfetto"] {
        let (text, verdict) = warpscope(&["trace", "--kernel", "saxpy", "--format", format]);
        assert_eq!(verdict, Verdict::Good);
        assert!(!text.is_empty());
        if matches!(format, "json" | "perfetto") {
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }
}

/// Covers the short runs of the corpus; `warpscope validate --corpus tests/corpus` measures all of it.
#[test]
fn corpus_counts_match_the_recorded_counts() {
    use crate::validation::corpus;
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let cases = ::corpus::cases::load(&dir).unwrap();
    let rows = corpus::rows().unwrap();
    assert_eq!(rows.len(), cases.len());
    let sample = cases
        .iter()
        .filter(|case| !case.name.contains("large"))
        .step_by(13);
    let mut num = 0;
    for case in sample {
        let source = std::fs::read_to_string(dir.join(&case.file)).unwrap();
        let now = [(case.name.clone(), validate::measure_case(case, &source))];
        let now = corpus::rows_of(&corpus::record(&now)).unwrap();
        let ours = |rows: &[corpus::CorpusRow]| {
            let row = rows.iter().find(|row| row.case == case.name);
            row.and_then(|row| row.ours.clone().ok())
        };
        let (now, before) = (ours(&now), ours(&rows));
        let exact = |ours: &corpus::Ours| (ours.threads, ours.instructions, ours.registers, ours.is_noisy);
        let anew = "`warpscope validate --recorded --corpus tests/corpus --write .` records it anew";
        assert_eq!(
            now.as_ref().map(exact),
            before.as_ref().map(exact),
            "{}: {anew}",
            case.name
        );
        let (Some(now), Some(before)) = (now, before) else {
            continue;
        };
        // Recorded cycles are informative: the test tolerates small changes of the model.
        let ratio = now.cycles as f64 / before.cycles as f64;
        assert!(
            (0.9..1.1).contains(&ratio),
            "{}: cycles {ratio}: {anew}",
            case.name
        );
        num += 1;
    }
    assert!(num > 8);
}

#[test]
fn a_run_prints_the_findings_of_its_checks() {
    let args = ["run", "--kernel", "warp-sum", "--arch", "tu102"];
    let (text, verdict) = warpscope(&args);
    assert_eq!(verdict, Verdict::Good);
    assert!(
        text.contains("warp-sum:14:11: warning: racecheck: Race reported between"),
        "{text}"
    );
    let unchecked = [&args[..], &["--no-checks"]].concat();
    assert!(!warpscope(&unchecked).0.contains("racecheck"));
    let json = [&args[..], &["--json"]].concat();
    let json: serde_json::Value = serde_json::from_str(&warpscope(&json).0).unwrap();
    assert_eq!(json[0]["findings"][0]["tool"], "racecheck");
}

/// Includes are read from the including file's folder and from the folders of `-I`; links contain all files.
#[test]
fn included_files_are_read_and_go_into_links() {
    let main = "../../tests/several_files/src/main.cu";
    let folder = "../../tests/several_files/include";
    let (text, verdict) = warpscope(&["check", main, "-I", folder]);
    assert_eq!(verdict, Verdict::Good, "{text}");
    let (text, verdict) = warpscope(&["check", main]);
    assert_eq!(verdict, Verdict::Bad);
    assert!(
        text.starts_with("../../tests/several_files/src/main.cu:8:55: error: "),
        "{text}"
    );
    // A diagnostic from a command-line macro points into the file that uses the macro.
    let (text, verdict) = warpscope(&["check", main, "-I", folder, "-D", "FACTOR=unknown"]);
    assert_eq!(verdict, Verdict::Bad);
    assert!(
        text.contains("../../tests/several_files/src/main.cu:8:45: error: "),
        "{text}"
    );
    let outputs = |further: &[&str]| {
        let mut args = vec![
            "run",
            main,
            "-I",
            folder,
            "--args",
            "inout:f32*32:iota",
            "--no-checks",
        ];
        args.extend(further);
        let (text, _) = warpscope(&args);
        let line = text
            .lines()
            .find(|line| line.contains("argument 0"))
            .unwrap()
            .to_owned();
        line.split_once(": ").unwrap().1.to_owned()
    };
    assert!(outputs(&[]).starts_with("3.5 6.5 9.5"), "{}", outputs(&[]));
    assert!(outputs(&["-D", "FACTOR=2.0f"]).starts_with("2.5 4.5 6.5"));
    let (link, _) = warpscope(&["link", "encode", main, "-I", folder]);
    let scenario = workbench::share::decode(link.trim()).scenario;
    let names: Vec<&str> = engine::files::split(scenario.source())
        .iter()
        .map(|file| file.name)
        .collect();
    assert_eq!(
        names,
        [
            "src/main.cu",
            "src/ops.cuh",
            "include/offset.h",
            "src/detail/inner.cuh"
        ]
    );
    assert!(cuda::compile(scenario.source(), None, scenario.arch, &scenario.compile).is_ok());
}

/// An output whose reader is gone, as after `| head`.
struct ClosedPipe;

impl Write for ClosedPipe {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_ends_a_command_quietly() {
    let lessons = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/lessons");
    for args in [
        &["lesson", "index", lessons][..],
        &["glossary"],
        &["glossary", "--json"],
        &["arch", "show", "tu102"],
        &["arch", "show", "tu102", "--json"],
        &["twin", "--link", "v1"],
        &["run", "--kernel", "saxpy", "--json"],
        &["--help"],
    ] {
        let args = std::iter::once("warpscope").chain(args.iter().copied());
        let error = run(args.map(OsString::from), &mut ClosedPipe).unwrap_err();
        assert!(error.is_closed_pipe(), "{error}");
    }
    let error = run(
        ["warpscope", "glossary", "nothing"].map(OsString::from),
        &mut ClosedPipe,
    );
    assert!(!error.unwrap_err().is_closed_pipe());
}
