//! Generates garbled programs, as an editor contains them while a user types, pastes, and deletes, and worse.
//!
//! The compiler must process each text quickly, with little memory, and without a panic.

mod bombs;

use std::path::Path;

use cuda::compile;
use engine::arch::ArchId;
use engine::isa::CompileOptions;

use super::random::Random;
use super::{Settings, generate};
use bombs::bomb;

/// The source texts that are garbled.
#[derive(Clone, Debug)]
pub struct Sources(Vec<String>);

/// The maximum number of characters of a text: two files of the library's size.
const MAX_LEN: usize = 60_000;

impl Sources {
    /// Reads the library, the stored programs, the examples of diagnostics, and the headers of a checkout.
    ///
    /// # Errors
    /// Returns the name of a folder that cannot be read.
    #[expect(clippy::disallowed_methods, reason = "a tool of the command line")]
    pub fn load(root: &Path) -> Result<Self, String> {
        const FOLDERS: [&str; 9] = [
            "src/workbench/library",
            "tests/programs",
            "tests/diagnostics",
            "tests/natural",
            "tests/checks",
            "src/cuda/headers",
            "src/cuda/headers/cub",
            "src/cuda/headers/cuda",
            "src/cuda/headers/thrust",
        ];
        let mut paths = Vec::new();
        for folder in FOLDERS {
            let folder = root.join(folder);
            let text = |error: std::io::Error| format!("{}: {error}", folder.display());
            for entry in std::fs::read_dir(&folder).map_err(text)? {
                let path = entry.map_err(text)?.path();
                if path
                    .extension()
                    .is_some_and(|ending| ending == "cu" || ending == "h")
                {
                    paths.push(path);
                }
            }
        }
        paths.sort();
        let read = |path: &std::path::PathBuf| {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let texts: Result<Vec<String>, String> = paths.iter().map(read).collect();
        Ok(Self(texts?))
    }

    fn one(&self, random: &mut Random) -> String {
        match random.below(10) {
            0 => generate(random.step(), &Settings::default()).source(),
            1..4 => {
                let settings = Settings {
                    cpp: true,
                    ..Settings::default()
                };
                generate(random.step(), &settings).source()
            }
            _ => random.pick(&self.0),
        }
    }

    /// Returns the garbled text of a seed.
    pub fn garbled(&self, seed: u64) -> String {
        let mut random = Random::new(seed);
        let text = self.one(&mut random);
        let mut tokens = tokens(&text);
        let other = self::tokens(&self.one(&mut random));
        // After a single change, most of the text still compiles.
        for _ in 0..[1, 1, 1, 2, 3, 6, 20][random.below(7)] {
            change(&mut tokens, &other, &mut random);
        }
        let mut text = tokens.concat();
        if text.len() > MAX_LEN {
            let end = (0..=MAX_LEN).rev().find(|end| text.is_char_boundary(*end));
            text.truncate(end.unwrap_or(0));
        }
        if random.percent(12) {
            bomb(&mut text, &mut random);
        }
        text
    }
}

/// Compiles a text for an architecture drawn from the seed.
///
/// # Errors
/// Returns the number of diagnostics if the text does not compile.
pub fn answer(seed: u64, text: &str) -> Result<(), usize> {
    let arch = Random::new(!seed).pick(&ArchId::ALL);
    let compiled = compile(text, None, arch, &CompileOptions::default());
    compiled.map(|_| ()).map_err(|diagnostics| diagnostics.len())
}

/// Splits a text into words, numbers, whitespace, and single other characters.
fn tokens(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        '\n' => 1,
        c if c.is_whitespace() => 2,
        c if c.is_alphanumeric() || c == '_' => 3,
        _ => 4,
    };
    let mut out: Vec<String> = Vec::new();
    let mut last = 0;
    for c in text.chars() {
        let kind = kind(c);
        match out.last_mut() {
            Some(token) if kind == last && kind != 4 => token.push(c),
            _ => out.push(c.to_string()),
        }
        last = kind;
    }
    out
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Keywords, operators, and punctuation.
const WORDS: &[&str] = &[
    "template",
    "typename",
    "class",
    "struct",
    "union",
    "enum",
    "operator",
    "const",
    "constexpr",
    "static",
    "auto",
    "decltype",
    "(auto)",
    "using",
    "namespace",
    "inline",
    "friend",
    "this",
    "public:",
    "virtual",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default:",
    "break;",
    "continue;",
    "return",
    "goto",
    "sizeof",
    "new",
    "delete",
    "try",
    "throw",
    "noexcept",
    "mutable",
    "explicit",
    "extern",
    "volatile",
    "__global__",
    "__device__",
    "__shared__",
    "__constant__",
    "__host__",
    "__restrict__",
    "__launch_bounds__",
    "unsigned",
    "long long",
    "int",
    "float",
    "double",
    "char",
    "bool",
    "void",
    "half",
    "float4",
    "static_assert",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "<<",
    ">>",
    "<<<",
    ">>>",
    "::",
    "->",
    ".",
    "...",
    ",",
    ";",
    ":",
    "?",
    "=",
    "==",
    "!=",
    "<=",
    ">=",
    "&&",
    "||",
    "&",
    "|",
    "^",
    "~",
    "!",
    "+",
    "-",
    "*",
    "/",
    "%",
    "++",
    "--",
    "+=",
    "->*",
    "#",
    "##",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\u{feff}",
    "\u{1f600}",
    "é",
    "\0",
    "\r",
    "\t",
    "@",
    "`",
    "$",
    "#define",
    "#include",
    "#if",
    "#else",
    "#endif\n",
    "#pragma unroll",
    "asm(",
    "[&]",
    "[=]",
    "<T>",
    "<int>",
    "template <typename T>",
    "T",
    "0",
    "1",
    "-1",
    "::template",
    "typename T::type",
    "if constexpr",
    "[[",
];

/// Numbers that are rare in programs.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2147483647",
    "2147483648",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "0x",
    "0xffffffffffffffffff",
    "1e308",
    "1e309",
    "1e-400",
    "1e99999999999",
    "0b1",
    "0b2",
    "077777777777777777777777",
    "08",
    "1.",
    ".5f",
    "1u",
    "1ull",
    "1lul",
    "1'000",
    "1000000000",
    "65536",
    "1000000",
    "'a'",
    "'\\777'",
    "0x1p-3",
];

fn change(tokens: &mut Vec<String>, other: &[String], random: &mut Random) {
    if tokens.is_empty() || other.is_empty() {
        return;
    }
    let len = tokens.len();
    let at = random.below(len);
    let until = |from: usize, len: usize, random: &mut Random| {
        let most = random.pick(&[3, 10, 40, 200]);
        (from + 1 + random.below(most)).min(len)
    };
    match random.below(20) {
        0 | 1 => {
            tokens.remove(at);
        }
        2 => {
            let token = tokens[at].clone();
            tokens.insert(at, token);
        }
        3 => {
            let to = random.below(len);
            tokens.swap(at, to);
        }
        4 => tokens[at] = tokens[random.below(len)].clone(),
        5 | 6 => tokens.insert(at, random.pick(WORDS).to_owned()),
        7 => tokens[at] = random.pick(WORDS).to_owned(),
        8 => {
            let end = until(at, len, random);
            tokens.drain(at..end);
        }
        9 => {
            let end = until(at, len, random);
            let part = tokens[at..end].to_vec();
            let to = random.below(len);
            tokens.splice(to..to, part);
        }
        10 => {
            let from = random.below(other.len());
            let end = until(from, other.len(), random);
            tokens.splice(at..at, other[from..end].iter().cloned());
        }
        11 => {
            tokens.truncate(at);
            tokens.extend_from_slice(&other[random.below(other.len())..]);
        }
        12 => rename(tokens, random, false),
        13 | 14 => rename(tokens, random, true),
        15 => brackets(tokens, random),
        16 => {
            let is_number = |token: &String| token.starts_with(|c: char| c.is_ascii_digit());
            let found: Vec<usize> = (0..len).filter(|idx| is_number(&tokens[*idx])).collect();
            if !found.is_empty() {
                let number = random.pick(NUMBERS);
                number.clone_into(&mut tokens[random.pick(&found)]);
            }
        }
        17 => {
            let found: Vec<usize> = (0..len).filter(|idx| is_name(&tokens[*idx])).collect();
            if !found.is_empty() {
                let idx = random.pick(&found);
                let argument = tokens[random.pick(&found)].clone();
                let opening = random.pick(&["<", "<", "<<", "::", "(", "["]);
                let closing = random.pick(&[">", ">", ">>", "", "::type", ">::", ">()"]);
                tokens.insert(idx + 1, format!("{opening}{argument}{closing}"));
            }
        }
        18 => nest(tokens, at, random),
        _ => tokens.truncate(at),
    }
}

/// Replaces a name with another name of the text, in one place or everywhere.
fn rename(tokens: &mut [String], random: &mut Random, everywhere: bool) {
    let found: Vec<usize> = (0..tokens.len()).filter(|idx| is_name(&tokens[*idx])).collect();
    if found.is_empty() {
        return;
    }
    let at = random.pick(&found);
    let (from, to) = (tokens[at].clone(), tokens[random.pick(&found)].clone());
    for idx in found {
        if idx == at || (everywhere && tokens[idx] == from) {
            tokens[idx].clone_from(&to);
        }
    }
}

/// Removes, flips, or inserts a bracket.
fn brackets(tokens: &mut Vec<String>, random: &mut Random) {
    let is_bracket = |token: &String| matches!(token.as_str(), "(" | ")" | "{" | "}" | "[" | "]" | "<" | ">");
    let found: Vec<usize> = (0..tokens.len())
        .filter(|idx| is_bracket(&tokens[*idx]))
        .collect();
    if found.is_empty() {
        return;
    }
    let at = random.pick(&found);
    match random.below(3) {
        0 => {
            tokens.remove(at);
        }
        1 => random
            .pick(&["(", ")", "{", "}", "[", "]", "<", ">"])
            .clone_into(&mut tokens[at]),
        _ => {
            let token = tokens[at].clone();
            tokens.insert(at, token);
        }
    }
}

/// Repeats a token many times, possibly with its counterpart after the next token.
fn nest(tokens: &mut [String], at: usize, random: &mut Random) {
    const PAIRS: &[(&str, &str)] = &[
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("<", ">"),
        ("a<", ">"),
        ("((int)", ")"),
        ("-", ""),
        ("!", ""),
        ("*", ""),
        ("&", ""),
        ("- -", ""),
        ("x ? ", " : y"),
        ("1 + ", ""),
        ("a::", ""),
        ("a.", ""),
        ("a->", ""),
        ("if (1) ", ""),
        ("if (1) {", "} else {}"),
        ("for (;;) ", ""),
        ("do ", " while (0);"),
        ("struct A {", "};"),
        ("namespace a {", "}"),
        ("template <class T> ", ""),
        ("template <template <", "> class T>"),
        ("[&]{", "}()"),
        ("[=](auto x) { return ", "; }(1)"),
        ("f(", ", 1)"),
        ("1, ", ""),
        ("decltype(", ")"),
        ("sizeof ", ""),
        ("const ", ""),
        ("int ", ""),
        ("case 1: ", ""),
        ("#if 1\n", "\n#endif\n"),
        ("/*", "*/"),
        ("\"a\" ", ""),
        ("int (*", ")()"),
        ("x = ", ""),
        ("switch (1) { case 1: ", "}"),
        ("0x", ""),
        ("9", ""),
    ];
    let num = random.pick(&[20, 90, 100, 300, 1000, 10_000]);
    let (opening, closing) = random.pick(PAIRS);
    tokens[at] = if random.percent(50) {
        format!("{}{}{}", opening.repeat(num), tokens[at], closing.repeat(num))
    } else {
        opening.repeat(num)
    };
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Sources, answer, tokens};

    #[test]
    fn tokens_cover_the_whole_text() {
        let text = "int f(float x) {\n  return x*2.5f; // é\n}\n";
        assert_eq!(tokens(text).concat(), text);
    }

    #[test]
    fn garbled_texts_compile_or_are_rejected() {
        let sources = Sources::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let mut num_refused = 0;
        for seed in 0..60 {
            num_refused += usize::from(answer(seed, &sources.garbled(seed)).is_err());
        }
        assert!((20..60).contains(&num_refused), "{num_refused} of 60");
    }
}
