//! Multisets of the 108 tiles.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use super::kind::{KINDS, Kind, KindSet};
use crate::bits;
use crate::seed::Generator;
use crate::supply::Multiset;

/// Tiles of each kind in the game.
pub const TILES_PER_KIND: u8 = 3;

/// A multiset of tiles, up to 3 of each of the 36 kinds.
///
/// The counts are kept as two sets: the kinds whose count has its low bit set, and its high bit. So all
/// counts are added or subtracted at once by a few operations on whole words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Kind>", into = "Vec<Kind>")]
pub struct TileCounts {
    low: u64,
    high: u64,
}

impl TileCounts {
    /// No tile.
    pub const EMPTY: TileCounts = TileCounts { low: 0, high: 0 };
    /// All 108 tiles.
    pub const ALL: TileCounts = TileCounts { low: KindSet::ALL.mask(), high: KindSet::ALL.mask() };

    /// One tile of a kind.
    #[inline]
    pub const fn of(kind: Kind) -> Self {
        Self::one_of_each(KindSet::of(kind))
    }

    /// One tile of each of these kinds.
    #[inline]
    pub(crate) const fn one_of_each(kinds: KindSet) -> Self {
        TileCounts { low: kinds.mask(), high: 0 }
    }

    /// The multiset of these tiles; `None` if there are more than 3 of one kind.
    pub fn from_kinds(kinds: impl IntoIterator<Item = Kind>) -> Option<Self> {
        kinds.into_iter().try_fold(TileCounts::EMPTY, |all, kind| {
            (all.count(kind) < TILES_PER_KIND).then(|| all + TileCounts::of(kind))
        })
    }

    /// How many tiles of one kind there are, 0 to 3.
    #[inline]
    pub const fn count(self, kind: Kind) -> u8 {
        (self.low >> kind.index() & 1 | (self.high >> kind.index() & 1) << 1) as u8
    }

    /// The counts of all kinds in order.
    pub fn counts(self) -> [u8; KINDS] {
        std::array::from_fn(|index| self.count(Kind::from_index(index)))
    }

    /// The number of tiles.
    #[inline]
    pub const fn total(self) -> u8 {
        (self.low.count_ones() + 2 * self.high.count_ones()) as u8
    }

    /// The multiset as one number: what tells it from all others.
    #[inline]
    pub const fn word(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// Whether there is no tile.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// The kinds of which there is at least one tile.
    #[inline]
    pub const fn kinds(self) -> KindSet {
        KindSet::from_mask(self.low | self.high)
    }

    /// Whether there are at least as many tiles of every kind as in `other`.
    pub const fn contains(self, other: TileCounts) -> bool {
        let more = self.high & !other.high | !(self.high ^ other.high) & (self.low | !other.low);
        more & KindSet::ALL.mask() == KindSet::ALL.mask()
    }

    /// The tiles one by one in the order of kinds.
    pub fn iter(self) -> impl Iterator<Item = Kind> + Clone {
        self.kinds().iter().flat_map(move |kind| std::iter::repeat_n(kind, self.count(kind).into()))
    }

    /// Takes `n` tiles at random, each tile equally likely, as many as there are; `n` is at most 4.
    #[inline]
    pub(crate) fn draw(&mut self, n: u8, rng: &mut Generator) -> TileCounts {
        let mut drawn = TileCounts::EMPTY;
        // Four choices among at most 108 use 27 of the fraction's 64 bits.
        let mut fraction = rng.fraction();
        let mut left = self.total();
        for _ in 0..n.min(left) {
            let tile = self.pick(fraction.below(left.into()) as u32);
            *self -= tile;
            drawn += tile;
            left -= 1;
        }
        drawn
    }

    /// Tile number `n` in some fixed order of all tiles: the low bits stand for one tile each, the high for
    /// two.
    #[inline]
    fn pick(self, n: u32) -> TileCounts {
        let singles = self.low.count_ones();
        let index =
            if n < singles { bits::nth(self.low, n) } else { bits::nth(self.high, (n - singles) / 2) };
        TileCounts::of(Kind::from_index(index))
    }
}

impl From<TileCounts> for Vec<Kind> {
    fn from(tiles: TileCounts) -> Self {
        tiles.iter().collect()
    }
}

impl TryFrom<Vec<Kind>> for TileCounts {
    type Error = String;

    fn try_from(list: Vec<Kind>) -> Result<Self, String> {
        TileCounts::from_kinds(list)
            .ok_or_else(|| format!("found more than {TILES_PER_KIND} tiles of one kind"))
    }
}

impl Multiset for TileCounts {
    #[inline]
    fn total(self) -> u8 {
        TileCounts::total(self)
    }
}

impl Add for TileCounts {
    type Output = TileCounts;
    #[inline]
    fn add(self, other: TileCounts) -> TileCounts {
        let carry = self.low & other.low;
        debug_assert!(
            self.high & other.high | (self.high | other.high) & carry == 0,
            "more than 3 tiles of one kind"
        );
        TileCounts { low: self.low ^ other.low, high: self.high ^ other.high ^ carry }
    }
}

impl Sub for TileCounts {
    type Output = TileCounts;
    #[inline]
    fn sub(self, other: TileCounts) -> TileCounts {
        debug_assert!(self.contains(other), "{self:?} does not contain {other:?}");
        let borrow = !self.low & other.low;
        TileCounts { low: self.low ^ other.low, high: self.high ^ other.high ^ borrow }
    }
}

impl AddAssign for TileCounts {
    #[inline]
    fn add_assign(&mut self, other: TileCounts) {
        *self = *self + other;
    }
}

impl SubAssign for TileCounts {
    #[inline]
    fn sub_assign(&mut self, other: TileCounts) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(kind: Kind, count: u8) -> TileCounts {
        TileCounts::from_kinds(std::iter::repeat_n(kind, count.into())).unwrap()
    }

    #[test]
    fn arithmetic_agrees_with_counting() {
        let kind = Kind::from_index(17);
        for a in 0..=3 {
            for b in 0..=3 {
                let (left, right) = (times(kind, a), times(kind, b));
                assert_eq!(left.count(kind), a);
                assert_eq!(left.contains(right), a >= b);
                if a + b <= 3 {
                    assert_eq!((left + right).count(kind), a + b);
                }
                if a >= b {
                    assert_eq!((left - right).count(kind), a - b);
                }
            }
        }
        assert_eq!(TileCounts::ALL.total(), 108);
        assert_eq!(TileCounts::from_kinds([kind; 4]), None);
    }

    #[test]
    fn draw_is_uniform_and_takes_what_is_there() {
        let mut rng = Generator::new(3);
        let kinds = [0, 20, 35].map(Kind::from_index);
        let bag = times(kinds[0], 3) + times(kinds[1], 2) + times(kinds[2], 1);
        let mut seen = [0u32; 3];
        for _ in 0..30_000 {
            let mut rest = bag;
            let drawn = rest.draw(2, &mut rng);
            assert_eq!(rest + drawn, bag);
            (0..3).for_each(|i| seen[i] += u32::from(drawn.count(kinds[i])));
        }
        for (count, share) in seen.iter().zip([3.0, 2.0, 1.0]) {
            assert!((f64::from(*count) - 10_000.0 * share).abs() < 500.0, "{seen:?}");
        }
        let mut few = times(kinds[1], 2);
        assert_eq!(few.draw(4, &mut rng), times(kinds[1], 2));
        assert!(few.is_empty());
    }
}
