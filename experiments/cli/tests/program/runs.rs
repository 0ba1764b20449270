//! Runs of the program: the same files whatever the number of threads and however often it is interrupted.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{azulejo, fail, run, succeed, text};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// All files of a run's directory with their content, but for what the machine adds.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| name != "machine.toml")
        .collect();
    all.sort();
    all
}

fn assert_same_files(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for ((name, left), (_, right)) in one.iter().zip(&other) {
        assert!(left == right, "{name} differs");
    }
}

/// A run's directory in a temporary one.
pub(crate) fn place() -> (TempDir, PathBuf) {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    (directory, out)
}

pub(crate) fn summary(directory: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(directory.join("summary.json")).unwrap()).unwrap()
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    for compress in [&["--compress"][..], &[]] {
        let directories: Vec<(TempDir, PathBuf)> = ["1", "2", "5"]
            .into_iter()
            .map(|threads| {
                let (guard, out) = place();
                let fixed = ["tournament", "--games", "31", "--players", "3", "--quiet", "random", "greedy"];
                let mut arguments = fixed.to_vec();
                arguments.extend(["--threads", threads, "--out", text(&out)]);
                arguments.extend(compress);
                assert_eq!(succeed(&arguments), "", "a quiet run prints nothing");
                (guard, out)
            })
            .collect();
        assert_same_files(&directories[0].1, &directories[1].1);
        assert_same_files(&directories[0].1, &directories[2].1);
    }
}

#[test]
fn a_tournament_writes_what_the_formats_promise() {
    let (_guard, out) = place();
    let printed = succeed(&[
        "tournament",
        "--games",
        "41",
        "--seed",
        "9",
        "--anchor",
        "random",
        "--out",
        text(&out),
        "random",
        "greedy",
    ]);
    assert!(printed.contains("greedy") && printed.contains("rating"), "{printed}");
    let summary = summary(&out);
    assert_eq!(
        (&summary["game"], &summary["players"], &summary["seed"]),
        (&"azul".into(), &2.into(), &9.into())
    );
    assert_eq!(summary["games"], 42, "41 games are rounded up to whole blocks");
    let greedy = &summary["agents"][1];
    assert_eq!(summary["agents"][0]["rating"], 0.0);
    assert!(greedy["rating_low"].as_f64() > Some(0.0), "greedy is stronger than random: {greedy}");
    assert!(greedy["win_share_low"].as_f64() <= greedy["win_share"].as_f64());
    let pair = &summary["pairs"][0];
    assert_eq!((&pair["a"], &pair["b"], &pair["games"]), (&"random".into(), &"greedy".into(), &42.into()));
    assert_eq!(summary["seats"].as_array().unwrap().len(), 2);
    for key in ["plies", "rounds"] {
        assert!(summary[key].as_f64() > Some(1.0), "{key}");
    }
    let rows = fs::read_to_string(out.join("games.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 2 * 42);
    let manifest = fs::read_to_string(out.join("manifest.toml")).unwrap();
    assert!(manifest.contains("status = \"finished\"") && manifest.contains("seed = 9"), "{manifest}");
    let checked = succeed(&["replay", "--verify", text(&out.join("games.jsonl"))]);
    assert_eq!(checked, "42 records are good\n");
}

#[test]
fn a_sequential_test_ends_a_tournament_at_the_same_game_whatever_the_threads() {
    for players in ["2", "3"] {
        let directories: Vec<(TempDir, PathBuf)> = ["1", "4"]
            .into_iter()
            .map(|threads| {
                let (guard, out) = place();
                let mut arguments = vec!["tournament", "--games", "3000", "--players", players, "--quiet"];
                arguments.extend(["--sprt", "elo0=0,elo1=50", "--threads", threads, "--out", text(&out)]);
                arguments.extend(["greedy", "random"]);
                succeed(&arguments);
                let whole = files(&out);
                arguments.push("--resume");
                succeed(&arguments);
                assert!(files(&out) == whole, "a decided test does not go on");
                let machine = fs::read_to_string(out.join("machine.toml")).unwrap();
                assert_eq!(
                    machine.matches("command = \"azulejo tournament --games 3000").count(),
                    2,
                    "{machine}"
                );
                (guard, out)
            })
            .collect();
        assert_same_files(&directories[0].1, &directories[1].1);
        let summary = summary(&directories[0].1);
        let (games, test) = (summary["games"].as_u64().unwrap(), &summary["sprt"]);
        assert!(games < 600, "{games} games");
        assert_eq!((&test["verdict"], &test["elo1"]), (&"alternative".into(), &50.0.into()));
        assert!(test["log_ratio"].as_f64() >= test["upper"].as_f64(), "{test}");
    }
}

#[test]
fn a_study_plays_its_runs_into_directories_of_their_names() {
    const STUDY: &str = "games = 2\nseed = 3\nagents = ['random', 'greedy']\ngame = 'azul'
        [runs.two]\nplayers = 2\n[runs.three]\nplayers = 3\n";
    let (guard, out) = place();
    let file = guard.path().join("study.toml");
    fs::write(&file, STUDY).unwrap();
    let fixed = ["tournament", "--config", text(&file), "--out", text(&out)];
    let run = |more: &[&str]| succeed(&[&fixed[..], more].concat());
    assert!(run(&["--run", "two"]).contains("\ntwo\n\nazul, 2 players, 2 games"));
    assert!(!out.join("three").exists(), "only the run that was asked for");
    assert!(run(&["--resume"]).contains("\nthree\n\nazul, 3 players, 6 games"));

    let single = guard.path().join("single");
    let options = ["--players", "3", "--games", "2", "--seed", "3", "--quiet", "--out", text(&single)];
    succeed(&[&["tournament", "random", "greedy"][..], &options].concat());
    assert_same_files(&out.join("three"), &single);

    let unknown = fail(&[&fixed[..], &["--run", "four"]].concat(), 1);
    assert!(unknown.contains("--run: found 'four', expected three, two"), "{unknown}");
}

#[test]
fn names_stand_in_tables_and_specs_in_records() {
    let (_guard, out) = place();
    let agents = ["mcts:sims=2,name=Short", "MCTS:sims=3,name=Long", "Random"];
    let fixed = ["tournament", "--games", "4", "--anchor", agents[0], "--out", text(&out)];
    let printed = succeed(&[&fixed[..], &agents].concat());
    assert!(printed.contains("Short") && printed.contains("Long") && !printed.contains("mcts"), "{printed}");
    let records = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let record: Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    assert_eq!(record["agents"], serde_json::json!(["mcts:sims=2,name=Short", "mcts:sims=3,name=Long"]));
    assert_eq!(record["names"], serde_json::json!(["Short", "Long"]));
    let rows = fs::read_to_string(out.join("games.csv")).unwrap();
    assert!(rows.contains(",Short,") && rows.contains(",random,") && !rows.contains("mcts"), "{rows}");
    let summary = summary(&out);
    assert_eq!(
        (&summary["agents"][0]["name"], &summary["agents"][2]["name"]),
        (&"Short".into(), &Value::Null)
    );
    for report in ["report.md", "report.html"] {
        let page = fs::read_to_string(out.join(report)).unwrap();
        let (answer, command) = page.rsplit_once("reproduced by").unwrap();
        assert!(answer.contains("is the first of 3 agents") && !answer.contains("mcts"), "{answer}");
        assert!(command.contains("mcts:sims=2,name=Short"), "{command}");
    }
    let whole = files(&out);
    succeed(&[&fixed[..], &["--resume", "--quiet"], &agents].concat());
    assert!(files(&out) == whole, "names do not hinder a run that goes on");
    let shown = succeed(&["replay", text(&out.join("games.jsonl"))]);
    assert!(shown.contains("seat 0 (Short) plays ") && !shown.contains("mcts"), "{shown}");
}

#[test]
fn a_compared_run_with_changed_rules_is_called_by_its_change() {
    let (guard, base) = place();
    let (changed, out) = (guard.path().join("B"), guard.path().join("compared"));
    for (game, directory) in [("azul", &base), (r#"azul:rules={"column_bonus":10}"#, &changed)] {
        let fixed = ["selfplay", "--games", "4", "--quiet", "--game", game, "--out", text(directory)];
        succeed(&[&fixed[..], &["greedy"]].concat());
    }
    succeed(&["report", "--out", text(&out), text(&base), text(&changed)]);
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("| column_bonus=10 |") && !report.contains("| B |"), "{report}");
    assert!(report.starts_with("# Runs compared\n\nSeat 0 is ahead by most in "), "{report}");
}

#[test]
fn a_sequential_test_takes_two_agents() {
    let three = ["tournament", "--sprt", "elo0=0,elo1=5", "random", "greedy", "mcts"];
    assert!(fail(&three, 2).contains("a sequential test compares 2 agents, found 3"));
    let turned = ["tournament", "--sprt", "elo0=5,elo1=0", "random", "greedy"];
    assert!(fail(&turned, 2).contains("expected the second one to be larger"));
}

#[test]
fn one_block_has_no_interval() {
    let (_guard, out) = place();
    succeed(&["tournament", "--games", "2", "--quiet", "--out", text(&out), "random", "greedy"]);
    let summary = summary(&out);
    for key in ["win_share_low", "win_share_high", "rating_low", "rating_high"] {
        assert_eq!(summary["agents"][0][key], Value::Null, "{key}");
    }
    assert!(summary["agents"][0]["rating"].is_f64());
    assert_eq!(summary["pairs"][0]["low"], Value::Null);
}

#[test]
fn one_agent_alone_has_no_rating() {
    let (_guard, out) = place();
    succeed(&["selfplay", "--games", "8", "--players", "4", "--quiet", "--out", text(&out), "greedy"]);
    let summary = summary(&out);
    assert_eq!(summary["agents"].as_array().unwrap().len(), 1);
    assert_eq!(summary["agents"][0]["win_share"], 0.25);
    assert_eq!(summary["agents"][0]["rating"], Value::Null);
    assert_eq!(summary["pairs"], Value::Array(Vec::new()));
}

#[test]
fn a_torn_run_resumes_to_the_same_files() {
    for compress in [None, Some("--compress")] {
        let (_guard, out) = place();
        let mut arguments = vec!["selfplay", "--games", "100", "--quiet", "random", "--out", text(&out)];
        arguments.extend(compress);
        succeed(&arguments);
        let whole = files(&out);
        let name = if compress.is_some() { "games.jsonl.zst" } else { "games.jsonl" };
        let records = fs::read(out.join(name)).unwrap();
        fs::write(out.join(name), &records[..records.len() * 2 / 3]).unwrap();
        fs::remove_file(out.join("summary.json")).unwrap();
        arguments.push("--resume");
        succeed(&arguments);
        assert!(files(&out) == whole);
        succeed(&arguments);
        assert!(files(&out) == whole, "resuming a finished run changes nothing");
    }
}

#[test]
fn a_run_of_a_former_version_resumes_to_the_same_files() {
    let (_guard, out) = place();
    let arguments =
        ["selfplay", "--games", "4", "--quiet", "neural:sims=2,heuristic=0.5", "random", "--out", text(&out)];
    succeed(&arguments);
    let (whole, records) = (files(&out), out.join("games.jsonl"));
    for file in [&records, &out.join("manifest.toml")] {
        let present = fs::read_to_string(file).unwrap();
        assert!(present.contains("heuristic=0.5"));
        fs::write(file, present.replace("heuristic=", "hand=")).unwrap();
    }
    let former = fs::read_to_string(&records).unwrap();
    fs::write(&records, former.lines().take(2).map(|line| line.to_owned() + "\n").collect::<String>())
        .unwrap();
    succeed(&[&arguments[..], &["--resume"]].concat());
    let resumed = fs::read_to_string(&records).unwrap();
    assert_eq!(resumed.matches("hand=").count(), 2, "records stay as they are");
    fs::write(&records, resumed.replace("hand=", "heuristic=")).unwrap();
    assert!(files(&out) == whole);
}

#[test]
fn other_settings_are_refused() {
    let (_guard, out) = place();
    let run = |more: &[&'static str]| {
        let mut arguments = vec!["selfplay", "--quiet", "--out"];
        arguments.push(text(&out));
        arguments.extend(more);
        arguments.iter().map(|argument| argument.to_string()).collect::<Vec<_>>()
    };
    let refused = |more: &[&'static str]| {
        let arguments = run(more);
        fail(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), 1)
    };
    let first = run(&["--games", "5", "random"]);
    succeed(&first.iter().map(String::as_str).collect::<Vec<_>>());
    let before = files(&out);
    assert!(refused(&["--games", "5", "random"]).contains("is not empty"));
    assert!(refused(&["--resume", "--games", "6", "random"]).contains("settings.games was 5, now 6"));
    assert!(refused(&["--resume", "--games", "5", "--seed", "2", "random"]).contains("seed was 1, now 2"));
    assert!(refused(&["--resume", "--games", "5", "greedy"]).contains("agents was [\"random\", \"random\"]"));
    assert!(files(&out) == before, "a refused run changes nothing");
}

#[test]
fn a_foreign_record_is_not_taken_for_one_s_own() {
    let (_guard, out) = place();
    let arguments = ["selfplay", "--games", "5", "--quiet", "random", "--out", text(&out), "--resume"];
    succeed(&arguments);
    let file = out.join("games.jsonl");
    let records = fs::read_to_string(&file).unwrap();
    fs::write(&file, records.replacen("\"index\":2", "\"index\":7", 1)).unwrap();
    assert!(fail(&arguments, 1).contains("line 3: found "));
    fs::write(&file, records.replacen("\"wins\":[", "\"wins\":[7,", 1)).unwrap();
    assert!(fail(&arguments, 1).contains("line 1: wins"));
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let (guard, out) = place();
    let file = guard.path().join("file");
    fs::write(&file, "text").unwrap();
    let run = |out: &Path| fail(&["selfplay", "--games", "1", "--quiet", "random", "--out", text(out)], 1);
    assert!(run(&file).contains(text(&file)));
    assert!(run(&file.join("below")).contains("below"));
    fs::create_dir(&out).unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    assert!(run(&out).contains("is not empty"));
    let resumed = ["selfplay", "--games", "1", "--quiet", "random", "--resume", "--out", text(&out)];
    assert!(fail(&resumed, 1).contains("manifest.toml is missing"));
    assert_eq!(fs::read_to_string(out.join("notes.txt")).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_that_resumes_to_the_same_files() {
    end_and_resume("-INT");
}

#[cfg(unix)]
#[test]
fn a_killed_run_resumes_to_the_same_files() {
    end_and_resume("-KILL");
}

/// The same command goes on where the error says, in the directory of the study and not of the run.
#[cfg(unix)]
#[test]
fn ctrl_c_in_a_study_names_the_directory_of_the_study() {
    use std::process::{Command, Stdio};

    let (guard, out) = place();
    let file = guard.path().join("study.toml");
    let games = 1_000_000;
    let study = format!(
        "games = {games}\nseed = 3\nagents = ['random', 'greedy']\ngame = 'azul'\n[runs.two]\nplayers = 2\n"
    );
    fs::write(&file, study).unwrap();
    let child = azulejo(&["tournament", "--config", text(&file), "--quiet", "--out", text(&out)])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_records(&out.join("two/games.jsonl"));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let end = format!(" of {games} games; go on with the same command and --resume --out {}\n", text(&out));
    assert!(errors.ends_with(&end), "{errors}");
}

/// Waits until a record is written, up to a minute.
#[cfg(unix)]
fn wait_for_records(records: &Path) {
    let start = std::time::Instant::now();
    while fs::metadata(records).map_or(0, |file| file.len()) == 0 {
        assert!(start.elapsed().as_secs() < 60, "no record was written");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Ends a run by a signal as soon as a record is written, and goes on with it.
#[cfg(unix)]
fn end_and_resume(signal: &str) {
    use std::process::{Command, Stdio};

    for (command, compress) in [("tournament", None), ("tournament", Some("--compress")), ("selfplay", None)]
    {
        let ((_one, whole), (_two, parts)) = (place(), place());
        let arguments = |out: &Path| {
            let mut all: Vec<String> =
                [command, "--games", "400", "--threads", "2", "random", "greedy"].map(str::to_owned).to_vec();
            all.extend(["--out".to_owned(), text(out).to_owned()]);
            all.extend(compress.map(str::to_owned));
            all
        };
        let strings = arguments(&whole);
        succeed(&strings.iter().map(String::as_str).collect::<Vec<_>>());

        let mut slow = arguments(&parts);
        let child = azulejo(&slow.iter().map(String::as_str).collect::<Vec<_>>())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let records = parts.join(if compress.is_some() { "games.jsonl.zst" } else { "games.jsonl" });
        wait_for_records(&records);
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        // A fast machine may have finished before the signal came.
        if output.status.code() != Some(0) && signal == "-KILL" {
            // Every game that has been written counts, and only those.
            assert!(!parts.join("summary.json").exists());
            let text = if compress.is_none() { fs::read_to_string(&records).unwrap() } else { String::new() };
            let whole_text = fs::read_to_string(whole.join("games.jsonl")).unwrap_or_default();
            assert!(whole_text.starts_with(&text), "what was written is what an unbroken run writes");
        } else if output.status.code() != Some(0) {
            assert_eq!(output.status.code(), Some(1), "{errors}");
            let last = errors.lines().last().unwrap();
            assert!(last.starts_with("error: interrupted after ") && last.contains("--resume"), "{errors}");
            let played = summary(&parts)["games"].as_u64().unwrap();
            assert!((1..400).contains(&played), "{played} games");
            let manifest = fs::read_to_string(parts.join("manifest.toml")).unwrap();
            assert!(manifest.contains("status = \"interrupted\""), "{manifest}");
            succeed(&["replay", "--verify", text(&records)]);
        }
        slow.push("--resume".to_owned());
        succeed(&slow.iter().map(String::as_str).collect::<Vec<_>>());
        assert_same_files(&whole, &parts);
    }
}

/// Kills a training run once after each of its first files, and goes on with it.
#[cfg(unix)]
#[test]
fn a_killed_training_run_resumes_to_the_same_files() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let (guard, whole) = place();
    let config = guard.path().join("train.toml");
    fs::write(&config, SMALL_TRAINING).unwrap();
    let arguments = |out: &Path, more: &[&str]| -> Vec<String> {
        let all = ["train", "--config", text(&config), "--threads", "1", "--quiet", "--out", text(out)];
        all.iter().chain(more).map(|word| (*word).to_owned()).collect()
    };
    let words = |all: &[String]| -> String { succeed(&all.iter().map(String::as_str).collect::<Vec<_>>()) };
    words(&arguments(&whole, &[]));

    let parts = guard.path().join("parts");
    for (number, file) in ["games", "net.safetensors", "checkpoint.safetensors", "games/00002.jsonl.zst"]
        .into_iter()
        .enumerate()
    {
        let all = arguments(&parts, if number == 0 { &[] } else { &["--resume"] });
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut child = azulejo(&all).stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !parts.join(file).exists() && child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(120), "{file} was not written");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args(["-KILL", &child.id().to_string()]).status().is_ok());
        child.wait().unwrap();
    }
    words(&arguments(&parts, &["--resume"]));
    for file in ["net.safetensors", "checkpoint.safetensors", "metrics.csv", "report.html", "report.md"] {
        let read = |directory: &Path| fs::read(directory.join(file)).unwrap();
        assert!(read(&whole) == read(&parts), "{file} differs");
    }
    let events =
        |directory: &Path| fs::metadata(directory.join("events.out.tfevents.azulejo")).unwrap().len();
    assert_eq!(events(&whole), events(&parts), "no event is doubled or lost");

    let page = fs::read(whole.join("report.html")).unwrap();
    fs::remove_file(whole.join("report.html")).unwrap();
    assert!(succeed(&["report", text(&whole)]).contains("report.html"));
    assert!(fs::read(whole.join("report.html")).unwrap() == page, "a report depends on the table alone");
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("<svg") && page.contains("Win share against each opponent"), "{page}");
}

/// A training run of seconds.
pub(crate) const SMALL_TRAINING: &str = "
seed = 3
generations = 3
network = { width = 16, blocks = 1 }
tables = [{ game = 'azul', players = 2 }]
[selfplay]
games = 8
full = 8
cheap = 4
full_share = 0.5
considered = 4
margin = 0.0
random_actions = 4
drawn_actions = 4
temperature = 1.0
[learning]
steps = 8
batch = 16
window = 2
learning_rate = 0.002
final_learning_rate = 0.0005
weight_decay = 0.01
score_weight = 0.5
search_value = 0.0
[evaluation]
every = 1
games = 4
agent = 'sims=4'
opponents = ['random']
";

#[test]
fn a_run_has_a_report_that_can_be_written_again() {
    let (guard, out) = place();
    succeed(&["tournament", "--games", "6", "--quiet", "--out", text(&out), "random", "greedy"]);
    let whole = files(&out);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(
        page.contains("<svg")
            && page.contains("azulejo tournament --game azul --players 2 --games 6 --seed 1 random")
    );
    assert!(!page.contains("http") && page.contains("Where the points come from"), "{page}");
    assert!(fs::read_to_string(out.join("report.md")).unwrap().contains("| greedy |"));
    fs::remove_file(out.join("report.html")).unwrap();
    assert!(succeed(&["report", text(&out)]).contains("report.html"));
    assert!(files(&out) == whole, "a report depends on the summary alone");
    let (other, both) = (guard.path().join("other"), guard.path().join("both"));
    succeed(&["selfplay", "--games", "6", "--quiet", "--out", text(&other), "greedy"]);
    succeed(&["report", "--out", text(&both), text(&out), text(&other)]);
    let compared = fs::read_to_string(both.join("report.md")).unwrap();
    assert!(
        compared.contains("| run | azul | 2 | 6 |") && compared.contains("| other | azul | 2 | 6 |"),
        "{compared}"
    );
    assert!(fail(&["report", text(guard.path())], 1).contains("manifest.toml"));
}

#[test]
fn a_balance_study_shows_what_changed_numbers_change() {
    let directories: Vec<(TempDir, PathBuf)> = ["1", "3"]
        .into_iter()
        .map(|threads| {
            let (guard, out) = place();
            let mut arguments =
                vec!["balance", "--game", "azul", "--players", "2", "--games", "60", "--quiet"];
            arguments.extend(["--set", "column_bonus=100", "--threads", threads, "--out", text(&out)]);
            assert_eq!(succeed(&arguments), "");
            assert!(fail(&arguments, 1).contains("is not empty"));
            arguments.push("--resume");
            let before = fs::read(out.join("summary.json")).unwrap();
            succeed(&arguments);
            assert!(
                fs::read(out.join("summary.json")).unwrap() == before,
                "resuming a finished study changes nothing"
            );
            let page = fs::read(out.join("report.html")).unwrap();
            fs::remove_file(out.join("report.html")).unwrap();
            succeed(&["report", text(&out)]);
            assert!(
                fs::read(out.join("report.html")).unwrap() == page,
                "a report depends on the summary alone"
            );
            (guard, out)
        })
        .collect();
    let found = summary(&directories[0].1);
    // The changed variant's spec names a file in the directory.
    let same = |value: &Value, out: &Path| value.to_string().replace(text(out), "out");
    assert_eq!(same(&found, &directories[0].1), same(&summary(&directories[1].1), &directories[1].1));
    let seats = found["seats"].as_array().unwrap();
    assert_eq!((seats.len(), &seats[0]["game"], &seats[0]["games"]), (2, &"azul".into(), &60.into()));
    assert_eq!(seats[0]["leads"].as_array().unwrap().len(), 2);
    let strategies = found["strategies"].as_array().unwrap();
    let best = strategies.iter().filter(|it| it["standing"] == "best").count();
    assert_eq!((strategies.len(), best), (16, 2), "8 strategies in 2 variants");
    let columns = found["differences"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "points from columns" && it["agent"] == "greedy");
    assert!(columns.unwrap()["low"].as_f64() > Some(0.0), "columns give 100 instead of 7: {columns:?}");
    let unknown = ["balance", "--game", "azul", "--players", "2", "--set", "column=1"];
    let (guard, out) = place();
    let mut arguments = unknown.to_vec();
    arguments.extend(["--out", text(&out)]);
    assert!(fail(&arguments, 1).contains("column"));
    drop(guard);
}

#[test]
fn a_change_that_no_agent_sees_is_refused_and_one_that_some_agent_sees_is_warned_of() {
    let (_guard, out) = place();
    let mut study = vec!["balance", "--game", "azul", "--players", "2", "--games", "4", "--no-strategies"];
    study.extend(["--set", "last_round=4", "--out", text(&out)]);
    let error = fail(&study, 1);
    assert!(
        error.contains("no agent of this study sees last_round") && error.contains("--count-anew"),
        "{error}"
    );
    // Nothing is left behind, so that the same directory serves.
    study.push("--count-anew");
    let output = run(&study);
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && warnings.contains("warning: greedy does not see last_round"),
        "{warnings}"
    );
    let found = summary(&out);
    assert_eq!(found["knowledge"][0]["unseen"], serde_json::json!(["last_round"]));
    assert!(found["command"].as_str().unwrap().ends_with("--no-strategies --count-anew"), "{found}");
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("greedy does not see last_round"), "{report}");
}

#[test]
fn a_run_by_changed_rules_tells_what_its_agents_do_not_see() {
    let (_guard, out) = place();
    let game = r#"azul:rules={"column_bonus":9,"handicap":[5,0,0,0]}"#;
    let output = run(&["selfplay", "--game", game, "--games", "2", "--out", text(&out), "greedy"]);
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(
        warnings.contains("warning: greedy does not see handicap: it plays by its ratings"),
        "{warnings}"
    );
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("Mind that greedy does not see handicap"), "{report}");
    assert!(report.contains("start"), "the handicap is a source of points: {report}");
}

/// The column of a table by this name, from its last row.
fn last_value(table: &str, column: &str) -> f64 {
    let mut rows = table.lines();
    let place = rows.next().unwrap().split(',').position(|name| name == column).unwrap();
    rows.last().unwrap().split(',').nth(place).unwrap().parse().unwrap()
}

#[test]
fn a_tiny_training_run_beats_random() {
    let (_guard, out) = place();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/train-azul-tiny.toml");
    assert_eq!(succeed(&["train", "--config", config, "--out", text(&out), "--quiet"]), "");
    let metrics = fs::read_to_string(out.join("metrics.csv")).unwrap();
    assert!(last_value(&metrics, "win share against random") >= 0.95, "{metrics}");
    let refused = fail(&["train", "--config", config, "--out", text(&out)], 1);
    assert!(refused.contains("is not empty"), "{refused}");

    let rows = out.join("rows.safetensors");
    let games = out.join("games/00001.jsonl.zst");
    let said = succeed(&["export", "--out", text(&rows), text(&games)]);
    assert!(said.contains(" rows in ") && rows.exists(), "{said}");
    let net = format!("neural:net={},sims=2", text(&out.join("net.safetensors")));
    let refused = fail(&["tournament", "--game", "queens-garden", "random", &net], 1);
    assert!(refused.contains("a network for azul, expected one for queens-garden"), "{refused}");
}

#[test]
fn records_of_changed_rules_need_no_file() {
    let directory = tempdir().unwrap();
    let (file, out) = (directory.path().join("rules.toml"), directory.path().join("run"));
    fs::write(&file, "last_round = 2\nfloor = [-1, -1, -1, -1, -1, -1, -1]\n").unwrap();
    let game = format!("azul:rules={},gray", text(&file));
    let start = ["selfplay", "--quiet", "--games", "3", "--seed", "5", "--out", text(&out), "--game"];
    succeed(&[&start[..], &[&game, "random"]].concat());
    fs::remove_file(&file).unwrap();
    let records = out.join("games.jsonl");
    let written = fs::read_to_string(&records).unwrap();
    let rules = r#"{"floor":[-1,-1,-1,-1,-1,-1,-1],"last_round":2}"#;
    assert!(written.lines().all(|line| line.contains(&format!(r#""game":"azul:gray","rules":{rules},"#))));
    assert_eq!(succeed(&["replay", "--verify", text(&records)]), "3 records are good\n");
    assert!(succeed(&["replay", "--json", text(&records)]).contains(r#""last_round":2"#));
    // The numbers can be given in place of the file, and the run goes on by them.
    let (torn, _) = written.split_once('\n').unwrap();
    fs::write(&records, format!("{torn}\n")).unwrap();
    succeed(&[&start[..], &[&format!("azul:gray,rules={rules}"), "random", "--resume"]].concat());
    assert_eq!(fs::read_to_string(&records).unwrap(), written);
}
