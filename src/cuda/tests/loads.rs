//! Vector loads with words that the program does not read.

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, Outcome};

fn program(source: &str, arch: ArchId) -> Program {
    compile(source, None, arch, &CompileOptions::default())
        .expect("a correct kernel")
        .program
}

/// Cycles of one warp that loads four vectors and reads these words of them.
fn cycles(words: [&str; 4], arch: ArchId) -> u64 {
    let [a, b, c, d] = words;
    let source = format!(
        "__global__ void four(const uint4 *p, unsigned *out, int n) {{
            unsigned i = threadIdx.x;
            uint4 a = p[i], b = p[i + n], c = p[i + 2 * n], d = p[i + 3 * n];
            unsigned s = 0;
            {}
            out[i] = s;
        }}",
        [("a", a), ("b", b), ("c", c), ("d", d)]
            .iter()
            .flat_map(|(name, words)| words
                .chars()
                .map(move |word| format!("s = s * 3 + {name}.{word};")))
            .collect::<String>()
    );
    let buffer = |len, role| Argument::Buffer {
        elem: ElemType::U32,
        len,
        fill: Fill::of(Pattern::Zero),
        role,
        start: 0,
    };
    let launch = Launch {
        grid: [1, 1, 1],
        block: [32, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(4 * 4 * 32, Role::In),
            buffer(32, Role::Out),
            Argument::Scalar {
                ty: ElemType::I32,
                bits: 32,
            },
        ],
        symbols: Vec::new(),
    };
    let program = program(&source, arch);
    let mut machine = Machine::new(architecture(arch), &program, &launch, MachineOptions::default())
        .expect("a legal launch");
    assert_eq!(machine.run(&mut ()), &Outcome::Finished, "{arch}");
    machine.cycle().0
}

/// Four loads with unread words overlap like four loads whose words are all read.
#[test]
fn unread_words_of_a_load_stall_no_other_instruction() {
    for arch in [
        ArchId::Gf100,
        ArchId::Gk110,
        ArchId::Gm204,
        ArchId::Tu102,
        ArchId::Gh100,
    ] {
        let whole = cycles(["xyzw"; 4], arch);
        for words in [
            ["x", "y", "z", "w"],
            ["xyz", "yzw", "xzw", "xyw"],
            ["xz", "yw", "xw", "yz"],
            ["xy", "zw", "xyz", "w"],
        ] {
            let some = cycles(words, arch);
            assert!(some <= whole + whole / 20, "{arch} {words:?}: {some} for {whole}");
        }
    }
}

/// The widths of the loads of a kernel that reads these words, as in nvcc's code for 9.0.
#[test]
fn loads_have_the_widths_of_nvcc() {
    let cases: [(&str, &[&str]); 7] = [
        ("a.x", &["LDG.E"]),
        ("a.x ^ a.y", &["LDG.E.64"]),
        ("a.z ^ a.w", &["LDG.E.64"]),
        ("a.y ^ a.z", &["LDG.E", "LDG.E"]),
        ("a.x ^ a.w", &["LDG.E", "LDG.E"]),
        ("a.x ^ a.y ^ a.z", &["LDG.E.128"]),
        ("a.y ^ a.z ^ a.w", &["LDG.E.128"]),
    ];
    for (value, expected) in cases {
        for load in ["p[threadIdx.x]", "__ldcg(p + threadIdx.x)"] {
            let source = format!(
                "__global__ void k(const uint4 *p, unsigned *out) {{ uint4 a = {load}; out[threadIdx.x] = {value}; }}"
            );
            let listing = program(&source, ArchId::Gh100).listing();
            let loads: Vec<String> = listing
                .split_whitespace()
                .filter(|word| word.starts_with("LDG"))
                .map(|word| word.replace(".CG", ""))
                .collect();
            assert_eq!(loads, expected, "{value} of {load}\n{listing}");
        }
    }
}
