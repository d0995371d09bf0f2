//! Example operations.

/// An operation with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// A title of a few words.
    pub title: &'static str,
    /// The operation.
    pub text: &'static str,
}

const fn example(title: &'static str, text: &'static str) -> Example {
    Example { title, text }
}

/// All examples, in the order of the menu. The first one is the default.
pub const EXAMPLES: [Example; 22] = [
    example("Multiply-add: FMAD and FFMA", "1.00001f * 1.00001f - 1"),
    example("Fused by a call", "fmaf(1.00001f, 1.00001f, -1)"),
    example("A product, rounded", "0x1.fffffep0f * 3"),
    example("A sum that loses bits", "16777216.0f + 1.5f"),
    example("A product toward zero", "__fmul_rz(1.1f, 1.1f)"),
    example("A subnormal product", "1e-40f * 0.5f"),
    example("Division", "1.0f / 3.0f"),
    example("Fast division", "__fdividef(1.0f, 3.0f)"),
    example("Square root", "sqrtf(2.0f)"),
    example("32-bit multiplication", "16777219 * 5"),
    example("24-bit multiplication", "__umul24(16777219u, 5u)"),
    example("Integer division", "1000 / 7"),
    example("Double precision", "1.1 * 1.1 + 0.5"),
    example("Float to integer", "(int)2.75f"),
    example("64-bit addition", "5000000000ll + 7000000000ll"),
    example("64-bit multiplication", "5000000000ll * 3ll"),
    example("Half precision", "__hfma(0.1h, 0.1h, 1.0h)"),
    example("Float to half", "(half)0.1f"),
    example("Reciprocal square root", "rsqrtf(2.0f)"),
    example("Fast sine near π", "__sinf(3.1415f)"),
    example("Fast exponential", "__expf(-10.5f)"),
    example("Fast power", "__powf(2.5f, 3.5f)"),
];
