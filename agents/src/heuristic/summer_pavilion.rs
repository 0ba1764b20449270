//! The hand-made evaluation of Summer Pavilion.

mod choice;
mod drafter;
mod geometry;
mod judge;
mod kind;
mod placer;
mod rater;
mod star;
#[cfg(test)]
mod tests;
mod value;
mod value_weights;
mod weights;

use azulejo::summer_pavilion::{Action, Phase, SummerPavilion};
use azulejo::{Game, Generator};

use self::choice::{Ties, best_acquisition, best_bonus, best_placement};
use self::drafter::{Drafter, bonus};
pub use self::judge::SummerPavilionJudge;
use self::placer::Placer;
use self::rater::Rater;
use self::star::StarRater;

pub use self::value_weights::SummerPavilionValueWeights;
pub use self::weights::SummerPavilionWeights;
use super::{Heuristic, Strategy};

impl Heuristic for SummerPavilion {
    type Weights = SummerPavilionWeights;

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
        let Some(rater) = Rater::new(self, weights) else { return };
        let placer = Placer::new(&rater);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Acquire { source, color } => {
                let tiles = self.source(source.into());
                let own = if color == self.wild() { 0 } else { tiles.count(color.index()) };
                let drafter = Drafter::new(&placer, color.index());
                drafter.gain(own) + rater.beside(source.into(), own, tiles.count(rater.wild).min(1))
            }
            Action::Place { slot, color, wilds } => {
                let own = self.rules().side.cost(slot) - wilds;
                let star = StarRater::new(&placer, slot.star());
                star.gain(slot.position()) + star.step(slot.position(), star.kind.with(color.index()))
                    - placer.price(color.index(), own, wilds)
            }
            Action::Bonus(color) => bonus(&placer, color.index()),
            Action::Pass => placer.pass(),
            Action::Keep(color) => rater.keep(color.index()),
            Action::Done => rater.discard(self.board(rater.seat).hand()),
        }));
    }

    fn best_action(
        &self,
        weights: &SummerPavilionWeights,
        rng: &mut Generator,
        _actions: &mut Vec<Action>,
        _ratings: &mut Vec<f32>,
    ) -> Action {
        chosen(self, weights, &mut Ties::Random(rng))
    }
}

/// The legal action of the highest rating.
///
/// # Panics
/// If no player is to move.
fn chosen(state: &SummerPavilion, weights: &SummerPavilionWeights, ties: &mut Ties<'_>) -> Action {
    let rater = Rater::new(state, weights).expect("a player is to move");
    match state.phase() {
        Phase::Acquire => best_acquisition(&Placer::new(&rater), ties),
        Phase::Place => best_placement(&Placer::new(&rater), ties),
        Phase::Bonus => best_bonus(&Placer::new(&rater), ties),
        Phase::Keep => rater.best_keep(),
        Phase::Deal | Phase::Supply | Phase::Over => unreachable!("a player is to move"),
    }
}
