//! The end of the last round of Summer Pavilion.
//!
//! Once nobody can earn bonus tiles any more, the players go on each with the tiles in hand, on a board of their own: the
//! worth follows from the most points that each of them can reach alone. That is so even if one of them, and no other, can
//! still earn bonus tiles once: they come from the supply as it lies, and what it is filled up with afterwards is of no use to
//! anybody.

use std::cmp::Ordering;

use azulejo::summer_pavilion::{Action, COLORS, Color, Phase, SummerPavilion};
use azulejo::tiles::Tiles;
use azulejo::{Game, Generator, Seat};

use super::budget::{Budget, Halt};
use super::endgame::Endgame;
use super::solo::{Apart, Solo};
use super::worth::{Worth, WorthRange};

/// What a seat holds at the beginning of a turn: the slots of each color, the hand, and its points where they are few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PavilionHolding {
    slots: [u64; COLORS],
    hand: Tiles,
    points: i16,
}

/// What is known of what each seat can reach.
pub struct PavilionOutlook(Solo<SummerPavilion>);

impl Apart for SummerPavilion {
    type Holding = PavilionHolding;

    fn holding(&self, seat: Seat) -> Option<PavilionHolding> {
        if self.phase() != Phase::Place {
            return None;
        }
        let (board, rules) = (self.board(seat), self.rules());
        // Each tile in hand, and each that it may still take, costs so much at most.
        let tiles = i16::from(board.hand().total() + self.supply().total());
        let loss = rules.discard_penalty.min(rules.kept_penalty) * tiles;
        let points = if board.score() + loss < 0 { board.score() } else { i16::MAX };
        let slots = Color::ALL.map(|color| board.slots_of(color));
        Some(PavilionHolding { slots, hand: board.hand(), points })
    }

    fn leave(&self) -> Option<Action> {
        match self.phase() {
            Phase::Place => Some(Action::Pass),
            Phase::Keep => Some(Action::Done),
            // Which tiles another seat takes is all the same to one that takes none.
            Phase::Bonus => self.supply().iter().next().map(|(color, _)| Action::Bonus(Color::ALL[color])),
            _ => None,
        }
    }

    fn is_drawing(&self) -> bool {
        self.phase() == Phase::Bonus
    }

    fn skip_chance(&mut self) -> bool {
        let is_supply = self.phase() == Phase::Supply;
        if is_supply {
            self.play_chance(&mut Generator::new(0));
        }
        is_supply
    }

    fn is_contested(_action: Action) -> bool {
        false
    }

    fn choices(&self, actions: &mut Vec<Action>) {
        self.legal_actions(actions);
    }
}

impl Endgame for SummerPavilion {
    type Image = [u64; 1];
    type Outlook = PavilionOutlook;

    fn outlook(&self) -> PavilionOutlook {
        PavilionOutlook(Solo::new(self.players(), true))
    }

    fn is_chance_free(&self, outlook: &mut PavilionOutlook, budget: &mut Budget<'_>) -> Result<bool, Halt> {
        // Otherwise the supply is filled up as soon as anybody pays with more than one tile.
        let is_filled = self.supply().total() >= self.rules().supply
            || self.phase() == Phase::Bonus && !(self.bag() + self.depot()).is_empty();
        if self.round() < self.rules().rounds.into() {
            return Ok(false);
        }
        Ok(self.range(outlook, budget)? != WorthRange::ALL && (is_filled || outlook.0.drawers == 0))
    }

    fn image(
        &self,
        _outlook: &mut PavilionOutlook,
        _budget: &mut Budget<'_>,
    ) -> Result<Option<[u64; 1]>, Halt> {
        Ok(None)
    }

    fn range(&self, outlook: &mut PavilionOutlook, budget: &mut Budget<'_>) -> Result<WorthRange, Halt> {
        let mut points = [0; 2];
        for (points, seat) in points.iter_mut().zip(Seat::all(2)) {
            *points = match outlook.0.most_points(self, seat, budget) {
                // A bonus comes from what is still to be drawn.
                Err(Halt::Chance) => return Ok(WorthRange::ALL),
                points => points?,
            };
        }
        if outlook.0.drawers == 0b11 {
            return Ok(WorthRange::ALL);
        }
        Ok(WorthRange::only(Worth::new(points[0] - points[1], Ordering::Equal)))
    }
}
