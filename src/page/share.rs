//! The Share dialog: the link, what it holds, its QR code, and its Markdown.

use qrcodegen::{QrCode, QrCodeEcc};
use yew::{Callback, Html, MouseEvent, html};

use super::browser;
use super::help::Modal;
use workbench::app::{Event, Session};

/// Modules of white around a QR code, which readers need (ISO/IEC 18004).
const QUIET: i32 = 4;

/// The dialog.
pub(crate) fn share(session: &Session, dispatch: &Callback<Event>) -> Html {
    let address = browser::address_with(&session.shared_link());
    let markdown = session.markdown_of(&address);
    let copy = |text: &str, said: &'static str| {
        let text = text.to_owned();
        dispatch.reform(move |_: MouseEvent| Event::Copy(text.clone(), said))
    };
    let length = address.chars().count();
    let row = |(key, value): (String, String)| html! { <><dt>{ key }</dt><dd class="mono">{ value }</dd></> };
    html! {
        <Modal title="Share" id="share" class="share" dispatch={dispatch.clone()}>
            <div class="share-link">
                <input class="find-field mono" readonly=true aria-label="Link" data-testid="share-link" autofocus=true value={address.clone()}/>
                <button class="btn solid" data-testid="share-copy" onclick={copy(&address, "Link copied")}>{ "Copy link" }</button>
            </div>
            <p class="dim">{ format!("{length} characters. The link holds everything on screen, the cycle included.") }</p>
            <div class="share-parts">
                <div>
                    <h3>{ "In the link" }</h3>
                    <dl class="pairs">{ for session.link_parts().into_iter().map(row) }</dl>
                    <button class="btn line" data-testid="share-markdown" onclick={copy(&markdown, "Markdown copied")}>{ "Copy as Markdown" }</button>
                </div>
                { qr(&address, "share-code") }
            </div>
        </Modal>
    }
}

/// The most bytes of a QR code at its lowest level of error correction (ISO/IEC 18004).
pub(super) const MOST_QR_BYTES: usize = 2_953;

/// The QR code of an address, or why there is none.
pub(super) fn qr(address: &str, id: &'static str) -> Html {
    let Ok(code) = QrCode::encode_text(address, QrCodeEcc::Low) else {
        return html! {
            <p class="dim" data-testid="share-no-code">{ "The link is too long for a QR code, which holds 2,953 bytes. A kernel of your own takes most of it." }</p>
        };
    };
    let size = code.size() + 2 * QUIET;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            path += &format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    html! {
        <svg class="qr" viewBox={format!("0 0 {size} {size}")} role="img" aria-label="QR code of the link" data-testid={id}
            shape-rendering="crispEdges">
            <rect width={size.to_string()} height={size.to_string()} fill="#fff"/>
            <path d={path} fill="#000"/>
        </svg>
    }
}
