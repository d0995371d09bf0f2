//! Prints the page's first view as markup.

use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    io::stdout().write_all(page::prerender::first_view().as_bytes())
}
