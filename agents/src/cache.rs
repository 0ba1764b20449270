//! What was worked out lately, filed under keys of 64 bits: [`Cache`].

/// Values under keys, each of which has one place: a newer value takes an older one's.
///
/// A value is known by its key alone, so keys of different questions must differ, which those of [`KeyHash`]
/// do except by a chance of about 2⁻⁶⁴.
#[derive(Clone, Debug)]
pub(crate) struct Cache<T> {
    places: Vec<(u64, T)>,
    /// The number of places is 2 to the power of this.
    bits: u32,
}

impl<T: Clone> Cache<T> {
    /// A cache of 2 to the power of `bits` places, which hold `nothing` yet.
    pub(crate) fn new(bits: u32, nothing: T) -> Self {
        Cache { places: vec![(0, nothing); 1 << bits], bits }
    }

    /// The value under a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<&T> {
        let (found, value) = &self.places[self.place(key)];
        (*found == key).then_some(value)
    }

    /// Files a value.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, value: T) {
        let place = self.place(key);
        self.places[place] = (key, value);
    }

    /// The value that stood at a key's place, filed under the key from now on: it is to be overwritten.
    #[inline]
    pub(crate) fn renew(&mut self, key: u64) -> &mut T {
        let place = self.place(key);
        let (found, value) = &mut self.places[place];
        *found = key;
        value
    }

    /// The value under a key, a new one if there is none.
    #[inline]
    pub(crate) fn entry(&mut self, key: u64) -> &mut T
    where
        T: Default,
    {
        let place = self.place(key);
        let (found, value) = &mut self.places[place];
        if *found != key {
            (*found, *value) = (key, T::default());
        }
        value
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key >> (u64::BITS - self.bits)) as usize
    }
}

/// A key in the making: the hash of the words so far, taken in two at a time by folded multiplication, as Wang
/// Yi's wyhash does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyHash(u64);

impl KeyHash {
    /// The hash of no words.
    pub(crate) const EMPTY: KeyHash = KeyHash(0x9E37_79B9_7F4A_7C15);

    /// The hash of two words more.
    #[inline(always)]
    #[must_use]
    pub(crate) fn with(self, first: u64, second: u64) -> Self {
        KeyHash(fold(self.0 ^ first, second ^ 0xA076_1D64_78BD_642F))
    }

    /// The key.
    #[inline(always)]
    pub(crate) fn key(self) -> u64 {
        fold(self.0, 0xE703_7ED1_A0B4_28DB)
    }
}

/// Both halves of the product, the one by the other.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_value_takes_an_older_ones_place() {
        let mut cache = Cache::new(1, ' ');
        cache.insert(7, 'a');
        assert_eq!((cache.get(7), cache.get(8)), (Some(&'a'), None));
        cache.insert(8, 'b');
        assert_eq!((cache.get(7), cache.get(8)), (None, Some(&'b')));
        cache.insert(u64::MAX, 'c');
        assert_eq!((cache.get(8), cache.get(u64::MAX)), (Some(&'b'), Some(&'c')));
        *cache.renew(7) = 'd';
        assert_eq!((cache.get(7), cache.get(8)), (Some(&'d'), None));
        cache.insert(8, 'b');
        assert_eq!((*cache.entry(8), *cache.entry(9)), ('b', char::default()));
    }

    #[test]
    fn keys_tell_words_and_their_order_apart() {
        let words = [0, 1, 2, 1 << 40, u64::MAX];
        let mut keys: Vec<u64> = Vec::new();
        for a in words {
            for b in words {
                keys.push(KeyHash::EMPTY.with(a, b).key());
                keys.extend(words.map(|c| KeyHash::EMPTY.with(a, b).with(c, 0).key()));
            }
        }
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
        // As many differing bits as by chance: places in a cache are evenly used.
        let changed = (0..64).map(|bit| {
            (KeyHash::EMPTY.with(5, 0).key() ^ KeyHash::EMPTY.with(5 ^ 1 << bit, 0).key()).count_ones()
        });
        assert!((1800..2300).contains(&changed.sum::<u32>()));
    }
}
