use super::*;
use crate::testing;

#[test]
fn contract() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_contract::<QueensGarden>(rules, players, testing::games_to_play(3), 1);
    });
}

#[test]
fn random_actions_are_uniform() {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::check_random_action::<QueensGarden>(rules, players, 200, 1)
    });
}
