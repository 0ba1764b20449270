//! How fast the engine and the agents are on this machine.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use azulejo::{GameSpec, Move, Parts, Turn, with_game};
use azulejo_agents::neural::{
    CpuTrainer, Embedded, Example, Inference, Network, NeuralParameters, Trainer, TrainerSettings,
    TrainerState, seated, shape_of, softmax,
};
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Limits, Playable};
use serde::Serialize;
use thiserror::Error;

use crate::game_loop::{Played, arena};
use crate::parallel::{ThreadsError, play_in_order, thread_pool};
use crate::schedule::{Rotation, Schedule};
use crate::stats::{Estimate, Interval, estimate_keys};
use crate::stream::Stream;

/// How often each measurement is repeated.
pub(crate) const REPETITIONS: usize = 5;

/// The master seed of all games played to measure speed.
const SEED: u64 = 1;

estimate_keys!(rate: "value", "low", "high");

/// One measured speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// What was measured.
    pub name: &'static str,
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The number of threads that worked at once.
    pub threads: usize,
    /// The unit of the values.
    pub unit: &'static str,
    /// The median of the repetitions; its interval is from the smallest to the largest of them, which holds
    /// the true median in 94 % of all cases, as at least one of five repetitions lies on either side of it.
    #[serde(flatten, with = "rate")]
    pub rate: Estimate,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// Random games, without records.
    Random,
    /// Actions of random games.
    RandomActions,
    /// Simulations of a tree search with random rollouts, from the opening after the first deal.
    MctsRandom,
    /// Simulations of a tree search with greedy rollouts, from the opening after the first deal.
    MctsGreedy,
    /// Simulations of a tree search with an untrained network of width 256 with one block, from the opening
    /// after the first deal.
    MctsNet,
    /// Simulations of the agent `neural` as it plays: the network that comes with the agents and its settings,
    /// 2,000 simulations a move, game after game, each tree kept from move to move.
    Neural,
    /// The same of the agent `mcts`.
    Mcts,
    /// Nodes of a minimax search, from the opening after the first deal.
    Minimax,
    /// States of random games judged one by one by an untrained network of width 256 with one block.
    Inference1,
    /// The same states, of which 64 are asked for before the first answer is fetched.
    Inference64,
    /// Examples that such a network learns from in batches of 1024.
    Training,
    /// Recorded games between random agents, on one thread and on several.
    Selfplay,
}

/// Where and how long a benchmark runs.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkSettings {
    /// The game.
    pub game: GameSpec,
    /// The number of players.
    pub players: usize,
    /// The most threads.
    pub threads: NonZeroUsize,
    /// The least duration of a repetition.
    pub slice: Duration,
}

/// Why nothing is measured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpeedError {
    /// The agent cannot be built.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// The system starts fewer threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

impl Benchmark {
    /// All benchmarks.
    pub const ALL: [Benchmark; 12] = [
        Benchmark::Random,
        Benchmark::RandomActions,
        Benchmark::MctsRandom,
        Benchmark::MctsGreedy,
        Benchmark::MctsNet,
        Benchmark::Neural,
        Benchmark::Mcts,
        Benchmark::Minimax,
        Benchmark::Inference1,
        Benchmark::Inference64,
        Benchmark::Training,
        Benchmark::Selfplay,
    ];

    /// The name in lists and filters.
    pub fn name(self) -> &'static str {
        match self {
            Benchmark::Random => "random",
            Benchmark::RandomActions => "random-actions",
            Benchmark::MctsRandom => "mcts-random",
            Benchmark::MctsGreedy => "mcts-greedy",
            Benchmark::MctsNet => "mcts-net",
            Benchmark::Neural => "neural",
            Benchmark::Mcts => "mcts",
            Benchmark::Minimax => "minimax",
            Benchmark::Inference1 => "inference-1",
            Benchmark::Inference64 => "inference-64",
            Benchmark::Training => "training",
            Benchmark::Selfplay => "selfplay",
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Benchmark::Random | Benchmark::Selfplay => "games/s",
            Benchmark::RandomActions => "actions/s",
            Benchmark::MctsRandom
            | Benchmark::MctsGreedy
            | Benchmark::MctsNet
            | Benchmark::Neural
            | Benchmark::Mcts => "simulations/s",
            Benchmark::Inference1 | Benchmark::Inference64 => "positions/s",
            Benchmark::Training => "examples/s",
            Benchmark::Minimax => "nodes/s",
        }
    }

    /// Measures; one speed for each number of threads tried.
    ///
    /// # Errors
    /// If the agent that is measured cannot be built, or the system does not start the threads.
    pub fn measure(self, bench: &BenchmarkSettings) -> Result<Vec<Speed>, SpeedError> {
        let one = NonZeroUsize::MIN;
        let speed = |threads, values| self.speed(bench, threads, values);
        Ok(match self {
            Benchmark::Random => {
                vec![speed(
                    one,
                    with_game!(bench.game, |rules: &'static G::Rules| random_speeds::<G>(
                        rules,
                        bench,
                        |_| 1
                    )),
                )]
            }
            Benchmark::RandomActions => {
                vec![speed(
                    one,
                    with_game!(bench.game, |rules: &'static G::Rules| random_speeds::<G>(
                        rules,
                        bench,
                        |actions| actions
                    )),
                )]
            }
            Benchmark::MctsRandom => {
                vec![speed(one, search_speed(bench, "mcts:rollout=random,select=uct,prior=0")?)]
            }
            Benchmark::MctsGreedy => {
                vec![speed(one, search_speed(bench, "mcts:rollout=greedy,select=uct,prior=0")?)]
            }
            Benchmark::MctsNet => vec![speed(
                one,
                with_game!(bench.game, |rules: &'static G::Rules| net_search_speeds::<G>(rules, bench)),
            )],
            Benchmark::Neural => vec![speed(one, play_speed(bench, "neural:sims=2000")?)],
            Benchmark::Mcts => vec![speed(one, play_speed(bench, "mcts:sims=2000")?)],
            Benchmark::Minimax => vec![speed(one, search_speed(bench, "minimax")?)],
            Benchmark::Inference1 | Benchmark::Inference64 => {
                let together = if self == Benchmark::Inference1 { 1 } else { 64 };
                vec![speed(
                    one,
                    with_game!(bench.game, |rules: &'static G::Rules| inference_speeds::<G>(
                        rules, bench, together
                    )),
                )]
            }
            Benchmark::Training => vec![speed(
                one,
                with_game!(bench.game, |rules: &'static G::Rules| training_speeds::<G>(rules, bench)),
            )],
            Benchmark::Selfplay => {
                let mut threads = vec![one, bench.threads];
                threads.dedup();
                let measured = threads
                    .into_iter()
                    .map(|threads| selfplay_speed(bench, threads).map(|values| speed(threads, values)));
                measured.collect::<Result<_, _>>()?
            }
        })
    }

    fn speed(
        self,
        bench: &BenchmarkSettings,
        threads: NonZeroUsize,
        mut values: [f64; REPETITIONS],
    ) -> Speed {
        values.sort_unstable_by(f64::total_cmp);
        let range = Interval { low: values[0], high: values[REPETITIONS - 1] };
        Speed {
            name: self.name(),
            game: bench.game.to_string(),
            players: bench.players,
            threads: threads.get(),
            unit: self.unit(),
            rate: Estimate { value: values[REPETITIONS / 2], interval: Some(range) },
        }
    }
}

/// Repeats `work`, which returns how much it did, for at least a slice of time, several times; returns the
/// amounts per second.
fn repeat(slice: Duration, mut work: impl FnMut() -> u64) -> [f64; REPETITIONS] {
    work();
    std::array::from_fn(|_| {
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed() < slice {
            done += work();
        }
        done as f64 / start.elapsed().as_secs_f64()
    })
}

/// Plays `games` random games from a fixed seed and returns the number of their actions.
pub fn random_games(game: GameSpec, players: usize, games: u64) -> u64 {
    with_game!(game, |rules: &'static G::Rules| fixed_games::<G>(rules, players, games))
}

fn fixed_games<G: Playable>(rules: &'static G::Rules, players: usize, games: u64) -> u64 {
    let (mut rng, mut buffer) = (Stream::Speed.generator(SEED, &[]), Vec::new());
    (0..games).map(|_| G::random_game(rules, players, &mut rng, &mut buffer)).sum()
}

/// Random games, counted by a function of the number of their actions.
fn random_speeds<G: Playable>(
    rules: &'static G::Rules,
    bench: &BenchmarkSettings,
    count: fn(u64) -> u64,
) -> [f64; REPETITIONS] {
    /// So many that reading the clock costs nothing.
    const GAMES: u64 = 32;
    let (mut rng, mut buffer) = (Stream::Speed.generator(SEED, &[]), Vec::new());
    repeat(bench.slice, || {
        let mut game = || count(G::random_game(rules, bench.players, &mut rng, &mut buffer));
        (0..GAMES).map(|_| game()).sum()
    })
}

/// Simulations per second of an agent that searches, from the opening after the first deal.
fn search_speed(bench: &BenchmarkSettings, agent: &str) -> Result<[f64; REPETITIONS], AgentSpecError> {
    let agent: AgentSpec = agent.parse()?;
    with_game!(bench.game, |rules: &'static G::Rules| {
        Ok(search_speeds::<G>(bench, rules, &mut *agent.build()?))
    })
}

fn search_speeds<G: Playable>(
    bench: &BenchmarkSettings,
    rules: &'static G::Rules,
    agent: &mut dyn Agent<G>,
) -> [f64; REPETITIONS] {
    let mut opening = G::new(rules, bench.players);
    let mut rng = Stream::Speed.generator(SEED, &[]);
    while opening.turn() == Turn::Chance {
        opening.play_chance(&mut rng);
    }
    let limits = Limits { time: Some(bench.slice), ..Limits::default() };
    let mut repetition = 0;
    std::array::from_fn(|_| {
        repetition += 1;
        agent.new_game(Stream::Speed.seed(SEED, &[repetition]));
        let decision = agent.choose(&opening, &limits).expect("a player is to move in the opening");
        decision.search.map_or(f64::NAN, |search| search.nodes as f64 / search.time.as_secs_f64())
    })
}

/// Simulations per second of an agent that plays all seats of games, one after the other.
fn play_speed(bench: &BenchmarkSettings, agent: &str) -> Result<[f64; REPETITIONS], AgentSpecError> {
    let agent: AgentSpec = agent.parse()?;
    with_game!(bench.game, |rules: &'static G::Rules| {
        Ok(play_speeds::<G>(bench, rules, &mut *agent.build()?))
    })
}

fn play_speeds<G: Playable>(
    bench: &BenchmarkSettings,
    rules: &'static G::Rules,
    agent: &mut dyn Agent<G>,
) -> [f64; REPETITIONS] {
    let mut rng = Stream::Speed.generator(SEED, &[]);
    let (mut state, mut games) = (G::new(rules, bench.players), 0);
    agent.new_game(Stream::Speed.seed(SEED, &[games]));
    // Each piece of work is a choice, with what leads to it.
    repeat(bench.slice, || {
        loop {
            let (played, nodes) = match state.turn() {
                Turn::Over => {
                    (state, games) = (G::new(rules, bench.players), games + 1);
                    agent.new_game(Stream::Speed.seed(SEED, &[games]));
                    continue;
                }
                Turn::Chance => (Move::Outcome(state.sample_chance(&mut rng)), 0),
                Turn::Player(_) => {
                    let decision = agent.choose(&state, &Limits::default()).expect("a player is to move");
                    (Move::Action(decision.action), decision.search.map_or(0, |search| search.nodes))
                }
            };
            agent.observe(&played);
            played.apply(&mut state);
            if nodes > 0 {
                return nodes;
            }
        }
    })
}

/// The network whose speed is measured.
fn network<G: Playable>() -> Network {
    Network::untrained(shape_of::<G>(256, 1), SEED)
}

fn net_search_speeds<G: Playable>(rules: &'static G::Rules, bench: &BenchmarkSettings) -> [f64; REPETITIONS] {
    let agent = seated::<G>(&NeuralParameters::default(), &Embedded::in_16_bits(network::<G>()));
    let mut agent = agent.expect("no critic is read");
    search_speeds(bench, rules, &mut *agent)
}

/// Every state of some random games.
fn random_states<G: Playable>(rules: &'static G::Rules, players: usize, count: usize) -> Vec<G> {
    let (mut rng, mut buffer) = (Stream::Speed.generator(SEED, &[]), Vec::new());
    let (mut state, mut states) = (G::new(rules, players), Vec::new());
    while states.len() < count {
        if state.turn() == Turn::Over {
            state = G::new(rules, players);
        }
        states.push(state);
        state.play_random(&mut rng, &mut buffer);
    }
    states
}

/// The network itself is asked: an evaluator remembers the states that it has looked at.
fn inference_speeds<G: Playable>(
    rules: &'static G::Rules,
    bench: &BenchmarkSettings,
    together: usize,
) -> [f64; REPETITIONS] {
    let states = random_states::<G>(rules, bench.players, 512);
    let asker = Embedded::in_16_bits(network::<G>());
    let mut networks: Vec<_> = (0..together).map(|_| asker.another()).collect();
    let (mut features, mut reader) = (Vec::new(), HeadReader::<G::Action>::new());
    repeat(bench.slice, || {
        for states in states.chunks(together) {
            let asked = states.iter().zip(&mut networks).map(|(state, network)| {
                state.encode(&mut features);
                network.request(&features)
            });
            let looks: Vec<_> = asked.collect();
            networks[0].flush();
            for ((state, network), look) in states.iter().zip(&mut networks).zip(looks) {
                assert!(look.is_none_or(|look| network.receive(&look).is_ready()), "the batch is worked out");
                reader.read(state, &mut **network);
            }
        }
        states.len() as u64
    })
}

/// Asks all that a network says of a state after a look.
struct HeadReader<A> {
    legal: Vec<A>,
    outputs: Vec<usize>,
    parts: Vec<Parts>,
    shares: Vec<f32>,
}

impl<A: Copy> HeadReader<A> {
    fn new() -> Self {
        HeadReader { legal: Vec::new(), outputs: Vec::new(), parts: Vec::new(), shares: Vec::new() }
    }

    fn read<G: Playable<Action = A>>(&mut self, state: &G, network: &mut dyn Inference) {
        let HeadReader { legal, outputs, parts, shares } = self;
        std::hint::black_box((network.wins(state.players()), network.points_to_come()));
        state.legal_actions(legal);
        outputs.clear();
        outputs.extend(legal.iter().map(|&action| state.output(action)));
        outputs.sort_unstable();
        outputs.dedup();
        parts.clear();
        parts.extend(outputs.iter().map(|&output| G::parts(output)));
        network.logits(parts, shares);
        softmax(shares);
        std::hint::black_box(shares);
    }
}

fn training_speeds<G: Playable>(rules: &'static G::Rules, bench: &BenchmarkSettings) -> [f64; REPETITIONS] {
    const BATCH: usize = 1024;
    let (players, mut legal) = (bench.players, Vec::new());
    let states = random_states::<G>(rules, players, BATCH);
    let example = |state: &G| {
        let mut features = Vec::new();
        state.encode(&mut features);
        state.legal_actions(&mut legal);
        let mut outputs: Vec<usize> = legal.iter().map(|&action| state.output(action)).collect();
        outputs.sort_unstable();
        outputs.dedup();
        let share = 1.0 / outputs.len() as f32;
        let policy = outputs.into_iter().map(|output| (G::parts(output), share)).collect();
        Example {
            features,
            policy,
            players,
            wins: Some([1.0, 0.0, 0.0, 0.0]),
            points_to_come: Some([0.0; 4]),
        }
    };
    let examples: Vec<Example> = states.iter().map(example).collect();
    let batch: Vec<&Example> = examples.iter().collect();
    let settings = TrainerSettings { score_weight: 0.5, weight_decay: 0.01 };
    let mut trainer = CpuTrainer::new(TrainerState::new(network::<G>()), settings);
    repeat(bench.slice, || {
        std::hint::black_box(trainer.step(&batch, 1e-4));
        BATCH as u64
    })
}

/// Recorded games per second between random agents, played as self-play does.
fn selfplay_speed(
    bench: &BenchmarkSettings,
    threads: NonZeroUsize,
) -> Result<[f64; REPETITIONS], SpeedError> {
    let agent: AgentSpec = "random".parse().map_err(SpeedError::Agent)?;
    let table = (bench.game, bench.players);
    let schedule = Schedule::selfplay(table, &[agent], crate::schedule::MAX_GAMES, SEED, Rotation::Fixed)
        .expect("one agent fits every table");
    let prepare = |played: Played| std::hint::black_box(played.record.to_line());
    let (arena, pool, mut values) = (arena(bench.game), thread_pool(threads)?, [0.0; REPETITIONS]);
    for value in &mut values {
        let (start, stop) = (Instant::now(), AtomicBool::new(false));
        let games = play_in_order((&*arena, &schedule), 0, &pool, &stop, prepare, |_| {
            if start.elapsed() >= bench.slice {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            Ok::<_, SpeedError>(ControlFlow::Continue(()))
        })?;
        *value = games as f64 / start.elapsed().as_secs_f64();
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench() -> BenchmarkSettings {
        BenchmarkSettings {
            game: "azul".parse().unwrap(),
            players: 3,
            threads: NonZeroUsize::new(2).unwrap(),
            slice: Duration::from_millis(2),
        }
    }

    #[test]
    fn speeds_are_positive_and_ordered() {
        for benchmark in [Benchmark::Random, Benchmark::RandomActions, Benchmark::Selfplay] {
            for speed in benchmark.measure(&bench()).unwrap() {
                let Estimate { value, interval } = speed.rate;
                let Interval { low, high } = interval.unwrap();
                assert!(0.0 < low && low <= value && value <= high, "{speed:?}");
            }
        }
        assert_eq!(Benchmark::Selfplay.measure(&bench()).unwrap().len(), 2);
    }

    #[test]
    fn agents_are_measured_as_they_play() {
        for benchmark in [Benchmark::Neural, Benchmark::Mcts, Benchmark::Inference1, Benchmark::Inference64] {
            let speed = &benchmark.measure(&bench()).unwrap()[0];
            assert!(speed.rate.value > 0.0 && benchmark.name() == speed.name, "{speed:?}");
        }
    }

    #[test]
    fn a_game_has_many_actions() {
        let (game, actions) = (bench().game, |games| random_games(bench().game, 3, games));
        assert!(actions(10) > 10 * 20 && actions(10) == random_games(game, 3, 10));
    }
}
