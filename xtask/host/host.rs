//! A host on this machine: for the built page, and for a page of another origin. It can stop and start again, and
//! serve another folder from then on.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use super::Error;

/// The page's path on the host: not the root, as on most static hosts.
const PATH: &str = "/a/folder/";

/// The file of a site that lists the headers of its answers.
const HEADERS: &str = "_headers";

/// The file of a site's extra script, at the site's root. The name occurs in no built page.
const BEFORE_PAGE: &str = "before-page-of-tests.js";

/// The time limit for a port to become free again after a stop.
const PORT_PATIENCE: Duration = Duration::from_secs(10);

/// What a host serves.
enum Site {
    /// The files of a folder, below the host's path, with or without the headers that they list.
    Files { folder: PathBuf, has_headers: bool },
    /// One page at every path.
    Page(String),
}

/// What a host and its thread share.
struct Served {
    /// The path of the site's root on the host. It begins and ends with a slash.
    path: String,
    site: Mutex<Site>,
    /// The script that runs before the scripts of every page; empty: none.
    before_page: Mutex<String>,
    /// The paths of all requests, in order.
    requests: Mutex<Vec<String>>,
}

/// A running server.
struct Server {
    /// Dropped to stop the thread.
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// Serves a site until it is dropped.
pub struct Host {
    address: SocketAddr,
    served: Arc<Served>,
    server: Option<Server>,
}

impl Host {
    /// Serves the built page on a free port, below a path that is not the root.
    ///
    /// # Errors
    /// There is no built page, or no free port.
    pub fn start() -> Result<Self, Error> {
        Self::start_at(PATH)
    }

    /// Serves the built page in a folder as a host does that knows nothing of `_headers`, below a path that is not the root.
    ///
    /// # Errors
    /// The folder holds no built page, or there is no free port.
    pub fn plain(folder: &Path) -> Result<Self, Error> {
        let mut site = files(folder)?;
        if let Site::Files { has_headers, .. } = &mut site {
            *has_headers = false;
        }
        Self::of(site, PATH)
    }

    /// Serves the built page on a free port, below `path`, which begins and ends with a slash.
    ///
    /// # Errors
    /// There is no built page, or no free port.
    pub fn start_at(path: &str) -> Result<Self, Error> {
        let dist = PathBuf::from(std::env::var("WARPSCOPE_DIST")?);
        Self::of(files(&dist)?, path)
    }

    /// Serves the page in a folder at the root of a port of this machine; port 0 is a free one.
    ///
    /// # Errors
    /// The folder holds no built page, or the port is taken.
    pub fn of_folder(folder: &Path, port: u16) -> Result<Self, Error> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port))
            .map_err(|error| format!("port {port}: {error}"))?;
        Self::on(listener, files(folder)?, "/")
    }

    /// Serves an HTML text on a free port: another origin than that of the built page.
    ///
    /// # Errors
    /// There is no free port.
    pub fn of_page(html: String) -> Result<Self, Error> {
        Self::of(Site::Page(html), "/")
    }

    fn of(site: Site, path: &str) -> Result<Self, Error> {
        Self::on(std::net::TcpListener::bind("127.0.0.1:0")?, site, path)
    }

    fn on(listener: std::net::TcpListener, site: Site, path: &str) -> Result<Self, Error> {
        let address = listener.local_addr()?;
        let shared = Arc::new(Served {
            path: path.to_owned(),
            site: Mutex::new(site),
            before_page: Mutex::default(),
            requests: Mutex::default(),
        });
        let server = Some(Server::start(listener, Arc::clone(&shared))?);
        Ok(Self {
            address,
            served: shared,
            server,
        })
    }

    /// The address of the page, with a nonempty link after the `#`.
    pub fn address(&self, fragment: &str) -> String {
        let hash = if fragment.is_empty() { "" } else { "#" };
        let fragment = fragment.trim_start_matches('#');
        format!("http://{}{}{hash}{fragment}", self.address, self.served.path)
    }

    /// Closes the port and all connections: from now on, the host is unreachable.
    pub fn stop(&mut self) {
        if let Some(Server { stop, thread }) = self.server.take() {
            drop(stop);
            // A thread that panicked has closed its port, too.
            thread.join().ok();
        }
    }

    /// Serves again on the same port after a stop.
    ///
    /// # Errors
    /// The port is taken.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.stop();
        let start = Instant::now();
        let listener = loop {
            match std::net::TcpListener::bind(self.address) {
                Ok(listener) => break listener,
                Err(error) if start.elapsed() > PORT_PATIENCE => return Err(error.into()),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        self.server = Some(Server::start(listener, Arc::clone(&self.served))?);
        Ok(())
    }

    /// Serves the built page in another folder from the next request on, at the same address.
    ///
    /// # Errors
    /// The folder holds no built page.
    pub fn serve_folder(&self, folder: &Path) -> Result<(), Error> {
        let site = files(folder)?;
        *self.served.site.lock().unwrap_or_else(PoisonError::into_inner) = site;
        Ok(())
    }

    /// Runs a script in every page of the folder from now on, before the page's own scripts. It is a file of the
    /// page's origin, so that it works in every engine, and under a policy that allows scripts of the origin.
    pub fn before_page(&self, script: &str) {
        let mut before = self
            .served
            .before_page
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        before.push_str(script);
        before.push('\n');
    }

    /// The paths of all requests so far, in order, each relative to the page's path where it is below.
    pub fn requests(&self) -> Vec<String> {
        let requests = self
            .served
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        requests
            .iter()
            .map(|path| path.strip_prefix(&self.served.path).unwrap_or(path).to_owned())
            .collect()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Server {
    fn start(listener: std::net::TcpListener, served: Arc<Served>) -> Result<Self, Error> {
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let (stop, stopped) = oneshot::channel();
        // A test that blocks its own thread must not block the host. The runtime ends with the thread, and its
        // connections with the runtime.
        let thread = std::thread::spawn(move || runtime.block_on(serve(listener, served, stopped)));
        Ok(Self { stop, thread })
    }
}

/// The site of a folder that holds a built page.
fn files(folder: &Path) -> Result<Site, Error> {
    if !folder.join("index.html").is_file() {
        return Err(format!("{} holds no built page", folder.display()).into());
    }
    Ok(Site::Files {
        folder: folder.to_owned(),
        has_headers: true,
    })
}

/// Answers requests until the host stops.
async fn serve(listener: std::net::TcpListener, served: Arc<Served>, mut stopped: oneshot::Receiver<()>) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => return,
        };
        let Ok((stream, _)) = accepted else {
            continue;
        };
        let served = Arc::clone(&served);
        let service = service_fn(move |request: Request<Incoming>| {
            let served = Arc::clone(&served);
            async move { answer(&served, request.uri().path(), request.uri().query()) }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // A browser that disconnects during a response is not a failure.
        tokio::spawn(async move { connection.await.ok() });
    }
}

/// The response to a request, as hosts of static pages send it.
fn answer(served: &Served, path: &str, query: Option<&str>) -> Result<Response<Full<Bytes>>, http::Error> {
    let mut requests = served.requests.lock().unwrap_or_else(PoisonError::into_inner);
    requests.push(path.to_owned());
    drop(requests);
    let site = served.site.lock().unwrap_or_else(PoisonError::into_inner);
    let before_page = served.before_page.lock().unwrap_or_else(PoisonError::into_inner);
    let (found, headers) = match &*site {
        Site::Files { folder, has_headers } => match path.strip_prefix(&served.path) {
            Some(BEFORE_PAGE) if !before_page.is_empty() => (
                Some((before_page.clone().into_bytes(), "text/javascript; charset=utf-8")),
                Vec::new(),
            ),
            Some(path) => {
                let mut found = read(folder, path);
                if let (Some((bytes, "text/html; charset=utf-8")), false) =
                    (&mut found, before_page.is_empty())
                {
                    add_script(bytes, &format!("{}{BEFORE_PAGE}", served.path));
                }
                let headers = if *has_headers {
                    site_headers(folder, path, query)
                } else {
                    Vec::new()
                };
                (found, headers)
            }
            None => (None, Vec::new()),
        },
        Site::Page(html) => (
            Some((html.clone().into_bytes(), "text/html; charset=utf-8")),
            // Pages of other origins may read it.
            vec![("access-control-allow-origin".to_owned(), "*".to_owned())],
        ),
    };
    drop((site, before_page));
    let mut response = Response::builder();
    let mut is_public = false;
    for (name, value) in headers {
        is_public |= name.eq_ignore_ascii_case(header::ACCESS_CONTROL_ALLOW_ORIGIN.as_str());
        response = response.header(name, value);
    }
    if !is_public {
        // For frames without an origin, and for files that pages of other origins read.
        response = response.header(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    }
    match found {
        Some((bytes, content_type)) => response
            .header(header::CONTENT_TYPE, content_type)
            .body(Bytes::from(bytes).into()),
        None => response
            .status(StatusCode::NOT_FOUND)
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .body(Bytes::from_static(b"not found").into()),
    }
}

/// Adds a script to a page, before everything else in its head.
fn add_script(html: &mut Vec<u8>, address: &str) {
    const HEAD: &[u8] = b"<head>";
    let head = html
        .windows(HEAD.len())
        .position(|part| part.eq_ignore_ascii_case(HEAD));
    let at = head.map_or(0, |at| at + HEAD.len());
    let script = format!("<script src=\"{address}\"></script>");
    html.splice(at..at, script.into_bytes());
}

/// The headers that the site's own file lists for a request, whose path is relative to the site's root.
fn site_headers(folder: &Path, path: &str, query: Option<&str>) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder.join(HEADERS)).unwrap_or_default();
    let rules = headers::parse(&text).unwrap_or_default();
    headers::of_request(&rules, path, query)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The file at a path, which is relative to the site's root, with its media type.
fn read(folder: &Path, path: &str) -> Option<(Vec<u8>, &'static str)> {
    if path == HEADERS || path.split('/').any(|part| part == "..") {
        return None;
    }
    let index = if path.is_empty() || path.ends_with('/') {
        "index.html"
    } else {
        ""
    };
    let file = folder.join(format!("{path}{index}"));
    let content_type = match file.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/vnd.microsoft.icon",
        "txt" | "toml" | "ts" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    Some((std::fs::read(file).ok()?, content_type))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::path::PathBuf;

    use super::{Host, files};

    /// A folder with an `index.html` of this text, below the folder for temporary files.
    fn site(name: &str, index: &str, headers: &str) -> PathBuf {
        // A space and the process: other runs have folders of their own.
        let folder = std::env::temp_dir().join(format!("warpscope host {name} {}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub")).expect("a folder");
        std::fs::write(folder.join("index.html"), index).expect("a file");
        std::fs::write(folder.join("sub/index.html"), "below").expect("a file");
        std::fs::write(folder.join("app.webmanifest"), "{}").expect("a file");
        std::fs::write(folder.join("_headers"), headers).expect("a file");
        folder
    }

    /// The whole answer to a request, or nothing from an unreachable host.
    fn get(host: &Host, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(host.address).ok()?;
        write!(
            stream,
            "GET {}{path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n",
            host.served.path
        )
        .ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        Some(text)
    }

    #[test]
    fn a_host_stops_restarts_and_serves_another_folder() {
        let first = site("first", "first", "/*\n  x-of: all\n/sub/*\n  x-of: below\n");
        let second = site("second", "second", "");
        let mut host = Host::of(files(&first).expect("a built page"), "/a/b/").expect("a host");
        let answer = get(&host, "").expect("an answer");
        assert!(
            answer.ends_with("first") && answer.contains("x-of: all"),
            "{answer}"
        );
        let answer = get(&host, "sub/").expect("an answer");
        assert!(
            answer.ends_with("below") && answer.contains("x-of: below"),
            "{answer}"
        );
        let answer = get(&host, "app.webmanifest").expect("an answer");
        assert!(answer.contains("application/manifest+json"), "{answer}");
        for missing in ["_headers", "none.js", "../index.html"] {
            let answer = get(&host, missing).expect("an answer");
            assert!(answer.starts_with("HTTP/1.1 404"), "{missing}: {answer}");
        }

        host.before_page("before();");
        let answer = get(&host, "sub/").expect("an answer");
        assert!(
            answer.ends_with("<script src=\"/a/b/before-page-of-tests.js\"></script>below"),
            "{answer}"
        );
        let answer = get(&host, "before-page-of-tests.js").expect("an answer");
        assert!(answer.ends_with("before();\n"), "{answer}");

        host.serve_folder(&second).expect("a built page");
        assert!(get(&host, "").expect("an answer").ends_with("second"));
        let address = host.address("");
        host.stop();
        assert!(get(&host, "").is_none(), "a stopped host does not answer");
        host.restart().expect("the same port");
        assert_eq!(host.address(""), address);
        assert!(get(&host, "").expect("an answer").ends_with("second"));
        assert_eq!(host.requests().len(), 10);
        assert_eq!(host.requests()[1], "sub/");
        drop(host);
        for folder in [first, second] {
            std::fs::remove_dir_all(folder).expect("the folder");
        }
    }
}
