//! A short soak in every engine. `cargo xtask endure` runs the long one.

use std::time::Duration;

use warpscope_e2e::soak::{Figures, Plan, soak};
use warpscope_e2e::{Engine, Error};

async fn short(engine: Engine, num_actions: u64) -> Result<(), Error> {
    let figures = soak(Plan {
        engine,
        num_actions,
        play: Duration::from_secs(10),
        seed: 1,
    })
    .await?;
    println!("{}\n{figures}", Figures::HEAD);
    let complaints = figures.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
    // Most actions meet a target: the page offers its controls all the time.
    assert!(figures.num_missed * 2 < num_actions, "{figures:?}");
    Ok(())
}

#[tokio::test]
async fn chromium_endures_random_actions() -> Result<(), Error> {
    short(Engine::Chromium, 150).await
}

#[tokio::test]
async fn firefox_endures_random_actions() -> Result<(), Error> {
    short(Engine::Firefox, 60).await
}

#[tokio::test]
async fn webkit_endures_random_actions() -> Result<(), Error> {
    short(Engine::WebKit, 60).await
}
