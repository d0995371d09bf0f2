//! Source files with their includes, joined to one text.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CliError;
use engine::files::{COMMAND_LINE, common_folder, folder, includes, join, normalized};

/// A header whose presence identifies the include folder of a CUDA toolkit.
const OF_TOOLKIT: &str = "cuda_runtime.h";

/// Include folders and macro definitions.
#[derive(Args, Debug, Default)]
pub(super) struct FileFlags {
    /// Add a folder to the include search path; can be repeated
    ///
    /// The folder of the including file is searched first. Include folders of a CUDA toolkit are ignored, because the
    /// compiler has built-in headers.
    #[arg(short = 'I', value_name = "DIR", help_heading = "Files")]
    folders: Vec<PathBuf>,
    /// Define a macro; can be repeated
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Files")]
    macros: Vec<String>,
}

impl FileFlags {
    /// Returns a file's text joined with the files that it includes; see [`engine::files`]. A file without includes is
    /// returned unchanged.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub(super) fn read(&self, path: &Path) -> Result<String, CliError> {
        // One file can have several paths: an absolute folder of `-I`, a link.
        let identity = |path: &str| std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        let mut files = vec![(normalized(&path.to_string_lossy()), read(path)?)];
        let mut identities = vec![identity(&files[0].0)];
        let folders = self
            .folders
            .iter()
            .filter(|folder| !folder.join(OF_TOOLKIT).is_file());
        let folders: Vec<String> = folders
            .map(|folder| format!("{}/", folder.to_string_lossy()))
            .collect();
        let mut idx = 0;
        while let Some((name, text)) = files.get(idx).cloned() {
            idx += 1;
            for (wanted, is_angle) in includes(&text) {
                let own = (!is_angle).then(|| folder(&name).to_owned());
                let near = own.iter().map(|folder| (true, folder));
                let all = near.chain(folders.iter().map(|folder| (false, folder)));
                let found = all
                    // A built-in header is overridden only by a file in the including file's folder.
                    .filter(|(is_near, _)| *is_near || !cuda::has_header(wanted))
                    .map(|(_, folder)| normalized(&format!("{folder}{wanted}")))
                    .find(|path| Path::new(path).is_file());
                let Some(found) = found else { continue };
                let own = identity(&found);
                if !identities.contains(&own) {
                    let text = read(Path::new(&found))?;
                    files.push((found, text));
                    identities.push(own);
                }
            }
        }
        let macros = self.macros_text(&files[0].0);
        if let Some(macros) = macros {
            files.insert(0, (COMMAND_LINE.to_owned(), macros));
        }
        if let [(_, text)] = files.as_slice() {
            return Ok(text.clone());
        }
        Ok(join(
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())),
        ))
    }

    /// Returns the text of a file that defines the macros and includes the main file, if macros are given.
    fn macros_text(&self, main: &str) -> Option<String> {
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => format!("#define {name} {value}\n"),
            None => format!("#define {text} 1\n"),
        };
        let lines: String = self.macros.iter().map(define).collect();
        (!lines.is_empty()).then(|| format!("{lines}#include \"{main}\"\n"))
    }
}

fn read(path: &Path) -> Result<String, CliError> {
    let bytes = std::fs::read(path).map_err(|source| CliError::Read {
        path: path.to_path_buf(),
        source,
    })?;
    // Invalid UTF-8 occurs only in comments, where replacement characters are harmless.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Removes the common folder from all file names, so links do not reveal paths of the local machine.
pub(super) fn without_common_folder(text: &str) -> String {
    let files = engine::files::split(text);
    if !engine::files::has_names(text) {
        return text.to_owned();
    }
    let names = || {
        files
            .iter()
            .map(|file| file.name)
            .filter(|name| *name != COMMAND_LINE)
    };
    let common = common_folder(names());
    let short = |name: &str| name.strip_prefix(common).unwrap_or(name).to_owned();
    let own = common.to_owned();
    let texts: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            let text = if file.name == COMMAND_LINE {
                file.text.replace(&format!("#include \"{own}"), "#include \"")
            } else {
                file.text.to_owned()
            };
            (short(file.name), text)
        })
        .collect();
    join(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}
