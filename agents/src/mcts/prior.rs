//! In which order a node's actions are tried, and how likely each is to be good.

use azulejo::{Game, Generator};

use crate::heuristic::{Candidate, Heuristic, POINT, StateValue};
use crate::valuation::Bench;

/// An opinion on actions before any of them has been searched.
pub trait Prior<G: Game>: Send {
    /// Makes ready for states that follow this one; others work, too.
    fn prepare(&mut self, root: &G) {
        _ = root;
    }

    /// Puts `actions` (all that are legal in `state`) into the order in which they are to be tried and fills
    /// `probabilities`, which is cleared first, with their probabilities in that order.
    fn order(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    );
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

/// No opinion: a random order.
#[derive(Debug)]
pub struct UniformPrior;

impl<G: Game> Prior<G> for UniformPrior {
    fn order(
        &mut self,
        _state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) {
        for last in (1..actions.len()).rev() {
            actions.swap(last, rng.below(last as u64 + 1) as usize);
        }
        probabilities.clear();
        probabilities.resize(actions.len(), 1.0 / actions.len() as f32);
    }
}

/// The hand-made ratings of actions, best first: probabilities in proportion to exp(rating / temperature).
#[derive(Debug)]
pub struct HeuristicPrior<G: Heuristic> {
    weights: G::Weights,
    /// In the unit of the ratings: points.
    temperature: f32,
    ratings: Vec<f32>,
    ranked: Vec<(f32, G::Action)>,
}

impl<G: Heuristic> HeuristicPrior<G> {
    /// The prior for these weights; `temperature` is a multiple, above 0, of the game's own
    /// [`TEMPERATURE`](Heuristic::TEMPERATURE).
    pub fn new(weights: G::Weights, temperature: f32) -> Self {
        HeuristicPrior {
            weights,
            temperature: temperature * G::TEMPERATURE,
            ratings: Vec::new(),
            ranked: Vec::new(),
        }
    }
}

impl<G: Heuristic> Prior<G> for HeuristicPrior<G> {
    fn order(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) {
        state.rate_actions(&self.weights, actions, &mut self.ratings);
        self.ranked.clear();
        self.ranked.extend(self.ratings.iter().copied().zip(actions.iter().copied()));
        self.ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let best = self.ranked[0].0;
        let likelihood = |rating: f32| ((rating - best) / self.temperature).exp();
        let total: f32 = self.ranked.iter().map(|&(rating, _)| likelihood(rating)).sum();
        actions.clear();
        actions.extend(self.ranked.iter().map(|&(_, action)| action));
        probabilities.clear();
        probabilities.extend(self.ranked.iter().map(|&(rating, _)| likelihood(rating) / total));
    }
}

/// The expected points after each action by the game's own value, for the player to move, best first: probabilities in
/// proportion to exp(points / temperature). Of actions that lead to the same only one is listed.
#[derive(Debug)]
pub struct ValuePrior<G: StateValue> {
    bench: Bench<G>,
    temperature: f32,
    candidates: Vec<Candidate<G::Action>>,
    ratings: Vec<f32>,
}

impl<G: Heuristic + StateValue> ValuePrior<G> {
    /// The prior for these weights; `temperature` is a multiple, above 0, of the game's own
    /// [`TEMPERATURE`](Heuristic::TEMPERATURE).
    pub fn new(weights: G::ValueWeights, temperature: f32) -> Self {
        ValuePrior {
            bench: Bench::new(weights),
            temperature: temperature * G::TEMPERATURE,
            candidates: Vec::new(),
            ratings: Vec::new(),
        }
    }
}

impl<G: StateValue> Prior<G> for ValuePrior<G> {
    fn prepare(&mut self, root: &G) {
        root.prepare(self.bench.judge(root));
    }

    fn order(
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
        let likelihood = |candidate: &Candidate<G::Action>| ((candidate.rating - best) as f32 / unit).exp();
        let total: f32 = self.candidates.iter().map(likelihood).sum();
        actions.clear();
        actions.extend(self.candidates.iter().map(|candidate| candidate.action));
        probabilities.clear();
        probabilities.extend(self.candidates.iter().map(|candidate| likelihood(candidate) / total));
    }
}

impl<G: Game> Prior<G> for Box<dyn Prior<G>> {
    fn prepare(&mut self, root: &G) {
        (**self).prepare(root);
    }

    fn order(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) {
        (**self).order(state, actions, probabilities, rng);
    }
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
