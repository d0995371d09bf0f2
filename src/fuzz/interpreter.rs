//! An oracle that interprets the checked program. It shares only the front end with the tested compiler, and needs no
//! other compiler.

use engine::arch::ArchId;

use super::check::{Failure, Setup, Subject};
use super::cxx::{Oracle, Outputs};
use super::tree::Program;

/// The interpreter oracle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter {
    /// Whether to detect data races too, which takes longer.
    pub finds_races: bool,
    /// The architecture for which programs are parsed; if absent, the first one drawn from the seed.
    pub arch: Option<ArchId>,
}

impl Interpreter {
    fn run(self, program: &Program) -> Result<Outputs, String> {
        let setups = Setup::some_of(program, self.arch, 1);
        let setup = setups
            .first()
            .ok_or("the architecture lacks a required feature")?;
        let subject = Subject::new(&program.source(), program.shape(), setup);
        subject
            .map_err(|failure| failure.to_string())?
            .interpreted(self.finds_races)
    }
}

impl Oracle for Interpreter {
    fn outputs(&mut self, programs: &[Program]) -> Vec<Result<Outputs, String>> {
        programs.iter().map(|program| self.run(program)).collect()
    }
}

/// Compares a program in several setups with the interpreter's outputs in the first setup. Returns an error if these
/// outputs are unknown.
pub fn check_all(program: &Program, setups: &[Setup]) -> (Option<String>, Vec<Option<Failure>>) {
    let source = program.source();
    let mut expected: Option<Result<Outputs, String>> = None;
    let failures = setups.iter().map(|setup| {
        let subject = match Subject::new(&source, program.shape(), setup) {
            Ok(subject) => subject,
            Err(failure) => return Some(failure),
        };
        let expected = expected.get_or_insert_with(|| subject.interpreted(false));
        subject.check(expected.as_ref().ok())
    });
    let failures = failures.collect();
    (expected.and_then(Result::err), failures)
}

#[cfg(test)]
mod tests {
    use super::{Interpreter, check_all};
    use crate::check::{Setup, Subject};
    use crate::cxx::{Cxx, Oracle};
    use crate::{Settings, generate};

    #[test]
    fn random_programs_end_as_the_interpreter_says() {
        for seed in 0..50 {
            let program = generate(seed, &Settings::default());
            let setups = Setup::some_of(&program, None, 1);
            let (unknown, failures) = check_all(&program, &setups);
            assert_eq!(
                (unknown, failures),
                (None, vec![None]),
                "seed {seed} {}",
                setups[0].text()
            );
        }
    }

    #[test]
    fn architectures_and_widths_of_pointers_change_no_output() {
        for seed in 0..20 {
            let program = generate(seed, &Settings::default());
            let source = program.source();
            let outputs = Setup::of(&program, None).into_iter().flat_map(|setup| {
                [false, true].map(|pointers_32_bit| {
                    let mut setup = setup.clone();
                    setup.options.pointers_32_bit = pointers_32_bit;
                    let subject = Subject::new(&source, program.shape(), &setup).unwrap();
                    subject.interpreted(false)
                })
            });
            let outputs: Vec<_> = outputs.collect();
            assert!(outputs[0].is_ok(), "seed {seed}: {:?}", outputs[0]);
            assert!(outputs.iter().all(|found| *found == outputs[0]), "seed {seed}");
        }
    }

    #[test]
    fn the_oracles_agree_and_no_program_races() {
        let programs: Vec<_> = (0..30).map(|seed| generate(seed, &Settings::default())).collect();
        let mut interpreter = Interpreter {
            finds_races: true,
            arch: None,
        };
        assert_eq!(
            interpreter.outputs(&programs),
            Cxx::new(&["-O0"]).outputs(&programs)
        );
    }
}
