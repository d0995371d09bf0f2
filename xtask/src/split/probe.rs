//! A module that tells when it passes a point of its code for the first time.

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ConstExpr, GlobalType, Instruction, ValType};

use super::module::Module;
use super::points;
use super::write::{Renumber, sections, told};

/// The import that is called with the number of a point, counted through the whole module, when it
/// is first passed.
pub(crate) const PROBE: (&str, &str) = ("probe", "passed");

/// The module with a probe at every point of every function.
pub(crate) fn with_probes(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let module = Module::read(bytes)?;
    let num_imports = module.imports.len() as u32;
    let mut map: Vec<u32> = (0..module.functions.len() as u32).collect();
    for function in module.defined() {
        map[function as usize] = function + 1;
    }
    let mut renumber = Renumber::new(&map);
    let mut types = sections::types(&module);
    types.ty().function([ValType::I32], []);
    let mut imports = sections::imports(module.imports.iter())?;
    imports.import(
        PROBE.0,
        PROBE.1,
        wasm_encoder::EntityType::Function(module.types.len() as u32),
    );
    let mut functions = wasm_encoder::FunctionSection::new();
    for function in module.defined() {
        functions.function(module.functions[function as usize]);
    }
    let mut globals = sections::globals(&module, &mut renumber)?;
    let mut flag = globals.len();
    let ty = GlobalType {
        val_type: ValType::I32,
        mutable: true,
        shared: false,
    };
    let mut code = wasm_encoder::CodeSection::new();
    let mut next_point = 0;
    for body in &module.bodies {
        let mut function = RoundtripReencoder
            .new_function_with_parsed_locals(body)
            .map_err(told)?;
        let ops = points::ops(body)?;
        let mut points = points::points(&ops).into_iter().peekable();
        for (number, op) in ops.into_iter().enumerate() {
            if points.next_if_eq(&number).is_some() {
                globals.global(ty, &ConstExpr::i32_const(0));
                for instruction in [
                    Instruction::GlobalGet(flag),
                    Instruction::I32Eqz,
                    Instruction::If(wasm_encoder::BlockType::Empty),
                    Instruction::I32Const(1),
                    Instruction::GlobalSet(flag),
                    Instruction::I32Const(next_point),
                    Instruction::Call(num_imports),
                    Instruction::End,
                ] {
                    function.instruction(&instruction);
                }
                flag += 1;
                next_point += 1;
            }
            function.instruction(&renumber.instruction(op.operator).map_err(told)?);
        }
        code.function(&function);
    }
    let mut elements = wasm_encoder::ElementSection::new();
    for segment in &module.elements {
        let mapped: Vec<_> = (segment.functions.iter())
            .map(|function| function.map(|function| map[function as usize]))
            .collect();
        sections::elements(&mut elements, segment.at, &mapped);
    }
    let mut out = wasm_encoder::Module::new();
    out.section(&types)
        .section(&imports)
        .section(&functions)
        .section(&sections::tables(&module, 0)?)
        .section(&sections::memories(&module)?)
        .section(&globals)
        .section(&sections::exports(&module, &map, &[])?)
        .section(&elements)
        .section(&code)
        .section(&sections::data(&module.data));
    super::valid(out.finish(), "the module with probes")
}
