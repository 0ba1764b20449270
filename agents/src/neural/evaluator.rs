//! The network as a search's evaluator: [`NetworkEvaluator`].

use std::collections::VecDeque;
use std::task::{Poll, ready};

use azulejo::seed::derive;
use azulejo::{Generator, MAX_PLAYERS, Parts, PerPlayer, Seat, Turn};

use super::batch::PendingLook;
use super::inference::Inference;
use super::network::softmax;
use crate::cache::{Cache, KeyHash};
use crate::evaluator::{Evaluator, Expectation, Utility};
use crate::game_knowledge::GameKnowledge;
use crate::mcts::most_likely_first;
use crate::rollout::GreedyPolicy;
use crate::valuation::Horizon;

/// The share of the win and the points to come of each seat, in turn order from the viewpoint.
type Expected = [[f32; MAX_PLAYERS]; 2];

/// The key under which is remembered what was found out about a state with these active features.
fn key_of(features: &[u16]) -> u64 {
    let word = |features: &[u16]| features.iter().fold(1, |word, &feature| word << 16 | u64::from(feature));
    let words = |eight: &[u16]| {
        let (first, second) = eight.split_at(eight.len().min(4));
        (word(first), word(second))
    };
    let hash = features.chunks(8).fold(KeyHash::EMPTY, |hash, eight| {
        let (first, second) = words(eight);
        hash.with(first, second)
    });
    hash.key()
}

/// Expectations that are remembered, as a power of 2.
const EXPECTED_BITS: u32 = 14;

/// Looks that are remembered, as a power of 2: a network's last layer takes a kilobyte, and most leaves from which a search
/// goes on were judged a short while ago.
const LOOKS_BITS: u32 = 11;

/// Judges states by a network: at once or where the greedy policy leads, its shares of the win and final scores become
/// utilities; its policy orders actions.
pub(crate) struct NetworkEvaluator<G: GameKnowledge> {
    network: Box<dyn Inference>,
    utility: Utility,
    horizon: Horizon,
    /// The reciprocal of the temperature of the policy.
    sharpness: f32,
    /// Plays on to the horizon.
    greedy: GreedyPolicy<G>,
    rng: Generator,
    values: Values<G>,
    /// The shares of the win and the points to come on the horizon. Where greedy play goes on to the end of the round, many
    /// leaves lead to the same state: half of them in Azul.
    expected: Cache<Expected>,
    /// What the network saw at leaves that it judged at once: when the search goes on from one, the policy takes no second
    /// look.
    looks: Cache<Vec<f32>>,
    /// Values that wait for looks of a batch, in the order in which they were asked for.
    pending_values: VecDeque<PendingValue<G>>,
    /// Looks that policies wait for, by the states' features.
    pending_policies: Vec<(u64, PendingLook)>,
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

/// A value that waits for a look.
struct PendingValue<G> {
    look: PendingLook,
    /// The key under which to remember it.
    key: Option<u64>,
    /// The state on the horizon.
    end: G,
    /// Its value by hand, with its weight.
    by_heuristic: Option<(f32, Expectation)>,
}

impl<G: GameKnowledge> NetworkEvaluator<G> {
    /// An evaluator that asks this network, and looks at states on the horizon.
    ///
    /// # Panics
    /// If the network is for another game.
    pub(crate) fn new(network: &dyn Inference, horizon: Horizon, utility: Utility) -> Self {
        let shape = network.shape();
        assert_eq!((shape.features, shape.parts), (G::FEATURES, G::PARTS), "a network for {}", G::ID);
        NetworkEvaluator {
            network: network.another(),
            utility,
            horizon,
            sharpness: 1.0,
            greedy: GreedyPolicy::new(G::Weights::default()),
            rng: Generator::new(0),
            values: Values::Network,
            expected: Cache::new(EXPECTED_BITS, Expected::default()),
            looks: Cache::new(LOOKS_BITS, Vec::new()),
            pending_values: VecDeque::new(),
            pending_policies: Vec::new(),
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

    /// The same with a policy of this temperature, above 0: probabilities to the power of its reciprocal.
    #[must_use]
    pub(crate) fn with_prior(self, temperature: f32) -> Self {
        NetworkEvaluator { sharpness: temperature.recip(), ..self }
    }

    /// The same with another evaluator of the states on the horizon, and its weight, 0 to 1; the rest is the network's.
    #[must_use]
    pub(crate) fn with_heuristic(self, weight: f32, by_heuristic: Box<dyn Evaluator<G>>) -> Self {
        let weight = weight.clamp(0.0, 1.0);
        let values = if weight > 0.0 { Values::Mixed(weight, by_heuristic) } else { Values::Network };
        NetworkEvaluator { values, ..self }
    }

    /// The same with another evaluator's values: the network says the policy only.
    #[must_use]
    pub(crate) fn with_values_of(self, other: Box<dyn Evaluator<G>>) -> Self {
        NetworkEvaluator { values: Values::Other(other), ..self }
    }

    /// What each seat can expect in a state on the horizon that is not over.
    fn judge(&mut self, end: &G) -> Poll<Expectation> {
        let by_heuristic = match &mut self.values {
            Values::Mixed(weight, by_heuristic) => Some((*weight, by_heuristic.value(end))),
            _ => None,
        };
        if let Some((1.0, values)) = by_heuristic {
            return Poll::Ready(values);
        }
        match self.expected(end) {
            Ok(expected) => Poll::Ready(self.mixed(end, expected, by_heuristic)),
            Err((look, key)) => {
                self.pending_values.push_back(PendingValue { look, key, end: *end, by_heuristic });
                Poll::Pending
            }
        }
    }

    /// What each seat can expect, by the network's shares of the win and points to come and the value by hand.
    fn mixed(
        &self,
        end: &G,
        [wins, to_come]: Expected,
        by_heuristic: Option<(f32, Expectation)>,
    ) -> Expectation {
        let (players, viewpoint, points) = (end.players(), end.viewpoint(), end.scores());
        let place = |seat: Seat| (seat.index() + players - viewpoint.index()) % players;
        let scores = PerPlayer::from_fn(players, |seat| f32::from(points[seat]) + to_come[place(seat)]);
        let by_network =
            self.utility.expectation(PerPlayer::from_fn(players, |seat| wins[place(seat)]), &scores);
        let Some((weight, by_heuristic)) = by_heuristic else { return by_network };
        by_network.mixed(weight, &by_heuristic)
    }

    /// What the network expects in a state on the horizon, or the look to wait for and the key under which to remember it.
    fn expected(&mut self, end: &G) -> Result<Expected, (PendingLook, Option<u64>)> {
        end.encode(&mut self.features);
        let key = match self.horizon {
            Horizon::Chance => Some(key_of(&self.features)),
            // Its policy is asked for when the search goes on from there.
            Horizon::Here if matches!(end.turn(), Turn::Player(_)) => Some(key_of(&self.features)),
            Horizon::Here => None,
        };
        if let Some(expected) = key.and_then(|key| self.remembered(end, key)) {
            return Ok(expected);
        }
        match self.network.request(&self.features) {
            None => Ok(self.learn(end, key)),
            Some(look) => Err((look, key)),
        }
    }

    /// What the network expected when it looked at the state lately.
    fn remembered(&mut self, end: &G, key: u64) -> Option<Expected> {
        match self.horizon {
            Horizon::Chance => self.expected.get(key).copied(),
            Horizon::Here => {
                self.network.recall(self.looks.get(key)?);
                Some(self.seen(end))
            }
        }
    }

    /// What the network expects in the state that it has just looked at, to be remembered if there is a key for it.
    fn learn(&mut self, end: &G, key: Option<u64>) -> Expected {
        let expected = self.seen(end);
        match (self.horizon, key) {
            (Horizon::Chance, Some(key)) => *self.expected.renew(key) = expected,
            (Horizon::Here, Some(key)) => self.network.keep(self.looks.renew(key)),
            (_, None) => {}
        }
        expected
    }

    /// What the network expects in the state of its last look.
    fn seen(&self, state: &G) -> Expected {
        [self.network.wins(state.players()), self.network.points_to_come()]
    }

    /// Lets the network look at a state whose policy is asked for, or recall what it saw there.
    fn look(&mut self, state: &G) -> Poll<()> {
        state.encode(&mut self.features);
        if !self.pending_policies.is_empty() {
            let key = key_of(&self.features);
            if let Some(found) = self.pending_policies.iter().position(|pending| pending.0 == key) {
                ready!(self.network.receive(&self.pending_policies[found].1));
                self.pending_policies.swap_remove(found);
                return Poll::Ready(());
            }
        }
        let key = (self.horizon == Horizon::Here).then(|| key_of(&self.features));
        if let Some(seen) = key.and_then(|key| self.looks.get(key)) {
            self.network.recall(seen);
            return Poll::Ready(());
        }
        if let Some(look) = self.network.request(&self.features) {
            self.pending_policies.push((key_of(&self.features), look));
            return Poll::Pending;
        }
        if let Some(key) = key {
            self.network.keep(self.looks.renew(key));
        }
        Poll::Ready(())
    }

    /// Fills `shares` with the probabilities of the legal actions in a state that was looked at. Of actions that come to the
    /// same, the first has the probability of all.
    fn share_out(&mut self, state: &G, actions: &[G::Action]) {
        self.outputs.clear();
        self.parts.clear();
        self.shares.clear();
        self.outputs.extend(actions.iter().map(|&action| state.output(action)));
        for &output in &self.outputs {
            if self.places[output] == u16::MAX {
                self.places[output] = self.parts.len() as u16;
                self.parts.push(G::parts(output));
            }
        }
        self.network.logits(&self.parts, &mut self.logits);
        if self.sharpness != 1.0 {
            self.logits.iter_mut().for_each(|logit| *logit *= self.sharpness);
        }
        softmax(&mut self.logits);
        let (places, logits) = (&mut self.places, &self.logits);
        self.shares.extend(self.outputs.iter().map(|&output| {
            let place = std::mem::replace(&mut places[output], u16::MAX);
            // A probability that vanishes beside the others is still one.
            logits.get(place as usize).map_or(0.0, |share| share.max(1e-9))
        }));
    }
}

impl<G: GameKnowledge> Evaluator<G> for NetworkEvaluator<G> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
        match &mut self.values {
            Values::Network => {}
            Values::Mixed(_, by_heuristic) => by_heuristic.reseed(derive(seed, &[0])),
            Values::Other(other) => other.reseed(seed),
        }
    }

    fn prepare(&mut self, _root: &G) {
        self.pending_values.clear();
        self.pending_policies.clear();
    }

    /// # Panics
    /// If other values wait.
    fn value(&mut self, state: &G) -> Expectation {
        assert!(self.pending_values.is_empty(), "no other value waits");
        let mut values = self.ask(state);
        loop {
            match values {
                Poll::Ready(values) => return values,
                Poll::Pending => self.network.flush(),
            }
            values = self.answer();
        }
    }

    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        visit(&mut self.rng);
        match &mut self.values {
            Values::Network => {}
            Values::Mixed(_, other) | Values::Other(other) => other.visit_generators(visit),
        }
    }

    fn policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) {
        while self.poll_policy(state, actions, probabilities, rng).is_pending() {
            self.network.flush();
        }
    }

    fn ask(&mut self, state: &G) -> Poll<Expectation> {
        if let Values::Other(other) = &mut self.values {
            return Poll::Ready(other.value(state));
        }
        let mut played_on;
        let end = match self.horizon {
            Horizon::Here => state,
            Horizon::Chance => {
                played_on = *state;
                self.horizon.reach(&mut played_on, &mut self.greedy, &mut self.rng);
                &played_on
            }
        };
        match end.turn() {
            Turn::Over => Poll::Ready(self.utility.of(end)),
            _ => self.judge(end),
        }
    }

    fn answer(&mut self) -> Poll<Expectation> {
        let Some(first) = self.pending_values.front() else { return Poll::Pending };
        ready!(self.network.receive(&first.look));
        let PendingValue { key, end, by_heuristic, .. } =
            self.pending_values.pop_front().expect("there is a first one");
        let expected = self.learn(&end, key);
        Poll::Ready(self.mixed(&end, expected, by_heuristic))
    }

    fn poll_policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) -> Poll<()> {
        ready!(self.look(state));
        self.share_out(state, actions);
        most_likely_first(&self.shares, &mut self.order);
        self.legal.clear();
        self.legal.append(actions);
        actions.extend(self.order.iter().map(|&place| self.legal[place as usize]));
        probabilities.clear();
        probabilities.extend(self.order.iter().map(|&place| self.shares[place as usize]));
        Poll::Ready(())
    }

    fn flush(&mut self) {
        self.network.flush();
    }
}
