//! What rating any action needs to know: [`Rater`].

use azulejo::bits::positions;
use azulejo::summer_pavilion::{Action, Board, CENTER, COLORS, Color, SummerPavilion};
use azulejo::tiles::Tiles;

use super::SummerPavilionWeights;
use super::kind::ALL_COLORS;
use super::seat_tables::SeatTables;
use super::stage::Stage;

/// What rating any action of the player to move needs to know.
pub(super) struct Rater<'a> {
    pub state: &'a SummerPavilion,
    pub board: &'a Board,
    pub weights: &'a SummerPavilionWeights,
    pub stage: &'a Stage,
    pub tables: &'a SeatTables,
    /// For each color the tiles that can be paid for a tile of it: its own and the wild ones.
    purses: Tiles,
}

impl<'a> Rater<'a> {
    #[inline(always)]
    pub(super) fn new(
        state: &'a SummerPavilion,
        board: &'a Board,
        weights: &'a SummerPavilionWeights,
        stage: &'a Stage,
        tables: &'a SeatTables,
    ) -> Self {
        let hand = board.hand();
        let wilds = hand.count(stage.wild);
        let purses = hand + Tiles::each(COLORS, wilds) - Tiles::of(stage.wild, wilds);
        Rater { state, board, weights, stage, tables, purses }
    }

    /// What an acquisition brings beside the tiles of the color chosen: a wild tile, and the token.
    #[inline]
    pub(super) fn beside(&self, source: usize, own: u8, wilds: u8) -> f32 {
        let gain = self.stage.draft_wild * f32::from(wilds);
        if source == CENTER && self.state.token().is_none() {
            let lost = f32::from(self.stage.rules.center_penalty) * f32::from(own + wilds);
            gain + self.stage.token + self.weights.center * lost
        } else {
            gain
        }
    }

    /// The tiles that can be paid for a tile of a color.
    #[inline]
    pub(super) fn purse(&self, color: usize) -> u8 {
        self.purses.count(color)
    }

    #[inline]
    pub(super) fn price(&self, color: usize, own: u8, wilds: u8) -> f32 {
        self.tables.prices[color] * f32::from(own) + self.tables.prices[self.stage.wild] * f32::from(wilds)
    }

    /// What changes when all tiles in the hand are kept or discarded instead of spent.
    #[inline]
    pub(super) fn pass(&self) -> f32 {
        let hand = self.board.hand();
        let spendable = worth_of(&self.tables.prices, hand);
        self.kept_hand(hand, self.stage.rules.keep_limit) - spendable
    }

    /// What it costs to discard tiles.
    #[inline]
    pub(super) fn discard(&self, tiles: Tiles) -> f32 {
        f32::from(self.stage.rules.discard_penalty) * f32::from(tiles.total())
    }

    /// Which tiles of a hand, at most `limit`, are worth keeping.
    #[inline]
    pub(super) fn kept(&self, hand: Tiles, mut limit: u8) -> Tiles {
        let (mut kept, next_wild_set) = (Tiles::EMPTY, 1 << self.stage.next_wild);
        if !self.stage.keeps() {
            return kept;
        }
        if hand.total() <= limit {
            return hand;
        }
        let homeless = self.tables.homeless;
        let order = [next_wild_set, !homeless & !next_wild_set, homeless & !next_wild_set];
        for colors in order {
            for color in positions((colors & ALL_COLORS).into()) {
                let tiles = Tiles::of(color, hand.count(color).min(limit));
                limit -= tiles.total();
                kept += tiles;
                if limit == 0 {
                    return kept;
                }
            }
        }
        kept
    }

    /// The worth of a hand of which up to `limit` tiles are kept and the rest is discarded.
    #[inline]
    fn kept_hand(&self, hand: Tiles, limit: u8) -> f32 {
        let kept = self.kept(hand, limit);
        worth_of(&self.tables.kept_worth, kept) + self.discard(hand - kept)
    }

    pub(super) fn keep(&self, color: usize) -> f32 {
        let limit = self.stage.rules.keep_limit - self.board.kept().total() - 1;
        let rest = self.board.hand() - Tiles::of(color, 1);
        let keepable = rest.kinds_from(color);
        self.tables.kept_worth[color] + self.discard(rest - keepable) + self.kept_hand(keepable, limit)
    }

    /// The tiles that are still to be kept.
    pub(super) fn best_kept(&self) -> Tiles {
        let (hand, kept) = (self.board.hand(), self.board.kept());
        self.kept(hand.kinds_from(kept.last_kind()), self.stage.rules.keep_limit - kept.total())
    }

    /// The next tile to keep.
    pub(super) fn best_keep(&self) -> Action {
        self.best_kept().iter().next().map_or(Action::Done, |(color, _)| Action::Keep(Color::ALL[color]))
    }
}

/// The worth of tiles, each color having its own.
#[inline]
fn worth_of(worth: &[f32; COLORS], tiles: Tiles) -> f32 {
    worth.iter().enumerate().map(|(color, worth)| worth * f32::from(tiles.count(color))).sum()
}
