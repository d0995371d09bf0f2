//! Why a warp stalls, cards of terms, and faults that lead to their place, as a reader uses them.

use warpscope_e2e::{Browser, Error, Host};

#[tokio::test]
async fn the_key_u_explains_a_stall_three_levels_deep_and_escape_closes() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;cycle=282;warp=0"))
        .await?;
    for level in 1..=3 {
        browser.press('u').await?;
        browser
            .wait_until(&format!(
                "return document.querySelector('[data-testid=\"why-{level}\"]') !== null && location.hash.includes('why={level}');"
            ))
            .await?;
    }
    browser
        .wait_until(
            "const text = id => document.querySelector(`[data-testid=\"${id}\"]`)?.textContent ?? '';
             return text('why-1').includes('W00 needs R7') && text('why-3').includes('miss');",
        )
        .await?;
    // A word leads to its cycle.
    browser
        .script("[...document.querySelectorAll('[data-testid=\"why-1\"] .link')].find(link => link.textContent === 'cycle 145').click();")
        .await?;
    browser
        .wait_until("return location.hash.includes('cycle=145');")
        .await?;
    browser.press('\u{e00c}').await?;
    browser
        .wait_until("return !location.hash.includes('why=') && document.querySelector('[data-testid=\"explain\"]') === null;")
        .await?;
    Ok(())
}

#[tokio::test]
async fn a_key_opens_the_card_of_the_state_beside_it() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=transpose-tiled;cycle=282;warp=0"))
        .await?;
    browser.press(';').await?;
    browser
        .wait_for("card", |text| text.contains("Long Scoreboard"))
        .await?;
    browser
        .wait_until(
            "const card = document.querySelector('[data-testid=\"card\"]').getBoundingClientRect();
             const state = document.querySelector('.insp .state').getBoundingClientRect();
             return card.right <= state.left || card.left >= state.right || card.bottom <= state.top || card.top >= state.bottom;",
        )
        .await?;
    browser.press('\u{e00c}').await?;
    browser
        .wait_until("return document.querySelector('[data-testid=\"card\"]') === null;")
        .await?;
    Ok(())
}
