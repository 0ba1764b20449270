//! What rating placements on one star needs to know: [`StarRater`].

use azulejo::bits::positions;
use azulejo::summer_pavilion::STAR_SLOTS;

use super::geometry::{COSTS, FULL, MISSING, MOST, RUN, TOUCHING, layout_of};
use super::kind::{StarKind, kind_of};
use super::placer::Placer;

/// The numbers of tiles that make a difference to which slot can be paid for: none to 6.
pub(super) const PURSES: usize = STAR_SLOTS + 1;

/// What rating placements on one star needs to know.
pub(super) struct StarRater<'a> {
    pub placer: &'a Placer<'a>,
    pub star: usize,
    pub layout: usize,
    pub ring: usize,
    pub kind: StarKind,
    /// The tiles that the free slots cost.
    pub missing: f32,
    /// The tiles that may still come to a star of different colors.
    pub mixed: f32,
    /// The worth of the star's points as things lie.
    pub before: f32,
}

impl<'a> StarRater<'a> {
    #[inline]
    pub(super) fn new(placer: &'a Placer<'a>, star: usize) -> Self {
        let rater = placer.rater;
        let hand = rater.board.hand();
        let kind = kind_of(rater.rules.side, rater.board, star);
        let ring = FULL & !usize::from(rater.board.free(star));
        let layout = layout_of(rater.rules.side, star);
        let missing = f32::from(MISSING[layout][ring]);
        let mixed = 0.5 * f32::from(hand.total()) + rater.weights.mixed_reach * rater.left;
        let mut rated = StarRater { placer, star, layout, ring, kind, missing, mixed, before: 0.0 };
        rated.before = rater.star_worth(kind, missing, rated.reach(kind));
        rated
    }

    /// The tiles that may still come to the star as one of this kind.
    #[inline]
    pub(super) fn reach(&self, kind: StarKind) -> f32 {
        let rater = self.placer.rater;
        match kind {
            StarKind::Plain(color) => {
                let hand = rater.board.hand();
                let wilds = if color == rater.wild { 0 } else { hand.count(rater.wild) };
                f32::from(hand.count(color) + wilds) + rater.weights.reach * rater.left
            }
            _ => self.mixed,
        }
    }

    /// What a tile on a slot gains whatever its color: the run, numbers and features.
    #[inline]
    pub(super) fn gain(&self, position: usize) -> f32 {
        let (after, placer) = (self.ring | 1 << position, self.placer);
        let run = RUN[self.ring][position];
        let features = TOUCHING[self.star * STAR_SLOTS + position];
        let lost = MOST[self.ring] - MOST[after] - run;
        f32::from(run) - placer.rater.weights.apart * f32::from(lost)
            + placer.number_step[usize::from(COSTS[self.layout][position])]
            + features.map(|feature| placer.feature_step[feature]).iter().sum::<f32>()
    }

    /// By the number of tiles that can be spent, a share of what the best slot gains beyond its price for
    /// each tile.
    #[inline]
    pub(super) fn best_slots(&self, share: f32, price: f32) -> [f32; PURSES] {
        let mut best = [0.0f32; PURSES];
        for position in positions((FULL & !self.ring) as u64) {
            let cost = COSTS[self.layout][position];
            let gain = share * (self.gain(position) - price * f32::from(cost));
            let known = &mut best[usize::from(cost)];
            *known = known.max(gain);
        }
        for purse in 1..PURSES {
            best[purse] = best[purse].max(best[purse - 1]);
        }
        best
    }

    /// What it brings the star nearer to its points if that becomes one of this kind.
    #[inline]
    pub(super) fn step(&self, position: usize, kind: StarKind) -> f32 {
        let cost = f32::from(COSTS[self.layout][position]);
        let rater = self.placer.rater;
        let after = rater.star_worth(kind, self.missing - cost, self.reach(kind) - cost);
        rater.weights.star * (after - self.before)
    }
}
