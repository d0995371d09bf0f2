//! Specifiers of declarations, and their misspellings.

use super::*;

/// Specifiers that this compiler accepts and ignores.
const IGNORED_WORDS: [&str; 7] = [
    "register",
    "__inline__",
    "inline",
    "__inline",
    "friend",
    "mutable",
    "__grid_constant__",
];

impl Parser {
    pub(in crate::parse) fn specifier(&mut self, specifiers: &mut Specifiers) -> Parsed<()> {
        let tok = self.next();
        match &*tok.text {
            "typedef" => specifiers.is_typedef = true,
            "static" => specifiers.is_static = true,
            "extern" => {
                specifiers.is_extern = true;
                if self.peek().kind == Kind::Str {
                    // `extern "C"` only affects linkage.
                    self.next();
                    specifiers.is_extern = false;
                }
            }
            "constexpr" | "consteval" => specifiers.is_constexpr = true,
            "__global__" => specifiers.global = Some(tok.span),
            "__device__" => specifiers.device = true,
            "__host__" => specifiers.host = true,
            "__constant__" => specifiers.constant = true,
            "__shared__" => specifiers.shared = Some(tok.span),
            "friend" => specifiers.is_friend = true,
            "virtual" => {
                specifiers.is_virtual = true;
                self.has_virtual = true;
            }
            "__managed__" => specifiers.managed = true,
            "__noinline__" => specifiers.noinline = true,
            "__forceinline__" | "__forceinline" => specifiers.forceinline = true,
            "__launch_bounds__" => {
                self.expect("(", "after `__launch_bounds__`")?;
                let threads = self.assignment()?;
                let blocks = if self.accept(",") {
                    Some(self.assignment()?)
                } else {
                    None
                };
                if self.accept(",") {
                    // The number of blocks in a cluster: no supported chip has clusters.
                    self.assignment()?;
                }
                self.expect(")", "after the launch bounds")?;
                specifiers.launch_bounds = Some((threads, blocks));
            }
            "__align__" | "alignas" => {
                self.expect("(", "after the alignment specifier")?;
                specifiers.align = Some(self.assignment()?);
                self.expect(")", "after the alignment")?;
            }
            "__attribute__" => self.skip_balanced(),
            "explicit" => {
                specifiers.is_explicit = true;
                if self.at("(") {
                    self.skip_balanced();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reports a word that resembles a CUDA keyword.
    pub(in crate::parse) fn check_specifier_spelling(&mut self) {
        const WORDS: [&str; 7] = [
            "__global__",
            "__device__",
            "__shared__",
            "__constant__",
            "__host__",
            "__forceinline__",
            "__noinline__",
        ];
        let tok = self.peek().clone();
        let suspicious = tok.kind == Kind::Ident
            && (tok.text.starts_with('_')
                || tok.text.ends_with("__")
                || (WORDS.iter().any(|w| w.trim_matches('_') == &*tok.text) || tok.is_word("kernel"))
                    && self.peek_at(1).kind == Kind::Ident);
        if !suspicious || is_specifier(&tok.text) {
            return;
        }
        let without_underscores = tok.text.trim_matches('_');
        let exact = WORDS
            .into_iter()
            .find(|word| word.trim_matches('_') == without_underscores);
        // An OpenCL keyword.
        let exact = exact.or((without_underscores == "kernel").then_some("__global__"));
        if let Some(near) = exact.or_else(|| crate::nearest::nearest(&tok.text, WORDS)) {
            let message = format!(
                "`{}` is not a keyword of CUDA C++; did you mean `{near}`?",
                tok.text
            );
            self.diagnostics
                .push(Diagnostic::error(tok.span, message).fix(near));
            self.next();
        }
    }
}

/// Whether a word is a specifier that can precede the type of a declaration.
pub(in crate::parse) fn is_specifier(word: &str) -> bool {
    IGNORED_WORDS.contains(&word)
        || matches!(
            word,
            "typedef"
                | "virtual"
                | "explicit"
                | "static"
                | "extern"
                | "constexpr"
                | "consteval"
                | "__global__"
                | "__device__"
                | "__host__"
                | "__constant__"
                | "__shared__"
                | "__managed__"
                | "__noinline__"
                | "__forceinline__"
                | "__forceinline"
                | "__launch_bounds__"
                | "__align__"
                | "alignas"
                | "__attribute__"
        )
}
