//! The Share dialog: the link with its parts, a frame for other pages, a film, and the QR code.

use qrcodegen::{QrCode, QrCodeEcc};
use web_sys::HtmlInputElement;
use yew::{Callback, FocusEvent, Html, KeyboardEvent, MouseEvent, TargetCast, html};

use super::browser;
use super::field::TextField;
use super::film;
use super::modal::Modal;
use super::styled::styled;
use workbench::app::film::{FilmEdit, FilmForm, FilmFormat};
use workbench::app::sharing::{FrameSize, LinkPart, PartRow, ShareEdit};
use workbench::app::{Event, Session, Theme};

/// Modules of white around a QR code, which readers need (ISO/IEC 18004).
const QUIET: i32 = 4;
/// Pixels of the longest bar.
const BAR_PX: usize = 72;

/// The dialog.
pub(crate) fn share(session: &Session, dispatch: &Callback<Event>) -> Html {
    let address = browser::workbench_address(&session.shared_link());
    html! {
        <Modal title="Share" id="share" class="share" dispatch={dispatch.clone()}>
            <div class="share-columns">
                <div class="share-left">
                    { link(session, &address, dispatch) }
                    { frame(session, dispatch) }
                    { film_form(session, dispatch) }
                </div>
                { code(session, &address, dispatch) }
            </div>
        </Modal>
    }
}

/// A button that copies a text.
fn copy(
    name: &'static str,
    class: &'static str,
    id: &'static str,
    text: String,
    said: &'static str,
    dispatch: &Callback<Event>,
) -> Html {
    let onclick = dispatch.reform(move |_: MouseEvent| Event::Copy(text.clone(), said));
    html! { <button {class} data-testid={id} {onclick}>{ name }</button> }
}

/// A field that shows a text to copy: it is selected on focus, and Enter copies it.
fn copied(
    name: &'static str,
    id: &'static str,
    text: String,
    said: &'static str,
    first: bool,
    dispatch: &Callback<Event>,
) -> Html {
    let (enter, whole) = (dispatch.clone(), text.clone());
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            enter.emit(Event::Copy(whole.clone(), said));
        }
    });
    let onfocus = Callback::from(|event: FocusEvent| {
        event.target_unchecked_into::<HtmlInputElement>().select();
    });
    html! {
        <input class="share-text" readonly=true aria-label={name} data-testid={id} autofocus={first} value={text}
            {onfocus} {onkeydown}/>
    }
}

fn link(session: &Session, address: &str, dispatch: &Callback<Event>) -> Html {
    let length = address.chars().count();
    let markdown = session.markdown_of(address);
    let rows = session.link_parts();
    let longest = rows.iter().map(|row| row.chars).max().unwrap_or(1).max(1);
    html! {
        <section class="share-part" aria-label="Link">
            <h3>{ "Link" }<span class="label" data-testid="share-length"><span class="num">{ length }</span>{ " characters · no account, nothing is uploaded" }</span></h3>
            <div class="share-link">
                { copied("Link", "share-link", address.to_owned(), "Link copied", true, dispatch) }
                { copy("Copy link", "btn solid", "share-copy", address.to_owned(), "Link copied", dispatch) }
                { copy("Copy Markdown", "btn line", "share-markdown", markdown, "Markdown copied", dispatch) }
            </div>
            <ul class="share-rows">{ for rows.into_iter().map(|row| part(row, longest, dispatch)) }</ul>
        </section>
    }
}

/// A part of the link with its check box, and its length as a bar.
fn part(row: PartRow, longest: usize, dispatch: &Callback<Event>) -> Html {
    let PartRow {
        part,
        text,
        chars,
        included,
    } = row;
    let onchange = dispatch.reform(move |_: yew::Event| Event::Sharing(ShareEdit::Part(part)));
    let width = if included {
        (BAR_PX * chars).div_ceil(longest)
    } else {
        0
    };
    let length = (included && chars > 0).then(|| chars.to_string());
    html! {
        <li key={part.id()}>
            <label>
                <input type="checkbox" checked={included} disabled={part == LinkPart::Scenario}
                    data-testid={format!("share-part-{}", part.id())} {onchange}/>
                <span>{ part.name() }</span>
                <span class="dim">{ text }</span>
            </label>
            { styled(format!("width:{width}px"), html! { <s class="bar"/> }) }
            <span class="num" title="characters">{ length }</span>
        </li>
    }
}

/// A group of choices. One is pressed.
fn choices<T: Copy + PartialEq + 'static>(
    label: &'static str,
    options: Vec<(T, String, String)>,
    chosen: T,
    dispatch: &Callback<Event>,
    event: impl Fn(T) -> Event + Copy + 'static,
) -> Html {
    let chip = |(value, name, id): (T, String, String)| {
        let onclick = dispatch.reform(move |_: MouseEvent| event(value));
        html! { <button class="chip" aria-pressed={(value == chosen).to_string()} data-testid={id} {onclick}>{ name }</button> }
    };
    html! { <div class="control" role="group" aria-label={label}>{ for options.into_iter().map(chip) }</div> }
}

fn frame(session: &Session, dispatch: &Callback<Event>) -> Html {
    let sharing = &session.ui.sharing;
    let text = session.frame_text(&browser::page_address());
    let sizes = FrameSize::ALL.map(|size| {
        let id = format!("frame-{}", size.name().replace(' ', ""));
        (size, size.name().to_owned(), id)
    });
    let themes = [
        (Theme::System, "as the page"),
        (Theme::Light, "light"),
        (Theme::Dark, "dark"),
    ]
    .map(|(theme, name)| {
        (
            theme,
            name.to_owned(),
            format!("frame-theme-{}", name.replace(' ', "-")),
        )
    });
    html! {
        <section class="share-part" aria-label="Embed">
            <h3>{ "Embed" }<span class="label">{ "read-only; loads the simulator on Play" }</span></h3>
            <div class="share-link">
                { copied("Embed", "share-frame", text.clone(), "Embed copied", false, dispatch) }
                { copy("Copy embed", "btn line", "share-frame-copy", text, "Embed copied", dispatch) }
            </div>
            <div class="share-choices">
                { choices("Size of the frame", sizes.into(), sharing.frame_size, dispatch, |size| Event::Sharing(ShareEdit::FrameSize(size))) }
                <span class="grow"/>
                { choices("Theme of the frame", themes.into(), sharing.frame_theme, dispatch, |theme| Event::Sharing(ShareEdit::FrameTheme(theme))) }
            </div>
        </section>
    }
}

fn film_form(session: &Session, dispatch: &Callback<Event>) -> Html {
    let form = &session.ui.sharing.film;
    let (from, to) = session.film_range();
    let field = |name: &'static str, id: &'static str, value: u64, edit: fn(String) -> FilmEdit| {
        let on_text = dispatch.reform(move |text| Event::Film(edit(text)));
        html! {
            <TextField class="field num" {name} {id} sets={id} value={value.to_string()} input_mode="numeric" leaves=true {on_text}/>
        }
    };
    let speeds = FilmForm::SPEEDS.map(|speed| (speed, format!("{speed}/s"), format!("film-speed-{speed}")));
    let sizes = FilmForm::SIZES.map(|(width, height)| {
        (
            (width, height),
            format!("{width} × {height}"),
            format!("film-{width}"),
        )
    });
    let formats: Vec<_> = FilmFormat::ALL
        .into_iter()
        .filter(|format| *format == FilmFormat::Gif || film::can_record())
        .map(|format| (format, format.name().to_owned(), format!("film-{}", format.id())))
        .collect();
    let no_webm = (formats.len() == 1)
        .then(|| html! { <span class="label">{ "This browser records no WebM." }</span> });
    let (make, name, id) = match form.made {
        None => (FilmEdit::Make, "Save film", "film-make"),
        Some(_) => (FilmEdit::Cancel, "Cancel", "film-cancel"),
    };
    let onclick = dispatch.reform(move |_: MouseEvent| Event::Film(make.clone()));
    html! {
        <section class="share-part" aria-label="Film">
            <h3>{ "Film" }<span class="label" role="status" data-testid="film-note">{ session.film_sentence() }</span></h3>
            <div class="share-choices">
                <span class="label">{ "Cycles" }</span>
                { field("First cycle", "film-from", from, FilmEdit::From) }
                <span class="label">{ "to" }</span>
                { field("Last cycle", "film-to", to, FilmEdit::To) }
                <span class="label">{ "every" }</span>
                { field("Cycles between two frames", "film-every", form.every, FilmEdit::Every) }
                <span class="grow"/>
                { choices("Frames per second", speeds.into(), form.speed, dispatch, |speed| Event::Film(FilmEdit::Speed(speed))) }
            </div>
            <div class="share-choices">
                { choices("Size of the film", sizes.into(), form.size, dispatch, |(width, height)| Event::Film(FilmEdit::Size(width, height))) }
                <span class="grow"/>
                { choices("Format of the film", formats, form.format, dispatch, |format| Event::Film(FilmEdit::Format(format))) }
                { no_webm }
                <button class="btn line" data-testid={id} disabled={form.made.is_none() && session.film_plan().is_err()} {onclick}>{ name }</button>
            </div>
        </section>
    }
}

/// The most bytes of a QR code at its lowest level of error correction (ISO/IEC 18004).
pub(super) const MAX_QR_BYTES: usize = 2_953;

/// The column of the QR code.
fn code(session: &Session, address: &str, dispatch: &Callback<Event>) -> Html {
    let save = qr_path(address).map(|(size, path)| {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
             <rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/><path d=\"{path}\"/></svg>\n"
        );
        let name = session.code_name();
        let onclick = dispatch.reform(move |_: MouseEvent| Event::SaveText {
            name: name.clone(),
            text: text.clone(),
        });
        html! {
            <>
                <button class="btn line" data-testid="share-code-save" {onclick}>{ "Save SVG" }</button>
                <p class="dim">{ "Short links exist only for scenes that are published with the page. This link contains its scene." }</p>
            </>
        }
    });
    html! { <div class="share-code">{ qr(address, "share-code") }{ save }</div> }
}

/// The side of a QR code in modules, with its margin, and its dark modules as an SVG path; `None` for a text that is too
/// long.
fn qr_path(address: &str) -> Option<(i32, String)> {
    let code = QrCode::encode_text(address, QrCodeEcc::Low).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            path += &format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    Some((code.size() + 2 * QUIET, path))
}

/// The QR code of an address, or why there is none.
pub(super) fn qr(address: &str, id: &'static str) -> Html {
    let Some((size, path)) = qr_path(address) else {
        return html! {
            <p class="dim" data-testid="share-no-code">{ "The link is too long for a QR code, which holds 2,953 bytes. A kernel of your own takes most of it: leave it out, or share the link as text." }</p>
        };
    };
    html! {
        <svg class="qr" viewBox={format!("0 0 {size} {size}")} role="img" aria-label="QR code of the link" data-testid={id}
            shape-rendering="crispEdges">
            <rect width={size.to_string()} height={size.to_string()} fill="#fff"/>
            <path d={path} fill="#000"/>
        </svg>
    }
}
