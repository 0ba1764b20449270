//! Evaluators that do not play the game out: `Valuation`.

use std::fmt::Debug;

use azulejo::{Generator, PerPlayer, Turn};

use crate::arithmetic::exp;
use crate::cache::Cache;
use crate::evaluator::{Evaluator, Expectation, Utility};
use crate::heuristic::{Heuristic, POINT, StateValue};
use crate::rollout::{GreedyPolicy, Policy, play_out};

/// How far a state is played on before it is valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// Not at all.
    Here,
    /// By the greedy policy to the next chance node, before anything is drawn, or to the end of the game.
    Chance,
}

impl Horizon {
    /// Plays a state on up to the horizon.
    pub fn reach<G: Heuristic>(self, state: &mut G, policy: &mut GreedyPolicy<G>, rng: &mut Generator) {
        if self == Horizon::Chance {
            while let Turn::Player(_) = state.turn() {
                policy.play(state, rng);
            }
        }
    }
}

/// Something that corrects a game's own value of a state.
pub trait ValueCorrection<G: StateValue>: Debug + Send {
    /// The points that each seat is expected to end with, in a state that is not over and valued as it is
    /// ([`StateValue::horizon`]); `judge` is that of the game's own value.
    fn points(&mut self, state: &G, judge: &G::Judge) -> PerPlayer<f32>;
}

/// Judges a state by the game's own [`StateValue`], at once or at the end of the round under the greedy policy.
#[derive(Debug)]
pub(crate) struct Valuation<G: Heuristic + StateValue> {
    horizon: Horizon,
    policy: GreedyPolicy<G>,
    bench: Bench<G>,
    /// Corrects the value.
    correction: Option<Box<dyn ValueCorrection<G>>>,
    utility: Utility,
    /// The weight of the end of a game that the greedy policy plays on from there.
    playout: f32,
    /// What was found lately, by [`StateValue::value_key`]: different leaves may lead to one state on the horizon.
    known: Cache<Expectation>,
    rng: Generator,
}

/// Values that are kept, as a power of 2.
const KNOWN_BITS: u32 = 12;

/// Weights of a game's value, and the judge made of them for the rules and the number of players last seen.
#[derive(Debug)]
pub(crate) struct Bench<G: StateValue> {
    weights: G::ValueWeights,
    judge: Option<(&'static G::Rules, usize, G::Judge)>,
}

impl<G: StateValue> Bench<G> {
    /// A bench without a judge.
    pub(crate) fn new(weights: G::ValueWeights) -> Self {
        Bench { weights, judge: None }
    }

    /// The judge for a state.
    pub(crate) fn judge(&mut self, state: &G) -> &mut G::Judge {
        let (rules, players) = (state.rules(), state.players());
        if self.judge.as_ref().is_none_or(|judge| !(std::ptr::eq(judge.0, rules) && judge.1 == players)) {
            self.judge = Some((rules, players, G::judge(rules, players, &self.weights)));
        }
        &mut self.judge.as_mut().expect("it has just been made").2
    }
}

/// A lead of this many points is worth odds of e to 1 of winning.
const WIN_LEAD: f32 = 8.0;

impl<G: Heuristic + StateValue> Valuation<G> {
    /// Valuation by weights, after the greedy policy has played to the horizon.
    pub(crate) fn new(
        horizon: Horizon,
        policy: GreedyPolicy<G>,
        weights: G::ValueWeights,
        utility: Utility,
    ) -> Self {
        let nothing = utility.expectation(PerPlayer::splat(0, 0.0), &PerPlayer::splat(0, 0.0));
        let (bench, known) = (Bench::new(weights), Cache::new(KNOWN_BITS, nothing));
        Valuation {
            horizon,
            policy,
            bench,
            correction: None,
            utility,
            playout: 0.0,
            known,
            rng: Generator::new(0),
        }
    }

    /// The same with a correction of the value.
    #[must_use]
    pub(crate) fn with_correction(self, correction: Box<dyn ValueCorrection<G>>) -> Self {
        Valuation { correction: Some(correction), ..self }
    }

    /// The same with the end of a game that the greedy policy plays on from there, and its weight, 0 to 1; the rest is the value's.
    #[must_use]
    pub(crate) fn with_playout(self, weight: f32) -> Self {
        Valuation { playout: weight.clamp(0.0, 1.0), ..self }
    }

    /// What each seat can expect in a state that is not over, without playing on.
    fn value_here(&mut self, state: &G) -> Expectation {
        let key = state.value_key();
        if let Some(known) = key.and_then(|key| self.known.get(key)) {
            return *known;
        }
        let points = self.points(state);
        let expected = self.utility.expectation(win_shares(&points), &points);
        if let Some(key) = key {
            self.known.insert(key, expected);
        }
        expected
    }

    /// The points that each seat is expected to end with.
    fn points(&mut self, state: &G) -> PerPlayer<f32> {
        let judge = self.bench.judge(state);
        match &mut self.correction {
            Some(correction) => correction.points(state, judge),
            None => state.values(judge, &state.shares(judge)).map(|value| value as f32 / POINT as f32),
        }
    }
}

impl<G: Heuristic + StateValue> Evaluator<G> for Valuation<G> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
    }

    fn value(&mut self, state: &G) -> Expectation {
        let mut state = *state;
        self.horizon.reach(&mut state, &mut self.policy, &mut self.rng);
        if state.turn() != Turn::Over {
            state = state.horizon().unwrap_or(state);
        }
        if state.turn() == Turn::Over {
            return self.utility.of(&state);
        }
        let by_value = self.value_here(&state);
        if self.playout == 0.0 {
            return by_value;
        }
        play_out(&mut state, &mut self.policy, &mut self.rng);
        by_value.mixed(self.playout, &self.utility.of(&state))
    }

    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        visit(&mut self.rng);
    }
}

/// The shares of the win when these are the points that the seats are expected to end with: they are taken to be in
/// proportion to e^(points / 8).
pub(crate) fn win_shares(points: &PerPlayer<f32>) -> PerPlayer<f32> {
    let best = points.iter().map(|(_, points)| *points).fold(f32::NEG_INFINITY, f32::max);
    let strength = points.map(|points| exp((points - best) / WIN_LEAD));
    let total: f32 = strength.iter().map(|(_, strength)| strength).sum();
    strength.map(|strength| strength / total)
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::summer_pavilion::{SummerPavilion, SummerPavilionRules};
    use azulejo::{Game, Seat, intern};

    use super::*;
    use crate::rollout::Rollout;

    fn evaluate(horizon: Horizon, state: &Azul) -> Expectation {
        let policy = GreedyPolicy::new(Default::default());
        let mut valuation = Valuation::new(horizon, policy, Default::default(), Utility { margin: 0.5 });
        valuation.value(state)
    }

    #[test]
    fn a_lead_is_a_likely_win() {
        let expected = |margin, points: PerPlayer<f32>| {
            Utility { margin }.expectation(win_shares(&points), &points).utility
        };
        let even = expected(0.5, PerPlayer::splat(3, 40.0));
        assert!(
            even.iter().all(|(_, value)| (value + 1.0 / 6.0).abs() < 1e-6),
            "a third of the win: {even:?}"
        );
        let points = PerPlayer::from_fn(2, |seat| [48.0, 40.0][seat.index()]);
        let ahead = expected(0.0, points);
        let share = 1.0 / (1.0 + exp(-1.0));
        assert!((ahead[Seat::new(0)] - (2.0 * share - 1.0)).abs() < 1e-6);
        assert!((ahead[Seat::new(0)] + ahead[Seat::new(1)]).abs() < 1e-6);
    }

    /// Where the round that is played on is the last one, the game's result counts, and not what its points make likely.
    #[test]
    fn an_end_that_is_reached_on_the_way_counts_as_what_it_is() {
        let (mut rng, mut buffer, mut ends) = (Generator::new(4), Vec::new(), 0);
        let (policy, utility) = (GreedyPolicy::new(Default::default()), Utility { margin: 0.5 });
        let mut valuation = Valuation::new(Horizon::Here, policy, Default::default(), utility);
        let mut state = SummerPavilion::new(intern(SummerPavilionRules::default()), 3);
        while state.turn() != Turn::Over {
            if let Some(end) = state.horizon().filter(|end| end.turn() == Turn::Over) {
                assert_eq!(valuation.value(&state), utility.of(&end), "{state}");
                ends += 1;
            }
            state.play_random(&mut rng, &mut buffer);
        }
        assert!(ends > 20, "{ends} states of the last round");
    }

    #[test]
    fn the_end_of_a_greedy_game_has_its_share_of_the_value() {
        let (utility, greedy) = (Utility { margin: 0.5 }, || GreedyPolicy::<Azul>::new(Default::default()));
        let mut valuations = [0.0, 0.25, 1.0].map(|weight| {
            Valuation::new(Horizon::Chance, greedy(), Default::default(), utility).with_playout(weight)
        });
        let (mut rollout, mut rng, mut buffer) =
            (Rollout::new(greedy(), utility), Generator::new(5), Vec::new());
        let mut state = Azul::new(intern(AzulRules::default()), 3);
        while state.turn() != Turn::Over {
            let judge = |evaluator: &mut dyn Evaluator<Azul>| {
                evaluator.reseed(1);
                evaluator.value(&state).utility
            };
            let [plain, mixed, ended] = valuations.each_mut().map(|valuation| judge(valuation));
            let end = judge(&mut rollout);
            for (seat, mixed) in mixed.iter() {
                assert!((mixed - (0.75 * plain[seat] + 0.25 * end[seat])).abs() < 1e-5);
                assert!((ended[seat] - end[seat]).abs() < 1e-5);
            }
            state.play_random(&mut rng, &mut buffer);
        }
    }

    #[test]
    fn every_state_of_a_game_has_a_utility() {
        let (mut rng, mut buffer) = (Generator::new(3), Vec::new());
        let mut state = Azul::new(intern(AzulRules::default()), 4);
        while state.turn() != Turn::Over {
            for horizon in [Horizon::Here, Horizon::Chance] {
                let values = evaluate(horizon, &state).utility;
                assert!(values.iter().all(|(_, value)| value.abs() <= 1.0), "{values:?}\n{state}");
            }
            state.play_random(&mut rng, &mut buffer);
        }
    }
}
