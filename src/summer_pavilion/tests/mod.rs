use super::*;
use crate::testing;

#[test]
fn contract() {
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        testing::check_contract::<SummerPavilion>(rules, players, testing::games_to_play(3), 1);
    });
}

#[test]
fn random_actions_are_uniform() {
    testing::for_each_variant::<SummerPavilion>(|rules, players| {
        testing::check_random_action::<SummerPavilion>(rules, players, 200, 1)
    });
}
