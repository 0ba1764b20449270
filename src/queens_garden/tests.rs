mod json;
mod policies;
mod position;
mod rules;
mod twin;
mod variant;

use super::*;

crate::testing::game_tests! {
    QueensGarden, twin::QueensGardenTwin,
    contract: 2, twin: 10, states: 400, records: 100,
    encoding: reverse_slots
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
