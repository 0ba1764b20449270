//! Text from outside, valid at first, then changed in a few places: no reader panics or hangs.

// Clippy knows the functions below only as helpers, not as tests.
#![allow(clippy::unwrap_used)]

#[path = "../../fuzz/src/lib.rs"]
mod readers;

use std::time::{Duration, Instant};

use azulejo::azul::Azul;
use azulejo::record::End;
use azulejo::{Game, GameSpec, Generator, History, Move, Record, Turn, with_game};
use azulejo_agents::neural::{About, Network, shape_of, to_bytes};
use azulejo_agents::{AgentSpec, Playable};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// No single text may take longer to be read.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pieces that mean something to one reader or another.
const PIECES: [&str; 32] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "[[",
    ",",
    ":",
    "=",
    "-1",
    "0",
    "255",
    "256",
    "65536",
    "18446744073709551616",
    "1e999",
    "nan",
    "inf",
    "null",
    "true",
    " ",
    "\n",
    "\u{0}",
    "é",
    "\u{1F0A1}",
    "moves",
    "startpos",
    "go",
    "'",
    "/",
    "-",
];

/// A change of a text at some place.
#[derive(Clone, Debug)]
enum Edit {
    Insert(&'static str),
    Replace(char),
    Delete(usize),
    Repeat(usize),
}

fn edits() -> impl Strategy<Value = Vec<(Index, Edit)>> {
    let edit = prop_oneof![
        select(&PIECES[..]).prop_map(Edit::Insert),
        prop_oneof![proptest::char::range(' ', '~'), any::<char>()].prop_map(Edit::Replace),
        (1usize..20).prop_map(Edit::Delete),
        (1usize..200).prop_map(Edit::Repeat),
    ];
    vec((any::<Index>(), edit), 0..5)
}

/// The text after the edits.
fn edited(text: &str, edits: &[(Index, Edit)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (place, edit) in edits {
        let at = place.index(letters.len() + 1);
        let behind = |count: usize| at..(at + count).min(letters.len());
        match edit {
            Edit::Insert(piece) => drop(letters.splice(at..at, piece.chars())),
            Edit::Replace(letter) => drop(letters.splice(behind(1), [*letter])),
            Edit::Delete(count) => drop(letters.splice(behind(*count), [])),
            Edit::Repeat(count) => {
                let part: Vec<char> = letters[behind(*count)].to_vec();
                drop(letters.splice(at..at, part));
            }
        }
    }
    letters.into_iter().collect()
}

/// Gives the reader texts made of the valid ones, the same in every run.
fn read_many(cases: u32, valid: Vec<String>, reader: fn(&str)) {
    valid.iter().for_each(|text| reader(text));
    let config =
        Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(select(valid), edits()), |(text, edits)| {
        let (text, begin) = (edited(&text, &edits), Instant::now());
        reader(&text);
        prop_assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// A random game: the record up to some ply, and the state there.
fn sample<G: Game>(rules: &'static G::Rules, seed: u64) -> (Record, String) {
    let mut rng = Generator::new(seed);
    let players = G::PLAYERS.start() + seed as usize % G::PLAYERS.count();
    let (mut history, plies) = (History::<G>::new(rules, players), rng.below(120));
    while history.state().turn() != Turn::Over && (history.plies() as u64) < plies {
        history.push(Move::draw(history.state(), &mut rng, &mut Vec::new())).unwrap();
    }
    let state = serde_json::to_string(history.state()).unwrap();
    let agents = vec!["random".to_owned(); players];
    (Record::new(&history, End::at(history.state()), agents, 1, 0), state)
}

/// Three random games of every variant.
fn samples() -> Vec<(Record, String)> {
    let games = (0..).zip(GameSpec::all().repeat(3));
    games.map(|(seed, game)| with_game!(game, |rules: &'static G::Rules| sample::<G>(rules, seed))).collect()
}

#[test]
fn records() {
    read_many(10_000, samples().iter().map(|(record, _)| record.to_line()).collect(), readers::record);
}

#[test]
fn states() {
    read_many(15_000, samples().into_iter().map(|(_, state)| state).collect(), readers::state);
}

#[test]
fn tokens() {
    let tokens = samples().into_iter().flat_map(|(record, _)| record.moves).collect();
    read_many(5_000, tokens, readers::token);
}

/// A spec with changed rules.
const CHANGED: &str = r#"azul:gray,rules={"column_bonus":10,"floor":[-1,-1,-1,-1,-1,-1,-1]}"#;

#[test]
fn specs() {
    let games = GameSpec::all().into_iter().map(|game| game.to_string());
    let agents = AgentSpec::all().into_iter().flat_map(|(name, _, parameters)| {
        let pairs = |value: &str| -> Vec<String> {
            parameters.iter().map(|parameter| format!("{}={value}", parameter.key)).collect()
        };
        ["1", "a.toml", "'a, b' c"].map(|value| format!("{name}:{}", pairs(value).join(",")))
    });
    let others = [
        "summer-pavilion:wilds=RPGOYB",
        CHANGED,
        "exec:cmd=a 'b,c' d\\,e,time=1,options='A=b c'",
        "mcts:sims=5",
    ];
    let all = games.chain(agents).chain(others.map(str::to_owned)).collect();
    read_many(50_000, all, readers::spec);
}

#[test]
fn sessions() {
    let sessions = samples().into_iter().take(8).flat_map(|(record, state)| {
        let options = format!("setoption name Game value {}\nsetoption name Players value {}", record.game, record.players);
        let moves = record.moves.join(" ");
        let queries = "query turn\nquery legal\nquery state\nquery scores\nquery wins\nquery sample";
        [
            format!("ugi\n{options}\nuginewgame\nposition startpos moves {moves}\n{queries}\ngo nodes 5\nisready\nstop"),
            format!("setoption name Agent value greedy\nposition state {state}\n{queries}\ngo movetime 5\n"),
            format!("setoption name Rules value {{\"column_bonus\":10}}\nuginewgame\n{queries}\nsetoption name Game value {CHANGED}\nuginewgame\n{queries}\n"),
            "setoption name Agent value mcts:sims=5\nposition startpos moves DBBYR/KKWW/BYRK/RRRR/BWWW\ngo\n".to_owned(),
        ]
    });
    read_many(2_000, sessions.collect(), readers::protocol);
}

#[test]
fn rules() {
    let text = include_str!("../../docs/queens-garden-rules.toml").to_owned();
    let parts = text.lines().filter(|line| line.contains('=')).map(str::to_owned);
    read_many(10_000, parts.chain([text.clone()]).collect(), readers::rules);
}

/// The built-in weights of a game as files have them.
fn built_in<G: Playable>() -> [String; 2] {
    [toml::to_string(&G::Weights::default()).unwrap(), toml::to_string(&G::ValueWeights::default()).unwrap()]
}

#[test]
fn weights() {
    let games = GameSpec::IDS.iter().map(|id| id.parse::<GameSpec>().unwrap());
    let files = games.flat_map(|game| with_game!(game, |_rules: &'static G::Rules| built_in::<G>()));
    let extremes = ["nan", "inf", "-inf", "1e30"].map(|value| format!("marker = {value}\n"));
    read_many(5_000, files.chain(extremes).collect(), readers::weights);
}

#[test]
fn networks() {
    let network = Network::untrained(shape_of::<Azul>(8, 0), 1);
    let file = to_bytes(&network, &About::new::<Azul>(network.shape(), 1, vec!["azul 2".to_owned()]));
    let (length, rest) = file.split_first_chunk().unwrap();
    let header = &rest[..u64::from_le_bytes(*length) as usize];
    read_many(2_000, vec![String::from_utf8(header.to_vec()).unwrap()], readers::network);
}

/// The files of this name in the kept results.
fn kept(name: &str) -> Vec<(std::path::PathBuf, String)> {
    let mut directories = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../results")];
    let mut found = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.file_name().is_some_and(|found| found == name) {
                found.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no {name} is kept");
    found
}

/// The texts of files without their places.
fn texts(files: Vec<(std::path::PathBuf, String)>) -> Vec<String> {
    files.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn manifests() {
    read_many(1_000, texts(kept("manifest.toml")), readers::manifest);
}

#[test]
fn summaries() {
    let (runs, studies): (Vec<_>, Vec<_>) =
        kept("summary.json").into_iter().partition(|(path, _)| path.with_file_name("manifest.toml").exists());
    // Small ones, so that many can be tried.
    let mut runs = texts(runs);
    runs.sort_by_key(String::len);
    runs.truncate(4);
    read_many(400, runs.clone(), readers::summary);
    runs.iter().for_each(|text| replaced_numbers(text, readers::summary));
    if !studies.is_empty() {
        read_many(100, texts(studies), readers::balance);
    }
}

/// Gives the reader the text with each of some of its numbers replaced by one that nobody expects.
fn replaced_numbers(text: &str, reader: fn(&str)) {
    let is_part = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
    let starts: Vec<usize> = text.match_indices(": ").map(|(at, _)| at + 2).collect();
    let numbers = starts.into_iter().filter(|&at| text[at..].starts_with(is_part));
    let others =
        ["0", "-1", "1e308", "-1e308", "1e999", "18446744073709551615", "-2147483648", "NaN", "[]", "null"];
    for (place, at) in numbers.enumerate() {
        let end = text[at..].find(|letter| !is_part(letter)).map_or(text.len(), |end| at + end);
        let other = others[place % others.len()];
        reader(&format!("{}{other}{}", &text[..at], &text[end..]));
    }
}

#[test]
fn training_runs() {
    let metrics = "generation,steps,games,positions,policy_loss,policy_seen,policy_unseen,policy_seen_error,\
                   learning_rate,plies,win share against random,win share against random low\n\
                   0,3,5,300,2.5,2.4,2.6,0.1,0.002,60.5,,\n1,7,11,600,2.25,2.1,2.3,0.1,0.001,61.0,0.75,0.5\n";
    let runs = texts(kept("train.toml")).into_iter().map(|config| format!("{config}\n\n\n{metrics}"));
    read_many(1_000, runs.collect(), readers::training);
}

#[test]
fn records_of_a_run_that_goes_on() {
    let games = samples().into_iter().map(|(record, _)| record).filter(|record| record.game == "azul");
    read_many(2_000, games.map(|record| record.to_line()).collect(), readers::resumed);
}
