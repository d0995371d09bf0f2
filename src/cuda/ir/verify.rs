//! The invariants of a function between passes.

use super::{BlockId, Def, End, Function, Type, Value};
use crate::ir::flow::Flow;
use crate::ir::flow::dominators::Dominators;

/// Checks a function.
///
/// Every edge passes as many values as its block has parameters, of the same types; conditions are predicates;
/// every value is defined once, and its definition dominates its uses.
///
/// # Errors
/// Returns the first violation and its block, as a sentence.
pub fn verify(function: &Function) -> Result<(), String> {
    let flow = Flow::of(function);
    let dominators = Dominators::of(function, &flow);
    if !function.at(Function::ENTRY).params.is_empty() || !flow.preds[0].is_empty() {
        return Err("An edge leads to the entry, or the entry has parameters.".to_owned());
    }
    let mut places: Vec<Option<(BlockId, usize)>> = vec![None; function.values.len()];
    let mut define = |value: Value, place: (BlockId, usize)| {
        if function.def(value) != Def::Node {
            return Err(format!("%{} is a leaf, and b{} defines it.", value.0, place.0.0));
        }
        match places[value.0 as usize].replace(place) {
            Some(before) => Err(format!(
                "%{} is defined in b{} and in b{}.",
                value.0, before.0.0, place.0.0
            )),
            None => Ok(()),
        }
    };
    for param in &function.params {
        define(*param, (Function::ENTRY, 0))?;
    }
    for id in &flow.order {
        let block = function.at(*id);
        for param in &block.params {
            define(*param, (*id, 0))?;
        }
        for (at, inst) in block.insts.iter().enumerate() {
            for result in &inst.results {
                define(*result, (*id, at + 1))?;
            }
        }
    }
    for id in &flow.order {
        let block = function.at(*id);
        let check = |value: Value, at: usize| {
            if function.def(value) != Def::Node {
                return Ok(());
            }
            match places[value.0 as usize] {
                Some((from, _)) if from != *id && dominators.dominates(from.0, id.0) => Ok(()),
                Some((from, place)) if from == *id && place <= at => Ok(()),
                Some((from, _)) => Err(format!(
                    "b{} uses %{} of b{}, which does not dominate it.",
                    id.0, value.0, from.0
                )),
                None => Err(format!("b{} uses %{}, which has no definition.", id.0, value.0)),
            }
        };
        for (at, inst) in block.insts.iter().enumerate() {
            for arg in &inst.args {
                check(*arg, at)?;
            }
        }
        let mut wrong = None;
        block.end.uses(&mut |value| {
            if let Err(text) = check(value, block.insts.len()) {
                wrong.get_or_insert(text);
            }
        });
        if let Some(text) = wrong {
            return Err(text);
        }
        if let End::Branch { cond, .. } = &block.end
            && function.ty(*cond) != Type::I1
        {
            return Err(format!(
                "b{} branches on %{}, which is not a predicate.",
                id.0, cond.0
            ));
        }
        for edge in block.end.edges() {
            let params = &function.at(edge.to).params;
            let types = |values: &[Value]| values.iter().map(|value| function.ty(*value)).collect::<Vec<_>>();
            if types(params) != types(&edge.args) {
                return Err(format!(
                    "b{} passes b{} values of other types than its parameters.",
                    id.0, edge.to.0
                ));
            }
        }
    }
    Ok(())
}
