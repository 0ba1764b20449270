//! Speed of the agents: a greedy game, and a choice by tree search, for every variant and number of players.

use azulejo::{GameSpec, Generator, MAX_PLAYERS, Turn};
use azulejo_agents::{AgentSpec, Limits, Playable, PlayableVisitor, visit_playable};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Simulations of one measured search.
const SIMULATIONS: u64 = 200;

struct GreedyGame<'a> {
    criterion: &'a mut Criterion,
    name: String,
    players: usize,
}

impl PlayableVisitor for GreedyGame<'_> {
    type Output = ();

    fn visit<G: Playable>(self, rules: &'static G::Rules) {
        let mut rng = Generator::new(1);
        let mut agent = spec("greedy").build::<G>().expect("greedy plays every game");
        self.criterion.bench_function(&self.name, |bencher| {
            bencher.iter(|| {
                let mut state = G::new(rules, self.players);
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

struct Search<'a> {
    criterion: &'a mut Criterion,
    name: String,
    players: usize,
    agent: AgentSpec,
}

impl PlayableVisitor for Search<'_> {
    type Output = ();

    fn visit<G: Playable>(self, rules: &'static G::Rules) {
        let mut opening = G::new(rules, self.players);
        let mut rng = Generator::new(1);
        while opening.turn() == Turn::Chance {
            opening.play_chance(&mut rng);
        }
        let mut agent = self.agent.build::<G>().expect("the agent plays every game");
        let mut group = self.criterion.benchmark_group("search");
        group.throughput(Throughput::Elements(SIMULATIONS)).sample_size(20);
        group.bench_function(&self.name, |bencher| {
            bencher.iter(|| {
                agent.new_game(1);
                choice(&mut *agent, &opening)
            });
        });
    }
}

fn spec(text: &str) -> AgentSpec {
    text.parse().expect("the agent is registered")
}

fn choice<G: Playable>(agent: &mut dyn azulejo_agents::Agent<G>, state: &G) -> G::Action {
    agent.choose(state, &Limits::default()).expect("a player is to move").action
}

fn tables() -> impl Iterator<Item = (GameSpec, usize)> {
    GameSpec::all().into_iter().flat_map(|game| (2..=MAX_PLAYERS).map(move |players| (game, players)))
}

fn greedy_games(criterion: &mut Criterion) {
    for (game, players) in tables() {
        let name = format!("greedy game/{game}/{players}");
        visit_playable(game, GreedyGame { criterion, name, players });
    }
}

fn searches(criterion: &mut Criterion) {
    for (game, players) in tables() {
        for rollout in ["random", "greedy"] {
            let agent = spec(&format!("mcts:sims={SIMULATIONS},rollout={rollout}"));
            let name = format!("{rollout} rollouts/{game}/{players}");
            visit_playable(game, Search { criterion, name, players, agent });
        }
    }
}

criterion_group!(agents, greedy_games, searches);
criterion_main!(agents);
