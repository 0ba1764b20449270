//! Checks of what networks see of a game.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::json_of;
use crate::encode::Encode;
use crate::game::Turn;
use crate::seed::{Generator, derive};

/// Checks a game's features and outputs over random games.
///
/// Features have names of their own and are active once at most. An output leads back to an action that comes
/// to the same; actions that share one come to the same. Nothing counts but what the JSON state shows: not
/// the order of equal things, which `shuffle` changes in a JSON state, nor which number a seat has. Both must
/// change some states. With the features that tell places, states that look alike have the same legal actions.
pub fn check_encoding<G: Encode>(
    rules: &'static G::Rules,
    players: usize,
    games: u64,
    seed: u64,
    shuffle: impl Fn(&mut Value),
) {
    check_names::<G>();
    let (mut legal, mut buffer) = (Vec::new(), Vec::new());
    let (mut shuffled, mut turned, mut replaced) = (0, 0, 0);
    for index in 0..games {
        let mut rng = Generator::new(derive(seed, &[index]));
        let mut state = G::new(rules, players);
        while state.turn() != Turn::Over {
            let seen = view(&state);
            assert!(seen.features.len() <= G::MAX_ACTIVE, "{} features\n{state}", seen.features.len());
            assert!(seen.features.windows(2).all(|pair| pair[0] < pair[1]), "a feature twice\n{state}");
            assert!(seen.features.last().is_none_or(|&last| usize::from(last) < G::FEATURES));
            check_outputs(&state, &mut legal, &mut buffer);
            let json = json_of(&state);
            let mut other = json.clone();
            shuffle(&mut other);
            shuffled += u64::from(other != json);
            for other in [json.clone(), other] {
                let read = G::from_json(rules, &other).unwrap_or_else(|error| panic!("{error}\n{other}"));
                assert_eq!(view(&read), seen, "{other} is seen differently from\n{state}");
                replaced += u64::from(check_places(&state, &read) == Places::Differ);
            }
            let mut moved = json;
            move_seats(&mut moved, players);
            // Seat 0 starts the first round: there, such a state is refused.
            if let Ok(read) = G::from_json(rules, &moved) {
                assert_eq!(view(&read), seen, "{moved} is seen differently from\n{state}");
                turned += 1;
            }
            state.play_random(&mut rng, &mut legal);
        }
    }
    assert!(shuffled > games && turned > games, "{shuffled} states shuffled, {turned} with other seats");
    assert!(G::PLACES == 0 || replaced > games, "{replaced} states with other places");
}

#[derive(Debug, PartialEq)]
struct View {
    features: Vec<u16>,
    outputs: Vec<usize>,
}

/// What is seen of a state, in ascending order.
fn view<G: Encode>(state: &G) -> View {
    let (mut features, mut legal) = (Vec::new(), Vec::new());
    state.encode(&mut features);
    features.sort_unstable();
    state.legal_actions(&mut legal);
    let mut outputs: Vec<usize> = legal.iter().map(|&action| state.output(action)).collect();
    outputs.sort_unstable();
    View { features, outputs }
}

/// Whether two states look alike with the features that tell places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    Same,
    Differ,
}

/// Checks the features that tell places in two states that look alike without them.
fn check_places<G: Encode>(first: &G, second: &G) -> Places {
    let [(first_places, first_legal), (second_places, second_legal)] = [first, second].map(|state| {
        let (mut places, mut legal) = (Vec::new(), Vec::new());
        state.encode_places(&mut places);
        places.sort_unstable();
        let range = G::FEATURES..G::FEATURES + G::PLACES;
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "a place twice\n{state}");
        assert!(places.iter().all(|&place| range.contains(&place.into())), "{places:?}\n{state}");
        state.legal_actions(&mut legal);
        (places, legal)
    });
    if first_places != second_places {
        return Places::Differ;
    }
    assert_eq!(first_legal, second_legal, "the places do not tell\n{first}from\n{second}");
    Places::Same
}

fn check_names<G: Encode>() {
    let names: Vec<String> = G::feature_names().into_iter().chain(G::place_names()).collect();
    assert_eq!(names.len(), G::FEATURES + G::PLACES);
    assert!(names.len() <= usize::from(u16::MAX));
    let mut seen = HashSet::new();
    for name in &names {
        assert!(seen.insert(name), "two features are called {name}");
    }
    let parts = G::part_names();
    assert_eq!(parts.len(), G::PARTS);
    assert_eq!(parts.iter().collect::<HashSet<_>>().len(), G::PARTS, "two parts of one name");
    for output in 0..G::OUTPUTS {
        assert!(G::parts(output).iter().all(|part| part < G::PARTS), "parts of output {output}");
    }
}

fn check_outputs<G: Encode>(state: &G, legal: &mut Vec<G::Action>, buffer: &mut Vec<G::Action>) {
    state.legal_actions(legal);
    let after = |action: G::Action| {
        let mut next = *state;
        next.apply(action);
        next.key()
    };
    let (mut known, mut parts) = (HashMap::new(), HashSet::new());
    for &action in legal.iter() {
        let output = state.output(action);
        assert!(output < G::OUTPUTS, "{action} has output {output}\n{state}");
        let back = state.action(output, buffer).unwrap_or_else(|| panic!("{action} is lost\n{state}"));
        assert!(back == action || after(back) == after(action), "{back} is not {action}\n{state}");
        let key = after(action);
        let first = *known.entry(output).or_insert(key);
        assert!(first == key, "{action} shares its output with another action\n{state}");
        parts.insert(G::parts(output));
    }
    assert_eq!(parts.len(), known.len(), "outputs of the same parts\n{state}");
}

/// Gives every seat the next number.
fn move_seats(state: &mut Value, players: usize) {
    for key in ["turn", "start", "marker", "token", "next"] {
        if let Some(seat) = state.get(key).and_then(Value::as_u64) {
            state[key] = ((seat + 1) % players as u64).into();
        }
    }
    if let Some(boards) = state.get_mut("boards").and_then(Value::as_array_mut) {
        boards.rotate_right(1);
    }
}
