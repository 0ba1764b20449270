//! Examples for tests, here and in `tests/torch.rs`: [`examples`].

use azulejo::azul::{Azul, AzulRules};
use azulejo::{Encode, Game, Generator, Turn, intern};
use rand::RngExt;

use super::Example;

/// Examples at random states of Azul for 2 to 4 players, with targets drawn at random.
pub fn examples(count: usize, seed: u64) -> Vec<Example> {
    let (mut rng, mut legal) = (Generator::new(seed), Vec::new());
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    let (mut examples, mut games) = (Vec::new(), 0);
    while examples.len() < count {
        if state.turn() == Turn::Over {
            games += 1;
            state = Azul::new(intern(AzulRules::default()), 2 + games % 3);
        }
        let mut features = Vec::new();
        state.encode(&mut features);
        state.legal_actions(&mut legal);
        let mut outputs: Vec<usize> = legal.iter().map(|&action| state.output(action)).collect();
        outputs.sort_unstable();
        outputs.dedup();
        let share = 1.0 / outputs.len() as f32;
        let policy = outputs.into_iter().map(|output| (Azul::parts(output), share)).collect();
        let (players, win) = (state.players(), rng.random::<f64>() as f32);
        let wins = std::array::from_fn(|seat| [win, 1.0 - win, 0.0, 0.0][seat]);
        let points_to_come =
            std::array::from_fn(|seat| if seat < players { 60.0 * rng.random::<f64>() as f32 } else { 0.0 });
        let (wins, points_to_come) = (Some(wins), Some(points_to_come));
        examples.push(Example { features, policy, players, wins, points_to_come });
        state.play_random(&mut rng, &mut legal);
    }
    examples
}

/// A batch of them.
pub fn refs(examples: &[Example]) -> Vec<&Example> {
    examples.iter().collect()
}
