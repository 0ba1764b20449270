//! The transposition table: what a search has found out about states, by their keys.

use std::hint::black_box;

/// Which entries of the tables count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reuse {
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
pub(crate) enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or higher.
    Lower,
    /// The value is this or lower.
    Upper,
}

/// What is known of a state; `V` is the type of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry<V> {
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
}

impl<V> Entry<V> {
    /// Whether the value is that of a search to a depth.
    #[inline]
    pub(crate) fn serves(&self, depth: usize, reuse: Reuse) -> bool {
        match reuse {
            Reuse::Nothing => false,
            Reuse::SameDepth => usize::from(self.depth) == depth,
            Reuse::Deeper => self.solved || usize::from(self.depth) >= depth,
        }
    }
}

/// A place of the table: an entry's key, its value, what else is known, and when it was stored.
///
/// It is a tuple because a list of tuples of zeros is made without writing them: the system sets memory aside when a place is first
/// used, so a large table costs a small search nothing.
type TablePlace<V> = (u64, V, PlaceDetails, Stamp);

/// An entry's action, its depth, and its bound with whether it is solved.
type PlaceDetails = (u16, u8, u8);

/// A table's generation, 0 for places that were never used, and the search in it.
type Stamp = (u16, u8);

/// Where a place says that the entry is solved; below is the bound.
const SOLVED: u8 = 4;

/// A table of a fixed number of entries, in pairs: of each pair one keeps what took most work and the other
/// what came last (Breuker, Uiterwijk and van den Herik 1994: *TwoBig1*).
#[derive(Debug)]
pub(crate) struct TranspositionTable<V> {
    places: Vec<[TablePlace<V>; 2]>,
    /// The pairs that were asked for; there are fewer where the system has not so much memory.
    wanted: usize,
    /// Entries of other generations have been forgotten.
    generation: u16,
    /// The number of the search that stores entries.
    age: u8,
}

impl<V: Copy + Default> TranspositionTable<V> {
    /// The smallest table: one pair.
    pub(crate) fn new() -> Self {
        TranspositionTable { places: Self::unused(1), wanted: 1, generation: 1, age: 1 }
    }

    /// So many pairs, or half as many and so on, as the system can set aside.
    fn unused(mut pairs: usize) -> Vec<[TablePlace<V>; 2]> {
        let is_too_much =
            |pairs| black_box(&mut Vec::<[TablePlace<V>; 2]>::new()).try_reserve_exact(pairs).is_err();
        while pairs > 1 && is_too_much(pairs) {
            pairs /= 2;
        }
        vec![[(0, V::default(), (0, 0, 0), (0, 0)); 2]; pairs]
    }

    /// Makes room for at least `entries` entries in at most `bytes` bytes, as far as there is memory, and forgets everything if
    /// that changes the size. The number of pairs is a power of two.
    pub(crate) fn resize(&mut self, entries: u64, bytes: u64) {
        let most = (bytes / size_of::<[TablePlace<V>; 2]>() as u64).max(1);
        let wanted = entries.div_ceil(2).max(1).next_power_of_two();
        let pairs = if wanted <= most { wanted } else { 1 << most.ilog2() };
        if self.wanted as u64 != pairs {
            self.wanted = pairs as usize;
            self.places = Vec::new();
            self.places = Self::unused(self.wanted);
        }
    }

    /// Forgets everything, at once whatever the size.
    pub(crate) fn clear(&mut self) {
        self.age = 1;
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.places = Self::unused(self.wanted);
            1
        });
    }

    /// Begins a new search: entries of earlier ones stay but are replaced first.
    pub(crate) fn begin(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or(1);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1)
    }

    /// What is known of the state with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry<V>> {
        let pair = &self.places[self.index(key)];
        let is_known = |place: &&TablePlace<V>| place.0 == key && place.3.0 == self.generation;
        let &(_, value, (action, depth, about), _) = pair.iter().find(is_known)?;
        let bound = match about & !SOLVED {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Some(Entry { value, action, depth, bound, solved: about & SOLVED != 0 })
    }

    /// Stores what was found out about a state.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, entry: Entry<V>) {
        let about = entry.bound as u8 | if entry.solved { SOLVED } else { 0 };
        let (index, stamp) = (self.index(key), (self.generation, self.age));
        let pair = &mut self.places[index];
        let (known_key, _, (_, known_depth, _), known_stamp) = pair[0];
        let new = (key, entry.value, (entry.action, entry.depth, about), stamp);
        if known_key == key || known_stamp != stamp || known_depth <= entry.depth {
            if known_key != key {
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
    use std::time::{Duration, Instant};

    use azulejo::Generator;

    use super::*;

    #[test]
    fn deep_entries_stay_and_late_ones_are_found() {
        let mut table = TranspositionTable::<i32>::new();
        table.resize(2, 1 << 20);
        let entry = |value, depth, bound, solved| Entry { value, action: 7, depth, bound, solved };
        table.put(1, entry(10, 9, Bound::Exact, false));
        table.put(2, entry(20, 1, Bound::Exact, false));
        table.put(3, entry(30, 2, Bound::Lower, true));
        let value = |table: &TranspositionTable<i32>, key| table.get(key).map(|entry| entry.value);
        assert_eq!([1, 2, 3].map(|key| value(&table, key)), [Some(10), None, Some(30)]);
        table.begin();
        table.put(4, entry(40, 1, Bound::Upper, true));
        assert_eq!([1, 3, 4].map(|key| value(&table, key)), [Some(10), None, Some(40)]);
        assert_eq!(table.get(4), Some(entry(40, 1, Bound::Upper, true)));
        table.clear();
        assert_eq!(value(&table, 4), None);
    }

    #[test]
    fn a_table_that_was_cleared_is_as_a_new_one() {
        let mut rng = Generator::new(4);
        let mut cleared = TranspositionTable::<i32>::new();
        cleared.resize(16, 1 << 20);
        for _ in 0..300 {
            cleared.generation = [cleared.generation, u16::MAX][rng.below(2) as usize];
            cleared.clear();
            let mut new = TranspositionTable::new();
            new.resize(16, 1 << 20);
            for _ in 0..60 {
                let key = rng.below(40);
                let [value, depth] = [(); 2].map(|()| rng.below(5) as u8);
                let entry =
                    Entry { value: value.into(), action: 1, depth, bound: Bound::Lower, solved: false };
                for table in [&mut cleared, &mut new] {
                    if value == 0 {
                        table.begin();
                    }
                    table.put(key, entry);
                }
                for key in 0..40 {
                    assert_eq!(cleared.get(key), new.get(key));
                }
            }
        }
    }

    #[test]
    fn the_size_is_a_power_of_two_within_the_memory() {
        let mut table = TranspositionTable::<i32>::new();
        table.resize(1000, 1 << 30);
        assert_eq!(table.places.len(), 512);
        table.resize(u64::MAX / 4, 1 << 20);
        assert!(table.places.len() * size_of::<[TablePlace<i32>; 2]>() <= 1 << 20);
        table.resize(1, 1);
        assert_eq!(table.places.len(), 1);
        assert_eq!((size_of::<TablePlace<i32>>(), size_of::<TablePlace<[i32; 4]>>()), (24, 32));
    }

    #[test]
    fn a_large_table_is_cleared_at_once() {
        let mut table = TranspositionTable::<i32>::new();
        table.resize(u64::MAX / 4, 1 << 26);
        let start = Instant::now();
        (0..60_000).for_each(|_| table.clear());
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}
