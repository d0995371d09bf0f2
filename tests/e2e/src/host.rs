//! A host on this machine: for the built page, and for a page of another origin.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// The page's folder on the host: not the root, as on most static hosts.
const FOLDER: &str = "/a/folder/";

/// What a host serves.
enum Site {
    /// The files of a folder, below [`FOLDER`].
    Files(PathBuf),
    /// One page at every path.
    Page(String),
}

/// Serves a site until it is dropped.
pub struct Host {
    address: SocketAddr,
    folder: &'static str,
    /// Dropped to stop the thread.
    _running: oneshot::Sender<()>,
}

impl Host {
    /// Serves the built page on a free port.
    ///
    /// # Errors
    /// There is no built page, or no free port.
    pub fn start() -> Result<Self, Error> {
        let dist = PathBuf::from(std::env::var("WARPSCOPE_DIST")?);
        if !dist.join("index.html").is_file() {
            return Err(format!("{} holds no built page", dist.display()).into());
        }
        Self::of(Site::Files(dist), FOLDER)
    }

    /// Serves an HTML text on a free port: another origin than that of the built page.
    ///
    /// # Errors
    /// There is no free port.
    pub fn of_page(html: String) -> Result<Self, Error> {
        Self::of(Site::Page(html), "/")
    }

    fn of(site: Site, folder: &'static str) -> Result<Self, Error> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let (running, stopped) = oneshot::channel();
        // A test that blocks its own thread must not block the host.
        std::thread::spawn(move || runtime.block_on(serve(listener, Arc::new(site), stopped)));
        Ok(Self {
            address,
            folder,
            _running: running,
        })
    }

    /// The address of the page, with a nonempty link after the `#`.
    pub fn address(&self, fragment: &str) -> String {
        let hash = if fragment.is_empty() { "" } else { "#" };
        let fragment = fragment.trim_start_matches('#');
        format!("http://{}{}{hash}{fragment}", self.address, self.folder)
    }
}

/// Answers requests until the host is dropped.
async fn serve(listener: std::net::TcpListener, site: Arc<Site>, mut stopped: oneshot::Receiver<()>) {
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
        let site = Arc::clone(&site);
        let service = service_fn(move |request: Request<Incoming>| {
            let site = Arc::clone(&site);
            async move { answer(&site, request.uri().path()).await }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // A browser that disconnects during a response is not a failure.
        tokio::spawn(async move { connection.await.ok() });
    }
}

/// The response to a request, as hosts of static pages send it.
async fn answer(site: &Site, path: &str) -> Result<Response<Full<Bytes>>, http::Error> {
    let found = match site {
        Site::Files(folder) => read(folder, path).await,
        Site::Page(html) => Some((html.clone().into_bytes(), "text/html; charset=utf-8")),
    };
    let Some((bytes, content_type)) = found else {
        return Response::builder()
            .status(StatusCode::NOT_FOUND)
            .body(Bytes::from_static(b"not found").into());
    };
    Response::builder()
        .header(header::CONTENT_TYPE, content_type)
        // For frames without an origin.
        .header(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .body(Bytes::from(bytes).into())
}

/// The file at a path, with its media type.
async fn read(folder: &Path, path: &str) -> Option<(Vec<u8>, &'static str)> {
    let path = path.strip_prefix(FOLDER)?;
    let path = if path.is_empty() { "index.html" } else { path };
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let content_type = match Path::new(path).extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    Some((tokio::fs::read(folder.join(path)).await.ok()?, content_type))
}
