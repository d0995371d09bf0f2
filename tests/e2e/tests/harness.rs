//! What other tests rely on: sizes, errors, workers, memory, and saved files are seen in every engine.

use warpscope_e2e::{Browser, Engine, Error, Host, RECORD_ERRORS};

/// A page that does wrong what a page can do wrong, runs two workers, and saves a file on a click.
const PAGE: &str = "<!doctype html><html lang=en><title>Wrong</title><script>RECORDER</script>
    <button data-testid=save>Save</button><script>
    const worker = text => new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    worker('setTimeout(() => { throw new Error(\"in a worker\"); }, 1); onmessage = () => {};');
    worker('onmessage = () => {};');
    document.querySelector('button').onclick = () => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob(['a,b\\n'], { type: 'text/csv' }));
        link.download = 'saved.csv';
        link.click();
    };
    console.error('in the console');
    Promise.reject(new Error('in a promise'));
    setTimeout(() => { throw new Error('in the page'); }, 1);
    </script><script>
    const missing = document.createElement('link');
    missing.rel = 'stylesheet';
    missing.href = 'http://127.0.0.1:9/missing.css';
    document.head.append(missing);
    </script>";

#[tokio::test]
async fn errors_workers_and_files_are_seen_in_every_engine() -> Result<(), Error> {
    let host = Host::of_page(PAGE.replace("RECORDER", RECORD_ERRORS))?;
    for engine in Engine::chosen()? {
        let browser = Browser::start_engine(engine, 1000, 700).await?;
        let size = browser.script("return [innerWidth, innerHeight];").await?;
        assert_eq!(size, serde_json::json!([1000, 700]), "{engine:?}");
        let reduces = "return matchMedia('(prefers-reduced-motion: reduce)').matches;";
        assert_eq!(browser.script(reduces).await?, true, "{engine:?}");
        let workers = browser.num_workers();
        browser.client.goto(&host.address("")).await?;
        let mut errors = Vec::new();
        for _ in 0..40 {
            tokio::time::sleep(std::time::Duration::from_millis(250)).await;
            errors.extend(browser.errors().await?);
            let seen = |what: &str| errors.iter().any(|error: &String| error.contains(what));
            if seen("missing.css") && seen("in a worker") {
                break;
            }
        }
        for what in [
            "in the console",
            "in a promise",
            "in the page",
            "in a worker",
            "missing.css",
        ] {
            assert!(
                errors.iter().any(|error| error.contains(what)),
                "{engine:?}: {what}: {errors:#?}"
            );
        }
        assert_eq!(browser.num_workers(), workers + 2, "{engine:?}");
        assert!(
            browser.memory() > 50_000_000,
            "{engine:?}: {} bytes",
            browser.memory()
        );
        browser.click("save").await?;
        let (name, bytes) = browser.download(".csv").await?;
        assert_eq!(
            (name.as_str(), bytes.as_slice()),
            ("saved.csv", b"a,b\n".as_slice())
        );
        browser.close().await?;
    }
    Ok(())
}
