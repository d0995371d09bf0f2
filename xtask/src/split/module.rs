//! A WebAssembly module taken apart, as far as splitting needs it.

use std::collections::BTreeSet;

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasmparser::{
    CompositeInnerType, Data, DataKind, Element, ElementItems, ElementKind, Export, FuncType, FunctionBody,
    Global, Import, KnownCustom, MemoryType, Name, NameSectionReader, Operator, Parser, Payload, Table,
    TypeRef,
};

/// A module with the functions, tables, memory and data that are in it. Custom sections are left out.
#[derive(Default)]
pub(crate) struct Module<'a> {
    pub(crate) types: Vec<FuncType>,
    /// What is imported: functions only.
    pub(crate) imports: Vec<Import<'a>>,
    /// The type of every function, imported ones first.
    pub(crate) functions: Vec<u32>,
    pub(crate) tables: Vec<Table<'a>>,
    pub(crate) memories: Vec<MemoryType>,
    pub(crate) globals: Vec<Global<'a>>,
    pub(crate) exports: Vec<Export<'a>>,
    pub(crate) elements: Vec<Elements>,
    /// The code of the functions that are not imported.
    pub(crate) bodies: Vec<FunctionBody<'a>>,
    pub(crate) data: Vec<Segment<'a>>,
    /// The name of every function as the name section has it; empty where it has none.
    pub(crate) names: Vec<String>,
}

/// Functions that are put into a table from a slot on; `None` is a null.
pub(crate) struct Elements {
    /// Table and first slot; `None` for a segment that only declares its functions.
    pub(crate) at: Option<(u32, u32)>,
    pub(crate) functions: Vec<Option<u32>>,
}

/// Bytes that are put into memory from an address on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment<'a> {
    pub(crate) at: u32,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Module<'a> {
    /// Takes a module apart.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            module
                .section(payload.map_err(|error| error.to_string())?)
                .map_err(|error| format!("the module cannot be read: {error}"))?;
        }
        let num = module.functions.len();
        module.names.resize(num, String::new());
        Ok(module)
    }

    fn section(&mut self, payload: Payload<'a>) -> Result<(), String> {
        let told = |error: wasmparser::BinaryReaderError| error.to_string();
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    for ty in group.map_err(told)?.into_types() {
                        let CompositeInnerType::Func(ty) = ty.composite_type.inner else {
                            return Err("a type that is not of a function".to_owned());
                        };
                        self.types.push(ty);
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section {
                    let import = import.map_err(told)?;
                    let TypeRef::Func(ty) = import.ty else {
                        return Err(format!("the import {} is not a function", import.name));
                    };
                    self.functions.push(ty);
                    self.imports.push(import);
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.functions.push(ty.map_err(told)?);
                }
            }
            Payload::TableSection(section) => {
                self.tables = section.into_iter().collect::<Result<_, _>>().map_err(told)?;
            }
            Payload::MemorySection(section) => {
                self.memories = section.into_iter().collect::<Result<_, _>>().map_err(told)?;
            }
            Payload::GlobalSection(section) => {
                self.globals = section.into_iter().collect::<Result<_, _>>().map_err(told)?;
            }
            Payload::ExportSection(section) => {
                self.exports = section.into_iter().collect::<Result<_, _>>().map_err(told)?;
            }
            Payload::ElementSection(section) => {
                for element in section {
                    self.elements.push(elements(&element.map_err(told)?)?);
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(section) => {
                for data in section {
                    self.data.push(segment(&data.map_err(told)?)?);
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    self.names = function_names(names);
                }
            }
            Payload::StartSection { .. } | Payload::TagSection(_) => {
                return Err("a section that splitting does not know".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// The code of a function; `None` for one that is imported.
    pub(crate) fn body(&self, function: u32) -> Option<&FunctionBody<'a>> {
        self.bodies
            .get((function as usize).checked_sub(self.imports.len())?)
    }

    /// The functions that are not imported.
    pub(crate) fn defined(&self) -> std::ops::Range<u32> {
        self.imports.len() as u32..self.functions.len() as u32
    }

    /// The functions that a function's code names: those it calls, and those it takes the address of.
    pub(crate) fn named_by(&self, function: u32) -> Result<BTreeSet<u32>, String> {
        self.in_code(function, |operator| match operator {
            Operator::Call { function_index }
            | Operator::ReturnCall { function_index }
            | Operator::RefFunc { function_index } => Some(function_index),
            _ => None,
        })
    }

    /// The functions of which a function's code takes the address.
    pub(crate) fn addressed_by(&self, function: u32) -> Result<BTreeSet<u32>, String> {
        self.in_code(function, |operator| match operator {
            Operator::RefFunc { function_index } => Some(function_index),
            _ => None,
        })
    }

    /// The numbers in a function's code that may be addresses.
    pub(crate) fn numbers_in(&self, function: u32) -> Result<BTreeSet<u32>, String> {
        struct Numbers(BTreeSet<u32>);
        impl Reencode for Numbers {
            type Error = std::convert::Infallible;
            fn mem_arg(
                &mut self,
                arg: wasmparser::MemArg,
            ) -> Result<wasm_encoder::MemArg, wasm_encoder::reencode::Error<Self::Error>> {
                self.0.insert(arg.offset as u32);
                RoundtripReencoder.mem_arg(arg)
            }
        }
        let mut numbers = Numbers(BTreeSet::new());
        if let Some(body) = self.body(function) {
            let told = |error: wasmparser::BinaryReaderError| error.to_string();
            for operator in body.get_operators_reader().map_err(told)? {
                let operator = operator.map_err(told)?;
                if let Operator::I32Const { value } = operator {
                    numbers.0.insert(value as u32);
                }
                numbers.instruction(operator).map_err(|error| error.to_string())?;
            }
        }
        Ok(numbers.0)
    }

    fn in_code(
        &self,
        function: u32,
        find: impl Fn(Operator<'_>) -> Option<u32>,
    ) -> Result<BTreeSet<u32>, String> {
        let mut found = BTreeSet::new();
        if let Some(body) = self.body(function) {
            let told = |error: wasmparser::BinaryReaderError| error.to_string();
            for operator in body.get_operators_reader().map_err(told)? {
                found.extend(find(operator.map_err(told)?));
            }
        }
        Ok(found)
    }
}

/// The number of an expression that is one `i32.const`.
fn constant(expression: &wasmparser::ConstExpr<'_>) -> Option<u32> {
    let mut operators = expression.get_operators_reader();
    match operators.read().ok()? {
        Operator::I32Const { value } => Some(value as u32),
        _ => None,
    }
}

/// The function of an expression that is one `ref.func`; `None` for a null.
fn reference(expression: &wasmparser::ConstExpr<'_>) -> Result<Option<u32>, String> {
    match expression.get_operators_reader().read() {
        Ok(Operator::RefFunc { function_index }) => Ok(Some(function_index)),
        Ok(Operator::RefNull { .. }) => Ok(None),
        _ => Err("an element that is not a function".to_owned()),
    }
}

fn elements(element: &Element<'_>) -> Result<Elements, String> {
    let at = match &element.kind {
        ElementKind::Active {
            table_index,
            offset_expr,
        } => {
            let slot = constant(offset_expr).ok_or("elements at a slot that is not a number")?;
            Some((table_index.unwrap_or(0), slot))
        }
        ElementKind::Declared => None,
        ElementKind::Passive => return Err("elements that wait to be copied".to_owned()),
    };
    let functions = match &element.items {
        ElementItems::Functions(items) => items
            .clone()
            .into_iter()
            .map(|item| item.map(Some).map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?,
        ElementItems::Expressions(_, items) => items
            .clone()
            .into_iter()
            .map(|item| {
                let item = item.map_err(|error| error.to_string())?;
                reference(&item)
            })
            .collect::<Result<_, _>>()?,
    };
    Ok(Elements { at, functions })
}

fn segment<'a>(data: &Data<'a>) -> Result<Segment<'a>, String> {
    match &data.kind {
        DataKind::Active {
            memory_index: 0,
            offset_expr,
        } => Ok(Segment {
            at: constant(offset_expr).ok_or("data at an address that is not a number")?,
            bytes: data.data,
        }),
        _ => Err("data that wait to be copied".to_owned()),
    }
}

fn function_names(section: NameSectionReader<'_>) -> Vec<String> {
    let mut names = Vec::new();
    // Names that cannot be read are names that are not there.
    for subsection in section.into_iter().flatten() {
        if let Name::Function(map) = subsection {
            for naming in map.into_iter().flatten() {
                let at = naming.index as usize;
                if names.len() <= at {
                    names.resize(at + 1, String::new());
                }
                names[at] = naming.name.to_owned();
            }
        }
    }
    names
}

/// A module without its custom sections: no names, no symbols.
pub(crate) fn plain(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut plain = wasm_encoder::Module::new();
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|error| error.to_string())?;
        if let Some((id, range)) = payload.as_section()
            && id != 0
        {
            plain.section(&wasm_encoder::RawSection {
                id,
                data: &bytes[range],
            });
        }
    }
    Ok(plain.finish())
}

/// A function's name without what changes from build to build: hashes of crates and of instances.
pub(crate) fn plain_name(name: &str) -> String {
    let name = match rustc_demangle::try_demangle(name) {
        Ok(demangled) => format!("{demangled:#}"),
        Err(_) => name.to_owned(),
    };
    // Names that are demangled already carry the hashes as `core[0123456789abcdef]`.
    let mut plain = String::with_capacity(name.len());
    let mut rest = name.as_str();
    while let Some(at) = rest.find('[') {
        let (before, after) = rest.split_at(at);
        plain.push_str(before);
        match after[1..].find(']') {
            Some(end) if end >= 8 && after[1..=end].bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                rest = &after[end + 2..];
            }
            _ => {
                plain.push('[');
                rest = &after[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}
