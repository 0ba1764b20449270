//! `azulejo analyze` as a user runs it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tempfile::tempdir;

use crate::{azulejo, fail, succeed, text};

/// A recorded game and its states, one JSON object each.
fn game(directory: &Path, game: &str, players: &str) -> (String, Vec<String>) {
    let out = directory.join(format!("{}-{players}", game.replace(':', "-")));
    let table = ["selfplay", "--game", game, "--players", players, "--games", "1"];
    succeed(&[&table[..], &["--quiet", "--out", text(&out), "random"]].concat());
    let file = text(&out.join("games.jsonl")).to_owned();
    let states = succeed(&["replay", &file, "--json"]).lines().map(str::to_owned).collect();
    (file, states)
}

/// Whether a state is at a player's turn.
fn is_turn(state: &str) -> bool {
    serde_json::from_str::<Value>(state).unwrap()["turn"].is_number()
}

fn check(state: &str, found: &str) {
    let (state, found): (Value, Value) =
        (serde_json::from_str(state).unwrap(), serde_json::from_str(found).unwrap());
    assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), ["candidates", "turn"]);
    assert_eq!(found["turn"], state["turn"]);
    let candidates = found["candidates"].as_array().unwrap();
    assert!((1..=3).contains(&candidates.len()), "{found}");
    for candidate in candidates {
        let keys: Vec<_> = candidate.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["action", "lead", "line", "visits", "win"]);
        assert_eq!(candidate["line"][0], candidate["action"]);
        assert!((0.0..=1.0).contains(&candidate["win"].as_f64().unwrap()), "{candidate}");
        assert!(candidate["lead"].is_number() && candidate["visits"].is_u64());
    }
}

#[test]
fn positions_of_all_games_are_analyzed() {
    let directory = tempdir().unwrap();
    for (table, (spec, players)) in [
        ("azul", "2"),
        ("azul:gray", "4"),
        ("summer-pavilion", "3"),
        ("queens-garden:variant", "4"),
        ("queens-garden", "2"),
    ]
    .into_iter()
    .enumerate()
    {
        let (record, states) = game(directory.path(), spec, players);
        let ply = (states.len() / 2..).find(|&ply| is_turn(&states[ply])).unwrap();
        let file = directory.path().join("state.json");
        fs::write(&file, &states[ply]).unwrap();
        let agent = ["mcts:sims=60", "neural:sims=30", "minimax:nodes=500"][table % 3];
        let options = ["--agent", agent, "--multipv", "3", "--json"];
        let found = succeed(&[&["analyze", "--state", text(&file)], &options[..]].concat());
        check(&states[ply], &found);
        let ply = ply.to_string();
        let recorded = ["analyze", "--record", &record, "--game-index", "0", "--ply", &ply];
        assert_eq!(succeed(&[&recorded[..], &options].concat()), found, "{agent} at {spec}");
        let mut piped = azulejo(&[&["analyze", "--state", "-"], &options[..]].concat());
        let mut child = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(), found);
        let shown = succeed(&["analyze", "--state", text(&file), "--agent", agent]);
        let best: Value = serde_json::from_str(&found).unwrap();
        let best = best["candidates"][0]["action"].as_str().unwrap();
        assert!(shown.starts_with(&format!("{spec}, {players} players, round ")), "{shown}");
        assert!(shown.contains("action") && shown.contains("win %"), "{shown}");
        if agent.starts_with("mcts") {
            assert!(shown.contains(&format!("\n{best} ")), "{best} in {shown}");
        }
    }
}

#[test]
fn a_table_in_a_few_lines_is_analyzed() {
    let directory = tempdir().unwrap();
    let write = |content: &str| {
        let file = directory.path().join("table.txt");
        fs::write(&file, content).unwrap();
        text(&file).to_owned()
    };
    let table = write(
        "game azul\nfactories BBYR/KKWW/-/BYRK/RRRR\ncenter WW\nturn 1\nboard lines=-/YY\nboard floor=*R\n",
    );
    let shown = succeed(&["analyze", "--table", &table, "--agent", "mcts:sims=30"]);
    assert!(shown.starts_with("azul, 2 players, round 1: seat 1 to move"), "{shown}");
    let refused = |content: &str| fail(&["analyze", "--table", &write(content)], 1);
    assert!(refused("game azul\nfactories XX").contains("factories[0]: "));
    assert!(refused("factories BBYR").contains("game: missing, expected a line such as: game azul"));
    fail(&["analyze", "--table", &table, "--state", &table], 2);
}

#[test]
fn what_cannot_be_analyzed_is_refused_in_one_line() {
    let directory = tempdir().unwrap();
    let (record, states) = game(directory.path(), "azul", "2");
    let write = |name: &str, content: &str| {
        let file = directory.path().join(name);
        fs::write(&file, content).unwrap();
        text(&file).to_owned()
    };
    let turn = write("turn", &states[1]);
    let refused = |arguments: &[&str]| fail(&[&["analyze"], arguments].concat(), 1);
    for (state, problem) in [
        (&states[0], "the position is a chance node: no player is to move"),
        (states.last().unwrap(), "the game is over: no player is to move"),
        (&"{".to_owned(), "expected a state, one JSON object"),
        (&"{\"game\":\"chess\"}".to_owned(), "unknown game 'chess'"),
    ] {
        let line = refused(&["--state", &write("state", state)]);
        assert!(line.contains(problem), "{line}");
    }
    assert!(refused(&["--state", "/no/such/file"]).contains("/no/such/file"));
    let line = refused(&["--record", &record, "--ply", "100000"]);
    assert!(line.contains("--ply 100000: the game has "), "{line}");
    assert!(refused(&["--record", &record, "--ply", "0"]).contains("a chance node"));
    assert!(refused(&["--record", &record, "--game-index", "7", "--ply", "1"]).contains("index 7"));
    let line = refused(&["--state", &turn, "--agent", "greedy"]);
    assert!(line.contains("agent 'greedy' chooses moves without values"), "{line}");
    for arguments in [
        &["analyze"][..],
        &["analyze", "--state", &turn, "--record", &record],
        &["analyze", "--record", &record],
        &["analyze", "--state", &turn, "--ply", "1"],
        &["analyze", "--state", &turn, "--multipv", "0"],
        &["analyze", "--state", &turn, "--agent", "deep"],
    ] {
        fail(arguments, 2);
    }
}
