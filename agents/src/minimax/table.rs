//! The transposition table: what a search has found out about states, by their keys.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::{Zeroable, allocation::try_zeroed_slice_box};

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

/// A value that a table can hold: some words of 64 bits.
pub trait TableValue: Copy {
    /// Where the words stand; all zeros to begin with.
    type Words: Zeroable + Send + Sync;

    /// Writes the value down; returns its words as [`mixed`].
    fn write(self, words: &Self::Words) -> u64;

    /// Reads a value, and its words as [`mixed`].
    fn read(words: &Self::Words) -> (Self, u64);
}

/// One word of several: their exclusive or, each turned by another number of bits, so that it matters which stands where.
#[inline]
pub(crate) fn mixed<const N: usize>(words: [u64; N]) -> u64 {
    words.into_iter().fold(0, |mix, word| mix.rotate_left(23) ^ word)
}

impl<const N: usize> TableValue for [u64; N] {
    type Words = [AtomicU64; N];

    #[inline]
    fn write(self, words: &Self::Words) -> u64 {
        words.iter().zip(self).for_each(|(place, word)| place.store(word, Relaxed));
        mixed(self)
    }

    #[inline]
    fn read(words: &Self::Words) -> (Self, u64) {
        let value = words.each_ref().map(|word| word.load(Relaxed));
        (value, mixed(value))
    }
}

/// For alpha-beta: a value in millipoints.
impl TableValue for i32 {
    type Words = [AtomicU64; 1];

    #[inline]
    fn write(self, words: &Self::Words) -> u64 {
        [u64::from(self.cast_unsigned())].write(words)
    }

    #[inline]
    fn read(words: &Self::Words) -> (Self, u64) {
        let ([word], mix) = <[u64; 1]>::read(words);
        ((word as u32).cast_signed(), mix)
    }
}

/// For max^n: the values of four seats.
impl TableValue for [i32; 4] {
    type Words = [AtomicU64; 2];

    #[inline]
    fn write(self, words: &Self::Words) -> u64 {
        let [a, b, c, d] = self.map(|value| u64::from(value.cast_unsigned()));
        [a | b << 32, c | d << 32].write(words)
    }

    #[inline]
    fn read(words: &Self::Words) -> (Self, u64) {
        let ([ab, cd], mix) = <[u64; 2]>::read(words);
        ([ab, ab >> 32, cd, cd >> 32].map(|word| (word as u32).cast_signed()), mix)
    }
}

/// A place of the table: a check, an entry's [`Details`], and the words of its value. The check is the exclusive or of the
/// entry's key and the others as [`mixed`], so that words of two entries, written by two threads at once, stand for none (Hyatt
/// and Mann 2002).
type TablePlace<V> = (AtomicU64, AtomicU64, <V as TableValue>::Words);

/// What a place says of an entry beside its value.
#[derive(Clone, Copy)]
struct Details {
    action: u16,
    depth: u8,
    bound: Bound,
    solved: bool,
    stamp: Stamp,
}

/// A table's generation, 0 for places that were never used, and the search in it.
type Stamp = (u16, u8);

impl Details {
    #[inline]
    fn to_word(self) -> u64 {
        let Details { action, depth, bound, solved, stamp: (generation, age) } = self;
        u64::from(action)
            | u64::from(depth) << 16
            | (bound as u64) << 24
            | u64::from(solved) << 26
            | u64::from(generation) << 32
            | u64::from(age) << 48
    }

    #[inline]
    fn from_word(word: u64) -> Self {
        let bound = match word >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Details {
            action: word as u16,
            depth: (word >> 16) as u8,
            bound,
            solved: word >> 26 & 1 != 0,
            stamp: ((word >> 32) as u16, (word >> 48) as u8),
        }
    }
}

/// A table of a fixed number of entries, in pairs: of each pair one keeps what took most work and the other
/// what came last (Breuker, Uiterwijk and van den Herik 1994: *TwoBig1*).
///
/// Several threads may search with one table: none waits for another, and what two of them garble is not found.
pub(crate) struct TranspositionTable<V: TableValue> {
    /// Made of zeros that nobody writes: the system sets memory aside when a place is first used, so a large table costs a small
    /// search nothing.
    places: Box<[[TablePlace<V>; 2]]>,
    /// The pairs that were asked for; there are fewer where the system has not so much memory.
    wanted: usize,
    /// Entries of other generations have been forgotten.
    generation: u16,
    /// The number of the search that stores entries.
    age: u8,
}

impl<V: TableValue> TranspositionTable<V> {
    /// The smallest table: one pair.
    pub(crate) fn new() -> Self {
        TranspositionTable { places: Self::unused(1), wanted: 1, generation: 1, age: 1 }
    }

    /// So many pairs, or half as many and so on, as the system can set aside.
    fn unused(mut pairs: usize) -> Box<[[TablePlace<V>; 2]]> {
        loop {
            match try_zeroed_slice_box(pairs) {
                Ok(places) => return places,
                Err(()) if pairs > 1 => pairs /= 2,
                Err(()) => panic!("there is no memory for a pair of entries"),
            }
        }
    }

    /// Makes room for at least `entries` entries in at most `bytes` bytes, as far as there is memory, and forgets everything if
    /// that changes the size. The number of pairs is a power of two.
    pub(crate) fn resize(&mut self, entries: u64, bytes: u64) {
        let most = (bytes / size_of::<[TablePlace<V>; 2]>() as u64).max(1);
        let wanted = entries.div_ceil(2).max(1).next_power_of_two();
        let pairs = if wanted <= most { wanted } else { 1 << most.ilog2() };
        if self.wanted as u64 != pairs {
            self.wanted = pairs as usize;
            self.places = Box::default();
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
    fn pair(&self, key: u64) -> &[TablePlace<V>; 2] {
        &self.places[key as usize & (self.places.len() - 1)]
    }

    /// What is known of the state with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry<V>> {
        self.pair(key).iter().find_map(|place| {
            let (known, Details { action, depth, bound, solved, stamp }, value) = read::<V>(place);
            let is_known = known == key && stamp.0 == self.generation;
            is_known.then_some(Entry { value, action, depth, bound, solved })
        })
    }

    /// Stores what was found out about a state.
    #[inline]
    pub(crate) fn put(&self, key: u64, Entry { value, action, depth, bound, solved }: Entry<V>) {
        let stamp = (self.generation, self.age);
        let new = Details { action, depth, bound, solved, stamp };
        let [deep, late] = self.pair(key);
        let (known_key, known, known_value) = read::<V>(deep);
        if known_key == key || known.stamp != stamp || known.depth <= depth {
            if known_key != key {
                write::<V>(late, known_key, known, known_value);
            }
            write::<V>(deep, key, new, value);
        } else {
            write::<V>(late, key, new, value);
        }
    }
}

/// What stands in a place: a key, if no two threads have garbled it, and what is said of it.
#[inline]
fn read<V: TableValue>((check, details, words): &TablePlace<V>) -> (u64, Details, V) {
    let (details, (value, mix)) = (details.load(Relaxed), V::read(words));
    (check.load(Relaxed) ^ mixed([details, mix]), Details::from_word(details), value)
}

/// Puts an entry into a place.
#[inline]
fn write<V: TableValue>((check, details, words): &TablePlace<V>, key: u64, about: Details, value: V) {
    let about = about.to_word();
    check.store(key ^ mixed([about, value.write(words)]), Relaxed);
    details.store(about, Relaxed);
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use azulejo::Generator;
    use rand::Rng;

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

    /// What several threads write to the same few places at once is found whole or not at all.
    #[test]
    fn what_threads_garble_is_not_found() {
        let (mut table, found) = (TranspositionTable::<[i32; 4]>::new(), AtomicU64::new(0));
        table.resize(4, 1 << 20);
        let key = |number: u64| Generator::new(number).next_u64();
        let entry = |number: u64| Entry {
            value: [1, 3, 5, 7].map(|factor| (number * factor) as i32),
            action: number as u16,
            depth: number as u8,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][number as usize % 3],
            solved: number.is_multiple_of(2),
        };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (table, found) = (&table, &found);
                scope.spawn(move || {
                    let mut rng = Generator::new(thread);
                    for _ in 0..100_000 {
                        let [stored, sought] = [(); 2].map(|()| rng.below(50));
                        table.put(key(stored), entry(stored));
                        if let Some(known) = table.get(key(sought)) {
                            assert_eq!(known, entry(sought));
                            found.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > 1000);
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
