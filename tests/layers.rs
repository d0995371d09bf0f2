//! Inside a package, a module uses only modules that the package declares before it: the order of `mod` in `lib.rs` is the
//! order of the layers.

#![expect(clippy::disallowed_methods, reason = "the test reads the sources")]

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The packages whose layers are held.
const PACKAGES: [&str; 6] = ["engine", "cuda", "workbench", "worker", "page", "cli"];

/// A file of a package, with its module's path from the root of the package.
struct SourceFile {
    file: PathBuf,
    module: Vec<String>,
    text: TokenStream,
}

/// A path in a source file, as names from the root of the package, and its line.
struct Use {
    path: Vec<String>,
    line: usize,
}

#[test]
fn no_module_uses_a_module_that_is_declared_after_it() {
    for package in PACKAGES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(package);
        let layers = modules(&tokens(&folder.join("lib.rs")));
        assert!(layers.len() > 3, "{package}: {layers:?}");
        let mut num_uses = 0;
        let mut upward = Vec::new();
        for (place, layer) in layers.iter().enumerate() {
            let mut files = Vec::new();
            collect(&folder, std::slice::from_ref(layer), &mut files);
            for SourceFile { file, module, text } in files {
                for Use { path, line } in uses(&text, &module) {
                    let Some(used) = path
                        .first()
                        .and_then(|name| layers.iter().position(|own| own == name))
                    else {
                        continue;
                    };
                    num_uses += usize::from(used < place);
                    if used > place {
                        upward.push(format!(
                            "{}:{line}: `{layer}` uses `{}`",
                            file.display(),
                            layers[used]
                        ));
                    }
                }
            }
        }
        assert!(upward.is_empty(), "{package}:\n{}", upward.join("\n"));
        // A reader of paths that finds nothing would pass.
        assert!(num_uses > 3, "{package}: {num_uses} uses");
    }
}

#[test]
fn paths_are_read_in_every_form() {
    let text = "
        use crate::{a::b, c, self};
        use super::super::d::E;
        use super::{super::e, sibling};
        pub(crate) fn f() -> super::super::g::H { crate::i::j() }
        #[cfg(test)]
        mod tests { use crate::hidden::X; }
        mod inner { use super::near; use super::super::super::k; }
    ";
    let module = ["top".to_owned(), "mid".to_owned()];
    let found = uses(&TokenStream::from_str(text).unwrap(), &module);
    let found: Vec<String> = found.into_iter().map(|found| found.path.join("::")).collect();
    assert_eq!(
        found,
        [
            "a",
            "c",
            "d",
            "e",
            "top::sibling",
            "g",
            "i",
            "top::mid::near",
            "k"
        ]
    );
}

fn tokens(file: &Path) -> TokenStream {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    TokenStream::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The names of the modules that a file declares, in order, without those for tests.
fn modules(tokens: &TokenStream) -> Vec<String> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut names = Vec::new();
    let mut is_test = false;
    for (idx, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                is_test |= is_for_tests(group);
            }
            TokenTree::Ident(word) if word == "mod" => {
                let (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(end))) =
                    (trees.get(idx + 1), trees.get(idx + 2))
                else {
                    continue;
                };
                if end.as_char() == ';' && !is_test {
                    names.push(name.to_string());
                }
                is_test = false;
            }
            TokenTree::Punct(end) if end.as_char() == ';' => is_test = false,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => is_test = false,
            _ => {}
        }
    }
    names
}

/// Whether an attribute is a `cfg` that names `test`.
fn is_for_tests(attribute: &proc_macro2::Group) -> bool {
    let text = attribute.stream().to_string();
    text.starts_with("cfg")
        && text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "test")
}

/// Adds the files of a module and of the modules inside it.
fn collect(folder: &Path, module: &[String], files: &mut Vec<SourceFile>) {
    let mut file = folder.to_owned();
    file.extend(module);
    file.set_extension("rs");
    let text = tokens(&file);
    for inner in modules(&text) {
        collect(folder, &[module, &[inner]].concat(), files);
    }
    files.push(SourceFile {
        file,
        module: module.to_vec(),
        text,
    });
}

/// The paths from the root of the package, up to the first module that they name below `crate` or `super`.
fn uses(tokens: &TokenStream, module: &[String]) -> Vec<Use> {
    let mut found = Vec::new();
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut is_test = false;
    let mut idx = 0;
    while idx < trees.len() {
        match &trees[idx] {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && is_for_tests(group) => {
                is_test = true;
            }
            TokenTree::Group(group) => {
                if !is_test {
                    let inner = match (idx.checked_sub(2).map(|at| &trees[at]), &trees[idx.max(1) - 1]) {
                        (Some(TokenTree::Ident(word)), TokenTree::Ident(name)) if word == "mod" => {
                            [module, &[name.to_string()]].concat()
                        }
                        _ => module.to_vec(),
                    };
                    found.extend(uses(&group.stream(), &inner));
                }
                is_test &= group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Ident(word) if word == "crate" || word == "super" => {
                if !is_test {
                    path(&trees[idx..], module, &mut found);
                }
                // Further `super` belong to this path.
                while is_word(trees.get(idx + 3), "super") && is_separator(&trees[idx + 1..]) {
                    idx += 3;
                }
                // The group of a `use` was read with its path.
                if is_separator(&trees[idx + 1..]) && matches!(trees.get(idx + 3), Some(TokenTree::Group(_)))
                {
                    idx += 3;
                }
            }
            TokenTree::Punct(end) if end.as_char() == ';' => is_test = false,
            _ => {}
        }
        idx += 1;
    }
    found
}

/// Reads one path that begins with `crate` or `super`.
fn path(trees: &[TokenTree], module: &[String], found: &mut Vec<Use>) {
    let mut base = module.to_vec();
    let mut rest = trees;
    if is_word(rest.first(), "crate") {
        base.clear();
    } else {
        base.pop();
    }
    while is_separator(&rest[1..]) {
        rest = &rest[3..];
        match rest.first() {
            Some(TokenTree::Ident(word)) if word == "super" => {
                base.pop();
            }
            Some(TokenTree::Ident(word)) => {
                let line = word.span().start().line;
                base.push(word.to_string());
                found.push(Use { path: base, line });
                return;
            }
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for item in
                    inner.split(|tree| matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ','))
                {
                    item_of_group(item, &base, found);
                }
                return;
            }
            _ => return,
        }
    }
}

/// Reads one item of the braces of a `use`.
fn item_of_group(item: &[TokenTree], base: &[String], found: &mut Vec<Use>) {
    match item.first() {
        Some(TokenTree::Ident(word)) if word == "super" => path(item, base, found),
        Some(TokenTree::Ident(word)) if word != "self" => {
            let path = [base, &[word.to_string()]].concat();
            let line = word.span().start().line;
            found.push(Use { path, line });
        }
        _ => {}
    }
}

fn is_word(tree: Option<&TokenTree>, name: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(word)) if word == name)
}

/// Whether the trees begin with `::`.
fn is_separator(trees: &[TokenTree]) -> bool {
    let is_colon =
        |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
    is_colon(trees.first()) && is_colon(trees.get(1))
}

/// Files that offer chips by name.
const OFFERS: [&str; 4] = [
    "workbench/app/compare/edit.rs",
    "workbench/app/arithmetic.rs",
    "workbench/scene/tensor/inspect.rs",
    "page/inspector.rs",
];

#[test]
fn nothing_outside_arch_asks_for_a_chip_by_its_id() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut num_offers = 0;
    for package in ["engine", "cuda", "workbench", "worker", "page"] {
        let folder = source.join(package);
        let (root, mut files) = (tokens(&folder.join("lib.rs")), Vec::new());
        for module in modules(&root) {
            if (package, module.as_str()) != ("engine", "arch") {
                collect(&folder, &[module], &mut files);
            }
        }
        files.push(SourceFile {
            file: folder.join("lib.rs"),
            module: Vec::new(),
            text: root,
        });
        for SourceFile { file, text, .. } in files {
            let place = file.strip_prefix(&source).unwrap().display().to_string();
            let lines = chips(text);
            if OFFERS.contains(&place.as_str()) {
                num_offers += lines.len();
            } else {
                found.extend(lines.into_iter().map(|line| format!("{place}:{line}")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    // A reader that finds no chip would pass.
    assert!(num_offers > 4, "{num_offers}");
}

/// The lines outside of tests with a chip's id, such as `ArchId::Gh100`. `ALL` and `DEFAULT` name no chip.
fn chips(tokens: TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_test = false;
    for (idx, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && is_for_tests(group) => {
                is_test = true;
            }
            TokenTree::Group(group) => {
                if !is_test {
                    lines.extend(chips(group.stream()));
                }
                is_test &= group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Punct(end) if end.as_char() == ';' => is_test = false,
            TokenTree::Ident(word) if word == "ArchId" && !is_test && is_separator(&trees[idx + 1..]) => {
                if let Some(TokenTree::Ident(chip)) = trees.get(idx + 3)
                    && chip.to_string().starts_with(char::is_uppercase)
                    && chip.to_string().contains(char::is_lowercase)
                {
                    lines.push(word.span().start().line);
                }
            }
            _ => {}
        }
    }
    lines
}
