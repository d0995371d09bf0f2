//! Uses the built page for a long time in one engine, and prints what that took as a row of a table.

use std::time::Duration;

use warpscope_e2e::soak::{Figures, Plan, soak};
use warpscope_e2e::{Engine, Error};

const USAGE: &str =
    "usage: soak --engine chromium|firefox|webkit [--actions N] [--play-minutes M] [--seed N]";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut plan = None;
    let (mut num_actions, mut play_minutes, mut seed) = (20_000, 60, 1);
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match name.as_str() {
            "--engine" => plan = Some(Engine::of_name(&value)?),
            "--actions" => num_actions = value.parse()?,
            "--play-minutes" => play_minutes = value.parse()?,
            "--seed" => seed = value.parse()?,
            _ => return Err(USAGE.into()),
        }
    }
    let plan = Plan {
        engine: plan.ok_or(USAGE)?,
        num_actions,
        play: Duration::from_secs(60 * play_minutes),
        seed,
    };
    let figures = soak(plan).await?;
    println!("{}\n{figures}", Figures::HEAD);
    let complaints = figures.complaints();
    if complaints.is_empty() {
        return Ok(());
    }
    Err(complaints.join("\n").into())
}
