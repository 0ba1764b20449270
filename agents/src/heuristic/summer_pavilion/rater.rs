//! What rating any action needs to know: [`Rater`].

use azulejo::summer_pavilion::{Action, Board, CENTER, COLORS, Color, SummerPavilion, SummerPavilionRules};
use azulejo::tiles::Tiles;
use azulejo::{Game, Seat, Turn};

use super::SummerPavilionWeights;
use super::kind::{HOMELESS, StarKind, homes};

/// What rating any action of the player to move needs to know.
pub(super) struct Rater<'a> {
    pub state: &'a SummerPavilion,
    pub rules: &'static SummerPavilionRules,
    pub seat: Seat,
    pub board: &'a Board,
    pub weights: &'a SummerPavilionWeights,
    pub wild: usize,
    /// The color that will be wild in the next round; [`COLORS`] if there is none.
    pub next_wild: usize,
    /// For each color the star in which its tiles are most at home.
    pub homes: [u8; COLORS],
    /// The rounds that follow this one.
    pub left: f32,
    /// 1 in the first round, 0 in the last.
    early: f32,
    pub draft_tile: f32,
    pub draft_wild: f32,
    pub token: f32,
}

impl<'a> Rater<'a> {
    #[inline]
    pub(super) fn new(state: &'a SummerPavilion, weights: &'a SummerPavilionWeights) -> Option<Self> {
        match state.turn() {
            Turn::Player(seat) => Some(Rater::of(state, seat, weights)),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// The rater for any seat, whoever is to move.
    #[inline]
    pub(super) fn of(state: &'a SummerPavilion, seat: Seat, weights: &'a SummerPavilionWeights) -> Self {
        let (rules, board) = (state.rules(), state.board(seat));
        let round = state.round() as u8;
        let left = rules.rounds - round;
        let early = f32::from(left) / f32::from(rules.rounds.max(2) - 1);
        let between = |early_value: f32, late_value: f32| late_value + (early_value - late_value) * early;
        Rater {
            state,
            rules,
            seat,
            board,
            weights,
            wild: state.wild().index(),
            next_wild: if left > 0 { rules.wild(round + 1).index() } else { COLORS },
            homes: homes(rules.side, board),
            left: left.into(),
            early,
            draft_tile: between(weights.draft_tile_early, weights.draft_tile_late),
            draft_wild: between(weights.draft_wild_early, weights.draft_wild_late),
            token: if left > 0 { weights.token } else { 0.0 },
        }
    }

    #[inline]
    pub(super) fn between(&self, early: f32, late: f32) -> f32 {
        late + (early - late) * self.early
    }

    /// The worth of a star's points when it lacks `missing` tiles of `reach` that may still come.
    #[inline]
    pub(super) fn star_worth(&self, kind: StarKind, missing: f32, reach: f32) -> f32 {
        let points = match kind {
            StarKind::Plain(color) => self.rules.star_points[color],
            StarKind::Mixed => self.rules.mixed_star_points,
            StarKind::Open(_) => return 0.0,
        };
        let share = if missing <= 0.0 { 1.0 } else { (1.0 - missing / reach.max(0.1)).max(0.0) };
        f32::from(points) * share * share
    }

    /// What an acquisition brings beside the tiles of the color chosen: a wild tile, and the token.
    #[inline]
    pub(super) fn beside(&self, source: usize, own: u8, wilds: u8) -> f32 {
        let gain = self.draft_wild * f32::from(wilds);
        if source == CENTER && self.state.token().is_none() {
            let lost = f32::from(self.rules.center_penalty) * f32::from(own + wilds);
            gain + self.token + self.weights.center * lost
        } else {
            gain
        }
    }

    /// The worth of one tile of a color in the next round, or if there is none at the end.
    #[inline]
    pub(super) fn kept_worth(&self, color: usize) -> f32 {
        if self.next_wild == COLORS {
            self.last_kept()
        } else if color == self.next_wild {
            self.weights.keep + self.weights.keep_wild
        } else if self.homes[color] == HOMELESS {
            self.weights.keep * self.weights.homeless
        } else {
            self.weights.keep
        }
    }

    /// What it costs to discard tiles.
    #[inline]
    pub(super) fn discard(&self, tiles: Tiles) -> f32 {
        f32::from(self.rules.discard_penalty) * f32::from(tiles.total())
    }

    /// The worth of a tile kept in the last round. Where it costs no less than a discarded one, it also costs
    /// time.
    #[inline]
    fn last_kept(&self) -> f32 {
        f32::from(self.rules.kept_penalty) - if self.keeps_at_the_end() { 0.0 } else { 1.0 }
    }

    /// Whether a tile that is kept at the end costs less than a discarded one.
    #[inline]
    fn keeps_at_the_end(&self) -> bool {
        self.rules.kept_penalty > self.rules.discard_penalty
    }

    /// Which tiles of a hand, at most `limit`, are worth keeping.
    #[inline]
    pub(super) fn kept(&self, hand: Tiles, mut limit: u8) -> Tiles {
        let mut kept = Tiles::EMPTY;
        if self.next_wild == COLORS && !self.keeps_at_the_end() {
            return kept;
        }
        let mut take = |color: usize| {
            let tiles = Tiles::of(color, hand.count(color).min(limit));
            limit -= tiles.total();
            kept += tiles;
        };
        take(self.next_wild);
        for homeless in [false, true] {
            for color in (0..COLORS).filter(|&color| color != self.next_wild) {
                if (self.homes[color] == HOMELESS) == homeless {
                    take(color);
                }
            }
        }
        kept
    }

    /// The worth of a hand of which up to `limit` tiles are kept and the rest is discarded.
    pub(super) fn kept_hand(&self, hand: Tiles, limit: u8) -> f32 {
        let kept = self.kept(hand, limit);
        let worth: f32 = (0..COLORS).map(|color| self.kept_worth(color) * f32::from(kept.count(color))).sum();
        worth + self.discard(hand - kept)
    }

    pub(super) fn keep(&self, color: usize) -> f32 {
        let limit = self.rules.keep_limit - self.board.kept().total() - 1;
        let rest = self.board.hand() - Tiles::of(color, 1);
        let keepable = rest.kinds_from(color);
        self.kept_worth(color) + self.discard(rest - keepable) + self.kept_hand(keepable, limit)
    }

    /// The next tile to keep.
    pub(super) fn best_keep(&self) -> Action {
        let (hand, kept) = (self.board.hand(), self.board.kept());
        let keepable = hand.kinds_from(kept.last_kind());
        let wanted = self.kept(keepable, self.rules.keep_limit - kept.total());
        wanted.iter().next().map_or(Action::Done, |(color, _)| Action::Keep(Color::ALL[color]))
    }
}
