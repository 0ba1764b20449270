//! The network as a search's evaluator, and as its prior.

use azulejo::seed::derive;
use azulejo::{Encode, Generator, MAX_PLAYERS, Parts, PerPlayer, Seat, Turn};

use super::mind::{Mind, Minds};
use super::network::softmax;
use crate::evaluator::{Evaluation, Evaluator, Utility};
use crate::mcts::{Prior, most_likely_first};
use crate::playable::Playable;
use crate::rollout::GreedyPolicy;
use crate::valuation::Horizon;

/// A network with the memory that it works in: what it says of one state after the other.
#[derive(Debug)]
struct Oracle<G: Encode> {
    mind: Box<dyn Mind>,
    features: Vec<u16>,
    /// The output of each action.
    outputs: Vec<usize>,
    /// The parts of the outputs, each output once.
    parts: Vec<Parts>,
    probabilities: Vec<f32>,
    /// For each output its place in `parts`; valid only for the outputs of this state.
    places: Vec<u16>,
    game: std::marker::PhantomData<G>,
}

impl<G: Encode> Oracle<G> {
    fn new(minds: &dyn Minds) -> Self {
        let shape = minds.shape();
        assert_eq!((shape.features, shape.parts), (G::FEATURES, G::PARTS), "a network for {}", G::ID);
        Oracle {
            mind: minds.mind(),
            features: Vec::with_capacity(G::MAX_ACTIVE),
            outputs: Vec::with_capacity(G::MAX_LEGAL),
            parts: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
            places: vec![u16::MAX; G::OUTPUTS],
            game: std::marker::PhantomData,
        }
    }

    /// Looks at a state; the other functions speak of it.
    fn look(&mut self, state: &G) {
        state.encode(&mut self.features);
        self.mind.look(&self.features);
    }

    /// What the network expects.
    fn outlook(&self, players: usize) -> Outlook {
        Outlook { wins: self.mind.wins(players), to_come: self.mind.points_to_come() }
    }

    /// Fills `prior` with the probabilities of the legal actions. Of actions that come to the same, the first has the
    /// probability of all.
    fn policy(&mut self, state: &G, actions: &[G::Action], prior: &mut Vec<f32>) {
        self.outputs.clear();
        self.parts.clear();
        prior.clear();
        for &action in actions {
            let output = state.output(action);
            if self.places[output] == u16::MAX {
                self.places[output] = self.parts.len() as u16;
                self.parts.push(G::parts(output));
            }
            self.outputs.push(output);
        }
        self.mind.logits(&self.parts, &mut self.probabilities);
        softmax(&mut self.probabilities);
        for &output in &self.outputs {
            let place = std::mem::replace(&mut self.places[output], u16::MAX);
            // A probability that vanishes beside the others is still one.
            let share = self.probabilities.get(place as usize).map_or(0.0, |share| share.max(1e-9));
            prior.push(share);
        }
    }
}

/// What a network expects in a state, in turn order from its viewpoint.
#[derive(Clone, Copy, Debug, Default)]
struct Outlook {
    /// Each seat's share of the win.
    wins: [f32; MAX_PLAYERS],
    /// The points that each seat will still get.
    to_come: [f32; MAX_PLAYERS],
}

/// What the network said lately, by a hash of the features. Where greedy play goes on to the end of the round, many leaves
/// lead to the same state: half of them in Azul.
#[derive(Debug)]
struct Memory(Vec<(u64, Outlook)>);

impl Memory {
    /// The number of entries is 2 to the power of this.
    const BITS: u32 = 14;

    fn new() -> Self {
        Memory(vec![(0, Outlook::default()); 1 << Self::BITS])
    }

    /// The entry for these features, and whether it is theirs: else it is to be filled in.
    fn entry(&mut self, features: &[u16]) -> (bool, &mut Outlook) {
        let key = features.iter().fold(0, |key: u64, &feature| {
            (key.rotate_left(5) ^ (u64::from(feature) + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        let (known, outlook) = &mut self.0[(key >> (u64::BITS - Self::BITS)) as usize];
        (std::mem::replace(known, key) == key, outlook)
    }
}

/// Judges states by a network, at once or where the greedy policy leads: shares of the win and final scores become
/// utilities. What it judges at once gets its policy as a prior in the same look.
pub struct NetEvaluator<G: Playable> {
    oracle: Oracle<G>,
    utility: Utility,
    horizon: Horizon,
    /// Plays on to the horizon.
    policy: GreedyPolicy<G>,
    rng: Generator,
    /// Judges the same states, with this weight beside the network.
    by_hand: Option<(f32, Box<dyn Evaluator<G>>)>,
    memory: Memory,
    actions: Vec<G::Action>,
}

impl<G: Playable> NetEvaluator<G> {
    /// An evaluator that asks this network, and looks at states on the horizon.
    ///
    /// # Panics
    /// If the network is for another game.
    pub fn new(minds: &dyn Minds, horizon: Horizon, utility: Utility) -> Self {
        NetEvaluator {
            oracle: Oracle::new(minds),
            utility,
            horizon,
            policy: GreedyPolicy::new(G::Weights::default()),
            rng: Generator::new(0),
            by_hand: None,
            memory: Memory::new(),
            actions: Vec::with_capacity(G::MAX_LEGAL),
        }
    }

    /// The same with another evaluator of the states on the horizon, and its weight, 0 to 1; the rest is the network's.
    #[must_use]
    pub fn with_hand(self, weight: f32, by_hand: Box<dyn Evaluator<G>>) -> Self {
        let weight = weight.clamp(0.0, 1.0);
        NetEvaluator { by_hand: (weight > 0.0).then_some((weight, by_hand)), ..self }
    }

    /// The utility of each seat in a state that is not over.
    fn judge(&mut self, state: &G) -> PerPlayer<f32> {
        let Some((weight, by_hand)) = &mut self.by_hand else { return self.values(state) };
        let (weight, mut found) = (*weight, [Evaluation::empty(state.players())]);
        by_hand.evaluate(std::slice::from_ref(state), &mut found);
        let [Evaluation { values: by_hand, .. }] = found;
        // What is judged at once also needs the network's policy, which comes with its look.
        if weight == 1.0 && self.horizon == Horizon::Chance {
            return by_hand;
        }
        let values = self.values(state);
        PerPlayer::from_fn(state.players(), |seat| values[seat] + weight * (by_hand[seat] - values[seat]))
    }

    /// The utility of each seat, as the network sees it.
    fn values(&mut self, state: &G) -> PerPlayer<f32> {
        let (players, viewpoint, points) = (state.players(), state.viewpoint(), state.scores());
        let Outlook { wins, to_come } = self.outlook(state);
        let place = |seat: Seat| (seat.index() + players - viewpoint.index()) % players;
        let scores = PerPlayer::from_fn(players, |seat| f32::from(points[seat]) + to_come[place(seat)]);
        PerPlayer::from_fn(players, |seat| {
            let others = scores.iter().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
            self.utility.mix(wins[place(seat)], scores[seat] - others.fold(f32::NEG_INFINITY, f32::max))
        })
    }

    fn outlook(&mut self, state: &G) -> Outlook {
        let Oracle { mind, features, .. } = &mut self.oracle;
        state.encode(features);
        if self.horizon == Horizon::Here {
            mind.look(features);
            return self.oracle.outlook(state.players());
        }
        let (known, outlook) = self.memory.entry(features);
        if !known {
            mind.look(features);
            *outlook = self.oracle.outlook(state.players());
        }
        *outlook
    }
}

impl<G: Playable> Evaluator<G> for NetEvaluator<G> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
        if let Some((_, by_hand)) = &mut self.by_hand {
            by_hand.reseed(derive(seed, &[0]));
        }
    }

    fn evaluate(&mut self, states: &[G], evaluations: &mut [Evaluation]) {
        for (state, evaluation) in states.iter().zip(evaluations) {
            let mut end = *state;
            self.horizon.reach(&mut end, &mut self.policy, &mut self.rng);
            evaluation.prior.clear();
            evaluation.values = match end.turn() {
                Turn::Over => self.utility.of(&end),
                _ => self.judge(&end),
            };
            if let (Horizon::Here, Turn::Player(_)) = (self.horizon, state.turn()) {
                state.legal_actions(&mut self.actions);
                self.oracle.policy(state, &self.actions, &mut evaluation.prior);
            }
        }
    }
}

/// The network's policy, looked up when a state is searched further.
#[derive(Debug)]
pub struct NetPrior<G: Encode> {
    oracle: Oracle<G>,
    shares: Vec<f32>,
    /// The places of the legal actions in the order in which they are to be tried.
    order: Vec<u64>,
    legal: Vec<G::Action>,
}

impl<G: Encode> NetPrior<G> {
    /// The prior of this network.
    ///
    /// # Panics
    /// If the network is for another game.
    pub fn new(minds: &dyn Minds) -> Self {
        NetPrior { oracle: Oracle::new(minds), shares: Vec::new(), order: Vec::new(), legal: Vec::new() }
    }
}

impl<G: Encode> Prior<G> for NetPrior<G> {
    fn order(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) {
        self.oracle.look(state);
        self.oracle.policy(state, actions, &mut self.shares);
        most_likely_first(&self.shares, &mut self.order);
        self.legal.clear();
        self.legal.append(actions);
        actions.extend(self.order.iter().map(|&place| self.legal[place as usize]));
        probabilities.clear();
        probabilities.extend(self.order.iter().map(|&place| self.shares[place as usize]));
    }
}
