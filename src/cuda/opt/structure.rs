//! Blocks that are left early become plain choices where what follows the early leave can move into
//! the other side.

use crate::cuda::ir::{End, Function, Label, Node, Region, Value};

/// Rewrites a block's body without breaks to its label, if every break stands in a place from which
/// the rest of the block can be moved into the other side of a choice. Gives the body back unchanged
/// as an error otherwise.
pub(super) fn unbreak(function: &mut Function, label: Label, body: Region) -> Result<Region, Region> {
    if !can(&body, label) {
        return Err(body);
    }
    Ok(convert(function, label, body))
}

fn breaks(region: &Region, label: Label) -> bool {
    matches!(&region.end, End::Break(to, _) if *to == label)
        || region
            .nodes
            .iter()
            .any(|node| node.regions().any(|inner| breaks(inner, label)))
}

/// Whether breaks stand only at the ends of choices one side of which does not come to its end, or
/// of the last choice.
fn can(region: &Region, label: Label) -> bool {
    for (index, node) in region.nodes.iter().enumerate() {
        match node {
            Node::Inst(_) => {}
            Node::If(choice) => {
                let (then, els) = (breaks(&choice.then, label), breaks(&choice.els, label));
                if !then && !els {
                    continue;
                }
                let last = index + 1 == region.nodes.len();
                let falls = |side: &Region| matches!(side.end, End::Yield(_));
                // What follows can move into one side only, or it would be doubled; where nothing
                // follows, both may come to their ends.
                let both = falls(&choice.then) && falls(&choice.els);
                if both && !(last && region.end.args().is_empty() && matches!(region.end, End::Yield(_))) {
                    return false;
                }
                if !can(&choice.then, label) || !can(&choice.els, label) {
                    return false;
                }
                // A side that comes to its end and holds breaks inside takes the rest into its own
                // inner choices; that is done by conversion from inside out.
            }
            Node::Loop(_) | Node::Block(_) => {
                if node.regions().any(|inner| breaks(inner, label)) {
                    return false;
                }
            }
        }
    }
    true
}

fn convert(function: &mut Function, label: Label, mut region: Region) -> Region {
    let found = region
        .nodes
        .iter()
        .position(|node| node.regions().any(|inner| breaks(inner, label)));
    let Some(at) = found else {
        if let End::Break(to, args) = &region.end
            && *to == label
        {
            region.end = End::Yield(args.clone());
        }
        return region;
    };
    let rest = region.nodes.split_off(at + 1);
    let Some(Node::If(mut choice)) = region.nodes.pop() else {
        return region;
    };
    let mut rest = Region {
        nodes: rest,
        end: region.end,
    };
    // The side that comes to its end takes the rest of the block; the choice's results are there
    // what the side yields.
    let then_falls = matches!(choice.then.end, End::Yield(_));
    let els_falls = matches!(choice.els.end, End::Yield(_));
    let results = std::mem::take(&mut choice.results);
    if then_falls && els_falls {
        // Nothing follows, and nobody takes the results.
        choice.then.end = End::Yield(Vec::new());
        choice.els.end = End::Yield(Vec::new());
        choice.then = convert(function, label, choice.then);
        choice.els = convert(function, label, choice.els);
    } else if then_falls || els_falls {
        let side = if then_falls {
            &mut choice.then
        } else {
            &mut choice.els
        };
        let yields = side.end.args().to_vec();
        rename(&mut rest, &results, &yields);
        side.nodes.append(&mut rest.nodes);
        side.end = rest.end;
        choice.then = convert(function, label, choice.then);
        choice.els = convert(function, label, choice.els);
    } else {
        choice.then = convert(function, label, choice.then);
        choice.els = convert(function, label, choice.els);
    }
    // Both sides now end the block, or go elsewhere.
    let count = [&choice.then, &choice.els]
        .iter()
        .find_map(|side| match &side.end {
            End::Yield(args) => Some(args.clone()),
            _ => None,
        });
    region.end = match count {
        Some(args) => {
            choice.results = args.iter().map(|arg| function.value(function.ty(*arg))).collect();
            End::Yield(choice.results.clone())
        }
        None => End::Unreachable,
    };
    region.nodes.push(Node::If(choice));
    region
}

fn rename(region: &mut Region, from: &[Value], to: &[Value]) {
    if from.is_empty() {
        return;
    }
    region.uses_mut(&mut |value| {
        if let Some(index) = from.iter().position(|old| old == value) {
            *value = to[index];
        }
    });
}
