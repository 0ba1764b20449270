//! What rating placements on one star needs to know: [`StarRater`].

use azulejo::bits::positions;
use azulejo::summer_pavilion::STAR_SLOTS;

use super::geometry::{COSTS, FULL, MISSING, RUN_AND_LOST, STAR_PLACES, TOUCHING, layout_of};
use super::kind::StarKind;
use super::rater::Rater;
use super::stage::{larger, star_worth};

/// The numbers of tiles that make a difference to which slot can be paid for: none to 6.
pub(super) const PURSES: usize = STAR_SLOTS + 1;

/// What rating placements on one star needs to know.
pub(super) struct StarRater<'a> {
    pub rater: &'a Rater<'a>,
    pub star: usize,
    pub layout: usize,
    pub ring: usize,
    pub kind: StarKind,
    /// The tiles that the free slots cost.
    pub missing: f32,
}

impl<'a> StarRater<'a> {
    #[inline(always)]
    pub(super) fn new(rater: &'a Rater<'a>, star: usize) -> Self {
        let layout = layout_of(rater.stage.rules.side, star);
        let ring = FULL & !usize::from(rater.board.free(star));
        let missing = f32::from(MISSING[layout][ring]);
        StarRater { rater, star, layout, ring, kind: rater.tables.kinds[star], missing }
    }

    /// The tiles that may still come to the star as one of this kind.
    #[inline]
    pub(super) fn reach(&self, kind: StarKind) -> f32 {
        let (stage, hand) = (self.rater.stage, self.rater.board.hand());
        match kind {
            StarKind::Plain(color) => f32::from(self.rater.purse(color)) + stage.reach,
            _ => 0.5 * f32::from(hand.total()) + stage.mixed_reach,
        }
    }

    /// What a tile on a slot gains whatever its color: the run, numbers and features.
    #[inline]
    pub(super) fn gain(&self, position: usize) -> f32 {
        let (tables, place) = (self.rater.tables, position % STAR_PLACES);
        let [run, lost] = RUN_AND_LOST[self.ring][place];
        let [first, second] = TOUCHING[self.star % STAR_PLACES][place];
        run - self.rater.weights.apart * lost
            + tables.number_step(self.cost(position))
            + (tables.feature_step(first) + tables.feature_step(second))
    }

    /// What a slot costs.
    #[inline]
    pub(super) fn cost(&self, position: usize) -> u8 {
        COSTS[self.layout][position % STAR_PLACES]
    }

    /// By the number of tiles that can be spent, a share of what the best slot gains beyond its price for
    /// each tile.
    #[inline]
    pub(super) fn best_slots(&self, share: f32, price: f32) -> [f32; PURSES] {
        let mut best = [0.0f32; PURSES];
        for position in positions((FULL & !self.ring) as u64) {
            let cost = self.cost(position);
            let gain = share * (self.gain(position) - price * f32::from(cost));
            let known = &mut best[usize::from(cost)];
            *known = larger(gain, *known);
        }
        for purse in 1..PURSES {
            best[purse] = larger(best[purse], best[purse - 1]);
        }
        best
    }

    /// The worth of the star's points as things lie.
    #[inline]
    pub(super) fn worth(&self) -> f32 {
        star_worth(self.rater.stage.star_points(self.kind), self.missing, self.reach(self.kind))
    }

    /// The worth of the star's points if it becomes one of this kind.
    #[inline]
    pub(super) fn worth_with(&self, position: usize, kind: StarKind) -> f32 {
        let cost = f32::from(self.cost(position));
        star_worth(self.rater.stage.star_points(kind), self.missing - cost, self.reach(kind) - cost)
    }

    /// What it brings the star nearer to its points if that becomes one of this kind.
    pub(super) fn step(&self, position: usize, kind: StarKind) -> f32 {
        self.rater.weights.star * (self.worth_with(position, kind) - self.worth())
    }
}
