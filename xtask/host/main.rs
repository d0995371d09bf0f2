//! Serves a folder of static files until its input ends: `warpscope-host FOLDER PORT`.

use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match serve(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(args: &[String]) -> Result<(), host::Error> {
    let [folder, port] = args else {
        return Err("usage: warpscope-host FOLDER PORT".into());
    };
    let port: u16 = port
        .parse()
        .map_err(|_| format!("`{port}` is not a port number"))?;
    let _host = host::Host::of_folder(Path::new(folder), port)?;
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
