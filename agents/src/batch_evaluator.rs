//! A search's leaves judged many at a time by anything that can: [`BatchEvaluator`] and [`BatchJudge`].

use std::collections::{HashMap, VecDeque};
use std::task::Poll;

use azulejo::{Generator, Keyed, PerPlayer};

use crate::evaluator::{Evaluator, Expectation};
use crate::mcts::most_likely_first;
use crate::neural::softmax;

/// Something that judges states, many at a time.
pub trait BatchJudge<G>: Send {
    /// A judgement of each state, which is not over but may be at a chance node.
    ///
    /// # Panics
    /// If it breaks down.
    fn judge(&mut self, states: &[G]) -> Vec<Judgement>;
}

/// What a judge says of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// A logit for each legal action, in the engine's order; −∞ for one that is not to be tried. Empty at a chance node.
    pub logits: Vec<f32>,
    /// The utility that each seat can expect, in [-1, 1].
    pub utility: PerPlayer<f32>,
}

/// States of which judgements are remembered, before all are forgotten.
const MOST_REMEMBERED: usize = 1 << 14;

/// Asks a [`BatchJudge`] about all leaves that a search has gathered at once.
///
/// Values and policy of a state come from one judgement. Utilities are taken to be 2 × share of the win − 1; a judge says
/// nothing of leads, which are NaN.
pub struct BatchEvaluator<G> {
    judge: Box<dyn BatchJudge<G>>,
    /// By the states' keys.
    judged: HashMap<u64, Judgement>,
    /// The states of the next batch.
    batch: Vec<G>,
    /// The states whose values wait, in the order in which they were asked for.
    asked: VecDeque<G>,
    shares: Vec<f32>,
    order: Vec<u64>,
}

impl<G: Keyed> BatchEvaluator<G> {
    /// An evaluator that asks this judge.
    pub fn new(judge: Box<dyn BatchJudge<G>>) -> Self {
        BatchEvaluator {
            judge,
            judged: HashMap::new(),
            batch: Vec::new(),
            asked: VecDeque::new(),
            shares: Vec::new(),
            order: Vec::new(),
        }
    }

    /// The judgement of a state; without one it becomes part of the next batch.
    fn judgement(&mut self, state: &G) -> Poll<&Judgement> {
        match self.judged.get(&state.key()) {
            Some(judgement) => Poll::Ready(judgement),
            None => {
                if !self.batch.contains(state) {
                    self.batch.push(*state);
                }
                Poll::Pending
            }
        }
    }

    fn expectation(&mut self, state: &G) -> Poll<Expectation> {
        self.judgement(state).map(|judgement| {
            let utility = judgement.utility;
            let leads = PerPlayer::splat(utility.players(), f32::NAN);
            Expectation { utility, wins: utility.map(|utility| (1.0 + utility) / 2.0), leads }
        })
    }
}

impl<G: Keyed> Evaluator<G> for BatchEvaluator<G> {
    /// Forgets the last game: the next one may have other players.
    fn reseed(&mut self, _seed: u64) {
        self.judged.clear();
        self.batch.clear();
        self.asked.clear();
    }

    fn prepare(&mut self, _root: &G) {
        self.batch.clear();
        self.asked.clear();
    }

    fn value(&mut self, state: &G) -> Expectation {
        loop {
            match self.expectation(state) {
                Poll::Ready(found) => return found,
                Poll::Pending => self.flush(),
            }
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
            self.flush();
        }
    }

    fn ask(&mut self, state: &G) -> Poll<Expectation> {
        let found = self.expectation(state);
        if found.is_pending() {
            self.asked.push_back(*state);
        }
        found
    }

    fn answer(&mut self) -> Poll<Expectation> {
        let Some(&first) = self.asked.front() else { return Poll::Pending };
        let found = self.expectation(&first);
        if found.is_ready() {
            self.asked.pop_front();
        }
        found
    }

    fn poll_policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) -> Poll<()> {
        let mut shares = std::mem::take(&mut self.shares);
        let found = self.judgement(state).map(|judgement| judgement.logits.clone_into(&mut shares));
        self.shares = shares;
        if found.is_pending() {
            return Poll::Pending;
        }
        // A probability that vanishes beside the others is still one.
        let tried = |logit: f32| if logit == f32::NEG_INFINITY { 0.0 } else { 1e-9 };
        let least: Vec<f32> = self.shares.iter().map(|&logit| tried(logit)).collect();
        softmax(&mut self.shares);
        self.shares.iter_mut().zip(least).for_each(|(share, least)| *share = share.max(least));
        most_likely_first(&self.shares, &mut self.order);
        let legal = std::mem::take(actions);
        actions.extend(self.order.iter().map(|&place| legal[place as usize]));
        probabilities.clear();
        probabilities.extend(self.order.iter().map(|&place| self.shares[place as usize]));
        Poll::Ready(())
    }

    fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        if self.judged.len() + self.batch.len() > MOST_REMEMBERED {
            self.judged.clear();
        }
        let batch = std::mem::take(&mut self.batch);
        let judgements = self.judge.judge(&batch);
        self.judged.extend(batch.iter().map(Keyed::key).zip(judgements));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};

    use azulejo::azul::Azul;
    use azulejo::{Encode, Game, Rules, Turn, intern};

    use super::*;
    use crate::agent::{Agent, Limits};
    use crate::evaluator::RolloutKind;
    use crate::neural::{Embedded, Inference, Network, NeuralParameters, searching, seated, shape_of};

    /// Judges as a network does, and tells the size of every batch.
    struct ByNetwork {
        network: Embedded,
        sizes: SyncSender<usize>,
    }

    impl BatchJudge<Azul> for ByNetwork {
        fn judge(&mut self, states: &[Azul]) -> Vec<Judgement> {
            _ = self.sizes.try_send(states.len());
            states.iter().map(|state| self.judge_one(state)).collect()
        }
    }

    impl ByNetwork {
        fn judge_one(&mut self, state: &Azul) -> Judgement {
            let (mut features, mut legal, mut logits) = (Vec::new(), Vec::new(), Vec::new());
            state.encode(&mut features);
            self.network.look(&features);
            state.legal_actions(&mut legal);
            let outputs: Vec<usize> = legal.iter().map(|&action| state.output(action)).collect();
            let parts: Vec<_> = outputs.iter().map(|&output| Azul::parts(output)).collect();
            self.network.logits(&parts, &mut logits);
            for place in 0..outputs.len() {
                if outputs[..place].contains(&outputs[place]) {
                    logits[place] = f32::NEG_INFINITY;
                }
            }
            let (wins, players) = (self.network.wins(state.players()), state.players());
            let mut utility = PerPlayer::splat(players, 0.0);
            let seats = state.viewpoint().around(players);
            seats.zip(wins).for_each(|(seat, win)| utility[seat] = 2.0 * win - 1.0);
            Judgement { logits, utility }
        }
    }

    fn position(seed: u64) -> Azul {
        let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
        let (mut state, mut rng, mut legal) = (Azul::new(rules, 3), Generator::new(seed), Vec::new());
        (0..10 + seed).for_each(|_| state.play_random(&mut rng, &mut legal));
        if state.turn() == Turn::Chance {
            state.play_random(&mut rng, &mut legal);
        }
        state
    }

    #[test]
    fn a_search_finds_what_it_finds_with_the_network_itself() {
        let network = Network::untrained(shape_of::<Azul>(32, 1), 1);
        for batch in [1, 8] {
            let (sizes, told) = sync_channel(10_000);
            let spec = NeuralParameters { sims: Some(150), batch, ..NeuralParameters::default() };
            let twin = NeuralParameters {
                rollout: Some(RolloutKind::None),
                margin: Some(0.0),
                critic: Some("none".to_owned()),
                ..spec.clone()
            };
            let embedded = Embedded::new(network.clone());
            let judge = ByNetwork { network: embedded.clone(), sizes };
            let evaluator = Box::new(BatchEvaluator::new(Box::new(judge)));
            let mut agents: [Box<dyn Agent<Azul>>; 2] =
                [searching(&spec, evaluator).unwrap(), seated(&twin, &embedded).unwrap()];
            for seed in 0..8 {
                let state = position(seed);
                let [own, expected] = agents.each_mut().map(|agent| {
                    agent.new_game(seed);
                    agent.choose(&state, &Limits::default()).unwrap().search.unwrap()
                });
                // Alone: of several leaves at once the network itself judges each before it looks for the next.
                if batch == 1 {
                    assert_eq!((&own.visits, own.values), (&expected.visits, expected.values));
                }
                assert_eq!(own.nodes, 150);
                assert!(own.leads.as_slice().iter().any(|lead| lead.is_nan()));
            }
            let sizes: Vec<usize> = told.try_iter().collect();
            let mean = sizes.iter().sum::<usize>() as f32 / sizes.len() as f32;
            assert!(if batch == 1 { mean == 1.0 } else { mean > 4.0 }, "{mean} states a batch");
        }
    }

    #[test]
    fn what_the_evaluator_takes_the_place_of_is_refused() {
        let network = Embedded::new(Network::untrained(shape_of::<Azul>(32, 1), 1));
        let refused = |spec: &str| {
            let crate::AgentSpec::Neural(parameters) = spec.parse().unwrap() else { panic!("{spec}") };
            let (sizes, _) = sync_channel(1);
            let judge = ByNetwork { network: network.clone(), sizes };
            let evaluator = Box::new(BatchEvaluator::new(Box::new(judge)));
            searching::<Azul>(&parameters, evaluator).err().map(|error| error.to_string())
        };
        assert_eq!(refused("neural:sims=5,c=1,fpu=0,root=gumbel,margin=0.5"), None);
        for spec in ["net=x", "rollout=none", "evaluate=leaf", "heuristic=0.5", "critic=none"] {
            let message = refused(&format!("neural:{spec}")).unwrap();
            assert!(message.contains(spec.split('=').next().unwrap()), "{message}");
            assert!(message.ends_with("expected none beside an evaluator of your own"), "{message}");
        }
    }
}
