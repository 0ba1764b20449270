//! The end of the game and its scoring.

use super::*;

/// The final score of seat 0, who has 5 points before and these stars and kept tiles.
fn final_score(game: &str, stars: Value, kept: &str) -> i16 {
    let mut game = position(json!({
        "game": game, "round": 6, "turn": 1,
        "boards": [{"stars": stars, "kept": kept, "passed": true}, {}],
    }));
    play(&mut game, "pass");
    assert_eq!((game.turn(), score(&game, 1)), (Turn::Over, 5));
    assert_eq!(depot(&game), kept, "kept tiles end in the depot");
    assert!(game.boards().as_slice().iter().all(|board| board.kept().is_empty() && board.passed()));
    score(&game, 0)
}

const COLORED: &str = "summer-pavilion";
const GRAY: &str = "summer-pavilion:gray";

#[test]
fn complete_stars_of_one_color() {
    for (color, points) in [('R', 14), ('B', 15), ('Y', 16), ('O', 17), ('G', 18), ('P', 20)] {
        let star = color.to_string().repeat(6);
        let name = color.to_string();
        assert_eq!(final_score(COLORED, json!({ &name: star }), ""), 5 + points, "{color}");
        assert_eq!(final_score(GRAY, json!({"O": star }), ""), 5 + points, "{color} on the gray side");
        let five = format!("{}.", color.to_string().repeat(5));
        assert_eq!(final_score(COLORED, json!({ &name: five }), ""), 5, "{color}");
    }
}

#[test]
fn complete_stars_of_six_colors() {
    assert_eq!(final_score(COLORED, json!({"C": "PORBYG"}), ""), 17);
    assert_eq!(final_score(GRAY, json!({"C": "PORBYG"}), ""), 17);
    assert_eq!(final_score(GRAY, json!({"Y": "PORBYG"}), ""), 17);
    assert_eq!(final_score(GRAY, json!({"C": "RRRRRR"}), ""), 19);
}

/// Stars with these positions filled on the outer stars (in their own colors) and on the center.
fn positions(outer: &str, center: &str) -> Value {
    let mut stars = serde_json::Map::new();
    for (i, name) in LETTERS.chars().enumerate() {
        let fill = |mark: char| if mark == '.' { '.' } else { name };
        stars.insert(name.to_string(), json!(outer.chars().map(fill).collect::<String>()));
        assert_eq!(Color::ALL[i].letter(), name);
    }
    stars.insert("C".to_owned(), json!(center));
    Value::Object(stars)
}

#[test]
fn colored_side_all_slots_of_a_number() {
    assert_eq!(final_score(COLORED, positions("x.....", "P....."), ""), 9);
    assert_eq!(final_score(COLORED, positions(".x....", ".P...."), ""), 13);
    assert_eq!(final_score(COLORED, positions("..x...", "..P..."), ""), 17);
    assert_eq!(final_score(COLORED, positions("...x..", "...P.."), ""), 21);
    assert_eq!(final_score(COLORED, positions("....x.", "....P."), ""), 5);
    assert_eq!(final_score(COLORED, positions(".....x", ".....P"), ""), 5);
    assert_eq!(final_score(COLORED, positions("x.....", ".P...."), ""), 5);
}

#[test]
fn gray_side_all_slots_of_a_printed_cost() {
    assert_eq!(final_score(GRAY, positions("..x...", "......"), ""), 9, "cost 1 is slot 3");
    assert_eq!(final_score(GRAY, positions(".x....", "......"), ""), 13);
    assert_eq!(final_score(GRAY, positions("x.....", "......"), ""), 5);
    assert_eq!(final_score(GRAY, positions("x.....", "PORBYG"), ""), 5 + 12 + 12, "12 slots of cost 3");
    assert_eq!(final_score(GRAY, positions("x.....", "PORBY."), ""), 5);
    assert_eq!(final_score(GRAY, positions("...x..", "......"), ""), 21);
}

#[test]
fn each_kept_tile_costs_a_point_after_everything_else_and_not_below_0() {
    assert_eq!(final_score(COLORED, json!({"R": "RRRRRR"}), "OBB"), 16);
    let mut game = position(json!({
        "round": 6, "turn": 1,
        "boards": [{"score": 2, "kept": "OOOO", "passed": true}, {"score": 1, "hand": "GG"}],
    }));
    play(&mut game, "pass keep:G keep:G");
    assert_eq!(game.scores().as_slice(), [0, 0]);
    let mut game = position(json!({
        "round": 6, "turn": 1,
        "boards": [{"score": 2, "stars": {"C": "ORBYGP"}, "kept": "PPPP", "passed": true}, {}],
    }));
    play(&mut game, "pass");
    assert_eq!(score(&game, 0), 10, "the loss comes after the 12 points for the star");
}

#[test]
fn most_points_win_and_ties_share() {
    let end = |scores: [i16; 3]| {
        let board = |score: i16| json!({"score": score, "passed": true});
        let [first, second, third] = scores;
        position(json!({"players": 3, "round": 6, "phase": "over", "turn": "over",
            "boards": [board(first), board(second), board(third)]}))
    };
    assert_eq!(end([7, 9, 8]).wins().as_slice(), [0.0, 1.0, 0.0]);
    assert_eq!(end([9, 9, 8]).wins().as_slice(), [0.5, 0.5, 0.0]);
}

#[test]
fn nothing_is_played_when_the_game_is_over() {
    let board = json!({"passed": true});
    let game = position(json!({"round": 6, "phase": "over", "turn": "over", "boards": [board, board]}));
    assert_eq!(legal(&game), "");
    assert_eq!(refusal(&game, "pass"), "the game is over");
    assert_eq!(game.check_action(Action::Pass).unwrap_err().to_string(), "the game is over");
    let supply = "SO".parse().unwrap();
    assert_eq!(game.check_chance(&supply).unwrap_err().to_string(), "no tiles are to be drawn now");
}
