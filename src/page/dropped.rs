//! Files from the device: chosen in the browser's dialog, or dropped onto the page, including folders.

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    DataTransfer, DragEvent, Element, Event as DomEvent, EventTarget, File, FileList,
    FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry,
};
use yew::Callback;

use super::browser;
use super::listener::Listener;
use workbench::app::{Event, FileEdit, OpenedFile};

/// Limit of files per drop.
const MAX_FILES: usize = 2_000;
/// Size limits of a file and of an archive, in bytes.
const MAX_BYTES: f64 = 256.0 * 1024.0;
const MAX_ARCHIVE: f64 = 16.0 * 1024.0 * 1024.0;
/// Limit of all bytes of a drop that are read. Assumption: two archives of the largest size; a source has 256 KB.
const MAX_READ: f64 = 32.0 * 1024.0 * 1024.0;
/// Limit of files and folders of a drop that are listed, because a folder of a project has many that are skipped.
const MAX_LISTED: usize = 20_000;

/// A file or folder to read.
enum Waiting {
    File(String, File),
    Entry(FileSystemEntry),
}

/// Reads a list of files and sends them to the session.
pub(super) fn read_list(list: &FileList, dispatch: Callback<Event>) {
    let files = (0..list.length()).filter_map(|idx| list.get(idx));
    read(
        files.map(|file| Waiting::File(file.name(), file)).collect(),
        dispatch,
    );
}

/// Listeners for files dropped anywhere on the page.
pub(super) fn listeners(target: &EventTarget, dispatch: &Callback<Event>) -> Vec<Listener> {
    let dispatch = dispatch.clone();
    vec![
        Listener::on(target, "dragover", |event| {
            if transfer(&event).is_some() {
                event.prevent_default();
                show_target(true);
            }
        }),
        Listener::on(target, "dragleave", |event| {
            // The pointer left the window.
            if event
                .dyn_ref::<DragEvent>()
                .is_some_and(|event| event.related_target().is_none())
            {
                show_target(false);
            }
        }),
        Listener::on(target, "drop", move |event| {
            show_target(false);
            if let Some(transfer) = transfer(&event) {
                event.prevent_default();
                // The list is invalid after this task, but its entries stay valid.
                read(waiting(&transfer), dispatch.clone());
            }
        }),
    ]
}

/// The data of an event, if it contains files.
fn transfer(event: &DomEvent) -> Option<DataTransfer> {
    let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    transfer.types().includes(&"Files".into(), 0).then_some(transfer)
}

/// Shows or hides the drop target.
fn show_target(on: bool) {
    let root = browser::document().and_then(|document| document.document_element());
    if let Some(root) = root.map(JsCast::unchecked_into::<Element>) {
        // Setting an attribute of a fixed name cannot fail.
        let _ = root.toggle_attribute_with_force("data-dropping", on);
    }
}

fn waiting(transfer: &DataTransfer) -> Vec<Waiting> {
    let items = transfer.items();
    let all = (0..items.length()).filter_map(|idx| items.get(idx));
    all.filter(|item| item.kind() == "file")
        .filter_map(|item| {
            if let Ok(Some(entry)) = item.webkit_get_as_entry() {
                Some(Waiting::Entry(entry))
            } else {
                let file = item.get_as_file().ok().flatten()?;
                Some(Waiting::File(file.name(), file))
            }
        })
        .collect()
}

fn read(waiting: Vec<Waiting>, dispatch: Callback<Event>) {
    if waiting.is_empty() {
        return;
    }
    spawn_local(async move {
        let mut files = all_files(waiting).await;
        // Browsers list folders in any order.
        files.sort_by(|a, b| a.path.cmp(&b.path));
        dispatch.emit(Event::File(FileEdit::Open(files)));
    });
}

/// The files, including those in folders.
async fn all_files(mut waiting: Vec<Waiting>) -> Vec<OpenedFile> {
    let mut files = Vec::new();
    let mut num_listed = waiting.len();
    let mut left = MAX_READ;
    while let Some(next) = waiting.pop() {
        if num_listed > MAX_LISTED {
            let why = format!("more than {MAX_LISTED} files and folders");
            files.push(left_out("other files".to_owned(), why));
            break;
        }
        if files.len() == MAX_FILES {
            files.push(left_out(
                "other files".to_owned(),
                format!("more than {MAX_FILES} files"),
            ));
            break;
        }
        let (path, file) = match next {
            Waiting::File(path, file) => (path, Ok(file)),
            Waiting::Entry(entry) => {
                let path = entry.full_path().trim_start_matches('/').to_owned();
                if entry.is_directory() {
                    // Folders of version control and of tools.
                    if entry.name().starts_with('.') {
                        files.push(left_out(path, "a hidden folder".to_owned()));
                        continue;
                    }
                    match children(&entry.unchecked_into()).await {
                        Ok(more) => {
                            num_listed += more.len();
                            waiting.extend(more.into_iter().map(Waiting::Entry));
                        }
                        Err(_) => files.push(left_out(path, "the browser cannot read it".to_owned())),
                    }
                    continue;
                }
                (path, file_of(&entry.unchecked_into()).await)
            }
        };
        let content = match file {
            Ok(file) => content(&path, &file, &mut left).await,
            Err(_) => Err("the browser cannot read it".to_owned()),
        };
        files.push(OpenedFile { path, content });
    }
    files
}

fn left_out(path: String, why: String) -> OpenedFile {
    OpenedFile {
        path,
        content: Err(why),
    }
}

/// Reads a file. The browser knows its size, so that nothing of a file beyond a limit is read.
///
/// # Errors
/// Why the file is skipped.
async fn content(path: &str, file: &File, left: &mut f64) -> Result<Vec<u8>, String> {
    let limit = if path.to_ascii_lowercase().ends_with(".zip") {
        MAX_ARCHIVE
    } else {
        MAX_BYTES
    };
    if file.size() > limit {
        return Err(format!("larger than {}", size_text(limit)));
    }
    if file.size() > *left {
        return Err(format!("more than {} in total", size_text(MAX_READ)));
    }
    *left -= file.size();
    let bytes = JsFuture::from(file.array_buffer()).await;
    bytes
        .map(|bytes| Uint8Array::new(&bytes).to_vec())
        .map_err(|_| "the browser cannot read it".to_owned())
}

/// A limit in words: `256 KB` or `16 MB`.
fn size_text(bytes: f64) -> String {
    let kib = bytes / 1024.0;
    if kib < 1024.0 {
        format!("{kib} KB")
    } else {
        format!("{} MB", kib / 1024.0)
    }
}

async fn file_of(entry: &FileSystemFileEntry) -> Result<File, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        entry.file_with_callback_and_callback(&resolve, &reject);
    });
    JsFuture::from(promise).await?.dyn_into()
}

/// The entries of a folder, which the browser returns in batches.
async fn children(folder: &FileSystemDirectoryEntry) -> Result<Vec<FileSystemEntry>, JsValue> {
    let reader = folder.create_reader();
    let mut all = Vec::new();
    while all.len() <= MAX_LISTED {
        let promise = Promise::new(&mut |resolve, reject| {
            if let Err(error) = reader.read_entries_with_callback_and_callback(&resolve, &reject) {
                // The promise resolves once.
                let _ = reject.call1(&JsValue::NULL, &error);
            }
        });
        let part: Array = JsFuture::from(promise).await?.dyn_into()?;
        if part.length() == 0 {
            break;
        }
        all.extend(part.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
    }
    Ok(all)
}
