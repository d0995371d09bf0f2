//! Cuts what a profile did not pass out of functions: each such piece becomes a function of its own,
//! which the splitter then sends to the second part.
//!
//! A piece is the rest of a block from a point that was not passed: what is not passed there is not
//! passed up to the block's end. It gets the local variables that it uses as parameters, returns those
//! that are used after it, and says by a number how it is left: by which branch, by a return, or at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{BlockType, Function, Instruction, ValType};
use wasmparser::{Operator, ValidPayload};

use super::flow::{Flow, Locals};
use super::module::Module;
use super::points::{self, Op};
use super::write::{Renumber, sections, told};

/// What a name gets that stands for a piece of a function.
pub(crate) const PIECE: &str = " ~ piece";
/// Bytes that a piece must save at least.
const WORTH: usize = 4;

/// How a piece is left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Exit {
    /// At its end.
    Fall,
    /// To a label, counted from the block that the piece ends.
    Branch(u32),
    /// Out of the function.
    Return,
}

/// A piece of a function.
struct Piece {
    /// Its instructions.
    ops: Range<usize>,
    exits: Vec<Exit>,
    params: Vec<u32>,
    /// Local variables that it changes and that are used after it.
    outs: Vec<u32>,
    /// All that it uses.
    uses: Vec<u32>,
    /// The type of what the function returns, if a return is among the exits.
    returned: Option<ValType>,
}

impl Piece {
    /// Whether it says by which exit it is left.
    fn tells(&self) -> bool {
        self.exits.len() > 1
    }

    fn results(&self, types: &[ValType]) -> Vec<ValType> {
        let tells = self.tells().then_some(ValType::I32);
        (tells.into_iter().chain(self.returned))
            .chain(self.outs.iter().map(|local| types[*local as usize]))
            .collect()
    }

    /// Bytes that calling it takes, about.
    fn cost(&self) -> usize {
        let exits = if self.tells() { 5 + self.exits.len() } else { 1 };
        10 + 4 * self.params.len() + 2 * self.outs.len() + exits
    }
}

/// New functions and their types.
struct Pieces {
    /// Types by number, the module's own before them.
    types: BTreeMap<(Vec<ValType>, Vec<ValType>), u32>,
    num_types: u32,
    new_types: Vec<(Vec<ValType>, Vec<ValType>)>,
    functions: Vec<(u32, Function, String)>,
}

impl Pieces {
    fn type_index(&mut self, params: Vec<ValType>, results: Vec<ValType>) -> u32 {
        let key = (params, results);
        if let Some(index) = self.types.get(&key) {
            return *index;
        }
        let index = self.num_types + self.new_types.len() as u32;
        self.types.insert(key.clone(), index);
        self.new_types.push(key);
        index
    }
}

/// The module with its functions cut. `passed` says of a function, by number, instructions and points,
/// which points were passed; `None` leaves it whole.
pub(crate) fn cut(
    bytes: &[u8],
    passed: impl Fn(u32, &[Op<'_>], &[usize]) -> Option<Vec<bool>>,
) -> Result<Vec<u8>, String> {
    let module = Module::read(bytes)?;
    let valued = |types: &[wasmparser::ValType]| -> Vec<ValType> {
        (types.iter())
            .filter_map(|ty| RoundtripReencoder.val_type(*ty).ok())
            .collect()
    };
    let mut types = BTreeMap::new();
    for (index, ty) in (0..).zip(&module.types) {
        types
            .entry((valued(ty.params()), valued(ty.results())))
            .or_insert(index);
    }
    let mut pieces = Pieces {
        types,
        num_types: module.types.len() as u32,
        new_types: Vec::new(),
        functions: Vec::new(),
    };
    let mut code = wasm_encoder::CodeSection::new();
    let mut validator = wasmparser::Validator::new();
    let mut number = module.imports.len() as u32;
    for payload in wasmparser::Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|error| error.to_string())?;
        let valid = validator.payload(&payload).map_err(|error| error.to_string())?;
        let ValidPayload::Func(function, body) = valid else {
            continue;
        };
        let ops = points::ops(&body)?;
        let points = points::points(&ops);
        let cut = match passed(number, &ops, &points) {
            Some(passed) => {
                let results = valued(module.types[module.functions[number as usize] as usize].results());
                let mut validator = function.into_validator(Default::default());
                Flow::read(&mut validator, &body, &ops)?
                    .map(|flow| {
                        cut_function(
                            bytes,
                            &module,
                            number,
                            &flow,
                            (&points, &passed),
                            &results,
                            &mut pieces,
                        )
                    })
                    .transpose()?
            }
            None => None,
        };
        match cut {
            Some(function) => code.function(&function),
            None => code.raw(&bytes[body.range()]),
        };
        number += 1;
    }
    write(&module, &pieces, &code)
}

/// The module with pieces as further functions, and with names.
fn write(module: &Module<'_>, pieces: &Pieces, code: &wasm_encoder::CodeSection) -> Result<Vec<u8>, String> {
    let map: Vec<u32> = (0..module.functions.len() as u32).collect();
    let mut types = sections::types(module);
    for (params, results) in &pieces.new_types {
        types
            .ty()
            .function(params.iter().copied(), results.iter().copied());
    }
    let mut functions = wasm_encoder::FunctionSection::new();
    for function in module.defined() {
        functions.function(module.functions[function as usize]);
    }
    let mut code = code.clone();
    let mut names = wasm_encoder::NameMap::new();
    for (number, name) in (0..).zip(&module.names) {
        if !name.is_empty() {
            names.append(number, name);
        }
    }
    for (number, (ty, function, name)) in (map.len() as u32..).zip(&pieces.functions) {
        functions.function(*ty);
        code.function(function);
        names.append(number, name);
    }
    let mut elements = wasm_encoder::ElementSection::new();
    for segment in &module.elements {
        sections::elements(&mut elements, segment.at, &segment.functions);
    }
    let mut section = wasm_encoder::NameSection::new();
    section.functions(&names);
    let mut out = wasm_encoder::Module::new();
    out.section(&types)
        .section(&sections::imports(module.imports.iter())?)
        .section(&functions)
        .section(&sections::tables(module, 0)?)
        .section(&sections::memories(module)?)
        .section(&sections::globals(module, &mut Renumber::new(&map))?)
        .section(&sections::exports(module, &map, &[])?)
        .section(&elements)
        .section(&code)
        .section(&sections::data(&module.data))
        .section(&section);
    super::valid(out.finish(), "the module with pieces cut out")
}

fn cut_function(
    bytes: &[u8],
    module: &Module<'_>,
    number: u32,
    flow: &Flow<'_, '_>,
    (points, passed): (&[usize], &[bool]),
    results: &[ValType],
    pieces: &mut Pieces,
) -> Result<Function, String> {
    let ops = flow.ops;
    let mut chosen: Vec<Piece> = Vec::new();
    for (point, passed) in points.iter().zip(passed) {
        let covered = chosen.last().map_or(0, |piece| piece.ops.end);
        if *passed || *point == 0 || *point < covered {
            continue;
        }
        if let Some(piece) = find(flow, *point, results)
            && ops[piece.ops.end].from - ops[piece.ops.start].from >= piece.cost() + WORTH
        {
            chosen.push(piece);
        }
    }
    // The function with calls in place of its pieces, and up to two more local variables.
    let num_locals = flow.types.len() as u32;
    let mut locals: Vec<(u32, ValType)> = flow.types[flow.num_params..].iter().map(|ty| (1, *ty)).collect();
    let (exit, returned) = (num_locals, num_locals + 1);
    if chosen.iter().any(Piece::tells) {
        locals.push((1, ValType::I32));
        locals.extend(results.first().map(|ty| (1, *ty)));
    }
    let mut function = Function::new(merged(locals));
    let mut done = 0;
    for piece in &chosen {
        function.raw(bytes[ops[done].from..ops[piece.ops.start].from].iter().copied());
        let (body, ty) = body(flow, piece, pieces)?;
        let index = module.functions.len() + pieces.functions.len();
        let name = format!("{}{PIECE}", module.names[number as usize]);
        pieces.functions.push((ty, body, name));
        call(&mut function, piece, index as u32, exit, returned);
        done = piece.ops.end;
    }
    let end = ops.last().map_or(0, |op| op.to);
    function.raw(bytes[ops[done].from..end].iter().copied());
    Ok(function)
}

/// Neighbours of one type together.
fn merged(locals: Vec<(u32, ValType)>) -> Vec<(u32, ValType)> {
    let mut merged: Vec<(u32, ValType)> = Vec::new();
    for (num, ty) in locals {
        match merged.last_mut() {
            Some((count, last)) if *last == ty => *count += num,
            _ => merged.push((num, ty)),
        }
    }
    merged
}

/// The piece that starts at a point, if it can be cut out.
fn find(flow: &Flow<'_, '_>, point: usize, results: &[ValType]) -> Option<Piece> {
    let arm = flow.at[point].arm;
    let end = flow.end_of(arm);
    let start = (point..end).find(|number| {
        let at = &flow.at[*number];
        at.arm == arm && at.is_base && !at.is_dead
    })?;
    if flow.at[point].is_dead || results.len() > 1 {
        return None;
    }
    let mut exits = BTreeSet::new();
    let (mut gets, mut sets) = (Locals::new(flow.types.len()), Locals::new(flow.types.len()));
    let mut depth = 0_u32;
    let branch = |label: u32, depth: u32, exits: &mut BTreeSet<Exit>| {
        if let Some(out) = label.checked_sub(depth) {
            exits.insert(Exit::Branch(out));
        }
    };
    for op in &flow.ops[start..end] {
        match &op.operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => depth += 1,
            Operator::End => depth -= 1,
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => {
                branch(*relative_depth, depth, &mut exits);
            }
            Operator::BrTable { targets } => {
                for target in targets.targets() {
                    branch(target.ok()?, depth, &mut exits);
                }
                branch(targets.default(), depth, &mut exits);
            }
            Operator::Return => {
                exits.insert(Exit::Return);
            }
            Operator::LocalGet { local_index } => gets.insert(*local_index),
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                sets.insert(*local_index);
            }
            _ => {}
        }
    }
    let mut used_after = Locals::new(flow.types.len());
    for exit in &exits {
        if let Exit::Branch(out) = exit {
            let label = flow.label(arm, *out)?;
            if !flow.is_void(label, results) {
                return None;
            }
            used_after.join(flow.live_at_label(label));
        }
    }
    let falls = !flow.at[end].is_dead;
    if falls {
        if arm.is_none() && !results.is_empty() {
            exits.insert(Exit::Return);
        } else if flow.is_void(arm, results) {
            exits.insert(Exit::Fall);
            used_after.join(&flow.live[end]);
        } else {
            return None;
        }
    }
    let mut uses = gets;
    uses.join(&sets);
    let returns = exits.contains(&Exit::Return);
    let outs = sets.list().filter(|local| used_after.contains(*local)).collect();
    Some(Piece {
        ops: start..end,
        exits: exits.into_iter().collect(),
        params: uses
            .list()
            .filter(|local| flow.live[start].contains(*local))
            .collect(),
        outs,
        uses: uses.list().collect(),
        returned: if returns { results.first().copied() } else { None },
    })
}

/// Calls a piece where it was, and goes on as it would have.
fn call(function: &mut Function, piece: &Piece, index: u32, exit: u32, returned: u32) {
    let mut put = function.instructions();
    for local in &piece.params {
        put.local_get(*local);
    }
    put.call(index);
    for local in piece.outs.iter().rev() {
        put.local_set(*local);
    }
    match piece.exits.as_slice() {
        [] => {
            put.unreachable();
        }
        [Exit::Fall] => {}
        [Exit::Branch(label)] => {
            put.br(*label);
        }
        [Exit::Return] => {
            put.return_();
        }
        [Exit::Fall, Exit::Branch(label)] => {
            put.br_if(*label);
        }
        exits => {
            if piece.returned.is_some() {
                put.local_set(returned);
            }
            put.local_set(exit)
                .block(BlockType::Empty)
                .block(BlockType::Empty)
                .local_get(exit);
            let labels: Vec<u32> = (exits.iter())
                .map(|exit| match exit {
                    Exit::Return => 0,
                    Exit::Fall => 1,
                    Exit::Branch(label) => label + 2,
                })
                .collect();
            let last = labels.last().copied().unwrap_or_default();
            put.br_table(labels, last).end();
            if exits.contains(&Exit::Return) {
                if piece.returned.is_some() {
                    put.local_get(returned);
                }
                put.return_();
            } else {
                put.unreachable();
            }
            put.end();
            if !exits.contains(&Exit::Fall) {
                put.unreachable();
            }
        }
    }
}

/// A piece as a function, and its type.
fn body(flow: &Flow<'_, '_>, piece: &Piece, pieces: &mut Pieces) -> Result<(Function, u32), String> {
    let types =
        |locals: &[u32]| -> Vec<ValType> { locals.iter().map(|local| flow.types[*local as usize]).collect() };
    let own: Vec<u32> = (piece.uses.iter().copied())
        .filter(|local| !piece.params.contains(local))
        .collect();
    let map: BTreeMap<u32, u32> = piece.params.iter().chain(&own).copied().zip(0..).collect();
    let mut locals: Vec<(u32, ValType)> = types(&own).into_iter().map(|ty| (1, ty)).collect();
    let (exit, returned) = (map.len() as u32, map.len() as u32 + u32::from(piece.tells()));
    if piece.tells() {
        locals.push((1, ValType::I32));
    }
    locals.extend(piece.returned.map(|ty| (1, ty)));
    let mut function = Function::new(merged(locals));

    // A block around all, and one for each way out but the end; the code is in the innermost.
    let ways: Vec<Exit> = piece
        .exits
        .iter()
        .copied()
        .filter(|exit| *exit != Exit::Fall)
        .collect();
    let way = |exit: Exit| ways.iter().position(|way| *way == exit).unwrap_or_default() as u32;
    let told_as = |exit: Exit| {
        piece
            .exits
            .iter()
            .position(|way| *way == exit)
            .unwrap_or_default() as i32
    };
    for _ in 0..=ways.len() {
        function.instruction(&Instruction::Block(BlockType::Empty));
    }
    let mut depth = 0_u32;
    let label = |label: u32, depth: u32| match label.checked_sub(depth) {
        Some(out) => depth + way(Exit::Branch(out)),
        None => label,
    };
    let local = |index: &u32| map.get(index).copied().unwrap_or_default();
    for op in &flow.ops[piece.ops.clone()] {
        let instruction = match &op.operator {
            Operator::Br { relative_depth } => Instruction::Br(label(*relative_depth, depth)),
            Operator::BrIf { relative_depth } => Instruction::BrIf(label(*relative_depth, depth)),
            Operator::BrTable { targets } => {
                let labels: Result<Vec<u32>, _> = targets.targets().collect();
                let labels = labels.map_err(|error| error.to_string())?;
                let labels: Vec<u32> = labels.into_iter().map(|target| label(target, depth)).collect();
                Instruction::BrTable(labels.into(), label(targets.default(), depth))
            }
            Operator::Return => {
                if piece.returned.is_some() {
                    function.instruction(&Instruction::LocalSet(returned));
                }
                Instruction::Br(depth + way(Exit::Return))
            }
            Operator::LocalGet { local_index } => Instruction::LocalGet(local(local_index)),
            Operator::LocalSet { local_index } => Instruction::LocalSet(local(local_index)),
            Operator::LocalTee { local_index } => Instruction::LocalTee(local(local_index)),
            other => RoundtripReencoder.instruction(other.clone()).map_err(told)?,
        };
        match &op.operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => depth += 1,
            Operator::End => depth -= 1,
            _ => {}
        }
        function.instruction(&instruction);
    }
    let done = ways.len() as u32;
    if !flow.at[piece.ops.end].is_dead {
        if piece.exits.contains(&Exit::Fall) {
            if piece.tells() {
                function.instruction(&Instruction::I32Const(told_as(Exit::Fall)));
                function.instruction(&Instruction::LocalSet(exit));
            }
            function.instruction(&Instruction::Br(done));
        } else {
            // The end of the function, with its result.
            if piece.returned.is_some() {
                function.instruction(&Instruction::LocalSet(returned));
            }
            function.instruction(&Instruction::Br(way(Exit::Return)));
        }
    }
    for (number, exit_by) in (0..).zip(&ways) {
        function.instruction(&Instruction::End);
        if piece.tells() {
            function.instruction(&Instruction::I32Const(told_as(*exit_by)));
            function.instruction(&Instruction::LocalSet(exit));
        }
        function.instruction(&Instruction::Br(done - 1 - number));
    }
    function.instruction(&Instruction::End);
    if piece.exits.is_empty() {
        function.instruction(&Instruction::Unreachable);
    }
    if piece.tells() {
        function.instruction(&Instruction::LocalGet(exit));
    }
    if piece.returned.is_some() {
        function.instruction(&Instruction::LocalGet(returned));
    }
    for out in &piece.outs {
        function.instruction(&Instruction::LocalGet(local(out)));
    }
    function.instruction(&Instruction::End);
    let ty = pieces.type_index(types(&piece.params), piece.results(&flow.types));
    Ok((function, ty))
}
