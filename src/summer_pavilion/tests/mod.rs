mod notation;
mod position;
mod rules;
mod states;
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
fn whole_games() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../testdata");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for (name, text) in testing::playthroughs::<SummerPavilion>() {
            insta::assert_snapshot!(name, text);
        }
    });
}

#[test]
fn play_does_not_allocate() {
    let rules = intern(SummerPavilionRules::from_options(&["gray"]).unwrap());
    let mut buffer = Vec::with_capacity(SummerPavilion::MAX_LEGAL);
    let mut rng = Generator::new(5);
    let info = allocation_counter::measure(|| {
        let mut game = SummerPavilion::new(rules, 4);
        while game.turn() != Turn::Over {
            game.legal_actions(&mut buffer);
            game.play_random(&mut rng, &mut buffer);
        }
    });
    assert_eq!(info.count_total, 0);
}
