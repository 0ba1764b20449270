//! Speed of the rules: whole random games of every variant and number of players.

use azulejo::{Game, GameSpec, GameVisitor, Generator, MAX_PLAYERS, Turn};
use criterion::{Criterion, criterion_group, criterion_main};

struct RandomGame<'a> {
    criterion: &'a mut Criterion,
    name: String,
    players: usize,
}

impl GameVisitor for RandomGame<'_> {
    type Output = ();

    fn visit<G: Game>(self, rules: &'static G::Rules) {
        let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
        self.criterion.bench_function(&self.name, |bencher| {
            bencher.iter(|| {
                let mut state = G::new(rules, self.players);
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
        for players in 2..=MAX_PLAYERS {
            let name = format!("random game/{game}/{players}");
            game.visit(RandomGame { criterion, name, players });
        }
    }
}

criterion_group!(engine, random_games);
criterion_main!(engine);
