use super::*;
use engine::arch::ArchId;
use engine::isa::CompileOptions;

fn run(text: &str, arch: ArchId, options: &CompileOptions) -> Evaluation {
    let operation = Operation::read(text).unwrap();
    let program = program(&operation, arch, options).unwrap_or_else(|why| panic!("{text}: {why}"));
    evaluation(&operation, &program).unwrap_or_else(|why| panic!("{text}: {why}"))
}

#[test]
fn show() {
    for text in ["1.0000001f * 1.0000001f + -1.0f", "fmaf(1.0000001f, 1.0000001f, -1)", "16777219 * 5", "__umul24(16777219u, 5u)", "__umul24(16777219u, 5u) + 7u", "1.0f / 3.0f","1e-39f / 3.0f", "sqrtf(2.0f)", "1.0 / 3.0", "1.0 * 3.0 + 4.0", "(int)2.5f", "(float)16777217", "1e-40f * 0.5f", "1.0f + 2.0f", "7 / 2", "__umulhi(7u,8u)", "sqrt(2.0)", "__fdividef(1.0f, 3.0f)", "(double)1.0f", "__fmul_rz(1.1f,1.1f)", "__fmul_ru(1.1f,1.1f)"] {
        println!("== {text}");
        for arch in ArchId::ALL {
            let operation = Operation::read(text).unwrap();
            let time = std::time::Instant::now();
            let p = match program(&operation, arch, &CompileOptions::default()) { Ok(p) => p, Err(e) => { println!("{arch:?} {e}"); continue } };
            let t1 = time.elapsed();
            match evaluation(&operation, &p) {
              Ok(e) => println!("{:?} {:x} {} rate {:?} ulp {:?} {:?} {:?} {}", arch, e.result.bits, e.sequence(), e.rate(engine::arch::architecture(arch)), error_ulp(&operation, e.result), t1, time.elapsed(), p.code.len()),
              Err(e) => println!("{arch:?} {e}\n{}", p.listing()),
            }
        }
    }
}
