//! A short soak. `cargo xtask endure` runs the long one.

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
async fn random_actions_are_endured() -> Result<(), Error> {
    for engine in Engine::chosen()? {
        // The drivers of the others take longer for each action.
        let num_actions = if engine == Engine::Chromium { 80 } else { 60 };
        short(engine, num_actions).await?;
    }
    Ok(())
}
