//! Bag and lid: where tiles are drawn from, and where used ones wait until the bag is empty.

use std::ops::{Add, AddAssign, SubAssign};

use crate::colors::Colors;
use crate::error::RuleViolation;
use crate::factories::{Deal, FACTORY_TILES};
use crate::seed::Generator;
use crate::tiles::Tiles;

/// A multiset of tiles, as a game counts them.
pub(crate) trait Multiset: Copy + Default + Add<Output = Self> + AddAssign + SubAssign {
    /// The number of tiles.
    fn total(self) -> u8;
}

/// The tiles that are not in play: those in the bag, and those in the lid (or depot, or tower), which go into
/// the bag when it runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Supply<M = Tiles> {
    pub bag: M,
    pub lid: M,
}

/// How a game says that tiles cannot have been drawn.
pub(crate) struct Wording {
    /// Fewer tiles than there should be at a factory.
    pub too_few: RuleViolation,
    /// Other tiles than bag and lid have.
    pub not_there: RuleViolation,
}

impl<M: Multiset> Supply<M> {
    /// All these tiles in the bag.
    pub(crate) fn new(bag: M) -> Self {
        Supply { bag, lid: M::default() }
    }

    /// The number of tiles.
    #[inline]
    pub(crate) fn total(&self) -> u8 {
        self.bag.total() + self.lid.total()
    }

    /// The tiles from which `n` are drawn at once: the bag, with the lid poured in if the bag holds fewer.
    #[inline]
    pub(crate) fn pool(&self, n: u8) -> M {
        if self.bag.total() < n { self.bag + self.lid } else { self.bag }
    }

    /// Removes tiles that were drawn: where the bag did not hold so many, the lid was poured in.
    #[inline]
    pub(crate) fn remove(&mut self, drawn: M) {
        if drawn.total() > self.bag.total() {
            self.bag += std::mem::take(&mut self.lid);
        }
        self.bag -= drawn;
    }
}

impl Supply {
    /// Whether there is no tile to draw.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.bag.is_empty() && self.lid.is_empty()
    }

    /// Draws `n` tiles at random, as many as there are: from the bag and, once that is empty, from the lid,
    /// which then becomes the bag.
    #[inline]
    pub(crate) fn draw(&mut self, n: u8, rng: &mut Generator) -> Tiles {
        let mut drawn = self.bag.draw(n, rng);
        let missing = n - drawn.total();
        if missing > 0 {
            self.bag = std::mem::take(&mut self.lid);
            drawn += self.bag.draw(missing, rng);
        }
        drawn
    }

    /// Tiles drawn for each of `factories` factories.
    #[inline]
    pub(crate) fn deal<C: Colors>(mut self, factories: usize, rng: &mut Generator) -> Deal<C> {
        Deal::from_fn(factories, |_| self.draw(FACTORY_TILES, rng))
    }

    /// Takes tiles as [`draw`](Supply::draw) does. There must not be more of them than bag and lid hold
    /// together.
    ///
    /// # Errors
    /// If they cannot have been drawn.
    pub(crate) fn take(&mut self, tiles: Tiles, wording: &Wording) -> Result<(), RuleViolation> {
        if self.bag.total() >= tiles.total() {
            if !self.bag.contains(tiles) {
                return Err(RuleViolation("the bag does not hold these tiles"));
            }
            self.bag -= tiles;
        } else {
            // The bag runs out: all of it is among the tiles, the rest comes from the lid.
            if !tiles.contains(self.bag) || !self.lid.contains(tiles - self.bag) {
                return Err(wording.not_there);
            }
            *self = Supply::new(self.lid - (tiles - self.bag));
        }
        Ok(())
    }

    /// Whether this is a deal to `factories` factories.
    ///
    /// # Errors
    /// If it cannot have been drawn.
    pub(crate) fn check_deal<C: Colors>(
        mut self,
        deal: &Deal<C>,
        factories: usize,
        wording: &Wording,
    ) -> Result<(), RuleViolation> {
        if deal.factories().len() != factories {
            return Err(RuleViolation("wrong number of factories for this number of players"));
        }
        deal.factories().iter().try_for_each(|&factory| {
            if factory.total() != FACTORY_TILES.min(self.total()) {
                return Err(wording.too_few);
            }
            self.take(factory, wording)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDING: Wording =
        Wording { too_few: RuleViolation("too few"), not_there: RuleViolation("not there") };

    #[test]
    fn what_is_drawn_can_be_taken_and_removed() {
        let mut rng = Generator::new(1);
        for round in 0..3000u64 {
            let tiles = |rng: &mut Generator| Tiles::from_counts(&[0; 5].map(|_: u8| rng.below(5) as u8));
            let supply = Supply { bag: tiles(&mut rng), lid: tiles(&mut rng) };
            let n = (round % 12) as u8;
            let (mut left, mut taken, mut removed) = (supply, supply, supply);
            let drawn = left.draw(n, &mut rng);
            assert_eq!(drawn.total(), n.min(supply.total()));
            assert_eq!(left.total(), supply.total() - drawn.total());
            assert_eq!(taken.take(drawn, &WORDING), Ok(()), "{drawn:?} of {supply:?}");
            removed.remove(drawn);
            // Right after the last tile the lid is not poured in yet.
            assert_eq!(
                (taken.bag + taken.lid, removed.bag + removed.lid),
                (left.bag + left.lid, left.bag + left.lid)
            );
            assert_eq!(taken, removed);
        }
    }

    #[test]
    fn the_lid_gives_tiles_only_once_the_bag_is_empty() {
        let supply = Supply { bag: Tiles::of(0, 2), lid: Tiles::of(1, 3) };
        let take = |tiles: Tiles| { supply }.take(tiles, &WORDING);
        assert_eq!(
            take(Tiles::of(0, 1) + Tiles::of(1, 1)),
            Err(RuleViolation("the bag does not hold these tiles"))
        );
        assert_eq!(take(Tiles::of(0, 1) + Tiles::of(1, 2)), Err(WORDING.not_there));
        assert_eq!(take(Tiles::of(0, 2) + Tiles::of(1, 2)), Ok(()));
    }
}
