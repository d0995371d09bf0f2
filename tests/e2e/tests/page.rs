//! The built page, driven as a user drives it.

use warpscope_e2e::{Browser, Error, Host};

#[tokio::test]
async fn the_page_opens_without_an_error() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let title = browser.client.title().await?;
    assert!(title.contains("Warpscope"), "{title}");
    browser.close().await
}
