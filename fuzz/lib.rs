//! The targets of libFuzzer, and their seeds as files.

mod targets;

use std::fs;
use std::path::Path;

pub use targets::*;

/// Writes the seeds of a target into `corpus`, one file each, before libFuzzer reads that folder.
///
/// # Panics
/// A seed cannot be read or written. The folder of the program is `fuzz/`.
pub fn write_seeds(target: &str) {
    let folder = Path::new("corpus").join(target);
    fs::create_dir_all(&folder).expect("a folder of seeds");
    for (name, bytes) in seeds(Path::new(".."), target).expect("the seeds of the checkout") {
        fs::write(folder.join(name), bytes).expect("a seed");
    }
}
