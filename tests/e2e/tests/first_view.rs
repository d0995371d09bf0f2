//! The files that a visit loads. Keys and clicks work as soon as the page appears.

use serde_json::{Value, json};
use warpscope_e2e::{Browser, Error, Host};

/// Names of the module files that the page loaded.
const MODULES: &str = "return performance.getEntriesByType('resource').map(entry => entry.name)
    .filter(name => name.endsWith('.wasm')).map(name => name.split('/').pop().replace(/-.*/, ''));";

#[tokio::test]
async fn every_address_loads_the_same_modules_once() -> Result<(), Error> {
    let host = Host::start()?;
    for fragment in ["", "v1;view=banks;cycle=300"] {
        let browser = Browser::start(1440, 900).await?;
        browser.open(&host.address(fragment)).await?;
        let mut modules = browser.script(MODULES).await?;
        if let Some(list) = modules.as_array_mut() {
            list.sort_by_key(Value::to_string);
        }
        assert_eq!(modules, json!(["page", "worker_bg"]), "{fragment}");
        browser.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_page_responds_while_the_worker_module_is_missing() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.dev_tools("Network.enable", json!({})).await?;
    browser
        .dev_tools("Network.setBlockedURLs", json!({ "urls": ["*worker_bg*"] }))
        .await?;
    browser.client.goto(&host.address("")).await?;
    browser.click("header-help").await?;
    browser.find("help").await?;
    // The page shows the reason, not only the console.
    browser
        .wait_until("return document.body.textContent.includes('The simulator could not be loaded');")
        .await?;
    browser.close().await
}
