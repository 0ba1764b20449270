//! What a state of Summer Pavilion is worth: the points that each seat is expected to end with.

use azulejo::summer_pavilion::{Action, CENTER, COLORS, Phase, SummerPavilion, SummerPavilionRules};
use azulejo::{Game, PerPlayer, Seat};

use super::SummerPavilionWeights;
use super::judge::{MOST_LEFT, SummerPavilionJudge};
use super::plan::best_use;
use super::value_weights::SummerPavilionValueWeights;
use crate::heuristic::{Candidate, Heuristic, Millipoints, POINT, StateValue, millipoints};

/// What one seat's board and hand are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SummerPavilionShare {
    /// As if no tile of the round had been taken yet.
    before: Millipoints,
    /// As if no tile can be taken any more in this round.
    after: Millipoints,
}

impl StateValue for SummerPavilion {
    type ValueWeights = SummerPavilionValueWeights;
    type Judge = SummerPavilionJudge;
    type Share = SummerPavilionShare;

    fn judge(
        rules: &'static SummerPavilionRules,
        players: usize,
        weights: &SummerPavilionValueWeights,
    ) -> SummerPavilionJudge {
        SummerPavilionJudge::new(rules, players, weights)
    }

    fn share(&self, judge: &SummerPavilionJudge, seat: Seat) -> SummerPavilionShare {
        let board = self.board(seat);
        let rounds = self.rules().rounds;
        let left = usize::from(rounds - self.round() as u8);
        let next_wild = if left > 0 { self.rules().wild(self.round() as u8 + 1).index() } else { COLORS };
        let left = left.min(MOST_LEFT);
        let score = Millipoints::from(board.score()) * POINT;
        let mut share = SummerPavilionShare::default();
        if matches!(self.phase(), Phase::Deal | Phase::Acquire) {
            let starts = match self.phase() {
                Phase::Deal => self.starting_seat() == seat,
                _ => self.token() == Some(seat),
            };
            let come = (left + 1).min(MOST_LEFT);
            let hand = board.hand();
            let count = |color: usize| if color < COLORS { Millipoints::from(hand.count(color)) } else { 0 };
            share.before = score
                + judge.promise(board, come)
                + judge.tile[come] * Millipoints::from(hand.total())
                + judge.wild[come] * count(self.wild().index())
                + judge.next_wild * count(next_wild)
                + if starts { judge.start } else { 0 };
        }
        if self.phase() != Phase::Deal {
            let starts = left > 0 && self.token() == Some(seat);
            let kept = board.kept();
            let kept_wild = if left > 0 { kept.count(next_wild) } else { 0 };
            share.after = score
                + judge.promise(board, left)
                + best_use(self, judge, board, left, next_wild)
                + judge.price(left, false) * Millipoints::from(kept.total() - kept_wild)
                + judge.price(left, true) * Millipoints::from(kept_wild)
                + if starts { judge.start } else { 0 };
        }
        share
    }

    #[inline]
    fn shares_after(
        &self,
        judge: &SummerPavilionJudge,
        mover: Seat,
        before: &PerPlayer<SummerPavilionShare>,
    ) -> PerPlayer<SummerPavilionShare> {
        if self.phase() == Phase::Deal {
            return self.shares(judge);
        }
        let mut after = *before;
        after[mover] = self.share(judge, mover);
        if self.phase() != Phase::Acquire {
            for seat in Seat::all(self.players()) {
                after[seat].before = 0;
            }
        }
        after
    }

    fn values(
        &self,
        judge: &SummerPavilionJudge,
        shares: &PerPlayer<SummerPavilionShare>,
    ) -> PerPlayer<Millipoints> {
        match self.phase() {
            Phase::Deal => shares.map(|share| share.before),
            Phase::Acquire => {
                let here: i32 =
                    (0..=self.factories()).map(|source| i32::from(self.source(source).total())).sum();
                let here = here.min(judge.deal);
                shares.map(|share| {
                    share.after
                        + ((share.before - share.after) as i64 * here as i64 / judge.deal as i64) as i32
                })
            }
            _ => shares.map(|share| share.after),
        }
    }

    /// Bonus tiles and tiles to keep are taken before anything else happens.
    fn is_settled(&self) -> bool {
        !matches!(self.phase(), Phase::Bonus | Phase::Keep)
    }

    fn list(
        &self,
        _judge: &SummerPavilionJudge,
        candidates: &mut Vec<Candidate<Action>>,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) {
        self.legal_actions(actions);
        self.rate_actions(&SummerPavilionWeights::default(), actions, ratings);
        candidates.clear();
        let rated = actions.iter().zip(ratings.iter());
        let alike = |action: &Action| match *action {
            Action::Acquire { source, .. } => {
                let source = usize::from(source);
                (CENTER + 1..source).any(|other| self.source(other) == self.source(source))
            }
            _ => false,
        };
        candidates.extend(
            rated
                .filter(|(action, _)| !alike(action))
                .map(|(&action, &rating)| Candidate { action, rating: millipoints(rating) }),
        );
    }
}
