//! Runs of one block.

use std::sync::Arc;

use engine::arch::{ArchId, architecture};
use engine::isa::{ElemType, Program};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{MachineOptions, Outcome};
use engine::trace::simulate;

/// Returns a buffer of zeros, whose end state the run has.
pub(crate) fn output(elem: ElemType, len: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::Zero),
        role: Role::Out,
        start: 0,
    }
}

/// Returns a buffer that the kernel reads.
#[allow(dead_code, reason = "not every test has one")]
pub(crate) fn input(words: &[u32]) -> Argument {
    Argument::Buffer {
        elem: ElemType::U32,
        len: words.len() as u32,
        fill: Fill::of(Pattern::List(words.iter().map(|word| f64::from(*word)).collect())),
        role: Role::In,
        start: 0,
    }
}

/// Returns an argument of type `unsigned`.
#[allow(dead_code, reason = "not every test has one")]
pub(crate) fn scalar(value: u32) -> Argument {
    Argument::Scalar {
        ty: ElemType::U32,
        bits: value.into(),
    }
}

/// Runs one block of `threads` threads to its end. Returns the words of the first output.
pub(crate) fn words(arch: ArchId, program: &Arc<Program>, threads: u32, args: Vec<Argument>) -> Vec<u32> {
    let launch = Launch {
        grid: [1; 3],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    };
    let options = MachineOptions::default();
    let trace = simulate(architecture(arch), Arc::clone(program), &launch, options).expect("it starts");
    assert_eq!(trace.outcome(), Some(&Outcome::Finished));
    let outputs = trace.outputs().expect("the run has ended");
    let (_, bytes) = outputs.compared().next().expect("an output");
    let words = bytes.as_chunks().0.iter();
    words.map(|word| u32::from_le_bytes(*word)).collect()
}
