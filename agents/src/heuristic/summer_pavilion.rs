//! The hand-made evaluation of Summer Pavilion.

mod choice;
mod drafter;
mod geometry;
mod goals;
mod insights;
mod judge;
mod kind;
mod playout;
mod rater;
mod seat_tables;
mod stage;
mod star;
#[cfg(test)]
mod tests;
mod value;
mod value_weights;
mod weights;

use azulejo::summer_pavilion::{Action, SummerPavilion};
use azulejo::{Game, Generator};

use self::choice::Ties;
pub use self::judge::SummerPavilionJudge;
pub use self::playout::SummerPavilionPlayout;
use self::star::StarRater;

pub use self::value_weights::SummerPavilionValueWeights;
pub use self::weights::SummerPavilionWeights;
use super::{Goal, Heuristic, Strategy};

impl Heuristic for SummerPavilion {
    type Weights = SummerPavilionWeights;
    type Playout = SummerPavilionPlayout;

    const TEMPERATURE: f32 = 1.0;

    const KNOWN_RULES: &'static [&'static str] = &[
        "rounds",
        "center_penalty",
        "discard_penalty",
        "kept_penalty",
        "star_points",
        "mixed_star_points",
        "number_points",
    ];

    const GOALS: &'static [Goal<Self>] = goals::GOALS;

    const STRATEGIES: &'static [Strategy] = &[
        Strategy {
            name: "stars",
            about: "complete stars and nothing else",
            weights: "star = 12\nnumber = 0\nfeature = 0.1",
        },
        Strategy {
            name: "numbers",
            about: "all slots of a number",
            weights: "star = 2.5\nnumber = 4\nfeature = 0.5",
        },
        Strategy {
            name: "features",
            about: "pillars, statues and windows for bonus tiles",
            weights: "star = 5\nfeature = 2",
        },
        Strategy {
            name: "runs",
            about: "tiles side by side for points at once",
            weights: "star = 1\nnumber = 0\nfeature = 0.5\napart = 2",
        },
        Strategy {
            name: "keepers",
            about: "wild tiles kept for later rounds",
            weights: "keep = 4.2\nkeep_wild = 3.4",
        },
        Strategy {
            name: "center-avoiding",
            about: "never the start player token if it can be helped",
            weights: "token = -3\ncenter = 2",
        },
    ];

    fn rate_actions(&self, weights: &SummerPavilionWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let mut playout = SummerPavilionPlayout::default();
        let Some((rater, drafts)) = playout.rater(self, weights) else { return };
        let (board, wild) = (rater.board, rater.stage.wild);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Acquire { source, color } => {
                let tiles = self.source(source.into());
                let own = if color.index() == wild { 0 } else { tiles.count(color.index()) };
                drafts.of(&rater, color.index()).gain(own)
                    + rater.beside(source.into(), own, tiles.count(wild).min(1))
            }
            Action::Place { slot, color, wilds } => {
                let own = self.rules().side.cost(slot) - wilds;
                let star = StarRater::new(&rater, slot.star());
                star.gain(slot.position()) + star.step(slot.position(), star.kind.with(color.index()))
                    - rater.price(color.index(), own, wilds)
            }
            Action::Bonus(color) => drafts.of(&rater, color.index()).bonus(),
            Action::Pass => rater.pass(),
            Action::Keep(color) => rater.keep(color.index()),
            Action::Done => rater.discard(board.hand()),
        }));
    }

    fn best_action(
        &self,
        weights: &SummerPavilionWeights,
        rng: &mut Generator,
        _actions: &mut Vec<Action>,
        _ratings: &mut Vec<f32>,
    ) -> Action {
        SummerPavilionPlayout::default().best(self, weights, &mut Ties::Random(rng))
    }

    #[inline]
    fn play_best(
        &mut self,
        weights: &SummerPavilionWeights,
        playout: &mut SummerPavilionPlayout,
        rng: &mut Generator,
        _actions: &mut Vec<Action>,
        _ratings: &mut Vec<f32>,
    ) {
        playout.play(self, weights, &mut Ties::Random(rng));
    }
}
