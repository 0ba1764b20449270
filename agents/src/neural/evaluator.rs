//! The network as a search's evaluator: [`NetworkEvaluator`].

use azulejo::seed::derive;
use azulejo::{Generator, MAX_PLAYERS, Parts, PerPlayer, Seat, Turn};

use super::inference::Inference;
use super::network::softmax;
use crate::evaluator::{Evaluator, Utility};
use crate::mcts::most_likely_first;
use crate::playable::Playable;
use crate::rollout::GreedyPolicy;
use crate::valuation::Horizon;

/// What was found out lately about states, by a hash of their features: a table in which a newer entry takes an older one's
/// place.
#[derive(Debug)]
struct Memory<T> {
    entries: Vec<(u64, T)>,
    /// The number of entries is 2 to the power of this.
    bits: u32,
}

impl<T: Clone + Default> Memory<T> {
    fn new(bits: u32) -> Self {
        Memory { entries: vec![(0, T::default()); 1 << bits], bits }
    }

    /// The entry for these features, and whether it is theirs: else it is to be filled in.
    fn entry(&mut self, features: &[u16]) -> (bool, &mut T) {
        let key = features.iter().fold(1, |key: u64, &feature| {
            (key.rotate_left(5) ^ (u64::from(feature) + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        let (known, entry) = &mut self.entries[(key >> (u64::BITS - self.bits)) as usize];
        (std::mem::replace(known, key) == key, entry)
    }
}

/// Expectations that are remembered, as a power of 2.
const EXPECTED_BITS: u32 = 14;

/// Looks that are remembered, as a power of 2: a network's last layer takes a kilobyte, and most leaves from which a search
/// goes on were judged a short while ago.
const LOOKS_BITS: u32 = 11;

/// Judges states by a network: at once or where the greedy policy leads, its shares of the win and final scores become
/// utilities; its policy orders actions.
pub struct NetworkEvaluator<G: Playable> {
    network: Box<dyn Inference>,
    utility: Utility,
    horizon: Horizon,
    /// Plays on to the horizon.
    greedy: GreedyPolicy<G>,
    rng: Generator,
    values: Values<G>,
    /// The shares of the win and the points to come on the horizon. Where greedy play goes on to the end of the round, many
    /// leaves lead to the same state: half of them in Azul.
    expected: Memory<[[f32; MAX_PLAYERS]; 2]>,
    /// What the network saw at leaves that it judged at once: when the search goes on from one, the policy takes no second
    /// look.
    looks: Memory<Vec<f32>>,
    features: Vec<u16>,
    /// The output of each action.
    outputs: Vec<usize>,
    /// The parts of the outputs, each output once.
    parts: Vec<Parts>,
    /// For each output its place in `parts`; valid only for the outputs of one state.
    places: Vec<u16>,
    /// By output in `parts`, then by action.
    logits: Vec<f32>,
    shares: Vec<f32>,
    /// The places of the legal actions in the order in which they are to be tried.
    order: Vec<u64>,
    legal: Vec<G::Action>,
}

/// Whose values count.
enum Values<G> {
    /// The network's.
    Network,
    /// The network's and those of another evaluator of the states on the horizon, with this weight, up to 1.
    Mixed(f32, Box<dyn Evaluator<G>>),
    /// Those of another evaluator of the leaf itself.
    Other(Box<dyn Evaluator<G>>),
}

impl<G: Playable> NetworkEvaluator<G> {
    /// An evaluator that asks this network, and looks at states on the horizon.
    ///
    /// # Panics
    /// If the network is for another game.
    pub fn new(network: &dyn Inference, horizon: Horizon, utility: Utility) -> Self {
        let shape = network.shape();
        assert_eq!((shape.features, shape.parts), (G::FEATURES, G::PARTS), "a network for {}", G::ID);
        NetworkEvaluator {
            network: network.another(),
            utility,
            horizon,
            greedy: GreedyPolicy::new(G::Weights::default()),
            rng: Generator::new(0),
            values: Values::Network,
            expected: Memory::new(EXPECTED_BITS),
            looks: Memory::new(LOOKS_BITS),
            features: Vec::with_capacity(G::MAX_ACTIVE),
            outputs: Vec::with_capacity(G::MAX_LEGAL),
            parts: Vec::with_capacity(G::MAX_LEGAL),
            places: vec![u16::MAX; G::OUTPUTS],
            logits: Vec::with_capacity(G::MAX_LEGAL),
            shares: Vec::with_capacity(G::MAX_LEGAL),
            order: Vec::with_capacity(G::MAX_LEGAL),
            legal: Vec::with_capacity(G::MAX_LEGAL),
        }
    }

    /// The same with another evaluator of the states on the horizon, and its weight, 0 to 1; the rest is the network's.
    #[must_use]
    pub fn with_hand(self, weight: f32, by_hand: Box<dyn Evaluator<G>>) -> Self {
        let weight = weight.clamp(0.0, 1.0);
        let values = if weight > 0.0 { Values::Mixed(weight, by_hand) } else { Values::Network };
        NetworkEvaluator { values, ..self }
    }

    /// The same with another evaluator's values: the network says the policy only.
    #[must_use]
    pub fn with_values_of(self, other: Box<dyn Evaluator<G>>) -> Self {
        NetworkEvaluator { values: Values::Other(other), ..self }
    }

    /// The utility of each seat in a state that is not over.
    fn judge(&mut self, state: &G) -> PerPlayer<f32> {
        let Values::Mixed(weight, by_hand) = &mut self.values else { return self.network_values(state) };
        let (weight, by_hand) = (*weight, by_hand.value(state));
        if weight == 1.0 {
            return by_hand;
        }
        let values = self.network_values(state);
        PerPlayer::from_fn(state.players(), |seat| values[seat] + weight * (by_hand[seat] - values[seat]))
    }

    /// The utility of each seat, as the network sees it.
    fn network_values(&mut self, state: &G) -> PerPlayer<f32> {
        let (players, viewpoint, points) = (state.players(), state.viewpoint(), state.scores());
        let [wins, to_come] = self.expected(state);
        let place = |seat: Seat| (seat.index() + players - viewpoint.index()) % players;
        let scores = PerPlayer::from_fn(players, |seat| f32::from(points[seat]) + to_come[place(seat)]);
        PerPlayer::from_fn(players, |seat| {
            let others = scores.iter().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
            self.utility.mix(wins[place(seat)], scores[seat] - others.fold(f32::NEG_INFINITY, f32::max))
        })
    }

    /// The shares of the win and the points to come, in turn order from the viewpoint.
    fn expected(&mut self, state: &G) -> [[f32; MAX_PLAYERS]; 2] {
        let players = state.players();
        if self.horizon == Horizon::Here {
            self.look(state);
            return [self.network.wins(players), self.network.points_to_come()];
        }
        state.encode(&mut self.features);
        let (known, expected) = self.expected.entry(&self.features);
        if !known {
            self.network.look(&self.features);
            *expected = [self.network.wins(players), self.network.points_to_come()];
        }
        *expected
    }

    /// Lets the network look at a state, or recall what it saw there.
    fn look(&mut self, state: &G) {
        state.encode(&mut self.features);
        let asked_again = self.horizon == Horizon::Here && matches!(state.turn(), Turn::Player(_));
        if !asked_again {
            return self.network.look(&self.features);
        }
        match self.looks.entry(&self.features) {
            (true, seen) => self.network.recall(seen),
            (false, seen) => {
                self.network.look(&self.features);
                self.network.keep(seen);
            }
        }
    }

    /// Fills `shares` with the probabilities of the legal actions in a state that was looked at. Of actions that come to the
    /// same, the first has the probability of all.
    fn share_out(&mut self, state: &G, actions: &[G::Action]) {
        self.outputs.clear();
        self.parts.clear();
        self.shares.clear();
        for &action in actions {
            let output = state.output(action);
            if self.places[output] == u16::MAX {
                self.places[output] = self.parts.len() as u16;
                self.parts.push(G::parts(output));
            }
            self.outputs.push(output);
        }
        self.network.logits(&self.parts, &mut self.logits);
        softmax(&mut self.logits);
        for &output in &self.outputs {
            let place = std::mem::replace(&mut self.places[output], u16::MAX);
            // A probability that vanishes beside the others is still one.
            let share = self.logits.get(place as usize).map_or(0.0, |share| share.max(1e-9));
            self.shares.push(share);
        }
    }
}

impl<G: Playable> Evaluator<G> for NetworkEvaluator<G> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
        match &mut self.values {
            Values::Network => {}
            Values::Mixed(_, by_hand) => by_hand.reseed(derive(seed, &[0])),
            Values::Other(other) => other.reseed(seed),
        }
    }

    fn value(&mut self, state: &G) -> PerPlayer<f32> {
        if let Values::Other(other) = &mut self.values {
            return other.value(state);
        }
        let mut end = *state;
        self.horizon.reach(&mut end, &mut self.greedy, &mut self.rng);
        match end.turn() {
            Turn::Over => self.utility.of(&end),
            _ => self.judge(&end),
        }
    }

    fn policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) {
        self.look(state);
        self.share_out(state, actions);
        most_likely_first(&self.shares, &mut self.order);
        self.legal.clear();
        self.legal.append(actions);
        actions.extend(self.order.iter().map(|&place| self.legal[place as usize]));
        probabilities.clear();
        probabilities.extend(self.order.iter().map(|&place| self.shares[place as usize]));
    }
}
