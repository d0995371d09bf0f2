//! Tracks atomic updates in progress, so that an access waits for all earlier updates of its word.

use super::codec::coded;

/// The number of entries; a power of two. If two words map to one entry, the entry holds the later update.
const PLACES: usize = 128;

/// Words (or sectors) with an update in progress, and the end of the update.
#[derive(Clone, Debug)]
pub(super) struct UpdatesInProgress {
    /// The word plus one.
    keys: [u64; PLACES],
    until: [u64; PLACES],
    /// The end of the last update.
    last: u64,
}

coded!(UpdatesInProgress { keys, until, last });

impl Default for UpdatesInProgress {
    fn default() -> Self {
        Self {
            keys: [0; PLACES],
            until: [0; PLACES],
            last: 0,
        }
    }
}

impl UpdatesInProgress {
    /// Whether any update is in progress at a time. Usually there is none.
    #[inline(always)]
    pub(super) const fn any(&self, at: u64) -> bool {
        self.last > at
    }

    /// The first cycle from `at` on in which no update of the word is in progress.
    #[inline(always)]
    pub(super) fn after(&self, key: u64, at: u64) -> u64 {
        let place = key as usize % PLACES;
        if self.keys[place] == key + 1 {
            at.max(self.until[place])
        } else {
            at
        }
    }

    /// Records an update of a word that starts at `at` and ends at `until`.
    pub(super) fn note(&mut self, key: u64, until: u64, at: u64) {
        if until <= at {
            return;
        }
        let place = key as usize % PLACES;
        let known = if self.keys[place] == key + 1 {
            self.until[place]
        } else {
            0
        };
        self.keys[place] = key + 1;
        self.until[place] = known.max(until);
        self.last = self.last.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_waits_for_its_own_word_only() {
        let mut updates = UpdatesInProgress::default();
        updates.note(7, 40, 10);
        assert_eq!(updates.after(7, 12), 40);
        assert_eq!(updates.after(7, 41), 41);
        assert_eq!(updates.after(8, 12), 12);
        assert_eq!(updates.after(7 + PLACES as u64, 12), 12);
        assert!(updates.any(39) && !updates.any(40));
        // A shorter update does not shorten a longer one.
        updates.note(7, 20, 11);
        assert_eq!(updates.after(7, 12), 40);
    }
}
