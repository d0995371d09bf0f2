//! The Streams view of the built page: a program of the library, its calls by keys, the link, the text twin, processes, a
//! pasted program, and two chips beside each other.

use warpscope_e2e::{Browser, Error, Host};

#[tokio::test]
async fn a_host_program_is_read_by_keys_and_its_call_is_kept_in_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;arch=gf100;kernel=streams-depth"))
        .await?;
    browser.press('&').await?;
    browser
        .wait_for("headline", |text| {
            text.contains("False dependencies delay 7 operations.")
        })
        .await?;

    // Comma and period move among the calls; Enter selects one.
    let focus = "document.querySelector('[data-testid=stage-canvas]').focus(); return true;";
    assert_eq!(browser.script(focus).await?, true);
    browser.press('.').await?;
    browser.press('\u{e007}').await?;
    browser
        .wait_until("return location.hash.includes('call=');")
        .await?;
    let inspector = browser.text("inspector").await?;
    assert!(inspector.contains("called at"), "{inspector}");

    let address = browser.client.current_url().await?;
    let other = Browser::start(1440, 900).await?;
    other.open(address.as_str()).await?;
    other
        .wait_for("headline", |text| text.contains("up to 2 at once"))
        .await?;
    assert_eq!(other.text("inspector").await?, inspector);
    other.close().await?;

    browser.click("table").await?;
    let twin = browser.text("twin").await?;
    assert!(twin.contains("work queue shared with another stream"), "{twin}");
    browser.close().await
}

#[tokio::test]
async fn processes_and_gpus_are_chosen_above_the_picture() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;arch=gv100;kernel=clients-small;view=streams"))
        .await?;
    browser
        .wait_for("headline", |text| text.starts_with("The program takes"))
        .await?;
    browser.click("processes-4").await?;
    browser
        .wait_for("headline", |text| {
            text.starts_with("The processes take") && text.contains("one at a time")
        })
        .await?;
    browser.click("service-on").await?;
    browser
        .wait_for("headline", |text| text.contains("up to 4 at once"))
        .await?;
    let hash = browser.script("return location.hash;").await?;
    assert!(
        hash.as_str().unwrap_or_default().contains("processes=4;mps=on"),
        "{hash}"
    );
    browser.close().await
}

#[tokio::test]
async fn two_chips_run_the_same_program() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;kernel=streams-depth;view=streams;arch=gf100;compare=gk110"))
        .await?;
    browser
        .wait_for("headline", |text| text.contains("up to 2 at once"))
        .await?;
    browser
        .wait_for("headline-2", |text| text.contains("up to 8 at once"))
        .await?;
    browser.close().await
}

#[tokio::test]
async fn the_time_axis_zooms_by_keys_wheel_and_drag_and_is_kept_in_the_link() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser
        .open(&host.address("v1;arch=gf100;kernel=streams-depth;view=streams"))
        .await?;
    browser
        .wait_for("headline", |text| text.starts_with("The program takes"))
        .await?;
    let window = "const found = /window=(\\d+)-(\\d+)/.exec(location.hash);
        return found ? [Number(found[1]), Number(found[2])] : [];";
    let shown = async || -> Result<Vec<f64>, Error> {
        let ends = browser.script(window).await?;
        let ends = ends.as_array().into_iter().flatten();
        Ok(ends.filter_map(serde_json::Value::as_f64).collect())
    };

    browser.press(')').await?;
    browser
        .wait_until("return location.hash.includes('window=');")
        .await?;
    browser
        .wait_for("headline", |text| text.contains("The picture shows"))
        .await?;
    let by_key = shown().await?;

    // The wheel scrolls the rows, and zooms with Ctrl.
    let wheel = |control: bool| {
        format!(
            "const canvas = document.querySelector('[data-testid=stage-canvas]');
            const place = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new WheelEvent('wheel', {{ bubbles: true, cancelable: true, ctrlKey: {control},
                deltaY: -40, clientX: place.left + 600, clientY: place.top + 60 }}));
            return true;"
        )
    };
    browser.script(&wheel(false)).await?;
    browser.script(&wheel(true)).await?;
    browser
        .wait_until(&format!(
            "const found = /window=(\\d+)-(\\d+)/.exec(location.hash);
            return Number(found[2]) - Number(found[1]) < {};",
            by_key[1] - by_key[0]
        ))
        .await?;
    let by_wheel = shown().await?;
    let ratio = (by_wheel[1] - by_wheel[0]) / (by_key[1] - by_key[0]);
    assert!(
        (0.6..0.72).contains(&ratio),
        "{ratio}: only one of the two wheels zooms"
    );

    // A drag to the left shows later times.
    let drag = "const canvas = document.querySelector('[data-testid=stage-canvas]');
        const place = canvas.getBoundingClientRect();
        const send = (type, x, buttons) => canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
            pointerType: 'mouse', buttons, clientX: place.left + x, clientY: place.top + 60 }));
        send('pointerdown', 700, 1);
        for (let x = 690; x >= 600; x -= 10) send('pointermove', x, 1);
        send('pointerup', 600, 0);
        return true;";
    browser.script(drag).await?;
    browser
        .wait_until(&format!(
            "return Number(/window=(\\d+)/.exec(location.hash)[1]) > {};",
            by_wheel[0]
        ))
        .await?;

    let address = browser.client.current_url().await?;
    let headline = browser.text("headline").await?;
    let other = Browser::start(1440, 900).await?;
    other.open(address.as_str()).await?;
    other
        .wait_for("headline", |text| text.contains("The picture shows"))
        .await?;
    assert_eq!(other.text("headline").await?, headline);
    other.close().await?;

    browser.click("whole-run").await?;
    browser
        .wait_until("return !location.hash.includes('window=');")
        .await?;
    browser.close().await
}
