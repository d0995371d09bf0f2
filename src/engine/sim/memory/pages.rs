//! The pages of an allocation, in chunks that copies share, so that a large buffer costs what is written of it.

use std::sync::Arc;

use super::{PAGE_BYTES, Page};

/// Pages of a chunk: 2 MB of memory, so that a buffer of 1 GB has 512 chunks, and a chunk a table of 4 KB.
const CHUNK_PAGES: usize = 512;

/// The pages of an allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    chunks: Vec<Arc<Vec<Page>>>,
}

/// A page with these contents, and zeros after them.
pub(super) fn page_of(contents: &[u8]) -> Page {
    let mut page = [0; PAGE_BYTES];
    page[..contents.len()].copy_from_slice(contents);
    Arc::new(page)
}

impl Pages {
    /// Appends a page with these contents. A page that equals the previous one is shared until it is written.
    pub(super) fn push(&mut self, contents: &[u8]) {
        let last = self.chunks.last().and_then(|chunk| chunk.last());
        let page = match last.filter(|last| last[..] == *contents) {
            Some(last) => Arc::clone(last),
            None => page_of(contents),
        };
        self.push_page(page);
    }

    fn push_page(&mut self, page: Page) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK_PAGES => Arc::make_mut(chunk).push(page),
            _ => {
                self.share_last();
                self.chunks.push(Arc::new(vec![page]));
            }
        }
    }

    /// Shares the last chunk with the one before, if both have the same pages.
    fn share_last(&mut self) {
        if let [.., before, last] = &mut self.chunks[..]
            && before.len() == last.len()
            && before.iter().zip(&**last).all(|(a, b)| Arc::ptr_eq(a, b))
        {
            *last = Arc::clone(before);
        }
    }

    /// This number of equal pages.
    pub(super) fn repeated(page: &Page, num: u64) -> Self {
        let whole = num / CHUNK_PAGES as u64;
        let rest = (num % CHUNK_PAGES as u64) as usize;
        let mut chunks = Vec::with_capacity(whole as usize + 1);
        if whole > 0 {
            let chunk = Arc::new(vec![Arc::clone(page); CHUNK_PAGES]);
            chunks.resize(whole as usize, chunk);
        }
        if rest > 0 {
            chunks.push(Arc::new(vec![Arc::clone(page); rest]));
        }
        Self { chunks }
    }

    /// A page.
    #[inline(always)]
    pub(super) fn get(&self, page: usize) -> Option<&Page> {
        self.chunks.get(page / CHUNK_PAGES)?.get(page % CHUNK_PAGES)
    }

    /// A page that exists.
    #[inline(always)]
    pub(super) fn at(&self, page: usize) -> &Page {
        &self.chunks[page / CHUNK_PAGES][page % CHUNK_PAGES]
    }

    /// A page that exists, to replace it.
    #[inline(always)]
    pub(super) fn at_mut(&mut self, page: usize) -> &mut Page {
        &mut Arc::make_mut(&mut self.chunks[page / CHUNK_PAGES])[page % CHUNK_PAGES]
    }

    /// A page that exists, to write it.
    #[inline(always)]
    pub(super) fn write_at(&mut self, page: usize) -> &mut [u8; PAGE_BYTES] {
        Arc::make_mut(self.at_mut(page))
    }

    /// Whether a page exists.
    pub(super) fn has(&self, page: usize) -> bool {
        self.get(page).is_some()
    }

    /// All pages.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Page> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Pages that differ in identity from those of another copy, with their numbers.
    pub(super) fn replaced<'a>(&'a self, start: &'a Self) -> impl Iterator<Item = (usize, &'a Page)> {
        let chunks = self.chunks.iter().zip(&start.chunks).zip(0..);
        chunks
            .filter(|((now, then), _)| !Arc::ptr_eq(now, then))
            .flat_map(|((now, then), chunk)| {
                let pages = now.iter().zip(&**then).zip(chunk * CHUNK_PAGES..);
                pages
                    .filter(|((now, then), _)| !Arc::ptr_eq(now, then))
                    .map(|((now, _), page)| (page, now))
            })
    }
}
