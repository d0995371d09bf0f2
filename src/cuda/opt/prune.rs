//! Takes away what nobody needs: operations whose results are not used, parameters and results of
//! constructs that are not used or always the same, constructs that do nothing.

use crate::cuda::ir::{Def, End, Function, Label, Node, Op, Region, Value};

use super::effects;

/// Runs until what is carried by constructs is settled (two rounds at most), then drops dead code.
pub(super) fn run(function: &mut Function) {
    for _ in 0..3 {
        if !unify(function) {
            break;
        }
    }
    sweep(function);
}

/// What arrives at a construct's results or parameters.
#[derive(Clone, Copy, PartialEq)]
enum Incoming {
    Nothing,
    One(Value),
    Several,
}

impl Incoming {
    fn add(&mut self, value: Value) {
        *self = match *self {
            Self::Nothing => Self::One(value),
            Self::One(other) if other == value => Self::One(value),
            _ => Self::Several,
        };
    }
}

/// Values that always equal another one are replaced by it; whether there were any.
fn unify(function: &mut Function) -> bool {
    let mut walk = Unify {
        function,
        position: vec![0; function.values.len()],
        now: 0,
        found: Vec::new(),
        open: Vec::new(),
    };
    walk.region(&function.body, None);
    let found = walk.found;
    if found.is_empty() {
        return false;
    }
    let mut renamed: Vec<_> = (0..function.values.len() as u32).map(Value).collect();
    for (from, to) in &found {
        renamed[from.0 as usize] = *to;
    }
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    body.uses_mut(&mut |value| {
        // Chains are short; a cycle cannot be, as each goes to an earlier definition.
        while renamed[value.0 as usize] != *value {
            *value = renamed[value.0 as usize];
        }
    });
    function.body = body;
    true
}

struct Open {
    label: Option<Label>,
    results: Vec<Incoming>,
    params: Vec<Incoming>,
    own: Vec<Value>,
}

struct Unify<'a> {
    function: &'a Function,
    position: Vec<u32>,
    now: u32,
    found: Vec<(Value, Value)>,
    open: Vec<Open>,
}

impl Unify<'_> {
    fn define(&mut self, values: &[Value]) {
        for value in values {
            self.now += 1;
            self.position[value.0 as usize] = self.now;
        }
    }

    /// `target`: index in `open` of the construct that a yield goes to.
    fn region(&mut self, region: &Region, target: Option<usize>) {
        for node in &region.nodes {
            self.now += 1;
            let start = self.now;
            match node {
                Node::Inst(_) => {}
                Node::If(choice) => {
                    let index = self.enter(None, choice.results.len(), &[], &[]);
                    self.region(&choice.then, Some(index));
                    self.region(&choice.els, Some(index));
                    self.exit(&choice.results, start);
                }
                Node::Loop(repeat) => {
                    let index = self.enter(
                        Some(repeat.label),
                        repeat.results.len(),
                        &repeat.params,
                        &repeat.init,
                    );
                    self.define(&repeat.params);
                    self.region(&repeat.body, Some(index));
                    self.exit(&repeat.results, start);
                }
                Node::Block(block) => {
                    let index = self.enter(Some(block.label), block.results.len(), &[], &[]);
                    self.region(&block.body, Some(index));
                    self.exit(&block.results, start);
                }
            }
            self.define(node.results());
        }
        match &region.end {
            End::Yield(args) => {
                if let Some(target) = target {
                    self.arrive(target, args);
                }
            }
            End::Break(label, args) => {
                if let Some(index) = self.find(*label) {
                    self.arrive(index, args);
                }
            }
            End::Continue(label, args) => {
                if let Some(index) = self.find(*label) {
                    for (at, value) in args.iter().enumerate() {
                        if self.open[index].own[at] != *value {
                            self.open[index].params[at].add(*value);
                        }
                    }
                }
            }
            End::Return(_) | End::Unreachable => {}
        }
    }

    fn find(&self, label: Label) -> Option<usize> {
        self.open.iter().rposition(|open| open.label == Some(label))
    }

    fn enter(&mut self, label: Option<Label>, results: usize, params: &[Value], init: &[Value]) -> usize {
        self.open.push(Open {
            label,
            results: vec![Incoming::Nothing; results],
            params: init.iter().map(|value| Incoming::One(*value)).collect(),
            own: params.to_vec(),
        });
        self.open.len() - 1
    }

    fn arrive(&mut self, index: usize, args: &[Value]) {
        for (at, value) in args.iter().enumerate() {
            self.open[index].results[at].add(*value);
        }
    }

    fn exit(&mut self, results: &[Value], start: u32) {
        let Some(open) = self.open.pop() else {
            return;
        };
        for (param, incoming) in open.own.iter().zip(&open.params) {
            self.settle(*param, *incoming, start);
        }
        for (result, incoming) in results.iter().zip(&open.results) {
            self.settle(*result, *incoming, start);
        }
    }

    fn settle(&mut self, value: Value, incoming: Incoming, start: u32) {
        if let Incoming::One(source) = incoming {
            let outside = self.function.def(source) != Def::Node || self.position[source.0 as usize] < start;
            if outside && source != value {
                self.found.push((value, source));
            }
        }
    }
}

/// Drops operations without effect whose results are not used, and unused results and parameters.
fn sweep(function: &mut Function) {
    let mut mark = Mark {
        live: vec![false; function.values.len()],
        feeds: vec![Vec::new(); function.values.len()],
        open: Vec::new(),
    };
    mark.region(&function.body, &[]);
    let mut work: Vec<Value> = Vec::new();
    let Mark { mut live, feeds, .. } = mark;
    for index in 0..live.len() {
        if live[index] {
            work.push(Value(index as u32));
        }
    }
    while let Some(value) = work.pop() {
        for source in &feeds[value.0 as usize] {
            if !std::mem::replace(&mut live[source.0 as usize], true) {
                work.push(*source);
            }
        }
    }
    let mut body = std::mem::replace(&mut function.body, Region::empty(Vec::new()));
    Drop {
        live: &live,
        open: Vec::new(),
    }
    .region(&mut body, &[]);
    function.body = body;
}

struct Mark {
    live: Vec<bool>,
    /// By value: the values that it is computed from.
    feeds: Vec<Vec<Value>>,
    open: Vec<(Label, Vec<Value>, Vec<Value>)>,
}

impl Mark {
    fn need(&mut self, value: Value) {
        self.live[value.0 as usize] = true;
    }

    fn flow(&mut self, targets: &[Value], sources: &[Value]) {
        for (target, source) in targets.iter().zip(sources) {
            self.feeds[target.0 as usize].push(*source);
        }
    }

    fn region(&mut self, region: &Region, results: &[Value]) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    if effects::needed(inst.op) {
                        inst.args.iter().for_each(|arg| self.need(*arg));
                    } else {
                        for result in &inst.results {
                            self.feeds[result.0 as usize].extend(&inst.args);
                        }
                    }
                }
                Node::If(choice) => {
                    // The condition is needed where anything in the sides is.
                    if effects::region_acts(&choice.then) || effects::region_acts(&choice.els) {
                        self.need(choice.cond);
                    }
                    for result in &choice.results {
                        self.feeds[result.0 as usize].push(choice.cond);
                    }
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
                if let Some(at) = self.open.iter().rposition(|open| open.0 == *label) {
                    let targets = if again {
                        self.open[at].2.clone()
                    } else {
                        self.open[at].1.clone()
                    };
                    self.flow(&targets, args);
                }
            }
            End::Return(args) => args.iter().for_each(|arg| self.need(*arg)),
            End::Unreachable => {}
        }
    }
}

struct Drop<'a> {
    live: &'a [bool],
    /// Label, and which of its results and parameters stay.
    open: Vec<(Label, Vec<bool>, Vec<bool>)>,
}

fn keep(values: &mut Vec<Value>, stay: &[bool]) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        stay.get(at - 1).copied().unwrap_or(true)
    });
}

impl Drop<'_> {
    fn stay(&self, values: &[Value]) -> Vec<bool> {
        values.iter().map(|value| self.live[value.0 as usize]).collect()
    }

    fn region(&mut self, region: &mut Region, results: &[bool]) {
        region.nodes.retain_mut(|node| {
            match node {
                Node::Inst(inst) => {
                    let used = inst.results.iter().any(|result| self.live[result.0 as usize]);
                    if let Op::Atom { .. } = inst.op
                        && !used
                    {
                        inst.results.clear();
                    }
                    return used || effects::needed(inst.op);
                }
                Node::If(choice) => {
                    let stay = self.stay(&choice.results);
                    self.region(&mut choice.then, &stay);
                    self.region(&mut choice.els, &stay);
                    keep(&mut choice.results, &stay);
                    let idle =
                        |region: &Region| region.nodes.is_empty() && matches!(region.end, End::Yield(_));
                    return !(choice.results.is_empty() && idle(&choice.then) && idle(&choice.els));
                }
                Node::Loop(repeat) => {
                    let stay = self.stay(&repeat.results);
                    let params = self.stay(&repeat.params);
                    self.open.push((repeat.label, stay.clone(), params.clone()));
                    self.region(&mut repeat.body, &stay);
                    self.open.pop();
                    keep(&mut repeat.results, &stay);
                    keep(&mut repeat.params, &params);
                    keep(&mut repeat.init, &params);
                }
                Node::Block(block) => {
                    let stay = self.stay(&block.results);
                    self.open.push((block.label, stay.clone(), Vec::new()));
                    self.region(&mut block.body, &stay);
                    self.open.pop();
                    keep(&mut block.results, &stay);
                    return !(block.results.is_empty()
                        && block.body.nodes.is_empty()
                        && matches!(block.body.end, End::Yield(_)));
                }
            }
            true
        });
        match &mut region.end {
            End::Yield(args) => keep(args, results),
            End::Break(label, args) => {
                if let Some(open) = self.open.iter().rev().find(|open| open.0 == *label) {
                    keep(args, &open.1);
                }
            }
            End::Continue(label, args) => {
                if let Some(open) = self.open.iter().rev().find(|open| open.0 == *label) {
                    keep(args, &open.2);
                }
            }
            End::Return(_) | End::Unreachable => {}
        }
    }
}
