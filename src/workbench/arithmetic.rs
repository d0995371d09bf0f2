//! One arithmetic operation, without a kernel around it: its text, its exact value, and what each architecture computes
//! for it. The results come from the simulator, which runs a kernel of one line; the exact value and its rounding come
//! from whole numbers of any length, which share nothing with the simulator.

mod anatomy;
mod evaluation;
mod examples;
mod exact;
mod function;
mod number;
mod special;
mod operation;
mod instruction;
mod literal;
mod text;

pub use anatomy::{Anatomy, BitRow};
pub use evaluation::{Evaluation, Executed, error_ulp, evaluation, executed, is_whole, program};
pub use exact::{DOUBLE, Exact, Format, HALF, Rounding, SINGLE};
pub use examples::{EXAMPLES, Example};
pub use function::{Function, Kind, Special, function_named, functions};
pub use number::{Number, Type};
pub use operation::{Form, Operation};
pub use special::{Bound, Documented, documented_error};
pub use text::{MAX_CHARS, Mistake};

#[cfg(test)]
mod tests;
