use cuda::assist::documentation::{TABLE, documentation};
use cuda::assist::*;
use cuda::compile;
use cuda::internals::{capability, headers, is_declared_in_headers, is_known, known_names};
use engine::arch::ArchId;
use engine::isa::CompileOptions;

const KERNEL: &str = "\
#include <cooperative_groups.h>
#define TILE 16
#define AT(row, column) ((row) * TILE + (column))
namespace cg = cooperative_groups;

struct Point { float x, y; float length() const { return x * y; } };

__constant__ float weights[32];

template <typename T> __device__ T twice(T value) { return value + value; }

__device__ float scale(const float *__restrict__ from, int at) {
    return from[at] * weights[at % 32];
}

__global__ void work(float4 *in, Point *points, float *out, size_t num) {
    __shared__ float tile[TILE][TILE + 1];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    float4 four = in[at];
    Point p = points[at];
    for (int step = 0; step < 4; step++) {
        float partial = four.x * step;
        out[at] += partial + twice(p.x);
    }
    tile[threadIdx.y][threadIdx.x] = scale(out, AT(threadIdx.y, 2));
    block.sync();
    out[at + num] = tile[threadIdx.x][threadIdx.y] + warp.shfl_down(p.y, 1);
}
";

fn index_for(text: &str, arch: ArchId) -> Index {
    Index::read(text, arch, &CompileOptions::default(), None)
}

fn index(text: &str) -> Index {
    index_for(text, ArchId::Tu102)
}

/// The text without its `|`, and the offset of the `|`.
fn at_mark(text: &str) -> (String, usize) {
    let at = text.find('|').unwrap();
    (text.replacen('|', "", 1), at)
}

/// The completions at the `|` of `CODE` in the kernel, best first.
fn offered_in(text: &str, asked: bool) -> Vec<String> {
    let (text, at) = at_mark(text);
    let index = index(&text);
    let Some(completion) = index.complete(at, asked) else {
        return Vec::new();
    };
    let letters = &text[completion.word.start..at];
    filtered(&completion.proposals, letters)
        .into_iter()
        .map(|(idx, _)| completion.proposals[idx].name.clone())
        .collect()
}

/// The completions with a line before the last line of the kernel.
fn offered(line: &str) -> Vec<String> {
    offered_in(
        &KERNEL.replacen(
            "    block.sync();\n",
            &format!("    {line}\n    block.sync();\n"),
            1,
        ),
        false,
    )
}

fn hover_on(text: &str, word: &str) -> Option<Hover> {
    hover(&index(text), text.find(word).unwrap() + 1, None)
}

fn place_of<'t>(text: &'t str, from: &str) -> (&'t str, usize) {
    let range = index(text).definition(text.find(from).unwrap()).unwrap();
    let line = text[..range.start].matches('\n').count() + 1;
    (&text[range], line)
}

#[test]
fn completion_lists_locals_first_and_only_those_in_scope() {
    let names = offered("out[0] = pa|");
    assert!(!names.contains(&"partial".to_owned()), "{names:?}");
    assert_eq!(offered("out[0] = til|")[0], "tile");
    assert_eq!(offered("out[0] = fo|")[0], "four");
    let inside = KERNEL.replacen(
        "float partial = four.x * step;",
        "float partial = four.x * st|",
        1,
    );
    assert_eq!(offered_in(&inside, false)[0], "step");
}

#[test]
fn letters_in_order_match_inside_names() {
    assert_eq!(offered("sync|")[0], "__syncthreads");
    assert!(offered("shdn|").contains(&"__shfl_down_sync".to_owned()));
    assert_eq!(offered("twi|")[0], "twice");
    assert_eq!(offered("TI|")[0], "TILE");
    assert_eq!(offered("threadI|")[0], "threadIdx");
}

#[test]
fn member_completion_follows_the_type_before_the_dot() {
    assert_eq!(offered("four.|"), ["x", "y", "z", "w"]);
    assert_eq!(offered("in[3].|"), ["x", "y", "z", "w"]);
    assert_eq!(offered("in->|"), ["x", "y", "z", "w"]);
    assert_eq!(offered("(*in).|"), ["x", "y", "z", "w"]);
    assert_eq!(offered("threadIdx.|"), ["x", "y", "z"]);
    assert_eq!(offered("p.|"), ["x", "y", "length"]);
    assert_eq!(offered("points[at + 1].le|"), ["length"]);
    assert_eq!(offered("make_float2(1, 2).|"), ["x", "y"]);
    assert_eq!(offered("reinterpret_cast<float2 *>(out)[0].|"), ["x", "y"]);
    assert_eq!(offered("((float2 *)out)->|"), ["x", "y"]);
}

#[test]
fn group_members_come_from_the_cooperative_groups_header() {
    let names = offered("warp.|");
    for name in ["sync", "shfl_down", "thread_rank", "ballot"] {
        assert!(names.contains(&name.to_owned()), "{name} is not in {names:?}");
    }
    assert!(!names.iter().any(|name| name.starts_with("__")), "{names:?}");
    assert_eq!(offered("block.group_i|")[0], "group_index");
    assert!(offered("cg::this_|").contains(&"this_thread_block".to_owned()));
}

#[test]
fn a_list_opens_after_two_letters_or_on_request() {
    let text = "__global__ void k(int *a) {\n    a|\n}\n";
    assert!(offered_in(text, false).is_empty());
    assert_eq!(offered_in(text, true)[0], "a");
    // A name that is being declared has no completions.
    assert!(offered_in("__global__ void k(int *a) {\n    int nu|\n}\n", false).is_empty());
}

#[test]
fn comments_strings_and_numbers_have_no_completions() {
    for line in [
        "// th|",
        "/* th| */",
        "printf(\"th|\");",
        "out[0] = 0x1|;",
        "out[0] = 1.5f|;",
    ] {
        assert!(offered(line).is_empty(), "{line}");
    }
}

#[test]
fn directives_and_headers_have_their_own_completions() {
    assert_eq!(offered_in("#inc|\n", false), ["include"]);
    assert_eq!(offered_in("#include <coop|\n", false)[0], "cooperative_groups.h");
    assert_eq!(offered_in("#include \"cuda_fp1|\"\n", false)[0], "cuda_fp16.h");
}

#[test]
fn every_proposed_header_can_be_included() {
    for (name, text) in headers() {
        assert!(text.ends_with('.'), "{name}");
        let source = format!("#include <{name}>\n__global__ void k(int *a) {{ a[0] = 1; }}\n");
        assert!(
            compile(&source, None, ArchId::Gh100, &CompileOptions::default()).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn unsupported_names_state_the_required_compute_capability() {
    let (text, at) = at_mark("__global__ void k(int *a) {\n    a[0] = __match_an|\n}\n");
    let found = |arch: ArchId| {
        let completion = index_for(&text, arch).complete(at, false).unwrap();
        let proposal = completion
            .proposals
            .into_iter()
            .find(|proposal| proposal.name == "__match_any_sync");
        proposal.unwrap().lacks
    };
    assert_eq!(found(ArchId::Tu102), None);
    let lacks = found(ArchId::Gf104).unwrap();
    assert_eq!(lacks, "Needs compute capability 7.0; Fermi GF104 has 2.1.");
}

#[test]
fn symbols_survive_a_syntax_error() {
    let options = CompileOptions::default();
    let whole = Index::read(KERNEL, ArchId::Tu102, &options, None);
    // A missing brace, a missing semicolon, and an incomplete expression.
    let broken = KERNEL.replacen(
        "    Point p = points[at];\n",
        "    Point p = points[at];\n    if (p.x > (p.|\n",
        1,
    );
    let (text, at) = at_mark(&broken);
    let index = Index::read(&text, ArchId::Tu102, &options, Some(&whole));
    let names: Vec<String> = index
        .complete(at, false)
        .unwrap()
        .proposals
        .into_iter()
        .map(|proposal| proposal.name)
        .collect();
    assert_eq!(names, ["x", "y", "length"]);
    // A function with a syntax error in its head.
    let broken = KERNEL.replacen("__device__ float scale(const", "__device__ float scale((const", 1);
    let index = Index::read(&broken, ArchId::Tu102, &options, Some(&whole));
    assert!(index.symbol_at(broken.find("Point *points").unwrap()).is_some());
}

#[test]
fn enter_breaks_the_line_unless_a_proposal_is_selected() {
    let (text, at) = at_mark("__global__ void k(int *alpha) {\n    al|\n}\n");
    let completion = index(&text).complete(at, false).unwrap();
    let proposal = completion
        .proposals
        .iter()
        .find(|proposal| proposal.name == "alpha")
        .unwrap();
    assert!(takes_enter(proposal, "al", false, false));
    // The word is complete: Enter breaks the line.
    assert!(!takes_enter(proposal, "alpha", false, false));
    assert!(takes_enter(proposal, "alpha", true, false));
    // No letters, so nothing is selected.
    assert!(!takes_enter(proposal, "", false, false));
    // The letters occur inside the name only.
    assert!(!takes_enter(proposal, "pha", false, true));
}

#[test]
fn a_hover_shows_the_type_in_cpp_syntax() {
    let signature = |word: &str| hover_on(KERNEL, word).unwrap().signature;
    assert_eq!(signature("four = "), "float4 four");
    assert_eq!(
        signature("at = blockIdx"),
        "const int at = blockIdx.x * blockDim.x + threadIdx.x"
    );
    assert_eq!(signature("partial = "), "float partial");
    assert_eq!(signature("num) {"), "size_t num");
    assert_eq!(signature("in, Point"), "float4 *in");
    assert_eq!(
        signature("scale(out"),
        "__device__ float scale(const float *__restrict__ from, int at)"
    );
    assert_eq!(
        signature("twice(p.x)"),
        "template <typename T> __device__ T twice(T value)"
    );
    assert_eq!(signature("tile[TILE]"), "__shared__ float tile[TILE][TILE + 1]");
    assert_eq!(signature("weights[32]"), "__constant__ float weights[32]");
    assert_eq!(signature("block = cg"), "cooperative_groups::thread_block block");
    assert!(signature("warp = cg").starts_with("cooperative_groups::thread_block_tile<32"));
}

#[test]
fn a_hover_shows_location_and_size() {
    let facts = |word: &str| hover_on(KERNEL, word).unwrap().facts;
    assert!(
        facts("four.x").contains(&("Declared".into(), "line 21".to_owned())),
        "{:?}",
        facts("four.x")
    );
    assert!(facts("tile[threadIdx.y]").contains(&("Size".into(), "1,088 bytes".to_owned())));
    let expansion = facts("AT(threadIdx.y");
    assert!(
        expansion.contains(&("Expands to".into(), "((threadIdx.y) * 16 + (2))".to_owned())),
        "{expansion:?}"
    );
    let group = hover_on(KERNEL, "this_thread_block").unwrap();
    assert_eq!(group.text, "Returns the group of all threads of this block.");
    assert!(
        group
            .facts
            .contains(&("Declared".into(), "in <cooperative_groups.h>".to_owned())),
        "{group:?}"
    );
}

#[test]
fn cuda_names_have_a_hover_and_operators_have_none() {
    let text = "__global__ void k(int *a) {\n    __syncthreads();\n    a[threadIdx.x] = __shfl_xor_sync(~0u, a[0], 1) + 1;\n}\n";
    let sync = hover_on(text, "__syncthreads").unwrap();
    assert_eq!(
        (&*sync.kind, &*sync.source),
        (
            "CUDA function",
            "CUDA C++ Programming Guide, Synchronization Functions"
        )
    );
    assert!(
        hover_on(text, "x] = ")
            .unwrap()
            .signature
            .contains("unsigned int x")
    );
    assert!(hover(&index(text), text.find("+ 1").unwrap(), None).is_none());
    let old = hover(
        &index_for(text, ArchId::Gt200),
        text.find("__shfl").unwrap() + 2,
        None,
    )
    .unwrap();
    assert_eq!(
        old.facts,
        [(
            "Not available".into(),
            "Needs compute capability 3.0; Tesla GT200 has 1.3.".to_owned()
        )]
    );
}

#[test]
fn a_hover_shows_registers_offsets_and_banks() {
    let text = "\
__global__ void k(const float *in, float *out, int num) {
    __shared__ float first[64];
    __shared__ float second[32];
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[at];
    first[threadIdx.x % 64] = value;
    second[threadIdx.x % 32] = value * 2;
    __syncthreads();
    if (at < num) out[at] = value + first[63 - threadIdx.x % 64] + second[3];
}
";
    let program = compile(text, None, ArchId::Tu102, &CompileOptions::default())
        .unwrap()
        .program;
    let facts = |word: &str| {
        hover(&index(text), text.find(word).unwrap() + 1, Some(&program))
            .unwrap()
            .facts
    };
    let value = facts("value = in");
    let (label, register) = &value[0];
    assert_eq!(*label, "Register", "{value:?}");
    // The destination register of the load in the machine code.
    let load = program
        .code
        .iter()
        .position(|instruction| instruction.text(ArchId::Tu102).contains("LDG"))
        .unwrap();
    let expected = format!(
        "R{}, written at {:04x}, live for ",
        program.code[load].dst.0,
        load * 16
    );
    assert!(register.starts_with(&expected), "{register} is not {expected}");
    assert!(facts("num) {").contains(&("Constant bank 0".into(), "c[0x0][0x170]".to_owned())));
    assert!(
        facts("first[64]").contains(&("Shared memory".into(), "offset 0x0, 256 bytes".to_owned())),
        "{:?}",
        facts("first[64]")
    );
    assert!(facts("second[32]").contains(&("Shared memory".into(), "offset 0x100, 128 bytes".to_owned())));
    // An index of another text has no facts.
    let other = text.replace("* 2", "* 3");
    let hover = hover(
        &index(&other),
        other.find("value = in").unwrap() + 1,
        Some(&program),
    )
    .unwrap();
    assert_eq!(hover.facts, []);
}

#[test]
fn definitions_are_found_in_the_innermost_scope() {
    assert_eq!(place_of(KERNEL, "four.x"), ("four", 21));
    assert_eq!(place_of(KERNEL, "scale(out"), ("scale", 12));
    assert_eq!(place_of(KERNEL, "TILE + 1"), ("TILE", 2));
    assert_eq!(place_of(KERNEL, "length() const"), ("length", 6));
    assert_eq!(place_of(KERNEL, "Point *points"), ("Point", 6));
    let text = "int f(int a) { return a; }\n__global__ void k(int *a) {\n    { int a2 = 1, b = a2; a[0] = b; }\n    goto end;\nend:\n    a[1] = 2;\n}\n";
    assert_eq!(place_of(text, "a2; a"), ("a2", 3));
    assert_eq!(place_of(text, "a[1]"), ("a", 2));
    assert_eq!(place_of(text, "end;"), ("end", 5));
}

#[test]
fn members_and_member_functions_have_definitions() {
    let text = "struct P { int first, second; __device__ int sum() { return first + second; } };\n__global__ void k(P *p, int *out) { out[0] = p->second + p[1].sum(); }\n";
    assert_eq!(
        index(text).definition(text.find("second + p").unwrap()),
        Some(22..28)
    );
    let sum = text.find("sum()").unwrap();
    assert_eq!(
        index(text).definition(text.rfind("sum()").unwrap()),
        Some(sum..sum + 3)
    );
    let names = offered_in(&text.replacen("p->second", "p->|", 1), false);
    assert_eq!(names, ["first", "second", "sum"]);
}

#[test]
fn references_to_a_local_stay_in_its_scope() {
    let text = "__global__ void k(int *out) {\n    for (int i = 0; i < 4; i++) out[i] = i;\n    for (int i = 1; i < 2; i++) { out[i] = 2; }\n}\n";
    let uses = index(text).uses_of_local(text.find("i < 4").unwrap()).unwrap();
    assert_eq!(uses.len(), 5);
    assert!(
        uses.iter()
            .all(|range| &text[range.clone()] == "i" && range.start < text.find("i = 1").unwrap())
    );
    assert_eq!(
        index(text).uses_of_local(text.find("threadIdx").unwrap_or(0)),
        None
    );
    // Members with the same name are other symbols.
    let text = "struct P { int x; };\n__global__ void k(P *p, int x) { p->x = x; }\n";
    assert_eq!(
        index(text)
            .uses_of_local(text.find("x) {").unwrap())
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn angle_brackets_of_templates_and_launches_match() {
    let text = "template <typename T> __device__ T f(T a) { return a < 3 ? a : f<T>(a - 1); }\nint host() { k<<<1, 2>>>(0); }\n";
    let pair = |open: &str| {
        let at = text.find(open).unwrap() + open.find('<').unwrap();
        index(text)
            .matching_angles(at)
            .map(|(open, close)| (open.start, close.start))
    };
    assert_eq!(pair("<typename"), Some((9, 20)));
    let close = text.find(">(a").unwrap();
    assert_eq!(pair("<T>("), Some((close - 2, close)));
    assert_eq!(pair("< 3"), None);
    assert_eq!(
        pair("<<<1"),
        Some((text.find("<<<").unwrap(), text.find(">>>").unwrap()))
    );
}

#[test]
fn the_compiler_knows_every_documented_name() {
    assert!(TABLE.len() >= 120);
    let headers = "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <mma.h>\nusing namespace cooperative_groups;\nusing namespace nvcuda::wmma;\n__global__ void k(int *a) { a[0] = 1; }\n";
    let index = index_for(headers, ArchId::Gh100);
    for (idx, entry) in TABLE.iter().enumerate() {
        assert_eq!(
            documentation(entry.name),
            Some(entry),
            "{} is there twice",
            entry.name
        );
        assert!(
            entry.text.ends_with('.') && !entry.source.is_empty(),
            "{}",
            entry.name
        );
        assert!(
            entry.signature.contains(entry.name),
            "{}: {}",
            entry.name,
            entry.signature
        );
        assert!(
            is_known(entry.name) || is_declared_in_headers(&index, entry.name),
            "{} ({idx}) is unknown",
            entry.name
        );
        let built_in = capability(entry.name);
        assert!(
            built_in == 0 || built_in == entry.capability,
            "{}: {built_in}",
            entry.name
        );
    }
}

#[test]
fn every_proposed_function_has_documentation() {
    let without: Vec<String> = known_names()
        .into_iter()
        .filter(|known| known.kind == SymbolKind::Builtin && known.text.is_empty())
        .map(|known| known.name)
        .collect();
    assert_eq!(without, Vec::<String>::new());
}

#[test]
fn an_index_of_any_prefix_answers_queries() {
    // No incomplete text causes a panic.
    for (at, _) in KERNEL.char_indices().step_by(7) {
        let text = &KERNEL[..at];
        let index = index(text);
        let _ = index.complete(at, true);
        let _ = hover(&index, at, None);
        let _ = index.uses_of_local(at.saturating_sub(1));
        let _ = index.matching_angles(at);
    }
}
