//! The table as configurations of nginx and Caddy, which `docs/hosting.md` shows.

use std::fmt::Write as _;

use super::{ASK, COMMON, HASH_DIGITS, KEEP, Kind};

/// A regular expression for the names of files with a hash.
fn hashed() -> String {
    let (least, most) = (HASH_DIGITS.start(), HASH_DIGITS.end());
    format!("-[0-9a-f]{{{least},{most}}}[._][^/]*$")
}

/// The configuration of nginx.
pub fn nginx() -> String {
    let mut out = format!(
        "# In `http`: the policy of a page by its address, and how long browsers keep a file.\n\
         map $request_uri $warpscope_policy {{\n    \
             default \"\";\n    \
             \"~^[^?]*/(index\\.html)?\\?(.*&)?embed(=|&|$)\" \"{embed}\";\n    \
             \"~^[^?]*/embed(\\.html)?(\\?|$)\" \"{embed}\";\n    \
             \"~^[^?]*/(embed-)?example(\\.html)?(\\?|$)\" \"{example}\";\n    \
             \"~^[^?]*/worker-[0-9a-f]+\\.js(\\?|$)\" \"{worker}\";\n    \
             \"~^[^?]*/sw\\.js(\\?|$)\" \"{release}\";\n    \
             \"~^[^?]*/([^/?]+\\.html)?(\\?|$)\" \"{page}\";\n\
         }}\n\
         map $uri $warpscope_cache {{\n    \
             default \"{ASK}\";\n    \
             \"~{hashed}\" \"{KEEP}\";\n\
         }}\n\n\
         # In `server`, and in each `location` that has an `add_header` of its own.\n\
         add_header Content-Security-Policy $warpscope_policy always;\n\
         add_header Cache-Control $warpscope_cache always;\n",
        hashed = hashed(),
        embed = Kind::Embed.header(),
        example = Kind::Example.header(),
        worker = Kind::Worker.header(),
        release = Kind::Release.header(),
        page = Kind::Page.header(),
    );
    for (name, value) in COMMON {
        // Writing to a string does not fail.
        let _ = writeln!(out, "add_header {name} \"{value}\" always;");
    }
    out += "gzip on;\n\
            gzip_types text/css text/javascript application/javascript application/json application/wasm image/svg+xml;\n";
    out
}

/// The configuration of Caddy.
pub fn caddy() -> String {
    let mut out = format!(
        "# In the block of the site. Of several `header` directives for one name, the last one holds.\n\
         @warpscope_page path */ *.html\n\
         @warpscope_example path */example.html */embed-example.html\n\
         @warpscope_embed path */embed.html\n\
         @warpscope_old_embed {{\n\tpath */ */index.html\n\tquery embed=*\n}}\n\
         @warpscope_worker path_regexp /worker-[0-9a-f]+\\.js$\n\
         @warpscope_release path */sw.js\n\
         @warpscope_kept path_regexp {hashed}\n\
         route {{\n\
         \theader Cache-Control \"{ASK}\"\n\
         \theader @warpscope_kept Cache-Control \"{KEEP}\"\n\
         \theader @warpscope_page Content-Security-Policy \"{page}\"\n\
         \theader @warpscope_example Content-Security-Policy \"{example}\"\n\
         \theader @warpscope_embed Content-Security-Policy \"{embed}\"\n\
         \theader @warpscope_old_embed Content-Security-Policy \"{embed}\"\n\
         \theader @warpscope_worker Content-Security-Policy \"{worker}\"\n\
         \theader @warpscope_release Content-Security-Policy \"{release}\"\n",
        page = Kind::Page.header(),
        example = Kind::Example.header(),
        hashed = hashed(),
        embed = Kind::Embed.header(),
        worker = Kind::Worker.header(),
        release = Kind::Release.header(),
    );
    for (name, value) in COMMON {
        let _ = writeln!(out, "\theader {name} \"{value}\"");
    }
    out += "\tencode gzip zstd\n\tfile_server\n}\n";
    out
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests of documents read files")]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::{rules, text};

    /// Files of a page, one of each kind.
    const FILES: [&str; 6] = [
        "embed.html",
        "example.html",
        "index.html",
        "page-0123456789abcdef.js",
        "sw.js",
        "worker-0123456789abcdef.js",
    ];

    /// The document with each configuration in the place of the block after the line that names it.
    fn with_blocks(document: &str) -> String {
        let mut out = document.to_owned();
        let blocks = [
            ("_headers", "", text(&rules(FILES))),
            ("nginx", "nginx", nginx()),
            ("caddy", "caddy", caddy()),
        ];
        for (mark, language, block) in blocks {
            let start = format!("<!-- {mark} -->\n");
            let (before, rest) = out.split_once(&start).expect("the mark of a block");
            let (_, rest) = rest.split_once("```").expect("the block's start");
            let (_, after) = rest.split_once("\n```\n").expect("the block's end");
            out = format!("{before}{start}```{language}\n{block}```\n{after}");
        }
        out
    }

    #[test]
    fn the_document_has_these_configurations() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosting.md");
        let document = fs::read_to_string(&path).expect("docs/hosting.md");
        let expected = with_blocks(&document);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &expected).expect("docs/hosting.md can be written");
            return;
        }
        assert_eq!(
            document, expected,
            "run `UPDATE=1 cargo test -p warpscope-headers` to write docs/hosting.md again"
        );
    }

    #[test]
    fn the_embedding_guide_names_the_policy() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/embedding.md");
        let document = fs::read_to_string(&path).expect("docs/embedding.md");
        let policy = Kind::Embed.header();
        assert!(
            document.contains(&format!("\n{policy}\n")),
            "docs/embedding.md lacks: {policy}"
        );
    }
}
