//! Labels, `goto`, and `switch` with labels in inner blocks.

use cuda::hir::{Stmt, StmtKind};
use cuda::parse;
use engine::arch::ArchId;

/// The statements of the only kernel, as text.
fn outline(body: &str) -> String {
    let text = format!("__global__ void k(int *p, int n) {{ {body} }}");
    let parsed = parse(&text, ArchId::Tu102);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let unit = parsed.unit.expect("no diagnostic");
    stmts(&unit.functions[0].body)
}

fn stmts(stmts: &[Stmt]) -> String {
    stmts.iter().map(stmt).collect::<Vec<_>>().join(" ")
}

fn stmt(statement: &Stmt) -> String {
    match &statement.kind {
        StmtKind::Label(label) => format!("L{}:", label.0),
        StmtKind::Goto(label) => format!("goto L{};", label.0),
        StmtKind::Block(inner) => format!("{{ {} }}", stmts(inner)),
        StmtKind::If { then, .. } => format!("if {}", stmt(then)),
        StmtKind::DoWhile { body, .. } => format!("do {}", stmt(body)),
        StmtKind::For { body, .. } => format!("for {}", stmt(body)),
        StmtKind::Switch { arms, .. } => {
            let arms: Vec<String> = arms
                .iter()
                .map(|arm| {
                    let default = if arm.is_default { "default" } else { "" };
                    format!("{:?}{default}: {}", arm.values, stmts(&arm.body))
                })
                .collect();
            format!("switch {{ {} }}", arms.join(" "))
        }
        StmtKind::Break => "break;".to_owned(),
        _ => "_;".to_owned(),
    }
}

#[test]
fn a_goto_and_its_label_share_an_id() {
    assert_eq!(
        outline("again: p[0] = 1; if (n) goto out; if (p[0]) goto again; out: ;"),
        "L0: _; if goto L1; if goto L0; L1:"
    );
}

#[test]
fn cases_in_inner_blocks_become_jumps() {
    assert_eq!(
        outline("switch (n) { case 0: do { p[0] = 1; case 1: p[1] = 1; } while (p[2]); }"),
        "{ switch { [0]: goto L1; [1]: goto L2; []default: goto L0; } L1: do { _; L2: _; } L0: }"
    );
}

#[test]
fn a_break_in_a_switch_of_jumps_jumps_after_the_switch() {
    assert_eq!(
        outline(
            "switch (n) { default: { case 1: p[0] = 1; break; } for (;;) { break; } switch (p[1]) { case 2: break; } }"
        ),
        "{ switch { []default: goto L1; [1]: goto L2; } L1: { L2: _; goto L0; } for { break; } switch { [2]: break; } L0: }"
    );
}
