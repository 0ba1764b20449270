//! Speed of the rules: whole random games of every variant and number of players.

use azulejo::{Game, GameSpec, Generator, Turn, spec_of, with_game};
use criterion::{Criterion, criterion_group, criterion_main};

fn random_game<G: Game>(criterion: &mut Criterion, rules: &'static G::Rules) {
    for players in G::PLAYERS {
        let name = format!("random game/{}/{players}", spec_of::<G>(rules));
        let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| {
                let mut state = G::new(rules, players);
                while state.turn() != Turn::Over {
                    state.play_random(&mut rng, &mut buffer);
                }
                state.scores()
            });
        });
    }
}

fn random_games(criterion: &mut Criterion) {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| random_game::<G>(criterion, rules));
    }
}

criterion_group!(engine, random_games);
criterion_main!(engine);
