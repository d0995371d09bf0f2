//! Writes the seeds of the repository into `corpus`, one file each, where libFuzzer reads them.

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for target in targets::TARGETS {
        let folder = Path::new("corpus").join(target.name);
        fs::create_dir_all(&folder)?;
        let seeds = targets::seeds(Path::new(".."), target.name)?;
        for (name, bytes) in &seeds {
            fs::write(folder.join(name), bytes)?;
        }
        println!("{}: {} seeds", target.name, seeds.len());
    }
    Ok(())
}
