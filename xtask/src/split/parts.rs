//! Which function goes to which part, and the two modules that come of it.

use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ElementSection, EntityType, ExportKind, Function, FunctionSection,
    GlobalType, ValType,
};

use super::data::Shares;
use super::module::Module;
use super::write::{NOWHERE, Renumber, sections, told};

/// The import of the first part that brings the second.
pub(crate) const LOAD: (&str, &str) = ("rest", "load");
/// The export of the first part that says whether the second is there: an `i32` that is then 1.
pub(crate) const HERE: &str = "rest:here";
/// The module under which the second part imports what the first exports.
const FIRST: &str = "first";

/// Who is where.
pub(crate) struct Plan {
    /// Whether a function is in the first part, by its number.
    pub(crate) is_first: Vec<bool>,
    /// The functions of the second part that the first names, each with the slot of the table where
    /// it is found.
    /// By their types, so that those that are alike are neighbours.
    stubs: Vec<(u32, u32)>,
    /// The functions that are not imported by the whole, which the second part borrows of the first.
    lent: Vec<u32>,
    /// Slots that the table gets beyond its own.
    more_slots: u32,
    /// The imported functions that each part names.
    imports: [BTreeSet<u32>; 2],
}

impl Plan {
    /// Sends every function to its part.
    pub(crate) fn new(module: &Module<'_>, is_first: impl Fn(u32) -> bool) -> Result<Self, String> {
        let mut placed = vec![true; module.functions.len()];
        for function in module.defined() {
            placed[function as usize] = is_first(function);
        }
        let num_imports = module.imports.len() as u32;
        let mut asked = BTreeSet::new();
        let mut lent = BTreeSet::new();
        let mut imports = [BTreeSet::new(), BTreeSet::new()];
        for function in module.defined() {
            let is_first = placed[function as usize];
            for named in module.named_by(function)? {
                if named < num_imports {
                    imports[usize::from(!is_first)].insert(named);
                } else if is_first && !placed[named as usize] {
                    asked.insert(named);
                } else if !is_first && placed[named as usize] {
                    lent.insert(named);
                }
            }
        }
        for export in &module.exports {
            if export.kind == wasmparser::ExternalKind::Func {
                note(export.index, num_imports, &placed, &mut asked, &mut imports[0]);
            }
        }
        let mut slots = BTreeMap::new();
        for segment in &module.elements {
            for (number, function) in segment.functions.iter().enumerate() {
                let Some(function) = *function else { continue };
                note(function, num_imports, &placed, &mut asked, &mut imports[0]);
                if let Some((0, slot)) = segment.at {
                    slots.entry(function).or_insert(slot + number as u32);
                }
            }
        }
        let own_slots = module.tables.first().map_or(0, |table| table.ty.initial as u32);
        let mut more_slots = 0;
        let mut asked: Vec<u32> = asked.into_iter().collect();
        asked.sort_by_key(|function| (module.functions[*function as usize], *function));
        let stubs = (asked.into_iter())
            .map(|function| {
                let slot = slots.get(&function).copied().unwrap_or_else(|| {
                    more_slots += 1;
                    own_slots + more_slots - 1
                });
                (function, slot)
            })
            .collect();
        Ok(Self {
            is_first: placed,
            stubs,
            lent: lent.into_iter().collect(),
            more_slots,
            imports,
        })
    }

    fn functions<'m>(&'m self, module: &'m Module<'_>, first: bool) -> impl Iterator<Item = u32> + 'm {
        module
            .defined()
            .filter(move |function| self.is_first[*function as usize] == first)
    }

    /// The first part: its functions, and for each function of the second that it names a short one
    /// that brings the second part if need be and calls through the table.
    pub(crate) fn first(&self, module: &Module<'_>, data: &Shares<'_>) -> Result<Vec<u8>, String> {
        let mut map = vec![NOWHERE; module.functions.len()];
        let load = self.imports[0].len() as u32;
        for (number, function) in (0..).zip(&self.imports[0]) {
            map[*function as usize] = number;
        }
        let own = self
            .functions(module, true)
            .chain(self.stubs.iter().map(|(function, _)| *function));
        // The function that brings the second part if it is not there comes before all others.
        let ensure = load + 1;
        for (number, function) in (ensure + 1..).zip(own) {
            map[function as usize] = number;
        }
        let mut renumber = Renumber::new(&map);

        let mut types = sections::types(module);
        types.ty().function([], []);
        let used = self.imports[0]
            .iter()
            .map(|function| &module.imports[*function as usize]);
        let mut imports = sections::imports(used)?;
        imports.import(LOAD.0, LOAD.1, EntityType::Function(module.types.len() as u32));
        let mut functions = FunctionSection::new();
        functions.function(module.types.len() as u32);
        for function in self
            .functions(module, true)
            .chain(self.stubs.iter().map(|(function, _)| *function))
        {
            functions.function(module.functions[function as usize]);
        }
        let mut globals = sections::globals(module, &mut renumber)?;
        let here = globals.len();
        globals.global(flag(), &ConstExpr::i32_const(0));

        let mut more = vec![(HERE.to_owned(), ExportKind::Global, here)];
        for (table, _) in module.tables.iter().enumerate() {
            more.push((lent_name('t', table), ExportKind::Table, table as u32));
        }
        for (memory, _) in module.memories.iter().enumerate() {
            more.push((lent_name('m', memory), ExportKind::Memory, memory as u32));
        }
        for (global, _) in module.globals.iter().enumerate() {
            more.push((lent_name('g', global), ExportKind::Global, global as u32));
        }
        for (count, function) in self.lent.iter().enumerate() {
            more.push((lent_name('f', count), ExportKind::Func, map[*function as usize]));
        }

        let mut elements = ElementSection::new();
        for segment in &module.elements {
            let mapped: Vec<_> = (segment.functions.iter())
                .map(|function| function.map(|function| map[function as usize]))
                .collect();
            sections::elements(&mut elements, segment.at, &mapped);
        }
        let mut code = CodeSection::new();
        code.function(&bring(load, here));
        sections::bodies(&mut code, module, self.functions(module, true), &mut renumber)?;
        for (function, slot) in &self.stubs {
            code.function(&stub(module, *function, *slot, ensure));
        }
        let mut out = wasm_encoder::Module::new();
        out.section(&types)
            .section(&imports)
            .section(&functions)
            .section(&sections::tables(module, self.more_slots)?)
            .section(&sections::memories(module)?)
            .section(&globals)
            .section(&sections::exports(module, &map, &more)?)
            .section(&elements)
            .section(&code)
            .section(&sections::data(&data.first));
        super::valid(out.finish(), "the first part")
    }

    /// The second part: its functions, which it puts into the first part's table.
    pub(crate) fn second(&self, module: &Module<'_>, data: &Shares<'_>) -> Result<Vec<u8>, String> {
        let mut map = vec![NOWHERE; module.functions.len()];
        let used = self.imports[1]
            .iter()
            .map(|function| &module.imports[*function as usize]);
        let mut imports = sections::imports(used)?;
        let mut count = 0;
        for function in self.imports[1].iter().chain(&self.lent) {
            map[*function as usize] = count;
            count += 1;
        }
        for (lent, function) in self.lent.iter().enumerate() {
            let ty = EntityType::Function(module.functions[*function as usize]);
            imports.import(FIRST, &lent_name('f', lent), ty);
        }
        for (number, table) in module.tables.iter().enumerate() {
            let mut ty = RoundtripReencoder.table_type(table.ty).map_err(told)?;
            if number == 0 {
                ty.minimum += u64::from(self.more_slots);
                ty.maximum = ty.maximum.map(|maximum| maximum + u64::from(self.more_slots));
            }
            imports.import(FIRST, &lent_name('t', number), EntityType::Table(ty));
        }
        for (number, memory) in module.memories.iter().enumerate() {
            let ty = RoundtripReencoder.memory_type(*memory).map_err(told)?;
            imports.import(FIRST, &lent_name('m', number), EntityType::Memory(ty));
        }
        for (number, global) in module.globals.iter().enumerate() {
            let ty = RoundtripReencoder.global_type(global.ty).map_err(told)?;
            imports.import(FIRST, &lent_name('g', number), EntityType::Global(ty));
        }
        let mut functions = FunctionSection::new();
        for function in self.functions(module, false) {
            map[function as usize] = count;
            count += 1;
            functions.function(module.functions[function as usize]);
        }
        let mut renumber = Renumber::new(&map);
        let mut elements = ElementSection::new();
        for (slot, row) in rows(self.slots(module)) {
            let row: Vec<_> = row.iter().map(|function| Some(map[*function as usize])).collect();
            sections::elements(&mut elements, Some((0, slot)), &row);
        }
        let addressed = self.addressed(module)?;
        if !addressed.is_empty() {
            let row: Vec<_> = addressed
                .iter()
                .map(|function| Some(map[*function as usize]))
                .collect();
            sections::elements(&mut elements, None, &row);
        }
        let mut code = CodeSection::new();
        sections::bodies(&mut code, module, self.functions(module, false), &mut renumber)?;
        let mut out = wasm_encoder::Module::new();
        out.section(&sections::types(module))
            .section(&imports)
            .section(&functions)
            .section(&elements)
            .section(&code)
            .section(&sections::data(&data.second));
        super::valid(out.finish(), "the second part")
    }

    /// Every slot of the first table that is to hold a function of the second part.
    fn slots(&self, module: &Module<'_>) -> BTreeMap<u32, u32> {
        let mut slots: BTreeMap<u32, u32> = self
            .stubs
            .iter()
            .map(|(function, slot)| (*slot, *function))
            .collect();
        for segment in &module.elements {
            let Some((0, first)) = segment.at else { continue };
            for (number, function) in segment.functions.iter().enumerate() {
                if let Some(function) = *function
                    && !self.is_first[function as usize]
                {
                    slots.insert(first + number as u32, function);
                }
            }
        }
        slots
    }

    /// The functions of which code of the second part takes the address.
    fn addressed(&self, module: &Module<'_>) -> Result<BTreeSet<u32>, String> {
        let mut addressed = BTreeSet::new();
        for function in self.functions(module, false) {
            addressed.extend(module.addressed_by(function)?);
        }
        Ok(addressed)
    }

    /// The names of the first part's functions, by number.
    pub(crate) fn names(&self, module: &Module<'_>) -> String {
        let own = self
            .functions(module, true)
            .chain(self.stubs.iter().map(|(function, _)| *function));
        let first = self.imports[0].len() + 2;
        own.zip(first..)
            .map(|(function, number)| format!("{number} {}\n", module.names[function as usize]))
            .collect()
    }

    /// Functions in the first and in the second part, short ones, and lent ones.
    pub(crate) fn report(&self, module: &Module<'_>) -> String {
        let first = self.functions(module, true).count();
        let second = self.functions(module, false).count();
        format!(
            "{first} functions in the first part and {second} in the second; {} ways there, {} back",
            self.stubs.len(),
            self.lent.len()
        )
    }
}

/// Notes that the first part names a function.
fn note(
    function: u32,
    num_imports: u32,
    placed: &[bool],
    asked: &mut BTreeSet<u32>,
    imports: &mut BTreeSet<u32>,
) {
    if function < num_imports {
        imports.insert(function);
    } else if !placed[function as usize] {
        asked.insert(function);
    }
}

/// The name under which the first part lends something.
fn lent_name(kind: char, number: usize) -> String {
    format!("{kind}:{number}")
}

fn flag() -> GlobalType {
    GlobalType {
        val_type: ValType::I32,
        mutable: true,
        shared: false,
    }
}

/// The function that brings the second part if it is not there.
fn bring(load: u32, here: u32) -> Function {
    let mut function = Function::new([]);
    let mut put = function.instructions();
    put.global_get(here)
        .i32_eqz()
        .if_(BlockType::Empty)
        .call(load)
        .end()
        .end();
    function
}

/// A function that passes its arguments on to one of the second part.
fn stub(module: &Module<'_>, function: u32, slot: u32, ensure: u32) -> Function {
    let type_index = module.functions[function as usize];
    let mut stub = Function::new([]);
    let mut put = stub.instructions();
    put.call(ensure);
    for param in 0..module.types[type_index as usize].params().len() as u32 {
        put.local_get(param);
    }
    put.i32_const(slot as i32).call_indirect(0, type_index).end();
    stub
}

/// Slots in rows without gaps.
fn rows(slots: BTreeMap<u32, u32>) -> Vec<(u32, Vec<u32>)> {
    let mut rows: Vec<(u32, Vec<u32>)> = Vec::new();
    for (slot, function) in slots {
        match rows.last_mut() {
            Some((first, row)) if *first + row.len() as u32 == slot => row.push(function),
            _ => rows.push((slot, vec![function])),
        }
    }
    rows
}
