//! Test games that uniform play hardly ever sees, and walks through them.

use rand::RngExt;

use super::twin::TestPolicy;
use crate::game::{Game, Turn};
use crate::seed::{Generator, derive};

/// The policy that, with probability `share`, draws uniformly from the wanted actions as long as there are
/// any, and otherwise from all: for games that uniform play hardly ever sees.
pub(crate) fn prefer<G: Game>(share: f64, wanted: impl Fn(&G, G::Action) -> bool) -> impl TestPolicy<G> {
    move |state: &G, legal: &mut Vec<G::Action>, rng: &mut Generator| {
        if rng.random_bool(share) && legal.iter().any(|&action| wanted(state, action)) {
            legal.retain(|&action| wanted(state, action));
        }
        legal[rng.below(legal.len() as u64) as usize]
    }
}

/// Plays whole games by a policy and shows each state to `visit`, the last one with [`Turn::Over`].
pub(crate) fn play_games<G: Game>(
    policy: &impl TestPolicy<G>,
    rules: &'static G::Rules,
    players: usize,
    games: u64,
    seed: u64,
    mut visit: impl FnMut(&G),
) {
    let mut legal = Vec::new();
    for index in 0..games {
        let mut rng = Generator::new(derive(seed, &[index]));
        let mut state = G::new(rules, players);
        loop {
            visit(&state);
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => state.play_chance(&mut rng),
                Turn::Player(_) => {
                    state.legal_actions(&mut legal);
                    let action = policy(&state, &mut legal, &mut rng);
                    state.apply(action);
                }
            }
        }
    }
}
