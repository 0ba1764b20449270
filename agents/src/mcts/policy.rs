//! In which order a node's actions are tried, and how likely each is to be good: [`ValuePolicy`].

use std::task::Poll;

use azulejo::Generator;

use crate::arithmetic::exp;
use crate::evaluator::{Evaluator, Expectation};
use crate::heuristic::{Candidate, Heuristic, POINT, StateValue};
use crate::valuation::Bench;

/// An evaluator's values, with a policy made of the game's own value: the expected points after each action for the player
/// to move, best first, and probabilities in proportion to exp(points / temperature). Of actions that lead to the same only
/// one is listed.
pub struct ValuePolicy<G: StateValue> {
    values: Box<dyn Evaluator<G>>,
    bench: Bench<G>,
    temperature: f32,
    candidates: Vec<Candidate<G::Action>>,
    ratings: Vec<f32>,
}

impl<G: Heuristic + StateValue> ValuePolicy<G> {
    /// The policy by these weights of the game's value; `temperature` is a multiple, above 0, of the game's own
    /// [`TEMPERATURE`](Heuristic::TEMPERATURE).
    pub fn new(values: Box<dyn Evaluator<G>>, weights: G::ValueWeights, temperature: f32) -> Self {
        ValuePolicy {
            values,
            bench: Bench::new(weights),
            temperature: temperature * G::TEMPERATURE,
            candidates: Vec::new(),
            ratings: Vec::new(),
        }
    }
}

impl<G: StateValue> Evaluator<G> for ValuePolicy<G> {
    fn reseed(&mut self, seed: u64) {
        self.values.reseed(seed);
    }

    fn prepare(&mut self, root: &G) {
        self.values.prepare(root);
        root.prepare(self.bench.judge(root));
    }

    fn value(&mut self, state: &G) -> Expectation {
        self.values.value(state)
    }

    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        self.values.visit_generators(visit);
    }

    fn policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) {
        state.list(self.bench.judge(state), &mut self.candidates, actions, &mut self.ratings);
        self.candidates.sort_unstable_by(|a, b| b.rating.cmp(&a.rating).then(a.action.cmp(&b.action)));
        let best = self.candidates[0].rating;
        let unit = self.temperature * POINT as f32;
        let likelihood = |candidate: &Candidate<G::Action>| exp((candidate.rating - best) as f32 / unit);
        let total: f32 = self.candidates.iter().map(likelihood).sum();
        actions.clear();
        actions.extend(self.candidates.iter().map(|candidate| candidate.action));
        probabilities.clear();
        probabilities.extend(self.candidates.iter().map(|candidate| likelihood(candidate) / total));
    }

    fn ask(&mut self, state: &G) -> Poll<Expectation> {
        self.values.ask(state)
    }

    fn answer(&mut self) -> Poll<Expectation> {
        self.values.answer()
    }

    fn flush(&mut self) {
        self.values.flush();
    }
}

/// Fills `order` with the places of the shares above 0, the largest share first, of equal ones the first.
///
/// The shares are not negative: so their bits are in the order of their values, and integers are sorted quickest.
pub(crate) fn most_likely_first(shares: &[f32], order: &mut Vec<u64>) {
    const LOW: u64 = u32::MAX as u64;
    order.clear();
    let key = |(share, place): (&f32, u64)| u64::from(!share.to_bits()) << 32 | place;
    order.extend(shares.iter().zip(0..).filter(|(share, _)| **share > 0.0).map(key));
    order.sort_unstable();
    order.iter_mut().for_each(|key| *key &= LOW);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_likely_come_first_and_the_impossible_not_at_all() {
        let mut rng = Generator::new(1);
        for _ in 0..100 {
            // Few values, so that many are equal.
            let shares: Vec<f32> = (0..rng.below(40)).map(|_| rng.below(6) as f32 / 6.0).collect();
            let mut expected: Vec<u64> = (0..shares.len() as u64).collect();
            expected.retain(|&place| shares[place as usize] > 0.0);
            expected.sort_by(|&a, &b| shares[b as usize].total_cmp(&shares[a as usize]));
            let mut order = vec![7];
            most_likely_first(&shares, &mut order);
            assert_eq!(order, expected, "{shares:?}");
        }
    }
}
