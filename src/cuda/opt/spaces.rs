//! Finds out to which memory generic addresses point.

use crate::cuda::ir::{Def, Function, Inst, Op, Space, Type, Value};

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
    let has_generic = function.insts().any(|inst| {
        matches!(
            inst.op,
            Op::Load(access) | Op::Store(access) if access.space == Space::Generic
        ) || matches!(
            inst.op,
            Op::Atom {
                space: Space::Generic,
                ..
            }
        )
    });
    if !has_generic {
        return false;
    }
    let mut infer = Infer {
        targets: vec![Target::Unknown; function.values.len()],
        function,
        changed: true,
    };
    for param in &infer.function.params {
        infer.targets[param.0 as usize] = Target::Any;
    }
    while std::mem::take(&mut infer.changed) {
        for block in &function.blocks {
            block.insts.iter().for_each(|inst| infer.inst(inst));
            for edge in block.end.edges() {
                infer.flow(&function.at(edge.to).params, &edge.args);
            }
        }
    }
    let targets = infer.targets;
    let mut any = false;
    for idx in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[idx].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            any |= access(function, &targets, &mut inst, global_only, &mut out);
            out.push(inst);
        }
        function.blocks[idx].insts = out;
    }
    any
}

struct Infer<'a> {
    function: &'a Function,
    targets: Vec<Target>,
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

fn access(
    function: &mut Function,
    targets: &[Target],
    inst: &mut Inst,
    global_only: bool,
    out: &mut Vec<Inst>,
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
            out.push(Inst {
                op: Op::FromGeneric(known),
                args: vec![address],
                results: vec![local],
                span: inst.span,
            });
            inst.args[0] = local;
        }
        // An address that was made up of nothing is the host's business too.
        Target::Unknown => *space = Space::Global,
        Target::Any if global_only => *space = Space::Global,
        Target::Any => return false,
    }
    true
}
