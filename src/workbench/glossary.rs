//! The glossary: what each word of the page means, why it matters, and which document says so.
//!
//! A thing has one name: NVIDIA's, and for stall reasons and metrics Nsight Compute's. Names are unique ignoring
//! case over all terms, so a label of a view finds at most one term. Ids appear in links and are never reused.

mod execution;
mod host;
mod memory;
mod metrics;
mod opcodes;
pub mod pictures;
mod program;
mod stalls;
pub mod teaching;

/// A term of the glossary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Permanent id, lower case with hyphens: links name it.
    pub id: &'static str,
    /// The term, as the page writes it.
    pub name: &'static str,
    /// Other names under which labels and people name it.
    pub also: &'static [&'static str],
    /// The kind of term.
    pub kind: Kind,
    /// Two sentences: what it is, then why it matters.
    pub text: &'static str,
    /// Document and section, or how the number is known.
    pub source: &'static str,
    /// A link (the part after `#`) that opens the page where the term is visible; empty if no view shows it.
    pub see: &'static str,
}

/// The kinds of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Parts and concepts of the SM.
    Execution,
    /// CUDA programs, launches, and compiler options.
    Program,
    /// Memory and caches.
    Memory,
    /// Warp states and stall reasons.
    Stall,
    /// SASS opcodes.
    Opcode,
    /// Metrics of Nsight Compute and of Warpscope.
    Metric,
}

impl Kind {
    /// All kinds, in the order of the glossary.
    pub const ALL: [Self; 6] = [
        Self::Execution,
        Self::Program,
        Self::Memory,
        Self::Stall,
        Self::Opcode,
        Self::Metric,
    ];

    /// The heading of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Execution => "Execution",
            Self::Program => "Program",
            Self::Memory => "Memory",
            Self::Stall => "Stall reasons",
            Self::Opcode => "Opcodes",
            Self::Metric => "Metrics",
        }
    }
}

/// All terms, by kind.
pub fn terms() -> impl Iterator<Item = &'static Term> {
    [
        execution::TERMS,
        program::TERMS,
        host::TERMS,
        memory::TERMS,
        stalls::TERMS,
    ]
    .into_iter()
    .chain(opcodes::TABLES)
    .chain([metrics::TERMS])
    .flatten()
}

/// The term with this id.
pub fn term(id: &str) -> Option<&'static Term> {
    terms().find(|term| term.id == id)
}

/// The term with this id, name, or other name, ignoring case.
pub fn named(label: &str) -> Option<&'static Term> {
    let label = label.trim();
    terms().find(|term| {
        [term.id, term.name]
            .iter()
            .chain(term.also)
            .any(|name| name.eq_ignore_ascii_case(label))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::library;
    use crate::share::decode;
    use cuda::compile;
    use engine::arch::ArchId;
    use engine::isa::CompileOptions;
    use engine::sim::WarpState;
    use engine::trace::stall_metric;

    /// Maximum number of words of a sentence.
    const WORDS: usize = 25;

    #[test]
    fn ids_are_unique_and_well_formed() {
        let mut ids = BTreeSet::new();
        for Term { id, .. } in terms() {
            assert!(ids.insert(*id), "{id} twice");
            assert!(
                id.split('-').all(|part| {
                    !part.is_empty()
                        && part
                            .bytes()
                            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                }),
                "{id}"
            );
            assert_eq!(term(id).map(|term| term.id), Some(*id));
        }
        assert!(ids.len() >= 130, "{}", ids.len());
    }

    #[test]
    fn a_name_belongs_to_one_term() {
        let mut owners: BTreeMap<String, &str> = BTreeMap::new();
        for term in terms() {
            // The id may repeat the name of its own term.
            let mut own: Vec<String> = [term.name]
                .iter()
                .chain(term.also)
                .map(|name| name.to_ascii_lowercase())
                .collect();
            let num = own.len();
            own.sort();
            own.dedup();
            assert_eq!(own.len(), num, "{} repeats a name", term.id);
            own.push(term.id.to_owned());
            own.dedup();
            for name in own {
                let owner = owners.entry(name.clone()).or_insert(term.id);
                assert_eq!(*owner, term.id, "{name}");
                assert_eq!(named(&name.to_ascii_uppercase()), Some(term), "{name}");
            }
        }
    }

    #[test]
    fn each_kind_has_terms_and_they_are_in_its_order() {
        let mut kinds: Vec<Kind> = terms().map(|term| term.kind).collect();
        kinds.dedup();
        assert_eq!(kinds, Kind::ALL);
    }

    #[test]
    fn texts_are_two_short_sentences() {
        for Term { id, text, .. } in terms() {
            let sentences: Vec<&str> = text.split(". ").collect();
            assert_eq!(sentences.len(), 2, "{id}: {text}");
            assert!(text.ends_with('.') && !text.contains(['!', '?']), "{id}: {text}");
            assert!(!text.contains("  ") && !text.contains("n't"), "{id}: {text}");
            for sentence in sentences {
                assert!(
                    sentence.split_whitespace().count() <= WORDS,
                    "{id}: too long: {sentence}"
                );
            }
        }
    }

    #[test]
    fn every_term_cites_a_source() {
        for term in terms() {
            assert!(!term.source.trim().is_empty(), "{}", term.id);
            assert!(!term.source.ends_with(['.', ',', ';']), "{}", term.id);
        }
    }

    #[test]
    fn links_decode_without_warnings() {
        for term in terms().filter(|term| !term.see.is_empty()) {
            assert!(term.see.starts_with("v1"), "{}: {}", term.id, term.see);
            let warnings = decode(term.see).warnings;
            assert!(warnings.is_empty(), "{}: {warnings:?}", term.id);
        }
    }

    #[test]
    fn every_warp_state_and_its_metric_have_a_term() {
        for state in WarpState::ALL {
            let term = named(state.name()).unwrap_or_else(|| panic!("{}", state.name()));
            assert_eq!((term.name, term.kind), (state.name(), Kind::Stall));
            if state != WarpState::Empty {
                assert_eq!(named(&stall_metric(state)), Some(term), "{}", state.name());
            }
        }
    }

    #[test]
    fn every_opcode_of_the_library_has_a_term() {
        let mut opcodes = BTreeSet::new();
        // Variants of a family share a source and differ in the launch.
        let mut sources = BTreeSet::new();
        for kernel in library::kernels().filter(|kernel| sources.insert((kernel.source, kernel.entry))) {
            for arch in ArchId::ALL {
                // Some kernels do not compile on some architectures.
                let compiled = compile(
                    kernel.source,
                    Some(kernel.entry),
                    arch,
                    &CompileOptions::default(),
                );
                let code = compiled.map(|compiled| compiled.program.code).unwrap_or_default();
                for instruction in code {
                    let mnemonic = instruction.op.mnemonic(arch);
                    let opcode = mnemonic.split('.').next().unwrap_or_default();
                    opcodes.insert(opcode.to_owned());
                }
            }
        }
        assert!(opcodes.len() > 50, "{}", opcodes.len());
        for opcode in opcodes {
            assert!(named(&opcode).is_some(), "{opcode}");
        }
    }

    #[test]
    fn labels_of_views_find_their_terms() {
        for (label, id) in [
            ("Warp slots", "warp-slot"),
            ("Bank conflicts", "bank-conflict"),
            (
                "Issue slots busy",
                "smsp-issue-active-avg-pct-of-peak-sustained-active",
            ),
            ("L1 hit rate", "hit-rate"),
            ("dram", "device-memory"),
            ("membar", "stall-membar"),
            ("__syncthreads()", "block-barrier"),
        ] {
            assert_eq!(named(label).map(|term| term.id), Some(id), "{label}");
        }
        assert_eq!(named("no such term"), None);
    }
}
