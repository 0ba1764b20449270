//! Speed of networks: judging a state, and a choice by tree search, for every game and number of players, and
//! a network of a size that others measure, too.

use azulejo::{Game, GameSpec, Generator, MAX_PLAYERS, Parts, Turn, spec_of, with_game};
use azulejo_agents::neural::{Embedded, Inference, Network, NeuralParameters, Shape, seated, shape_of};
use azulejo_agents::{Limits, Playable};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Simulations of one measured search.
const SIMULATIONS: u64 = 200;

fn measure<G: Playable>(criterion: &mut Criterion, rules: &'static G::Rules, players: usize) {
    let name = format!("{}/{players}", spec_of::<G>(rules));
    let network = Embedded::new(Network::untrained(shape_of::<G>(256, 1), 1));
    let mut opening = G::new(rules, players);
    let mut rng = Generator::new(1);
    while opening.turn() == Turn::Chance {
        opening.play_chance(&mut rng);
    }
    // The network itself is asked: an evaluator remembers the states that it has looked at.
    let mut asked = network.clone();
    let (mut features, mut actions, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    let mut group = criterion.benchmark_group("network");
    group.throughput(Throughput::Elements(1));
    group.bench_function(format!("inference/{name}"), |bencher| {
        bencher.iter(|| {
            opening.encode(&mut features);
            asked.look(&features);
            opening.legal_actions(&mut actions);
            let parts: Vec<Parts> = actions.iter().map(|&action| G::parts(opening.output(action))).collect();
            asked.logits(&parts, &mut shares);
            asked.wins(players)
        });
    });
    let parameters = NeuralParameters { sims: Some(SIMULATIONS), ..NeuralParameters::default() };
    let mut agent = seated::<G>(&parameters, &network).expect("no critic is read");
    group.throughput(Throughput::Elements(SIMULATIONS)).sample_size(20);
    group.bench_function(format!("search/{name}"), |bencher| {
        bencher.iter(|| {
            agent.new_game(1);
            agent.choose(&opening, &Limits::default()).expect("a player is to move").action
        });
    });
}

fn networks(criterion: &mut Criterion) {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| {
            <G as Game>::PLAYERS.for_each(|players| measure::<G>(criterion, rules, players));
        });
    }
}

/// A network of a size for which there are figures of other libraries: 512 features, of which 64 are active,
/// two layers of 256, all of 180 logits or those of legal actions, and 4 values.
fn reference(criterion: &mut Criterion) {
    let shape = Shape { features: 512, width: 256, blocks: 1, parts: 180 };
    let mut network = Embedded::new(Network::untrained(shape, 1));
    let mut rng = Generator::new(1);
    let mut states: Vec<Vec<u16>> = Vec::new();
    states.resize_with(256, || (0..512).step_by(8).map(|first| first + rng.below(8) as u16).collect());
    let mut group = criterion.benchmark_group("network");
    group.throughput(Throughput::Elements(states.len() as u64));
    for (name, apart) in [("512-256-256-184", 1), ("512-256-256-184, 36 legal actions", 5)] {
        let parts: Vec<Parts> = (0..shape.parts).step_by(apart).map(Parts::one).collect();
        let mut logits = Vec::new();
        group.bench_function(format!("inference/{name}"), |bencher| {
            bencher.iter(|| {
                for features in &states {
                    network.look(features);
                    network.logits(&parts, &mut logits);
                    std::hint::black_box((network.wins(MAX_PLAYERS), &logits));
                }
            });
        });
    }
}

criterion_group!(benches, reference, networks);
criterion_main!(benches);
