//! Lessons from other places: nothing is requested before the reader allows it, and nothing of the reader is sent.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use warpscope_e2e::{Browser, Error, Host};

const SHORT: &str = "v1;kernel=saxpy;grid=8";

const LESSON: &str = r#"title = "From another place"
summary = "Summary."
minutes = 1
claims = []

[[step]]
title = "First"
text = "Text."
link = "v1;kernel=saxpy"
source = "A test"
"#;

/// What another place answers.
#[derive(Clone, Copy)]
enum Answer {
    Lesson,
    /// Text without an end.
    Endless,
    Redirect,
}

/// Another origin, which keeps the text of every request, and counts the bytes that it could send.
struct Other {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    sent: Arc<Mutex<usize>>,
}

impl Other {
    async fn start(answer: Answer) -> Result<Self, Error> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let other = Self {
            port,
            requests: Arc::default(),
            sent: Arc::default(),
        };
        let (requests, sent) = (Arc::clone(&other.requests), Arc::clone(&other.sent));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (requests, sent) = (Arc::clone(&requests), Arc::clone(&sent));
                tokio::spawn(async move {
                    let mut bytes = vec![0; 16 * 1024];
                    let num = stream.read(&mut bytes).await.unwrap_or(0);
                    let text = String::from_utf8_lossy(&bytes[..num]).into_owned();
                    if num == 0 {
                        return;
                    }
                    requests.lock().unwrap_or_else(PoisonError::into_inner).push(text);
                    let head =
                        "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n";
                    let redirect = "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                    match answer {
                        Answer::Lesson => {
                            let _ = stream.write_all(format!("{head}{LESSON}").as_bytes()).await;
                        }
                        Answer::Redirect => {
                            let _ = stream.write_all(redirect.as_bytes()).await;
                        }
                        Answer::Endless => {
                            let _ = stream.write_all(head.as_bytes()).await;
                            let text = vec![b'#'; 64 * 1024];
                            while stream.write_all(&text).await.is_ok() {
                                *sent.lock().unwrap_or_else(PoisonError::into_inner) += text.len();
                            }
                        }
                    }
                });
            }
        });
        Ok(other)
    }

    fn requests(&self) -> Vec<String> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn link(&self) -> String {
        format!("v1;lesson={}/lesson.toml", self.origin())
    }
}

#[tokio::test]
async fn a_lesson_of_another_origin_is_asked_for_and_requested_without_the_reader() -> Result<(), Error> {
    let host = Host::start()?;
    let other = Other::start(Answer::Lesson).await?;
    let browser = Browser::start(1440, 900).await?;
    // Cookies do not know ports: the other origin would get this one.
    browser
        .before_page("document.cookie = 'session=secret; SameSite=Lax; path=/';")
        .await?;
    // The page's policy allows HTTPS alone. This test has none, and tests what the page does by itself.
    browser
        .dev_tools("Page.setBypassCSP", json!({ "enabled": true }))
        .await?;
    browser.client.goto(&host.address(&other.link())).await?;
    let origin = browser.text("consent-origin").await?;
    assert_eq!(origin, other.origin());
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(
        other.requests(),
        [""; 0],
        "nothing is requested before the answer"
    );
    browser.click("consent-no").await?;
    browser
        .wait_for("link-warnings", |text| text.contains("was not loaded"))
        .await?;
    assert_eq!(other.requests(), [""; 0]);
    // Esc is a no, too.
    browser.client.goto("about:blank").await?;
    browser.client.goto(&host.address(&other.link())).await?;
    browser.find("consent-yes").await?;
    browser.press('\u{e00c}').await?;
    browser
        .wait_until("return !document.querySelector('[data-testid=consent]');")
        .await?;
    assert_eq!(other.requests(), [""; 0]);
    browser.client.goto("about:blank").await?;
    browser.client.goto(&host.address(&other.link())).await?;
    browser.click("consent-yes").await?;
    browser
        .wait_for("lesson-title", |text| {
            text == "From another place" || text == "First"
        })
        .await?;
    let requests = other.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    let request = requests[0].to_ascii_lowercase();
    assert!(request.starts_with("get /lesson.toml http"), "{request}");
    for header in ["\r\ncookie:", "\r\nreferer:", "secret"] {
        assert!(!request.contains(header), "{header} in {request}");
    }
    browser.close().await
}

#[tokio::test]
async fn too_much_and_redirections_are_refused() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    let endless = Other::start(Answer::Endless).await?;
    browser
        .dev_tools("Page.setBypassCSP", json!({ "enabled": true }))
        .await?;
    browser.client.goto(&host.address(&endless.link())).await?;
    browser.click("consent-yes").await?;
    browser
        .wait_for("link-warnings", |text| text.contains("it is larger than 256 KB"))
        .await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let sent = *endless.sent.lock().unwrap_or_else(PoisonError::into_inner);
    // The browser and the system buffer some parts.
    assert!(sent < 32 << 20, "{sent} bytes");
    let redirect = Other::start(Answer::Redirect).await?;
    browser
        .script(&format!("location.hash = '#{}';", redirect.link()))
        .await?;
    browser.click("consent-yes").await?;
    browser
        .wait_for("link-warnings", |text| text.contains("redirects"))
        .await?;
    assert_eq!(redirect.requests().len(), 1, "{:?}", redirect.requests());
    browser.close().await
}

#[tokio::test]
async fn no_address_of_a_link_leaves_the_lessons_of_the_page_unasked() -> Result<(), Error> {
    let host = Host::start()?;
    let browser = Browser::start(1440, 900).await?;
    browser.open(&host.address(SHORT)).await?;
    for id in [
        "../../api/logout%3F",
        "%2F%2Fexample.org%2Fa",
        "..%2Fglossary",
        "javascript:alert(1)",
        "data:text%2Fplain,title",
    ] {
        browser
            .script(&format!("location.hash = '#v1;lesson={id}';"))
            .await?;
        browser.find("link-warnings").await?;
        browser.click("dismiss-warnings").await?;
    }
    // Another file of the page's own site needs consent.
    let own = host.address("");
    browser
        .script(&format!("location.hash = '#v1;lesson={own}lessons.json';"))
        .await?;
    let origin = browser.text("consent-origin").await?;
    assert_eq!(origin, "another page of this site");
    let asked = browser
        .script("return performance.getEntriesByType('resource').map(entry => entry.name).filter(name => /logout|glossary|example.org|lessons.json/.test(name));")
        .await?;
    assert_eq!(asked, json!([]));
    browser.close().await
}

#[tokio::test]
async fn without_a_clipboard_the_text_is_selected_in_a_field() -> Result<(), Error> {
    for script in [
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });",
        "Clipboard.prototype.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));",
    ] {
        let host = Host::start()?;
        let browser = Browser::start(1440, 900).await?;
        browser.before_page(script).await?;
        browser.open(&host.address(SHORT)).await?;
        browser.click("header-share").await?;
        browser.click("share-copy").await?;
        let text = browser.text("copy-text").await?;
        assert!(text.contains("kernel=saxpy;grid=8"), "{text}");
        browser
            .wait_until(
                "const field = document.querySelector('[data-testid=copy-text]');
                return document.activeElement === field && field.selectionEnd === field.value.length && field.selectionStart === 0;",
            )
            .await?;
        browser.press('\u{e00c}').await?;
        browser
            .wait_until("return !document.querySelector('[data-testid=copy-text]');")
            .await?;
        browser.close().await?;
    }
    Ok(())
}
