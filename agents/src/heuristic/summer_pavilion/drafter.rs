//! What acquired tiles of one color are worth: [`Drafter`].

use azulejo::summer_pavilion::CENTER_STAR;

use super::kind::{HOMELESS, StarKind};
use super::placer::Placer;
use super::rater::Rater;
use super::star::{PURSES, StarRater};

/// What rating acquired tiles of one color needs to know.
pub(super) struct Drafter<'a> {
    pub rater: &'a Rater<'a>,
    pub color: usize,
    pub held: u8,
    /// Wild tiles in the hand.
    pub wilds: u8,
    /// By the number of tiles that can be spent, what the best slot of the color's home gains beyond its
    /// price.
    pub slots: [f32; PURSES],
    /// The tiles that the home's free slots cost, less a share of the wild ones in the hand.
    pub missing: f32,
    pub reach: f32,
    /// The worth of what is held already.
    pub before: f32,
}

impl<'a> Drafter<'a> {
    #[inline]
    pub(super) fn new(placer: &Placer<'a>, color: usize) -> Self {
        let (rater, weights) = (placer.rater, placer.rater.weights);
        let hand = rater.board.hand();
        let (held, wilds) = (hand.count(color), hand.count(rater.wild));
        let mut drafter = Drafter {
            rater,
            color,
            held,
            wilds,
            slots: [0.0; PURSES],
            missing: f32::INFINITY,
            reach: weights.draft_reach + weights.reach * rater.left,
            before: 0.0,
        };
        if rater.homes[color] != HOMELESS {
            let star = StarRater::new(placer, rater.homes[color].into());
            drafter.missing = star.missing - weights.draft_share * f32::from(wilds);
            drafter.slots = star.best_slots(weights.draft_slot, placer.prices[color]);
        }
        drafter.before = drafter.worth(held);
        drafter
    }

    /// The worth of so many tiles in the hand.
    #[inline]
    pub(super) fn worth(&self, tiles: u8) -> f32 {
        let (rater, weights) = (self.rater, self.rater.weights);
        let star = rater.star_worth(StarKind::Plain(self.color), self.missing - f32::from(tiles), self.reach);
        let next = if self.color == rater.next_wild {
            weights.draft_next * f32::from(tiles.min(rater.rules.keep_limit))
        } else {
            0.0
        };
        let purse = if tiles == 0 { 0 } else { usize::from(tiles + self.wilds).min(PURSES - 1) };
        weights.draft_star * star + next + self.slots[purse]
    }

    /// The gain of `count` tiles more in the hand.
    #[inline]
    pub(super) fn gain(&self, count: u8) -> f32 {
        if count == 0 {
            return 0.0;
        }
        let (rater, board) = (self.rater, self.rater.board);
        let center = board.accepted(CENTER_STAR) >> self.color & 1 == 1 && board.free(CENTER_STAR) != 0;
        rater.draft_tile * f32::from(count) + self.worth(self.held + count) - self.before
            + if center { rater.weights.draft_center } else { 0.0 }
    }
}

/// The gain of a bonus tile.
pub(super) fn bonus(placer: &Placer<'_>, color: usize) -> f32 {
    if color == placer.rater.wild {
        placer.rater.weights.bonus_wild
    } else {
        Drafter::new(placer, color).gain(1)
    }
}
