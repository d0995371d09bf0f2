//! Kernels with several files: tabs, problems in headers, and files dropped onto the page.

use warpscope_e2e::{Browser, Error, Host};

const KEY_RIGHT: char = '\u{e014}';
const KEY_DELETE: char = '\u{e017}';

/// Drops files onto the page, as pairs of a name and a text.
async fn drop_files(browser: &Browser, files: &[(&str, &str)]) -> Result<(), Error> {
    let files = serde_json::to_string(files)?;
    let script = format!(
        "const transfer = new DataTransfer();
         for (const [name, text] of {files}) transfer.items.add(new File([text], name));
         window.dispatchEvent(new DragEvent('drop', {{ dataTransfer: transfer, cancelable: true }}));"
    );
    browser.script(&script).await?;
    Ok(())
}

/// The labels of the tabs, with `*` before the selected tab.
async fn tabs(browser: &Browser) -> Result<Vec<String>, Error> {
    let script = "return [...document.querySelectorAll('[role=tablist][aria-label=Files] [role=tab]')]
         .map(tab => (tab.ariaSelected === 'true' ? '*' : '') + tab.firstChild.textContent);";
    let names = browser.script(script).await?;
    Ok(serde_json::from_value(names)?)
}

async fn text(browser: &Browser) -> Result<String, Error> {
    let text = browser
        .script("return document.querySelector('[data-testid=editor]').value;")
        .await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn dropped_files_open_as_tabs_and_a_problem_links_to_its_file() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    browser
        .wait_for("cycle-of", |text| text.contains("cycles"))
        .await?;
    tokio::time::sleep(std::time::Duration::from_secs(4)).await;
    assert!(tabs(&browser).await?.is_empty());
    let kernel =
        "#include \"a.cuh\"\n__global__ void k(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }\n";
    let header = "#pragma once\n__device__ float twice(float x) {\n    return 2.0f * y;\n}\n";
    drop_files(&browser, &[("a.cuh", header), ("k.cu", kernel)]).await?;
    browser.find("file-a.cuh").await?;
    assert_eq!(tabs(&browser).await?, ["*k.cu", "a.cuh"]);
    assert_eq!(text(&browser).await?, kernel);
    // The error is in the other file.
    browser
        .wait_until(
            "const problem = document.querySelector('[data-testid=problem-elsewhere]');
             return problem !== null && problem.textContent.startsWith('a.cuh:3');",
        )
        .await?;
    browser.click("problem-elsewhere").await?;
    browser
        .wait_until("return document.querySelector('[data-testid=editor]').value.includes('2.0f * y')")
        .await?;
    assert_eq!(tabs(&browser).await?, ["k.cu", "*a.cuh"]);
    browser
        .wait_until(
            "return document.querySelector('[data-testid=problem]')?.textContent.startsWith('3') === true;",
        )
        .await?;
    // Without the error the kernel runs, and the link contains both files.
    let edit = "const field = document.querySelector('[data-testid=editor]');
         field.focus();
         field.setSelectionRange(field.value.indexOf('y;'), field.value.indexOf('y;') + 1);
         document.execCommand('insertText', false, 'x');";
    browser.script(edit).await?;
    browser
        .wait_until(
            "return [...document.querySelectorAll('[data-testid=problem]')].every(problem => !problem.textContent.startsWith('3'));",
        )
        .await?;
    // Arrow keys and Delete on the tabs, and undo.
    browser
        .script("document.querySelector('[role=tab][data-testid=\"file-a.cuh\"]').focus();")
        .await?;
    browser.press(KEY_RIGHT).await?;
    browser
        .wait_until("return document.activeElement.dataset.testid === 'file-k.cu'")
        .await?;
    assert_eq!(tabs(&browser).await?, ["*k.cu", "a.cuh"]);
    browser.press(KEY_RIGHT).await?;
    browser
        .wait_until("return document.activeElement.dataset.testid === 'file-a.cuh'")
        .await?;
    browser.press(KEY_DELETE).await?;
    browser
        .wait_until("return document.querySelector('[data-testid=\"file-a.cuh\"]') === null")
        .await?;
    browser
        .wait_until(
            "return [...document.querySelectorAll('[data-testid=problem]')].some(problem => problem.textContent.includes('a.cuh'));",
        )
        .await?;
    browser.click("header-undo").await?;
    browser.find("file-a.cuh").await?;
    // A visitor who opens the link has the same files.
    let address = browser.script("return location.href").await?;
    browser.close().await?;
    let visitor = Browser::start(1440, 900).await?;
    visitor.open(address.as_str().unwrap_or_default()).await?;
    visitor.find("file-a.cuh").await?;
    assert_eq!(tabs(&visitor).await?.len(), 2);
    visitor.close().await
}

#[tokio::test]
async fn a_new_file_gets_a_name() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(390, 844).await?;
    browser.open(&host.address("")).await?;
    browser.click("header-set-up").await?;
    browser.click("file-add").await?;
    browser.find("file-name").await?;
    browser
        .script(
            "const field = document.querySelector('[data-testid=file-name]');
             field.value = 'lib/my.cuh';
             field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));",
        )
        .await?;
    browser.find("file-lib/my.cuh").await?;
    assert_eq!(tabs(&browser).await?, ["kernel.cu", "*my.cuh"]);
    assert!(text(&browser).await?.starts_with("#pragma once"));
    browser.close().await
}

#[tokio::test]
async fn many_tabs_scroll_by_wheel_and_the_selected_tab_is_visible() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address("")).await?;
    let kernel = "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n";
    let names = [
        "a.cu",
        "matrix_helpers.cuh",
        "launch_config.cuh",
        "reduction.cuh",
        "z_kernel.cu",
    ];
    let files = names.map(|name| {
        (
            name,
            if name.strip_suffix(".cu").is_some() {
                kernel
            } else {
                "#pragma once\n"
            },
        )
    });
    drop_files(&browser, &files).await?;
    browser.find("file-z_kernel.cu").await?;
    assert_eq!(tabs(&browser).await?[0], "*a.cu");
    // Whether the selected tab is completely visible, and the scroll position of the row.
    let seen =
        "const row = document.querySelector('.file-tabs'), tab = row.querySelector('[aria-selected=true]');
         const [outer, inner] = [row, tab].map(element => element.getBoundingClientRect());
         return inner.left >= outer.left - 1 && inner.right <= outer.right + 1;";
    for name in [
        "file-z_kernel.cu",
        "file-a.cu",
        "file-reduction.cuh",
        "file-z_kernel.cu",
    ] {
        browser
            .script(&format!(
                "document.querySelector('[data-testid=\"{name}\"]').click();"
            ))
            .await?;
        browser
            .wait_until(&format!(
                "return document.querySelector('[data-testid=\"{name}\"]').ariaSelected === 'true';"
            ))
            .await?;
        browser.wait_until(seen).await?;
    }
    let wheel = "const row = document.querySelector('.file-tabs'), before = row.scrollLeft;
         const event = new WheelEvent('wheel', { deltaY: -60, bubbles: true, cancelable: true });
         row.dispatchEvent(event);
         return before > 0 && row.scrollLeft < before && event.defaultPrevented;";
    assert_eq!(browser.script(wheel).await?, true);
    // The command that makes a file the main file has a name and uses no room of the tabs.
    let button = "const button = document.querySelector('[data-testid=file-main]');
         return button.ariaLabel.startsWith('Make this the main file') && button.title !== '' && button.offsetWidth < 50;";
    assert_eq!(browser.script(button).await?, true);
    browser.click("file-main").await?;
    browser
        .wait_until(
            "return document.querySelector('.file-tabs [role=tab]').dataset.testid === 'file-z_kernel.cu';",
        )
        .await?;
    browser.wait_until(seen).await?;
    browser.close().await
}
