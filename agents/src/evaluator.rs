//! What a search learns at a leaf: [`Evaluator`] and the evaluators that play the game out.

use azulejo::{Game, Generator, PerPlayer, Turn, leaders};

use crate::heuristic::Heuristic;
use crate::spec::words;

/// What an evaluator says of one state.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The expected utility of each seat, in [-1, 1].
    pub values: PerPlayer<f32>,
    /// A probability for each action in the order of `legal_actions`; empty if the evaluator has no opinion.
    pub prior: Vec<f32>,
}

impl Evaluation {
    /// An evaluation to be filled in, for `players` seats.
    pub fn empty(players: usize) -> Self {
        Evaluation { values: PerPlayer::splat(players, 0.0), prior: Vec::new() }
    }
}

/// Judges states, several at a time.
///
/// Rollouts, hand-made evaluations and networks are evaluators; the tree search asks for nothing else.
pub trait Evaluator<G: Game>: Send {
    /// Starts the evaluator's random choices afresh.
    fn reseed(&mut self, seed: u64);

    /// Fills in `evaluations[i]` for `states[i]`. No state is over; some may be at a chance node.
    fn evaluate(&mut self, states: &[G], evaluations: &mut [Evaluation]);
}

/// What a search maximizes: a mix of the win share and of the lead in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utility {
    /// The weight of the lead, 0 to 1; the rest is the weight of the win share.
    pub margin: f32,
}

impl Utility {
    /// A lead of this many points counts half.
    const HALF_LEAD: f32 = 20.0;

    /// The utility of each seat in [-1, 1] in a state that is over, or at which play was cut off.
    ///
    /// It is (1 − m) · (2 w − 1) + m · d / (20 + |d|) with win share w, lead d over the best other seat and
    /// weight m. A game that was cut off is won by the seats with most points.
    #[inline]
    pub fn of<G: Game>(self, state: &G) -> PerPlayer<f32> {
        let scores = state.scores();
        let wins = if state.turn() == Turn::Over { state.wins() } else { leaders(&scores) };
        PerPlayer::from_fn(scores.players(), |seat| {
            let others = scores.iter().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
            let lead = f32::from(scores[seat]) - others.max().map_or(0.0, f32::from);
            self.mix(wins[seat] as f32, lead)
        })
    }

    /// The utility of a share of the win, 0 to 1, and a lead in points over the best other seat.
    #[inline]
    pub fn mix(self, win: f32, lead: f32) -> f32 {
        let won = 2.0 * win - 1.0;
        won + self.margin * (lead / (Self::HALF_LEAD + lead.abs()) - won)
    }
}

/// How a rollout chooses actions.
pub trait Policy<G: Game>: Send {
    /// Plays a legal action for the player to move, and perhaps more of the same turn.
    fn play(&mut self, state: &mut G, rng: &mut Generator);
}

/// Draws uniformly from the legal actions.
#[derive(Debug)]
pub struct RandomPolicy<G: Game> {
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
    actions: Vec<G::Action>,
    ratings: Vec<f32>,
}

impl<G: Heuristic> GreedyPolicy<G> {
    /// The policy for these weights.
    pub fn new(weights: G::Weights) -> Self {
        let (actions, ratings) = (Vec::with_capacity(G::MAX_LEGAL), Vec::with_capacity(G::MAX_LEGAL));
        GreedyPolicy { weights, actions, ratings }
    }
}

impl<G: Heuristic> Policy<G> for GreedyPolicy<G> {
    #[inline]
    fn play(&mut self, state: &mut G, rng: &mut Generator) {
        state.play_best(&self.weights, rng, &mut self.actions, &mut self.ratings);
    }
}

words! {
    /// How a leaf is judged.
    RolloutKind {
        /// By the end of a game in which actions are drawn uniformly.
        Random = "random",
        /// By the end of a game in which the actions with the heuristic's best ratings are played.
        Greedy = "greedy",
        /// By the value of the state at the next chance node, when the same actions are played up to there.
        Round = "round",
        /// By the value of the state.
        None = "none",
    }
}

/// Judges a state by playing it once to the end under a policy, with chance outcomes drawn by their probability.
#[derive(Debug)]
pub struct Rollout<P> {
    policy: P,
    utility: Utility,
    rng: Generator,
}

/// A rollout is cut off after its policy and chance have played this many times and is judged by the points so far.
const ROLLOUT_LIMIT: usize = 2000;

impl<P> Rollout<P> {
    /// Rollouts under a policy.
    pub fn new(policy: P, utility: Utility) -> Self {
        Rollout { policy, utility, rng: Generator::new(0) }
    }
}

impl<G: Game, P: Policy<G>> Evaluator<G> for Rollout<P> {
    fn reseed(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
    }

    fn evaluate(&mut self, states: &[G], evaluations: &mut [Evaluation]) {
        for (state, evaluation) in states.iter().zip(evaluations) {
            let mut state = *state;
            for _ in 0..ROLLOUT_LIMIT {
                match state.turn() {
                    Turn::Player(_) => self.policy.play(&mut state, &mut self.rng),
                    Turn::Chance => state.play_chance(&mut self.rng),
                    Turn::Over => break,
                }
            }
            evaluation.values = self.utility.of(&state);
            evaluation.prior.clear();
        }
    }
}
