//! What atomic operations are changing, so that an access comes after all changes of its word that were
//! begun before.

use super::codec::coded;

/// Places; a power of two. Two words with one place at the same time: the later change is remembered.
const PLACES: usize = 128;

/// Words (or sectors) that are being changed, and until when.
#[derive(Clone, Debug)]
pub(super) struct Changing {
    /// Which word, plus one.
    keys: [u64; PLACES],
    until: [u64; PLACES],
    /// No change lasts longer.
    last: u64,
}

coded!(Changing { keys, until, last });

impl Default for Changing {
    fn default() -> Self {
        Self {
            keys: [0; PLACES],
            until: [0; PLACES],
            last: 0,
        }
    }
}

impl Changing {
    /// Whether anything is being changed at a time. Mostly nothing is.
    #[inline(always)]
    pub(super) const fn any(&self, at: u64) -> bool {
        self.last > at
    }

    /// When an access that could begin at `at` comes after the changes of its word.
    #[inline(always)]
    pub(super) fn after(&self, key: u64, at: u64) -> u64 {
        let place = key as usize % PLACES;
        if self.keys[place] == key + 1 {
            at.max(self.until[place])
        } else {
            at
        }
    }

    /// A change of a word, begun at `at`, lasts until then.
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
        let mut changing = Changing::default();
        changing.note(7, 40, 10);
        assert_eq!(changing.after(7, 12), 40);
        assert_eq!(changing.after(7, 41), 41);
        assert_eq!(changing.after(8, 12), 12);
        assert_eq!(changing.after(7 + PLACES as u64, 12), 12);
        assert!(changing.any(39) && !changing.any(40));
        // A shorter change does not end a longer one.
        changing.note(7, 20, 11);
        assert_eq!(changing.after(7, 12), 40);
    }
}
