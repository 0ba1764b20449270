//! What acquired tiles of one color are worth: [`Drafter`].

use azulejo::summer_pavilion::{CENTER_STAR, COLORS};

use super::kind::{HOMELESS, StarKind};
use super::rater::Rater;
use super::stage::star_worth;
use super::star::{PURSES, StarRater};

/// More tiles than this are not remembered: so many seldom lie together.
const REMEMBERED: usize = 8;

/// What rating acquired tiles of one color needs to know of a board and a hand, and what has been worked out from that.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// Whether what follows holds for the board.
    fresh: bool,
    /// The color's home on the board.
    home: u8,
    /// By the number of tiles that can be spent, what the best slot of the home gains beyond its price.
    slots: [f32; PURSES],
    /// The tiles that the home's free slots cost.
    missing: f32,
    /// Whether what follows holds for these numbers of tiles of the color and of wild tiles in the hand.
    hand: Option<(u8, u8)>,
    /// The worth of what is held already.
    before: f32,
    /// What so many tiles more gain; NaN where that is not known yet.
    gains: [f32; REMEMBERED],
}

impl Default for Draft {
    fn default() -> Self {
        Draft {
            fresh: false,
            home: HOMELESS,
            slots: [0.0; PURSES],
            missing: f32::INFINITY,
            hand: None,
            before: 0.0,
            gains: [f32::NAN; REMEMBERED],
        }
    }
}

/// The drafts of a seat, by color.
#[derive(Clone, Debug, Default)]
pub(super) struct Drafts([Draft; COLORS]);

impl Drafts {
    /// Forgets what rests on these stars, as [`SeatTables::renew`](super::seat_tables::SeatTables::renew) returns them.
    #[inline]
    pub(super) fn forget(&mut self, stars: u8) {
        if stars != 0 {
            self.0.iter_mut().for_each(|draft| draft.fresh &= stars >> draft.home & 1 == 0);
        }
    }

    /// What tiles of a color are worth.
    #[inline]
    pub(super) fn of<'a>(&'a mut self, rater: &'a Rater<'a>, color: usize) -> Drafter<'a> {
        let draft = &mut self.0[color];
        if !draft.fresh || draft.home != rater.tables.homes[color] {
            draft.look_at_board(rater, color);
        }
        let hand = rater.board.hand();
        let (held, wilds) = (hand.count(color), hand.count(rater.stage.wild));
        let known = draft.hand == Some((held, wilds));
        let board = rater.board;
        let centered = board.accepted(CENTER_STAR) >> color & 1 == 1 && board.free(CENTER_STAR) != 0;
        let center = if centered { rater.weights.draft_center } else { 0.0 };
        let mut drafter = Drafter { rater, color, held, wilds, center, draft };
        if !known {
            drafter.look_at_hand();
        }
        drafter
    }
}

impl Draft {
    fn look_at_board(&mut self, rater: &Rater<'_>, color: usize) {
        *self = Draft { fresh: true, home: rater.tables.homes[color], ..Draft::default() };
        if self.home != HOMELESS {
            let star = StarRater::new(rater, self.home.into());
            self.missing = star.missing;
            self.slots = star.best_slots(rater.weights.draft_slot, rater.tables.prices[color]);
        }
    }
}

/// Rates acquired tiles of one color.
pub(super) struct Drafter<'a> {
    rater: &'a Rater<'a>,
    color: usize,
    held: u8,
    /// Wild tiles in the hand.
    wilds: u8,
    /// What any tile gains because the center takes the color.
    center: f32,
    draft: &'a mut Draft,
}

impl Drafter<'_> {
    fn look_at_hand(&mut self) {
        self.draft.hand = Some((self.held, self.wilds));
        self.draft.before = self.worth(self.held);
        self.draft.gains = [f32::NAN; REMEMBERED];
    }

    /// The worth of so many tiles in the hand.
    #[inline]
    fn worth(&self, tiles: u8) -> f32 {
        let (stage, weights) = (self.rater.stage, self.rater.weights);
        // A share of the wild tiles counts as held.
        let missing = self.draft.missing - weights.draft_share * f32::from(self.wilds) - f32::from(tiles);
        let star = star_worth(stage.star_points(StarKind::Plain(self.color)), missing, stage.draft_reach);
        let next = if self.color == stage.next_wild {
            weights.draft_next * f32::from(tiles.min(stage.rules.keep_limit))
        } else {
            0.0
        };
        let purse = if tiles == 0 { 0 } else { usize::from(tiles + self.wilds).min(PURSES - 1) };
        weights.draft_star * star + next + self.draft.slots[purse]
    }

    /// The gain of `count` tiles more in the hand.
    #[inline]
    pub(super) fn gain(&mut self, count: u8) -> f32 {
        if count == 0 {
            return 0.0;
        }
        let known = self.draft.gains.get(usize::from(count)).copied().unwrap_or(f32::NAN);
        let gain = if known.is_nan() { self.learn(count) } else { known };
        gain + self.center
    }

    /// The gain of `count` tiles more in the hand, but for what the center adds.
    fn learn(&mut self, count: u8) -> f32 {
        let gain = self.rater.stage.draft_tile * f32::from(count) + self.worth(self.held + count)
            - self.draft.before;
        if let Some(known) = self.draft.gains.get_mut(usize::from(count)) {
            *known = gain;
        }
        gain
    }

    /// The gain of a bonus tile.
    pub(super) fn bonus(&mut self) -> f32 {
        if self.color == self.rater.stage.wild { self.rater.weights.bonus_wild } else { self.gain(1) }
    }
}
