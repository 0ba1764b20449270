//! Twin and engine agree in games played by policies that reach rare positions.

use std::cell::Cell;

use super::twin;
use crate::summer_pavilion::{Action, Phase, SummerPavilion, SummerPavilionRules};
use crate::{Generator, Rules, intern, testing};

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
        testing::compare_with_twin_under::<SummerPavilion, twin::SummerPavilionTwin>(
            &busy, rules, 4, games, 3,
        );
    }
    assert!(short_deals.get() > 0 && turns_without_any_tile_to_draw.get() > 0);
}
