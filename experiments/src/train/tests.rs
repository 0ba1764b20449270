use azulejo::azul::{Azul, AzulRules};
use azulejo::queens_garden::{QueensGarden, QueensGardenRules};
use azulejo::{Encode, End, Game, History, Move, Turn, intern};
use azulejo_agents::heuristic::{Insights, StateValue};
use azulejo_agents::valuation::ValueCorrection;

use super::search_values::SearchValues;
use super::*;
use crate::record_file::open_lines;

pub(super) const TINY: &str = "
seed = 5
generations = 3
network = { width = 16, blocks = 1 }
tables = [{ game = 'azul', players = 2, share = 2.0 }, { game = 'azul:gray', players = 3 }]

[selfplay]
games = 6
full = 8
cheap = 4
full_share = 0.5
considered = 4
margin = 0.0
random_actions = 4
drawn_actions = 4
temperature = 1.0

[learning]
steps = 4
batch = 16
window = 2
learning_rate = 0.002
final_learning_rate = 0.0005
warmup = 2
weight_decay = 0.01
score_weight = 0.5
search_value = 0.3

[teacher]
agent = 'greedy'
games = 5
random_actions = 3
steps = 3

[evaluation]
every = 2
games = 4
agent = 'sims=4'
opponents = ['random']
";

/// A run on one thread that learns by the embedded backend.
pub(super) fn training<'a>(config: &'a TrainConfig, directory: &'a Path) -> Training<'a> {
    let (threads, invocation) = (NonZeroUsize::MIN, Invocation::now([]));
    Training { config, directory, threads, stages: None, backend: Backend::Embedded, invocation }
}

/// Sets `stop` after so many reports.
pub(super) struct Stopper<'a> {
    pub left: u64,
    pub stop: &'a AtomicBool,
    pub rows: Vec<Row>,
}

impl Stopper<'_> {
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl TrainWatch for Stopper<'_> {
    fn games(&mut self, _stage: u64, _done: u64, _all: u64, _played: GamesPlayed) {
        self.count();
    }

    fn step(&mut self, _stage: u64, _done: u64, _all: u64, _losses: &Losses) {
        self.count();
    }

    fn measure(&mut self, _stage: u64, _opponent: &str) {
        self.count();
    }

    fn fault(&mut self, _fault: &Fault) {}

    fn stage(&mut self, row: &Row) {
        self.rows.push(row.clone());
    }
}

fn train(directory: &Path, threads: usize, start: Start, reports: u64) -> (Status, Vec<Row>) {
    train_as(TINY, directory, threads, start, reports)
}

fn train_as(
    config: &str,
    directory: &Path,
    threads: usize,
    start: Start,
    reports: u64,
) -> (Status, Vec<Row>) {
    let (config, stop) = (TrainConfig::read(config).unwrap(), AtomicBool::new(false));
    let mut watch = Stopper { left: reports, stop: &stop, rows: Vec::new() };
    let threads = NonZeroUsize::new(threads).unwrap();
    let training = Training { threads, ..training(&config, directory) };
    let outcome = training.run::<Azul>(start, &stop, &mut watch).unwrap();
    (outcome, watch.rows)
}

/// Averaged weights, searches as an agent makes them, and an opponent at half the tables for three.
pub(super) fn averaged() -> String {
    let learning = TINY.replace("\nsteps = 4", "\nsteps = 12\naverage = 20");
    let agent = "agent = 'evaluate=leaf,heuristic=0.5,c=0.9'\nopponents = ['greedy']\nopponent_share = 0.5";
    learning.replace("[selfplay]", &format!("[selfplay]\n{agent}"))
}

#[test]
fn a_run_with_averaged_weights_goes_on_with_them() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let config = averaged();
    train_as(&config, whole.path(), 2, Start::New, u64::MAX);
    // Stopped again and again, each time a little later: a stage that is stopped as it learns begins anew.
    let mut starts = 0;
    loop {
        let start = if starts == 0 { Start::New } else { Start::Resume };
        starts += 1;
        if train_as(&config, parts.path(), 1, start, 9 + starts).0 == Status::Finished {
            break;
        }
        assert!(starts < 100, "the run never ends");
    }
    assert!(starts > 3, "{starts}");
    for file in ["net.safetensors", "checkpoint.safetensors", "games/00002.jsonl.zst"] {
        let [a, b] = [&whole, &parts].map(|directory| fs::read(directory.path().join(file)).unwrap());
        assert!(a == b, "{file} differs");
    }
    let (written, _) = neural::read::<Azul>(&whole.path().join("net.safetensors")).unwrap();
    let path = whole.path().join("checkpoint.safetensors");
    let Checkpoint { state, average, progress } = checkpoint::read(&path, written.shape()).unwrap();
    let average = average.unwrap();
    // 3 steps on the teacher's games and 12 on those of each generation, of which every tenth counts.
    assert_eq!((progress.steps, average.count), (39, 3));
    assert!(average.network == written && average.network != state.network);
}

#[test]
fn searches_of_an_agent_teach_their_visits() {
    let directory = tempfile::tempdir().unwrap();
    train_as(&averaged(), directory.path(), 1, Start::New, u64::MAX);
    let mut lines = open_lines(&directory.path().join("games/00001.jsonl.zst")).unwrap();
    let (mut learned, mut others) = (0, 0);
    while let Some(line) = lines.read() {
        let record = Record::from_line(&line.unwrap().0).unwrap();
        for analysis in record.analysis.iter().flatten().flatten() {
            let visits: u32 = analysis.visits.iter().map(|(_, visits)| visits).sum();
            let share = |visited: u32| visited as f32 / visits as f32;
            let visited = analysis.visits.iter().map(|(action, visited)| (action, share(*visited)));
            match analysis.policy.is_empty() {
                true => others += 1,
                false => {
                    let policy = analysis.policy.iter();
                    let close = policy.zip(visited).all(|(a, b)| a.0 == *b.0 && (a.1 - b.1).abs() < 1e-3);
                    assert!(close, "{analysis:?}");
                    learned += 1;
                }
            }
        }
    }
    assert!(learned > 30 && others > 30, "{learned} full searches, {others} cheap ones");
}

#[test]
fn parameters_of_searches_are_checked() {
    let refused = |agent: &str| {
        let config = averaged().replace("evaluate=leaf,heuristic=0.5,c=0.9", agent);
        TrainConfig::read(&config).unwrap_err()
    };
    assert!(refused("c=x").starts_with("selfplay.agent: "));
    for agent in ["sims=9", "noise=0.1"] {
        let expected = "expected parameters without net, sims, time, cpu, threads and noise";
        assert!(refused(agent).contains(expected), "{agent}");
    }
}

#[test]
fn opponents_are_checked() {
    let refused = |keys: &str| {
        TrainConfig::read(&TINY.replace("[selfplay]", &format!("[selfplay]\n{keys}"))).unwrap_err()
    };
    for (opponents, expected) in [
        ("'gredy'", "selfplay.opponents: "),
        ("'mcts:time=10'", "expected another limit than time, such as sims"),
        ("'neural'", "expected a limit, such as neural:sims=100"),
    ] {
        let found = refused(&format!("opponents = [{opponents}]\nopponent_share = 0.5"));
        assert!(found.contains(expected), "{found}");
    }
    let share = "expected a share above 0 with some, 0 without";
    assert!(refused("opponents = ['greedy']").ends_with(&format!("found 0 with 1 opponents, {share}")));
    assert!(refused("opponent_share = 0.5").ends_with(&format!("found 0.5 with 0 opponents, {share}")));
    let many = refused("opponents = ['greedy']\nopponent_share = 1.5");
    assert_eq!(many, "selfplay.opponent_share: found 1.5, expected 0 to 1");
}

#[test]
fn a_run_depends_on_its_configuration_only() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (outcome, rows) = train(whole.path(), 2, Start::New, u64::MAX);
    assert_eq!((outcome, rows.len()), (Status::Finished, 4));
    assert_eq!(rows.iter().map(|row| row.generation).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let measured: Vec<usize> = rows.iter().map(|row| row.shares.len()).collect();
    assert_eq!(measured, [1, 0, 1, 1]);

    // Stopped again and again, on one thread.
    let mut starts = 0;
    loop {
        let start = if starts == 0 { Start::New } else { Start::Resume };
        starts += 1;
        if train(parts.path(), 1, start, 3 + starts % 4).0 == Status::Finished {
            break;
        }
        assert!(starts < 100, "the run never ends");
    }
    assert!(starts > 2);
    let read = |directory: &tempfile::TempDir, file| fs::read(directory.path().join(file)).unwrap();
    let files =
        ["net.safetensors", "checkpoint.safetensors", "metrics.csv", "report.html", "games/00003.jsonl.zst"];
    for file in files {
        assert!(read(&whole, file) == read(&parts, file), "{file} differs");
    }
    let steps: Vec<i64> = rows.iter().map(|row| row.steps as i64).collect();
    for directory in [&whole, &parts] {
        assert_eq!(events::steps(&directory.path().join(events::FILE)), Some(steps.clone()));
    }

    // Killed between the last checkpoint and what is written after it.
    let (table, report) = (read(&whole, "metrics.csv"), read(&whole, "report.md"));
    for file in ["metrics.csv", "report.html", "report.md", events::FILE] {
        fs::remove_file(whole.path().join(file)).unwrap();
    }
    assert_eq!(train(whole.path(), 1, Start::Resume, u64::MAX).0, Status::Finished);
    assert!(read(&whole, "metrics.csv") == table && read(&whole, "report.md") == report);
    let report = String::from_utf8(report).unwrap();
    assert!(report.contains("# train: azul 2, azul:gray 3") && report.contains("Loss: policy"), "{report}");
    assert_eq!(report.matches("| random |").count(), 3, "a row for each measurement: {report}");
    let metrics = Metrics::parse(&fs::read_to_string(whole.path().join("metrics.csv")).unwrap()).unwrap();
    assert_eq!(metrics.opponents(), ["random"]);
    let (shares, [own, other]) = (metrics.shares_against("random"), metrics.scores_against("random"));
    assert_eq!([&own, &other].map(|it| it.iter().flatten().count()), [3, 3]);
    assert_eq!(shares.iter().flatten().filter(|share| share.interval.is_some()).count(), 3);
    let first = shares[0].unwrap();
    assert!((first.low().unwrap()..=first.high().unwrap()).contains(&first.value) && shares[1].is_none());
    assert_eq!(metrics.column("policy loss"), [None; 4], "there is no such column");
    let [seen, unseen] = ["wins_seen", "wins_unseen"].map(|name| metrics.losses(name));
    assert!(seen[..3].iter().all(|loss| loss.unwrap().half_width().unwrap() > 0.0), "{seen:?}");
    // Game 19 is held out, of the last generation, and one game shows no error.
    assert!(unseen[..3] == [None; 3], "{unseen:?}");
    assert!([seen[3], unseen[3]].iter().all(|loss| loss.unwrap().interval.is_none()), "{seen:?} {unseen:?}");
    let former = "generation,steps,games,positions,policy_loss,wins_loss,scores_loss,policy_unseen,wins_unseen,\
                  scores_unseen,learning_rate,plies\n0,15,23,900,1.5,0.7,0.1,1.6,0.75,0.2,0.001,61.5\n";
    fs::write(whole.path().join("metrics.csv"), former).unwrap();
    let report = TrainReport::read(whole.path()).unwrap().report().to_markdown();
    assert!(report.contains("| 0 | 15 | 1.5000 | - | 1.6000 |"), "{report}");
    fs::write(whole.path().join("metrics.csv"), "steps\nmany\n").unwrap();
    let fault = TrainReport::read(whole.path()).unwrap_err();
    assert!(fault.ends_with("metrics.csv: found 'many', expected a number"), "{fault}");
}

#[cfg(not(feature = "torch"))]
#[test]
fn a_backend_that_is_not_built_in_is_named_before_anything_is_written() {
    let (directory, config) = (tempfile::tempdir().unwrap(), TrainConfig::read(TINY).unwrap());
    let out = directory.path().join("run");
    let training = Training { backend: Backend::TorchCuda, ..training(&config, &out) };
    let stop = AtomicBool::new(false);
    let mut watch = Stopper { left: 1, stop: &stop, rows: Vec::new() };
    let error = training.run::<Azul>(Start::New, &stop, &mut watch).unwrap_err().to_string();
    assert!(error.starts_with("torch-cuda is not in this build: run scripts/setup-torch"), "{error}");
    assert!(!out.exists());
}

#[cfg(unix)]
#[test]
fn a_teacher_that_fails_ends_the_run_with_its_fault() {
    let config = TrainConfig::read(&TINY.replace("'greedy'", "'exec:cmd=false'")).unwrap();
    let (directory, stop) = (tempfile::tempdir().unwrap(), AtomicBool::new(false));
    let mut watch = Stopper { left: u64::MAX, stop: &stop, rows: Vec::new() };
    let (directory, threads) = (directory.path(), NonZeroUsize::MIN);
    let training = Training { threads, ..training(&config, directory) };
    let error = training.run::<Azul>(Start::New, &stop, &mut watch).unwrap_err();
    assert!(matches!(error, TrainError::Fault(_)), "{error}");
    assert!(error.to_string().contains("(exec:cmd=false) forfeits at ply"), "{error}");
}

#[test]
fn games_that_teach_nothing_end_the_run_with_their_generation() {
    let directory = tempfile::tempdir().unwrap();
    // The 20th game is held out, and no other one is in the window.
    let text = TINY.replace("games = 5", "games = 19").replace("games = 6", "games = 1");
    let config = TrainConfig::read(&text.replace("window = 2", "window = 1")).unwrap();
    let stop = AtomicBool::new(false);
    let mut watch = Stopper { left: u64::MAX, stop: &stop, rows: Vec::new() };
    let fault = training(&config, directory.path()).run::<Azul>(Start::New, &stop, &mut watch).unwrap_err();
    assert!(matches!(fault, TrainError::NothingLearned(1)), "{fault}");
    assert!(fault.to_string().starts_with("generation 1: its games teach nothing"), "{fault}");
    assert_eq!(watch.rows.len(), 1, "the teacher's games taught");
}

#[test]
fn runs_are_neither_overwritten_nor_mixed() {
    let directory = tempfile::tempdir().unwrap();
    train(directory.path(), 1, Start::New, 1);
    let run = |text: &str, start| {
        let config = TrainConfig::read(text).unwrap();
        let training = training(&config, directory.path());
        let stop = AtomicBool::new(true);
        let mut watch = Stopper { left: 1, stop: &stop, rows: Vec::new() };
        training.run::<Azul>(start, &stop, &mut watch).unwrap_err().to_string()
    };
    assert!(run(TINY, Start::New).contains("is not empty"));
    assert!(run(&TINY.replace("seed = 5", "seed = 6"), Start::Resume).contains("another configuration"));
}

#[test]
fn a_run_of_a_former_version_goes_on() {
    let text = TINY.replace("generations = 3", "generations = 1");
    let text =
        text.replace("'sims=4'", "'sims=4,heuristic=0.5'").replace("'random'", "'neural:sims=2,heuristic=1'");
    let text = text.replacen("margin = 0.0", "margin = 0.0\nheuristic = 0.25\nevaluate = 'leaf'", 1);
    let former = text.replace("heuristic", "hand").replace("evaluate =", "look =");
    let former = former.replacen("search_value = 0.3", "search_value = 0.3\nsurprise = 0.0", 1);
    assert_eq!(TrainConfig::read(&former).unwrap().selfplay, TrainConfig::read(&text).unwrap().selfplay);
    let directory = tempfile::tempdir().unwrap();
    let read = |file| fs::read_to_string(directory.path().join(file)).unwrap();
    let run = |text: &str, start, left| {
        let config = TrainConfig::read(text).unwrap();
        let training = training(&config, directory.path());
        let stop = AtomicBool::new(false);
        let mut watch = Stopper { left, stop: &stop, rows: Vec::new() };
        training.run::<Azul>(start, &stop, &mut watch).unwrap()
    };
    assert_eq!(run(&former, Start::New, u64::MAX), Status::Finished);
    assert!(read("train.toml").starts_with("seed = 5\nversion = 2\n"));
    let manifest = format!("version = 2\n{former}");
    fs::write(directory.path().join("train.toml"), manifest).unwrap();
    let metrics = read("metrics.csv");
    assert!(metrics.contains("neural:sims=2,hand=1"));
    assert_eq!(run(&text, Start::Resume, u64::MAX), Status::Finished);
    assert_eq!(read("metrics.csv"), metrics.replace("hand=1", "heuristic=1"));
}

#[cfg(unix)]
#[test]
fn a_teacher_that_fails_is_one_error_and_forfeits_are_no_measurement() {
    let run = |text: &str| {
        let (directory, config) = (tempfile::tempdir().unwrap(), TrainConfig::read(text).unwrap());
        let stop = AtomicBool::new(false);
        let mut watch = Stopper { left: u64::MAX, stop: &stop, rows: Vec::new() };
        let outcome = training(&config, directory.path()).run::<Azul>(Start::New, &stop, &mut watch);
        let outcome = outcome.map_err(|error| error.to_string());
        (outcome, watch.rows, fs::read_to_string(directory.path().join("report.md")).unwrap_or_default())
    };
    let (outcome, ..) = run(&TINY.replace("agent = 'greedy'", "agent = 'exec:cmd=false'"));
    let error = outcome.unwrap_err();
    assert!(error.contains("(exec:cmd=false) forfeits at ply"), "{error}");
    let (outcome, ..) = run(&TINY.replace("agent = 'greedy'", "agent = 'exec:cmd=/no/such'"));
    assert!(outcome.unwrap_err().contains("expected a program that can be started"));
    let short = TINY.replace("generations = 3", "generations = 1");
    let (outcome, rows, report) = run(&short.replace("['random']", "['exec:cmd=false', 'random']"));
    assert_eq!(outcome, Ok(Status::Finished));
    let [failed, random] = &rows.last().unwrap().shares[..] else { panic!("two opponents") };
    assert_eq!((failed.share, failed.scores, failed.forfeits), (None, [None; 2], [0, failed.games]));
    let told = "no measurement: 4 of 4 games were forfeited by exec:cmd=false";
    assert_eq!((failed.forfeits_told().as_deref(), random.forfeits_told()), (Some(told), None));
    assert!(random.share.is_some() && report.contains("| forfeited |"), "{report}");
    assert!(report.contains("| exec:cmd=false | - | - | - | - : - | 0 : 4 |"), "{report}");
}

/// Its first games would have the deals of tournaments, the others would not.
#[test]
fn a_run_whose_seed_meant_other_games_is_not_gone_on_with() {
    let (directory, config) = (tempfile::tempdir().unwrap(), TrainConfig::read(TINY).unwrap());
    fs::write(directory.path().join("train.toml"), TINY).unwrap();
    let stop = AtomicBool::new(false);
    let mut watch = Stopper { left: 1, stop: &stop, rows: Vec::new() };
    let refused = training(&config, directory.path()).run::<Azul>(Start::Resume, &stop, &mut watch);
    assert!(matches!(refused, Err(TrainError::Former(_))), "{refused:?}");
    assert!(!directory.path().join("games").exists(), "nothing is written");
}

#[test]
fn games_from_before_an_interruption_are_played_once() {
    let run = |text: &str, directory: &Path, start, reports| {
        let config = TrainConfig::read(text).unwrap();
        let (stop, mut done) = (AtomicBool::new(false), Vec::new());
        struct Counter<'a>(u64, &'a AtomicBool, &'a mut Vec<GamesPlayed>);
        impl TrainWatch for Counter<'_> {
            fn games(&mut self, _stage: u64, _done: u64, _all: u64, played: GamesPlayed) {
                self.2.push(played);
                self.1.store(self.2.len() as u64 == self.0, Ordering::Relaxed);
            }
            fn step(&mut self, _stage: u64, _done: u64, _all: u64, _losses: &Losses) {}
            fn measure(&mut self, _stage: u64, _opponent: &str) {}
            fn fault(&mut self, _fault: &Fault) {}
            fn stage(&mut self, _row: &Row) {}
        }
        let mut watch = Counter(reports, &stop, &mut done);
        let threads = NonZeroUsize::MIN;
        let training = Training { threads, ..training(&config, directory) };
        let outcome = training.run::<Azul>(start, &stop, &mut watch).map_err(|error| error.to_string());
        (outcome, done)
    };
    // More games than are played between two looks at the order to stop.
    let text = TINY.replace("games = 5", "games = 70");
    assert_ne!(text, TINY);
    let directories = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [first, second] = directories.each_ref().map(|directory| directory.path());
    let (outcome, done) = run(&text, first, Start::New, 1);
    assert_eq!((outcome, done[0].games), (Ok(Status::Interrupted), 64));
    let part = |directory: &Path| directory.join("games/00000.jsonl.part");
    assert!(part(first).exists());
    let (_, done) = run(&text, first, Start::Resume, 1);
    assert_eq!(done[0].games, 6, "the other games were known");
    // Games of another run are no part of this one.
    run(&text.replace("seed = 5", "seed = 6"), second, Start::New, 1).0.unwrap();
    let third = tempfile::tempdir().unwrap();
    run(&text, third.path(), Start::New, 1).0.unwrap();
    std::fs::copy(part(second), part(third.path())).unwrap();
    let error = run(&text, third.path(), Start::Resume, 1).0.unwrap_err();
    assert!(error.ends_with("found game 0 of seed 6, expected 0 of seed 5"), "{error}");
}

#[test]
fn measurements_that_tell_little_are_warned_of() {
    let warning = |text: &str| TrainConfig::read(text).unwrap().warning();
    assert_eq!(warning(TINY), None, "a try");
    let large = TINY.replace("games = 6", "games = 400");
    let found = warning(&large.replace("games = 4\n", "games = 60\n")).unwrap();
    assert!(found.starts_with("evaluation.games: 60 games tell a win share to ± 13 percentage"), "{found}");
    assert_eq!(warning(&large.replace("games = 4\n", "games = 100\n")), None);
}

#[test]
fn faults_in_configurations_are_named() {
    let message = |from: &str, to: &str| {
        assert!(TINY.contains(from), "{from}");
        TrainConfig::read(&TINY.replace(from, to)).unwrap_err()
    };
    let tables = |text: &str| TrainConfig::read(text).unwrap().tables::<Azul>().map(drop).unwrap_err();
    let critic = "critic = { lambda = 0.5 }\ngenerations = ";
    assert!(message("generations = ", critic).starts_with("critic: a critic learns from a teacher"));
    assert!(
        message("generations = 3", &format!("{critic}0").replace("0.5", "5"))
            .starts_with("critic.lambda: found 5")
    );
    let no_selfplay =
        TINY.split_once("[selfplay]").unwrap().0.to_owned() + TINY.split_once("\n[learning]").unwrap().1;
    let no_selfplay = no_selfplay.replacen("\nsteps = 4", "\n[learning]\nsteps = 4", 1);
    let filled_in = TrainConfig::read(&no_selfplay).unwrap();
    assert_eq!(filled_in.selfplay, Some(SelfplayConfig::default()));
    assert!(
        TrainConfig { selfplay: None, ..filled_in }.check().unwrap_err().starts_with("selfplay: found none")
    );
    let taught = TrainConfig::read(&no_selfplay.replace("generations = 3", "generations = 0")).unwrap();
    assert_eq!(taught.selfplay, None);
    let former = |value: &str| format!("search_value = 0.3\nsurprise = {value}");
    assert!(message("search_value = 0.3", &former("0.5")).contains("found surprise = 0.5, expected 0"));
    let old = TINY.replacen("search_value = 0.3", &former("0.0"), 1);
    assert_eq!(TrainConfig::read(&old), TrainConfig::read(TINY), "a file of a former version");
    assert!(message("search_value = 0.3", "search_value = 3").starts_with("learning.search_value: found 3"));
    assert!(message("margin = 0.0", "margin = 0.0\nscale = -1.0").starts_with("selfplay.scale: found -1"));
    assert!(
        message("margin = 0.0", "margin = 0.0\nheuristic = 2.0").starts_with("selfplay.heuristic: found 2")
    );
    assert!(message("width = 16", "width = 0").starts_with("network.width: found 0, expected 8 to 4096"));
    assert!(message("azul:gray", "queens-garden").contains("expected one game"));
    assert!(tables(&TINY.replace("players = 3", "players = 7")).starts_with("tables.players: 7 players"));
    assert!(message("'greedy'", "'greedi'").starts_with("teacher.agent: unknown agent"));
    assert!(message("'sims=4'", "'sims=x'").starts_with("evaluation.agent: "));
    assert!(message("seed = 5", "sead = 5").contains("unknown field `sead`"));
    assert_eq!(message("seed = 5", "seed = 5\nversion = 1"), "version: found 1, expected 2");
    assert!(message("full_share = 0.5", "full_share = 1.5").starts_with("selfplay.full_share"));
    assert!(
        message("margin = 0.0", "margin = 0.0\nrollout = 'far'")
            .contains("unknown variant `far`, expected one of")
    );
}

/// A game of Azul with a wall's points, an improved policy at the second choice and values after each deal.
#[test]
fn records_become_examples() {
    let rules = intern(AzulRules::default());
    let (mut history, mut rng) = (History::<Azul>::new(rules, 2), azulejo::Generator::new(1));
    let (mut legal, mut states, mut analyses) = (Vec::new(), Vec::new(), Vec::new());
    while history.state().turn() != Turn::Over {
        let state = *history.state();
        states.push(state);
        state.legal_actions(&mut legal);
        let searched = states.len() == 3;
        let deals = |at: usize| states[at].turn() == Turn::Chance;
        let dealt = states.len() > 3 && !deals(states.len() - 1) && deals(states.len() - 2);
        let policy = || vec![(legal[0].to_string(), 0.25), (legal[1].to_string(), 0.75)];
        // The other actions are played without a search, and not drawn at random.
        analyses.push((!deals(states.len() - 1)).then(|| azulejo::record::Analysis {
            values: if searched || dealt { vec![0.5, -0.5] } else { Vec::new() },
            visits: Vec::new(),
            policy: if searched { policy() } else { Vec::new() },
            ..azulejo::record::Analysis::default()
        }));
        history.push(Move::draw(&state, &mut rng, &mut legal)).unwrap();
    }
    let end = *history.state();
    let record = Record::new(&history, End::Finished, vec!["random".to_owned(); 2], 1, 0);
    let record = record.with_analysis(analyses);
    let values = SearchValues { weight: 0.4, slope: 1.5 };
    let found = examples::examples::<Azul>(&record, rules, values).unwrap();
    // What two seats are taken to be worth by the search.
    let believed = |utility: f32| 1.0 / (1.0 + (-2.0 * values.slope * utility).exp());
    let taught: Vec<&Example> = found.iter().filter(|example| !example.policy.is_empty()).collect();
    assert_eq!(taught.len(), 1, "only the search's policy is learned");
    let (state, example) = (&states[2], taught[0]);
    state.legal_actions(&mut legal);
    let share = |action| {
        let parts = Azul::parts(state.output(action));
        example.policy.iter().find(|entry| entry.0 == parts).unwrap().1
    };
    assert_eq!((share(legal[0]), share(legal[1])), (0.25, 0.75));
    assert!((example.policy.iter().map(|entry| entry.1).sum::<f32>() - 1.0).abs() < 1e-6);
    // Seat 1 is to move: its value comes first.
    let wins = |example: &Example| example.wins.unwrap();
    let mixed = |seat: usize, value: f32| 0.6 * record.wins[seat] as f32 + 0.4 * believed(value);
    assert!(
        (wins(example)[0] - mixed(1, -0.5)).abs() < 1e-6 && (wins(example)[1] - mixed(0, 0.5)).abs() < 1e-6
    );
    let last = found.last().unwrap();
    let scores: Vec<f32> = last.points_to_come.unwrap()[..2].to_vec();
    let (before, viewpoint) = (states.last().unwrap(), states.last().unwrap().viewpoint());
    let expected = viewpoint.around(2).map(|seat| f32::from(end.scores()[seat] - before.scores()[seat]));
    assert_eq!(scores, expected.collect::<Vec<f32>>());
    // The deals after the first choice are learned from, too.
    let choices = states.iter().filter(|state| {
        state.legal_actions(&mut legal);
        legal.len() > 1
    });
    let deals = states.iter().filter(|state| state.turn() == Turn::Chance).count() - 1;
    assert_eq!(found.len(), choices.count() + deals);
    // What a deal is worth, the search after it has found.
    let mut features = Vec::new();
    for state in states.iter().skip(1).filter(|state| state.turn() == Turn::Chance) {
        state.encode(&mut features);
        let example = found.iter().find(|example| example.features == features).unwrap();
        for (place, seat) in state.viewpoint().around(2).enumerate() {
            assert!((wins(example)[place] - mixed(seat.index(), [0.5, -0.5][seat.index()])).abs() < 1e-6);
        }
    }
}

#[test]
fn a_run_may_begin_with_the_network_of_another() {
    let directory = tempfile::tempdir().unwrap();
    let net = directory.path().join("start.safetensors");
    let begin = |width: usize, blocks: usize| {
        let network = Network::untrained(shape_of::<Azul>(width, blocks), 9);
        fs::write(&net, neural::to_bytes(&network, &About::new::<Azul>(network.shape(), 1, Vec::new())))
            .unwrap();
        let config = TrainConfig { start: Some(net.clone()), ..TrainConfig::read(TINY).unwrap() };
        let found = first_network::<Azul>(&config).map_err(|error| error.to_string());
        found.map(|found| (found == network, found.shape().blocks))
    };
    assert_eq!(begin(16, 1), Ok((true, 1)));
    assert_eq!(begin(16, 0), Ok((false, 1)), "a block more");
    let refused = begin(8, 1).unwrap_err();
    assert!(
        refused.ends_with("found a network of width 8 with 1 blocks, expected width 16 with 1 or fewer"),
        "{refused}"
    );
    let refused = begin(16, 2).unwrap_err();
    assert!(refused.ends_with("of width 16 with 2 blocks, expected width 16 with 1 or fewer"), "{refused}");
    let text = TINY.replacen("seed = 5", "seed = 5\nstart = 'absent.safetensors'", 1);
    let config = TrainConfig::read(&text).unwrap();
    assert_eq!(TrainConfig::read(&toml::to_string(&config).unwrap()), Ok(config.clone()));
    assert!(first_network::<Azul>(&config).unwrap_err().to_string().starts_with("absent.safetensors: "));
}

const QUEENS_GARDEN: [&str; 2] = ["queens-garden", "queens-garden:variant"];

/// A run that teaches a critic of a game at these tables.
fn critic_run([game, variant]: [&str; 2]) -> TrainConfig {
    let text = TINY
        .replace("generations = 3", "generations = 0\ncritic = { lambda = 0.7 }")
        .replace("'azul'", &format!("'{game}'"))
        .replace("'azul:gray'", &format!("'{variant}'"))
        .replace("every = 2", "every = 1");
    TrainConfig::read(&text).unwrap()
}

#[test]
fn a_critic_learns_from_a_teachers_games() {
    let directory = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let run = |directory: &Path, config: &TrainConfig, threads| {
        let mut watch = Stopper { left: u64::MAX, stop: &stop, rows: Vec::new() };
        let threads = NonZeroUsize::new(threads).unwrap();
        let training = Training { threads, ..training(config, directory) };
        assert_eq!(training.run::<QueensGarden>(Start::New, &stop, &mut watch).unwrap(), Status::Finished);
        std::fs::read(directory.join("net.safetensors")).unwrap()
    };
    let first = run(&directory.path().join("first"), &critic_run(QUEENS_GARDEN), 2);
    assert_eq!(run(&directory.path().join("again"), &critic_run(QUEENS_GARDEN), 1), first);
    let (network, about) = neural::critic_from_bytes::<QueensGarden>(&first).unwrap();
    assert_eq!((about.steps, about.rules.len()), (3, 2));
    assert_ne!(
        network,
        first_network::<QueensGarden>(&critic_run(QUEENS_GARDEN)).unwrap(),
        "something was learned"
    );
    // A second run begins with it.
    let start = directory.path().join("first/net.safetensors");
    let config = TrainConfig { start: Some(start), ..critic_run(QUEENS_GARDEN) };
    assert_eq!(first_network::<QueensGarden>(&config).unwrap(), network);
    assert_ne!(run(&directory.path().join("second"), &config, 2), first);
}

#[test]
fn a_critic_needs_numbers_to_look_at() {
    let refused = check_insights("Go", &Insights { table: &["size"], seat: &[] }).unwrap_err().to_string();
    assert!(refused.ends_with("Go has no numbers for a critic to look at"), "{refused}");
    assert!(check_insights("Azul", &Azul::INSIGHTS).is_ok());
}

#[test]
fn a_critic_learns_what_is_to_be_added_to_the_games_own_value() {
    let rules = intern(QueensGardenRules::default());
    let mut history = History::<QueensGarden>::new(rules, 2);
    let (mut rng, mut legal, mut stops) = (azulejo::Generator::new(1), Vec::new(), Vec::new());
    let (mut actions, mut plies) = (Vec::new(), Vec::new());
    while history.state().turn() != Turn::Over {
        let played = Move::draw(history.state(), &mut rng, &mut legal);
        history.push(played).unwrap();
        let decided = matches!(played, Move::Action(_));
        actions.push(decided);
        let stop = Some(*history.state()).filter(|state| decided && state.turn() == Turn::Chance);
        plies.extend(stop.map(|_| actions.len()));
        stops.extend(stop);
    }
    let record = Record::new(&history, End::Finished, vec!["random".to_owned(); 2], 1, 0);
    // The action before the last stop but three is drawn at random: the stop before it is the last that returns reach.
    let random = plies[stops.len() - 4] - 1;
    let cut = plies.iter().rposition(|stop| *stop <= random).unwrap();
    let analysis = |(ply, is_action): (usize, &bool)| {
        let policy = vec![(record.moves[ply].clone(), 1.0)];
        let found = azulejo::record::Analysis { policy, ..Default::default() };
        (*is_action && ply != random).then_some(found)
    };
    let broken = record.clone().with_analysis(actions.iter().enumerate().map(analysis).collect());
    let network = neural::Embedded::new(neural::untrained_critic::<QueensGarden>(8, 1, 4));
    let judge = QueensGarden::judge(rules, 2, &Default::default());
    let [mut own, mut expects] =
        [None, Some(&network as &dyn neural::Inference)].map(Critic::<QueensGarden>::new);
    let points = |critic: &mut Critic<QueensGarden>| -> Vec<_> {
        stops.iter().map(|state| critic.points(state, &judge)).collect()
    };
    let (own, expected) = (points(&mut own), points(&mut expects));
    for lambda in [0.0, 0.7, 1.0] {
        let mut returns = Returns::<QueensGarden> { lambda, critic: Critic::new(Some(&network)) };
        let whole = returns.examples(&record, rules).unwrap();
        assert_eq!(whole.len(), stops.len());
        let broken = returns.examples(&broken, rules).unwrap();
        assert_eq!(broken.len(), stops.len() - 1);
        assert_eq!((&broken[cut..], broken[0].wins), (&whole[cut + 1..], None), "play after it goes on");
        let whole = whole.iter().enumerate().map(|(at, example)| (at, example, None));
        let broken = broken[..cut].iter().enumerate().map(|(at, example)| (at, example, Some(cut)));
        for (at, example, last) in whole.chain(broken) {
            for (place, seat) in stops[at].viewpoint().around(2).enumerate() {
                // Σ (1 − λ) λᵏ · V of the (k + 1)-th node from here, the rest of the weight on the final
                // points, or on V of the last node.
                let end = last.unwrap_or(stops.len() - 1);
                let later = expected[at + 1..=end].iter().enumerate();
                let on_the_way =
                    later.map(|(k, points)| (1.0 - lambda) * lambda.powi(k as i32) * points[seat]);
                let points = last.map_or(f32::from(record.scores[seat.index()]), |last| expected[last][seat]);
                let rest = lambda.powi((end - at) as i32);
                let target = on_the_way.sum::<f32>() + rest * points - own[at][seat];
                assert!((example.points_to_come.unwrap()[place] - target).abs() < 1e-2, "{lambda} {at}");
            }
        }
    }
}
