//! Evaluators that play the game out: [`Rollout`], and the policies by which it does.

use azulejo::{Game, Generator, Turn};

use crate::evaluator::{Evaluator, Expectation, Utility};
use crate::heuristic::Heuristic;

/// How a rollout chooses actions.
pub(crate) trait Policy<G: Game>: Send {
    /// Plays a legal action for the player to move, and perhaps more of the same turn.
    fn play(&mut self, state: &mut G, rng: &mut Generator);
}

/// Draws uniformly from the legal actions.
#[derive(Debug)]
pub(crate) struct RandomPolicy<G: Game> {
    buffer: Vec<G::Action>,
}

impl<G: Game> Default for RandomPolicy<G> {
    fn default() -> Self {
        RandomPolicy { buffer: Vec::with_capacity(G::MAX_LEGAL) }
    }
}

impl<G: Game> Policy<G> for RandomPolicy<G> {
    #[inline]
    fn play(&mut self, state: &mut G, rng: &mut Generator) {
        state.apply(state.random_action(rng, &mut self.buffer));
    }
}

/// Plays the action of the highest heuristic rating, ties at random.
#[derive(Debug)]
pub struct GreedyPolicy<G: Heuristic> {
    weights: G::Weights,
    playout: G::Playout,
    actions: Vec<G::Action>,
    ratings: Vec<f32>,
}

impl<G: Heuristic> GreedyPolicy<G> {
    /// The policy for these weights.
    pub fn new(weights: G::Weights) -> Self {
        let (actions, ratings) = (Vec::with_capacity(G::MAX_LEGAL), Vec::with_capacity(G::MAX_LEGAL));
        GreedyPolicy { weights, playout: G::Playout::default(), actions, ratings }
    }
}

impl<G: Heuristic> Policy<G> for GreedyPolicy<G> {
    #[inline]
    fn play(&mut self, state: &mut G, rng: &mut Generator) {
        state.play_best(&self.weights, &mut self.playout, rng, &mut self.actions, &mut self.ratings);
    }
}

/// Judges a state by playing it once to the end under a policy, with chance outcomes drawn by their
/// probability.
#[derive(Debug)]
pub(crate) struct Rollout<P> {
    policy: P,
    utility: Utility,
    rng: Generator,
}

/// A rollout is cut off after its policy and chance have played this many times and is judged by the points
/// so far.
const ROLLOUT_LIMIT: usize = 2000;

/// Plays a game out under a policy, with chance outcomes drawn by their probability.
pub(crate) fn play_out<G: Game>(state: &mut G, policy: &mut impl Policy<G>, rng: &mut Generator) {
    for _ in 0..ROLLOUT_LIMIT {
        match state.turn() {
            Turn::Player(_) => policy.play(state, rng),
            Turn::Chance => state.play_chance(rng),
            Turn::Over => break,
        }
    }
}

impl<P> Rollout<P> {
    /// Rollouts under a policy.
    pub(crate) fn new(policy: P, utility: Utility) -> Self {
        Rollout { policy, utility, rng: Generator::new(0) }
    }
}

impl<G: Game, P: Policy<G>> Evaluator<G> for Rollout<P> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
    }

    fn value(&mut self, state: &G) -> Expectation {
        let mut state = *state;
        play_out(&mut state, &mut self.policy, &mut self.rng);
        self.utility.of(&state)
    }

    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        visit(&mut self.rng);
    }
}
