use std::num::NonZeroUsize;

use azulejo_agents::AgentSpec;

use super::*;
use crate::game_loop::{Fault, arena};
use crate::machine::Invocation;
use crate::manifest::{Command, Manifest, Status};
use crate::run::{Run, RunError, Start, Watch, run};
use crate::run_directory::RunDirectory;
use crate::schedule::Pairing;
use crate::stats::SprtSettings;

/// Counts games, and stops after so many.
struct Counter<'a> {
    left: u64,
    stop: &'a AtomicBool,
    games: u64,
}

impl Watch for Counter<'_> {
    fn begin(&mut self, _games: u64) {}

    fn game(&mut self) {
        self.games += 1;
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn fault(&mut self, _fault: &Fault) {}

    fn end(&mut self) {}
}

/// A tournament of quick agents.
#[derive(Clone)]
struct Setting {
    players: usize,
    games: u64,
    seed: u64,
    encoding: Encoding,
    sprt: Option<SprtSettings>,
}

const SETTING: Setting = Setting { players: 2, games: 25, seed: 3, encoding: Encoding::Plain, sprt: None };

impl Setting {
    fn schedule(&self) -> Schedule {
        let agents: Vec<AgentSpec> =
            ["greedy", "mcts:sims=4", "random"].map(|spec| spec.parse().unwrap()).into();
        let agents = if self.sprt.is_some() { &agents[..2] } else { &agents[..] };
        Schedule::tournament(("azul", self.players), agents, self.games, self.seed, Pairing::All).unwrap()
    }

    /// Calls `with` with the run in a directory.
    fn within<T>(&self, directory: &Path, threads: usize, with: impl FnOnce(&Run<'_>) -> T) -> T {
        let (schedule, arena) = (self.schedule(), arena("azul".parse().unwrap()));
        let mut manifest = Manifest::new(Command::Tournament, &schedule, self.encoding, Pairing::All, None);
        manifest.settings.sprt = self.sprt.as_ref().map(ToString::to_string);
        with(&Run {
            arena: &*arena,
            schedule: &schedule,
            manifest,
            invocation: Invocation::now([]),
            anchor: None,
            sprt: self.sprt.as_ref(),
            directory,
            encoding: self.encoding,
            threads: NonZeroUsize::new(threads).unwrap(),
        })
    }

    fn play(
        &self,
        directory: &Path,
        threads: usize,
        start: Start,
        reports: u64,
    ) -> Result<(u64, Status), RunError> {
        let stop = AtomicBool::new(false);
        let mut watch = Counter { left: reports, stop: &stop, games: 0 };
        let status = self.within(directory, threads, |it| run(it, start, &stop, &mut watch))?.1;
        Ok((watch.games, status))
    }

    fn part(&self, directory: &Path, shard: &str) -> Result<ShardOutcome, RunError> {
        let stop = AtomicBool::new(false);
        let mut watch = Counter { left: u64::MAX, stop: &stop, games: 0 };
        let shard = shard.parse().unwrap();
        self.within(directory, 2, |it| play_shard(it, shard, &stop, &mut watch))
    }
}

/// Everything that a run has written but what a machine adds, by name.
fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .filter(|(name, _)| name != "machine.toml")
        .collect();
    files.sort();
    files
}

fn one_run(setting: &Setting) -> Vec<(String, Vec<u8>)> {
    let directory = tempfile::tempdir().unwrap();
    let (_, status) = setting.play(directory.path(), 2, Start::New, u64::MAX).unwrap();
    assert_eq!(status, Status::Finished);
    contents(directory.path())
}

#[test]
fn shards_are_read_and_printed() {
    for text in ["1/1", "2/8", "1000000/1000000"] {
        assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
    }
    for text in ["", "1", "0/4", "5/4", "-1/4", "1/0", "1/1000001", "1/2/3", "a/b", "1 / 2"] {
        let expected = "expected I/N, part I of N, with I from 1 to N and N at most 1000000";
        assert_eq!(text.parse::<Shard>().unwrap_err(), expected, "{text}");
    }
}

#[test]
fn shards_are_whole_blocks_and_together_everything() {
    for players in [2, 3] {
        let schedule = Setting { players, ..SETTING }.schedule();
        for of in [1, 2, 3, 7, 1000] {
            let mut next = 0;
            for number in 1..=of {
                let games = Shard { number, of }.games(&schedule);
                assert_eq!((games.start, games.start % players as u64), (next, 0), "{number}/{of}");
                next = games.end;
            }
            assert_eq!(next, schedule.games, "{of} shards");
        }
    }
}

#[test]
fn any_shards_and_a_resumed_run_are_one_run() {
    for (encoding, players) in [(Encoding::Plain, 2), (Encoding::Zstd, 3)] {
        let setting = Setting { encoding, players, ..SETTING };
        let whole = one_run(&setting);
        for (threads, shards) in [
            (1, &["1/3", "2/3", "3/3"][..]),
            (7, &["3/3", "1/3"]),
            (2, &["2/5", "4/5", "1/2"]),
            (2, &["1/1", "2/2"]),
            (1, &["1000/1000", "1/1000"]),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let place = directory.path();
            for shard in shards {
                setting.part(place, shard).unwrap();
            }
            let (games, status) = setting.play(place, threads, Start::Resume, u64::MAX).unwrap();
            assert_eq!((games, status), (setting.schedule().games, Status::Finished), "{shards:?}");
            assert!(contents(place) == whole, "{shards:?} with {threads} threads");
        }
    }
}

#[test]
fn a_run_that_has_begun_takes_shards_and_can_be_interrupted_among_them() {
    let setting = Setting { encoding: Encoding::Zstd, ..SETTING };
    let (whole, directory) = (one_run(&setting), tempfile::tempdir().unwrap());
    let place = directory.path();
    assert_eq!(setting.play(place, 1, Start::New, 5).unwrap().1, Status::Interrupted);
    setting.part(place, "2/4").unwrap();
    setting.part(place, "3/3").unwrap();
    let mut starts = 0;
    while setting.play(place, 1, Start::Resume, 9 + starts).unwrap().1 == Status::Interrupted {
        starts += 1;
        assert!(starts < 50, "the run does not come forward");
    }
    assert!(starts > 1, "interrupted {starts} times");
    assert!(contents(place) == whole);
    // What is finished has nothing more to be played.
    assert_eq!(setting.part(place, "2/4").unwrap(), ShardOutcome::Present);
    assert_eq!(setting.play(place, 1, Start::Resume, u64::MAX).unwrap(), (0, Status::Finished));
    assert!(contents(place) == whole);
}

#[test]
fn a_sequential_test_stops_where_one_process_would() {
    let sprt = Some("elo0=0,elo1=300".parse().unwrap());
    let setting = Setting { games: 400, sprt, ..SETTING };
    let (whole, directory) = (one_run(&setting), tempfile::tempdir().unwrap());
    let shards = ["1/4", "2/4", "3/4", "4/4"];
    for shard in shards {
        setting.part(directory.path(), shard).unwrap();
    }
    let (games, status) = setting.play(directory.path(), 2, Start::Resume, u64::MAX).unwrap();
    assert!(status == Status::Finished && games < 400, "{games} games");
    assert!(contents(directory.path()) == whole);
}

#[test]
fn shards_that_start_in_one_moment_do_not_disturb_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("new/run");
    let parts: Vec<String> = (1..=8).map(|number| format!("{number}/8")).collect();
    std::thread::scope(|scope| {
        let twice = parts.iter().chain(&parts[..2]);
        let running: Vec<_> = twice.map(|part| scope.spawn(|| SETTING.part(&place, part))).collect();
        for part in running {
            part.join().unwrap().unwrap();
        }
    });
    SETTING.play(&place, 1, Start::Resume, u64::MAX).unwrap();
    assert!(contents(&place) == one_run(&SETTING));
    let left: Vec<PathBuf> = fs::read_dir(place.join(SHARDS)).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(left.len(), 16, "{left:?}");
}

#[test]
fn an_interrupted_shard_leaves_no_records() {
    let (directory, stop) = (tempfile::tempdir().unwrap(), AtomicBool::new(false));
    let mut watch = Counter { left: 4, stop: &stop, games: 0 };
    let whole = Shard { number: 1, of: 1 };
    let outcome = SETTING.within(directory.path(), 1, |it| play_shard(it, whole, &stop, &mut watch));
    assert_eq!(outcome.unwrap(), ShardOutcome::Interrupted);
    let names = fs::read_dir(directory.path().join(SHARDS)).unwrap().map(|it| it.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["0-78.toml"]);
    assert_eq!(SETTING.part(directory.path(), "1/1").unwrap(), ShardOutcome::Played);
}

/// Every file in a directory and below it with its content, but for the lock, which belongs to whoever looks.
fn snapshot(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(snapshot(&path))
        } else {
            files.push((path.clone(), fs::read(path).unwrap()))
        }
    }
    files.retain(|(path, _)| !path.ends_with(".azulejo-lock"));
    files.sort();
    files
}

/// What the merge says of a shard's two files after a change.
fn refusal(change: impl FnOnce(&mut String, &mut String)) -> String {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    for shard in ["1/3", "2/3"] {
        SETTING.part(place, shard).unwrap();
    }
    let files = ["jsonl", "toml"].map(|kind| place.join(SHARDS).join(format!("26-52.{kind}")));
    let [mut records, mut manifest] = files.each_ref().map(|path| fs::read_to_string(path).unwrap());
    change(&mut records, &mut manifest);
    fs::write(&files[0], records).unwrap();
    fs::write(&files[1], manifest).unwrap();
    let before = snapshot(place);
    let refused = SETTING.play(place, 2, Start::Resume, u64::MAX).unwrap_err().to_string();
    assert!(snapshot(place) == before, "{refused}");
    assert!(refused.contains("26-52.jsonl: ") || refused.contains("26-52.toml"), "{refused}");
    refused
}

#[test]
fn a_shard_of_another_run_is_refused_by_its_file_and_changes_nothing() {
    let replaced = |text: &mut String, from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        *text = text.replacen(from, to, 1);
    };
    let of_manifest = |from: &str, to: &str| refusal(|_, manifest| replaced(manifest, from, to));
    assert!(of_manifest("seed = 3", "seed = 4").ends_with("seed was 4, now 3"));
    assert!(of_manifest("players = 2", "players = 3").ends_with("players was 3, now 2"));
    assert!(of_manifest("compress = false", "compress = true").ends_with("compress was true, now false"));
    let version = of_manifest("play_version = ", "play_version = 9");
    assert!(version.contains("it began with play version 9"), "{version}");
    assert!(of_manifest("seed", "sead").contains("26-52.toml: "));
    assert!(refusal(|_, manifest| manifest.clear()).contains("26-52.toml: "));
    let of_records = |from: &str, to: &str| refusal(|records, _| replaced(records, from, to));
    let score = of_records("\"scores\":[", "\"scores\":[1");
    assert!(score.contains("game 26: "), "{score}");
    assert!(of_records("\"seed\":3", "\"seed\":5").contains("game 26: found "));
    assert!(of_records("\"index\":27", "\"index\":28").contains("game 27: found "));
    let missing = refusal(|records, _| {
        let end = records.trim_end().rfind('\n').unwrap() + 1;
        records.truncate(end);
    });
    assert!(missing.ends_with("game 51 is missing"), "{missing}");
    assert!(refusal(|records, _| records.clear()).ends_with("game 26 is missing"));
    let doubled = refusal(|records, _| {
        let last = records.trim_end().rsplit('\n').next().unwrap().to_owned();
        records.push_str(&last);
    });
    assert!(doubled.contains("a record after its game 51"), "{doubled}");
    assert!(refusal(|records, _| records.truncate(records.len() - 9)).contains("26-52.jsonl: line 26: "));
}

#[test]
fn shards_need_a_directory_of_their_run() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    fs::write(place.join("notes.txt"), "mine").unwrap();
    assert!(matches!(SETTING.part(place, "1/2"), Err(RunError::NoRun(_))));
    fs::remove_file(place.join("notes.txt")).unwrap();
    SETTING.part(place, "1/2").unwrap();
    let other = Setting { seed: 4, ..SETTING };
    assert!(matches!(other.part(place, "1/2"), Err(RunError::Shard(_))));
    assert!(matches!(SETTING.play(place, 1, Start::New, u64::MAX), Err(RunError::NotEmpty(_))));
    SETTING.play(place, 1, Start::Resume, 3).unwrap();
    assert!(matches!(other.part(place, "2/2"), Err(RunError::Different { .. })));
    let _alone = RunDirectory::exclusive(place).unwrap();
    assert!(matches!(SETTING.part(place, "2/2"), Err(RunError::Directory(_))));
}
