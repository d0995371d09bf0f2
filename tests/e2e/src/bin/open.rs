//! Opens the page in a new browser and waits until its run is complete: `open --address URL`, or `open --plain FOLDER` for
//! a built page on a host that sends no headers of its own.

use std::path::Path;

use warpscope_e2e::{Browser, Error, Host};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (address, _host) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--address", address] => (address.to_owned(), None),
        ["--plain", folder] => {
            let host = Host::plain(Path::new(folder))?;
            (host.address(""), Some(host))
        }
        _ => return Err("usage: open --address URL | --plain FOLDER".into()),
    };
    let browser = Browser::start(1280, 800).await?;
    let opened = browser.open(&address).await;
    browser.close().await?;
    opened
}
