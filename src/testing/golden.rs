//! Golden playthroughs: whole games as text, so that any change of the rules or of the notation shows.

use std::fmt::Write as _;

use super::{for_each_variant, json_of};
use crate::game::{Game, Turn};
use crate::seed::Generator;
use crate::spec::spec_of;

/// A whole random game as text that can be compared line by line: every move with the number of actions that
/// were legal, the board at the start of each round, the final state as JSON.
fn playthrough<G: Game>(rules: &'static G::Rules, players: usize, seed: u64) -> String {
    let mut rng = Generator::new(seed);
    let (mut state, mut legal) = (G::new(rules, players), Vec::new());
    let mut text = format!("{}, {players} players, seed {seed}\n", spec_of::<G>(rules));
    let (mut ply, mut round) = (0, 0);
    // Writing to a string cannot fail.
    loop {
        if matches!(state.turn(), Turn::Over | Turn::Player(_)) && state.round() != round {
            round = state.round();
            _ = write!(text, "\n{state}\n");
        }
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = state.sample_chance(&mut rng);
                state.apply_chance(&outcome);
                _ = writeln!(text, "{ply:4}  chance  {outcome}");
            }
            Turn::Player(seat) => {
                let action = state.random_action(&mut rng, &mut legal);
                state.legal_actions(&mut legal);
                state.apply(action);
                _ = writeln!(text, "{ply:4}  seat {seat}  {action}  (one of {})", legal.len());
            }
        }
        ply += 1;
    }
    let scores = state.scores();
    let wins = state.wins();
    _ = write!(text, "\n{state}\nscores {scores:?}  wins {wins:?}\n{}\n", json_of(&state));
    text
}

/// The golden playthroughs of a game: one for every named variant and number of players, each with its name.
pub fn playthroughs<G: Game>() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for_each_variant::<G>(|rules, players| {
        let name = format!("{}_{players}", spec_of::<G>(rules).replace([':', ',', '='], "_"));
        all.push((name, playthrough::<G>(rules, players, 1)));
    });
    all
}

/// Checks that the playthroughs of a game in this crate are those in its folder `testdata`.
#[cfg(test)]
pub(crate) fn check_playthroughs<G: Game>() {
    let folder = format!("{}/src/{}/testdata", env!("CARGO_MANIFEST_DIR"), G::ID.replace('-', "_"));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in playthroughs::<G>() {
            insta::assert_snapshot!(name, text);
        }
    });
}
