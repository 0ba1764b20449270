//! Speed of the agents: a greedy game, and a choice by tree search, for every variant and number of players.

use azulejo::{Game, GameSpec, Generator, Turn, spec_of, with_game};
use azulejo_agents::{AgentSpec, Limits, Playable};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Simulations of one measured search.
const SIMULATIONS: u64 = 200;

fn greedy_game<G: Playable>(criterion: &mut Criterion, rules: &'static G::Rules) {
    for players in G::PLAYERS {
        let name = format!("greedy game/{}/{players}", spec_of::<G>(rules));
        let mut rng = Generator::new(1);
        let mut agent = spec("greedy").build::<G>().expect("greedy plays every game");
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| {
                let mut state = G::new(rules, players);
                loop {
                    match state.turn() {
                        Turn::Over => return state.scores(),
                        Turn::Chance => state.play_chance(&mut rng),
                        Turn::Player(_) => state.apply(choice(&mut *agent, &state)),
                    }
                }
            });
        });
    }
}

fn search<G: Playable>(criterion: &mut Criterion, rules: &'static G::Rules, players: usize, rollout: &str) {
    let mut opening = G::new(rules, players);
    let mut rng = Generator::new(1);
    while opening.turn() == Turn::Chance {
        opening.play_chance(&mut rng);
    }
    let agent = spec(&format!("mcts:sims={SIMULATIONS},rollout={rollout}"));
    let mut agent = agent.build::<G>().expect("the agent plays every game");
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(SIMULATIONS)).sample_size(20);
    let name = format!("{rollout} rollouts/{}/{players}", spec_of::<G>(rules));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            agent.new_game(1);
            choice(&mut *agent, &opening)
        });
    });
}

fn spec(text: &str) -> AgentSpec {
    text.parse().expect("the agent is registered")
}

fn choice<G: Playable>(agent: &mut dyn azulejo_agents::Agent<G>, state: &G) -> G::Action {
    agent.choose(state, &Limits::default()).expect("a player is to move").action
}

fn greedy_games(criterion: &mut Criterion) {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| greedy_game::<G>(criterion, rules));
    }
}

fn searches(criterion: &mut Criterion) {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| {
            for players in <G as Game>::PLAYERS {
                for rollout in ["random", "greedy"] {
                    search::<G>(criterion, rules, players, rollout);
                }
            }
        });
    }
}

criterion_group!(agents, greedy_games, searches);
criterion_main!(agents);
