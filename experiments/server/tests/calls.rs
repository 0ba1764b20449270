//! What calls answer to those who mean no harm.

// Clippy knows the functions below only as helpers, not as tests.
#![allow(clippy::unwrap_used)]

mod client;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::{fs, iter};

use azulejo::{Record, Turn};
use azulejo_experiments::position;
use azulejo_experiments::review::{Judging, judging_agent};
use client::Client;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Runs that have been played, with files of every kind.
fn results() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../results"))
}

/// A game that is played to its end by calls alone.
fn played(client: &Client, game: &str, players: usize, agent: &str) -> Value {
    let mut course = json!({ "game": game, "players": players });
    for seed in 0.. {
        let mut request = course.clone();
        request["deal"] = json!(7);
        let position = client.answer("position", &request);
        course = position["course"].clone();
        if position["turn"] == "over" {
            return position;
        }
        let choice = client.answer("choose", &json!({ "course": course, "agent": agent, "seed": seed }));
        let legal = position["legal"].as_array().unwrap();
        let chosen = legal.iter().find(|legal| legal["action"] == choice["action"]).unwrap();
        assert_eq!(chosen["words"], choice["words"]);
        course["moves"].as_array_mut().unwrap().push(choice["action"].clone());
    }
    unreachable!("a game ends")
}

#[test]
fn every_game_can_be_played_to_its_end_kept_and_read() {
    let root = tempfile::tempdir().unwrap();
    let client = &Client::new(root.path());
    let catalog = client.answer("catalog", &json!({}));
    for (number, game) in catalog["games"].as_array().unwrap().iter().enumerate() {
        let spec = game["specs"].as_array().unwrap().last().unwrap()["spec"].as_str().unwrap();
        let over = played(client, spec, 2 + number, "greedy");
        let seats = 2 + number;
        assert_eq!(over["wins"].as_array().unwrap().iter().filter_map(Value::as_f64).sum::<f64>(), 1.0);
        for seat in 0..seats {
            let sources = over["sources"][seat].as_object().unwrap().values().filter_map(Value::as_i64);
            assert_eq!(sources.sum::<i64>(), over["scores"][seat].as_i64().unwrap());
        }
        let (id, names) = (format!("game-{number}"), vec!["somebody"; seats]);
        let record =
            json!({ "course": over["course"], "names": names, "agents": vec!["human"; seats], "seed": 3 });
        let saved = client.answer("save", &json!({ "id": id, "record": record }));
        let file = root.path().join(saved["saved"].as_str().unwrap());
        let line = fs::read_to_string(file).unwrap();
        Record::from_line(&line).unwrap().verify().unwrap();
        let read = client.answer("read", &json!({ "text": line }));
        assert_eq!((&read["course"]["moves"], &read["scores"]), (&over["course"]["moves"], &over["scores"]));
        assert_eq!(client.answer("game", &json!({ "path": "played", "index": number })), read);
    }
    assert_eq!(client.answer("games", &json!({ "path": "played" }))["total"], 3);
    assert_eq!(client.answer("runs", &json!({}))[0]["kind"], "played");
}

#[test]
fn a_position_tells_what_happened_since_the_same_player_s_turn() {
    let client = Client::new(results());
    let moves = ["DBBYR/KKWW/BYRK/RRRR/BWWW", "4R4", "5W3", "3Y1"];
    let at = |count: usize| {
        let course = json!({ "game": "azul", "players": 2, "moves": moves[..count], "log": true });
        client.answer("position", &course)
    };
    let last = |count: usize| -> Vec<u64> {
        at(count)["last"].as_array().unwrap().iter().map(|told| told["ply"].as_u64().unwrap()).collect()
    };
    assert_eq!((last(0), last(1), last(2), last(3)), (vec![], vec![0], vec![0, 1], vec![2]));
    assert_eq!(last(4), [3]);
    let log = at(4)["log"].clone();
    assert_eq!(log[0]["seat"], "chance");
    assert_eq!(
        (&log[1]["move"], &log[1]["words"]),
        (&json!("4R4"), &json!("take 4 red from factory 4 to line 4"))
    );
    assert_eq!(at(4)["turn"], 1);
}

#[test]
fn an_analysis_tells_more_and_more_and_its_best() {
    let client = Client::new(results());
    let course = json!({ "game": "azul", "players": 2, "moves": ["DBBYR/KKWW/BYRK/RRRR/BWWW"] });
    let request = json!({ "course": course, "agent": "mcts", "time_ms": 1200, "multipv": 3 });
    let lines = client.lines("analyse", &request);
    let (last, before) = lines.split_last().unwrap();
    assert!(before.len() >= 2 && before.iter().all(|line| line["done"] == false));
    assert!((last["done"] == true) && last["candidates"].as_array().unwrap().len() == 3, "{last}");
    assert!(lines.windows(2).all(|pair| pair[0]["visits"].as_u64() <= pair[1]["visits"].as_u64()));
    let best = &last["candidates"][0];
    assert_eq!(best["line"][0], best["action"]);
    assert!(best["words"].as_str().unwrap().starts_with("take "));
    let error = &client.lines("analyse", &json!({ "course": course, "agent": "greedy" }))[0]["error"];
    assert!(error.as_str().unwrap().contains("without candidates"), "{error}");
}

#[test]
fn a_review_is_the_judge_s_in_order() {
    let client = Client::new(results());
    let moves = ["DBBYR/KKWW/BYRK/RRRR/BWWW", "4R0", "5W3", "3Y1"];
    let course = json!({ "game": "azul", "players": 2, "moves": moves });
    let request = json!({ "course": course, "agent": "mcts", "sims": 40, "seed": 5 });
    let lines = client.lines("review", &request);
    assert_eq!(lines, client.lines("review", &request), "it repeats");
    let mut position = position::start("azul".parse().unwrap(), 2);
    moves.iter().for_each(|token| position.play_token(token).unwrap());
    let (stop, threads) = (&AtomicBool::new(false), NonZeroUsize::new(2).unwrap());
    let judging = Judging { seed: 5, threads, stop, judged: &|_, _| () };
    let verdicts = position.judge(&judging_agent(&"mcts:sims=40".parse().unwrap()), &judging).unwrap();
    assert_eq!(lines.len(), moves.len() + 1);
    for (ply, (line, verdict)) in lines.iter().zip(&verdicts).enumerate() {
        assert_eq!((&line["ply"], &line["move"]), (&json!(ply), &json!(moves[ply])));
        let Some(verdict) = verdict else {
            assert_eq!((&line["seat"], &line["wins"]), (&json!("chance"), &json!([])));
            continue;
        };
        assert_eq!(line["loss"].to_string(), serde_json::to_string(&verdict.loss).unwrap());
        assert_eq!(line["leads"].to_string(), serde_json::to_string(&verdict.leads).unwrap());
        let better = verdict.best().filter(|best| *best != moves[ply]);
        assert_eq!(line["best"]["action"], json!(better));
    }
    assert!(lines[1]["mark"].is_string(), "{}", lines[1]);
    let end = &lines[moves.len()];
    assert_eq!((&end["done"], &end["summary"][0]["moves"]), (&json!(true), &json!(2)));
    assert!(matches!(position.turn(), Turn::Player(_)));
}

#[test]
fn a_review_names_mistakes_by_kind_and_lines_in_words() {
    let client = Client::new(results());
    let moves = ["DBBYR/KKWW/BYRK/RRRR/BWWW", "4R0", "5W3", "3Y1"];
    let course = json!({ "game": "azul", "players": 2, "moves": moves });
    let lines = client.lines("review", &json!({ "course": course, "agent": "mcts", "sims": 200, "seed": 5 }));
    let kind = json!({ "played": "tiles to the floor", "better": "no tiles to the floor" });
    assert_eq!((&lines[0]["kind"], &lines[1]["kind"]), (&Value::Null, &kind), "{}", lines[1]);
    let best = &lines[1]["best"];
    assert_eq!(best["line_in_words"][0], json!({ "seat": 0, "words": best["words"] }));
    assert_eq!(best["line_in_words"].as_array().unwrap().len(), best["line"].as_array().unwrap().len());
    let told = &lines[moves.len()]["summary"][0]["kinds"];
    let mine = told.as_array().unwrap().iter().find(|told| told["played"] == kind["played"]).unwrap();
    assert_eq!((&mine["moves"], &mine["better"]), (&json!(1), &kind["better"]));
    assert_eq!((&mine["loss"], &mine["points_lost"]), (&lines[1]["loss"], &lines[1]["points_lost"]));
}

#[test]
fn games_are_listed_by_what_was_lost_in_them() {
    let root = tempfile::tempdir().unwrap();
    let record = |index: usize, analysis: &str| {
        let moves = if analysis.is_empty() { "" } else { r#""DBBYR/KKWW/BYRK/RRRR/BWWW","4R0""# };
        let rest = r#""scores":[0,0],"wins":[0.5,0.5],"end":"truncated""#;
        format!(
            r#"{{"format":"azulejo-game","version":1,"game":"azul","players":2,"agents":["a","b"],"seed":1,"index":{index},"moves":[{moves}],{rest}{analysis}}}"#
        ) + "\n"
    };
    let lost = |loss: f32, points: f32| {
        format!(
            r#","analysis":[null,{{"values":[0.0,0.0],"visits":[],"loss":{loss},"points_lost":{points}}}]"#
        )
    };
    let analyses = [lost(0.25, 1.0), String::new(), lost(0.5, 0.5), lost(0.125, 3.0)];
    let lines: String = analyses.iter().enumerate().map(|(index, it)| record(index, it)).collect();
    fs::write(root.path().join("games.jsonl"), lines).unwrap();
    let client = Client::new(root.path());
    let listed = |request: &Value| {
        let mut request = request.clone();
        request["path"] = json!("games.jsonl");
        let answer = client.answer("games", &request);
        let index = |game: &Value| game["index"].as_u64().unwrap();
        let games: Vec<u64> = answer["games"].as_array().unwrap().iter().map(index).collect();
        assert_eq!(answer["total"], 4);
        (games, answer["judged"].as_u64())
    };
    assert_eq!(listed(&json!({})), (vec![0, 1, 2, 3], None));
    assert_eq!(listed(&json!({ "order": "loss" })), (vec![2, 0, 3], Some(3)));
    assert_eq!(listed(&json!({ "order": "points_lost" })), (vec![3, 0, 2], Some(3)));
    assert_eq!(listed(&json!({ "order": "points_lost", "first": 1, "count": 1 })), (vec![0], Some(3)));
    let games = client.answer("games", &json!({ "path": "games.jsonl" }))["games"].clone();
    assert_eq!((&games[3]["loss"], &games[3]["points_lost"]), (&json!(0.125), &json!(3.0)));
    assert_eq!((&games[1]["loss"], &games[1]["points_lost"]), (&Value::Null, &Value::Null));
}

#[test]
fn the_catalog_has_a_place_for_every_level_s_rating() {
    let agents = Client::new(results()).answer("catalog", &json!({}))["agents"].clone();
    let level = agents.as_array().unwrap().iter().find(|agent| agent["spec"] == "ladder:level=7").unwrap();
    let ratings = level["ratings"].as_object().unwrap();
    assert_eq!(ratings.len(), 3);
    for rating in ratings.values().filter(|rating| !rating.is_null()) {
        let number = |key: &str| rating[key].as_i64().unwrap();
        assert!(number("low") <= number("rating") && number("rating") <= number("high"), "{rating}");
    }
    let random = agents.as_array().unwrap().iter().find(|agent| agent["spec"] == "random").unwrap();
    assert_eq!(random["ratings"], json!({}));
}

#[test]
fn runs_are_told_by_their_files() {
    let client = Client::new(results());
    let runs = client.answer("runs", &json!({}));
    let run = |path: &str| runs.as_array().unwrap().iter().find(|run| run["path"] == path).unwrap().clone();
    let tournament = run("ratings/azul-2");
    assert_eq!((&tournament["kind"], &tournament["done"]), (&json!("tournament"), &json!(450)));
    let told = client.answer("run", &json!({ "path": "ratings/azul-2" }));
    assert_eq!(told["summary"]["games"], 450);
    let training = client.answer("run", &json!({ "path": "training/azul" }));
    assert_eq!((&training["kind"], &training["finished"]), (&json!("train"), &json!(true)));
    assert_eq!(training["metrics"][0]["generation"], 0.0);
    assert_eq!(run("balance/azul")["kind"], "study");
    let games = client.answer("games", &json!({ "path": "ratings/azul-2", "first": 448, "count": 9 }));
    assert_eq!((&games["total"], games["games"].as_array().unwrap().len()), (&json!(450), 2));
    let game = client.answer("game", &json!({ "path": "ratings/azul-2", "index": 449 }));
    let position = client.answer("position", &game["course"]);
    assert_eq!((&position["turn"], &position["scores"]), (&json!("over"), &game["scores"]));
}

#[test]
fn a_run_that_goes_on_is_as_far_as_its_file_and_reports_are_in_a_sandbox() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("mine");
    fs::create_dir(&folder).unwrap();
    let manifest = fs::read_to_string(results().join("ratings/azul-2/manifest.toml")).unwrap();
    fs::write(folder.join("manifest.toml"), manifest.replace("\"finished\"", "\"interrupted\"")).unwrap();
    let record = r#"{"format":"azulejo-game","version":1,"game":"azul","players":2,"agents":["a","b"],"seed":1,"index":0,"moves":[],"scores":[0,0],"wins":[0.5,0.5],"end":"truncated"}"#;
    let lines: String = iter::repeat_n(format!("{record}\n"), 3).collect();
    fs::write(folder.join("games.jsonl"), lines).unwrap();
    fs::write(folder.join("report.html"), "<p>it</p><script>alert(1)</script>").unwrap();
    let client = Client::new(root.path());
    let run = client.answer("run", &json!({ "path": "mine" }));
    assert_eq!((&run["done"], &run["games"], &run["finished"]), (&json!(3), &json!(450), &json!(false)));
    let head = client.head(&format!("GET {}", run["report"].as_str().unwrap()), &["host: HOST"], 0);
    let mut stream = client.connect();
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut stream, &mut text).unwrap();
    assert!(text.contains("content-security-policy: sandbox; default-src 'none'"), "{text}");
    assert!(text.contains("x-content-type-options: nosniff") && text.contains("<p>it</p>"), "{text}");
}

#[test]
fn the_page_is_whole() {
    let page = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page"));
    let hashes = fs::read_to_string(page.join("vendor/hashes.sha256")).unwrap();
    let mut listed: Vec<&str> = Vec::new();
    for line in hashes.lines() {
        let (hash, file) = line.split_once("  ").unwrap();
        let found = Sha256::digest(fs::read(page.join("vendor").join(file)).unwrap());
        assert_eq!(found.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), hash, "{file}");
        listed.push(file);
    }
    for entry in fs::read_dir(page.join("vendor")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".js") || listed.contains(&&*name), "{name} has no hash");
    }
    let client = Client::new(results());
    for (path, start) in [("/", "<!doctype html>"), ("/index.html", "<!doctype html>"), ("/app.js", "")] {
        let (status, text) = client.request(&format!("GET {path}"), &["host: HOST"], b"");
        assert!(status == 200 && text.starts_with(start), "{path}: {status}");
    }
}
