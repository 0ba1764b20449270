mod json;
mod notation;
mod policies;
mod position;
mod rules;
mod twin;

use super::*;
use crate::{Game, Generator, Rules, Turn, intern};

crate::testing::game_tests! {
    SummerPavilion, twin::SummerPavilionTwin,
    contract: 2, twin: 20, states: 400, records: 100,
    encoding: testing::reverse_factories
}

#[test]
fn twin_agrees_on_any_wild_order() {
    for option in ["wilds=PGOYBR", "wilds=BPRYOG"] {
        let rules = intern(SummerPavilionRules::from_options(&["gray", option]).unwrap());
        let games = testing::games_to_play(10);
        testing::compare_with_twin::<SummerPavilion, twin::SummerPavilionTwin>(rules, 3, games, 2);
    }
}

#[test]
fn boards_fit_into_80_columns() {
    let (mut rng, mut buffer) = (Generator::new(8), Vec::new());
    for players in 2..=4 {
        let rules = intern(SummerPavilionRules::from_options(&["gray", "wilds=RPGOYB"]).unwrap());
        let mut game = SummerPavilion::new(rules, players);
        while game.turn() != Turn::Over {
            let text = game.to_string();
            assert!(text.lines().all(|line| line.chars().count() <= 80 && line.trim_end() == line), "{text}");
            game.play_random(&mut rng, &mut buffer);
        }
    }
}
