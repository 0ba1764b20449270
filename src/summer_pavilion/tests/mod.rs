mod notation;
mod position;
mod rules;
mod states;
mod twin;

use std::cell::Cell;

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

/// Four players who never pass while they can place, and mostly fill the cheapest slot, empty bag and depot.
#[test]
fn engine_and_twin_agree_when_tiles_run_out() {
    let (short_deals, turns_without_any_tile_to_draw) = (Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<u32>, holds: bool| counter.set(counter.get() + u32::from(holds));
    for options in [&[][..], &["gray"]] {
        let rules = intern(SummerPavilionRules::from_options(options).unwrap());
        let busy = |state: &SummerPavilion, legal: &mut Vec<Action>, rng: &mut Generator| {
            let short =
                (1..=state.factories()).any(|factory| (1..4).contains(&state.source(factory).total()));
            count(&short_deals, state.phase() == Phase::Acquire && short);
            let dry = state.bag().is_empty() && state.depot().is_empty();
            count(&turns_without_any_tile_to_draw, dry && state.phase() == Phase::Place);
            // Both come last in their lists.
            if legal.len() > 1 && matches!(legal.last(), Some(Action::Pass | Action::Done)) {
                legal.pop();
            }
            let cost = |action: &Action| match action {
                Action::Place { slot, .. } => rules.side.cost(*slot),
                _ => 0,
            };
            let cheapest = legal.iter().map(cost).min().unwrap();
            if rng.below(10) > 0 {
                legal.retain(|action| cost(action) == cheapest);
            }
            legal[rng.below(legal.len() as u64) as usize]
        };
        let games = testing::games_to_play(15);
        testing::compare_with_twin_under::<SummerPavilion, twin::SlowSummerPavilion>(
            &busy, rules, 4, games, 3,
        );
    }
    assert!(short_deals.get() > 0 && turns_without_any_tile_to_draw.get() > 0);
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
