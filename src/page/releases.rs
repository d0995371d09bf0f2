//! Releases of the page: the service worker `www/sw.js` keeps this one for use without the server, and brings the next
//! one, which the page shows after the reader reloads it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    MessageChannel, MessageEvent, RegistrationOptions, ServiceWorker, ServiceWorkerContainer,
    ServiceWorkerRegistration, ServiceWorkerState, ServiceWorkerUpdateViaCache, VisibilityState,
};
use yew::{Callback, Html, html};

use super::browser;
use super::icon::Icon;
use super::listener::Listener;
use super::timer::Timer;

/// The service worker, in the folder of the page.
const WORKER: &str = "sw.js";
/// Milliseconds after which a page that comes into view checks for a new release. Assumption: releases are days apart,
/// and a check is one small request.
const CHECK_MS: f64 = 3_600_000.0;
/// Milliseconds for a new release to take over before the page reloads without it. Assumption: activation deletes old
/// caches, which takes less.
const TAKE_OVER_MS: i32 = 3000;

/// What concerns the releases of the page.
pub(super) enum News {
    /// The page is registered.
    Registered(Option<Rc<Releases>>),
    /// A release of this name replaces the page's own when the page is reloaded.
    Ready(String),
    /// The reader accepts the new release. The address holds the page's state.
    Reload,
    /// The reader hides the notice.
    Hide,
}

/// The notice of a new release.
#[derive(Default)]
pub(super) struct Notice {
    releases: Option<Rc<Releases>>,
    ready: Option<String>,
    /// The release whose notice the reader hid.
    hidden: Option<String>,
}

impl Notice {
    /// Reads news.
    pub(super) fn read(&mut self, news: News) {
        match news {
            News::Registered(releases) => self.releases = releases,
            News::Ready(name) => self.ready = Some(name),
            News::Hide => self.hidden = self.ready.clone(),
            News::Reload => match &self.releases {
                Some(releases) => releases.reload(),
                None => browser::reload(),
            },
        }
    }

    /// The notice, while there is a new release.
    pub(super) fn html(&self, on_news: &Callback<News>) -> Html {
        if self.ready.is_none() || self.ready == self.hidden {
            return Html::default();
        }
        let reload = on_news.reform(|_| News::Reload);
        let hide = on_news.reform(|_| News::Hide);
        html! {
            <div class="toast release">
                <span role="status" data-testid="release">
                    { "A new version is ready: " }
                    <button class="link" data-testid="release-reload" title="Your kernel, settings, and cycle stay"
                        onclick={reload}>{ "reload" }</button>
                </span>
                <button class="btn" aria-label="Later" title="Later" data-testid="release-hide" onclick={hide}>
                    { Icon::Close.html() }
                </button>
            </div>
        }
    }
}

/// The page's registration with the service worker.
pub(super) struct Releases {
    container: ServiceWorkerContainer,
    registration: ServiceWorkerRegistration,
    /// The name of the page's own release.
    own: String,
    ready: Callback<String>,
    is_reloading: Cell<bool>,
    checked_ms: Cell<f64>,
    /// Reloads the page if the new release does not take over.
    timer: RefCell<Option<Timer>>,
    listeners: RefCell<Vec<Listener>>,
}

impl Releases {
    /// Registers the page; `ready` receives the name of a release that replaces the page's own. `None` if the browser
    /// has no service workers here, as in private windows and over plain HTTP, or if the page is served while it is
    /// being worked on and has no release.
    pub(super) async fn register(ready: Callback<String>) -> Option<Rc<Self>> {
        let own = browser::release()?;
        let container = container()?;
        let options = RegistrationOptions::new();
        // A check for a new release must not read the HTTP cache.
        options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
        let registered = JsFuture::from(container.register_with_options(WORKER, &options)).await;
        let registration: ServiceWorkerRegistration = registered.ok()?.unchecked_into();
        let releases = Rc::new(Self {
            container,
            registration,
            own,
            ready,
            is_reloading: Cell::default(),
            checked_ms: Cell::new(browser::now_ms()),
            timer: RefCell::default(),
            listeners: RefCell::default(),
        });
        releases.listen();
        releases.examine();
        if releases.registration.active().is_some() {
            releases.check();
        }
        Some(releases)
    }

    fn listen(self: &Rc<Self>) {
        let on = |call: fn(&Rc<Self>)| {
            let weak = Rc::downgrade(self);
            move |_: web_sys::Event| {
                if let Some(releases) = weak.upgrade() {
                    call(&releases);
                }
            }
        };
        let mut listeners = self.listeners.borrow_mut();
        listeners.push(Listener::on(
            &self.container,
            "controllerchange",
            on(Self::follow_controller),
        ));
        listeners.push(Listener::on(
            &self.registration,
            "updatefound",
            on(Self::follow_new),
        ));
        if let Some(document) = browser::document() {
            listeners.push(Listener::on(
                &document,
                "visibilitychange",
                on(Self::come_into_view),
            ));
        }
    }

    /// Another release controls the page: because the reader reloads this page, or another one.
    fn follow_controller(self: &Rc<Self>) {
        if self.is_reloading.get() {
            browser::reload();
        } else {
            self.examine();
        }
    }

    /// Waits until a new release is complete.
    fn follow_new(self: &Rc<Self>) {
        let Some(worker) = self.registration.installing() else {
            return;
        };
        let weak = Rc::downgrade(self);
        let listener = Listener::on(&worker.clone(), "statechange", move |_| {
            if let Some(releases) = weak.upgrade()
                && worker.state() == ServiceWorkerState::Installed
            {
                releases.examine();
            }
        });
        self.listeners.borrow_mut().push(listener);
    }

    fn come_into_view(self: &Rc<Self>) {
        let is_visible = browser::document()
            .is_some_and(|document| document.visibility_state() == VisibilityState::Visible);
        if is_visible && browser::now_ms() - self.checked_ms.get() >= CHECK_MS {
            self.check();
        }
    }

    /// Lets the browser check for a new release.
    fn check(&self) {
        self.checked_ms.set(browser::now_ms());
        if let Ok(checked) = self.registration.update() {
            // Without the server there is no new release.
            spawn_local(async move {
                let _ = JsFuture::from(checked).await;
            });
        }
    }

    /// Compares the page's release with the one that a reload would show.
    fn examine(self: &Rc<Self>) {
        let waiting = self.registration.waiting();
        let is_waiting = waiting.is_some();
        let Some(worker) = waiting.or_else(|| self.container.controller()) else {
            return;
        };
        let (weak, answering) = (Rc::downgrade(self), worker.clone());
        request_name(&worker, move |name| {
            let Some(releases) = weak.upgrade() else { return };
            if name != releases.own {
                releases.ready.emit(name);
            } else if is_waiting {
                // The page came past the service worker, and is new already.
                activate(&answering);
            }
        });
    }

    /// Reloads the page, with the new release if one waits.
    fn reload(self: &Rc<Self>) {
        let Some(waiting) = self.registration.waiting() else {
            return browser::reload();
        };
        self.is_reloading.set(true);
        activate(&waiting);
        *self.timer.borrow_mut() = Timer::after(TAKE_OVER_MS, browser::reload);
    }
}

/// The browser's service workers. Not in frames: the page around a frame decides what is kept for it.
fn container() -> Option<ServiceWorkerContainer> {
    let window = browser::window()?;
    if window.parent().ok().flatten().as_ref() != Some(&window) {
        return None;
    }
    // A sandbox without an origin throws; plain HTTP has no such property.
    Reflect::get(&window.navigator(), &"serviceWorker".into())
        .ok()?
        .dyn_into()
        .ok()
}

/// Requests that a service worker takes over. A worker that has gone has nothing to take over.
fn activate(worker: &ServiceWorker) {
    let _ = worker.post_message(&"activate".into());
}

/// Requests the name of a service worker's release. Without a response, `receive` is not called.
fn request_name(worker: &ServiceWorker, receive: impl FnOnce(String) + 'static) {
    let Ok(channel) = MessageChannel::new() else {
        return;
    };
    let answered: JsValue = Closure::once_into_js(move |event: MessageEvent| {
        if let Some(name) = event.data().as_string() {
            receive(name);
        }
    });
    channel.port1().set_onmessage(Some(answered.unchecked_ref()));
    let port = channel.port2();
    // A worker that has gone has no release.
    let _ = worker.post_message_with_transferable(&"release".into(), &Array::of1(&port));
}
