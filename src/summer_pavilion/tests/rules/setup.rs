//! The start of a game.

use super::*;

#[test]
fn the_supply_is_filled_before_the_factories() {
    for players in 2..=4 {
        let mut game = SummerPavilion::new(rules("summer-pavilion"), players);
        let mut rng = Generator::new(players as u64);
        assert_eq!((game.turn(), game.phase()), (Turn::Chance, Phase::Supply));
        let supply = game.sample_chance(&mut rng);
        assert!(matches!(supply, Outcome::Supply(tiles) if tiles.total() == 10), "{supply}");
        game.apply_chance(&supply);
        assert_eq!(game.phase(), Phase::Deal);
        let deal = game.sample_chance(&mut rng);
        let Outcome::Deal(factories) = deal else { panic!("{deal}") };
        assert_eq!(factories.factories().len(), [5, 7, 9][players - 2]);
        assert!(factories.factories().iter().all(|factory| factory.total() == 4));
        game.apply_chance(&deal);
        assert_eq!((game.turn(), game.wild()), (Turn::Player(Seat::new(0)), Color::Purple));
    }
}

#[test]
fn there_are_22_tiles_of_each_color_and_everybody_begins_with_5_points() {
    let game = SummerPavilion::new(rules("summer-pavilion"), 3);
    assert_eq!(game.bag().counts(), [22; COLORS]);
    assert_eq!(game.scores().as_slice(), [5, 5, 5]);
}

#[test]
fn the_wild_color_follows_the_order_of_the_variant() {
    let order = |spec: &str| -> String { (1..=6).map(|round| rules(spec).wild(round).letter()).collect() };
    assert_eq!(order("summer-pavilion"), "PGOYBR");
    assert_eq!(order("summer-pavilion:alternate"), "ORBYGP");
    assert_eq!(order("summer-pavilion:gray,wilds=RPGOYB"), "RPGOYB");
}
