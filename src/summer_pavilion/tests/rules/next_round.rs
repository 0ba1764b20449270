//! The next round: token, kept tiles, new factories.

use super::*;

#[test]
fn the_token_returns_kept_tiles_return_to_the_hands_and_the_holder_starts() {
    let mut game = position(json!({
        "token": 1, "supply": "ORBYGORBYG", "depot": [0, 1, 0, 0, 0, 0],
        "boards": [{"hand": "GR"}, {"passed": true, "kept": "OO"}],
    }));
    play(&mut game, "pass keep:R done");
    let json = json_of(&game);
    assert_eq!((&json["phase"], &json["round"], &json["wild"]), (&json!("deal"), &json!(2), &json!("G")));
    assert_eq!((&json["start"], &json["token"]), (&json!(1), &json!("center")));
    for (seat, hand) in [(0, "R"), (1, "OO")] {
        let board = &json["boards"][seat];
        assert_eq!((&board["hand"], &board["kept"]), (&json!(hand), &json!("")));
        assert_eq!(board["passed"], false);
    }
    assert_eq!(refusal(&game, "SO"), "the factories are to be filled now, not the supply");
    play(&mut game, "DORBY/ORBY/ORBY/ORBY/OOOO");
    assert_eq!((game.phase(), game.turn()), (Phase::Acquire, Turn::Player(Seat::new(1))));
}

/// Before the deal of round 2: these tiles are left in bag and depot, all others in the players' hands.
fn last_pass(bag: [u8; 6], depot: [u8; 6]) -> SummerPavilion {
    let stars = json!({"O": "OOOOOO", "R": "RRRRRR", "B": "BBBBBB", "Y": "YYYYYY", "G": "GGGGGG", "P": "PPPPPP",
        "C": "ORBYGP"});
    let factories = vec![""; 7];
    // Three full boards hold 21 tiles of each color, the supply the rest but for what bag and depot have.
    let supply: String =
        (0..COLORS).map(|i| LETTERS[i..=i].repeat(usize::from(1 - bag[i] - depot[i]))).collect();
    position(json!({
        "players": 3, "factories": factories, "supply": supply, "bag": bag, "depot": depot,
        "boards": [{"stars": stars}, {"stars": stars, "passed": true}, {"stars": stars, "passed": true}],
    }))
}

#[test]
fn without_any_tile_the_round_goes_on_with_placing() {
    let mut game = last_pass([0; 6], [0; 6]);
    play(&mut game, "pass");
    assert_eq!((game.phase(), game.round(), game.token()), (Phase::Place, 2, None));
    assert_eq!((game.turn(), game.wild()), (Turn::Player(Seat::new(0)), Color::Green));
    assert_eq!(legal(&game), "pass");
    play(&mut game, "pass pass pass");
    assert_eq!((game.phase(), game.round(), game.turn()), (Phase::Place, 3, Turn::Player(Seat::new(0))));
    play(&mut game, "pass pass pass pass pass pass pass pass pass pass pass pass");
    assert_eq!(game.turn(), Turn::Over);
    // 5 points, the stars 17 + 14 + 15 + 16 + 18 + 20 + 12, the numbers 4 + 8 + 12 + 16.
    assert_eq!(game.scores().as_slice(), [157; 3]);
    assert_eq!(game.wins().as_slice(), [1.0 / 3.0; 3]);
}

#[test]
fn the_refill_before_the_deal_may_take_the_last_tiles() {
    let mut game = last_pass([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]);
    play(&mut game, "pass SOR");
    assert_eq!((game.phase(), game.round()), (Phase::Place, 2));
}

#[test]
fn factories_are_filled_one_after_the_other_and_the_last_ones_stay_short() {
    let full = json!({"O": "OOOOOO", "R": "RRRRRR", "B": "BBBBBB", "Y": "YYYYYY", "G": "GGGGGG", "P": "PPPPPP",
        "C": "ORBYGP"});
    let board = json!({"stars": full});
    let mut game = position(json!({
        "players": 3, "phase": "deal", "turn": "chance", "token": "center", "round": 2,
        "bag": [0, 0, 0, 0, 1, 0], "depot": [1, 1, 1, 1, 0, 1], "boards": [board, board, board],
    }));
    let short = "each factory gets 4 tiles as long as bag and depot have any";
    assert_eq!(refusal(&game, "DORBG/Y/P/-/-/-/-"), short);
    assert_eq!(refusal(&game, "DORG/BYP/-/-/-/-/-"), short);
    assert_eq!(refusal(&game, "DORBG/YP/-/-/-/-"), "wrong number of factories for this number of players");
    let bag_first = "the bag and then the depot do not hold these tiles";
    assert_eq!(refusal(&game, "DORBY/GP/-/-/-/-/-"), bag_first);
    assert_eq!(refusal(&game, "DOOBG/YP/-/-/-/-/-"), bag_first);
    assert_eq!(refusal(&game, "DORBG/YY/-/-/-/-/-"), "the bag does not hold these tiles");
    play(&mut game, "DORBG/YP/-/-/-/-/-");
    assert_eq!((game.phase(), legal(&game).as_str()), (Phase::Acquire, "1O 1R 1B 2Y 2P"));
}
