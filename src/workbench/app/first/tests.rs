use std::path::Path;

use super::program;
use crate::share::Scenario;
use engine::isa::Program;

/// Enumerations that fields of instructions are of.
const OF_CODE: [(&str, &str); 12] = [
    ("op", "Op"),
    ("operand", "Operand"),
    ("space", "Space"),
    ("width", "Width"),
    ("cache", "CacheOp"),
    ("mode", "BarMode"),
    ("special", "Special"),
    ("cmp", "Cmp"),
    ("combine", "BoolOp"),
    ("ty", "NumType"),
    ("round", "Round"),
    ("token", "Token"),
];
/// And those of the rest of a program.
const OF_REST: [(&str, &str); 5] = [
    ("arch", "ArchId"),
    ("ty", "ParamType"),
    ("space", "SymbolSpace"),
    ("elem: Some(", "ElemType"),
    ("Scalar(", "ElemType"),
];

/// What `{:?}` says, as an expression.
fn expression(debug: &str, fields: &[(&str, &str)]) -> String {
    let mut text = debug.replace(['\n'], " ");
    for (field, of) in fields {
        let start = if field.ends_with('(') {
            (*field).to_owned()
        } else {
            format!(" {field}: ")
        };
        text = text.replace(&start, &format!("{start}{of}::"));
    }
    // The commonest values have names.
    text = text.replace("PredSrc { pred: Pred(7), negate: false }", "PredSrc::TRUE");
    for (operand, name) in [("Reg(Reg(", "reg(Reg("), ("Imm(", "imm(")] {
        let start = format!("Src {{ operand: Operand::{operand}");
        let mut pieces = text.split(&start);
        let mut short = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            match piece.split_once(", negate: false, absolute: false }") {
                Some((value, rest)) if !value.contains(',') => short += &format!("Src::{name}{value}{rest}"),
                _ => short += &format!("{start}{piece}"),
            }
        }
        text = short.replace("Src::reg(Reg(255))", "Src::ZERO");
    }
    text
}

/// The file that makes the program again.
fn file(program: &Program) -> String {
    let mut text = "//! Made by `UPDATE=1 cargo test --lib first::`.\n\n\
        #[allow(clippy::wildcard_imports, reason = \"a program has a little of everything\")]\n\
        use engine::{arch::ArchId, ids::*, isa::*};\n\n\
        /// The instructions.\n"
        .to_owned();
    text += &format!(
        "pub(super) static CODE: [Instruction; {}] = [\n",
        program.code.len()
    );
    for instruction in &program.code {
        text += &format!("    {},\n", expression(&format!("{instruction:?}"), &OF_CODE));
    }
    let rest = Program {
        code: Vec::new(),
        source: String::new(),
        ..program.clone()
    };
    let rest = expression(&format!("{rest:?}"), &OF_REST).replace('[', "vec![");
    // Every other piece stands between quotes.
    let rest: String = rest
        .split('"')
        .enumerate()
        .map(|(idx, piece)| match idx % 2 {
            0 => piece.to_owned(),
            _ if piece.is_empty() => "String::new()".to_owned(),
            _ => format!("\"{piece}\".to_owned()"),
        })
        .collect();
    text + "];\n\n/// All but the instructions and the text.\npub(super) fn rest() -> Program {\n    "
        + &rest
        + "\n}\n"
}

#[test]
fn the_first_program_is_what_the_compiler_makes() {
    let first = Scenario::default();
    let compiled = cuda::compile(first.source(), first.entry(), first.arch, &first.compile).unwrap();
    assert_eq!(compiled.diagnostics, []);
    if std::env::var_os("UPDATE").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("app/first/program.rs");
        std::fs::write(path, file(&compiled.program)).unwrap();
    }
    assert!(
        program(&first) == Some(compiled.program),
        "`UPDATE=1 cargo test --lib first::` makes it anew; then the tests are to be built again"
    );
}

#[test]
fn anything_else_is_compiled() {
    let first = Scenario::default();
    assert_eq!(
        first.source().matches("__global__").count(),
        1,
        "as `compile` has no choice then"
    );
    for other in ["v1;arch=gp104", "v1;kernel=vector-add", "v1;fastmath=on"] {
        let scenario = crate::share::decode(other).scenario;
        assert!(scenario != first, "{other}");
        assert_eq!(program(&scenario), None, "{other}");
    }
}
