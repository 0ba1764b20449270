//! The transposition table: what a search has found out about states, by their keys.

/// Which entries of the tables count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reuse {
    /// None: every line is searched.
    Nothing,
    /// Those of exactly the depth that is wanted, so that the table changes no value.
    #[cfg_attr(not(test), expect(dead_code, reason = "for tests"))]
    SameDepth,
    /// Those of at least the depth that is wanted.
    Deeper,
}

/// What a stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or higher.
    Lower,
    /// The value is this or lower.
    Upper,
}

/// What is known of a state; `V` is the type of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry<V> {
    key: u64,
    /// The value, from the point of view that the search chose.
    pub value: V,
    /// The index of the best action known.
    pub action: u16,
    /// The plies that were searched below the state.
    pub depth: u8,
    /// What the value is.
    pub bound: Bound,
    /// Whether every line was searched to the next chance node or the end: then the value holds for any
    /// depth.
    pub solved: bool,
    /// The search that stored this; 0 for an empty place.
    age: u8,
}

impl<V> Entry<V> {
    /// Whether the value is that of a search to a depth.
    #[inline]
    pub(super) fn serves(&self, depth: usize, reuse: Reuse) -> bool {
        match reuse {
            Reuse::Nothing => false,
            Reuse::SameDepth => usize::from(self.depth) == depth,
            Reuse::Deeper => self.solved || usize::from(self.depth) >= depth,
        }
    }
}

/// A table of a fixed number of entries, in pairs: of each pair one keeps what took most work and the other
/// what came last (Breuker, Uiterwijk and van den Herik 1994: *TwoBig1*).
#[derive(Debug)]
pub(super) struct TranspositionTable<V> {
    entries: Vec<[Entry<V>; 2]>,
    age: u8,
}

impl<V: Copy + Default> TranspositionTable<V> {
    const EMPTY: fn() -> Entry<V> = || Entry {
        key: 0,
        value: V::default(),
        action: 0,
        depth: 0,
        bound: Bound::Exact,
        solved: false,
        age: 0,
    };

    /// The smallest table: one pair.
    pub(super) fn new() -> Self {
        TranspositionTable { entries: vec![[Self::EMPTY(); 2]], age: 1 }
    }

    /// Makes room for at least `entries` entries in at most `bytes` bytes, and forgets everything if that
    /// changes the size. The number of pairs is a power of two.
    pub(super) fn resize(&mut self, entries: u64, bytes: u64) {
        let most = (bytes / size_of::<[Entry<V>; 2]>() as u64).max(1);
        let wanted = entries.div_ceil(2).max(1).next_power_of_two();
        let pairs = if wanted <= most { wanted } else { 1 << most.ilog2() };
        if self.entries.len() as u64 != pairs {
            self.entries = vec![[Self::EMPTY(); 2]; pairs as usize];
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill([Self::EMPTY(); 2]);
        self.age = 1;
    }

    /// Begins a new search: entries of earlier ones stay but are replaced first.
    pub(super) fn begin(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or(1);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// What is known of the state with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry<V>> {
        let pair = &self.entries[self.index(key)];
        pair.iter().find(|entry| entry.age != 0 && entry.key == key)
    }

    /// Stores what was found out about a state.
    #[inline]
    pub(super) fn put(&mut self, key: u64, value: V, action: u16, depth: u8, bound: Bound, solved: bool) {
        let (index, age) = (self.index(key), self.age);
        let pair = &mut self.entries[index];
        let new = Entry { key, value, action, depth, bound, solved, age };
        if pair[0].key == key || pair[0].age != age || pair[0].depth <= depth {
            if pair[0].key != key {
                pair[1] = pair[0];
            }
            pair[0] = new;
        } else {
            pair[1] = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_entries_stay_and_late_ones_are_found() {
        let mut table = TranspositionTable::<i32>::new();
        table.resize(2, 1 << 20);
        table.put(1, 10, 0, 9, Bound::Exact, false);
        table.put(2, 20, 0, 1, Bound::Exact, false);
        table.put(3, 30, 0, 2, Bound::Lower, true);
        let value = |table: &TranspositionTable<i32>, key| table.get(key).map(|entry| entry.value);
        assert_eq!([1, 2, 3].map(|key| value(&table, key)), [Some(10), None, Some(30)]);
        table.begin();
        table.put(4, 40, 0, 1, Bound::Exact, false);
        assert_eq!([1, 3, 4].map(|key| value(&table, key)), [Some(10), None, Some(40)]);
        table.clear();
        assert_eq!(value(&table, 4), None);
    }

    #[test]
    fn the_size_is_a_power_of_two_within_the_memory() {
        let mut table = TranspositionTable::<i32>::new();
        table.resize(1000, 1 << 30);
        assert_eq!(table.entries.len(), 512);
        table.resize(u64::MAX / 4, 1 << 20);
        assert!(table.entries.len() * size_of::<[Entry<i32>; 2]>() <= 1 << 20);
        table.resize(1, 1);
        assert_eq!(table.entries.len(), 1);
        assert_eq!(size_of::<Entry<i32>>(), 24);
    }
}
