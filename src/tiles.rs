//! Small multisets of tiles packed into one word.

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use crate::seed::{Fraction, Generator};
use crate::supply::Multiset;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A multiset of tiles of up to 8 kinds (numbered from 0): one byte of a word per kind.
///
/// Counts stay below 256, as does their sum; all arithmetic is on the whole word.
///
/// ```
/// use azulejo::tiles::Tiles;
/// let bag = Tiles::of(0, 3) + Tiles::of(4, 2);
/// assert_eq!((bag.count(4), bag.total()), (2, 5));
/// assert!(bag.contains(Tiles::of(0, 1)));
/// assert_eq!(bag.letters("BYRKW").to_string(), "BBBWW");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tiles(u64);

impl Tiles {
    /// The empty multiset.
    pub const EMPTY: Tiles = Tiles(0);

    /// `count` tiles of one kind (`kind` below 8).
    #[inline]
    pub const fn of(kind: usize, count: u8) -> Self {
        Tiles((count as u64) << (8 * kind))
    }

    /// `count` tiles of each of the first `kinds` kinds.
    pub const fn each(kinds: usize, count: u8) -> Self {
        Tiles((ONES >> (64 - 8 * kinds)) * count as u64)
    }

    /// The multiset with these counts, kind by kind (at most 8).
    #[inline]
    pub fn from_counts(counts: &[u8]) -> Self {
        counts.iter().enumerate().fold(Tiles::EMPTY, |all, (kind, &count)| all + Tiles::of(kind, count))
    }

    /// The multiset as one word, a byte per kind: what tells it from all others.
    #[inline]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// How many tiles of one kind there are.
    #[inline]
    pub const fn count(self, kind: usize) -> u8 {
        (self.0 >> (8 * kind)) as u8
    }

    /// The number of tiles.
    #[inline]
    pub const fn total(self) -> u8 {
        (self.0.wrapping_mul(ONES) >> 56) as u8
    }

    /// Whether there is no tile.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are at least as many tiles of every kind as in `other`.
    #[inline]
    pub const fn contains(self, other: Tiles) -> bool {
        at_least(self.0, other.0) == HIGH
    }

    /// The tiles of all kinds but one.
    #[inline]
    pub const fn without(self, kind: usize) -> Self {
        Tiles(self.0 & !(0xFF << (8 * kind)))
    }

    /// The kinds present, lowest first, each with its count.
    pub fn iter(self) -> impl Iterator<Item = (usize, u8)> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let kind = (rest.trailing_zeros() / 8) as usize;
                let count = (rest >> (8 * kind)) as u8;
                rest &= !(0xFF << (8 * kind));
                (kind, count)
            })
        })
    }

    /// The counts of the first `N` kinds.
    pub fn counts<const N: usize>(self) -> [u8; N] {
        std::array::from_fn(|kind| self.count(kind))
    }

    /// The kind of tile number `n`, counting through the kinds in order; `n` is below [`Tiles::total`].
    #[inline]
    pub(crate) const fn kind_at(self, n: u8) -> usize {
        let running_totals = self.0.wrapping_mul(ONES);
        let passed = at_least(n as u64 * ONES, running_totals);
        ((passed >> 7).wrapping_mul(ONES) >> 56) as usize
    }

    /// The kind of tile number `n`, counting through the kinds in order, and its number among the tiles of
    /// that kind; `n` is below [`Tiles::total`].
    #[inline]
    pub(crate) const fn kind_and_rank_at(self, n: u8) -> (usize, u8) {
        let kind = self.kind_at(n);
        let up_to_here = (self.0.wrapping_mul(ONES) >> (8 * kind)) as u8;
        (kind, n - (up_to_here - self.count(kind)))
    }

    /// The highest kind present; 0 if there is no tile.
    #[inline]
    pub const fn last_kind(self) -> usize {
        (63 - (self.0 | 1).leading_zeros() as usize) / 8
    }

    /// The tiles of this kind and of all higher ones.
    #[inline]
    pub const fn kinds_from(self, kind: usize) -> Self {
        Tiles(self.0 >> (8 * kind) << (8 * kind))
    }

    /// Takes `n` tiles at random, each tile equally likely, as many as there are.
    #[inline]
    pub(crate) fn draw(&mut self, n: u8, rng: &mut Generator) -> Tiles {
        let mut drawn = Tiles::EMPTY;
        let mut left = self.total();
        let mut fraction = Fraction::default();
        for i in 0..n.min(left) {
            // Four choices among at most 255 use 32 of a fraction's 64 bits.
            if i % 4 == 0 {
                fraction = rng.fraction();
            }
            let tile = Tiles::of(self.kind_at(fraction.below(u64::from(left)) as u8), 1);
            *self -= tile;
            drawn += tile;
            left -= 1;
        }
        drawn
    }

    /// Writes the tiles as letters, kind `k` as the `k`-th letter of `alphabet` (ASCII), lowest kind first.
    pub fn letters(self, alphabet: &'static str) -> impl fmt::Display {
        Letters { tiles: self, alphabet }
    }

    /// Reads letters of `alphabet` (ASCII) in any order; `None` if there is another character or over 255
    /// tiles.
    pub fn from_letters(text: &str, alphabet: &str) -> Option<Self> {
        if text.len() > 255 {
            return None;
        }
        text.chars().try_fold(Tiles::EMPTY, |all, letter| Some(all + Tiles::of(alphabet.find(letter)?, 1)))
    }
}

/// For each byte lane: the high bit set if the lane of `x` is at least that of `y` (unsigned).
#[inline]
const fn at_least(x: u64, y: u64) -> u64 {
    let low_bits = (x | HIGH).wrapping_sub(y & !HIGH);
    ((x & !y) | (!(x ^ y) & low_bits)) & HIGH
}

struct Letters {
    tiles: Tiles,
    alphabet: &'static str,
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in self.tiles.iter() {
            for _ in 0..count {
                f.write_str(&self.alphabet[kind..=kind])?;
            }
        }
        Ok(())
    }
}

impl Multiset for Tiles {
    #[inline]
    fn total(self) -> u8 {
        Tiles::total(self)
    }
}

impl Add for Tiles {
    type Output = Tiles;
    #[inline]
    fn add(self, other: Tiles) -> Tiles {
        Tiles(self.0 + other.0)
    }
}

impl Sub for Tiles {
    type Output = Tiles;
    #[inline]
    fn sub(self, other: Tiles) -> Tiles {
        debug_assert!(self.contains(other), "{self:?} does not contain {other:?}");
        Tiles(self.0 - other.0)
    }
}

impl AddAssign for Tiles {
    #[inline]
    fn add_assign(&mut self, other: Tiles) {
        *self = *self + other;
    }
}

impl SubAssign for Tiles {
    #[inline]
    fn sub_assign(&mut self, other: Tiles) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Tiles {
    fn sum<I: Iterator<Item = Tiles>>(all: I) -> Tiles {
        all.fold(Tiles::EMPTY, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_compare_over_the_whole_byte_range() {
        for x in 0..=255u64 {
            for y in 0..=255u64 {
                assert_eq!(at_least(x * ONES, y * ONES) == HIGH, x >= y, "{x} {y}");
            }
        }
    }

    #[test]
    fn kind_at_counts_through_the_kinds() {
        let tiles = Tiles::from_counts(&[2, 0, 22, 100, 8]);
        let by_index: Vec<usize> = (0..tiles.total()).map(|n| tiles.kind_at(n)).collect();
        let by_iteration: Vec<usize> =
            tiles.iter().flat_map(|(kind, count)| std::iter::repeat_n(kind, count.into())).collect();
        assert_eq!(by_index, by_iteration);
        let ranks: Vec<(usize, u8)> = (0..tiles.total()).map(|n| tiles.kind_and_rank_at(n)).collect();
        let expected = tiles.iter().flat_map(|(kind, count)| (0..count).map(move |rank| (kind, rank)));
        assert_eq!(ranks, expected.collect::<Vec<_>>());
    }

    #[test]
    fn kinds_from_the_last_one_on() {
        let tiles = Tiles::from_counts(&[2, 0, 22, 1]);
        assert_eq!((tiles.last_kind(), Tiles::EMPTY.last_kind(), Tiles::of(7, 200).last_kind()), (3, 0, 7));
        assert_eq!(tiles.kinds_from(1), Tiles::from_counts(&[0, 0, 22, 1]));
        assert_eq!(tiles.kinds_from(0), tiles);
    }

    #[test]
    fn draw_is_uniform_and_takes_what_is_there() {
        let mut rng = Generator::new(3);
        let mut seen = [0u32; 3];
        for _ in 0..30_000 {
            let mut bag = Tiles::from_counts(&[3, 2, 1]);
            let drawn = bag.draw(2, &mut rng);
            assert_eq!(bag + drawn, Tiles::from_counts(&[3, 2, 1]));
            (0..3).for_each(|kind| seen[kind] += u32::from(drawn.count(kind)));
        }
        for (count, share) in seen.iter().zip([3.0, 2.0, 1.0]) {
            assert!((f64::from(*count) - 10_000.0 * share).abs() < 500.0, "{seen:?}");
        }
        let mut few = Tiles::of(1, 2);
        assert_eq!(few.draw(9, &mut rng), Tiles::of(1, 2));
        assert!(few.is_empty());
    }

    #[test]
    fn letters_round_trip() {
        assert_eq!(Tiles::from_letters("WBB", "BYRKW"), Some(Tiles::from_counts(&[2, 0, 0, 0, 1])));
        assert_eq!(Tiles::from_letters("X", "BYRKW"), None);
    }
}
