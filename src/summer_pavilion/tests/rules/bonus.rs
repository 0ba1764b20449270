//! Bonus tiles for surrounded features.

use super::*;

const FEATURES: [(u8, &str); 18] = [
    (1, "O2 O3 C6 C1"),
    (2, "O1 O2 R3 R4"),
    (3, "O5 O6"),
    (1, "R2 R3 C1 C2"),
    (2, "R1 R2 B3 B4"),
    (3, "R5 R6"),
    (1, "B2 B3 C2 C3"),
    (2, "B1 B2 Y3 Y4"),
    (3, "B5 B6"),
    (1, "Y2 Y3 C3 C4"),
    (2, "Y1 Y2 G3 G4"),
    (3, "Y5 Y6"),
    (1, "G2 G3 C4 C5"),
    (2, "G1 G2 P3 P4"),
    (3, "G5 G6"),
    (1, "P2 P3 C5 C6"),
    (2, "P1 P2 O3 O4"),
    (3, "P5 P6"),
];

/// The stars as JSON with these slots filled: outer stars in their own colors, the center in six colors.
fn filled(slots: &[&str]) -> Value {
    let mut stars = serde_json::Map::new();
    for name in STAR_LETTERS.chars() {
        let tile = |number: usize| match slots.contains(&format!("{name}{number}").as_str()) {
            false => '.',
            true if name == 'C' => LETTERS.as_bytes()[number - 1] as char,
            true => name,
        };
        stars.insert(name.to_string(), json!((1..=6).map(tile).collect::<String>()));
    }
    Value::Object(stars)
}

/// Places on the last slot, all others of the list being filled, and returns the bonus tiles owed.
fn owed_for(game: &str, slots: &[&str], last: &str) -> u8 {
    let others: Vec<&str> = slots.iter().copied().filter(|slot| *slot != last).collect();
    let number: usize = last[1..].parse().unwrap();
    let color = if last.starts_with('C') { &LETTERS[number - 1..number] } else { &last[..1] };
    let mut game = position(json!({
        "game": game, "supply": "ORBYGORBYG",
        "boards": [{"hand": color.repeat(6), "stars": filled(&others)}],
    }));
    play(&mut game, &format!("{last}{color}0"));
    assert_eq!(game.phase() == Phase::Bonus, game.owed() > 0);
    game.owed()
}

#[test]
fn every_feature_is_found_whichever_slot_is_filled_last() {
    for game in ["summer-pavilion", "summer-pavilion:gray"] {
        for (tiles, slots) in FEATURES {
            let slots: Vec<&str> = slots.split(' ').collect();
            for &last in &slots {
                assert_eq!(owed_for(game, &slots, last), tiles, "{slots:?}, {last} last");
                for &missing in slots.iter().filter(|slot| **slot != last) {
                    let some: Vec<&str> = slots.iter().copied().filter(|slot| *slot != missing).collect();
                    assert_eq!(owed_for(game, &some, last), 0, "{some:?}, {last} last");
                }
            }
        }
    }
}

#[test]
fn a_full_board_gives_36_bonus_tiles() {
    let worth = |feature: &Feature| u32::from(rules("summer-pavilion").bonus_tiles(feature.kind));
    assert_eq!(Feature::ALL.iter().map(worth).sum::<u32>(), 36);
}

#[test]
fn features_completed_together_add_up_to_at_most_3() {
    assert_eq!(owed_for("summer-pavilion", &["O1", "O2", "O3", "R3", "R4", "C1", "C6"], "O2"), 3);
    assert_eq!(owed_for("summer-pavilion", &["O2", "O3", "R2", "R3", "C6", "C1", "C2"], "C1"), 2);
    let slots: Vec<String> = Slot::all().map(|slot| slot.to_string()).collect();
    let slots: Vec<&str> = slots.iter().map(String::as_str).collect();
    for slot in Slot::all() {
        let last = slot.to_string();
        let names = FEATURES.iter().filter(|(_, slots)| slots.split(' ').any(|name| name == last));
        let expected: u8 = names.map(|(tiles, _)| tiles).sum();
        assert!((1..=3).contains(&expected));
        assert_eq!(owed_for("summer-pavilion", &slots, &last), expected, "{last} last on a full board");
    }
}

#[test]
fn a_feature_completed_earlier_gives_nothing_again() {
    let mut game = position(json!({
        "supply": "ORBYGORBYG", "boards": [{"hand": "OOOO", "stars": {"O": "....OO"}}],
    }));
    play(&mut game, "O4O0");
    assert_eq!((game.owed(), game.turn()), (0, Turn::Player(Seat::new(1))));
}

#[test]
fn bonus_tiles_are_taken_one_by_one_in_any_order_wild_ones_too_without_a_refill_in_between() {
    let mut game = position(json!({
        "supply": "ORRPPPPPPP", "boards": [{"hand": "OOOOOO", "stars": {"O": "....O."}}],
    }));
    play(&mut game, "O6O0");
    assert_eq!(legal(&game), "+O +R +P");
    assert_eq!(refusal(&game, "+B"), "the supply holds no tile of that color");
    assert_eq!(refusal(&game, "pass"), "a bonus tile must be taken from the supply first");
    play(&mut game, "+P +O");
    assert_eq!((game.turn(), legal(&game).as_str()), (Turn::Player(Seat::new(0)), "+R +P"));
    assert_eq!(game.supply().total(), 8);
    play(&mut game, "+P");
    assert_eq!(hand(&game, 0), "OPP");
    assert_eq!((game.phase(), game.next_seat()), (Phase::Supply, Some(Seat::new(1))));
}

#[test]
fn each_tile_is_asked_for_even_without_a_choice_and_a_short_supply_gives_all_it_has() {
    let mut game =
        position(json!({"supply": "RR", "boards": [{"hand": "OOOOOO", "stars": {"O": "....O."}}]}));
    play(&mut game, "O6O0");
    assert_eq!((game.owed(), legal(&game).as_str()), (2, "+R"));
    play(&mut game, "+R +R");
    assert_eq!((game.phase(), hand(&game, 0).as_str()), (Phase::Supply, "RR"));
}

#[test]
fn an_empty_supply_gives_nothing() {
    let mut game = position(json!({"supply": "", "boards": [{"hand": "OOOOOO", "stars": {"O": "....O."}}]}));
    play(&mut game, "O6O0");
    assert_eq!((game.phase(), game.owed()), (Phase::Supply, 0));
}
