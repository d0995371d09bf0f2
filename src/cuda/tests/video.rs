//! PTX's video instructions: values by the formulas of PTX ISA, "Video Instructions" and "SIMD Video Instructions".

use super::tiles::lanes;
use super::*;

/// What thread 0 of a kernel stores for an instruction on `%1`, `%2`, and `%3`.
fn value_of(instruction: &str, [a, b, c]: [u32; 3]) -> Result<u32, String> {
    let source = format!(
        "__global__ void k(const unsigned *in, unsigned *out) {{
    unsigned r = 0;
    asm(\"{instruction} %0, %1, %2, %3;\" : \"=r\"(r) : \"r\"(in[0]), \"r\"(in[1]), \"r\"(in[2]));
    if (threadIdx.x == 0) out[0] = r;
}}"
    );
    lanes(&source, ArchId::Tu102, &[a, b, c], 1).map(|words| words[0])
}

#[test]
fn instructions_on_bytes_and_halves_follow_the_ptx_isa() {
    let (a, b, c) = (0x01ff_7f80, 0x0201_7f01, 5);
    let cases = [
        // |1-2| + |255-1| + 0 + |128-1| + 5
        ("vabsdiff4.u32.u32.u32.add", 1 + 254 + 127 + 5),
        // |1-2|, |-1-1|, 0, |-128-1|
        ("vabsdiff4.s32.s32.s32", 0x0102_0081),
        ("vabsdiff4.s32.s32.s32.sat", 0x0102_007f),
        ("vadd4.s32.s32.s32.sat", 0x0300_7f81),
        ("vadd4.u32.u32.u32", 0x0300_fe81),
        ("vsub4.u32.u32.u32.sat", 0x00fe_007f),
        ("vmin4.u32.u32.u32", 0x0101_7f01),
        ("vmax4.s32.s32.s32", 0x0201_7f01),
        ("vset4.u32.u32.lt", 0x0100_0000),
        ("vset4.s32.s32.lt.add", 3 + 5),
        ("vadd2.u32.u32.u32", 0x0400_fe81),
        ("vmax2.s32.s32.s32", 0x0201_7f80),
        ("vset2.u32.u32.ge", 0x0000_0001),
    ];
    for (instruction, expected) in cases {
        assert_eq!(value_of(instruction, [a, b, c]), Ok(expected), "{instruction}");
    }
}

#[test]
fn scalar_instructions_select_and_merge_parts() {
    let given = "const unsigned a = in[0], b = in[1], c = in[2]; unsigned r";
    let kernel = |text: &str| {
        format!(
            "__global__ void k(const unsigned *in, unsigned *out) {{
    {given};
    asm(\"{text}\" : \"=r\"(r) : \"r\"(a), \"r\"(b), \"r\"(c));
    if (threadIdx.x == 0) out[0] = r;
}}"
        )
    };
    let cases = [
        ("vadd.u32.u32.u32 %0, %1.b1, %2.h1;", 0x7f + 0x0201),
        ("vadd.u32.u32.u32.add %0, %1.b3, %2.h0, %3;", 1 + 0x7f01 + 5),
        ("vsub.s32.s32.s32 %0, %1.b0, %2.b0;", (-129i32) as u32),
        ("vsub.u32.u32.u32.sat %0, %1.b3, %2.b3;", 0),
        ("vadd.u32.u32.u32 %0.b2, %1.b3, %2.b3, %3;", 0x0003_0005),
        ("vmax.s32.s32.s32.min %0, %1.b2, %2.b2, %3;", 1),
        ("vabsdiff.u32.u32.u32 %0, %1.h0, %2.h0;", 0x7f),
        ("vset.u32.u32.ne %0, %1.b1, %2.b1;", 0),
        (
            "vshr.u32.u32.u32.clamp.add %0, %1, %3, %3;",
            (0x01ff_7f80 >> 5) + 5,
        ),
        ("vshl.u32.u32.u32.wrap %0, %1.b3, %3;", 32),
        ("vmad.u32.u32.u32 %0, %1.b3, %2.b3, %3;", 7),
        ("vmad.s32.s32.s32.shr7 %0, %1.b0, %2.b3, %3;", (-2i32) as u32),
        ("vadd4.u32.u32.u32 %0.b20, %1.b0000, %2.b7777, %3;", 0x0082_0082),
        ("vadd2.u32.u32.u32 %0.h1, %1, %2, %3;", 0x0400_0005),
    ];
    for (text, expected) in cases {
        let found = lanes(&kernel(text), ArchId::Tu102, &[0x01ff_7f80, 0x0201_7f01, 5], 1);
        assert_eq!(found, Ok(vec![expected]), "{text}");
    }
    for text in [
        "vadd.u32.u32.u32 %0, %1.b4, %2;",
        "vadd4.u32.u32.u32 %0, %1.b8210, %2, %3;",
    ] {
        let found = lanes(&kernel(text), ArchId::Tu102, &[1, 2, 3], 1);
        assert!(
            found.is_err_and(|message| message.contains("Arguments mismatch")),
            "{text}"
        );
    }
}
