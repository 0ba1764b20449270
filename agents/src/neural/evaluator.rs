//! The network as a search's evaluator.

use std::sync::Arc;

use azulejo::{Encode, Parts, PerPlayer, Seat, Turn};

use super::network::{Network, Thinker, softmax};
use crate::evaluator::{Evaluation, Evaluator, Utility};

/// Judges states by a network: shares of the win and final scores become utilities, the policy the prior.
#[derive(Debug)]
pub struct NetEvaluator<G: Encode> {
    network: Arc<Network>,
    utility: Utility,
    thinker: Thinker,
    features: Vec<u16>,
    actions: Vec<G::Action>,
    /// The output of each action.
    outputs: Vec<usize>,
    /// The parts of the outputs, each output once.
    parts: Vec<Parts>,
    probabilities: Vec<f32>,
    /// For each output its place in `parts`; valid only for the outputs of this state.
    places: Vec<u16>,
}

impl<G: Encode> NetEvaluator<G> {
    /// An evaluator with this network.
    ///
    /// # Panics
    /// If the network is for another game.
    pub fn new(network: Arc<Network>, utility: Utility) -> Self {
        let shape = network.shape();
        assert_eq!((shape.features, shape.parts), (G::FEATURES, G::PARTS), "a network for {}", G::ID);
        NetEvaluator {
            network,
            utility,
            thinker: Thinker::new(shape),
            features: Vec::with_capacity(G::MAX_ACTIVE),
            actions: Vec::with_capacity(G::MAX_LEGAL),
            outputs: Vec::with_capacity(G::MAX_LEGAL),
            parts: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
            places: vec![u16::MAX; G::OUTPUTS],
        }
    }

    /// The expected share of the win and the expected final score of each seat.
    pub fn outcome(&mut self, state: &G) -> (PerPlayer<f32>, PerPlayer<f32>) {
        state.encode(&mut self.features);
        self.network.look(&self.features, &mut self.thinker);
        let players = state.players();
        let wins = self.network.wins(players, &self.thinker);
        let to_come = self.network.points_to_come(&self.thinker);
        let (viewpoint, scores) = (state.viewpoint(), state.scores());
        let place = |seat: Seat| (seat.index() + players - viewpoint.index()) % players;
        (
            PerPlayer::from_fn(players, |seat| wins[place(seat)]),
            PerPlayer::from_fn(players, |seat| f32::from(scores[seat]) + to_come[place(seat)]),
        )
    }

    /// Fills `prior` with the policy of the state that was judged last. Of actions that come to the same, the first has
    /// the probability of all.
    fn policy(&mut self, state: &G, prior: &mut Vec<f32>) {
        state.legal_actions(&mut self.actions);
        self.outputs.clear();
        self.parts.clear();
        prior.clear();
        for &action in &self.actions {
            let output = state.output(action);
            if self.places[output] == u16::MAX {
                self.places[output] = self.parts.len() as u16;
                self.parts.push(G::parts(output));
            }
            self.outputs.push(output);
        }
        self.network.logits(&self.parts, &mut self.thinker, &mut self.probabilities);
        softmax(&mut self.probabilities);
        for &output in &self.outputs {
            let place = std::mem::replace(&mut self.places[output], u16::MAX);
            // A probability that vanishes beside the others is still one.
            let share = self.probabilities.get(place as usize).map_or(0.0, |share| share.max(1e-9));
            prior.push(share);
        }
    }
}

impl<G: Encode> Evaluator<G> for NetEvaluator<G> {
    fn reseed(&mut self, _seed: u64) {}

    fn evaluate(&mut self, states: &[G], evaluations: &mut [Evaluation]) {
        for (state, evaluation) in states.iter().zip(evaluations) {
            let (wins, scores) = self.outcome(state);
            evaluation.values = PerPlayer::from_fn(state.players(), |seat| {
                let others = scores.iter().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
                self.utility.mix(wins[seat], scores[seat] - others.fold(f32::NEG_INFINITY, f32::max))
            });
            match state.turn() {
                Turn::Player(_) => self.policy(state, &mut evaluation.prior),
                Turn::Chance | Turn::Over => evaluation.prior.clear(),
            }
        }
    }
}
