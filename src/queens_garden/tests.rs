mod golden;
mod json;
mod policies;
mod position;
mod rules;
mod twin;
mod variant;

use super::*;
use crate::testing;

#[test]
fn contract() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_contract::<QueensGarden>(rules, players, testing::games_to_play(2), 1);
    });
}

#[test]
fn random_actions_are_uniform() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_random_action::<QueensGarden>(rules, players, 200, 1)
    });
}

#[test]
fn twin_agrees_in_random_games() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        let games = testing::games_to_play(10);
        testing::compare_with_twin::<QueensGarden, twin::Twin>(rules, players, games, 1);
    });
}

#[test]
fn mutated_states_are_refused_or_playable() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_state_mutations::<QueensGarden>(rules, players, testing::games_to_play(400), 1);
    });
}

#[test]
fn mutated_records_are_refused_or_right() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_record_mutations::<QueensGarden>(rules, players, testing::games_to_play(100), 1);
    });
}

#[test]
fn keys_are_kept_from_action_to_action() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_keys::<QueensGarden>(rules, players, testing::games_to_play(20), 1);
    });
}

#[test]
fn networks_see_what_lies_there_and_not_where() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_encoding::<QueensGarden>(rules, players, testing::games_to_play(3), 1, reverse_slots);
    });
}

/// Turns the order of the display's slots around, but for the stack's top. At chance it tells what comes
/// next.
fn reverse_slots(state: &mut serde_json::Value) {
    if state["turn"] == "chance" {
        return;
    }
    let has_top = state["stack"].as_u64().is_some_and(|stack| stack > 0);
    let Some(slots) = state["display"].as_array_mut() else { return };
    let sorted = slots.len() - usize::from(has_top && !slots.is_empty());
    slots[..sorted].reverse();
    for token in state["pending"].as_array_mut().into_iter().flatten() {
        let slot = token.as_str().and_then(|token| token.strip_prefix("take:")?.parse::<usize>().ok());
        if let Some(slot) = slot.filter(|&slot| slot <= sorted) {
            *token = format!("take:{}", sorted + 1 - slot).into();
        }
    }
}
