//! Kills at any moment: a run goes on to the files of one that nobody disturbed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use azulejo::Generator;
use rand::RngExt;
use tempfile::tempdir;

use crate::runs::SMALL_TRAINING;
use crate::{azulejo, succeed, text};

/// A command that writes a run's directory.
struct KilledCommand {
    /// The words before `--out`.
    words: Vec<String>,
    /// The file in the directory that says that a run has begun.
    settings: &'static str,
    /// What goes on with it.
    resume: &'static [&'static str],
}

impl KilledCommand {
    fn new(words: &str, settings: &'static str, resume: &'static [&'static str]) -> Self {
        KilledCommand { words: words.split(' ').map(str::to_owned).collect(), settings, resume }
    }

    /// A small run of every command, with the files that they read below `place`.
    fn all(place: &Path) -> Vec<KilledCommand> {
        let config = place.join("training.toml");
        fs::write(&config, SMALL_TRAINING).unwrap();
        let train = format!("train --quiet --config {}", text(&config));
        const RESUME: &[&str] = &["--resume"];
        vec![
            KilledCommand::new("selfplay --quiet --games 300 greedy random", "manifest.toml", RESUME),
            KilledCommand::new(
                "tournament --quiet --compress --games 300 random greedy",
                "manifest.toml",
                RESUME,
            ),
            KilledCommand::new(
                "balance --quiet --game azul --players 2 --games 30 --set column_bonus=10",
                "rules.toml",
                RESUME,
            ),
            KilledCommand::new(
                "tune --quiet --steps 6 --games 20 --check 2 --check-games 60 greedy",
                "tune.toml",
                &[],
            ),
            KilledCommand::new(&train, "train.toml", RESUME),
        ]
    }

    fn arguments<'a>(&'a self, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
        let words = self.words.iter().map(String::as_str);
        words.chain(["--threads", "2", "--out", text(out)]).chain(more.iter().copied()).collect()
    }
}

/// All files below a directory with their contents, but for what the machine and the time add.
pub(crate) fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if path.is_dir() {
            let below = contents(&path).into_iter();
            found.extend(below.map(|(file, bytes)| (Path::new(&name).join(file), bytes)));
        } else if name != "machine.toml" && !name.starts_with("events.out") {
            found.insert(name.into(), fs::read(path).unwrap());
        }
    }
    found
}

/// Starts a command and kills it after a time. Returns whether it had ended before.
fn kill_after(arguments: &[&str], delay: Duration) -> bool {
    let mut child = azulejo(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(delay);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_ne!(output.status.code(), Some(1), "{arguments:?}: {errors}");
    output.status.success()
}

/// Kills a command so many times, in as many runs as that takes, and compares what each comes to. Returns the number of runs.
fn kill_and_compare(case: &KilledCommand, kills: u32, seed: u64) -> u32 {
    let place = tempdir().unwrap();
    let whole = place.path().join("whole");
    let begin = Instant::now();
    succeed(&case.arguments(&whole, &[]));
    let (expected, takes) = (contents(&whole), begin.elapsed());
    let mut rng = Generator::new(seed);
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        let out = place.path().join(format!("run-{runs}"));
        runs += 1;
        // A run takes some kills, so that it is hit at all its ages.
        for _ in 0..rng.random_range(1..=8) {
            let begun = out.join(case.settings).exists();
            // What was killed before its settings were written begins with or without being told to go on.
            let more = if begun || rng.random_bool(0.5) { case.resume } else { &[] };
            // Half of them very early.
            let most = if rng.random_bool(0.5) { Duration::from_millis(30) } else { takes };
            let delay = most.mul_f64(rng.random::<f64>());
            if kill_after(&case.arguments(&out, more), delay) {
                break;
            }
            killed += 1;
        }
        succeed(&case.arguments(&out, case.resume));
        let found = contents(&out);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{:?}", case.words);
        for (file, bytes) in &found {
            assert!(
                expected[file] == *bytes,
                "{:?}, seed {seed}, run {runs}: {} differs",
                case.words,
                file.display()
            );
        }
        fs::remove_dir_all(&out).unwrap();
    }
    runs
}

#[test]
fn killed_runs_go_on_to_the_same_files() {
    let place = tempdir().unwrap();
    for case in KilledCommand::all(place.path()) {
        kill_and_compare(&case, 8, 1);
    }
}

/// The whole of it: `cargo test -p azulejo-cli --test program -- --ignored killed` (`KILLS` for each command, by default 200, and
/// `SEED`), some 10 minutes.
#[test]
#[ignore = "takes minutes"]
fn killed_runs_go_on_to_the_same_files_many_times() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (kills, seed) = (number("KILLS", 200), number("SEED", 1));
    let place = tempdir().unwrap();
    for case in KilledCommand::all(place.path()) {
        let begin = Instant::now();
        let runs = kill_and_compare(&case, kills as u32, seed);
        println!("{}: {kills} kills in {runs} runs, {:.0?}", case.words[0], begin.elapsed());
    }
}
