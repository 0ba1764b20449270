//! What a state of Summer Pavilion is worth: the points that each seat is expected to end with.
//!
//! What a hand is worth in the middle of a round depends on everything that it can pay for and on what others
//! leave, so the round is played to its end first, by the actions of the highest rating. At the deal that
//! follows, hands are small and a board's promise counts; after the last round the points are final.

use azulejo::summer_pavilion::{Action, CENTER, Phase, SummerPavilion, SummerPavilionRules};
use azulejo::{Game, Generator, PerPlayer, Seat, Turn};

use super::choice::Ties;
use super::insights;
use super::judge::SummerPavilionJudge;
use super::value_weights::SummerPavilionValueWeights;
use super::{SummerPavilionPlayout, SummerPavilionWeights};
use crate::evaluator::RolloutKind;
use crate::heuristic::{Candidate, Heuristic, Insights, Millipoints, POINT, StateValue, millipoints};

impl StateValue for SummerPavilion {
    type ValueWeights = SummerPavilionValueWeights;
    type Judge = SummerPavilionJudge;
    /// Values are worked out at the end of the round, where no board is as it was.
    type Share = ();

    const ROLLOUT: RolloutKind = RolloutKind::Greedy;

    /// The round is played to its end by the rules, so what it costs is counted.
    const KNOWN_RULES: &'static [&'static str] = &[
        "rounds",
        "starting_score",
        "handicap",
        "center_penalty",
        "discard_penalty",
        "kept_penalty",
        "star_points",
        "mixed_star_points",
        "number_points",
    ];

    fn judge(
        rules: &'static SummerPavilionRules,
        _players: usize,
        weights: &SummerPavilionValueWeights,
    ) -> SummerPavilionJudge {
        SummerPavilionJudge::new(rules, weights)
    }

    fn share(&self, _judge: &SummerPavilionJudge, _seat: Seat) {}

    fn values(&self, judge: &SummerPavilionJudge, _shares: &PerPlayer<()>) -> PerPlayer<Millipoints> {
        let at_deal = self.horizon().unwrap_or(*self);
        PerPlayer::from_fn(self.players(), |seat| value_at_deal(&at_deal, judge, seat))
    }

    fn horizon(&self) -> Option<Self> {
        (self.phase() != Phase::Deal && self.turn() != Turn::Over).then(|| {
            let mut state = *self;
            play_round(&mut state);
            state
        })
    }

    const INSIGHTS: Insights = insights::INSIGHTS;

    fn table_insights(&self, numbers: &mut Vec<f32>) {
        insights::table(self, numbers);
    }

    fn seat_insights(&self, judge: &SummerPavilionJudge, seat: Seat, numbers: &mut Vec<f32>) {
        insights::seat(self, judge, seat, numbers);
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

/// Plays the actions of the highest rating to the next deal or the end of the game. The tiles that come into
/// the supply are drawn at random, always the same ones in the same state.
fn play_round(state: &mut SummerPavilion) {
    let weights = SummerPavilionWeights::default();
    let mut playout = SummerPavilionPlayout::default();
    let mut rng = Generator::new(0);
    loop {
        match state.turn() {
            Turn::Player(_) => playout.play(state, &weights, &mut Ties::Ranked),
            Turn::Chance if state.phase() == Phase::Supply => state.play_chance(&mut rng),
            Turn::Chance | Turn::Over => return,
        }
    }
}

/// The points that a seat is expected to end with at a deal, or has at the end.
fn value_at_deal(state: &SummerPavilion, judge: &SummerPavilionJudge, seat: Seat) -> Millipoints {
    let (board, round) = (state.board(seat), state.round());
    let points = Millipoints::from(board.score()) * POINT;
    if state.turn() == Turn::Over {
        return points;
    }
    let start = if state.starting_seat() == seat { judge.start() } else { 0 };
    points + judge.promise(round, board) + judge.kept(round, board.hand()) + start
}
