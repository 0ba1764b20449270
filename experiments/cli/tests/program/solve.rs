//! `azulejo solve` and `azulejo suite` as a user runs them.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use azulejo_experiments::suite::{SolvedMove, Suite, SuitePosition, Tier, Values};
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::{azulejo, fail, succeed, text};

/// The solved position of a suite that has the fewest actions, but more than two.
fn small(game: &str) -> SuitePosition {
    let positions = Suite::of(game, Tier::Ends).unwrap().positions.into_iter();
    let actions = |it: &SuitePosition| it.actions().len();
    positions.filter(|it| actions(it) > 2).min_by_key(actions).unwrap()
}

fn best_lead(position: &SuitePosition) -> i16 {
    let Values::Exact(moves) = &position.values else { panic!("not solved: {position:?}") };
    moves.iter().map(|it: &SolvedMove| it.lead).max().unwrap()
}

#[test]
fn positions_of_all_games_are_solved() {
    let directory = tempdir().unwrap();
    for game in Suite::GAMES {
        let position = small(game);
        let file = directory.path().join("state.json");
        fs::write(&file, position.state.to_string()).unwrap();
        let printed = succeed(&["solve", "--state", text(&file), "--json"]);
        let found: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), ["nodes", "objective", "values"]);
        assert_eq!((&found["objective"], found["nodes"].is_u64()), (&json!("lead"), true));
        assert_eq!(found["values"], serde_json::to_value(&position.values).unwrap(), "{}", position.state);
        let mut piped = azulejo(&["solve", "--state", "-", "--json", "--memory", "64"]);
        let mut run = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        run.stdin.take().unwrap().write_all(position.state.to_string().as_bytes()).unwrap();
        let output: Value = serde_json::from_slice(&run.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!(output["values"], found["values"]);
        let shown = succeed(&["solve", "--state", text(&file)]);
        let best = format!("{:+}", best_lead(&position));
        assert!(shown.starts_with(&position.game) && shown.contains(&best), "{shown}");
    }
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_line() {
    let directory = tempdir().unwrap();
    let refused = |name: &str, state: &str, more: &[&str]| {
        let file = directory.path().join(name);
        fs::write(&file, state).unwrap();
        fail(&[&["solve", "--state", text(&file)], more].concat(), 1)
    };
    let states = |players: &str| -> Vec<String> {
        let out = directory.path().join(players);
        let game =
            ["selfplay", "--players", players, "--games", "1", "--quiet", "--out", text(&out), "random"];
        succeed(&game);
        let record = out.join("games.jsonl");
        succeed(&["replay", text(&record), "--json"]).lines().map(str::to_owned).collect()
    };
    let (two, three) = (states("2"), states("3"));
    assert!(refused("start", &two[0], &[]).contains("no player is to move"));
    assert!(refused("over", two.last().unwrap(), &[]).contains("no player is to move"));
    assert!(refused("first", &two[1], &[]).contains("something is still left to chance: after "));
    assert!(refused("three", &three[1], &[]).contains("3 players: exact values exist for 2 only"));
    let large = small("azul").state.to_string();
    assert!(refused("large", &large, &["--nodes", "1"]).contains("too large: "));
    assert!(refused("broken", "{}", &[]).contains("game"));
    assert!(fail(&["solve"], 2).contains("--state"));
    assert!(fail(&["solve", "--state", "-", "--memory", "0"], 2).contains("mebibytes"));
}

/// What `greedy` plays and what the suites hold: optimal actions, points lost, win lost, results thrown away.
const GREEDY: [&str; 3] = [
    "azul 520: 0.5942 1.8846 0.0490 0.0596",
    "summer-pavilion 520: 0.7442 0.6827 0.0125 0.0154",
    "queens-garden 520: 0.8404 0.6750 0.0058 0.0058",
];

#[test]
fn the_suite_tells_what_an_agent_loses() {
    let printed = succeed(&["suite", "--json", "greedy"]);
    let found: Value = serde_json::from_str(&printed).unwrap();
    let figure = |score: &Value, key: &str| format!("{:.4}", score[key].as_f64().unwrap());
    let figures = |score: &Value| {
        ["optimal", "points_lost", "win_lost", "thrown_away"].map(|key| figure(score, key)).join(" ")
    };
    let line =
        |game: &Value| format!("{} {}: {}", game["game"].as_str().unwrap(), game["positions"], figures(game));
    let lines: Vec<String> = found["games"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(lines, GREEDY);
    assert_eq!((&found["agent"], &found["positions"]), (&json!("greedy"), &json!(1560)));
    assert!(found["points_lost_low"].as_f64() < found["points_lost"].as_f64());
    let one = succeed(&["suite", "--json", "--game", "azul", "--threads", "1", "greedy"]);
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["games"], json!([found["games"][0]]));
    let table = succeed(&["suite", "--game", "azul", "greedy"]);
    assert!(table.contains("points lost") && table.contains("azul"), "{table}");
}

#[test]
fn the_suite_has_positions_of_the_round_before_the_last_one() {
    let arguments = ["suite", "--tier", "round-before", "--game", "azul", "greedy"];
    let table = succeed(&arguments);
    assert!(table.contains("points lost") && !table.contains("thrown away"), "{table}");
    let found: Value = serde_json::from_str(&succeed(&[&arguments[..], &["--json"]].concat())).unwrap();
    assert_eq!((&found["tier"], &found["thrown_away"]), (&json!("round-before"), &Value::Null));
    assert!(found["points_lost"].as_f64() > Some(0.0), "{found}");
    assert!(fail(&["suite", "--tier", "first", "greedy"], 2).contains("round-before"));
}

#[test]
fn the_suite_refuses_agents_that_do_not_choose() {
    let ended = fail(&["suite", "exec:cmd=false"], 1);
    assert!(ended.contains("azul, position ") && ended.contains("the engine ended"), "{ended}");
    assert!(fail(&["suite", "--game", "chess", "greedy"], 2).contains("azul"));
    assert!(fail(&["suite", "nobody"], 2).contains("nobody"));
}
