//! The Device view of the built page: its key, SMs by keys, the link, the text twin, and a device beside another one.

use std::fs;

use warpscope_e2e::{Browser, Error, Host, PageCopy, file_named};

#[tokio::test]
async fn a_device_is_read_by_keys_and_its_sm_is_kept_in_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=vector-add;grid=200;cycle=10"))
        .await?;
    browser.press('q').await?;
    browser
        .wait_for("headline", |text| text == "200 blocks run on all 68 SMs.")
        .await?;

    // Comma and period move among the SMs; Enter selects one.
    let focus = "document.querySelector('[data-testid=stage-canvas]').focus(); return true;";
    assert_eq!(browser.script(focus).await?, true);
    browser.press('.').await?;
    browser.press('\u{e007}').await?;
    browser
        .wait_until("return location.hash.includes('smid=');")
        .await?;
    let inspector = browser.text("inspector").await?;
    assert!(inspector.contains("Its blocks, in cycles"), "{inspector}");

    let address = browser.client.current_url().await?;
    let other = Browser::start(1440, 900).await?;
    other.open(address.as_str()).await?;
    other
        .wait_for("headline", |text| text == "200 blocks run on all 68 SMs.")
        .await?;
    assert_eq!(other.text("inspector").await?, inspector);
    other.close().await?;

    browser.click("table").await?;
    let twin = browser.text("twin").await?;
    assert!(twin.contains("SM 67"), "{twin}");
    browser.close().await
}

#[tokio::test]
async fn two_devices_run_in_step() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=vector-add;grid=40;view=device;arch=gf100;compare=gv100;cycle=10"))
        .await?;
    browser
        .wait_for("headline", |text| text.contains("on all 15 SMs"))
        .await?;
    browser
        .wait_for("headline-2", |text| text.contains("40 of 80 SMs"))
        .await?;
    browser.close().await
}

/// A page on a machine with `CORES` cores, which counts the workers that its workers start.
const CORES: &str = r"
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => CORES });
    window.started = 0;
    new BroadcastChannel('started').onmessage = () => window.started++;";

/// In a worker: reports every worker that it starts.
const REPORT: &str = r"
    const { Worker: Plain } = self;
    self.Worker = class extends Plain {
        constructor(...all) {
            super(...all);
            new BroadcastChannel('started').postMessage('');
        }
    };";

/// The built page, whose workers report the workers that they start.
fn reporting_page() -> Result<PageCopy, Error> {
    PageCopy::changed("reporting", |folder| {
        let worker = file_named(folder, "worker-", ".js")?;
        // Imports come before everything else of a script.
        let script = fs::read_to_string(&worker)? + REPORT;
        Ok(fs::write(worker, script)?)
    })
}

/// 2,048 blocks on 80 SMs, with a loop.
const LARGE: &str = "v1;kernel=saxpy;arch=gv100;grid=2048;view=device;smid=7;cycle=300";

#[tokio::test]
async fn a_large_run_is_the_same_on_one_two_and_four_workers() -> Result<(), Error> {
    let page = reporting_page()?;
    let host = Host::start()?;
    host.serve_folder(page.folder())?;
    let mut seen = Vec::new();
    for cores in [1, 2, 4] {
        let browser = Browser::start(1440, 900).await?;
        browser
            .before_page(&CORES.replace("CORES", &cores.to_string()))
            .await?;
        browser.open(&host.address(LARGE)).await?;
        browser
            .wait_for("headline", |text| text.contains("blocks run on"))
            .await?;
        assert_eq!(browser.script("return window.started;").await?, cores - 1);
        browser.click("table").await?;
        seen.push((
            browser.text("headline").await?,
            browser.text("inspector").await?,
            browser.text("twin").await?,
        ));
        browser.close().await?;
    }
    assert!(seen[0].2.contains("SM 79"), "{}", seen[0].2);
    assert!(seen.iter().all(|other| *other == seen[0]), "{seen:#?}");
    Ok(())
}
