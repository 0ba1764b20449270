mod golden;
mod json;
mod notation;
mod policies;
mod position;
mod rules;
mod twin;

use super::*;
use crate::{Game, Generator, Rules, Turn, intern, testing};

#[test]
fn contract() {
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        testing::check_contract::<SummerPavilion>(rules, players, testing::games_to_play(2), 1);
    });
}

#[test]
fn random_actions_are_uniform() {
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        testing::check_random_action::<SummerPavilion>(rules, players, 200, 1)
    });
}

#[test]
fn engine_and_twin_agree() {
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        let games = testing::games_to_play(20);
        testing::compare_with_twin::<SummerPavilion, twin::SlowSummerPavilion>(rules, players, games, 1);
    });
}

#[test]
fn engine_and_twin_agree_on_any_wild_order() {
    for option in ["wilds=PGOYBR", "wilds=BPRYOG"] {
        let rules = intern(SummerPavilionRules::from_options(&["gray", option]).unwrap());
        let games = testing::games_to_play(10);
        testing::compare_with_twin::<SummerPavilion, twin::SlowSummerPavilion>(rules, 3, games, 2);
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

#[test]
fn keys_are_kept_from_action_to_action() {
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        testing::check_keys::<SummerPavilion>(rules, players, testing::games_to_play(20), 1);
    });
}

#[test]
fn networks_see_what_lies_there_and_not_where() {
    let reverse = |state: &mut serde_json::Value| {
        if let Some(factories) = state["factories"].as_array_mut() {
            factories.reverse();
        }
    };
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        testing::check_encoding::<SummerPavilion>(rules, players, testing::games_to_play(3), 1, reverse);
    });
}
