mod golden;
mod json;
mod policies;
mod position;
mod rules;
mod statistics;
mod twin;

use super::*;
use crate::testing;

#[test]
fn contract() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::check_contract::<Azul>(rules, players, testing::games_to_play(3), 1);
    });
}

#[test]
fn random_actions_are_uniform() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::check_random_action::<Azul>(rules, players, 200, 1)
    });
}

#[test]
fn twin_agrees_in_random_games() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::compare_with_twin::<Azul, twin::AzulTwin>(rules, players, testing::games_to_play(20), 1);
    });
}

#[test]
fn mutated_states_are_refused_or_playable() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::check_state_mutations::<Azul>(rules, players, testing::games_to_play(1000), 1);
    });
}

#[test]
fn mutated_records_are_refused_or_right() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::check_record_mutations::<Azul>(rules, players, testing::games_to_play(200), 1);
    });
}

#[test]
fn keys_are_kept_from_action_to_action() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::check_keys::<Azul>(rules, players, testing::games_to_play(20), 1);
    });
}

#[test]
fn equal_displays_share_a_key() {
    use crate::{Game, Keyed};
    let dealt = |deal: &str| {
        let mut state = Azul::new(crate::intern(AzulRules::default()), 2);
        state.play_token(deal).unwrap();
        state
    };
    let (one, other) = (dealt("DBBYR/KKWW/BYRK/RRRR/BWWW"), dealt("DRRRR/BYRK/BBYR/BWWW/KKWW"));
    assert_eq!(one.key(), other.key());
    assert_ne!(one.placed_key(), other.placed_key());
    assert_ne!(one.key(), dealt("DBBYR/KKWW/BYRK/RRRR/BBWW").key());
}

#[test]
fn networks_see_what_lies_there_and_not_where() {
    let reverse = |state: &mut serde_json::Value| {
        if let Some(factories) = state["factories"].as_array_mut() {
            factories.reverse();
        }
    };
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::check_encoding::<Azul>(rules, players, testing::games_to_play(3), 1, reverse);
    });
}
