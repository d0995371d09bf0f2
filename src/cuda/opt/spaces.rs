//! Finds out to which memory generic addresses point.

use crate::cuda::ir::{Def, End, Function, Inst, Label, Node, Op, Region, Space, Type, Value};

/// What a pointer points to: nothing known yet, one space, or several.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Unknown,
    In(Space),
    Any,
}

impl Target {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, target) | (target, Self::Unknown) => target,
            (a, b) if a == b => a,
            _ => Self::Any,
        }
    }
}

/// Gives accesses their spaces; whether any changed. `global_only`: the chip has no generic
/// addresses, so what is not known is global memory.
pub(super) fn run(function: &mut Function, global_only: bool) -> bool {
    let mut has_generic = false;
    function.body.insts(&mut |inst| {
        has_generic |= matches!(
            inst.op,
            Op::Load(access) | Op::Store(access) if access.space == Space::Generic
        ) || matches!(
            inst.op,
            Op::Atom {
                space: Space::Generic,
                ..
            }
        );
    });
    if !has_generic {
        return false;
    }
    let mut infer = Infer {
        targets: vec![Target::Unknown; function.values.len()],
        function,
        open: Vec::new(),
        changed: true,
    };
    for param in &infer.function.params {
        infer.targets[param.0 as usize] = Target::Any;
    }
    while std::mem::take(&mut infer.changed) {
        infer.region(&function.body, &[]);
    }
    let targets = infer.targets;
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    let any = rewrite(function, &targets, &mut body, global_only);
    function.body = body;
    any
}

struct Infer<'a> {
    function: &'a Function,
    targets: Vec<Target>,
    open: Vec<(Label, Vec<Value>, Vec<Value>)>,
    changed: bool,
}

impl Infer<'_> {
    fn target(&self, value: Value) -> Target {
        match self.function.def(value) {
            Def::Bank0(_) => Target::In(Space::Global),
            // Null, or an address that somebody made up.
            Def::Const(_) | Def::Undef => Target::Unknown,
            _ => self.targets[value.0 as usize],
        }
    }

    fn add(&mut self, value: Value, target: Target) {
        let old = self.targets[value.0 as usize];
        let new = old.join(target);
        if new != old {
            self.targets[value.0 as usize] = new;
            self.changed = true;
        }
    }

    fn flow(&mut self, to: &[Value], from: &[Value]) {
        for (to, from) in to.iter().zip(from) {
            let target = self.target(*from);
            self.add(*to, target);
        }
    }

    fn region(&mut self, region: &Region, results: &[Value]) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => self.inst(inst),
                Node::If(choice) => {
                    self.region(&choice.then, &choice.results);
                    self.region(&choice.els, &choice.results);
                }
                Node::Loop(repeat) => {
                    self.flow(&repeat.params, &repeat.init);
                    self.open
                        .push((repeat.label, repeat.results.clone(), repeat.params.clone()));
                    self.region(&repeat.body, &repeat.results);
                    self.open.pop();
                }
                Node::Block(block) => {
                    self.open.push((block.label, block.results.clone(), Vec::new()));
                    self.region(&block.body, &block.results);
                    self.open.pop();
                }
            }
        }
        match &region.end {
            End::Yield(args) => self.flow(results, args),
            End::Break(label, args) | End::Continue(label, args) => {
                let again = matches!(region.end, End::Continue(..));
                let to = self.open.iter().rev().find(|open| open.0 == *label);
                if let Some(to) = to.map(|open| if again { open.2.clone() } else { open.1.clone() }) {
                    self.flow(&to, args);
                }
            }
            End::Return(_) | End::Unreachable => {}
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let target = match inst.op {
            Op::PtrAdd => self.target(inst.args[0]),
            Op::ToGeneric(space) => Target::In(space),
            Op::Select => self.target(inst.args[1]).join(self.target(inst.args[2])),
            // Pointers in a kernel's parameters come from the host.
            Op::Load(access) if matches!(access.space, Space::Param | Space::Const) => {
                Target::In(Space::Global)
            }
            _ => Target::Any,
        };
        for result in &inst.results {
            self.add(*result, target);
        }
    }
}

fn rewrite(function: &mut Function, targets: &[Target], region: &mut Region, global_only: bool) -> bool {
    let mut any = false;
    let mut out = Vec::with_capacity(region.nodes.len());
    for mut node in std::mem::take(&mut region.nodes) {
        match &mut node {
            Node::Inst(inst) => any |= access(function, targets, inst, global_only, &mut out),
            Node::If(choice) => {
                any |= rewrite(function, targets, &mut choice.then, global_only);
                any |= rewrite(function, targets, &mut choice.els, global_only);
            }
            Node::Loop(repeat) => any |= rewrite(function, targets, &mut repeat.body, global_only),
            Node::Block(block) => any |= rewrite(function, targets, &mut block.body, global_only),
        }
        out.push(node);
    }
    region.nodes = out;
    any
}

fn access(
    function: &mut Function,
    targets: &[Target],
    inst: &mut Inst,
    global_only: bool,
    out: &mut Vec<Node>,
) -> bool {
    let space = match &mut inst.op {
        Op::Load(access) | Op::Store(access) => &mut access.space,
        Op::Atom { space, .. } => space,
        _ => return false,
    };
    if *space != Space::Generic {
        return false;
    }
    let address = inst.args[0];
    let target = match function.def(address) {
        Def::Bank0(_) => Target::In(Space::Global),
        _ => targets[address.0 as usize],
    };
    match target {
        Target::In(Space::Global) => *space = Space::Global,
        Target::In(known) => {
            *space = known;
            let local = function.value(Type::I32);
            out.push(Node::Inst(Inst {
                op: Op::FromGeneric(known),
                args: vec![address],
                results: vec![local],
                span: inst.span,
            }));
            inst.args[0] = local;
        }
        // An address that was made up of nothing is the host's business too.
        Target::Unknown => *space = Space::Global,
        Target::Any if global_only => *space = Space::Global,
        Target::Any => return false,
    }
    true
}
