//! The comparison of a fast engine with a slow, obvious one.

use std::collections::BTreeSet;

use serde_json::Value;

use super::json_of;
use crate::game::{Game, Turn};
use crate::seed::{Generator, derive};
use crate::spec::spec_of;

/// A game as plainly as it can be written, straight from the rules text: the reference for the fast engine.
///
/// It shares nothing with the engine but the notation: moves are tokens, states are JSON.
pub trait Twin {
    /// The start of a game with this spec.
    fn new(spec: &str, players: usize) -> Self;

    /// The tokens of all legal actions, in any order; empty at chance nodes and when the game is over.
    fn legal(&self) -> Vec<String>;

    /// Plays a legal action or a possible chance outcome.
    fn play(&mut self, token: &str);

    /// The state's JSON object.
    fn json(&self) -> Value;

    /// One win, shared among the winners; called only when the game is over.
    fn wins(&self) -> Vec<f64>;
}

/// How a test game's moves are chosen: called at a player's turn with the state, all legal actions (a buffer
/// that may be overwritten) and a generator; returns one of the legal actions.
pub(crate) trait TestPolicy<G: Game>:
    Fn(&G, &mut Vec<G::Action>, &mut Generator) -> G::Action
{
}

impl<G: Game, F: Fn(&G, &mut Vec<G::Action>, &mut Generator) -> G::Action> TestPolicy<G> for F {}

/// The policy that draws uniformly, by the game's own [`Game::random_action`].
pub(crate) fn uniform<G: Game>(state: &G, legal: &mut Vec<G::Action>, rng: &mut Generator) -> G::Action {
    state.random_action(rng, legal)
}

/// Plays random games on the engine and on its twin and compares legal actions and states at every ply.
pub fn compare_with_twin<G: Game, T: Twin>(rules: &'static G::Rules, players: usize, games: u64, seed: u64) {
    compare_with_twin_under::<G, T>(&uniform::<G>, rules, players, games, seed);
}

/// Like [`compare_with_twin`], with the actions chosen by a policy.
pub(crate) fn compare_with_twin_under<G: Game, T: Twin>(
    policy: &impl TestPolicy<G>,
    rules: &'static G::Rules,
    players: usize,
    games: u64,
    seed: u64,
) {
    let spec = spec_of::<G>(rules);
    let mut legal = Vec::new();
    for index in 0..games {
        let mut rng = Generator::new(derive(seed, &[index]));
        let (mut state, mut twin) = (G::new(rules, players), T::new(&spec, players));
        let mut moves = Vec::new();
        loop {
            state.legal_actions(&mut legal);
            let fast: BTreeSet<String> = legal.iter().map(ToString::to_string).collect();
            let slow: BTreeSet<String> = twin.legal().into_iter().collect();
            assert_eq!(fast, slow, "legal actions of {spec} after {moves:?}\n{state}");
            let (fast, slow) = (json_of(&state), twin.json());
            assert_eq!(fast, slow, "state of {spec} after {moves:?}\n{state}");
            let token = match state.turn() {
                Turn::Over => break,
                Turn::Chance => state.sample_chance(&mut rng).to_string(),
                Turn::Player(_) => policy(&state, &mut legal, &mut rng).to_string(),
            };
            state.play_token(&token).unwrap_or_else(|error| panic!("{token} after {moves:?}: {error}"));
            twin.play(&token);
            moves.push(token);
        }
        assert_eq!(state.wins().as_slice(), twin.wins(), "wins of {spec} after {moves:?}\n{state}");
    }
}
