//! One function for each reader of text from outside: whatever the text is, the reader answers without a
//! panic, names what is wrong in one short line, and takes back what it has taken once.
//!
//! The fuzz targets and the property test of the experiments' crate call the same functions.

use std::fmt::{Debug, Display};
use std::io::Cursor;
use std::str::FromStr;

use azulejo::azul::{Azul, AzulRules};
use azulejo::queens_garden::{QueensGarden, QueensGardenRules};
use azulejo::{Changes, Game, GameSpec, Generator, Record, Rules, Turn, intern, with_game};
use azulejo_agents::neural::{Embedded, NeuralParameters, from_bytes, seated, shape_of};
use azulejo_agents::settings::parse_settings;
use azulejo_agents::weights::parse_weights;
use azulejo_agents::{AgentSpec, Limits, Playable};
use azulejo_experiments::balance::BalanceFindings;
use azulejo_experiments::engine::serve;
use azulejo_experiments::game_loop::arena;
use azulejo_experiments::manifest::Manifest;
use azulejo_experiments::report::{Report, RunReport};
use azulejo_experiments::schedule::Rotation;
use azulejo_experiments::train::TrainReport;
use azulejo_experiments::{Schedule, Summary};
use serde_json::Value;

/// Refusals are lines for people.
fn check_message(error: &dyn Display) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.chars().count() < 1000, "{} bytes: {message:.200}", message.len());
    assert!(!message.contains(char::is_control), "{message:?}");
}

/// A line of a record file.
pub fn record(text: &str) {
    match Record::from_line(text) {
        Err(error) => check_message(&error),
        Ok(record) => {
            let again = Record::from_line(&record.to_line()).expect("what was written is read");
            assert_eq!(again.moves, record.moves);
            if let Err(error) = record.verify() {
                check_message(&error);
            }
        }
    }
}

/// A state's JSON object.
pub fn state(text: &str) {
    let Ok(json) = serde_json::from_str::<Value>(text) else { return };
    match GameSpec::of_state(&json) {
        Err(error) => check_message(&error),
        Ok(game) => with_game!(game, |rules: &'static G::Rules| state_of::<G>(rules, &json)),
    }
}

fn state_of<G: Game>(rules: &'static G::Rules, json: &Value) {
    match G::from_json(rules, json) {
        Err(error) => check_message(&error),
        Ok(state) => {
            let json = serde_json::to_value(state).expect("a state is plain values");
            assert_eq!(G::from_json(rules, &json).as_ref(), Ok(&state));
            play(state, 20);
        }
    }
}

/// Plays at random for a while.
fn play<G: Game>(mut state: G, plies: usize) {
    let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
    for _ in 0..plies {
        if state.turn() == Turn::Over {
            return;
        }
        state.play_random(&mut rng, &mut buffer);
    }
}

/// An action or a chance outcome of any game.
pub fn token(text: &str) {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| token_of::<G>(rules, text));
    }
}

fn token_of<G: Game>(rules: &'static G::Rules, text: &str) {
    prints_back::<G::Action>(text);
    prints_back::<G::Outcome>(text);
    let (mut state, mut buffer, mut rng) = (G::new(rules, 2), Vec::new(), Generator::new(1));
    // At chance nodes and at turns of different kinds.
    for _ in 0..12 {
        let mut next = state;
        match next.play_token(text) {
            Err(error) => {
                check_message(&error);
                assert_eq!(next, state, "a move that was refused changes nothing");
            }
            Ok(_) => play(next, 3),
        }
        state.play_random(&mut rng, &mut buffer);
    }
}

/// What is read from a text prints as something that reads as the same.
fn prints_back<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Err(error) => check_message(&error),
        Ok(value) => assert_eq!(value.to_string().parse::<T>().ok(), Some(value)),
    }
}

/// A game spec or an agent spec.
pub fn spec(text: &str) {
    prints_back::<AgentSpec>(text);
    prints_back::<GameSpec>(text);
}

/// The input of an engine.
pub fn protocol(text: &str) {
    // Agents may start programs and read files, and have tables of any size that fits into memory.
    if ["exec", "weights", "values", "table", "memory"].iter().any(|word| text.contains(word)) {
        return;
    }
    let mut output = Vec::new();
    // At the end of the input alone a search would go on to its own limits.
    let input = format!("{text}\nquit\n").into_bytes();
    serve(Cursor::new(input), &mut output).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("answers are text");
    for line in output.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        let known = ["id", "option", "ugiok", "readyok", "response", "info", "bestmove", "error"];
        assert!(known.contains(&word) && !line.contains(char::is_control), "{line:?}");
        assert!(!line.starts_with("error the agent crashed"), "{line}");
    }
}

/// The TOML text of changed rules of Queen's Garden.
pub fn rules(text: &str) {
    let changes = match parse_settings::<Changes>(text) {
        Err(error) => return check_message(&error),
        Ok(changes) => changes,
    };
    match QueensGardenRules::default().with_changes(&changes) {
        Err(error) => check_message(&error),
        Ok(rules) => QueensGarden::PLAYERS
            .for_each(|players| play(QueensGarden::new(intern(rules.clone()), players), 100)),
    }
}

/// A file of weights of any game.
pub fn weights(text: &str) {
    for id in GameSpec::IDS {
        let game: GameSpec = id.parse().expect("an id is a spec");
        with_game!(game, |rules: &'static G::Rules| weights_of::<G>(rules, text));
    }
}

fn weights_of<G: Playable>(rules: &'static G::Rules, text: &str) {
    let (weights, values) = (parse_weights::<G::Weights>(text), parse_weights::<G::ValueWeights>(text));
    weights.iter().for_each(|weights| play_by_weights(G::new(rules, 2), weights));
    values.iter().for_each(|values| value_states(G::new(rules, 2), values));
    weights.err().iter().chain(&values.err()).for_each(|error| check_message(error));
}

/// Plays the actions that the weights rate best.
fn play_by_weights<G: Playable>(mut state: G, weights: &G::Weights) {
    let (mut rng, mut actions, mut ratings) = (Generator::new(1), Vec::new(), Vec::new());
    for _ in 0..30 {
        match state.turn() {
            Turn::Over => return,
            Turn::Chance => state.play_chance(&mut rng),
            Turn::Player(_) => {
                let action = state.best_action(weights, &mut rng, &mut actions, &mut ratings);
                state.try_apply(action).expect("the best action is legal");
            }
        }
    }
}

/// Values the states of a random game.
fn value_states<G: Playable>(mut state: G, weights: &G::ValueWeights) {
    let judge = G::judge(state.rules(), state.players(), weights);
    let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
    for _ in 0..60 {
        if state.turn() == Turn::Over {
            return;
        }
        state.values(&judge, &state.shares(&judge));
        state.play_random(&mut rng, &mut buffer);
    }
}

/// The header of a network's weights file, before as many weights as belong after that of a network of width 8: zeros, and
/// numbers of any size that the text's length draws. A network that is read judges states.
pub fn network(text: &str) {
    let mut header = (text.len() as u64).to_le_bytes().to_vec();
    header.extend(text.as_bytes());
    let mut rng = Generator::new(text.len() as u64);
    let size = shape_of::<Azul>(8, 0).size();
    let zeros = vec![0; 4 * size];
    let any: Vec<u8> = (0..size).flat_map(|_| (rng.below(1 << 32) as u32).to_le_bytes()).collect();
    // Finite, and some of them so large that sums overflow.
    let large = (0..size).flat_map(|_| (1e30 * (rng.below(9) as f32 - 4.0)).to_le_bytes());
    for weights in [zeros, any, large.collect()] {
        judged_by_network(&[&header[..], &weights].concat());
    }
    judged_by_network(text.as_bytes());
}

fn judged_by_network(file: &[u8]) {
    let network = match from_bytes::<Azul>(file) {
        Err(error) => return check_message(&error),
        Ok((network, _)) => Embedded::new(network),
    };
    let parameters = NeuralParameters { sims: Some(4), ..NeuralParameters::default() };
    let agent = seated::<Azul>(&parameters, &network);
    let (mut agent, mut rng) = (agent.expect("no critic is read"), Generator::new(1));
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    state.play_chance(&mut rng);
    agent.new_game(1);
    match agent.choose(&state, &Limits::default()) {
        Err(error) => check_message(&error),
        Ok(decision) => {
            let analysis = decision.search.expect("it searches").analysis();
            assert!(analysis.values.iter().all(|value| value.is_finite()), "{analysis:?}");
            state.try_apply(decision.action).expect("what is chosen is legal");
        }
    }
}

/// A run's `manifest.toml`.
pub fn manifest(text: &str) {
    match Manifest::read(text) {
        Err(error) => check_message(&error),
        // Its command stands in the report.
        Ok(manifest) => {
            let summary = Summary::read(SUMMARY).expect("the smallest summary is one");
            check_page(&RunReport { manifest, summary }.report());
        }
    }
}

/// A run's `summary.json`.
pub fn summary(text: &str) {
    match Summary::read(text) {
        Err(error) => check_message(&error),
        Ok(summary) => {
            let manifest = Manifest::read(MANIFEST).expect("the smallest manifest is one");
            check_page(&RunReport { manifest, summary }.report());
        }
    }
}

/// The `summary.json` of a study of balance.
pub fn balance(text: &str) {
    match BalanceFindings::parse(text) {
        Err(error) => check_message(&error),
        Ok(findings) => check_page(&findings.report()),
    }
}

/// A training run's `train.toml`, an empty line, and its `metrics.csv`.
pub fn training(text: &str) {
    let (config, metrics) = text.split_once("\n\n\n").unwrap_or((text, ""));
    match TrainReport::parse(config, metrics) {
        Err((_, error)) => check_message(&error),
        Ok(read) => check_page(&read.report()),
    }
}

/// A line of the record file of a run that goes on: it is a game of the run, or refused.
pub fn resumed(text: &str) {
    let Ok(record) = Record::from_line(text) else { return };
    let (arena, agents) = (arena("azul".parse().expect("a game")), ["random".parse().expect("an agent")]);
    let schedule = Schedule::selfplay(("azul", 2), &agents, 4, 1, Rotation::Rotated).expect("a schedule");
    let player = arena.player(&schedule).expect("a player");
    match player.recall(record) {
        Err(error) => check_message(&error),
        Ok(played) => assert_eq!(played.efforts.len(), played.record.players),
    }
}

/// Nothing of a report is markup that came from outside.
fn check_page(report: &Report) {
    let page = report.to_html();
    assert!(!page.contains("<script") && !page.contains("NaN") && page.ends_with("</html>\n"), "{page:.300}");
    assert!(!report.to_markdown().contains('\u{1b}'));
}

/// A manifest that goes with any summary.
const MANIFEST: &str = include_str!("../seeds/manifest.toml");
/// A summary that goes with any manifest.
const SUMMARY: &str = include_str!("../seeds/summary.json");
