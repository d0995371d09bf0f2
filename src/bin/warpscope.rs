//! The command line.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    warpscope::cli::main()
}

/// There is no command line in a browser.
#[cfg(target_arch = "wasm32")]
fn main() {}
