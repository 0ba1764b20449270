//! Checks of what can be called by other names without changing a game.

use crate::encode::Encode;
use crate::game::Turn;
use crate::seed::{Generator, derive};

/// Checks that random games go on in the same way under other names: the same seat moves, actions are those of the other game under
/// their names there, and points and wins are the same.
pub fn check_symmetries<G: Encode>(rules: &'static G::Rules, players: usize, games: u64, seed: u64) {
    let count = G::symmetries(rules);
    let (mut legal, mut renamed) = (Vec::new(), Vec::new());
    for index in 0..games {
        let mut rng = Generator::new(derive(seed, &[index]));
        let symmetry = rng.below(count.into()) as u32;
        let (mut state, mut image) = (G::new(rules, players), G::new(rules, players));
        while state.turn() != Turn::Over {
            assert_eq!(state.turn(), image.turn(), "symmetry {symmetry}\n{state}{image}");
            assert_eq!(state.scores(), image.scores(), "symmetry {symmetry}\n{state}{image}");
            if state.turn() == Turn::Chance {
                let outcome = state.sample_chance(&mut rng);
                state.apply_chance(&outcome);
                image.apply_chance(&G::renamed_outcome(&outcome, symmetry));
                continue;
            }
            state.legal_actions(&mut legal);
            image.legal_actions(&mut renamed);
            let mut expected: Vec<G::Action> =
                legal.iter().map(|&action| G::renamed(action, symmetry)).collect();
            expected.sort_unstable();
            assert_eq!(renamed, expected, "symmetry {symmetry}\n{state}{image}");
            let action = legal[rng.below(legal.len() as u64) as usize];
            state.apply(action);
            image.apply(G::renamed(action, symmetry));
        }
        assert_eq!((image.turn(), image.scores(), image.wins()), (Turn::Over, state.scores(), state.wins()));
    }
}
