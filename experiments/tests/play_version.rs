//! Seeds mean the same games as long as the play version is the same: the checksums of tiny games are those of the table in
//! `play_version.txt`, which names the version that it was made with.

// Clippy knows the functions below only as helpers, not as tests.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use azulejo::azul::Azul;
use azulejo_agents::AgentSpec;
use azulejo_agents::neural::{Backend, Losses};
use azulejo_experiments::game_loop::arena;
use azulejo_experiments::manifest::PLAY_VERSION;
use azulejo_experiments::record_file::records;
use azulejo_experiments::run::Start;
use azulejo_experiments::schedule::Rotation;
use azulejo_experiments::train::{GamesPlayed, Row, TrainConfig, TrainWatch, Training};
use azulejo_experiments::{Invocation, Schedule, Stream};
use sha2::{Digest, Sha256};

/// Agents of every kind that a seed decides, with little effort.
const AGENTS: [&str; 9] = [
    "random",
    "greedy",
    "mcts:sims=12",
    "mcts:sims=12,rollout=random,select=uct,prior=0",
    "minimax:nodes=60",
    "neural:sims=6",
    "neural:sims=8,root=gumbel,considered=4,noise=1",
    "ladder:level=4",
    "ladder:level=6",
];

/// Games of each agent and table.
const GAMES: u64 = 2;

/// The first bytes of a hash of these words.
fn checksum<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    words.into_iter().for_each(|word| hasher.update(format!("{word} ")));
    hasher.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The moves of games of an agent with itself.
fn games(game: &str, players: usize, agent: &str) -> String {
    let spec: AgentSpec = agent.parse().unwrap();
    let schedule = Schedule::selfplay((game, players), &[spec], GAMES, 1, Rotation::Fixed).unwrap();
    let arena = arena(game.parse().unwrap());
    let mut player = arena.player(&schedule).unwrap();
    let moves = (0..GAMES).flat_map(|index| player.play(&schedule.job(index)).unwrap().record.moves);
    checksum(moves.collect::<Vec<_>>().iter().map(String::as_str))
}

/// A run of a teacher's games and a generation of self-play by an untrained network.
const TRAINING: &str = "
seed = 5
generations = 1
network = { width = 8, blocks = 1 }
tables = [{ game = 'azul', players = 2, share = 2.0 }, { game = 'azul:gray', players = 3 }]
teacher = { agent = 'greedy', games = 3, random_actions = 3, random_share = 0.1, steps = 0 }
[selfplay]
games = 3
full = 8
cheap = 4
full_share = 0.5
considered = 4
margin = 0.0
random_actions = 4
drawn_actions = 4
temperature = 1.0
[learning]
steps = 0
batch = 4
window = 2
learning_rate = 0.002
final_learning_rate = 0.0005
weight_decay = 0.01
score_weight = 0.5
search_value = 0.3
";

struct Unwatched;

impl TrainWatch for Unwatched {
    fn games(&mut self, _stage: u64, _done: u64, _all: u64, _played: GamesPlayed) {}
    fn step(&mut self, _stage: u64, _done: u64, _all: u64, _losses: &Losses) {}
    fn measure(&mut self, _stage: u64, _opponent: &str) {}
    fn stage(&mut self, _row: &Row) {}
    fn fault(&mut self, _: &azulejo_experiments::game_loop::Fault) {}
}

/// The moves of the games of each stage of a tiny training run.
fn training_games() -> [String; 2] {
    let (config, directory) = (TrainConfig::read(TRAINING).unwrap(), tempfile::tempdir().unwrap());
    let training = Training {
        config: &config,
        directory: directory.path(),
        threads: NonZeroUsize::MIN,
        stages: None,
        backend: Backend::Embedded,
        invocation: Invocation::now([]),
    };
    training.run::<Azul>(Start::New, &AtomicBool::new(false), &mut Unwatched).unwrap();
    ["00000", "00001"].map(|stage| {
        let found = records(&directory.path().join(format!("games/{stage}.jsonl.zst"))).unwrap();
        let moves: Vec<String> = found.flat_map(|found| found.unwrap().0.moves).collect();
        checksum(moves.iter().map(String::as_str))
    })
}

/// The first seeds of every stream.
fn stream_seeds() -> String {
    use Stream::{Agents, Deals, Resampling, Review, Samples, Speed, Training, Tuning};
    let streams = [Deals, Agents, Resampling, Samples, Speed, Tuning, Review, Training];
    let seeds: Vec<String> = streams.iter().map(|stream| stream.seed(1, &[2, 3]).to_string()).collect();
    checksum(seeds.iter().map(String::as_str))
}

/// The table as this program makes it, a row a line: what is played and the checksum.
fn rows() -> String {
    let mut rows = Vec::new();
    for game in ["azul", "azul:gray", "summer-pavilion", "queens-garden"] {
        for agent in AGENTS {
            rows.push(format!("{game} 2 {agent} {}", games(game, 2, agent)));
        }
        for agent in ["greedy", "mcts:sims=12", "minimax:nodes=60", "minimax:nodes=60,search=maxn"] {
            rows.push(format!("{game} 3 {agent} {}", games(game, 3, agent)));
        }
    }
    let [taught, played] = training_games();
    rows.push(format!("training teacher {taught}"));
    rows.push(format!("training selfplay {played}"));
    rows.push(format!("streams {}", stream_seeds()));
    rows.join("\n") + "\n"
}

fn table_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/play_version.txt")
}

/// What is to be done with a table of this version and these rows where a program of version `now` makes the rows `made`: the
/// new table, if it is to be renewed and may be.
fn judge(
    (version, kept): (u64, &str),
    (now, made): (u64, &str),
    renew: bool,
) -> Result<Option<String>, String> {
    let how = "renew the table: RENEW_PLAY_TABLE=1 cargo test -p azulejo-experiments --test play_version";
    let missing = |rows: &str, others: &str| -> Vec<String> {
        rows.lines().filter(|row| others.lines().all(|other| other != *row)).map(str::to_owned).collect()
    };
    let (lost, differing) = (missing(kept, made), missing(made, kept));
    match () {
        () if now < version => Err(format!("PLAY_VERSION is {now}, and {version} was used before: raise it")),
        () if now == version && kept == made => Ok(None),
        () if now == version && lost.is_empty() && renew => Ok(Some(format!("play version {now}\n{made}"))),
        () if now == version && lost.is_empty() => Err(format!("rows are missing; {how}")),
        () if now == version => Err(format!(
            "seeds lead to other games than before: raise PLAY_VERSION (experiments/src/manifest/provenance.rs) to {}, and {how}\n\
             these differ:\n{}",
            version + 1,
            differing.join("\n")
        )),
        () if renew => Ok(Some(format!("play version {now}\n{made}"))),
        () => Err(format!("PLAY_VERSION was raised from {version} to {now}: {how}")),
    }
}

#[test]
fn seeds_lead_to_the_games_of_the_play_version() {
    let (file, made) = (table_file(), rows());
    let text = fs::read_to_string(&file).unwrap_or("play version 0\n".to_owned());
    let (head, kept) = text.split_once('\n').expect("a line that names the version");
    let version = head.strip_prefix("play version ").and_then(|number| number.parse().ok());
    let version = version.expect("the version that the table was made with");
    let renew = std::env::var_os("RENEW_PLAY_TABLE").is_some();
    match judge((version, kept), (PLAY_VERSION, &made), renew) {
        Ok(None) => {}
        Ok(Some(table)) => fs::write(&file, table).unwrap(),
        Err(problem) => panic!("{problem}"),
    }
}

#[test]
fn a_table_is_renewed_with_a_version_that_was_not_used_before_only() {
    let message = |now, made, renew| judge((3, "a 1\nb 2\n"), (now, made), renew).unwrap_err();
    assert_eq!(judge((3, "a 1\n"), (3, "a 1\n"), true), Ok(None));
    for renew in [false, true] {
        let told = message(3, "a 1\nb 3\n", renew);
        assert!(told.contains("raise PLAY_VERSION") && told.contains("to 4, and renew the table"), "{told}");
        assert!(told.ends_with(":\nb 3"), "{told}");
        assert!(message(2, "a 1\nb 3\n", renew).contains("3 was used before: raise it"));
    }
    assert!(message(4, "a 1\nb 3\n", false).contains("renew the table"));
    assert!(message(3, "a 1\nb 2\nc 3\n", false).contains("rows are missing"));
    let added = judge((3, "a 1\nb 2\n"), (3, "a 1\nb 2\nc 3\n"), true);
    assert_eq!(
        added,
        Ok(Some("play version 3\na 1\nb 2\nc 3\n".to_owned())),
        "what is added changes no game"
    );
    assert_eq!(judge((3, "a 1\n"), (4, "a 2\n"), true), Ok(Some("play version 4\na 2\n".to_owned())));
}
