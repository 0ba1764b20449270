mod json;
mod policies;
mod position;
mod rules;
mod statistics;
mod twin;

use super::*;

crate::testing::game_tests! {
    Azul, twin::AzulTwin,
    contract: 3, twin: 20, states: 1000, records: 200,
    encoding: testing::reverse_factories
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
    assert_ne!(one.whole_key(), other.whole_key());
    assert_ne!(one.key(), dealt("DBBYR/KKWW/BYRK/RRRR/BBWW").key());
}

#[test]
fn the_gray_wall_tells_no_color_from_another_and_no_left_from_right() {
    use crate::game::Rules;
    let gray = crate::intern(AzulRules::from_options(&["gray"]).unwrap());
    (2..=4).for_each(|players| testing::check_symmetries::<Azul>(gray, players, 60, 5));
}
