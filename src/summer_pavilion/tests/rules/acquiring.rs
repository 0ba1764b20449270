//! Taking tiles from factories and center.

use super::*;

/// Round 1, purple is wild, seat 0 to take tiles.
fn acquiring(factories: [&str; 5], center: &str, token: Value) -> SummerPavilion {
    position(json!({"phase": "acquire", "factories": factories, "center": center, "token": token}))
}

#[test]
fn the_color_chosen_is_not_wild() {
    let game = acquiring(["ORPP", "GGGG", "", "", ""], "BP", json!("center"));
    assert_eq!(legal(&game), "0B 1O 1R 2G");
    assert_eq!(refusal(&game, "1P"), "that color is wild: it can be chosen only where no other color lies");
    assert_eq!(refusal(&game, "1B"), "that source holds no tile of that color");
    assert_eq!(refusal(&game, "3B"), "that source holds no tile of that color");
    assert_eq!(refusal(&game, "6B"), "there is no factory of that number");
    assert_eq!(refusal(&game, "pass"), "tiles are being taken from factories and center");
}

#[test]
fn all_tiles_of_the_color_and_exactly_one_wild_tile_are_taken_and_the_rest_goes_to_the_center() {
    let mut game = acquiring(["OOPP", "GGGG", "", "", ""], "B", json!("center"));
    play(&mut game, "1O");
    assert_eq!(hand(&game, 0), "OOP");
    assert_eq!(game.source(CENTER).letters(LETTERS).to_string(), "BP");
    assert_eq!((game.turn(), score(&game, 0)), (Turn::Player(Seat::new(1)), 5));
    play(&mut game, "2G");
    assert_eq!(hand(&game, 1), "GGGG");
}

#[test]
fn a_source_of_wild_tiles_only_gives_exactly_one() {
    let mut game = acquiring(["PPPP", "", "", "", ""], "", json!("center"));
    assert_eq!(legal(&game), "1P");
    play(&mut game, "1P");
    assert_eq!(hand(&game, 0), "P");
    assert_eq!(legal(&game), "0P");
    play(&mut game, "0P 0P");
    assert_eq!((hand(&game, 0), hand(&game, 1)), ("PP".to_owned(), "P".to_owned()));
    assert_eq!(game.token(), Some(Seat::new(1)));
    assert_eq!((score(&game, 0), score(&game, 1)), (5, 4));
}

#[test]
fn a_wild_tile_alone_in_the_center_is_one_tile_lost() {
    let mut game = acquiring(["", "", "", "", ""], "PPP", json!("center"));
    play(&mut game, "0P");
    assert_eq!((hand(&game, 0).as_str(), score(&game, 0)), ("P", 4));
}

/// Rulebook example: 3 yellow and 1 wild tile cost 4 points.
#[test]
fn the_first_from_the_center_takes_the_token_and_loses_a_point_for_each_tile() {
    let mut game = acquiring(["GGGG", "", "", "", ""], "YYYPPR", json!("center"));
    play(&mut game, "0Y");
    assert_eq!((hand(&game, 0).as_str(), score(&game, 0)), ("YYYP", 1));
    assert_eq!(game.token(), Some(Seat::new(0)));
}

#[test]
fn later_takers_from_the_center_lose_nothing() {
    let mut game = acquiring(["GGGG", "", "", "", ""], "YYYPPR", json!(1));
    play(&mut game, "0Y");
    assert_eq!((score(&game, 0), game.token()), (5, Some(Seat::new(1))));
}

#[test]
fn the_center_penalty_stops_at_0() {
    let mut game = acquiring(["GGGG", "", "", "", ""], "YYYYYYYPR", json!("center"));
    play(&mut game, "0Y");
    assert_eq!(score(&game, 0), 0);
}

#[test]
fn the_token_holder_places_first() {
    let mut game = acquiring(["", "", "", "", ""], "R", json!(1));
    play(&mut game, "0R");
    assert_eq!((game.phase(), game.turn()), (Phase::Place, Turn::Player(Seat::new(1))));
}

#[test]
fn if_nobody_took_the_token_the_start_player_places_first_and_stays_start_player() {
    let mut game = position(json!({
        "phase": "acquire", "factories": ["RRRR", "", "", "", ""], "token": "center", "turn": 0, "start": 1,
        "supply": "OORRBBYYGG",
    }));
    play(&mut game, "1R");
    assert_eq!((game.phase(), game.turn()), (Phase::Place, Turn::Player(Seat::new(1))));
    play(&mut game, "pass pass done");
    assert_eq!((game.phase(), game.starting_seat(), game.token()), (Phase::Deal, Seat::new(1), None));
}
