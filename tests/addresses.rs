//! Programs that pass addresses: pointers into allocations, structs with pointers, arrays of pointers, variables, and memory that
//! the GPU cannot access. The head of each file says what is right.
#![cfg(not(target_arch = "wasm32"))]

use cli::{Verdict, run};

/// What `run` prints for a launch of a program.
fn said(program: &str, flags: &str) -> String {
    judged(program, flags).1
}

/// The verdict on a launch of a program, and what `run` prints.
fn judged(program: &str, flags: &str) -> (Verdict, String) {
    let path = format!("{}/tests/addresses/{program}.cu", env!("CARGO_MANIFEST_DIR"));
    let args = ["warpscope", "run", &path];
    let mut out = Vec::new();
    let verdict = run(
        args.into_iter().chain(flags.split_whitespace()).map(Into::into),
        &mut out,
    )
    .unwrap_or_else(|error| panic!("{program} {flags}: {error}"));
    (verdict, String::from_utf8(out).expect("text"))
}

/// The architectures of the tests: one of each form of address and of memory.
const ARCHS: [&str; 6] = ["gf100", "gk110", "gm204", "gp100", "tu102", "gh100"];

#[test]
fn launches_of_main_pass_their_addresses() {
    let clean = ["checks      no findings", "outcome     finished"];
    for (program, launch, right) in [
        (
            "misaligned-vector",
            1,
            &["Address 0x710000004, byte 4 of in, is misaligned"][..],
        ),
        (
            "shifted",
            1,
            &["Race reported between Read access at line 2 and Write access at line 2"],
        ),
        ("halves", 1, &["1 2 3 4 5 6 7 8", clean[0]]),
        ("halves", 2, &["1 byte after in, which has 512 bytes"]),
        ("in-place", 1, &["0 2 4 6 8 10", clean[0]]),
        ("from-one", 1, &["1 2 3 4 5 6", clean[0]]),
        ("symbol", 1, &["argument 0", "0 1 2 3 4 5", clean[0]]),
        ("symbol", 2, &["0 1 2 3 4 5", clean[0]]),
        (
            "host-memory",
            1,
            &["is a host address, which the launch passes for the pointer p"],
        ),
        ("freed", 1, &["the program has freed the memory of p"]),
        ("matrix", 1, &["C+8", "16 16 16 16", clean[0], clean[1]]),
        ("rows", 1, &["argument 1", "2 2 2 2", clean[0], clean[1]]),
        ("list", 1, &["argument 1", ": 6", clean[0], clean[1]]),
        ("constant-rows", 1, &["3 3 3 3", clean[0], clean[1]]),
    ] {
        for arch in ARCHS {
            let text = said(program, &format!("--launch {launch} --arch {arch}"));
            for right in right {
                assert!(
                    text.contains(right),
                    "{program} {launch} {arch}: {right} in {text}"
                );
            }
            assert!(!text.contains("guess"), "{program} {launch} {arch}: {text}");
        }
    }
}

/// A warp's load that starts 4 bytes after a sector's boundary takes one sector more, in all forms of the pointer.
#[test]
fn an_offset_takes_one_sector_more() {
    let sectors = |flags: &str| {
        let text = said("sectors", &format!("--arch tu102 --counters {flags}"));
        let name = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum = ";
        let (_, rest) = text.split_once(name).unwrap_or_else(|| panic!("{text}"));
        rest.split_whitespace().next().map(str::to_owned)
    };
    let forms = [
        "",
        "--args in:i32*256:zero:at1,out:i32*256:unset --grid 1 --block 32",
        "--args in:i32*256:zero:byte4,out:i32*256:unset --grid 1 --block 32",
        "--args in:i32@1:at1,inout:i32*512:zero --grid 1 --block 32",
    ];
    for form in forms {
        assert_eq!(sectors(form).as_deref(), Some("5"), "{form}");
    }
    let aligned = "--args in:i32*256:zero,out:i32*256:unset --grid 1 --block 32";
    assert_eq!(sectors(aligned).as_deref(), Some("4"));
}

/// The same launches as `main()` makes, given as `--args`.
#[test]
fn flags_pass_addresses_as_main_does() {
    for (program, args, right) in [
        ("halves", "in:i32*128:iota,inout:i32@0:at64", "1 2 3 4 5 6 7 8"),
        ("in-place", "in:f32*32:iota,inout:f32@0", "0 2 4 6 8 10"),
        ("from-one", "inout:f32*32:zero:at-1,i32:32", "1 2 3 4 5 6"),
        ("symbol", "inout:i32@table", "0 1 2 3 4 5"),
        (
            "rows",
            "in:u64*2:words@2/@3,out:f32*32:unset,in:f32*32:const1,in:f32*32:const2",
            "2 2 2 2",
        ),
        ("list", "in:u64*6:words1/@0.16/2/@0.32/3/0,out:i32*1:unset", ": 6"),
        (
            "matrix",
            "words:x1000000010/@3,words:x1000000010/@4,words:x1000000010/@5,in:f32*256:const1,in:f32*256:const1,out:f32*256:unset",
            "16 16 16 16",
        ),
    ] {
        let block = match program {
            "halves" => "64",
            "list" => "1",
            "matrix" => "16x16",
            _ => "32",
        };
        for arch in ARCHS {
            let text = said(
                program,
                &format!("--arch {arch} --grid 1 --block {block} --args {args}"),
            );
            assert!(text.contains(right), "{program} {arch}: {text}");
            assert!(text.contains("no findings"), "{program} {arch}: {text}");
        }
    }
}

/// What is read from a file is not known: the run is an estimate, and what follows from it is no error of the program.
#[test]
fn an_unknown_launch_is_estimated_everywhere() {
    for (program, what) in [
        ("unknown-size", "the launch is not known: the grid"),
        ("unknown-indices", "the launch is not known: contents of `i`"),
    ] {
        for arch in ARCHS {
            let (verdict, text) = judged(program, &format!("--arch {arch}"));
            assert_eq!(verdict, Verdict::Estimated, "{program} {arch}: {text}");
            assert!(text.contains("estimated launch"), "{program} {arch}: {text}");
            assert!(text.contains(what), "{program} {arch}: {text}");
            assert!(!text.contains("memcheck"), "{program} {arch}: {text}");
            let (_, json) = judged(program, &format!("--arch {arch} --json"));
            assert!(
                json.contains("\"estimated\": \"the launch is not known"),
                "{json}"
            );
        }
    }
    // Flags replace the estimates.
    let given = "--arch tu102 --grid 1 --block 256 --args inout:f32*512:zero,i32:256";
    let (verdict, text) = judged("unknown-size", given);
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(!text.contains("stimated"), "{text}");
    // The page's own indices are wrong for the program, and with flags that is an error.
    let given = "--arch tu102 --grid 1 --block 256 --args in:i32*256:iota,in:f32*64:zero,out:f32*256:unset";
    let (verdict, text) = judged("unknown-indices", given);
    assert_eq!(verdict, Verdict::Bad, "{text}");
    assert!(text.contains("memcheck"), "{text}");
}

/// 128 MB for each buffer.
#[test]
fn large_buffers_keep_their_sizes() {
    let text = said("large", "--arch tu102 --blocks 8");
    assert!(text.contains("131072 x 1 x 1 blocks"), "{text}");
    assert!(text.contains("1 1 1 1") && text.contains("no findings"), "{text}");
}
