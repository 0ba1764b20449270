//! The tests that every game of this crate has.

/// The tests of a game: its state, its twin, how many games (or mutations) each test has by default, and the
/// change of a JSON state that networks must not notice.
macro_rules! game_tests {
    (
        $game:ty, $twin:ty,
        contract: $contract:literal, twin: $twin_games:literal, states: $states:literal, records: $records:literal,
        encoding: $unnoticed:expr
    ) => {
        use $crate::testing::{self, for_each_variant, games_to_play};

        #[test]
        fn contract() {
            for_each_variant::<$game>(|rules, players| {
                testing::check_contract::<$game>(rules, players, games_to_play($contract), 1);
            });
        }

        #[test]
        fn random_actions_are_uniform() {
            for_each_variant::<$game>(|rules, players| {
                testing::check_random_action::<$game>(rules, players, 200, 1);
            });
        }

        #[test]
        fn twin_agrees_in_random_games() {
            for_each_variant::<$game>(|rules, players| {
                testing::compare_with_twin::<$game, $twin>(rules, players, games_to_play($twin_games), 1);
            });
        }

        #[test]
        fn mutated_states_are_refused_or_playable() {
            for_each_variant::<$game>(|rules, players| {
                testing::check_state_mutations::<$game>(rules, players, games_to_play($states), 1);
            });
        }

        #[test]
        fn mutated_records_are_refused_or_right() {
            for_each_variant::<$game>(|rules, players| {
                testing::check_record_mutations::<$game>(rules, players, games_to_play($records), 1);
            });
        }

        #[test]
        fn keys_are_kept_from_action_to_action() {
            for_each_variant::<$game>(|rules, players| {
                testing::check_keys::<$game>(rules, players, games_to_play(20), 1);
            });
        }

        #[test]
        fn networks_see_what_lies_there_and_not_where() {
            for_each_variant::<$game>(|rules, players| {
                testing::check_encoding::<$game>(rules, players, games_to_play(3), 1, $unnoticed);
            });
        }

        #[test]
        fn playthroughs_stay_as_they_are() {
            testing::check_playthroughs::<$game>();
        }
    };
}

pub(crate) use game_tests;

/// Turns the order of the factories around.
pub(crate) fn reverse_factories(state: &mut serde_json::Value) {
    if let Some(factories) = state["factories"].as_array_mut() {
        factories.reverse();
    }
}
