use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};

use azulejo::azul::Azul;

use super::*;
use crate::manifest::Status;
use crate::run::Start;
use crate::run_directory::RunDirectory;
use crate::shard::SHARDS;
use crate::train::config::TrainConfig;
use crate::train::tests::{Stopper, TINY, averaged, training};
use crate::train::{StageShard, Training};

/// A run of two stages: a teacher's 5 games and 6 of the network's own.
fn tiny() -> String {
    TINY.replace("generations = 3", "generations = 1")
}

/// Has a run go on with one stage, until so many reports.
fn learn(text: &str, directory: &Path, threads: usize, reports: u64) -> Result<Status, TrainError> {
    let (config, stop) = (TrainConfig::read(text).unwrap(), AtomicBool::new(false));
    let mut watch = Stopper { left: reports, stop: &stop, rows: Vec::new() };
    let (threads, stages) = (NonZeroUsize::new(threads).unwrap(), Some(NonZeroU64::MIN));
    let training = Training { threads, stages, ..training(&config, directory) };
    training.run::<Azul>(Start::Resume, &stop, &mut watch)
}

/// Plays a part of the present stage, until so many reports.
fn part(
    text: &str,
    directory: &Path,
    threads: usize,
    shard: &str,
    reports: u64,
) -> Result<StageShard, TrainError> {
    let (config, stop) = (TrainConfig::read(text).unwrap(), AtomicBool::new(reports == 0));
    let mut watch = Stopper { left: reports, stop: &stop, rows: Vec::new() };
    let training = Training { threads: NonZeroUsize::new(threads).unwrap(), ..training(&config, directory) };
    training.play_shard::<Azul>(shard.parse().unwrap(), &stop, &mut watch)
}

/// What became of a part that there is.
fn outcome(found: Result<StageShard, TrainError>) -> ShardOutcome {
    match found.unwrap() {
        StageShard::Part { outcome, .. } => outcome,
        StageShard::RunFinished => panic!("the run is finished"),
    }
}

/// All files below a directory with their contents, but for those with these names and the lock, which belongs to whoever looks.
fn files(directory: &Path, except: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if name == ".azulejo-lock" || except.contains(&&*name) {
            continue;
        }
        if path.is_dir() {
            let below = files(&path, except).into_iter();
            found.extend(below.map(|(file, bytes)| (Path::new(&name).join(file), bytes)));
        } else {
            found.insert(name.into(), fs::read(path).unwrap());
        }
    }
    found
}

/// What a run has written but for what machine and time add.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(directory, &["machine.toml", super::super::events::FILE, SHARDS])
}

/// What one process makes of it, without shards.
fn one_run(text: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let (config, stop) = (TrainConfig::read(text).unwrap(), AtomicBool::new(false));
    let mut watch = Stopper { left: u64::MAX, stop: &stop, rows: Vec::new() };
    let status = training(&config, directory.path()).run::<Azul>(Start::New, &stop, &mut watch).unwrap();
    assert_eq!(status, Status::Finished);
    contents(directory.path())
}

fn assert_same(found: &BTreeMap<PathBuf, Vec<u8>>, expected: &BTreeMap<PathBuf, Vec<u8>>, case: &str) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{case}");
    let other = found.iter().find(|(file, bytes)| expected[*file] != **bytes);
    assert!(other.is_none(), "{case}: {} differs", other.unwrap().0.display());
}

#[test]
fn any_shards_and_a_learner_are_one_run() {
    for text in [tiny(), averaged().replace("generations = 3", "generations = 1")] {
        let whole = one_run(&text);
        for (threads, shards) in [
            (1, &["1/3", "2/3", "3/3"][..]),
            (7, &["3/3", "1/3"]),
            (2, &["2/5", "4/5", "1/2"]),
            (2, &["1/1", "2/2"]),
            (1, &["1000/1000", "1/1000"]),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let place = directory.path();
            let mut stages = 0;
            loop {
                for shard in shards {
                    outcome(part(&text, place, threads, shard, u64::MAX));
                }
                stages += 1;
                if learn(&text, place, threads, u64::MAX).unwrap() == Status::Finished {
                    break;
                }
            }
            assert_eq!(stages, 2);
            assert_same(&contents(place), &whole, &format!("{shards:?} with {threads} threads"));
            let nothing = part(&text, place, 1, shards[0], u64::MAX).unwrap();
            assert_eq!(nothing, StageShard::RunFinished);
        }
    }
}

#[test]
fn a_learner_that_is_interrupted_among_shards_goes_on() {
    // More games than are played between two looks at the order to stop.
    let text = tiny().replace("games = 6", "games = 90");
    let (whole, directory) = (one_run(&text), tempfile::tempdir().unwrap());
    let place = directory.path();
    let (mut starts, mut status) = (0, Status::Interrupted);
    while status == Status::Interrupted {
        starts += 1;
        assert!(starts < 100, "the run does not come forward");
        // Its own records cut the second part at another game every time.
        for shard in ["2/7", "5/7"] {
            part(&text, place, 2, shard, u64::MAX).unwrap();
        }
        status = learn(&text, place, 1, starts).unwrap();
    }
    assert!(starts > 4, "interrupted {starts} times");
    assert_same(&contents(place), &whole, "interrupted");
}

#[test]
fn workers_that_start_in_one_moment_do_not_disturb_each_other() {
    let (directory, text) = (tempfile::tempdir().unwrap(), tiny());
    let place = directory.path().join("new/run");
    std::thread::scope(|scope| {
        let running: Vec<_> = ["1/3", "2/3", "3/3", "1/3"]
            .map(|shard| scope.spawn(|| outcome(part(&text, &place, 1, shard, u64::MAX))))
            .into();
        running.into_iter().for_each(|part| assert_ne!(part.join().unwrap(), ShardOutcome::Interrupted));
    });
    let left = fs::read_dir(place.join(SHARDS)).unwrap().count();
    assert_eq!(left, 6, "three parts, each with its manifest");
    learn(&text, &place, 1, u64::MAX).unwrap();
}

#[test]
fn parts_are_played_once_and_an_interrupted_one_leaves_no_records() {
    let (directory, text) = (tempfile::tempdir().unwrap(), tiny());
    let place = directory.path();
    assert_eq!(outcome(part(&text, place, 1, "1/2", 0)), ShardOutcome::Interrupted);
    let names = fs::read_dir(place.join(SHARDS)).unwrap().map(|it| it.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["0-2.toml"]);
    let played = part(&text, place, 1, "1/2", u64::MAX).unwrap();
    assert_eq!(played, StageShard::Part { generation: 0, games: 0..2, outcome: ShardOutcome::Played });
    assert_eq!(outcome(part(&text, place, 1, "1/2", u64::MAX)), ShardOutcome::Present);
    assert_eq!(outcome(part(&text, place, 1, "1/9", u64::MAX)), ShardOutcome::Empty);
    learn(&text, place, 1, u64::MAX).unwrap();
    let played = part(&text, place, 1, "2/2", u64::MAX).unwrap();
    assert_eq!(played, StageShard::Part { generation: 1, games: 8..11, outcome: ShardOutcome::Played });
    // Stopped as it learns: the stage's games are all there.
    assert_eq!(learn(&text, place, 1, 3).unwrap(), Status::Interrupted);
    assert!(place.join("games/00001.jsonl.zst").exists());
    assert_eq!(outcome(part(&text, place, 1, "1/2", u64::MAX)), ShardOutcome::Present);
    let other = text.replace("seed = 5", "seed = 6");
    let refused = part(&other, place, 1, "1/2", u64::MAX).unwrap_err().to_string();
    assert!(refused.ends_with("its train.toml has another configuration: seed was 5, now 6"), "{refused}");
    let _alone = RunDirectory::exclusive(place).unwrap();
    assert!(matches!(part(&text, place, 1, "1/2", u64::MAX), Err(TrainError::Directory(_))));
}

/// A folder with a finished stage and two parts of the next one, games 5 to 6 and 7 to 8.
struct Refusals {
    directory: tempfile::TempDir,
    text: String,
}

impl Refusals {
    fn new() -> Self {
        let it = Refusals { directory: tempfile::tempdir().unwrap(), text: tiny() };
        learn(&it.text, it.directory.path(), 1, u64::MAX).unwrap();
        for shard in ["1/3", "2/3"] {
            part(&it.text, it.directory.path(), 1, shard, u64::MAX).unwrap();
        }
        it
    }

    /// What a learner says of the second part after a change to its records and manifest, which are put back.
    fn refusal(&self, change: impl FnOnce(&mut String, &mut String)) -> String {
        let place = self.directory.path();
        let paths = ["7-9.jsonl.zst", "7-9.toml"].map(|name| place.join(SHARDS).join(name));
        let kept = paths.each_ref().map(|path| fs::read(path).unwrap());
        let mut records = String::from_utf8(zstd::decode_all(&kept[0][..]).unwrap()).unwrap();
        let mut manifest = String::from_utf8(kept[1].clone()).unwrap();
        change(&mut records, &mut manifest);
        fs::write(&paths[0], zstd::encode_all(records.as_bytes(), 1).unwrap()).unwrap();
        fs::write(&paths[1], manifest).unwrap();
        let before = files(place, &[]);
        let refused = learn(&self.text, place, 2, u64::MAX).unwrap_err().to_string();
        assert!(files(place, &[]) == before, "{refused}");
        paths.iter().zip(kept).for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
        refused
    }

    fn of_manifest(&self, from: &str, to: &str) -> String {
        let refused = self.refusal(|_, manifest| replace(manifest, from, to));
        assert!(refused.contains("7-9.toml: "), "{refused}");
        refused
    }

    fn of_records(&self, change: impl FnOnce(&mut String)) -> String {
        let refused = self.refusal(|records, _| change(records));
        assert!(refused.contains("7-9.jsonl.zst: "), "{refused}");
        refused
    }
}

fn replace(text: &mut String, from: &str, to: &str) {
    assert!(text.contains(from), "{text}");
    *text = text.replacen(from, to, 1);
}

#[test]
fn a_part_of_another_stage_or_run_is_refused_by_its_manifest() {
    let it = Refusals::new();
    assert!(it.of_manifest("seed = 5", "seed = 6").ends_with("seed was 6, now 5"));
    assert!(it.of_manifest("full = 8", "full = 9").ends_with("selfplay.full was 9, now 8"));
    assert!(it.of_manifest("\nversion = 2", "\nversion = 1").ends_with("version: found 1, expected 2"));
    let version = it.of_manifest("play_version = ", "play_version = 9");
    assert!(version.contains("it began with play version 9"), "{version}");
    assert!(it.of_manifest("generation = 1", "generation = 2").ends_with("generation was 2, now 1"));
    let weights = it.of_manifest("weights = \"", "weights = \"0123");
    let expected = "played by another network than the checkpoint's: SHA-256 of the weights was 0123";
    assert!(weights.contains(expected), "{weights}");
    let backend = it.of_manifest("\"embedded\"", "\"torch-cuda\"");
    assert!(backend.ends_with("played with the backend torch-cuda, now embedded"), "{backend}");
    assert!(it.of_manifest("seed", "sead").contains("unknown field `sead`"));
    it.refusal(|_, manifest| manifest.clear());
    let place = it.directory.path();
    assert_eq!(learn(&it.text, place, 1, u64::MAX).unwrap(), Status::Finished);
    assert_same(&contents(place), &one_run(&it.text), "put back");
}

#[test]
fn a_part_with_other_games_is_refused_by_its_file() {
    let it = Refusals::new();
    let of = |from: &str, to: &str| it.of_records(|records| replace(records, from, to));
    assert!(of("\"scores\":[", "\"scores\":[1").contains("game 7: "));
    assert!(of("\"seed\":5", "\"seed\":6").contains("game 7: found game 7 of seed 6"));
    assert!(of("\"index\":8", "\"index\":9").contains("game 8: found game 9"));
    assert!(of("[\"neural\"", "[\"random\"").contains("game 7: found "));
    assert!(of("\"policy\":[[\"", "\"policy\":[[\"9").contains("game 7: policy: "));
    let lines = |records: &str| records.lines().map(|line| line.to_owned() + "\n").collect::<Vec<_>>();
    assert!(it.of_records(|records| *records = lines(records)[0].clone()).ends_with("game 8 is missing"));
    assert!(it.of_records(String::clear).ends_with("game 7 is missing"));
    let doubled = it.of_records(|records| *records += &lines(records)[1]);
    assert!(doubled.contains("a record after its game 8"), "{doubled}");
    // What crosses the stage's bounds was cut by other bounds: it is no part of this stage.
    let shards = it.directory.path().join(SHARDS);
    fs::copy(shards.join("7-9.jsonl.zst"), shards.join("4-9.jsonl.zst")).unwrap();
    let refused = learn(&it.text, it.directory.path(), 1, u64::MAX).unwrap_err().to_string();
    assert!(refused.ends_with("4-9.jsonl.zst: expected some of the games 5 to 10"), "{refused}");
}

/// Resumed records of the learner itself come through the same door.
#[test]
fn records_that_a_learner_has_left_are_replayed() {
    let text = tiny().replace("games = 6", "games = 70");
    let (directory, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let place = directory.path();
    learn(&text, place, 1, u64::MAX).unwrap();
    assert_eq!(learn(&text, place, 1, 1).unwrap(), Status::Interrupted);
    let path = place.join("games/00001.jsonl.part");
    let mut records = String::from_utf8(zstd::decode_all(&fs::read(&path).unwrap()[..]).unwrap()).unwrap();
    replace(&mut records, "\"scores\":[", "\"scores\":[1");
    fs::write(&path, zstd::encode_all(records.as_bytes(), 1).unwrap()).unwrap();
    let before = files(place, &[]);
    let refused = learn(&text, place, 1, u64::MAX).unwrap_err().to_string();
    assert!(refused.contains("00001.jsonl.part: line 1: ") && files(place, &[]) == before, "{refused}");
    assert!(matches!(learn(&text, other.path(), 1, 1), Ok(Status::Interrupted)));
}
