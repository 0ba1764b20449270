//! Checks that every game has to pass, for tests of the games here and of games added elsewhere.
//!
//! All functions panic with a message when a check fails.

#[cfg(test)]
mod broken;
mod encoding;
mod golden;
mod mutations;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod suite;
mod symmetry;
mod twin;

pub use encoding::check_encoding;
#[cfg(test)]
pub(crate) use golden::check_playthroughs;
pub use golden::playthroughs;
pub use mutations::{check_record_mutations, check_state_mutations};
#[cfg(test)]
pub(crate) use policy::{play_games, prefer};
#[cfg(test)]
pub(crate) use suite::{game_tests, reverse_factories};
pub use symmetry::check_symmetries;
#[cfg(test)]
pub(crate) use twin::{TestPolicy, compare_with_twin_under, uniform};
pub use twin::{Twin, compare_with_twin};

use std::collections::HashMap;

use serde_json::Value;

use crate::game::{Game, Turn};
use crate::history::{History, Move};
use crate::index::Indexed;
use crate::key::Keyed;
use crate::record::{End, Record};
use crate::registry::GameSpec;
use crate::seed::{Generator, derive};
use crate::spec::variants;

/// The number of games that a test plays: `default`, or the environment variable `AZULEJO_TEST_GAMES`.
///
/// # Panics
/// If the variable is not a number.
#[cfg(test)]
pub(crate) fn games_to_play(default: u64) -> u64 {
    std::env::var("AZULEJO_TEST_GAMES")
        .map_or(default, |games| games.parse().expect("AZULEJO_TEST_GAMES is a number of games"))
}

fn json_of<G: Game>(state: &G) -> Value {
    serde_json::to_value(state).expect("a state has only plain values and text keys")
}

/// Puts a game through everything that holds for all games, over random games.
///
/// At every ply: actions are listed in order, without repetition and within [`Game::MAX_LEGAL`]; of the whole
/// action index exactly the listed ones are legal; outcomes that are drawn are possible and read back; the
/// JSON state reads back as the same state (which checks that no tile is lost) and is refused without one of
/// its keys, each in turn. At the end: nothing is legal, one win is shared, and the record replays to the
/// same result.
pub fn check_contract<G: Game>(rules: &'static G::Rules, players: usize, games: u64, seed: u64) {
    check_notation::<G>();
    let mut legal = Vec::new();
    for index in 0..games {
        let mut rng = Generator::new(derive(seed, &[index]));
        let mut history = History::<G>::new(rules, players);
        loop {
            let state = *history.state();
            check_actions(&state);
            check_json(&state, history.plies());
            if state.turn() == Turn::Over {
                break;
            }
            let played = Move::draw(&state, &mut rng, &mut legal);
            let read = Move::read(&state, &played.to_string());
            assert_eq!(read, Ok(played), "{played} reads back differently");
            history.push(played).unwrap_or_else(|error| panic!("{played}: {error}\n{state}"));
        }
        let wins: f64 = history.state().wins().as_slice().iter().sum();
        assert!((wins - 1.0).abs() < 1e-9, "the wins add up to {wins}");
        let record = Record::new(&history, End::Finished, vec!["random".to_owned(); players], seed, index);
        let read = Record::from_line(&record.to_line()).expect("a written record reads back");
        assert_eq!(read, record);
        let replayed = read.verified_history::<G>(rules).expect("a written record replays to its result");
        assert_eq!(replayed, history);
        // By the game's name, as anybody else who reads the record.
        if GameSpec::IDS.contains(&G::ID) {
            read.verify().expect("a written record replays to its result");
        }
    }
}

fn check_notation<G: Game>() {
    for index in 0..G::Action::COUNT {
        let action = G::Action::from_index(index);
        assert_eq!(action.index(), index, "{action} has another index");
        assert_eq!(action.to_string().parse(), Ok(action), "{action} reads back differently");
    }
}

fn check_actions<G: Game>(state: &G) {
    let mut legal = Vec::new();
    state.legal_actions(&mut legal);
    assert_eq!(
        !legal.is_empty(),
        matches!(state.turn(), Turn::Player(_)),
        "actions exist at a player's turn\n{state}"
    );
    assert!(legal.is_sorted_by(|a, b| a < b), "{legal:?} is not ascending\n{state}");
    assert!(legal.len() <= G::MAX_LEGAL, "{} actions are legal\n{state}", legal.len());
    for action in (0..G::Action::COUNT).map(G::Action::from_index) {
        let listed = legal.binary_search(&action).is_ok();
        assert_eq!(listed, state.is_legal(action), "{action}: listed, or legal, but not both\n{state}");
        if !listed {
            let mut copy = *state;
            assert!(copy.try_apply(action).is_err() && copy == *state, "{action} changes something\n{state}");
        }
    }
}

fn check_json<G: Game>(state: &G, ply: usize) {
    let mut json = json_of(state);
    let read = G::from_json(state.rules(), &json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(&read, state, "the JSON state reads back differently\n{json}");
    let keys = json.as_object_mut().expect("a JSON state is an object");
    let key = keys.keys().nth(ply % keys.len()).expect("a JSON state has keys").clone();
    keys.remove(&key);
    assert!(G::from_json(state.rules(), &json).is_err(), "{key} may be missing");
}

/// Checks by a chi-squared test that [`Game::random_action`] draws uniformly from the legal actions, at
/// `positions` positions of random games.
pub fn check_random_action<G: Game>(rules: &'static G::Rules, players: usize, positions: usize, seed: u64) {
    const DRAWS_PER_ACTION: usize = 40;
    let mut rng = Generator::new(seed);
    let (mut state, mut legal, mut scratch) = (G::new(rules, players), Vec::new(), Vec::new());
    let (mut chi_squared, mut degrees, mut tested) = (0.0, 0.0, 0);
    while tested < positions {
        state.legal_actions(&mut legal);
        if legal.len() > 1 {
            let mut counts = vec![0u32; legal.len()];
            for _ in 0..legal.len() * DRAWS_PER_ACTION {
                let action = state.random_action(&mut rng, &mut scratch);
                counts[legal.binary_search(&action).expect("a random action is legal")] += 1;
            }
            let expected = DRAWS_PER_ACTION as f64;
            chi_squared += counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum::<f64>();
            degrees += (legal.len() - 1) as f64;
            tested += 1;
        }
        if state.turn() == Turn::Over {
            state = G::new(rules, players);
        } else {
            state.play_random(&mut rng, &mut legal);
        }
    }
    let deviation = (chi_squared - degrees) / f64::sqrt(2.0 * degrees);
    assert!(deviation.abs() < 5.0, "chi-squared {chi_squared:.0} with {degrees} degrees of freedom");
}

/// Checks a game's keys over random games: the key kept from action to action is the one worked out from
/// scratch, states of one key agree in turn, round, points and number of legal actions, and states of one
/// whole key in all legal actions and in what is drawn.
pub fn check_keys<G: Keyed>(rules: &'static G::Rules, players: usize, games: u64, seed: u64) {
    let (mut legal, mut seen, mut whole) = (Vec::new(), HashMap::new(), HashMap::new());
    for index in 0..games {
        let mut rng = Generator::new(derive(seed, &[index]));
        let mut state = G::new(rules, players);
        let mut key = state.key();
        while state.turn() != Turn::Over {
            state.legal_actions(&mut legal);
            let face = (state.turn(), state.round(), state.scores(), legal.len());
            assert_eq!(seen.insert(key, face).unwrap_or(face), face, "states of one key\n{state}");
            let drawn =
                (state.turn() == Turn::Chance).then(|| state.sample_chance(&mut Generator::new(seed)));
            let known = whole.entry(state.whole_key()).or_insert_with(|| (legal.clone(), drawn));
            assert_eq!(*known, (legal.clone(), drawn), "states of one whole key\n{state}");
            if state.turn() == Turn::Chance {
                state.play_chance(&mut rng);
                key = state.key();
                continue;
            }
            let action = state.random_action(&mut rng, &mut legal);
            key = state.apply_keyed(action, key);
            assert_eq!(key, state.key(), "the key after {action}\n{state}");
        }
    }
}

/// Runs `test` for every named variant of a game and every number of players.
pub fn for_each_variant<G: Game>(mut test: impl FnMut(&'static G::Rules, usize)) {
    for rules in variants::<G>() {
        for players in G::PLAYERS {
            test(rules, players);
        }
    }
}
