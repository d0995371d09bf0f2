//! Lasting notices: what this browser lacks, and what it could not keep.

use std::collections::BTreeSet;

/// A notice of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notice {
    /// No worker starts.
    NoWorkers,
    /// Workers start and never answer.
    SilentWorkers,
    /// The browser denies storage.
    NoStorage,
    /// The storage of this site is full.
    FullStorage,
}

impl Notice {
    /// The notice in words, with what to do.
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoWorkers => {
                "This browser starts no workers for the page. Kernels compile and run on the page's own thread: \
                 runs take longer, and the page stands still while a kernel compiles."
            }
            Self::SilentWorkers => {
                "The workers of the page did not answer in time. Kernels compile and run on the page's own thread: \
                 runs take longer. Reload the page to try workers again."
            }
            Self::NoStorage => {
                "This browser denies the page its storage. Recent scenarios and lesson progress last until the page \
                 is closed. To keep a kernel, copy its link; to keep progress, save it in the list of lessons."
            }
            Self::FullStorage => {
                "The browser's storage for this site is full. New recent scenarios and lesson progress last until \
                 the page is closed. Forget recent scenarios, or delete data of this site in the browser's settings."
            }
        }
    }
}

/// The notices of this visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notices {
    shown: BTreeSet<Notice>,
    /// Those that the reader dismissed: none comes back.
    dismissed: BTreeSet<Notice>,
}

impl Notices {
    /// The notices to show, in a fixed order.
    pub fn shown(&self) -> impl Iterator<Item = Notice> {
        self.shown.iter().copied()
    }

    /// Shows a notice, unless the reader dismissed it.
    pub(super) fn show(&mut self, notice: Notice) {
        if !self.dismissed.contains(&notice) {
            self.shown.insert(notice);
        }
    }

    /// Hides all notices for this visit.
    pub(super) fn dismiss(&mut self) {
        self.dismissed.append(&mut self.shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dismissed_notice_stays_away() {
        let mut notices = Notices::default();
        notices.show(Notice::FullStorage);
        notices.show(Notice::NoWorkers);
        notices.show(Notice::NoWorkers);
        let shown: Vec<Notice> = notices.shown().collect();
        assert_eq!(shown, [Notice::NoWorkers, Notice::FullStorage]);
        notices.dismiss();
        notices.show(Notice::NoWorkers);
        notices.show(Notice::NoStorage);
        assert_eq!(notices.shown().collect::<Vec<_>>(), [Notice::NoStorage]);
    }
}
