//! Passing, keeping and losing tiles.

use super::*;

const FULL: &str = "ORBYGORBYG";

fn passing(hand: &str, score: i16) -> SummerPavilion {
    let mut game = position(json!({"supply": FULL, "boards": [{"hand": hand, "score": score}]}));
    play(&mut game, "pass");
    game
}

#[test]
fn example_f_two_discarded_tiles_cost_2_points() {
    let mut game = passing("GGGGRR", 5);
    play(&mut game, "keep:G keep:G keep:G keep:G");
    assert_eq!((score(&game, 0), depot(&game).as_str(), hand(&game, 0).as_str()), (3, "RR", ""));
    assert_eq!(game.board(Seat::new(0)).kept(), Tiles::of(Color::Green.index(), 4));
    assert_eq!(game.turn(), Turn::Player(Seat::new(1)));
}

use crate::tiles::Tiles;

#[test]
fn a_set_of_kept_tiles_has_one_spelling() {
    let mut game = passing("GGRR", 5);
    assert_eq!(legal(&game), "keep:R keep:G done");
    play(&mut game, "keep:G");
    assert_eq!(legal(&game), "keep:G done");
    assert_eq!(
        refusal(&game, "keep:R"),
        "tiles to keep are named in color order: one of a later color is kept already"
    );
    assert_eq!(refusal(&game, "keep:O"), "the hand holds no tile of that color");
    assert_eq!(refusal(&game, "pass"), "the player has passed and is choosing tiles to keep");
    play(&mut game, "done");
    assert_eq!((score(&game, 0), depot(&game).as_str()), (2, "RRG"));
}

#[test]
fn keeping_ends_by_itself_when_nothing_more_may_be_kept() {
    let mut game = passing("GRR", 5);
    play(&mut game, "keep:G");
    assert_eq!((game.turn(), score(&game, 0)), (Turn::Player(Seat::new(1)), 3));
    let mut game = passing("GR", 5);
    play(&mut game, "keep:R keep:G");
    assert_eq!((game.turn(), score(&game, 0)), (Turn::Player(Seat::new(1)), 5));
}

#[test]
fn a_player_may_keep_nothing_and_the_loss_stops_at_0() {
    let mut game = passing("GGRRRR", 4);
    play(&mut game, "done");
    assert_eq!((score(&game, 0), depot(&game).as_str()), (0, "RRRRGG"));
}

#[test]
fn a_player_without_tiles_passes_freely() {
    let game = passing("", 5);
    assert_eq!((score(&game, 0), game.turn()), (5, Turn::Player(Seat::new(1))));
}

#[test]
fn passing_is_final_and_those_who_passed_are_skipped() {
    let mut game = position(json!({
        "players": 3, "supply": FULL, "turn": 2,
        "boards": [{"hand": "OO"}, {"passed": true}, {"hand": "BBB"}],
    }));
    play(&mut game, "B1B0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
    play(&mut game, "O1O0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(2)), "seat 1 has passed");
    play(&mut game, "B2B0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
    play(&mut game, "pass done");
    assert_eq!(game.turn(), Turn::Player(Seat::new(2)));
    play(&mut game, "pass");
    assert_eq!(game.phase(), Phase::Deal);
}

#[test]
fn the_last_player_goes_on_alone() {
    let mut game = position(json!({"supply": FULL, "boards": [{"hand": "BBB"}, {"passed": true}]}));
    play(&mut game, "B1B0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
    play(&mut game, "B2B0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(0)));
}
