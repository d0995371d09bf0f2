//! Writing modules: sections of one that was read, with its functions numbered anew.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};

/// Gives every function that code names its new number.
pub(crate) struct Renumber<'m> {
    map: &'m [u32],
    /// A function that was named but has no number.
    pub(crate) missing: Option<u32>,
}

/// The number of a function that is not in the module that is written.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl<'m> Renumber<'m> {
    /// By the new number of each function.
    pub(crate) fn new(map: &'m [u32]) -> Self {
        Self { map, missing: None }
    }
}

impl Reencode for Renumber<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        let to = self.map[function as usize];
        if to == NOWHERE {
            self.missing = Some(function);
        }
        Ok(to)
    }
}

/// What the encoder says, as text.
pub(crate) fn told(error: Error<Infallible>) -> String {
    error.to_string()
}

/// The sections of a module.
pub(crate) mod sections {
    use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
    use wasm_encoder::{
        CodeSection, ConstExpr, DataSection, ElementSection, Elements, ExportKind, ExportSection, Function,
        GlobalSection, ImportSection, MemorySection, RefType, TableSection, TypeSection,
    };
    use wasmparser::{ExternalKind, FunctionBody, Import};

    use super::{Renumber, told};
    use crate::split::module::{Module, Segment};

    pub(crate) fn types(module: &Module<'_>) -> TypeSection {
        let mut section = TypeSection::new();
        for ty in &module.types {
            let valued = |types: &[wasmparser::ValType]| -> Vec<_> {
                (types.iter())
                    .filter_map(|ty| RoundtripReencoder.val_type(*ty).ok())
                    .collect()
            };
            let (params, results) = (valued(ty.params()), valued(ty.results()));
            section.ty().function(params, results);
        }
        section
    }

    pub(crate) fn imports<'i, 'a: 'i>(
        imports: impl Iterator<Item = &'i Import<'a>>,
    ) -> Result<ImportSection, String> {
        let mut section = ImportSection::new();
        for import in imports {
            RoundtripReencoder
                .parse_import(&mut section, *import)
                .map_err(told)?;
        }
        Ok(section)
    }

    /// The tables, the first of them with more slots.
    pub(crate) fn tables(module: &Module<'_>, more: u32) -> Result<TableSection, String> {
        let mut section = TableSection::new();
        for (number, table) in module.tables.iter().enumerate() {
            let mut ty = RoundtripReencoder.table_type(table.ty).map_err(told)?;
            if number == 0 {
                ty.minimum += u64::from(more);
                ty.maximum = ty.maximum.map(|maximum| maximum + u64::from(more));
            }
            match &table.init {
                wasmparser::TableInit::RefNull => section.table(ty),
                wasmparser::TableInit::Expr(_) => return Err("a table with a value of its own".to_owned()),
            };
        }
        Ok(section)
    }

    pub(crate) fn memories(module: &Module<'_>) -> Result<MemorySection, String> {
        let mut section = MemorySection::new();
        for memory in &module.memories {
            section.memory(RoundtripReencoder.memory_type(*memory).map_err(told)?);
        }
        Ok(section)
    }

    pub(crate) fn globals(module: &Module<'_>, renumber: &mut Renumber<'_>) -> Result<GlobalSection, String> {
        let mut section = GlobalSection::new();
        for global in &module.globals {
            renumber
                .parse_global(&mut section, global.clone())
                .map_err(told)?;
        }
        Ok(section)
    }

    /// The exports, with functions numbered anew, and more functions under names.
    pub(crate) fn exports(
        module: &Module<'_>,
        map: &[u32],
        more: &[(String, ExportKind, u32)],
    ) -> Result<ExportSection, String> {
        let mut section = ExportSection::new();
        for export in &module.exports {
            let kind = RoundtripReencoder.export_kind(export.kind).map_err(told)?;
            let index = match export.kind {
                ExternalKind::Func => map[export.index as usize],
                _ => export.index,
            };
            section.export(export.name, kind, index);
        }
        for (name, kind, index) in more {
            section.export(name, *kind, *index);
        }
        Ok(section)
    }

    /// One segment of elements.
    pub(crate) fn elements(section: &mut ElementSection, at: Option<(u32, u32)>, functions: &[Option<u32>]) {
        let numbers: Option<Vec<u32>> = functions.iter().copied().collect();
        let expressions: Vec<ConstExpr>;
        let items = if let Some(numbers) = &numbers {
            Elements::Functions(numbers.into())
        } else {
            expressions = (functions.iter())
                .map(|function| match function {
                    Some(function) => ConstExpr::ref_func(*function),
                    None => ConstExpr::ref_null(wasm_encoder::HeapType::FUNC),
                })
                .collect();
            Elements::Expressions(RefType::FUNCREF, expressions.as_slice().into())
        };
        match at {
            Some((table, slot)) => {
                let table = (table > 0).then_some(table);
                section.active(table, &ConstExpr::i32_const(slot as i32), items);
            }
            None => {
                section.declared(items);
            }
        }
    }

    pub(crate) fn data(segments: &[Segment<'_>]) -> DataSection {
        let mut section = DataSection::new();
        for segment in segments {
            let at = ConstExpr::i32_const(segment.at as i32);
            section.active(0, &at, segment.bytes.iter().copied());
        }
        section
    }

    /// The instructions of a function's code.
    pub(crate) fn code(
        function: &mut Function,
        body: &FunctionBody<'_>,
        renumber: &mut Renumber<'_>,
    ) -> Result<(), String> {
        let mut reader = body.get_operators_reader().map_err(|error| error.to_string())?;
        while !reader.eof() {
            let instruction = renumber.parse_instruction(&mut reader).map_err(told)?;
            function.instruction(&instruction);
        }
        Ok(())
    }

    /// Adds the code of functions.
    pub(crate) fn bodies(
        section: &mut CodeSection,
        module: &Module<'_>,
        functions: impl Iterator<Item = u32>,
        renumber: &mut Renumber<'_>,
    ) -> Result<(), String> {
        for number in functions {
            let body = module.body(number).ok_or("an imported function has no code")?;
            let mut function = RoundtripReencoder
                .new_function_with_parsed_locals(body)
                .map_err(told)?;
            code(&mut function, body, renumber)?;
            section.function(&function);
            if let Some(missing) = renumber.missing {
                return Err(format!(
                    "{} names {}, which is not in its part",
                    module.names[number as usize], module.names[missing as usize]
                ));
            }
        }
        Ok(())
    }
}
