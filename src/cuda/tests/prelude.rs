//! The names of the built-in library.

use cuda::internals::{library_names, listed_library_names};

/// `UPDATE=1 cargo test -p warpscope-cuda prelude::` writes the list of names.
#[test]
fn the_list_matches_the_library() {
    let names = library_names();
    if std::env::var_os("UPDATE").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("builtins/library.rs");
        let list: String = names
            .iter()
            .map(|name| format!("    \"{name}\",\n"))
            .collect::<Vec<_>>()
            .concat();
        let text = format!(
            "/// Names of the library's functions, in order.\npub(super) static NAMES: [&str; {}] = [\n{list}];\n",
            names.len()
        );
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(
        listed_library_names(),
        names,
        "`UPDATE=1 cargo test -p warpscope-cuda prelude::` writes them anew"
    );
}
