//! What the program says to wrong arguments and broken files: one clear line and the right exit status.

use std::fs;
use std::path::PathBuf;

use crate::{fail, run, succeed, text};
use tempfile::{TempDir, tempdir};

#[test]
fn wrong_arguments_are_named() {
    let cases: [(&[&str], &str); 19] = [
        (&["selfplay", "--game", "chess", "random"], "unknown game 'chess'; known games: azul"),
        (&["selfplay", "--game", "azul:purple", "random"], "unknown option 'purple' of azul; known options:"),
        (&["selfplay", "deep"], "unknown agent 'deep'; known agents: random, greedy"),
        (&["selfplay", "random:sims=1"], "agent 'random' has no parameter 'sims'"),
        (&["selfplay", "--players", "5", "random"], "5 players: the game seats 2, 3 or 4"),
        (&["selfplay", "--players", "two", "random"], "expected a whole number"),
        (&["selfplay", "--games", "0", "random"], "0 games"),
        (&["selfplay", "--players", "4", "random", "greedy"], "2 agents for 4 players"),
        (&["selfplay", "--threads", "0", "random"], "--threads"),
        (&["selfplay", "--resume", "random"], "--out"),
        (&["tournament", "random"], "at least 2 agents"),
        (&["tournament", "random", "random"], "listed twice"),
        (&["tournament", "--anchor", "mcts", "random", "greedy"], "given with --anchor"),
        (&["selfplay", "--colour", "random"], "--colour"),
        (&["selfplay", "--game", "azull", "random"], "did you mean 'azul'?"),
        (&["selfplay", "--game", "azul:grey", "random"], "did you mean 'gray'?"),
        (&["selfplay", "gredy"], "did you mean 'greedy'?"),
        (&["selfplay", "mcts:sim=5"], "did you mean 'sims'?"),
        (&["tournament", "mcts:sims=2,name=A", "mcts:sims=3,name=a"], "both called 'a'"),
    ];
    for (arguments, expected) in cases {
        let line = fail(arguments, 2);
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
    assert!(fail(&["dance"], 2).contains("dance"));
    assert!(fail(&["bench", "--filter", "luck"], 2).contains("random-actions"));
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "games",
        "agents",
        "selfplay",
        "tournament",
        "play",
        "replay",
        "analyze",
        "serve",
        "solve",
        "suite",
        "engine",
        "bench",
        "completions",
        "man",
    ] {
        let help = succeed(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("azulejo {command}")), "{help}");
    }
    assert!(succeed(&["--help"]).contains("azulejo tournament"));
    let version = succeed(&["--version"]);
    assert!(version.starts_with(concat!("azulejo ", env!("CARGO_PKG_VERSION"))), "{version}");
    assert_eq!(run(&[]).status.code(), Some(2));
}

#[test]
fn games_and_agents_are_listed() {
    let (games, agents) = (succeed(&["games"]), succeed(&["agents"]));
    for spec in azulejo::GameSpec::all() {
        assert!(
            games.lines().any(|line| line.split_whitespace().next() == Some(&spec.to_string())),
            "{games}"
        );
    }
    for line in [
        "  column_bonus           0 to 100               7",
        "  joker_awards.bench     0 to 12                2",
    ] {
        assert!(games.lines().any(|it| it == line), "{games}");
    }
    for (name, _, parameters) in azulejo_agents::AgentSpec::all() {
        assert!(agents.lines().any(|line| line.starts_with(name)), "{agents}");
        assert!(parameters.iter().all(|it| agents.contains(&format!("  {}=", it.key))), "{agents}");
    }
}

#[test]
fn an_agent_that_cannot_be_built_leaves_nothing_behind() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let agent = "greedy:weights=absent.toml";
    let line = fail(&["selfplay", "--quiet", "--out", text(&out), agent], 1);
    assert!(line.contains("absent.toml"), "{line}");
    assert!(!out.exists());
}

/// Recorded games in a file of their own.
fn recorded(games: &str, more: &[&str]) -> (TempDir, PathBuf) {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let mut arguments =
        vec!["selfplay", "--games", games, "--quiet", "--out", text(&out), "random", "greedy"];
    arguments.extend(more);
    succeed(&arguments);
    let compressed = more.contains(&"--compress");
    (directory, out.join(if compressed { "games.jsonl.zst" } else { "games.jsonl" }))
}

#[test]
fn verify_counts_bad_records_and_goes_on() {
    let (_guard, file) = recorded("6", &[]);
    let records = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<String> = records.lines().map(str::to_owned).collect();
    lines[1] = lines[1].replacen("\"moves\":[\"", "\"moves\":[\"X", 1);
    lines[3].truncate(100);
    lines[4] = lines[4].replacen("\"version\":1", "\"version\":2", 1);
    fs::write(&file, lines.join("\n")).unwrap();
    let output = run(&["replay", "--verify", text(&file)]);
    assert_eq!(output.status.code(), Some(1));
    let (found, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let starts = ["line 2: illegal move X", "line 4: not a game record", "line 5: found format"];
    for (line, start) in found.lines().zip(starts) {
        assert!(line.starts_with(start), "{found}");
    }
    assert_eq!(errors.lines().count(), 1);
    assert!(errors.contains("3 of 6 records are bad; line 2: illegal move"), "{errors}");
}

#[test]
fn an_edited_result_is_found() {
    let (_guard, file) = recorded("1", &[]);
    let record = fs::read_to_string(&file).unwrap();
    let scores = record.split("\"scores\":[").nth(1).unwrap().split(']').next().unwrap();
    fs::write(&file, record.replacen(scores, "999,0", 1)).unwrap();
    assert!(fail(&["replay", "--verify", text(&file)], 1).contains("scores: recorded [999, 0]"));
}

#[test]
fn torn_and_broken_compressed_files_are_reported() {
    let (_guard, file) = recorded("40", &["--compress"]);
    let whole = fs::read(&file).unwrap();
    assert_eq!(succeed(&["replay", "--verify", text(&file)]), "40 records are good\n");
    fs::write(&file, &whole[..whole.len() - 10]).unwrap();
    let output = run(&["replay", "--verify", text(&file)]);
    assert_eq!((output.status.code(), output.stderr.split(|&byte| byte == b'\n').count()), (Some(1), 2));
    fs::write(&file, b"no compressed data").unwrap();
    fail(&["replay", "--verify", text(&file)], 1);
}

#[test]
fn files_that_cannot_be_replayed_are_named() {
    let directory = tempdir().unwrap();
    let absent = directory.path().join("absent.jsonl");
    assert!(fail(&["replay", text(&absent)], 1).contains("absent.jsonl"));
    fail(&["replay", text(directory.path())], 1);
    let empty = directory.path().join("empty.jsonl");
    fs::write(&empty, "").unwrap();
    assert!(fail(&["replay", text(&empty)], 1).contains("no record"));
    assert!(fail(&["replay", "--verify", text(&empty)], 1).contains("no record"));
}

#[test]
fn replay_shows_the_game_that_is_asked_for() {
    let (_guard, file) = recorded("3", &[]);
    let records: Vec<azulejo::Record> = fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(|line| azulejo::Record::from_line(line).unwrap())
        .collect();
    let shown = succeed(&["replay", text(&file), "--game-index", "2"]);
    assert!(shown.starts_with("0: start of game 2\n"), "{shown}");
    assert!(shown.contains(&format!("1: {} is drawn", records[2].moves[0])));
    assert!(shown.contains(&format!("2: seat 0 (random) plays {}", records[2].moves[1])));
    assert!(
        shown.trim_end().ends_with(&format!("scores {:?}, wins {:?}", records[2].scores, records[2].wins))
    );
    let states = succeed(&["replay", text(&file), "--json"]);
    assert_eq!(states.lines().count(), records[0].moves.len() + 1);
    let last: serde_json::Value = serde_json::from_str(states.lines().last().unwrap()).unwrap();
    assert_eq!(last["turn"], "over");
    assert_eq!(last["boards"][0]["score"], records[0].scores[0]);
    assert!(fail(&["replay", text(&file), "--game-index", "3"], 1).contains("no game has index 3"));
}

#[test]
fn bench_prints_the_promised_keys() {
    let json = succeed(&[
        "bench",
        "--json",
        "--filter",
        "random",
        "--game",
        "azul",
        "--players",
        "2",
        "--slice",
        "5",
    ]);
    let list: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 1);
    let keys = ["name", "game", "players", "threads", "unit", "value", "low", "high"];
    assert!(keys.iter().all(|key| !list[0][key].is_null()), "{json}");
    assert_eq!((&list[0]["name"], &list[0]["unit"]), (&"random".into(), &"games/s".into()));
}
