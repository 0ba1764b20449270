//! Faulty input: states and records with random mistakes are refused properly, or can be used.

use std::io::Write;

use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use super::{check_actions, json_of};
use crate::Record;
use crate::game::{Game, Turn};
use crate::history::{History, Move};
use crate::record::{End, MOVE_LIMIT};
use crate::seed::{Generator, derive};

/// Feeds [`Game::from_json`] with states from random games in which 1 to 3 places have been changed at
/// random.
///
/// A refusal has to name one of the state's keys in a message of one short line. An accepted state has to be
/// written as it was read, and a random game from it has to end without a panic (so run this with debug
/// assertions) and with one win to share.
pub fn check_state_mutations<G: Game>(rules: &'static G::Rules, players: usize, mutations: u64, seed: u64) {
    let mut rng = Generator::new(derive(seed, &[0]));
    let mut accepted = 0;
    // A new game every 20 mutations, from 20 positions all over it.
    for _ in 0..mutations.div_ceil(20) {
        for state in positions::<G>(rules, players, &mut rng) {
            let mut json = json_of(&state);
            for _ in 0..=rng.below(3) {
                mutate(&mut json, &mut rng);
            }
            accepted += u64::from(check_state::<G>(rules, &json, &mut rng));
        }
    }
    assert!(accepted > 0, "no mutated state was accepted: the check is too weak");
}

/// Twenty states of a random game, at random plies, the first and the last state among them.
fn positions<G: Game>(rules: &'static G::Rules, players: usize, rng: &mut Generator) -> Vec<G> {
    let (mut state, mut buffer) = (G::new(rules, players), Vec::new());
    let mut all = vec![state];
    while state.turn() != Turn::Over && all.len() < MOVE_LIMIT {
        state.play_random(rng, &mut buffer);
        all.push(state);
    }
    let mut chosen = vec![all[0], all[all.len() - 1]];
    chosen.extend((0..18).map(|_| all[rng.below(all.len() as u64) as usize]));
    chosen
}

/// Checks how one mutated state is received; whether it was accepted.
fn check_state<G: Game>(rules: &'static G::Rules, json: &Value, rng: &mut Generator) -> bool {
    let _shown = ShowOnPanic(json);
    match G::from_json(rules, json) {
        Err(error) => {
            let top = error.key.split(['.', '[']).next().unwrap_or_default();
            let known = top == "state" || json_of(&G::new(rules, 2)).get(top).is_some();
            assert!(known, "'{}' is no key of a state: {error}", error.key);
            check_message(&error.to_string());
            false
        }
        Ok(state) => {
            check_same_content(json, &state);
            check_actions(&state);
            check_playable(state, rng);
            true
        }
    }
}

/// Refusals go into protocols where a message is one line.
fn check_message(message: &str) {
    assert!(message.chars().count() < 300, "a message is too long: {message}");
    assert!(!message.contains(char::is_control), "a message has control characters: {message:?}");
}

/// The state that was read is the one that was written, but for the order of tiles, unknown keys, and the
/// like: writing it and reading that returns the same state, and every number and every flag has stayed.
fn check_same_content<G: Game>(json: &Value, state: &G) {
    let written = json_of(state);
    let again = G::from_json(state.rules(), &written).expect("a written state reads back");
    assert_eq!(&again, state, "a state reads back differently");
    let mut difference = None;
    first_difference("state", json, &written, &mut difference);
    if let Some(difference) = difference {
        panic!("a state is read as another one: {difference}");
    }
}

/// Finds a place where two states differ in more than the order of letters or of list entries.
fn first_difference(key: &str, read: &Value, written: &Value, found: &mut Option<String>) {
    match (read, written) {
        (Value::Object(read), Value::Object(written)) => {
            for (name, value) in written {
                let read = read.get(name).unwrap_or(&Value::Null);
                first_difference(&format!("{key}.{name}"), read, value, found);
            }
        }
        (Value::Array(left), Value::Array(right))
            if texts(left).is_some_and(|left| texts(right) == Some(left)) => {}
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                first_difference(&format!("{key}[{index}]"), left, right, found);
            }
        }
        (Value::String(left), Value::String(right)) if key == "state.game" => {
            // Default options may be written out.
            let same = left.parse::<crate::GameSpec>().is_ok_and(|spec| spec.to_string() == *right);
            if !same {
                found.get_or_insert(format!("{key}: {left} and {right}"));
            }
        }
        (Value::String(left), Value::String(right)) if sorted(left) == sorted(right) => {}
        (left, right) if left == right => {}
        (left, right) => _ = found.get_or_insert(format!("{key}: {left} and {right}")),
    }
}

/// The sorted entries of a list of texts.
fn texts(list: &[Value]) -> Option<Vec<&str>> {
    let mut texts: Vec<&str> = list.iter().map(Value::as_str).collect::<Option<_>>()?;
    texts.sort_unstable();
    Some(texts)
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

/// A random game from here comes to its end.
fn check_playable<G: Game>(mut state: G, rng: &mut Generator) {
    let mut buffer = Vec::new();
    for _ in 0..10 * MOVE_LIMIT {
        if state.turn() == Turn::Over {
            let wins: f64 = state.wins().as_slice().iter().sum();
            assert!((wins - 1.0).abs() < 1e-9, "the wins add up to {wins}");
            return;
        }
        state.play_random(rng, &mut buffer);
    }
    panic!("the game does not end from an accepted state");
}

/// Feeds [`Record::from_line`] and [`Record::verify`] with random games' records that have been changed at
/// random, as JSON values and as bare text.
///
/// Nothing may panic, a refusal is one short line, and a record that is accepted is accepted again when
/// written.
pub fn check_record_mutations<G: Game>(rules: &'static G::Rules, players: usize, mutations: u64, seed: u64) {
    let mut rng = Generator::new(derive(seed, &[1]));
    let line = random_record::<G>(rules, players, &mut rng).to_line();
    for index in 0..mutations {
        let changed = if index % 2 == 0 {
            let mut json: Value = serde_json::from_str(&line).expect("a record is JSON");
            mutate(&mut json, &mut rng);
            json.to_string()
        } else {
            mutate_text(&line, &mut rng)
        };
        let shown = Value::String(changed);
        let _shown = ShowOnPanic(&shown);
        let changed = shown.as_str().unwrap_or_default();
        match Record::from_line(changed).and_then(|record| record.verify().map(|()| record)) {
            Err(error) => check_message(&error.to_string()),
            Ok(record) => {
                let again = Record::from_line(&record.to_line()).expect("a written record reads back");
                again.verify().expect("a written record replays to its result");
            }
        }
    }
}

fn random_record<G: Game>(rules: &'static G::Rules, players: usize, rng: &mut Generator) -> Record {
    let (mut history, mut buffer) = (History::<G>::new(rules, players), Vec::new());
    while history.state().turn() != Turn::Over {
        let played = Move::draw(history.state(), rng, &mut buffer);
        history.push(played).expect("drawn moves are legal");
    }
    Record::new(&history, End::Finished, vec!["random".to_owned(); players], 1, 0)
}

/// Prints what was being read when a check fails or the library panics.
struct ShowOnPanic<'a>(&'a Value);

impl Drop for ShowOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Nobody may read it, and a second panic would end everything.
            _ = writeln!(std::io::stderr(), "while reading {}", self.0);
        }
    }
}

/// Makes one random change to a JSON value.
fn mutate(json: &mut Value, rng: &mut Generator) {
    let mut paths = Vec::new();
    collect_paths(json, String::new(), &mut paths);
    let pick = |rng: &mut Generator| paths[rng.below(paths.len() as u64) as usize].clone();
    match rng.below(8) {
        0 => *at(json, &pick(rng)) = odd_value(rng),
        1 => swap(json, &pick(rng), &pick(rng)),
        2 => {
            let copied = at(json, &pick(rng)).clone();
            *at(json, &pick(rng)) = copied;
        }
        3 => change_list(json, &paths, rng),
        4 => change_number(json, &paths, rng),
        5 | 6 => move_letter(json, &paths, rng),
        _ => move_count(json, &paths, rng),
    }
}

fn collect_paths(json: &Value, path: String, paths: &mut Vec<String>) {
    match json {
        Value::Object(keys) => {
            keys.iter().for_each(|(key, value)| collect_paths(value, format!("{path}/{key}"), paths));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| collect_paths(value, format!("{path}/{index}"), paths));
        }
        _ => {}
    }
    if !path.is_empty() {
        paths.push(path);
    }
}

fn at<'a>(json: &'a mut Value, path: &str) -> &'a mut Value {
    json.pointer_mut(path).expect("the path was collected from this value")
}

/// A path whose value has this property, if there is one.
fn find(json: &Value, paths: &[String], rng: &mut Generator, has: impl Fn(&Value) -> bool) -> Option<String> {
    let fitting: Vec<&String> = paths.iter().filter(|path| json.pointer(path).is_some_and(&has)).collect();
    fitting.choose(rng).map(|&path| path.clone())
}

/// Exchanges two values, unless one lies inside the other.
fn swap(json: &mut Value, one: &str, other: &str) {
    if !one.starts_with(other) && !other.starts_with(one) {
        let taken = at(json, one).take();
        let other_taken = std::mem::replace(at(json, other), taken);
        *at(json, one) = other_taken;
    }
}

/// A value that hardly fits anywhere.
fn odd_value(rng: &mut Generator) -> Value {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(3),
        json!(4),
        json!(20),
        json!(101),
        json!(255),
        json!(256),
        json!(32_767),
        json!(65_536),
        json!(4_294_967_296u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.0),
        json!(0.5),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("*"),
        json!("-"),
        json!("B"),
        json!("BBBB"),
        json!("....."),
        json!("B....."),
        json!("é"),
        json!("a\nb\u{7}\""),
        json!("center"),
        json!("chance"),
        json!("over"),
        json!("B".repeat(255)),
        json!("B".repeat(256)),
        json!("x\n".repeat(5_000)),
        json!([]),
        json!({}),
        json!([[[[[]]]]]),
        json!({"a": {"b": [1]}}),
        json!(vec![255; 1000]),
        json!(vec!["B"; 300]),
    ];
    odd.choose(rng).cloned().expect("the list is not empty")
}

/// Removes, repeats or adds an entry of a list or a key of an object.
fn change_list(json: &mut Value, paths: &[String], rng: &mut Generator) {
    let is_list = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty());
    let is_object = |value: &Value| value.as_object().is_some_and(|keys| !keys.is_empty());
    let Some(path) = find(json, paths, rng, |value| is_list(value) || is_object(value)) else { return };
    match at(json, &path) {
        Value::Array(items) => {
            let index = rng.below(items.len() as u64) as usize;
            match rng.below(3) {
                0 => _ = items.remove(index),
                1 => items.push(items[index].clone()),
                _ => items.insert(index, odd_value(rng)),
            }
        }
        Value::Object(keys) => {
            let key = keys.keys().nth(rng.below(keys.len() as u64) as usize).cloned().unwrap_or_default();
            if rng.below(2) == 0 {
                keys.remove(&key);
            } else {
                keys.insert(format!("{key}2"), odd_value(rng));
            }
        }
        _ => {}
    }
}

/// A number a little or far away.
fn change_number(json: &mut Value, paths: &[String], rng: &mut Generator) {
    if let Some(path) = find(json, paths, rng, |value| value.is_i64()) {
        let value = at(json, &path);
        let number = value.as_i64().unwrap_or_default();
        let steps = [-1, 1, 2, -2, 5, 10, 40, 100, 1_000, 10_000, 32_740];
        *value = json!(number + steps[rng.below(steps.len() as u64) as usize]);
    }
}

/// A letter goes from one text to another: no tile is lost, but it may lie where it cannot.
fn move_letter(json: &mut Value, paths: &[String], rng: &mut Generator) {
    let full = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let Some(from) = find(json, paths, rng, full) else { return };
    let Some(to) = find(json, paths, rng, Value::is_string) else { return };
    let Value::String(text) = at(json, &from) else { return };
    let place = rng.below(text.chars().count() as u64) as usize;
    let Some((byte, letter)) = text.char_indices().nth(place) else { return };
    text.remove(byte);
    let Value::String(text) = at(json, &to) else { return };
    let place = rng.below(text.chars().count() as u64 + 1) as usize;
    let byte = text.char_indices().nth(place).map_or(text.len(), |(byte, _)| byte);
    text.insert(byte, letter);
}

/// One number grows as much as another one shrinks.
fn move_count(json: &mut Value, paths: &[String], rng: &mut Generator) {
    let Some(from) = find(json, paths, rng, Value::is_i64) else { return };
    let Some(to) = find(json, paths, rng, Value::is_i64) else { return };
    let amount = 1 + rng.below(20) as i64;
    for (path, change) in [(from, -amount), (to, amount)] {
        let value = at(json, &path);
        *value = json!(value.as_i64().unwrap_or_default().wrapping_add(change));
    }
}

/// Text that is cut off, or has characters removed, repeated or replaced.
fn mutate_text(line: &str, rng: &mut Generator) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    for _ in 0..=rng.below(3) {
        let place = rng.below(letters.len() as u64) as usize;
        match rng.below(5) {
            0 => letters.truncate(place.max(1)),
            1 if letters.len() > 1 => _ = letters.remove(place),
            2 => letters.insert(place, letters[place]),
            3 => letters.insert(place, ['"', '{', ']', ',', '-', '9', '\u{0}', 'é'][rng.below(8) as usize]),
            _ => letters[place] = letters[rng.below(letters.len() as u64) as usize],
        }
    }
    letters.into_iter().collect()
}
