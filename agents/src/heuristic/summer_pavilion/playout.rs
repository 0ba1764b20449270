//! Greedy play that remembers what it has worked out: [`SummerPavilionPlayout`].

use azulejo::summer_pavilion::{Action, Color, Phase, SummerPavilion};
use azulejo::{Game, Turn};

use super::SummerPavilionWeights;
use super::choice::{Ties, best_acquisition, best_bonus, best_placement};
use super::drafter::Drafts;
use super::rater::Rater;
use super::seat_tables::SeatTables;
use super::stage::Stage;

/// What greedy play remembers of the seats: a board changes by one slot at a time, and not at all while tiles are
/// acquired.
///
/// One value serves one set of weights, and any states.
#[derive(Debug, Default)]
pub struct SummerPavilionPlayout {
    stage: Option<Stage>,
    seats: [SeatMemory; *SummerPavilion::PLAYERS.end()],
}

/// What is remembered of a seat.
#[derive(Clone, Debug, Default)]
struct SeatMemory {
    tables: SeatTables,
    drafts: Drafts,
}

impl SummerPavilionPlayout {
    /// What rating the actions of the player to move needs to know, and that seat's drafts; `None` if no player is.
    #[inline]
    pub(super) fn rater<'a>(
        &'a mut self,
        state: &'a SummerPavilion,
        weights: &'a SummerPavilionWeights,
    ) -> Option<(Rater<'a>, &'a mut Drafts)> {
        let Turn::Player(seat) = state.turn() else { return None };
        let (rules, round) = (state.rules(), state.round() as u8);
        match &self.stage {
            Some(stage) if std::ptr::eq(stage.rules, rules) => {
                if stage.round != round {
                    self.stage = Some(Stage::new(rules, round, weights));
                }
            }
            _ => {
                let stage = Some(Stage::new(rules, round, weights));
                *self = SummerPavilionPlayout { stage, ..Default::default() };
            }
        }
        let stage = self.stage.as_ref().expect("it has been made for these rules and this round");
        let (board, memory) = (state.board(seat), &mut self.seats[seat.index()]);
        memory.drafts.forget(memory.tables.renew(stage, weights, board));
        Some((Rater::new(state, board, weights, stage, &memory.tables), &mut memory.drafts))
    }

    /// The legal action of the highest rating.
    ///
    /// # Panics
    /// If no player is to move.
    pub(super) fn best(
        &mut self,
        state: &SummerPavilion,
        weights: &SummerPavilionWeights,
        ties: &mut Ties<'_>,
    ) -> Action {
        let (rater, drafts) = self.rater(state, weights).expect("a player is to move");
        match state.phase() {
            Phase::Acquire => best_acquisition(&rater, drafts, ties),
            Phase::Place => best_placement(&rater, ties),
            Phase::Bonus => best_bonus(&rater, drafts, ties),
            Phase::Keep => rater.best_keep(),
            Phase::Deal | Phase::Supply | Phase::Over => unreachable!("a player is to move"),
        }
    }

    /// Plays the action of the highest rating; the tiles that are kept are kept all at once.
    ///
    /// # Panics
    /// If no player is to move.
    #[inline]
    pub(super) fn play(
        &mut self,
        state: &mut SummerPavilion,
        weights: &SummerPavilionWeights,
        ties: &mut Ties<'_>,
    ) {
        if state.phase() != Phase::Keep {
            return state.apply(self.best(state, weights, ties));
        }
        let (rater, _) = self.rater(state, weights).expect("a player is to move");
        let wanted = rater.best_kept();
        for (color, count) in wanted.iter() {
            (0..count).for_each(|_| state.apply(Action::Keep(Color::ALL[color])));
        }
        // The turn ends by itself where no more can be kept.
        if state.phase() == Phase::Keep {
            state.apply(Action::Done);
        }
    }
}
