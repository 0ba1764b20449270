//! Whose a directory and a file are: nobody else writes there, and nothing of the user's is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::tempdir;

use crate::runs::SMALL_TRAINING;
use crate::{fail, succeed, text};

/// The files of a directory and its directories with their contents.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    found
}

/// Two processes on one directory: the second changes nothing and says so, whatever its command.
#[cfg(unix)]
#[test]
fn a_directory_in_use_is_left_alone() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let place = tempdir().unwrap();
    let config = place.path().join("training.toml");
    fs::write(&config, SMALL_TRAINING.replace("games = 8", "games = 100000")).unwrap();
    let train = format!("train --config {}", text(&config));
    let many = [
        "selfplay --games 1000000 greedy",
        "tournament --games 1000000 random greedy",
        "tune --games 100000 greedy",
    ];
    let many = many
        .into_iter()
        .chain(["balance --game azul --players 2 --games 1000000 --set column_bonus=10", &train]);
    for (number, words) in many.enumerate() {
        let out = place.path().join(number.to_string());
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.extend(["--threads", "1", "--quiet", "--out", text(&out)]);
        let mut first = crate::azulejo(&arguments).stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        // The settings are there, and something is under way.
        while fs::read_dir(&out).map_or(0, Iterator::count) < 3 {
            assert!(start.elapsed() < Duration::from_secs(60), "{words}: nothing is written");
            sleep(Duration::from_millis(5));
        }
        // It does not go on while the second one tries.
        let signal =
            |name: &str| Command::new("kill").args([name, &first.id().to_string()]).status().unwrap();
        assert!(signal("-STOP").success());
        sleep(Duration::from_millis(100));
        let before = contents(&out);
        let second = |more: &[&str]| crate::run(&[&arguments[..], more].concat());
        let mut refused = vec![second(&[])];
        if !words.starts_with("tune") {
            refused.push(second(&["--resume"]));
        }
        let after = contents(&out);
        first.kill().unwrap();
        first.wait().unwrap();
        for output in refused {
            let errors = String::from_utf8(output.stderr).unwrap();
            let expected = format!("error: {} is in use: another process writes into it", out.display());
            assert!(output.status.code() == Some(1) && errors.starts_with(&expected), "{words}: {errors}");
        }
        assert!(after == before, "{words}: the second process changed something");
    }
}

/// A run in `out` of some games of an agent that plays by a file of weights, torn afterwards.
fn torn_run(weights: &Path, out: &Path) -> Vec<String> {
    fs::write(weights, "floor = 0.5\n").unwrap();
    let agent = format!("greedy:weights={}", text(weights));
    let words = ["selfplay", "--quiet", "--games", "40", "--out", text(out), &agent, "random"];
    succeed(&words);
    let records = fs::read_to_string(out.join("games.jsonl")).unwrap();
    fs::write(out.join("games.jsonl"), &records[..records.len() / 2]).unwrap();
    words.iter().chain(&["--resume"]).map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_run_goes_on_with_the_same_contents_of_files_and_the_same_play_version_only() {
    let place = tempdir().unwrap();
    let (weights, out) = (place.path().join("weights.toml"), place.path().join("run"));
    let resume = torn_run(&weights, &out);
    let resume: Vec<&str> = resume.iter().map(String::as_str).collect();
    let refused = |expected: &str| {
        let before = contents(&out);
        let message = fail(&resume, 1);
        assert!(message.contains(expected), "{message}");
        assert!(contents(&out) == before, "a refused run changes nothing: {message}");
    };
    fs::write(&weights, "floor = 0.25\n").unwrap();
    refused("weights.toml has changed since the run began: SHA-256 was ");
    fs::write(&weights, "floor = 0.5\n").unwrap();

    let manifest = out.join("manifest.toml");
    let kept = fs::read_to_string(&manifest).unwrap();
    let line = kept.lines().find(|line| line.starts_with("play_version = ")).unwrap();
    fs::write(&manifest, kept.replace(line, "play_version = 999999")).unwrap();
    refused("it began with play version 999999, and this program has ");
    let (former, _) = kept.split_once("[provenance]").unwrap();
    fs::write(&manifest, former).unwrap();
    refused("it has no play version");
    fs::write(&manifest, &kept).unwrap();
    succeed(&resume);
    assert_eq!(fs::read_to_string(out.join("games.csv")).unwrap().lines().count(), 1 + 2 * 40);
    // Where nothing is left to be played, nothing depends on the version.
    fs::write(&manifest, former).unwrap();
    succeed(&resume);
    assert!(!fs::read_to_string(&manifest).unwrap().contains("play_version"), "nobody knows it");
}

#[test]
fn training_and_tuning_go_on_with_the_same_contents_only() {
    let place = tempdir().unwrap();
    let (weights, config) = (place.path().join("weights.toml"), place.path().join("training.toml"));
    fs::write(&weights, "floor = 0.5\n").unwrap();
    let agent = format!("greedy:weights={}", text(&weights));
    fs::write(&config, SMALL_TRAINING.replace("['random']", &format!("['{agent}']"))).unwrap();
    let (tuned, trained) = (place.path().join("tuned"), place.path().join("trained"));
    let tune = [
        "tune",
        "--quiet",
        "--steps",
        "1",
        "--games",
        "2",
        "--check-games",
        "4",
        "--out",
        text(&tuned),
        &agent,
    ];
    let train = ["train", "--quiet", "--config", text(&config), "--out", text(&trained)];
    succeed(&tune);
    succeed(&train);
    let train = [&train[..], &["--resume"]].concat();
    for (words, out, settings) in [(&tune[..], &tuned, "tune.toml"), (&train, &trained, "train.toml")] {
        succeed(words);
        let before = contents(out);
        fs::write(&weights, "floor = 0.25\n").unwrap();
        let message = fail(words, 1);
        assert!(message.contains("weights.toml has changed since the run began"), "{message}");
        assert!(contents(out) == before, "a refused run changes nothing: {message}");
        fs::write(&weights, "floor = 0.5\n").unwrap();
        // Nothing is left to be played.
        let kept = fs::read_to_string(out.join(settings)).unwrap();
        let (former, _) = kept.split_once("\n[provenance]").unwrap();
        fs::write(out.join(settings), former).unwrap();
        succeed(words);
    }
    // Something is.
    fs::remove_file(trained.join("checkpoint.safetensors")).unwrap();
    fs::write(tuned.join("checks.csv"), "step,games,share,even,better\n").unwrap();
    for (words, out) in [(&tune[..], &tuned), (&train, &trained)] {
        let before = contents(out);
        let message = fail(words, 1);
        assert!(message.contains("it has no play version"), "{message}");
        assert!(contents(out) == before, "a refused run changes nothing: {message}");
    }
}

#[test]
fn a_finished_run_that_is_refused_keeps_all_its_lines() {
    let place = tempdir().unwrap();
    let out = place.path().join("run");
    let words = ["selfplay", "--quiet", "--games", "50", "--out", text(&out), "random", "--resume"];
    succeed(&words);
    let records = fs::read_to_string(out.join("games.jsonl")).unwrap();
    fs::write(out.join("games.jsonl"), records.replacen("\"index\":19,", "\"index\":99,", 1)).unwrap();
    let before = contents(&out);
    assert!(fail(&words, 1).contains("line 20: found "));
    assert!(contents(&out) == before, "a refused run changes nothing");
}

#[test]
fn what_a_killed_start_leaves_is_begun_with_or_without_being_told_to_go_on() {
    for more in [&["--resume"][..], &[]] {
        let place = tempdir().unwrap();
        let config = place.path().join("training.toml");
        fs::write(&config, SMALL_TRAINING.replace("generations = 3", "generations = 1")).unwrap();
        let train = format!("train --config {}", text(&config));
        for (words, settings) in [
            ("selfplay --games 2 random", "manifest.toml"),
            ("tune --steps 1 --games 2 --check-games 4 greedy", "tune.toml"),
            ("balance --game azul --players 2 --games 2 --set column_bonus=1", "rules.toml"),
            (&train, "train.toml"),
        ] {
            let out = place.path().join(settings);
            fs::create_dir(&out).unwrap();
            fs::write(out.join(".azulejo-lock"), "").unwrap();
            fs::write(out.join(format!(".{settings}.a1b2.azulejo-part")), "torn").unwrap();
            fs::write(out.join(settings), "").unwrap();
            let mut arguments: Vec<&str> = words.split(' ').collect();
            arguments.extend(["--quiet", "--out", text(&out)]);
            arguments.extend(more.iter().filter(|_| !words.starts_with("tune")));
            succeed(&arguments);
            let is_hidden =
                |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            assert_eq!(
                contents(&out).into_keys().filter(is_hidden).count(),
                0,
                "{words}: leftovers are removed"
            );
        }
    }
}

#[test]
fn files_of_the_user_are_not_overwritten() {
    let place = tempdir().unwrap();
    let file = |name: &str| place.path().join(name);
    let out = file("trained");
    fs::write(file("training.toml"), SMALL_TRAINING.replace("generations = 3", "generations = 1")).unwrap();
    succeed(&["train", "--quiet", "--config", text(&file("training.toml")), "--out", text(&out)]);
    let (net, games) = (out.join("net.safetensors"), out.join("games/00001.jsonl.zst"));
    let before = contents(&out);

    let weights = file("w");
    fs::create_dir(&weights).unwrap();
    fs::write(weights.join("weights.toml"), "floor = 0.5\n").unwrap();
    let agent = format!("greedy:weights={}", text(&weights.join("weights.toml")));
    let refused = fail(&["tune", "--out", text(&weights), &agent], 1);
    assert!(refused.contains("is an input of this command"), "{refused}");
    assert!(
        fail(&["tune", "--out", text(&weights), "greedy"], 1)
            .contains("is not empty, and tuning was not begun")
    );
    assert_eq!(contents(&weights).len(), 1);

    let detour = out.join("..").join("trained").join("net.safetensors");
    let export = |option: &str, output: &Path, input: &Path, force: &[&str]| {
        fail(&[&["export", option, text(output), text(input)], force].concat(), 1)
    };
    for force in [&[][..], &["--force"]] {
        for refused in [
            export("--onnx", &net, &net, force),
            export("--onnx", &detour, &net, force),
            export("--out", &games, &games, force),
        ] {
            assert!(refused.contains("is an input of this command"), "{refused}");
        }
    }
    assert!(export("--onnx", &games, &net, &[]).contains("the file exists"));
    assert!(contents(&out) == before, "nothing was overwritten");
    let model = file("net.onnx");
    let export = ["export", "--onnx", text(&model), text(&net)];
    succeed(&export);
    assert!(fail(&export, 1).contains("name a new one, or replace it by --force"));
    succeed(&[&export[..], &["--force"]].concat());

    let (one, other) = (file("one"), file("other"));
    for out in [&one, &other] {
        succeed(&["selfplay", "--quiet", "--games", "2", "--out", text(out), "random"]);
    }
    let both = file("both");
    let compare = ["report", text(&one), text(&other), "--out", text(&both)];
    succeed(&compare);
    assert!(fail(&compare, 1).contains("report.html: the file exists"));
    succeed(&[&compare[..], &["--force"]].concat());
    let own = ["report", text(&one), text(&other), "--force", "--out", text(&one)];
    assert!(fail(&own, 1).contains("is an input of this command"));
    // A study is no place for another kind of run, nor the other way round.
    let study =
        ["balance", "--game", "azul", "--players", "2", "--games", "2", "--resume", "--out", text(&one)];
    assert!(fail(&study, 1).contains("summary.json: "));
}
